// The vectors of callbacks through `cpaas/callbacks`, and its arguments.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { inspect } from "node:util";
import * as api from "cpaas/callbacks";

const { CallbackRejected, Duplicates, Keyring, MAX_BODY, Receiver, Template, fetchHandler, tokenUrl } = api;
const vectors = JSON.parse(readFileSync(new URL("../../tests/vectors/callbacks.json", import.meta.url), "utf8"));
const at = (seconds) => new Date(seconds * 1000);
const now = at(vectors.now);

const keyring = ({ keys }) => new Keyring(keys);
const receiver = new Receiver({
  audience: vectors.config.audience,
  publicUrl: vectors.config.public_url,
  deliveryKeys: keyring(vectors.config.delivery_keys),
  inboundKeys: keyring(vectors.config.inbound_keys),
  endpoints: vectors.config.endpoints.map(({ path, sources, query_template: queryTemplate, json_template: jsonTemplate }) => ({ path, sources, queryTemplate, jsonTemplate })),
});

/** The reason of a rejection; fails for another error. */
async function reason(run) {
  try {
    await run();
  } catch (error) {
    assert.ok(error instanceof CallbackRejected, String(error?.stack));
    assert.deepEqual([error.status, error.response().status, await error.response().text()], [403, 403, ""]);
    return error.reason;
  }
  return "accepted";
}

const parts = ({ method, url, headers, body }) => ({ method, url, headers, body });

/** The same request as a standard `Request`, which no GET with a body can be. */
function request({ method, url, headers, body }) {
  const absolute = new URL(url, "https://shop.example");
  return new Request(absolute, { method, headers, body: body === "" ? undefined : body });
}

const snake = (object) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]));

test("tokens are verified as in the vectors", async () => {
  const keys = keyring(vectors.config.delivery_keys);
  for (const { name, token, purpose, audience, reference, now, result } of vectors.verify) {
    assert.equal(await reason(() => keys.verify(token, purpose, { audience, reference, now: at(now) })), result, name);
  }
  const { token, purpose, audience, reference } = vectors.verify[0];
  const claims = keys.verify(token, purpose, { audience, reference, now });
  assert.deepEqual([claims.kid, claims.purpose, claims.issued, claims.expires], ["k1", "delivery_report", vectors.now, vectors.now + 259_200]);
});

test("callbacks become the events of the vectors", async () => {
  for (const vector of vectors.events) {
    for (const received of [parts(vector), request(vector)]) {
      const { claims, key, ...event } = await receiver.receive(received, { now });
      assert.deepEqual(snake(event), vector.event, vector.name);
      assert.equal(key, vector.key, vector.name);
      assert.deepEqual(Object.keys(claims).filter((name) => !/^(kid|purpose|issued|expires|nonce)$/.test(name)), [], vector.name);
    }
  }
});

test("callbacks are rejected as in the vectors", async () => {
  for (const vector of vectors.rejections) assert.equal(await reason(() => receiver.receive(parts(vector), { now })), vector.reason, vector.name);
});

test("templates render and read as in the vectors", () => {
  for (const { name, template: source, place, values, rendered, unknown, read } of vectors.templates) {
    const template = new Template(source, place);
    assert.equal(template.render(values), rendered, name);
    assert.deepEqual(template.unknown, unknown, name);
    const found = template.read(rendered);
    assert.equal(found !== null && JSON.stringify(Object.entries(found).sort()) === JSON.stringify(Object.entries(values).sort()), read, name);
  }
});

test("URLs get tokens as in the vectors", () => {
  for (const { name, url, token, error, result } of vectors.urls) {
    if (error) assert.throws(() => tokenUrl(url, token), RangeError, name);
    else assert.equal(tokenUrl(url, token), result, name);
  }
  const count = ["verify", "events", "rejections", "templates", "urls"].reduce((sum, name) => sum + vectors[name].length, 0);
  console.log(`${count} cases`);
  assert.equal(count, 117, "the count of python/tests/test_vectors.py");
});

test("a configuration in JSON is that of every language", async () => {
  const other = Receiver.fromJson(JSON.stringify(vectors.config));
  const { claims, key, ...event } = await other.receive(parts(vectors.events[0]), { now });
  assert.deepEqual(snake(event), vectors.events[0].event);
  assert.throws(() => Receiver.fromJson("{"), /Receiver: /);
  assert.throws(() => Receiver.fromJson({}), TypeError);
});

