// The handlers of `cpaas/callbacks`: leases, stores that fail, handlers that fail, and the requests of servers.
import assert from "node:assert/strict";
import { request as httpRequest, createServer } from "node:http";
import { connect } from "node:net";
import test from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Duplicates, Keyring, MAX_BODY, Receiver, fetchHandler, nodeHandler } from "cpaas/callbacks";

const keys = new Keyring([{ kid: "k1", secret: "k".repeat(32) }]);
const receiver = new Receiver({ audience: "shop", publicUrl: "https://shop.example/hooks", deliveryKeys: keys, inboundKeys: keys });
const webhook = receiver.url("chat_report");
const report = (id, status = "Delivered") => ({ method: "POST", body: JSON.stringify({ messageId: id, status }), headers: { "content-type": "application/json" } });
const post = (id, status) => new Request(webhook, report(id, status));
const withoutKey = () => new Request(webhook, { ...report(), body: '{"status":"Delivered"}' });

/** A logger that keeps its messages. */
function log() {
  const lines = [];
  return { lines, logger: { warn: (message) => lines.push(`warn ${message}`), error: (message, error) => lines.push(`error ${message}: ${error?.message ?? error}`) } };
}

/** The status and `Retry-After` of a response, whose body must be empty. */
async function shown(response) {
  const { status, headers } = await response;
  assert.equal(await (await response).text(), "");
  const after = headers.get("retry-after");
  return after === null ? status : `${status} ${after}`;
}

/** A store of three states in memory whose commands can be replaced; `calls` has all commands. */
function store(replaced = {}) {
  const calls = [];
  const entries = new Map();
  const commands = {
    async claim(key, token, lease) {
      const held = entries.get(key);
      if (held === "done") return { state: "done" };
      if (held && held.token !== token && held.end > Date.now()) return { state: "busy", secondsLeft: (held.end - Date.now()) / 1000 };
      entries.set(key, { token, end: Date.now() + lease * 1000 });
      return { state: "new" };
    },
    async done(key) {
      entries.set(key, "done");
    },
    async free(key, token) {
      if (entries.get(key)?.token === token) entries.delete(key);
    },
  };
  const command = (name) => function (...args) {
    calls.push([name, ...args]);
    return (replaced[name] ?? commands[name]).call(commands, ...args);
  };
  return { calls, entries, commands, store: { claim: command("claim"), done: command("done"), free: command("free") } };
}

test("the handler of an event runs once; a repeat gets 200 when it is done and 503 before", async () => {
  for (const duplicates of [new Duplicates(), new Duplicates({ store: store().store })]) {
    let runs = 0;
    let finish;
    const work = new Promise((resolve) => (finish = resolve));
    const handle = fetchHandler(receiver, () => ((runs += 1), work), { duplicates });
    const first = handle(post("m-1"));
    await sleep(10);
    assert.equal(await shown(handle(post("m-1"))), "503 90");
    const other = handle(post("m-1", "Seen")); // another state is another event
    await sleep(10);
    assert.equal(runs, 2);
    finish();
    assert.deepEqual([await shown(first), await shown(other), await shown(handle(post("m-1")))], [200, 200, 200]);
    assert.equal(runs, 2);
  }
});

test("of 1,000 repeats at once one runs", async () => {
  let runs = 0;
  const handle = fetchHandler(receiver, async () => { runs += 1; await sleep(20); }, { duplicates: new Duplicates() });
  const statuses = await Promise.all(Array.from({ length: 1000 }, () => shown(handle(post("m-1")))));
  assert.equal(runs, 1);
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.filter((status) => /^503 (90|89)$/.test(status)).length], [1, 999]);
});

test("a handler that fails frees its claim, and the response is 500", async () => {
  const failures = [() => { throw new Error("no"); }, async () => { throw "a string"; }, () => Promise.reject(), () => { throw null; }];
  for (const fail of failures) {
    const { lines, logger } = log();
    const { store: with_, calls } = store();
    const duplicates = new Duplicates({ store: with_ });
    assert.equal(await shown(fetchHandler(receiver, fail, { duplicates, logger })(post("m-1"))), 500);
    assert.match(lines.join(), /^error cpaas\/callbacks: the handler of a callback failed/);
    assert.deepEqual(calls.map(([name]) => name), ["claim", "free"]);
    assert.equal(calls[0][2], calls[1][2], "the same token");
    let runs = 0;
    assert.equal(await shown(fetchHandler(receiver, () => { runs += 1; }, { duplicates })(post("m-1"))), 200);
    assert.equal(runs, 1);
  }
});

