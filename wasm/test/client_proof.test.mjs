// "Not sent" of `cpaas/client` in Node is always true, and no request is sent twice: servers that count what they read, and failures at random
// moments. `CPAAS_TRIES` is the number of tries, 2,000 by default.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import test, { after, before } from "node:test";
import tls from "node:tls";
import { fileURLToPath } from "node:url";
import { Client, NotSent } from "cpaas/client";
import { failure } from "./client/provider.mjs";

const TRIES = Number(process.env.CPAAS_TRIES ?? 2000);

let folder;
before(() => {
  folder = mkdtempSync(`${tmpdir()}/cpaas-client-`);
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-keyout", `${folder}/key.pem`, "-out", `${folder}/certificate.pem`, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], { stdio: "ignore" });
});
const identity = () => ({ key: readFileSync(`${folder}/key.pem`), cert: readFileSync(`${folder}/certificate.pem`) });

/** How often the text of each try was read by a server. */
const reads = new Map();
const read = (data) => {
  for (const [text] of data.toString("latin1").matchAll(/try-\d+-end/g)) reads.set(text, (reads.get(text) ?? 0) + 1);
};

const RESPONSE = 'HTTP/1.1 200 OK\r\ncontent-length: ';
let ids = 0;
const respond = (socket, head = "") => {
  const body = JSON.stringify({ id: `p-${++ids}`, responseCode: 0 });
  socket.write(`${RESPONSE}${body.length}\r\n${head}\r\n${body}`);
};
const random = (limit) => Math.floor(Math.random() * limit);

/** Starts a server; `handle(socket)` after each connection. */
async function serve(handle, over = net, options = {}) {
  const server = over.createServer(options, (socket) => {
    socket.on("error", () => {});
    socket.on("data", read);
    handle(socket);
  });
  server.on("tlsClientError", () => {});
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address();
  servers.push(server);
  return port;
}
const servers = [];
after(() => servers.forEach((server) => server.close()));

const kinds = {};
before(async () => {
  const onRequest = (then) => (socket) => socket.on("data", () => then(socket));
  const slow = onRequest((socket) => setTimeout(() => socket.writable && respond(socket), random(6)));
  const closing = onRequest((socket) => (random(3) === 0 ? socket.destroy() : respond(socket, random(2) === 0 ? "keep-alive: timeout=1\r\n" : "")));
  const closed = await serve(() => {});
  const refused = servers.pop();
  await new Promise((done) => refused.close(done));
  const https = async (handle) => `https://localhost:${await serve(handle, tls, identity())}`;
  const http = async (handle) => `http://127.0.0.1:${await serve(handle)}`;
  Object.assign(kinds, {
    refused: { url: `http://127.0.0.1:${closed}`, isProven: true },
    dns: { url: "http://no-such-host.invalid", isProven: true },
    certificate: { url: await https(slow), isProven: true },
    "TLS stalled": { url: `https://127.0.0.1:${await serve(() => {})}`, isProven: true, connectTimeoutMs: 5 },
    "TLS reset": { url: `https://127.0.0.1:${await serve((socket) => socket.once("data", () => socket.resetAndDestroy()))}`, isProven: true },
    "not TLS": { url: `https://127.0.0.1:${await serve((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")))}`, isProven: true },
    "reset at accept": { url: await http((socket) => socket.resetAndDestroy()) },
    "abort, http": { url: await http(slow), abort: true, isTimed: true },
    "abort, https": { url: await https(slow), abort: true, isTimed: true, caBundle: true },
    "deadline, http": { url: await http(slow), deadline: true, isTimed: true },
    "deadline, https": { url: await https(slow), deadline: true, isTimed: true, caBundle: true },
    "kept connections that close": { url: await http(closing) },
    "kept connections that close, https": { url: await https(closing), caBundle: true },
  });
});

function clientOf({ url, caBundle, ...rest }, more = {}) {
  const settings = { smsUrl: url, smsKey: "k", readEnvironment: false, maxAttempts: 1, ...more };
  if (caBundle) settings.caBundle = `${folder}/certificate.pem`;
  if (rest.connectTimeoutMs) settings.connectTimeoutMs = rest.connectTimeoutMs;
  return new Client(settings);
}

let tries = 0;

/** One call; returns its outcome and the text that identifies it. */
async function attempt(client, { abortMs, deadlineMs = 5000 }) {
  const text = `try-${++tries}-end`;
  const controller = new AbortController();
  const options = { signal: controller.signal, deadlineMs };
  const timer = abortMs === undefined ? undefined : setTimeout(() => controller.abort(), abortMs);
  const ended = await client.sms.send({ from: "Acme", to: "306912345678", text }, options).then(() => "accepted", (error) => error);
  clearTimeout(timer);
  return { text, ended };
}

const outcomes = {};
function check(name, { text, ended }, isProven) {
  const outcome = ended.outcome ?? ended;
  (outcomes[name] ??= {})[outcome] = (outcomes[name][outcome] ?? 0) + 1;
  const count = reads.get(text) ?? 0;
  assert.ok(count <= 1, `${name}: ${count} requests`);
  if (outcome === "accepted") assert.equal(count, 1, name);
  if (ended instanceof NotSent) assert.equal(count, 0, `${name}: a false proof (${ended.reason})`);
  if (isProven) assert.ok(ended instanceof NotSent, `${name}: ${ended}`);
}

/** The longest time of a few calls with new connections, in milliseconds: the random moments are within twice this time. */
async function longest(kind) {
  let most = 8;
  for (let time = 0; time < 3; time++) {
    const client = clientOf(kind);
    const begin = performance.now();
    await attempt(client, {});
    most = Math.max(most, performance.now() - begin);
    client.close();
  }
  return most;
}

