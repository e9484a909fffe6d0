// The inbox: reads an account's state and follows it by server-sent events.
import { get, listen } from "./api.js";
import { find, h, toast } from "./dom.js";
import { Campaigns } from "./campaigns.js";
import { Filters } from "./filters.js";
import { Numbers, STEP } from "./numbers.js";
import { Phones, showFailure } from "./phones.js";
import { Settings } from "./settings.js";
import { Clock } from "./clock.js";
import { Faults } from "./faults.js";
import { attempts, succeeded } from "./attempts.js";
import { requests, withComposer } from "./requests.js";
import { events } from "./events.js";
import { start as startTabs } from "./tabs.js";

/** One piece of work at a time, and once more when it was asked for meanwhile. */
function once(work) {
  let running = false;
  let again = false;
  return async () => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    do {
      again = false;
      await work().catch((error) => toast(error.message, "bad"));
    } while (again);
    running = false;
  };
}

const clock = new Clock();
const now = () => clock.now();
const phones = new Phones(now);
const faults = new Faults();
const logs = { attempts: attempts(now), requests: requests(now), events: events(now) };
const chooser = find("#account");
const campaigns = new Campaigns();
const settings = new Settings(() => {});
const filters = new Filters(() => search());
const numbers = new Numbers(now, (number) => choose(number), () => grow());
let listed = STEP;

/** A phone with all that is kept of it. */
async function choose(number) {
  try {
    const { messages } = await get(`/messages?phone=${encodeURIComponent(number)}&limit=200`);
    // On a narrow page the list covers the phones.
    if (matchMedia("(max-width: 860px)").matches) numbers.show(false);
    phones.choose(number, messages);
    await list();
  } catch (error) {
    toast(error.message, "bad");
  }
}

function grow() {
  listed += STEP;
  list();
}

/** Draws the list of numbers. */
const list = once(async () => numbers.draw(await get(`/phones?limit=${listed}&${filters.query()}`), phones.chosen));

/** Messages that a filter shows at most. */
const SHOWN = 1000;

/** Applies the filters to everything that is kept. */
const search = once(async () => {
  const query = filters.query();
  const place = find("#found");
  if (!query) {
    phones.filter(null);
    place.textContent = "";
    return list();
  }
  place.textContent = "Searching…";
  try {
    const { messages } = await get(`/messages?limit=${SHOWN}&${query}`);
    if (query !== filters.query()) return;
    phones.filter(messages);
    const count = messages.length === 1 ? "1 message" : `${messages.length === SHOWN ? "the newest " : ""}${messages.length} messages`;
    place.textContent = messages.length ? `${count} found` : "";
    await list();
  } catch (error) {
    place.textContent = "";
    showFailure(error, search);
  }
});

let later;
/** What changed is listed soon, once for many messages. */
function refresh() {
  clearTimeout(later);
  later = setTimeout(() => (filters.query() ? search() : list()), 250);
}

function live(state, word) {
  const place = find("#live");
  place.dataset.state = state;
  find(".word", place).textContent = word;
}

/** Everything that is there; what came meanwhile over the stream is known by its number. */
const load = once(async () => {
  try {
    await loadAll();
  } catch (error) {
    showFailure(error, () => catchUp());
  }
});

async function loadAll() {
  clock.set(await get("/clock"));
  const [messages, told, asked, happened] = await Promise.all([
    get("/messages?limit=500"),
    get("/callbacks"),
    get("/requests?limit=200"),
    get("/events"),
    faults.load(),
    settings.load(),
    campaigns.load(),
  ]);
  phones.load(messages.messages);
  told.attempts.slice(-200).forEach((one) => logs.attempts.add(one));
  asked.requests.forEach((one) => logs.requests.add(one));
  happened.events.slice(-200).forEach((one) => logs.events.add(one));
  await search();
  live("on", "live");
}

let loading = true;
let meanwhile = [];

/** Reads all, then plays what the stream brought while it was read. */
async function catchUp() {
  loading = true;
  await load();
  loading = false;
  meanwhile.splice(0).forEach((play) => play());
}

const countFaults = once(() => faults.load());

function clear() {
  phones.clear();
  listed = STEP;
  Object.values(logs).forEach((log) => log.clear());
}

const TOLD = ["inbound", "webhook", "bot"];

const handlers = {
  open: catchUp,
  lost: (gone) => {
    live("lost", "reconnecting");
    if (gone) setTimeout(restart, 1000);
  },
  message: (one) => {
    phones.add(one);
    campaigns.saw(one);
    refresh();
  },
  update: (one) => {
    phones.update(one);
    campaigns.saw(one);
    if (filters.query()) refresh();
  },
  request: (one) => {
    logs.requests.add(one);
    if (faults.rules.length) countFaults();
  },
  attempt: (one) => {
    logs.attempts.add(one);
    if (TOLD.includes(one.kind)) {
      const answer = one.status ? `answered ${one.status}` : one.outcome;
      toast(`The webhook ${answer}`, succeeded(one) ? "good" : "bad");
    }
  },
  event: (one) => {
    logs.events.add(one);
    if (one.kind === "inbound.not_configured") toast("No webhook is set for this channel: the message was not forwarded", "warn");
  },
  clock: (one) => {
    const before = now();
    clock.at(one.ms);
    if (before.slice(0, 10) !== one.now.slice(0, 10)) phones.redraw();
  },
  reset: () => {
    clear();
    catchUp();
  },
};

for (const kind of ["message", "update", "request", "attempt", "event", "clock"]) {
  const handle = handlers[kind];
  handlers[kind] = (one) => (loading ? meanwhile.push(() => handle(one)) : handle(one));
}

/** The sandbox was started anew: its accounts may be others. */
async function restart() {
  try {
    await accounts();
    follow();
  } catch {
    setTimeout(restart, 1000);
  }
}

/** The accounts to choose from, and what the empty page proposes. */
async function accounts() {
  const page = await get("/inbox");
  const chosen = chooser.value;
  chooser.replaceChildren(...page.accounts.map((one, n) => h("option", { value: one.sid }, `${n + 1} · ${one.sid.slice(0, 10)}…`)));
  if (page.accounts.some((one) => one.sid === chosen)) chooser.value = chosen;
  return page;
}

function example(page) {
  find("#example").textContent = [
    `curl ${page.base}/sms.json \\`,
    `  -H "X-Service-API-Key: $CPAAS_SMS_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"from":"Acme","to":"306900000001","text":"Hello","type":"auto"}'`,
  ].join("\n");
}

function follow() {
  clear();
  meanwhile = [];
  loading = true;
  live("wait", "connecting");
  listen(chooser.value, handlers);
}

startTabs();
try {
  const page = await accounts();
  example(page);
  faults.start(page);
  withComposer(page.composer);
  find("#composer-link").hidden = !page.composer;
  chooser.addEventListener("change", follow);
  chooser.addEventListener("focus", () => accounts().catch(() => {}));
  follow();
  linked();
} catch (error) {
  live("lost", "not reached");
  showFailure(error, () => location.reload());
}

/** `#phone=NUMBER&account=SID` in the address shows this phone. */
function linked() {
  const state = new URLSearchParams(location.hash.slice(1));
  const sid = state.get("account");
  if (sid && sid !== chooser.value && [...chooser.options].some((one) => one.value === sid)) {
    chooser.value = sid;
    follow();
  }
  if (state.get("phone")) choose(state.get("phone"));
}
addEventListener("hashchange", linked);