test("a result that nobody runs or waits for, and a response, are failures", async () => {
  const iterator = function* () { yield 1; };
  const asynchronous = async function* () { yield 1; };
  const results = [iterator(), asynchronous(), [1].values(), () => {}, [Promise.resolve()], new Response(null, { status: 500 }), new Response(), new ReadableStream()];
  for (const result of results) {
    const { lines, logger } = log();
    const handle = fetchHandler(receiver, () => result, { duplicates: new Duplicates(), logger });
    assert.deepEqual([await shown(handle(post("m-1"))), await shown(handle(post("m-1")))], [500, 500], String(result));
    assert.match(lines[0], /must return after its work is done, got (an iterator|a function|an array of promises|a Response)/);
  }
  for (const handler of [iterator, asynchronous]) assert.throws(() => fetchHandler(receiver, handler), /got a generator function/);
  for (const result of [undefined, null, true, 0, "", {}, [], [1], new Map(), new Set([1]), Promise.resolve(), { then: (resolve) => resolve() }]) {
    assert.equal(await shown(fetchHandler(receiver, () => result)(post("m-1"))), 200);
  }
});

test("an event without an id has no key and always runs", async () => {
  let runs = 0;
  const with_ = store();
  const handle = fetchHandler(receiver, (event) => { runs += 1; assert.equal(event.key, undefined); }, { duplicates: new Duplicates({ store: with_.store }) });
  assert.deepEqual([await shown(handle(withoutKey())), await shown(handle(withoutKey()))], [200, 200]);
  assert.deepEqual([runs, with_.calls], [2, []]);
});

test("a store that fails, hangs or lies stops the handler with 503 and Retry-After 5", async () => {
  const answers = [
    () => { throw new Error("down"); }, async () => { throw undefined; }, () => new Promise(() => {}), () => undefined, () => null, () => "new", () => ["new", 0], () => true,
    () => ({}), () => ({ state: "NEW" }), () => ({ state: "busy" }), () => ({ state: "busy", secondsLeft: "1" }), () => ({ state: "busy", secondsLeft: NaN }),
    () => ({ state: "busy", secondsLeft: -1 }), () => ({ state: "busy", secondsLeft: Infinity }), () => ({ get state() { throw new Error("no"); } }),
  ];
  await Promise.all(answers.map(async (claim) => {
    const { lines, logger } = log();
    const handle = fetchHandler(receiver, () => assert.fail("the handler ran"), { duplicates: new Duplicates({ store: store({ claim }).store }), logger });
    assert.equal(await shown(handle(post("m-1"))), "503 5", String(claim));
    assert.match(lines.join(), /^error cpaas\/callbacks: the store failed to claim a callback; its handler does not run/);
  }));
});

test("busy has the seconds left, rounded up, at least 1", async () => {
  for (const [secondsLeft, expected] of [[0, 1], [0.2, 1], [1, 1], [1.01, 2], [86_400, 86_400]]) {
    const handle = fetchHandler(receiver, () => assert.fail(), { duplicates: new Duplicates({ store: store({ claim: () => ({ state: "busy", secondsLeft }) }).store }) });
    assert.equal(await shown(handle(post("m-1"))), `503 ${expected}`);
  }
});

test("after the handler, a store that fails or hangs does not change the response", async () => {
  for (const done of [() => { throw new Error("down"); }, () => new Promise(() => {}), async () => { throw "down"; }]) {
    const { lines, logger } = log();
    const handle = fetchHandler(receiver, () => {}, { duplicates: new Duplicates({ store: store({ done }).store }), logger });
    assert.equal(await shown(handle(post("m-1"))), 200);
    assert.match(lines.join(), /the store failed to record a callback as done/);
  }
  const { lines, logger } = log();
  const handle = fetchHandler(receiver, () => { throw new Error("of the handler"); }, { duplicates: new Duplicates({ store: store({ free: () => { throw new Error("down"); } }).store }), logger });
  assert.equal(await shown(handle(post("m-1"))), 500);
  assert.deepEqual(lines.map((line) => line.split(": ").at(-1)), ["down", "of the handler"]);
});

