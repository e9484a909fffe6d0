// The inbox: reads an account's state and follows it by server-sent events.
import { get, listen } from "./api.js";
import { find, h, toast } from "./dom.js";
import { Phones } from "./phones.js";
import { Clock } from "./clock.js";
import { Faults } from "./faults.js";
import { attempts, succeeded } from "./attempts.js";
import { requests } from "./requests.js";
import { events } from "./events.js";
import { start as startTabs } from "./tabs.js";

const clock = new Clock();
const now = () => clock.now();
const phones = new Phones(now);
const faults = new Faults();
const logs = { attempts: attempts(now), requests: requests(now), events: events(now) };
const chooser = find("#account");

function live(state, word) {
  const place = find("#live");
  place.dataset.state = state;
  find(".word", place).textContent = word;
}

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

/** Everything that is there; what came meanwhile over the stream is known by its number. */
const load = once(async () => {
  clock.set(await get("/clock"));
  const [messages, told, asked, happened] = await Promise.all([
    get("/messages?limit=500"),
    get("/callbacks"),
    get("/requests?limit=200"),
    get("/events"),
    faults.load(),
  ]);
  phones.load(messages.messages);
  told.attempts.slice(-200).forEach((one) => logs.attempts.add(one));
  asked.requests.forEach((one) => logs.requests.add(one));
  happened.events.slice(-200).forEach((one) => logs.events.add(one));
  live("on", "live");
});

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
  Object.values(logs).forEach((log) => log.clear());
}

const TOLD = ["inbound", "webhook", "bot"];

const handlers = {
  open: catchUp,
  lost: (gone) => {
    live("lost", "reconnecting");
    if (gone) setTimeout(restart, 1000);
  },
  message: (one) => phones.add(one),
  update: (one) => phones.update(one),
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
  chooser.addEventListener("change", follow);
  chooser.addEventListener("focus", () => accounts().catch(() => {}));
  follow();
} catch (error) {
  live("lost", "not reached");
  toast(error.message, "bad");
}