test("a minted token is accepted, and differs each time", async () => {
  const keys = new Keyring([{ kid: "d1", secret: new Uint8Array(32).fill(7) }]);
  const own = new Receiver({ audience: "shop", publicUrl: "https://shop.example/hooks", deliveryKeys: keys, inboundKeys: keys });
  const tokens = new Set(Array.from({ length: 50 }, () => keys.mint("delivery_report", { audience: "shop", reference: "r", now })));
  assert.equal(tokens.size, 50);
  for (const token of tokens) assert.equal(keys.verify(token, "delivery_report", { audience: "shop", reference: "r", now }).kid, "d1");
  const url = own.url("sms_report", "booking-7", { now });
  assert.ok(url.startsWith("https://shop.example/hooks?token=v1.d1."));
  const report = { method: "GET", url: `${url}&msgid=m-1&status=delivered&reference=booking-7`, headers: {} };
  const event = await own.receive(report, { now });
  assert.deepEqual([event.kind, event.messageId, event.status, event.reference], ["sms_report", "m-1", "delivered", "booking-7"]);
  assert.match(event.key, /^cpaas:2:[0-9a-f]{32}$/);
  assert.equal(await reason(() => own.receive(report, { now: at(vectors.now + 259_200) })), "expired");
  assert.equal(keys.verify(keys.mint("inbound", { audience: "shop", now }), "inbound", { audience: "shop", now: at(4e9) }).expires ?? null, null, "no expiry by default");
  const short = keys.mint("inbound", { audience: "shop", lifetimeSeconds: 60, now });
  assert.equal(await reason(() => keys.verify(short, "inbound", { audience: "shop", now: at(vectors.now + 60) })), "expired");
  assert.ok(own.url("messenger_b", "", { lifetimeSeconds: "never", now }));
  assert.throws(() => own.url("sms_report"), /^RangeError: url: /);
  assert.throws(() => keys.mint("inbound", { audience: "shop", lifetimeSeconds: 59 }), /^RangeError: mint: the lifetime must be/);
  assert.throws(() => keys.mint("inbound", { audience: "shop", lifetimeSeconds: "soon" }), TypeError);
  assert.throws(() => keys.mint("inbounds", { audience: "shop" }), /the purpose must be/);
});

test("keys rotate", () => {
  const [old, next] = [{ kid: "old", secret: "o".repeat(32) }, { kid: "new", secret: "n".repeat(32) }];
  const bound = { audience: "shop", now };
  const token = new Keyring([old]).mint("inbound", bound);
  assert.equal(new Keyring([next, old]).verify(token, "inbound", bound).kid, "old");
  assert.throws(() => new Keyring([next]).verify(token, "inbound", bound), { reason: "unknown_key" });
  const retired = new Keyring([next, { ...old, retiredAt: now }], { longestLifetimeSeconds: 3600 });
  assert.deepEqual(retired.lint(now), [{ kid: "new", state: "signs" }, { kid: "old", state: "keep", tokensExpireAt: at(vectors.now + 3600) }]);
  assert.equal(retired.lint(at(vectors.now + 3600))[1].state, "removable_after_reregistration");
  assert.throws(() => new Keyring([next], { expiringOnly: true }).mint("inbound", bound), RangeError);
});