test("a claim that succeeds after the response is freed", async () => {
  let answer;
  const with_ = store({ claim: () => new Promise((resolve) => (answer = resolve)) });
  const { logger } = log();
  const handle = fetchHandler(receiver, () => assert.fail(), { duplicates: new Duplicates({ store: with_.store }), logger });
  assert.equal(await shown(handle(post("m-1"))), "503 5");
  answer({ state: "new" });
  await sleep(10);
  assert.deepEqual(with_.calls.map(([name]) => name), ["claim", "free"]);
  assert.equal(with_.calls[0][2], with_.calls[1][2]);
});

test("a lost reply of claim does not lose the event: the next repeat runs after the lease or the free", async () => {
  const with_ = store({ claim: async (...args) => { await with_.commands.claim(...args); throw new Error("the connection broke"); } });
  const duplicates = new Duplicates({ store: with_.store, leaseSeconds: 1 });
  const { logger } = log();
  assert.equal(await shown(fetchHandler(receiver, () => assert.fail(), { duplicates, logger })(post("m-1"))), "503 5");
  const direct = new Duplicates({ store: with_.commands, leaseSeconds: 1 });
  assert.equal(await shown(fetchHandler(receiver, () => assert.fail(), { duplicates: direct })(post("m-1"))), "503 1");
  await sleep(1050);
  let runs = 0;
  assert.equal(await shown(fetchHandler(receiver, () => { runs += 1; }, { duplicates: direct })(post("m-1"))), 200);
  assert.equal(runs, 1);
});

test("a lost reply of done or free changes nothing", async () => {
  const with_ = store({
    done: async (...args) => { await with_.commands.done(...args); throw new Error("the connection broke"); },
    free: async (...args) => { await with_.commands.free(...args); throw new Error("the connection broke"); },
  });
  const duplicates = new Duplicates({ store: with_.store });
  const { logger } = log();
  let runs = 0;
  const handle = fetchHandler(receiver, () => { runs += 1; if (runs === 1) throw new Error("no"); }, { duplicates, logger });
  assert.deepEqual([await shown(handle(post("m-1"))), await shown(handle(post("m-1"))), await shown(handle(post("m-1")))], [500, 200, 200]);
  assert.equal(runs, 2);
});

test("a token is fresh for each request, durations and prefix reach the store, and done is written by whoever ends", async () => {
  const with_ = store();
  const duplicates = new Duplicates({ store: with_.store, leaseSeconds: 30, keepSeconds: 60, prefix: "shop:" });
  const handle = fetchHandler(receiver, () => {}, { duplicates });
  await handle(post("m-1"));
  await handle(post("m-1"));
  const [claimed, done, again] = with_.calls;
  assert.deepEqual([claimed[0], claimed[3], done[0], done[3], again[0]], ["claim", 30, "done", 60, "claim"]);
  assert.match(claimed[1], /^shop:cpaas:2:[0-9a-f]{32}$/);
  assert.match(claimed[2], /^[0-9a-f]{32}$/);
  assert.deepEqual([claimed[1], claimed[2]], [done[1], done[2]]);
  assert.notEqual(again[2], claimed[2]);
});

test("in memory, a handler longer than its lease may run twice, and nothing is granted after done", async () => {
  const duplicates = new Duplicates({ leaseSeconds: 1 });
  const ends = [];
  let runs = 0;
  const handle = fetchHandler(receiver, () => ((runs += 1), new Promise((resolve) => ends.push(resolve))), { duplicates });
  const first = handle(post("m-1"));
  await sleep(1050);
  const second = handle(post("m-1"));
  await sleep(10);
  assert.equal(runs, 2);
  ends[0](); // the first ends after its lease, and its event is done although another has the lease
  assert.equal(await shown(first), 200);
  assert.equal(await shown(handle(post("m-1"))), 200);
  ends[1]();
  assert.deepEqual([await shown(second), runs], [200, 2]);
});

