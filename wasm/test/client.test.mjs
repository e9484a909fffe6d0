// `cpaas/client` in Node, against servers of this process: `node --test wasm/test`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { Worker } from "node:worker_threads";
import { AcceptedIdUnknown, Client, CpaasError, Invalid, NotSent, OutcomeUnknown, Rejected } from "cpaas/client";
import { accepted, failure, json, message, provider, withProvider } from "./client/provider.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const verify = { service: "login", requestId: "306912345678", code: "123456" };

test("an SMS is sent once, and its result has camel case, the response and the id of the call", () =>
  withProvider(undefined, async ({ settings, requests }) => {
    const client = new Client(settings);
    const sent = await client.sms.send({ ...message, reference: "order-1" });
    assert.match(sent.id, /^m-\d+$/);
    assert.equal(sent.responseCode, 0);
    assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(sent))).sort(), ["id", "responseCode", "timestamp"]);
    assert.equal(sent.response.status, 200);
    assert.equal(sent.response.attempts, 1);
    assert.equal(new TextDecoder().decode(sent.response.body).includes(sent.id), true);
    assert.match(sent.callId, /^[0-9a-f]{32}$/);
    assert.deepEqual(sent.warnings, []);
    assert.equal(requests.length, 1);
    const [{ method, headers, body }] = requests;
    assert.equal(method, "POST");
    assert.match(headers["user-agent"], /^cpaas\/\d+\.\d+\.\d+ \(javascript\)$/);
    assert.equal(headers["accept-encoding"], "identity");
    assert.equal(headers["content-length"], String(body.length));
    assert.equal(headers["transfer-encoding"], undefined);
    assert.equal(JSON.parse(body).text, message.text);
    client.close();
  }));

test("a passcode is verified on a connection of its own, and a wrong one is a result whose ok is false", () => {
  const sockets = new Set();
  return withProvider(
    (request, raw, number) => {
      sockets.add(raw.socket);
      const isRight = JSON.parse(request.body || "{}").code !== "000000" && !request.url.includes("000000");
      return json(isRight ? { code: 200, message: "OK", requestID: "306912345678" } : { code: 404, message: "wrong", requestID: "306912345678" }, isRight ? 200 : 404);
    },
    async ({ settings, requests }) => {
      const client = new Client(settings);
      const good = await client.otp.verify(verify);
      assert.equal(good.ok, true, JSON.stringify(requests));
      assert.equal(good.requestId, "306912345678");
      assert.equal(sockets.size, requests.length);
      client.close();
    },
  );
});

test("only the documented success of a verification is ok", () => {
  const success = { code: 200, message: "OK", requestID: "306912345678" };
  const cases = [
    [success, 200, undefined],
    ...[202, 429, 500, 503].map((status) => [success, status, OutcomeUnknown]),
    ...[{ message: "Invalid code" }, { message: undefined }, { message: "canceled" }, { code: "200" }, { code: undefined, responseCode: 200 }].map((other) => [{ ...success, ...other }, 200, OutcomeUnknown]),
    ...[{ valid: false }, { verified: false }, { status: "invalid" }, { error: "no" }, { data: { valid: false } }].map((denial) => [{ ...success, ...denial }, 200, OutcomeUnknown]),
  ];
  let reply;
  return withProvider(
    ({ url }) => (url.includes("verify") ? reply : json({}, 404)),
    async ({ settings }) => {
      const client = new Client({ ...settings, maxAttempts: 1 });
      for (const [body, status, expected] of cases) {
        reply = json(body, status);
        const ended = await client.otp.verify(verify).catch((error) => error);
        if (expected) assert.ok(ended instanceof expected && !ended.ok, inspect([body, status, ended]));
        else assert.equal(ended.ok, true);
      }
      client.close();
    },
  );
});