test("bad arguments are named, and no message or log contains a secret", () => {
  const secret = "a very secret secret of this test, 32 bytes";
  const key = { kid: "k1", secret };
  const keys = new Keyring([key]);
  const options = { audience: "shop", publicUrl: "https://shop.example", deliveryKeys: keys };
  const bad = [
    [() => new Keyring([{ kid: "k1", secret: "too short" }]), /^RangeError: Keyring: /],
    [() => new Keyring([]), /^RangeError: Keyring: /],
    [() => new Keyring(Array(9).fill(key)), /^RangeError: Keyring: /],
    [() => new Keyring((function* () { for (;;) yield key; })()), /^RangeError: Keyring: a keyring must have 1 to 8 keys/],
    [() => new Keyring("keys"), /^TypeError: Keyring: the keys must be a list, got a string$/],
    [() => new Keyring([secret]), /^TypeError: Keyring: keys\[0\] must be an object, got a string$/],
    [() => new Keyring([{ kid: 1, secret }]), /^TypeError: Keyring: keys\[0\]\.kid must be a string, got a number$/],
    [() => new Keyring([{ kid: "k1" }]), /^TypeError: Keyring: keys\[0\] must have a secret$/],
    [() => new Keyring([{ ...key, secretBase64: "AAAA" }]), /must have secret or secretBase64, got both$/],
    [() => new Keyring([{ ...key, retiredAt: 1_700_000_000 }]), /keys\[0\]\.retiredAt must be a valid Date since 1970, got a number$/],
    [() => new Keyring([{ ...key, retired_at: 1 }]), /keys\[0\]: unknown member; valid members: kid, secret, secretBase64, retiredAt$/],
    [() => new Keyring([key], { longest: 1 }), /unknown option; valid options: longestLifetimeSeconds, expiringOnly$/],
    [() => new Keyring([key], { longestLifetimeSeconds: 1.5 }), /^TypeError: Keyring: longestLifetimeSeconds/],
    [() => new Receiver(), /^TypeError: Receiver: the options must be an object, got undefined$/],
    [() => new Receiver({ ...options, audience: undefined }), /^TypeError: Receiver: audience must be a string/],
    [() => new Receiver({ ...options, publicUrl: "shop.example" }), /^RangeError: Receiver: `publicUrl`: the callback URL must be an absolute/],
    [() => new Receiver({ ...options, deliveryKeys: undefined }), /a receiver needs a Keyring: deliveryKeys, inboundKeys or both$/],
    [() => new Receiver({ ...options, deliveryKeys: [key] }), /^TypeError: Receiver: deliveryKeys must be a Keyring, got an array$/],
    [() => new Receiver({ ...options, endpoints: [{ path: "/a", source: [] }] }), /endpoints\[0\]: unknown member/],
    [() => new Receiver({ ...options, endpoints: [{ path: "/a", sources: ["sms"] }] }), /^RangeError: Receiver: /],
    [() => new Receiver({ ...options, public_url: "x" }), /unknown option; valid options: audience, publicUrl/],
    [() => new Template("~msgid~", "xml"), /^RangeError: Template: the format must be/],
    [() => new Template(1), /^TypeError: Template: the source must be a string/],
    [() => new Template("~msgid~").render({ message: "1" }), /^RangeError: render: values: unknown variable `message`; known: msgid,/],
    [() => new Template("~msgid~").render({ msgid: 1 }), /^TypeError: render: values.msgid must be a string, got a number$/],
    [() => new Template("~msgid~").read(new URL("https://a.example")), /^TypeError: read: the text/],
    [() => tokenUrl("https://a.example", undefined), /^TypeError: tokenUrl: the token must be a string/],
    [() => keys.verify(1, "inbound", { audience: "a" }), /^TypeError: verify: the token/],
    [() => keys.lint(Date.now()), /^TypeError: lint: now must be a valid Date/],
    [() => keys.lint(new Date(NaN)), /got another Date$/],
  ];
  for (const [run, expected] of bad) {
    const message = (() => { try { run(); return "nothing was thrown"; } catch (error) { return String(error); } })();
    assert.match(message, expected);
    assert.ok(!message.includes(secret), message);
  }
  const own = new Receiver(options);
  for (const shown of [inspect(keys, { depth: 9, showHidden: true }), JSON.stringify(keys), String(keys), inspect(own, { depth: 9, showHidden: true }), JSON.stringify(own), JSON.stringify(structuredClone(own))]) {
    assert.ok(!shown.includes("secret"), shown);
  }
  assert.match(inspect(keys), /k1/);
});

test("a keyring of another copy of the package is refused with that reason", async () => {
  const other = await import("../js/callbacks/keyring.js?copy");
  const keys = new other.Keyring([{ kid: "k1", secret: "s".repeat(32) }]);
  assert.throws(() => new Receiver({ audience: "a", publicUrl: "https://a.example", inboundKeys: keys }), /another copy of the package cpaas/);
});