test("free of one handler does not free the lease of another", async () => {
  const duplicates = new Duplicates({ leaseSeconds: 1 });
  const ends = [];
  const { logger } = log();
  const handle = fetchHandler(receiver, () => new Promise((resolve, reject) => ends.push([resolve, reject])), { duplicates, logger });
  const first = handle(post("m-1"));
  await sleep(1050);
  const second = handle(post("m-1"));
  await sleep(10);
  ends[0][1](new Error("late"));
  assert.equal(await shown(first), 500);
  assert.equal(await shown(handle(post("m-1"))), "503 1", "the second still has its lease");
  ends[1][0]();
  assert.equal(await shown(second), 200);
});

test("the memory forgets only done events, the oldest first, and a full one is busy for 1 second", async () => {
  const duplicates = new Duplicates({ capacity: 2 });
  let runs = 0;
  const handle = fetchHandler(receiver, () => { runs += 1; }, { duplicates });
  for (const id of ["a", "b", "c"]) await handle(post(id));
  await handle(post("c"));
  await handle(post("b"));
  assert.equal(runs, 3);
  await handle(post("a"));
  assert.equal(runs, 4, "a was forgotten");
  const ends = [];
  const slow = fetchHandler(receiver, () => new Promise((resolve) => ends.push(resolve)), { duplicates });
  const open = [slow(post("x")), slow(post("y"))];
  await sleep(10);
  assert.equal(await shown(slow(post("z"))), "503 1");
  ends.forEach((end) => end());
  assert.deepEqual([await shown(open[0]), await shown(open[1])], [200, 200]);
});

test("options out of range are errors", () => {
  for (const leaseSeconds of [0, 0.5, -1, 86_401, Infinity, NaN]) assert.throws(() => new Duplicates({ leaseSeconds }), /^RangeError: Duplicates: leaseSeconds must be from 1 to 86,400 seconds$/);
  for (const leaseSeconds of ["90", null, 90n]) assert.throws(() => new Duplicates({ leaseSeconds }), /^TypeError: Duplicates: leaseSeconds must be a number of seconds/);
  for (const keepSeconds of [0, NaN, Infinity]) assert.throws(() => new Duplicates({ keepSeconds }), RangeError);
  for (const capacity of [0, 1.5, -1, "10"]) assert.throws(() => new Duplicates({ capacity }), RangeError);
  assert.throws(() => new Duplicates({ lease: 90 }), /unknown option/);
  const { store: whole } = store();
  for (const [part, missing] of [[{}, "claim and no done and no free"], [{ swap() {} }, "claim and no done and no free"], [{ ...whole, free: undefined }, "free"]]) {
    assert.throws(() => new Duplicates({ store: part }), { message: `Duplicates: store must have the methods claim, done and free; it has no ${missing}` });
  }
  for (const bad of [null, 1, "store", () => {}]) assert.throws(() => new Duplicates({ store: bad }), TypeError);
  const handler = () => {};
  for (const run of [
    () => fetchHandler(undefined, handler), () => fetchHandler(Receiver, handler), () => fetchHandler(receiver), () => fetchHandler(receiver, class {}), () => fetchHandler(receiver, handler, { duplicates: {} }),
    () => fetchHandler(receiver, handler, { duplicates: null }), () => fetchHandler(receiver, handler, { logger: {} }), () => fetchHandler(receiver, handler, { now: new Date() }), () => fetchHandler(receiver, handler, { clock: Date.now }),
    () => nodeHandler({}, handler),
  ]) assert.throws(run, TypeError);
});

test("a receiver may be a function, which rotates keys and gets the arguments of the host, as the handler does", async () => {
  const seen = [];
  const handle = fetchHandler((env) => (seen.push(env), receiver), (event, env, context) => { seen.push(event.messageId, env, typeof context.waitUntil); }, {});
  const kept = [];
  const context = { waitUntil: (promise) => kept.push(promise) };
  assert.equal(await shown(handle(post("m-1"), "env", context)), 200);
  assert.deepEqual(seen, ["env", "m-1", "env", "function"]);
  assert.equal(kept.length, 1);
  const { lines, logger } = log();
  for (const broken of [() => { throw new Error("no file"); }, async () => { throw new Error("no file"); }, () => undefined]) {
    assert.equal(await shown(fetchHandler(broken, () => assert.fail(), { logger })(post("m-1"))), 500);
  }
  assert.equal(lines.length, 3);
});