test("a rejection is Rejected, with the record of every language", () =>
  withProvider(() => json({ responseCode: 5, message: "no credit for 306912345678" }, 402), async ({ settings, requests }) => {
    let error;
    try {
      await new Client(settings).sms.send({ ...message, reference: "order-1" });
    } catch (caught) {
      error = caught;
    }
    assert.ok(error instanceof Rejected && error instanceof CpaasError && error instanceof Error && !(error instanceof Invalid));
    assert.deepEqual([error.name, error.outcome, error.sent, error.processed, error.retryable, error.reason], ["Rejected", "rejected", "yes", "no", false, "http"]);
    assert.deepEqual([error.status, error.attempts, error.operation, error.reference], [402, 1, "sms.send", "order-1"]);
    assert.match(error.message, /^sms\.send: rejected by the provider \(HTTP 402/);
    assert.match(error.message, /`providerMessage`/);
    const record = error.toJSON();
    assert.deepEqual([record.outcome, record.call_id, record.provider_message], ["rejected", error.callId, error.providerMessage]);
    assert.deepEqual([error.problems, "problems" in record], [[], false]); // as in the other languages
    assert.ok(!inspect(error).includes("306912345678") && !inspect(error).includes("order-1"), inspect(error));
    assert.ok(error.stack.includes("client.test.mjs"), error.stack);
    assert.equal(requests.length, 1);
  }));

test("errors of two copies of the package are instances of each other's classes", async () => {
  const copy = await import("../js/client/errors.js?copy");
  assert.notEqual(copy.Rejected, Rejected);
  const one = new copy.Rejected("no", { status: 401 });
  assert.ok(one instanceof Rejected && one instanceof CpaasError && !(one instanceof NotSent));
  assert.deepEqual([one.outcome, one.sent, one.status, one.message], ["rejected", "yes", 401, "no"]);
  class Own extends Rejected {}
  assert.ok(new Own("no") instanceof Rejected && !(one instanceof Own) && new Own("no") instanceof Own);
  for (const value of [undefined, null, 1, "x", {}, new Error("x")]) assert.ok(!(value instanceof CpaasError));
});

test("an invalid request is Invalid, names its field, and nothing is sent", () =>
  withProvider(undefined, async ({ settings, requests }) => {
    const client = new Client(settings);
    const cycle = { ...message };
    cycle.extra = { cycle };
    const throwing = { ...message, get text() { throw new Error("secret-31337"); } };
    for (const [request, expected] of [
      [{ ...message, to: undefined }, /\/to/],
      [{ ...message, to: 306912345678 }, /\/to/],
      [{ ...message, text: "" }, /\/text/],
      [{ ...message, text: "half \ud83d" }, /\/text: the text has a lone surrogate/],
      [{ ...message, text: 10n }, /\/text: must be a string or a number, got a bigint/],
      [cycle, /\/extra\/cycle: must not contain itself, got a cycle/],
      [throwing, /\/text: must have a value/],
      [undefined, /nothing was sent: \/from/],
      [null, /the request must be an object, got null/],
      ["hello", /the request must be an object, got a string/],
      [[message], /the request: expected an object, got an array/],
    ]) {
      const error = await failure(client.sms.send(request));
      assert.ok(error instanceof Invalid, inspect(error));
      assert.deepEqual([error.sent, error.reason, error.operation, error.attempts], ["no", "validation", "sms.send", 0]);
      assert.match(error.message, expected);
      assert.ok(!inspect(error).includes("secret-31337"));
    }
    const { problems } = await failure(client.sms.send({ ...message, to: "x", text: "" }));
    assert.deepEqual(problems.filter(({ severity }) => severity === "error").map(({ pointer }) => pointer).sort(), ["/text", "/to"]);
    assert.equal(requests.length, 0);
  }));

test("a member that JSON cannot represent is Invalid, and is named", () =>
  withProvider(undefined, async ({ settings, requests }) => {
    class Order {
      constructor() {
        Object.assign(this, message);
      }
    }
    const client = new Client({ ...settings, validation: "off" });
    const shared = { a: 1 };
    const looped = [message];
    looped.push(looped);
    const cases = [
      [() => "secret-31337", "must be a value of JSON, got a function"],
      [Symbol("secret-31337"), "must be a value of JSON, got a symbol"],
      [NaN, "must be a finite number, got NaN"],
      [-Infinity, "must be a finite number, got -Infinity"],
      [10n, "must be a string or a number, got a bigint"],
      [new Map([["secret-31337", 1]]), "must be a plain object or an array, got a Map"],
      [new Set([1]), "must be a plain object or an array, got a Set"],
      [new Headers({ a: "secret-31337" }), "must be a plain object or an array, got a Headers"],
      [new FormData(), "must be a plain object or an array, got a FormData"],
      [new Uint8Array(3), /^must be a plain object or an array, got an? Uint8Array$/],
      [new Order(), "must be a plain object or an array, got an Order"],
      [Promise.resolve("secret-31337"), "must be a plain object or an array, got a Promise"],
      [new Error("secret-31337"), "must be a plain object or an array, got an Error"],
      [/secret-31337/, "must be a plain object or an array, got a RegExp"],
    ];
    for (const [value, expected] of cases) {
      const places = [
        [{ ...message, reference: value }, "/reference"],
        [{ ...message, extra: { "a/b~": [0, { c: value }] } }, "/extra/a~1b~0/1/c"],
        [{ ...message, reference: { toJSON: () => value } }, "/reference"],
      ];
      for (const [request, pointer] of typeof value === "object" ? [...places, [value, ""]] : places) {
        for (const call of [client.sms.send(request), client.sendOnce("k", "sms.send", request, { store: { claim() {}, settle() {}, free() {} } })]) {
          const error = await failure(call);
          assert.ok(error instanceof Invalid, inspect(error));
          assert.deepEqual([error.sent, error.reason, error.operation], ["no", "validation", "sms.send"]);
          assert.deepEqual([error.problems.length, error.problems[0].pointer, error.problems[0].severity], [1, pointer, "error"]);
          assert.match(error.problems[0].message, typeof expected === "string" ? new RegExp(`^${expected}$`) : expected);
          assert.ok(error.message.includes(`${pointer || "the request"}: must be `), error.message);
          assert.ok(!inspect(error).includes("secret-31337") && !JSON.stringify(error).includes("secret-31337"));
        }
      }
    }
    for (const [request, pointer] of [[{ ...message, extra: { list: [undefined] } }, "/extra/list/0"], [{ ...message, extra: { looped } }, "/extra/looped/1"], [{ ...message, extra: { list: [, 1] } }, "/extra/list/0"]]) {
      assert.equal((await failure(client.sms.send(request))).problems[0].pointer, pointer);
    }
    const both = await failure(client.sms.send({ ...message, text: NaN, reference: new Map() }));
    assert.deepEqual(both.problems.map(({ pointer }) => pointer).sort(), ["/reference", "/text"]);
    assert.equal(requests.length, 0);
    // What JSON.stringify writes as it is.
    const written = { ...Object.assign(Object.create(null), message), reference: undefined, extra: { at: new Date(0), url: new URL("http://a.example/"), one: shared, two: [shared, shared] } };
    await client.sms.send(written);
    const { at, url, one, two } = JSON.parse(requests[0].body);
    assert.deepEqual({ at, url, one, two }, { at: "1970-01-01T00:00:00.000Z", url: "http://a.example/", one: { a: 1 }, two: [{ a: 1 }, { a: 1 }] });
    client.close();
  }));

test("an invalid argument of callRaw is Invalid and is named", () =>
  withProvider(() => json({ ok: 1 }), async ({ settings, requests }) => {
    const client = new Client(settings);
    const call = { method: "GET", family: "sms", path: "/balance" };
    for (const [given, expected] of [
      [undefined, /the call must be an object with method, family and path, got undefined/],
      [null, /the call must be an object with method, family and path, got null/],
      ["GET", /the call must be an object .*, got a string/],
      [[call], /the call must be an object .*, got an array/],
      [{}, /\/method: must be a string, got undefined/],
      [{ ...call, method: () => "GET" }, /\/method: must be a string, got a function/],
      [{ ...call, family: NaN }, /\/family: must be a string, got NaN/],
      [{ ...call, path: undefined }, /\/path: must be a string, got undefined/],
      [{ ...call, path: new URL("http://a.example/") }, /\/path: must be a string, got an object/],
      [{ ...call, method: "FETCH" }, /nothing was sent: .*FETCH|nothing was sent: .*GET/],
      [{ ...call, query: null }, /\/query: must be a plain object, got null/],
      [{ ...call, query: "a=b" }, /\/query: must be a plain object, got a string/],
      [{ ...call, query: new URLSearchParams("a=b") }, /\/query: must be a plain object, got (a|an) URLSearchParams/],
      [{ ...call, query: new Map([["a", "b"]]) }, /\/query: must be a plain object, got a Map/],
      [{ ...call, query: { page: NaN } }, /\/query\/page: must be a string, a finite number, true or false, got NaN/],
      [{ ...call, query: { page: null } }, /\/query\/page: must be a string, a finite number, true or false, got null/],
      [{ ...call, query: { page: { a: 1 } } }, /\/query\/page: must be a string, a finite number, true or false, got an Object/],
      [{ ...call, query: { page: Symbol("a") } }, /\/query\/page: must be a string, a finite number, true or false, got a symbol/],
      [{ ...call, method: "POST", body: { a: [() => 1] } }, /\/body\/a\/0: must be a value of JSON, got a function/],
      [{ ...call, method: "POST", body: new Map() }, /\/body: must be a plain object or an array, got a Map/],
      [{ ...call, method: "POST", body: Infinity }, /\/body: must be a finite number, got Infinity/],
      [{ ...call, params: { a: 1 } }, /\/params: unknown member/],
      [{ ...call, querry: { a: 1 } }, /\/querry: unknown member; did you mean `query`\?/],
    ]) {
      const error = await failure(client.callRaw(given));
      assert.ok(error instanceof Invalid, inspect(error));
      assert.deepEqual([error.sent, error.operation, error.attempts], ["no", "raw", 0]);
      assert.match(error.message, expected);
    }
    assert.equal(requests.length, 0);
    await client.callRaw({ ...call, query: { page: 2, all: true, name: "a", none: undefined } });
    assert.equal(requests[0].url, "/balance?page=2&all=true&name=a");
    client.close();
  }));

test("an invalid option of a call is Invalid and names the option", () =>
  withProvider(undefined, async ({ settings, requests }) => {
    const client = new Client(settings);
    for (const [options, expected] of [
      [{ timeoutMs: 0 }, /`timeoutMs` must be a number of milliseconds greater than 0 and at most 10,000,000,000,000, got 0/],
      [{ deadlineMs: NaN }, /`deadlineMs` must be/],
      [{ timeoutMs: 1e14 }, /`timeoutMs` must be/],
      [{ deadlineMs: "1000" }, /`deadlineMs` must be a number of milliseconds greater than 0 and at most 10,000,000,000,000, got a string/],
      [{ timeout: 5 }, /unknown option `timeout`; did you mean `timeoutMs`\?/],
      [{ signal: {} }, /`signal` must be an AbortSignal, got an object/],
      [{ maxAttempts: 1.5 }, /`maxAttempts` must be an integer of 1 or more/],
      [{ validate: "none" }, /`validate` must be one of strict, pedantic, warn, off/],
      [{ extraHeaders: { "x-a": 1 } }, /the header `x-a` must be a string, got a number/],
      [{ extraHeaders: { "X-Service-API-Key": "mine" } }, /header/i],
      [5, /the options of a call must be an object, got a number/],
    ]) {
      const error = await failure(client.sms.send(message, options));
      assert.ok(error instanceof Invalid, inspect(error));
      assert.match(error.message, expected);
    }
    assert.equal(requests.length, 0);
    await client.sms.send(message, { extraHeaders: { "x-tag": "1" }, timeoutMs: 1e12, deadlineMs: undefined });
    assert.equal(requests[0].headers["x-tag"], "1");
  }));

test("an invalid setting is Invalid and is named as it was typed", () => {
  const create = (settings) => {
    try {
      new Client(settings);
    } catch (error) {
      return error;
    }
    return undefined;
  };
  for (const [settings, expected] of [
    [{ smsurl: "http://a" }, /unknown setting `smsurl`; did you mean `smsUrl`\?/],
    [{ sms_key: "31337" }, /unknown setting `sms_key`; did you mean `smsKey`\?/],
    [{ timeout: 31337 }, /unknown setting `timeout`; did you mean `timeoutMs`\?/],
    [{ suppression: [] }, /`suppression`: JavaScript has no suppression list/],
    [{ maxRetries: 31337 }, /use `maxAttempts`/],
    [{ smsUrl: 31337 }, /`smsUrl` must be a string, got a number/],
    [{ smsKey: null }, /`smsKey` must be a string, got null/],
    [{ smsUrl: "31337.example" }, /`smsUrl` is not a valid address: it must start with https:\/\/ or http:\/\//],
    [{ deadlineMs: -5 }, /`deadlineMs` must be a number of milliseconds greater than 0/],
    [{ maxAttempts: 0 }, /`maxAttempts` must be 1 to/],
    [{ region: "31337" }, /`region` must be nearest, frankfurt/],
    [{ proxy: "http://31337" }, /`proxy` is not available here: Node's HTTP client has no proxies/],
    [{ caBundle: "/no/such/31337" }, /`caBundle`: the file cannot be read \(ENOENT\)/],
    [{ caBundle: fileURLToPath(import.meta.url) }, /`caBundle` must be a file of certificates in PEM form/],
    [{ callbackKeys: 31337 }, /`callbackKeys` must be a keyring/],
    [{ callbackKeys: [{ kid: "k1" }] }, /`callbackKeys`: keys\[0\] must have a secret/],
    [{ onRequest: 31337 }, /`onRequest` must be a function, got a number/],
    [{ env: { CPAAS_PROXY: "http://31337" } }, /CPAAS_PROXY is not available here/],
    [{ env: { CPAAS_DEADLINE: "31337 s" } }, /CPAAS_DEADLINE must be a number of seconds/],
    [{ env: [] }, /`env` must be an object/],
    [{ userAgent: "31337\n" + "é" }, /`userAgent` must contain only printable ASCII/],
    [{ transport: () => {}, maxConnections: 5 }, /`maxConnections` is not available here: the connections are those of the program's own transport/],
    [31337, /the settings of a client must be an object, got a number/],
  ]) {
    const error = create(settings);
    assert.ok(error instanceof Invalid, `${JSON.stringify(settings)}: ${error}`);
    assert.match(error.message, expected);
    assert.deepEqual([error.reason, error.sent, error.operation], ["config", "no", ""]);
    assert.ok(!error.message.includes("31337") || /31337/.test(String(expected)), error.message);
  }
});

test("settings come from the environment, and from env instead", () =>
  withProvider(undefined, async ({ url, requests }) => {
    process.env.CPAAS_SMS_URL = url;
    process.env.CPAAS_SMS_KEY = "from-the-process";
    try {
      await new Client().sms.send(message);
      await new Client({ env: { CPAAS_SMS_URL: url, CPAAS_SMS_KEY: "from-env", OTHER: {} } }).sms.send(message);
      await new Client({ smsKey: "given" }).sms.send(message);
      const error = await failure(new Client({ readEnvironment: false }).sms.send(message));
      assert.match(error.message, /`smsUrl`/);
    } finally {
      delete process.env.CPAAS_SMS_URL;
      delete process.env.CPAAS_SMS_KEY;
    }
    const keys = requests.map(({ headers }) => headers["x-service-api-key"]);
    assert.deepEqual(keys, ["from-the-process", "from-env", "given"]);
  }));

test("a keyring in each of its forms signs the callback URL of an SMS", () =>
  withProvider(undefined, async ({ settings, requests }) => {
    const { Keyring } = await import("cpaas/callbacks");
    const keys = [{ kid: "k1", secret: "a-secret-of-the-test-31337-0123456789" }];
    const callback = { ...message, callback: "https://shop.example/report", reference: "order-1" };
    const unsigned = new Client({ ...settings, callbackKeys: keys, callbackAudience: "shop" });
    assert.match((await failure(unsigned.sms.send({ ...callback, reference: undefined }))).message, /\/reference: must be set when the client signs `callback` \(`callbackKeys`\)/);
    for (const callbackKeys of [keys, { keys }, JSON.stringify(keys), new Keyring(keys)]) {
      const client = new Client({ ...settings, callbackKeys, callbackAudience: "shop" });
      await client.sms.send(callback);
      assert.ok(!inspect(client, { showHidden: true, depth: 9 }).includes("31337"));
    }
    assert.equal(requests.length, 4);
    for (const { body } of requests) assert.match(JSON.parse(body).callback, /^https:\/\/shop\.example\/report\?.*token=/);
  }));

test("keys are not in inspect, JSON, errors or stacks", () =>
  withProvider(() => json({ responseCode: 5, message: "the key sms-key-31337 is unknown" }, 401), async ({ settings }) => {
    const client = new Client({ ...settings, messengerBToken: "token-31337" });
    const error = await failure(client.sms.send(message));
    const own = Object.getOwnPropertyNames(client).map((name) => inspect(client[name], { showHidden: true, depth: 9 }));
    for (const text of [inspect(client), inspect(client, { showHidden: true, depth: 9 }), JSON.stringify(client), inspect(error, { showHidden: true }), JSON.stringify(error), error.stack, ...own]) {
      assert.ok(!text.includes("31337"), text);
    }
    assert.match(inspect(client), /^Client {"otp":\["http:\/\/127/);
  }));

test("a request is tried again only if the rules allow it", async () => {
  const statuses = (...list) => (_, __, number) => (list[number - 1] === 200 ? accepted() : json({ responseCode: 5 }, list[number - 1], { "retry-after": "0" }));
  for (const [list, outcome, count] of [[[429, 200], "accepted", 2], [[503], "rejected", 1], [[500, 200], "rejected", 1]]) {
    await withProvider(statuses(...list), async ({ settings, requests }) => {
      const ended = await new Client(settings).sms.send(message).then(({ response }) => ["accepted", response.attempts], (error) => [error.outcome, error.attempts]);
      assert.deepEqual([...ended, requests.length], [outcome, count, count], String(list));
    });
  }
});

test("redirects are not followed", async () => {
  await withProvider(undefined, async (other) => {
    await withProvider(() => ({ status: 307, headers: { location: other.url }, body: "" }), async ({ settings, requests }) => {
      const error = await failure(new Client(settings).sms.send(message));
      assert.match(error.message, /redirect/);
      assert.deepEqual([requests.length, other.requests.length], [1, 0]);
    });
  });
});

test("421, 408 and a closed kept connection do not send a second request", async () => {
  for (const status of [421, 408]) {
    await withProvider(() => ({ status, headers: { connection: "close" }, body: "" }), async ({ settings, requests }) => {
      await failure(new Client(settings).sms.send(message));
      assert.equal(requests.length, 1);
    });
  }
  await withProvider((_, raw, number) => (number === 1 ? accepted() : void raw.socket.destroy()), async ({ settings, requests }) => {
    const client = new Client(settings);
    await client.sms.send(message);
    const error = await failure(client.sms.send(message));
    assert.ok(error instanceof OutcomeUnknown, inspect(error));
    assert.deepEqual([error.sent, error.reason, requests.length], ["maybe", "reset", 2]);
  });
});

test("a response that is cut, too large, early or endless leaves the outcome open", async () => {
  const body = JSON.stringify({ id: "m-cut", responseCode: 0, timestamp: "2026-11-27T00:00:00Z" });
  const cases = {
    "cut before the verdict": [(_, raw) => { raw.writeHead(200, { "content-length": 500 }); raw.write('{"id":'); setTimeout(() => raw.destroy(), 20); }, "unknown", "reset"],
    "too large": [(_, raw) => { raw.writeHead(200); raw.write("x".repeat(2000)); }, "unknown", "too_large"],
    "endless": [(_, raw) => { raw.writeHead(200); const timer = setInterval(() => raw.write(" "), 10); raw.on("close", () => clearInterval(timer)); }, "unknown", "deadline"],
    "no HTTP": [(_, raw) => { raw.socket.end("hello\r\n\r\n"); }, "unknown", "decode"],
    "101 headers": [() => ({ status: 200, headers: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, "1"])), body }), "unknown", "too_large"],
    "compressed": [() => ({ status: 200, headers: { "content-encoding": "gzip" }, body: Buffer.from("1f8b08000000000000", "hex") }), "unknown", "decode"],
  };
  for (const [name, [respond, outcome, reason]] of Object.entries(cases)) {
    await withProvider(respond, async ({ settings, requests }) => {
      const error = await failure(new Client({ ...settings, maxResponseBytes: 1000 }).sms.send(message, { deadlineMs: name === "endless" ? 1500 : 10_000 }));
      assert.deepEqual([error.outcome, error.reason, requests.length], [outcome, reason, 1], `${name}: ${error}`);
    });
  }
});

test("a success that comes before the request was read is not accepted", async () => {
  const server = createServer((socket) => {
    socket.once("data", () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 32\r\n\r\n{"id":"m-early","responseCode":0}'));
    socket.pause();
    setTimeout(() => socket.resume(), 20);
    socket.on("error", () => {});
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const smsUrl = `http://127.0.0.1:${server.address().port}`;
  const recipients = Array.from({ length: 200_000 }, (_, index) => 306900000000 + index).join(",");
  const client = new Client({ smsUrl, smsKey: "k", readEnvironment: false });
  const error = await failure(client.call("sms.send_bulk", { from: "Acme", to: recipients, text: "Hi" }, { validate: "off", deadlineMs: 2000 }));
  assert.notEqual(error.outcome, "accepted");
  assert.ok(error instanceof OutcomeUnknown, inspect(error));
  client.close();
  server.close();
});

test("a response that nobody asked for is not taken for that of the next call", async () => {
  const text = (id) => `HTTP/1.1 200 OK\r\ncontent-length: ${21 + id.length + 6}\r\n\r\n{"id":"${id}","responseCode":0 }`;
  for (const delay of [0, 30]) {
    let count = 0;
    let first;
    const server = createServer((socket) => {
      const number = ++count;
      socket.on("error", () => {});
      socket.on("data", () => socket.write(text(`own-${number}`)));
      if (number === 1) first = socket;
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    const client = new Client({ smsUrl: `http://127.0.0.1:${server.address().port}`, smsKey: "k", readEnvironment: false });
    assert.equal((await client.sms.send(message)).id, "own-1");
    setTimeout(() => first.write(text("stale")), delay);
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal((await client.sms.send(message)).id, "own-2");
    client.close();
    server.close();
  }
});

test("a rate limit that nobody asked for sends nothing again, and an early one is not repeated", async () => {
  const response = (status, body) => `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\nretry-after: 1\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const limit = response(429, '{"responseCode":906,"responseText":"slow down"}');
  for (const delay of [undefined, 0, 50]) {
    let connections = 0;
    const received = [];
    const server = createServer((socket) => {
      const isFirst = ++connections === 1;
      socket.on("error", () => {});
      socket.on("data", (data) => {
        received.push(/"text":"(\w+)"/.exec(data.toString())[1]);
        const own = response(200, `{"id":"m-${received.length}","responseCode":0}`);
        socket.write(isFirst && delay === undefined ? own + limit : own);
        if (isFirst && delay !== undefined) setTimeout(() => socket.write(limit), delay);
      });
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    const client = new Client({ smsUrl: `http://127.0.0.1:${server.address().port}`, smsKey: "k", readEnvironment: false });
    const ended = [];
    for (const text of ["first", "second"]) {
      ended.push(await client.sms.send({ ...message, text }).then(() => "accepted", (error) => error.outcome));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    // A response with another one in the same bytes may be neither.
    assert.deepEqual([received, ended[1]], [["first", "second"], "accepted"], String(delay));
    assert.ok(["accepted", "unknown"].includes(ended[0]), ended[0]);
    client.close();
    server.close();
  }
  let requests = 0;
  const early = createServer((socket) => {
    requests++;
    socket.on("error", () => {});
    socket.once("data", () => socket.write(limit));
  });
  await new Promise((listening) => early.listen(0, "127.0.0.1", listening));
  const client = new Client({ smsUrl: `http://127.0.0.1:${early.address().port}`, smsKey: "k", readEnvironment: false, validation: "off" });
  const error = await failure(client.sms.send({ ...message, text: "a".repeat(6_000_000) }));
  assert.deepEqual([error.constructor, error.retryable, error.attempts, requests], [OutcomeUnknown, false, 1, 1], inspect(error));
  client.close();
  early.close();
});

test("an abort at each moment states whether the request may have been sent", async (context) => {
  await context.test("before the call", () =>
    withProvider(undefined, async ({ settings, requests }) => {
      const error = await failure(new Client(settings).sms.send(message, { signal: AbortSignal.abort("gone") }));
      assert.deepEqual([error.constructor, error.sent, error.reason, error.cause, requests.length], [NotSent, "no", "cancelled", "gone", 0]);
      const invalid = await failure(new Client(settings).sms.send({}, { signal: AbortSignal.abort() }));
      assert.ok(invalid instanceof Invalid);
    }));
  await context.test("while the server works", () => {
    const controller = new AbortController();
    return withProvider(() => controller.abort(new Error("user left")), async ({ settings, requests }) => {
      const error = await failure(new Client(settings).sms.send(message, { signal: controller.signal }));
      assert.deepEqual([error.constructor, error.sent, error.reason, error.cause.message, requests.length], [OutcomeUnknown, "maybe", "cancelled", "user left", 1]);
    });
  });
  await context.test("between two attempts", () =>
    withProvider(() => json({ responseCode: 9 }, 429, { "retry-after": "5" }), async ({ settings, requests }) => {
      const controller = new AbortController();
      const onResponse = () => setImmediate(() => controller.abort()); // the call waits for five seconds then
      const error = await failure(new Client({ ...settings, onResponse }).sms.send(message, { signal: controller.signal }));
      assert.deepEqual([error.reason, requests.length], ["cancelled", 1]);
      assert.ok(error.sent !== "yes");
    }));
  await context.test("in a hook, before the request is sent", () =>
    withProvider(undefined, async ({ settings, requests }) => {
      const controller = new AbortController();
      const client = new Client({ ...settings, onRequest: () => controller.abort() });
      const error = await failure(client.sms.send(message, { signal: controller.signal }));
      assert.deepEqual([error.constructor, error.sent, requests.length], [NotSent, "no", 0]);
    }));
  for (const name of ["transport", "fetch"]) {
    await context.test(`in a ${name} of the program, before it returns`, async () => {
      const controller = new AbortController();
      const send = async () => (controller.abort(), name === "fetch" ? new Response('{"id":"m-1","responseCode":0}') : { status: 200, body: '{"id":"m-1","responseCode":0}' });
      const client = new Client({ smsUrl: "https://sms.example", smsKey: "k", readEnvironment: false, [name]: send });
      const error = await failure(client.sms.send(message, { signal: controller.signal }));
      assert.deepEqual([error.constructor, error.sent, error.reason], [OutcomeUnknown, "maybe", "cancelled"]);
    });
  }
  await context.test("after the end", () =>
    withProvider(undefined, async ({ settings }) => {
      const controller = new AbortController();
      const sent = await new Client(settings).sms.send(message, { signal: controller.signal });
      controller.abort();
      assert.ok(sent.id);
    }));
  await context.test("one signal for many calls", () =>
    withProvider(undefined, async ({ settings, requests }) => {
      const warnings = [];
      const warn = (warning) => warnings.push(warning);
      process.on("warning", warn);
      const client = new Client(settings);
      const controller = new AbortController();
      await Promise.all(Array.from({ length: 64 }, () => client.sms.send(message, { signal: controller.signal })));
      await new Promise(setImmediate);
      process.off("warning", warn);
      assert.deepEqual([warnings, requests.length], [[], 64]);
    }));
});

test("hooks run in order, and what they throw changes nothing", () =>
  withProvider((_, __, number) => (number === 1 ? json({ responseCode: 9 }, 429, { "retry-after": "0" }) : accepted()), async ({ settings, requests }) => {
    const seen = [];
    const note = (name) => (event) => { seen.push([name, event]); throw new Error("hook"); };
    const errors = [];
    const { error } = console;
    console.error = (...args) => errors.push(args[0]);
    try {
      const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      const client = new Client({
        ...settings, onRequest: note("onRequest"), onResponse: note("onResponse"), onRequestEnd: note("onRequestEnd"), onOutcome: note("onOutcome"),
        traceparent: async (event) => (event.attempt === 1 ? trace : Promise.reject(new Error("no"))),
      });
      const sent = await client.sms.send({ ...message, reference: "r" });
      assert.equal(sent.response.attempts, 2);
      assert.deepEqual(seen.map(([name]) => name), ["onRequest", "onResponse", "onRequestEnd", "onRequest", "onResponse", "onRequestEnd", "onOutcome"]);
      assert.deepEqual(requests.map(({ headers }) => headers.traceparent), [trace, undefined]);
      const text = JSON.stringify(seen);
      assert.ok(!text.includes(message.to) && !text.includes("31337") && !text.includes(message.text), text);
      const [, outcome] = seen.at(-1);
      assert.deepEqual([outcome.callId, outcome.ending, outcome.attempts, outcome.reference, outcome.sent], [sent.callId, "accepted", 2, "r", "yes"]);
      assert.equal(errors.length, 8);
    } finally {
      console.error = error;
    }
  }));

test("a call that a hook starts takes no event of the call that it reports", () =>
  withProvider(undefined, async ({ settings }) => {
    const [outcomes, inner] = [[], []];
    const other = new Client(settings);
    const start = () => void inner.push(other.sms.send(message));
    const client = new Client({ ...settings, onRequest: start, onResponse: start, onOutcome: (event) => outcomes.push(event) });
    const sent = [await client.sms.send(message), await client.sms.send(message)];
    const ids = (await Promise.all(inner)).map(({ callId }) => callId);
    assert.deepEqual(outcomes.map(({ callId }) => callId), sent.map(({ callId }) => callId));
    assert.equal(new Set([...ids, ...outcomes.map(({ callId }) => callId)]).size, 6);
  }));

test("a traceparent that never arrives ends at the deadline, and nothing is sent", () =>
  withProvider(undefined, async ({ settings, requests }) => {
    const client = new Client({ ...settings, traceparent: () => new Promise(() => {}) });
    // Many times, because timers may run up to a millisecond early.
    for (const deadlineMs of [100, ...Array(200).fill(1), ...Array(50).fill(5)]) {
      const error = await failure(client.sms.send(message, { deadlineMs }));
      assert.deepEqual([error.constructor, error.sent, error.reason, requests.length], [NotSent, "no", "deadline", 0]);
    }
  }));

test("a transport of the program is checked, and never proves that nothing was sent", async () => {
  const good = { status: 200, headers: { "Content-Type": "application/json" }, body: '{"id":"t-1","responseCode":0}' };
  for (const [transport, expected] of [
    [async () => { throw "a string"; }, "reset"],
    [async () => { throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" }); }, "reset"],
    [() => { throw new TypeError("sync"); }, "reset"],
    [() => new Promise(() => {}), "deadline"],
    [async () => undefined, "decode"],
    [async () => "ok", "decode"],
    [async () => ({ ...good, status: "200" }), "decode"],
    [async () => ({ ...good, status: 1200 }), "decode"],
    [async () => ({ ...good, headers: 5 }), "decode"],
    [async () => ({ ...good, body: { id: 1 } }), "decode"],
    [async () => ({ ...good, body: Object.create(Uint8Array.prototype) }), "decode"],
    [async () => { const body = new Uint8Array(3); structuredClone(body, { transfer: [body.buffer] }); return { ...good, body }; }, "decode"],
    [async () => ({ ...good, body: new Uint8Array(2000) }), "too_large"],
    [async () => ({ ...good, get status() { throw new Error("x"); } }), "decode"],
  ]) {
    const client = new Client({ smsUrl: "https://sms.example", smsKey: "k", readEnvironment: false, maxResponseBytes: 1000, transport });
    const error = await failure(client.sms.send(message, { deadlineMs: 200 }));
    assert.deepEqual([error.constructor, error.sent, error.reason], [OutcomeUnknown, "maybe", expected], inspect(error));
  }
  let seen;
  const client = new Client({ smsUrl: "https://sms.example/v1", smsKey: "k", readEnvironment: false, transport: async (request, options) => { seen = { request, options }; return good; } });
  assert.equal((await client.sms.send(message)).id, "t-1");
  assert.equal(seen.request.url, "https://sms.example/v1/sms");
  assert.equal(seen.request.needsOwnConnection, false);
  assert.ok(seen.options.timeoutMs > 0 && seen.options.signal instanceof AbortSignal);
});

test("a transport of the program learns which request needs a connection of its own", async () => {
  let seen;
  const transport = async (request) => ((seen ??= request), { status: 404, body: '{"code":404,"message":"wrong"}' });
  const client = new Client({ otpUrl: "https://otp.example", accountSid: "AC1", apiKey: "k", readEnvironment: false, transport });
  await client.otp.verify(verify).catch(() => {});
  assert.equal(seen.needsOwnConnection, true);
});

test("what the server sends unasked on an idle connection is not the response to the next request", async () => {
  const worker = new Worker(new URL("./client/unasked_response.mjs", import.meta.url)); // its clock runs while this thread is busy
  try {
    const [smsUrl] = await once(worker, "message");
    const client = new Client({ smsUrl, smsKey: "k", readEnvironment: false });
    assert.equal((await client.sms.send(message)).id, "first");
    const until = Date.now() + 150;
    while (Date.now() < until); // the unasked response waits in the system
    const error = await failure(client.sms.send(message, { maxAttempts: 1 }));
    assert.deepEqual([error.constructor, error.sent], [NotSent, "no"], inspect(error));
    client.close();
  } finally {
    await worker.terminate();
  }
});

test("of two responses to one request, none counts", async () => {
  const body = '{"code":200,"message":"OK","requestID":"OTP1"}';
  const wrong = '{"code":404,"message":"wrong","requestID":"OTP1"}';
  const response = (status, text) => `HTTP/1.1 ${status} X\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
  const server = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.write(response(200, body) + response(404, wrong))));
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const client = new Client({ otpUrl: `http://127.0.0.1:${server.address().port}`, accountSid: "AC1", apiKey: "k", readEnvironment: false });
  const error = await failure(client.otp.verify({ ...verify, requestId: "OTP1" }, { deadlineMs: 5000 }));
  assert.ok(error instanceof OutcomeUnknown, inspect(error));
  client.close();
  server.close();
});

test("a call ends although its signal or the console fails", () =>
  withProvider(undefined, async ({ settings }) => {
    const client = new Client({ ...settings, onRequest: () => { throw new Error("hook"); } });
    const half = { aborted: false, addEventListener() {} };
    assert.ok((await failure(client.sms.send(message, { signal: half }))) instanceof Invalid);
    const { error } = console;
    console.error = () => { throw new Error("closed"); };
    try {
      assert.ok((await client.sms.send(message)).id);
    } finally {
      console.error = error;
    }
    client.close();
  }));

test("a response in chunks of one byte is one array of exactly its bytes", () =>
  withProvider(
    (_, raw) => {
      raw.writeHead(200);
      for (let chunk = 0; chunk < 50; chunk++) raw.write(" ");
      raw.end('{"id":"small-chunks","responseCode":0}');
    },
    async ({ settings }) => {
      const client = new Client(settings);
      const { response, id } = await client.sms.send(message);
      assert.equal(id, "small-chunks");
      assert.equal(response.body.buffer.byteLength, response.body.length);
      client.close();
    },
  ));

test("the names of errors survive a minifier", async () => {
  const { build } = await import("esbuild");
  const entry = { contents: 'export * from "./js/client/errors.js"', resolveDir: root };
  const { outputFiles } = await build({ stdin: entry, bundle: true, minify: true, format: "esm", write: false });
  const copy = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const classes = { CpaasError, Invalid, Rejected, NotSent, OutcomeUnknown, AcceptedIdUnknown };
  const unknown = new copy.OutcomeUnknown("lost");
  assert.equal(unknown.name, "OutcomeUnknown");
  const matching = Object.keys(classes).filter((name) => unknown instanceof classes[name]);
  assert.deepEqual(matching, ["CpaasError", "OutcomeUnknown"]);
});

test("closing a client ends no running call", () =>
  withProvider(() => new Promise((resolve) => setTimeout(() => resolve(json({ id: "late", responseCode: 0 })), 100)), async ({ settings, requests }) => {
    const client = new Client(settings);
    const running = client.sms.send(message);
    while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    client.close();
    assert.equal((await running).id, "late");
  }));

test("a fetch of the program is checked, and never proves that nothing was sent", async () => {
  const body = '{"id":"f-1","responseCode":0}';
  const endless = () => new ReadableStream({ pull(controller) { controller.enqueue(new Uint8Array(100)); } });
  const used = async () => { const response = new Response(body); await response.text(); return response; };
  const elsewhere = () => Object.defineProperty(new Response(body), "url", { value: "https://evil.example/" });
  const aborted = (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  for (const [fetch, expected] of [
    [async () => { throw "a string"; }, "reset"],
    [() => { throw new Error("sync"); }, "reset"],
    [async () => null, "reset"],
    [async () => elsewhere(), "decode"],
    [used, "decode"],
    [async () => new Response(endless()), "too_large"],
    [async () => new Response(body, { headers: { "content-length": "5" } }), "reset"],
    [async () => new Response(body, { headers: { "content-length": "5000" } }), "reset"],
    [async () => new Response(new ReadableStream({ pull() { return new Promise(() => {}); } })), "deadline"],
    [async () => new Response(new ReadableStream({ pull(controller) { controller.error("x"); } })), "reset"],
    [() => new Promise(() => {}), "deadline"],
    [aborted, "deadline"],
  ]) {
    const client = new Client({ smsUrl: "https://sms.example", smsKey: "k", readEnvironment: false, maxResponseBytes: 1000, fetch });
    const error = await failure(client.sms.send(message, { deadlineMs: 200 }));
    assert.deepEqual([error.outcome === "not_sent", error.outcome === "invalid", error.reason], [false, false, expected], inspect(error));
  }
  const client = new Client({ smsUrl: "https://sms.example", smsKey: "k", readEnvironment: false, fetch: async (url, init) => { await new Response(init.body).text(); return new Response(body); } });
  assert.equal((await client.sms.send(message)).id, "f-1");
});

test("over a fetch that may repeat requests without a body, a charged lookup by query is refused", async () => {
  let calls = 0;
  const fetch = async (url, init) => (calls++, await new Response(init.body).text(), new Response('[{"msisdn":"306912345678","response":0}]'));
  const client = new Client({ lookupUrl: "https://lookup.example", lookupKey: "k", readEnvironment: false, fetch });
  const error = await failure(client.lookup.numbersByQuery({ msisdn: "306912345678" }));
  assert.deepEqual([error.constructor, error.sent, calls], [Invalid, "no", 0]);
  assert.match(error.message, /^lookup\.numbers_by_query: nothing was sent: .* use `lookup\.numbers`$/);
  assert.equal((await client.lookup.numbers({ msisdn: ["306912345678"] }))[0].response, 0);
});

test("with makes a client that shares connections and known ids, with other settings", () =>
  withProvider(() => json({ id: "same", responseCode: 0 }), async ({ settings, requests }) => {
    const client = new Client(settings);
    const other = client.with({ smsKey: "other", deadlineMs: 5000, apiKey: undefined });
    await client.sms.send(message);
    const repeated = await failure(other.sms.send(message));
    assert.deepEqual([repeated.constructor, repeated.reason], [OutcomeUnknown, "mismatch"]);
    assert.match(repeated.message, /`acceptRepeatedIds`/);
    assert.equal((await other.with({ acceptRepeatedIds: true }).sms.send(message)).warnings.some(({ code }) => code === "response.id.repeated"), true);
    assert.deepEqual(requests.map(({ headers }) => headers["x-service-api-key"]), ["sms-key-31337", "other", "other"]);
    assert.throws(() => client.with({ deadlneMs: 1 }), /did you mean `deadlineMs`/);
    assert.throws(() => client.with(5), Invalid);
  }));

test("a list is its first page, and an iterator of the records of all pages", () => {
  const page = (number) => json({ code: 200, message: "OK", data: { page: number, total: 3, result: number === 0 ? [{ sid: "LM1" }, { sid: "LM2" }] : [{ sid: "LM3" }] } });
  return withProvider(({ url }) => page(url.includes("page=1") ? 1 : 0), async ({ settings, requests }) => {
    const client = new Client(settings);
    const first = await client.otp.limits.list();
    assert.deepEqual(first.data.result.map(({ sid }) => sid), ["LM1", "LM2"]);
    const found = [];
    for await (const { sid } of client.otp.limits.list({})) found.push(sid);
    assert.deepEqual([found, requests.length], [["LM1", "LM2", "LM3"], 3]);
  });
});

test("an endpoint that no operation covers is called with the family's key", () =>
  withProvider(() => json({ balance: "12.50" }), async ({ settings, requests }) => {
    const client = new Client(settings);
    const result = await client.callRaw({ method: "GET", family: "sms", path: "/balance", query: { a: 1 } });
    assert.deepEqual([result.value, requests[0].url, requests[0].headers["x-service-api-key"]], [{ balance: "12.50" }, "/balance?a=1", "sms-key-31337"]);
    assert.match((await failure(client.callRaw({ method: "PATCH", family: "sms", path: "/" }))).message, /method must be GET/);
    assert.match((await failure(client.call("sms.sent", message))).message, /did you mean `sms\.send`/);
    assert.match((await failure(client.callRaw({ method: "GET", family: "sms", path: "balance" }))).message, /must begin with/);
  }));

test("in a page, the client does not start and says what to do", () => {
  const run = (script, ...flags) => execFileSync(process.execPath, [...flags, "--input-type=module", "-e", script], { cwd: root, encoding: "utf8" });
  const refused = /^cpaas\/client needs the keys of the provider, which must not be in a page/;
  assert.match(run('import { Client, Rejected } from "cpaas/client"; try { new Client(); } catch (error) { console.log(error.message, Rejected.name); }', "--conditions=browser"), refused);
  assert.match(run(`
    import { Client } from "cpaas/client";
    const { log } = console;
    Object.defineProperty(process.versions, "node", { value: undefined });
    globalThis.document = {};
    let said;
    try { new Client({ readEnvironment: false }); } catch (error) { said = error.message; }
    log(said);`.replace('Object.defineProperty(process.versions, "node", { value: undefined });', "globalThis.process = undefined;")), refused);
  assert.equal(run('import { Client } from "cpaas/client"; globalThis.document = {}; new Client({ readEnvironment: false }); console.log("a simulated page");'), "a simulated page\n");
});

test("a bundle of a page contains the refusal and nothing of the client", async () => {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({ stdin: { contents: 'import { Client } from "cpaas/client"; new Client();', resolveDir: root }, bundle: true, write: false, minify: true, format: "esm", conditions: ["browser"], logLevel: "error" });
  const [{ text }] = outputFiles;
  assert.ok(text.includes("must not be in a page") && text.length < 1000, `${text.length} characters`);
});

test("a global that is frozen or replaced later has no effect", () => {
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", `
    import { Client } from "cpaas/client";
    import { withProvider, message } from "./test/client/provider.mjs";
    await withProvider(undefined, async ({ settings }) => {
      for (const name of ["fetch", "setTimeout", "clearTimeout", "performance", "crypto"]) Object.defineProperty(globalThis, name, { configurable: true, get() { throw new Error(name); } });
      Date.now = () => { throw new Error("Date.now"); };
      Object.freeze(globalThis);
      console.log((await new Client(settings).sms.send(message)).id);
    });
    process.exit(0);`], { cwd: root, encoding: "utf8" });
  assert.match(said, /^m-1\n/);
});

test("a trap of the module ends the calls in flight by what was sent, and later calls work", () =>
  withProvider((_, __, number) => (number === 1 ? new Promise((resolve) => setTimeout(() => resolve(accepted()), 300)) : accepted()), async ({ settings, requests }) => {
    const client = new Client(settings);
    const inFlight = failure(client.sms.send(message));
    while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const { instance, withModule, ModuleTrapped } = await import("../js/server/module.js");
    const before = instance();
    // The error of an argument is not a trap: the calls in flight go on.
    for (const error of [new TypeError("not a string"), new Error("other"), "text"]) assert.throws(() => withModule(() => { throw error; }), (thrown) => thrown === error);
    assert.equal(instance(), before);
    assert.throws(() => withModule(() => { throw new WebAssembly.RuntimeError("unreachable"); }), ModuleTrapped);
    assert.equal(instance(), before + 1);
    assert.ok((await client.sms.send(message)).id);
    const error = await inFlight;
    assert.deepEqual([error.constructor, error.sent, error.reason, error.retryable], [OutcomeUnknown, "maybe", "runtime", false]);
    assert.equal(requests.length, 2);
  }));

test("64 calls at once are all accepted, each once", () =>
  withProvider(undefined, async ({ settings, requests }) => {
    const client = new Client(settings);
    const sent = await Promise.all(Array.from({ length: 64 }, (_, index) => client.sms.send({ ...message, text: `Number ${index}` })));
    assert.equal(new Set(sent.map(({ id }) => id)).size, 64);
    assert.equal(new Set(requests.map(({ body }) => JSON.parse(body).text)).size, 64);
    client.close();
  }));

test("a stored error is an instance of its class", () => {
  const error = new AcceptedIdUnknown("lost", { call_id: "1".repeat(32), operation: "sms.send" });
  assert.deepEqual([error.outcome, error.sent, error.processed, error.callId, error.toJSON().call_id], ["accepted_id_unknown", "yes", "yes", "1".repeat(32), "1".repeat(32)]);
});
