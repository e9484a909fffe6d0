// The inbox: reads an account's state and follows it by server-sent events.
import { get, listen } from "./api.js";
import { copyText, find, h, toast } from "./dom.js";
import { Campaigns } from "./campaigns.js";
import { FilterBar } from "./filter_bar.js";
import { Filters } from "./filters.js";
import { Numbers, STEP } from "./number_list.js";
import { Phones, onClearFilters, showFailure } from "./phones.js";
import { Settings } from "./settings.js";
import { Clock } from "./clock.js";
import { Faults } from "./faults.js";
import { callbacks, succeeded } from "./callback_log.js";
import { requests, withComposer } from "./request_log.js";
import { events } from "./event_log.js";
import { home, select as selectTab, selected as selectedTab, start as startTabs } from "./tabs.js";
import * as url from "./url_state.js";

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

/** Returns a function that calls `work` 250 ms after its last call, and at least once a second while calls continue. */
function delayed(work) {
  let timer;
  let first = null;
  return () => {
    first ??= performance.now();
    clearTimeout(timer);
    const run = () => {
      first = null;
      work();
    };
    timer = setTimeout(run, Math.max(0, Math.min(250, first + 1000 - performance.now())));
  };
}

const clock = new Clock();
const now = () => clock.now();
const phones = new Phones(now);
const faults = new Faults();
const logs = { attempts: callbacks(now), requests: requests(now), events: events(now) };
const chooser = find("#account");
const campaigns = new Campaigns((id) => {
  filters.set({ text: id });
  search();
  remember();
});
const settings = new Settings(() => {});
const filters = new Filters(() => {
  search();
  remember();
});
const numbers = new Numbers(now, { pick: (number) => choose(number, OPENED), more: () => grow() });
const bar = new FilterBar((name) => {
  searchLog(name);
  remember();
});
onClearFilters(() => filters.clear());
let listed = STEP;
/** Whether the URL was read: from then on the page writes it. */
let started = false;

/** For `remember`: a number or a tab was opened, so the history gets an entry. */
const OPENED = true;

/** Writes what the page shows into its URL. */
function remember(opened = false) {
  if (!started) return;
  const tab = selectedTab();
  const log = bar.shown ? url.prefixed(bar.form(bar.shown).values(), "log-") : {};
  const state = {
    ...filters.values(),
    view: document.body.dataset.layout === "threads" ? "" : document.body.dataset.layout,
    phone: phones.chosen,
    tab: tab === home() ? "" : tab,
    ...log,
    account: chooser.selectedIndex > 0 ? chooser.value : "",
  };
  url.write(state, opened);
}

/** Shows a list of numbers beside the messages of one, or all phones in columns. */
function layout(name) {
  document.body.dataset.layout = name;
  find("#view-threads").setAttribute("aria-pressed", String(name === "threads"));
  find("#view-phones").setAttribute("aria-pressed", String(name === "phones"));
  phones.arrange();
}

for (const name of ["threads", "phones"]) {
  find(`#view-${name}`).addEventListener("click", () => {
    localStorage.setItem("inbox-view", name);
    if (name === "threads" && phones.isNarrow()) choose(null);
    layout(name);
    remember();
  });
}
find("#back").addEventListener("click", async () => {
  const number = phones.chosen;
  await choose(null, OPENED);
  numbers.buttonOf(number)?.focus();
});

/** Shows a phone with all its stored messages; null shows all phones. */
async function choose(number, opened = false) {
  try {
    if (number === null) {
      phones.choose(null);
    } else {
      const { messages } = await get(`/messages?phone=${encodeURIComponent(number)}&limit=200`);
      phones.choose(number, messages);
    }
    numbers.choose(number);
    remember(opened);
  } catch (error) {
    toast(error.message, "bad");
  }
}

function grow() {
  listed += STEP;
  list();
}

/** Draws the list of numbers. */
const list = serialized(async () => numbers.draw(await get(`/phones?limit=${listed}&${filters.query()}`), phones.chosen, listed));

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
    phones.filter(messages, query);
    const count = messages.length === 1 ? "1 message" : `${messages.length === SHOWN ? "the newest " : ""}${messages.length} messages`;
    place.textContent = messages.length ? `${count} found` : "";
    await list();
  } catch (error) {
    place.textContent = "";
    showFailure(error, search);
  }
});
const searchSoon = delayed(search);
const listSoon = delayed(list);

/** Applies the filters of a log to all of its stored entries. */
async function searchLog(name) {
  const { path, list: member, isSet } = bar.query(name);
  const place = bar.form(name).found;
  if (!isSet) {
    logs[name].show(null);
    place.textContent = "";
    return;
  }
  try {
    const response = await get(path);
    if (bar.query(name).path !== path) return;
    const rows = logs[name].show(response[member]);
    place.textContent = rows ? `${rows} found` : "";
  } catch (error) {
    toast(error.message, "bad");
  }
}

const searchLogSoon = Object.fromEntries(Object.keys(logs).map((name) => [name, delayed(serialized(() => searchLog(name)))]));