test("a rejection is 403 and its reason only in the log, without token, number or text", async () => {
  const { lines, logger } = log();
  const handle = fetchHandler(receiver, () => assert.fail(), { duplicates: new Duplicates(), logger });
  const forged = `${webhook.slice(0, -3)}AAA`;
  assert.equal(await shown(handle(new Request(forged, report("m-1")))), 403);
  assert.equal(await shown(handle(new Request("https://shop.example/hooks", report("m-1")))), 403);
  assert.equal(await shown(handle(new Request(webhook, { method: "PUT", body: "x" }))), 403);
  assert.deepEqual(lines, ["altered", "absent", "method"].map((reason) => `warn cpaas/callbacks: callback rejected: ${reason}`));
});

test("a body that was read before is 500 and an error in the log, never 200", async () => {
  const { lines, logger } = log();
  const handle = fetchHandler(receiver, () => assert.fail(), { logger });
  const used = post("m-1");
  await used.json();
  assert.equal(await shown(handle(used)), 500);
  assert.match(lines.join(), /a callback was not processed: receive: the body of the request was already read/);
});

test("a logger that throws does not change the response", async () => {
  const logger = { warn: () => { throw new Error("log"); }, error: () => { throw new Error("log"); } };
  assert.equal(await shown(fetchHandler(receiver, () => { throw new Error("no"); }, { logger })(post("m-1"))), 500);
  assert.equal(await shown(fetchHandler(receiver, () => {}, { logger })(new Request("https://shop.example/hooks"))), 403);
});

test("now is the clock of a handler", async () => {
  const { logger } = log();
  const expired = () => new Date(Date.now() + 4e9);
  const url = receiver.url("sms_report", "r");
  const get = () => new Request(`${url}&msgid=1&status=sent&reference=r`);
  assert.equal(await shown(fetchHandler(receiver, () => {})(get())), 200);
  assert.equal(await shown(fetchHandler(receiver, () => {}, { now: expired, logger })(get())), 403);
  assert.equal(await shown(fetchHandler(receiver, () => {}, { now: () => 1, logger })(get())), 500);
});

/** Runs `use(port)` against a server whose requests `listener` receives. */
async function served(listener, use) {
  const server = createServer(listener);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(server.address().port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const path = webhook.replace("https://shop.example", "");
const fetched = (port, options) => fetch(`http://127.0.0.1:${port}${path}`, options);

test("nodeHandler receives requests of node:http", async () => {
  const { lines, logger } = log();
  const events = [];
  const handle = nodeHandler(receiver, async (event) => { events.push(event); }, { duplicates: new Duplicates(), logger });
  await served(handle, async (port) => {
    assert.deepEqual([await shown(fetched(port, report("m-1"))), await shown(fetched(port, report("m-1")))], [200, 200]);
    assert.equal(events.length, 1);
    assert.deepEqual([events[0].kind, events[0].messageId, events[0].status], ["chat_report", "m-1", "Delivered"]);
    assert.equal(await shown(fetch(`http://127.0.0.1:${port}/hooks`, report("m-2"))), 403);
    const sms = receiver.url("sms_report", "r").replace("https://shop.example", "");
    assert.equal(await shown(fetch(`http://127.0.0.1:${port}${sms}&msgid=1&status=sent&reference=r`)), 200);
    assert.deepEqual([events.at(-1).kind, events.at(-1).reference], ["sms_report", "r"]);
    // Chunks that end inside a character.
    const [one, two] = [...new TextEncoder().encode('{"messageId":"é","status":"sent"}')].reduce(([a, b], byte, index) => (index < 15 ? [[...a, byte], b] : [a, [...b, byte]]), [[], []]);
    const chunked = new ReadableStream({ async start(controller) { controller.enqueue(new Uint8Array(one)); await sleep(20); controller.enqueue(new Uint8Array(two)); controller.close(); } });
    assert.equal(await shown(fetched(port, { method: "POST", body: chunked, duplex: "half", headers: { "content-type": "application/json" } })), 200);
    assert.equal(events.at(-1).messageId, "é");
    assert.deepEqual(lines, ["warn cpaas/callbacks: callback rejected: absent"]);
  });
});

test("nodeHandler rejects a body that is too large before it has arrived, and goes on", async () => {
  const { logger, lines } = log();
  await served(nodeHandler(receiver, () => {}, { logger }), async (port) => {
    const declared = await raw(port, `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 10485760\r\n\r\n`);
    assert.match(declared, /^HTTP\/1\.1 403 .*connection: close/is);
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const endless = await raw(port, `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(MAX_BODY / 0x10000 + 1)}`);
    assert.match(endless, /^HTTP\/1\.1 403 /);
    assert.deepEqual(lines, Array(2).fill("warn cpaas/callbacks: callback rejected: body"));
    assert.equal(await shown(fetched(port, report("m-1"))), 200);
  });
});

/** What a server sends before it closes the connection, or within a second. */
const raw = (port, text) =>
  new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (data) => (received += data)).on("error", () => {}).on("close", () => resolve(received));
    setTimeout(() => socket.destroy(), 1000);
  });