test("requests that cannot be received are errors, not rejections", async () => {
  const url = receiver.url("chat_report", "", { now });
  const post = () => new Request(url, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
  const used = post();
  await used.text();
  const locked = post();
  locked.body.getReader();
  const bad = [
    [used, /the body of the request was already read/],
    [locked, /the body of the request was already read/],
    [undefined, /the request must be an object/],
    ["https://shop.example", /the request must be an object, got a string/],
    [{ method: "POST", url, headers: {}, body: "{}", body_base64: "e30=" }, /an object with method, url, headers, body$/],
    [{ method: "POST", url, headers: {}, body: { status: "sent" } }, /the body must be bytes or a string, got an object/],
    [{ method: "POST", url, headers: { "content-type": 1 }, body: "" }, /the header content-type must be a string/],
    [{ method: "POST", url, headers: "content-type: text/plain", body: "" }, /the headers must be an object/],
    [{ url, headers: {} }, /the method must be a string, got undefined/],
    [{ method: "GET", headers: {} }, /the URL must be a string, got undefined/],
  ];
  for (const [request, expected] of bad) {
    const error = await receiver.receive(request, { now }).then(() => assert.fail(`${expected}`), (error) => error);
    assert.ok(error instanceof TypeError && expected.test(error.message), String(error));
  }
  await assert.rejects(receiver.receive(post(), { now: 1 }), TypeError);
  await assert.rejects(receiver.receive(post(), { time: now }), /unknown option/);
});

test("one request is received once", async () => {
  const vector = vectors.events.find(({ method }) => method === "POST");
  const received = request(vector);
  assert.equal((await receiver.receive(received, { now })).key, vector.key);
  await assert.rejects(receiver.receive(received, { now }), /already read/);
});

test("a body beyond the limit is rejected while it arrives, and a wrong content type loses nothing", async () => {
  const url = receiver.url("chat_report", "", { now });
  let pulled = 0;
  const endless = new ReadableStream({ pull: (controller) => { pulled += 1; controller.enqueue(new Uint8Array(65_536)); } });
  const streamed = (body, headers = {}) => new Request(url, { method: "POST", body, duplex: "half", headers: { "content-type": "application/json", ...headers } });
  assert.equal(await reason(() => receiver.receive(streamed(endless), { now })), "body");
  assert.ok(pulled <= MAX_BODY / 65_536 + 3, `${pulled} chunks`);
  assert.equal(await reason(() => receiver.receive(streamed("x".repeat(10 << 20)), { now })), "body");
  assert.equal(await reason(() => receiver.receive(streamed("{}", { "content-length": "10485760" }), { now })), "body");
  const broken = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(3)), pull: (controller) => controller.error(new Error("gone")) });
  assert.equal(await reason(() => receiver.receive(streamed(broken), { now })), "body");
  for (const body of ["x".repeat(MAX_BODY + 1), "é".repeat(MAX_BODY / 2 + 1), new Uint8Array(MAX_BODY + 1), new ArrayBuffer(MAX_BODY + 1)]) {
    assert.equal(await reason(() => receiver.receive({ method: "POST", url, headers: {}, body }, { now })), "body");
  }
  const report = '{"messageId":"m-1","status":"Delivered"}';
  const ofType = (type) => receiver.receive({ method: "POST", url, headers: [["Content-Type", type]], body: report }, { now });
  for (const type of ["application/json", "image/png", "text/plain; charset=latin1", ""]) assert.equal((await ofType(type)).messageId, "m-1", type);
  const form = await ofType("application/x-www-form-urlencoded");
  assert.deepEqual([form.kind, form.messageId, form.key, form.extra], ["chat_report", undefined, undefined, { [report]: "" }], "nothing is lost");
  const full = await receiver.receive({ method: "POST", url, headers: {}, body: new Uint8Array(MAX_BODY) }, { now });
  assert.equal(full.kind, "unknown");
});

test("input that is not text becomes a rejection or an event, never a trap", async () => {
  const url = receiver.url("chat_report", "", { now });
  for (const body of ["\ud800", new Uint8Array([0xff, 0xfe, 0]), "[".repeat(100_000), '{"a":'.repeat(50_000), "null", '{"messageId":"\\ud800"}']) {
    const event = await receiver.receive({ method: "POST", url, headers: { "content-type": "application/json" }, body }, { now });
    assert.ok(["chat_report", "unknown"].includes(event.kind));
  }
  assert.equal(await reason(() => receiver.receive({ method: "GET", url: `https://shop.example/hooks/chat?token=${"\ud800"}`, headers: {} }, { now })), "malformed");
  assert.equal(await reason(() => receiver.receive({ method: "\0", url, headers: {} }, { now })), "method");
});

test("after a trap of the module, receivers and keyrings work again", async () => {
  const { CallbackReceiver } = await import("../pkg/call/cpaas_call.js");
  const { receive } = CallbackReceiver.prototype;
  CallbackReceiver.prototype.receive = () => { throw new WebAssembly.RuntimeError("unreachable"); };
  const url = receiver.url("chat_report", "", { now });
  const report = { method: "POST", url, headers: {}, body: '{"messageId":"m-1","status":"sent"}' };
  try {
    await assert.rejects(receiver.receive(report, { now }), { name: "ModuleTrapped" });
    const lines = [];
    const handle = fetchHandler(receiver, () => assert.fail(), { logger: { warn: assert.fail, error: (message) => lines.push(message) } });
    assert.equal((await handle(new Request(url, { method: "POST", body: report.body }))).status, 500);
    assert.deepEqual(lines, ["cpaas/callbacks: a callback was not processed"]);
  } finally {
    CallbackReceiver.prototype.receive = receive;
  }
  assert.equal((await receiver.receive(report, { now })).messageId, "m-1");
  assert.ok(receiver.url("chat_report").includes("token=v1."));
});

test("the entry has these exports", () => {
  assert.deepEqual(Object.keys(api).sort(), ["CallbackRejected", "Duplicates", "Keyring", "MAX_BODY", "Receiver", "Template", "fetchHandler", "nodeHandler", "tokenUrl"]);
  assert.equal(new Duplicates() instanceof Duplicates, true);
});