/** Adds an entry that arrived. With filters, the sandbox decides whether the log shows it. */
function log(name, entry) {
  logs[name].add(entry);
  if (logs[name].found) searchLogSoon[name]();
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
  const [stored, called, received, logged] = await Promise.all([
    get("/messages?limit=500"),
    get("/callbacks"),
    get("/requests?limit=500"),
    get("/events"),
    faults.load(),
    settings.load(),
    campaigns.load(),
  ]);
  phones.load(stored.messages);
  logs.attempts.load(called.attempts);
  logs.requests.load(received.requests);
  logs.events.load(logged.events);
  for (const name of Object.keys(logs)) if (bar.query(name).isSet) searchLog(name);
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
    if (filters.query()) searchSoon();
    else if (numbers.add(one)) listSoon();
  },
  update: (one) => {
    phones.update(one);
    campaigns.messageChanged(one);
    if (filters.query()) searchSoon();
    else numbers.update(one);
  },
  deleted: ({ n }) => {
    const hadFocus = document.activeElement !== document.body;
    phones.remove(n);
    if (phones.chosen !== null && !phones.has(phones.chosen)) choose(null);
    if (hadFocus && document.activeElement === document.body) (find("section.phone .thread") ?? find("#search")).focus();
    if (filters.query()) searchSoon();
    else listSoon();
  },
  request: (one) => {
    log("requests", one);
    if (faults.rules.length) countFaults();
  },
  attempt: (one) => {
    log("attempts", one);
    if (USER_KINDS.includes(one.kind)) {
      const result = one.status ? `responded with ${one.status}` : one.outcome;
      toast(`The webhook: ${result}`, succeeded(one) ? "good" : "bad");
    }
  },
  event: (one) => {
    log("events", one);
    if (one.kind === "inbound.not_configured") toast(`Not forwarded: ${one.detail.reason}`, "warn");
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

for (const kind of ["message", "update", "deleted", "request", "attempt", "event", "clock"]) {
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
  chooser.replaceChildren(...page.accounts.map((one, n) => h("option", { value: one.sid }, `${n + 1} · ${one.sid.slice(0, 6)}…`)));
  if (page.accounts.some((one) => one.sid === chosen)) chooser.value = chosen;
  return page;
}

function example(page) {
  const text = [
    `curl ${page.base}/sms.json \\`,
    `  -H "X-Service-API-Key: $CPAAS_SMS_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"from":"Acme","to":"306900000001","text":"Hello","type":"auto"}'`,
  ].join("\n");
  find("#example").textContent = text;
  find("#copy-example").addEventListener("click", () => copyText(text, "the example"));
}

function follow() {
  clear();
  queued = [];
  loading = true;
  live("wait", "connecting");
  listen(chooser.value, handlers);
}

/** Puts the focus into the filters: into those of the log that has the focus, else into those of the messages. */
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  // An empty search field that has the focus already keeps it, and stays empty.
  if (event.target.matches?.("input[type=search]") && event.target.value === "") return event.preventDefault();
  if (event.target.closest?.("input, select, textarea, [contenteditable]")) return;
  const inPanel = document.body.dataset.view === "panel" && phones.isNarrow();
  const isLog = bar.shown && (inPanel || find("#panel").contains(document.activeElement));
  const text = isLog ? bar.form(bar.shown).controls.text : find("#search");
  if (!text.checkVisibility()) return;
  event.preventDefault();
  text.focus();
  text.select();
});

/** Shows what the URL names: `#view=phones&tab=requests&log-status=4xx&text=…&phone=NUMBER&account=SID`. */
async function applyUrl() {
  const state = url.read();
  if (!state) return;
  started = false;
  const known = ["threads", "phones"];
  layout(known.find((one) => one === state.view) ?? known.find((one) => one === localStorage.getItem("inbox-view")) ?? "threads");
  const tab = find(`[data-tab="${CSS.escape(state.tab ?? "")}"]`) ? state.tab : home();
  selectTab(tab);
  if (bar.shown) {
    bar.form(bar.shown).set(url.within(state, "log-"));
    searchLog(bar.shown);
  }
  const before = filters.query();
  filters.set(state);
  const sid = state.account;
  if (sid && sid !== chooser.value && [...chooser.options].some((one) => one.value === sid)) {
    chooser.value = sid;
    follow();
  } else if (filters.query() !== before) {
    search();
  }
  if (state.phone) await choose(state.phone);
  else if (phones.chosen !== null) await choose(null);
  started = true;
}

startTabs((name, opened) => {
  bar.show(name);
  remember(opened);
});
try {
  const page = await accounts();
  example(page);
  faults.start(page);
  filters.withOperations(page.message_operations);
  bar.operations = page.operations;
  withComposer(page.composer);
  find("#composer-link").hidden = !page.composer;
  chooser.addEventListener("change", () => {
    phones.chosen = null;
    follow();
    remember();
  });
  chooser.addEventListener("focus", () => accounts().catch(() => {}));
  follow();
  addEventListener("hashchange", applyUrl);
  await applyUrl();
  started = true;
} catch (error) {
  live("lost", "not reached");
  showFailure(error, () => location.reload());
}