test("no false proof and no second request, at random moments", async () => {
  const each = Math.ceil(TRIES / Object.keys(kinds).length);
  for (const [name, kind] of Object.entries(kinds)) {
    let client = clientOf(kind);
    const window = kind.isTimed ? 2 * (await longest(kind)) : 0;
    const limits = () => ({ abortMs: kind.abort && random(window), deadlineMs: kind.deadline && 1 + random(window) });
    for (let done = 0; done < each; ) {
      const some = Math.min(1 + random(8), each - done);
      if (kind.isTimed && random(2) === 0) {
        client.close();
        client = clientOf(kind); // connects again
      }
      const ended = await Promise.all(Array.from({ length: some }, () => attempt(client, limits())));
      await new Promise((resolve) => setTimeout(resolve, kind.isTimed ? 8 : 0)); // a late read
      ended.forEach((one) => check(name, one, kind.isProven));
      done += some;
    }
    client.close();
  }
  console.log(`${tries} tries:`, JSON.stringify(outcomes));
  const timed = (outcome) => Object.entries(kinds).reduce((sum, [name, { isTimed }]) => sum + (isTimed ? (outcomes[name][outcome] ?? 0) : 0), 0);
  for (const outcome of ["accepted", "not_sent", "unknown"]) assert.ok(timed(outcome) > 0, outcome);
});

test("calls that wait for one of two connections are proven not sent at their deadline", async () => {
  const port = await serve((socket) => socket.on("data", () => setTimeout(() => socket.writable && respond(socket), 1200)));
  const client = clientOf({ url: `http://127.0.0.1:${port}` }, { maxConnections: 3 });
  const ended = await Promise.all(Array.from({ length: 64 }, (_, index) => attempt(client, { deadlineMs: index < 2 ? 900 : 300 })));
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const one of ended) check("queued", one);
  assert.deepEqual(outcomes.queued, { not_sent: 62, unknown: 2 });
  client.close();
});

test("each error of the system before the connection has its reason", async (t) => {
  const reasons = { EMFILE: "resources", ENFILE: "resources", ENOTFOUND: "dns", EAI_AGAIN: "dns", ECONNREFUSED: "connect", EHOSTUNREACH: "connect" };
  let code;
  t.mock.method(net.Socket.prototype, "connect", function connect() {
    process.nextTick(() => this.destroy(Object.assign(new Error(code), { code })));
    return this;
  });
  const client = clientOf({ url: "http://127.0.0.1:9" });
  for (const [given, reason] of Object.entries(reasons)) {
    code = given;
    const error = await failure(client.sms.send({ from: "Acme", to: "306912345678", text: "Hi" }));
    assert.deepEqual([error.constructor, error.reason, error.retryable], [NotSent, reason, true], code);
  }
  client.close();
});

test("a certificate is rejected with its reason, and caBundle accepts it", async () => {
  const port = await serve((socket) => socket.on("data", () => respond(socket)), tls, identity());
  const settings = { smsUrl: `https://localhost:${port}`, smsKey: "k", readEnvironment: false };
  const error = await failure(new Client(settings).sms.send({ from: "Acme", to: "306912345678", text: "Hi" }));
  assert.deepEqual([error.constructor, error.reason, error.retryable], [NotSent, "tls", false]);
  assert.match(error.message, /no trusted authority issued it: check `caBundle`/);
  const trusting = new Client({ ...settings, caBundle: `${folder}/certificate.pem` });
  assert.match((await trusting.sms.send({ from: "Acme", to: "306912345678", text: "Hi" })).id, /^p-/);
  const other = new Client({ ...settings, smsUrl: `https://127.0.0.1:${port}`, caBundle: `${folder}/certificate.pem` });
  assert.match((await failure(other.sms.send({ from: "Acme", to: "306912345678", text: "Hi" }))).message, /it belongs to another host name/);
  trusting.close();
});

test("over TLS, calls that start in a timer or an immediate are accepted, and an early response is not", async () => {
  // In another process, so that responses arrive while this one is in any phase of its event loop.
  const server = spawn(process.execPath, [fileURLToPath(new URL("./client/tls_provider.mjs", import.meta.url)), folder], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(server.stdout.setEncoding("utf8"), "data");
  const client = clientOf({ url: `https://localhost:${port.trim()}`, caBundle: true });
  const later = { immediate: (run) => setImmediate(run), timer: (run) => setTimeout(run, 0), tick: (run) => process.nextTick(run) };
  for (const [name, start] of Object.entries(later)) {
    for (let time = 0; time < 400; time++) {
      const { ended } = await new Promise((resolve) => start(() => resolve(attempt(client, {}))));
      assert.equal(ended, "accepted", `${name}: ${ended}`);
    }
  }
  client.close();
  server.kill();
  const early = await serve((socket) => {
    socket.once("data", () => (respond(socket), socket.pause()));
    setTimeout(() => socket.resume(), 300);
  }, tls, identity());
  const to = Array.from({ length: 400_000 }, (_, index) => 306900000000 + index).join(",");
  const other = clientOf({ url: `https://localhost:${early}`, caBundle: true });
  const error = await failure(other.call("sms.send_bulk", { from: "Acme", to, text: "Hi" }, { validate: "off", deadlineMs: 5000 }));
  assert.equal(error.outcome, "unknown", String(error));
  other.close();
});

test("a failover to the next region follows a proof at once", async () => {
  const port = await serve((socket) => socket.on("data", () => respond(socket)));
  const client = new Client({ smsUrl: "http://127.0.0.1:1", smsUrlFrankfurt: `http://127.0.0.1:${port}`, smsKey: "k", readEnvironment: false });
  const sent = await client.sms.send({ from: "Acme", to: "306912345678", text: "Hi" });
  assert.equal(sent.response.attempts, 2);
  client.close();
});