test("a client that disconnects during its body is no event, and one that disconnects later does not stop the handler", async () => {
  const { logger, lines } = log();
  let [started, ended] = [0, 0];
  const handle = nodeHandler(receiver, async () => { started += 1; await sleep(100); ended += 1; }, { duplicates: new Duplicates(), logger });
  await served(handle, async (port) => {
    const partial = httpRequest({ port, path, method: "POST", headers: { "content-length": 100, "content-type": "application/json" } });
    partial.on("error", () => {});
    partial.write('{"messageId":"m-0"');
    await sleep(50);
    partial.destroy();
    while (lines.length === 0) await sleep(5);
    assert.deepEqual([started, lines.at(-1)], [0, "warn cpaas/callbacks: callback rejected: body"]);
    const whole = httpRequest({ port, path, ...report("m-1") });
    whole.on("error", () => {});
    whole.end(report("m-1").body);
    while (started === 0) await sleep(5);
    whole.destroy();
    while (ended === 0) await sleep(5);
    assert.deepEqual([started, ended], [1, 1]);
    assert.equal(await shown(fetched(port, report("m-1"))), 200);
    assert.equal(started, 1, "the event is done");
  });
});

test("a failing handler behind node:http is 500 and no unhandled rejection", async () => {
  const { logger } = log();
  await served(nodeHandler(receiver, () => { throw new Error("no"); }, { logger }), async (port) => {
    assert.equal(await shown(fetched(port, report("m-1"))), 500);
    assert.equal(await shown(fetched(port, report("m-1"))), 500);
  });
});

test("a body that a parser has read is received from its bytes, and without them it is 500", async () => {
  const { logger, lines } = log();
  const seen = [];
  const handle = nodeHandler(receiver, (event) => { seen.push(event.messageId); }, { logger });
  const parsed = (keep) => async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    keep(request, Buffer.concat(chunks));
    await handle(request, response);
  };
  for (const [keep, status] of [
    [(request, bytes) => (request.rawBody = bytes), 200],
    [(request, bytes) => (request.body = bytes), 200],
    [(request, bytes) => (request.body = JSON.parse(bytes)), 500],
    [() => {}, 500],
    [(request) => (request.body = Buffer.alloc(MAX_BODY + 1)), 403],
  ]) {
    await served(parsed(keep), async (port) => assert.equal(await shown(fetched(port, report("m-1"))), status));
  }
  assert.deepEqual(seen, ["m-1", "m-1"]);
  assert.match(lines[0], /the body of the request was already read: receive the callback before anything reads the body, such as express.json\(\), or keep its bytes as request.rawBody$/);
  // A parser that leaves a GET alone, and the path of a mounted application.
  const url = receiver.url("sms_report", "r").replace("https://shop.example", "");
  const mounted = (request, response) => {
    request.body = {};
    request.originalUrl = request.url;
    request.url = "/";
    return handle(request, response);
  };
  await served(mounted, async (port) => assert.equal(await shown(fetch(`http://127.0.0.1:${port}${url}&msgid=2&status=sent&reference=r`)), 200));
  // Two bodies: the bytes that arrive count, not a property that something else has set.
  const two = (request, response) => {
    request.rawBody = Buffer.from('{"messageId":"other","status":"sent"}');
    return handle(request, response);
  };
  await served(two, async (port) => assert.equal(await shown(fetched(port, report("m-3"))), 200));
  assert.equal(seen.at(-1), "m-3");
  const encoded = (request, response) => handle(request.setEncoding("latin1"), response);
  await served(encoded, async (port) => assert.equal(await shown(fetched(port, report("m-4"))), 500));
});
