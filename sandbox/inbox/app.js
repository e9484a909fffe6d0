// The inbox: reads an account's state and follows it by server-sent events.
import { get, listen } from "./api.js";
import { find, h, toast } from "./dom.js";
import { Campaigns } from "./campaigns.js";
import { Filters } from "./filters.js";
import { Numbers, STEP } from "./number_list.js";
import { Phones, showFailure } from "./phones.js";
import { Settings } from "./settings.js";
import { Clock } from "./clock.js";
import { Faults } from "./faults.js";
import { attempts, succeeded } from "./attempt_log.js";
import { requests, withComposer } from "./request_log.js";
import { events } from "./event_log.js";
import { start as startTabs } from "./tabs.js";

/** Returns a function that runs `work`, never twice at a time. Calls during a run cause one more run after it. */
function serialized(work) {
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

/** Shows a phone with all its stored messages. */
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
const list = serialized(async () => numbers.draw(await get(`/phones?limit=${listed}&${filters.query()}`), phones.chosen));

/** The maximum number of messages that a filter shows. */
const SHOWN = 1000;

/** Applies the filters to all stored messages. */
const search = serialized(async () => {
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
/** Redraws the list after 250 ms, once for many changes. */
function refresh() {
  clearTimeout(later);
  later = setTimeout(() => (filters.query() ? search() : list()), 250);
}

function live(state, word) {
  const place = find("#live");
  place.dataset.state = state;
  find(".word", place).textContent = word;
}

/** Reads the whole state. Entries that also arrived over the stream are recognized by their number. */
const load = serialized(async () => {
  try {
    await loadAll();
  } catch (error) {
    showFailure(error, () => catchUp());
  }
});

async function loadAll() {
  clock.set(await get("/clock"));
  const [stored, callbacks, received, logged] = await Promise.all([
    get("/messages?limit=500"),
    get("/callbacks"),
    get("/requests?limit=200"),
    get("/events"),
    faults.load(),
    settings.load(),
    campaigns.load(),
  ]);
  phones.load(stored.messages);
  callbacks.attempts.slice(-200).forEach((one) => logs.attempts.add(one));
  received.requests.forEach((one) => logs.requests.add(one));
  logged.events.slice(-200).forEach((one) => logs.events.add(one));
  await search();
  live("on", "live");
}

let loading = true;
let queued = [];

/** Reads the whole state, then applies the events that arrived during the reading. */
async function catchUp() {
  loading = true;
  await load();
  loading = false;
  queued.splice(0).forEach((apply) => apply());
}

const countFaults = serialized(() => faults.load());

function clear() {
  phones.clear();
  listed = STEP;
  Object.values(logs).forEach((log) => log.clear());
}

/** The kinds of attempts that a user's message causes. */
const USER_KINDS = ["inbound", "webhook", "bot"];

const handlers = {
  open: catchUp,
  lost: (gone) => {
    live("lost", "reconnecting");
    if (gone) setTimeout(restart, 1000);
  },
  message: (one) => {
    phones.add(one);
    campaigns.messageChanged(one);
    refresh();
  },
  update: (one) => {
    phones.update(one);
    campaigns.messageChanged(one);
    if (filters.query()) refresh();
  },
  request: (one) => {
    logs.requests.add(one);
    if (faults.rules.length) countFaults();
  },
  attempt: (one) => {
    logs.attempts.add(one);
    if (USER_KINDS.includes(one.kind)) {
      const result = one.status ? `responded with ${one.status}` : one.outcome;
      toast(`The webhook: ${result}`, succeeded(one) ? "good" : "bad");
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
  handlers[kind] = (one) => (loading ? queued.push(() => handle(one)) : handle(one));
}

/** Reads the accounts again, because a restarted sandbox may have other accounts. Repeats this until it succeeds. */
async function restart() {
  try {
    await accounts();
    follow();
  } catch {
    setTimeout(restart, 1000);
  }
}

/** Reads the page's data and lists the accounts to choose from. */
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
  queued = [];
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
  openLinkedPhone();
} catch (error) {
  live("lost", "not reached");
  showFailure(error, () => location.reload());
}

/** Shows the phone that the address names: `#phone=NUMBER&account=SID`. */
function openLinkedPhone() {
  const state = new URLSearchParams(location.hash.slice(1));
  const sid = state.get("account");
  if (sid && sid !== chooser.value && [...chooser.options].some((one) => one.value === sid)) {
    chooser.value = sid;
    follow();
  }
  if (state.get("phone")) choose(state.get("phone"));
}
addEventListener("hashchange", openLinkedPhone);
