// `cpaas/client` in Node, Deno, Bun and workerd: `HOSTS=folder node --test`. The folder has the npm packages of wasm/test/hosts;
// tests/nightly/wasm_runtimes.sh creates it. Without it, only Node is tested.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startWorkerd } from "./client/workerd.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = process.env.HOSTS;
const bin = (name) => `${folder}/node_modules/.bin/${name}`;
const skip = folder ? false : "HOSTS is not set";

let ids = 0;
const body = () => JSON.stringify({ id: `h-${++ids}`, responseCode: 0 });
const CASES = {
  accepted: (response) => response.end(body()),
  misdirected: (response) => response.writeHead(421, { connection: "close" }).end(),
  timedOut: (response) => response.writeHead(408, { connection: "close" }).end(),
  redirect: (response) => response.writeHead(307, { location: "/elsewhere" }).end(),
  closed: (response) => response.socket.destroy(),
  endless: (response) => response.writeHead(200).write("x".repeat(200_000)),
  early: (response) => response.writeEarlyHints({ link: "</a>; rel=preload" }, () => response.socket.destroy()),
};
/** The received requests of each case. */
const received = {};
const urls = { refused: "http://127.0.0.1:1", unknownHost: "http://no-such-host.invalid" };
const servers = [];

/** The number of received lookups by query; each second one on a kept connection is read, and the connection is closed. */
let lookups = 0;

before(async () => {
  const answered = new WeakSet();
  const server = createServer((request, response) => {
    lookups += 1;
    const { socket } = response;
    if (answered.has(socket)) return void socket.destroy();
    answered.add(socket);
    response.end('[{"msisdn":"306912345678","response":0}]');
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  servers.push(server);
  urls.lookups = `http://127.0.0.1:${server.address().port}`;
  for (const [name, respond] of Object.entries(CASES)) {
    received[name] = [];
    const server = createServer((request, response) => {
      request.on("error", () => {});
      let text = "";
      request.on("data", (data) => (text += data)).on("end", () => {
        received[name].push({ headers: request.headers, text });
        respond(response);
      });
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    servers.push(server);
    urls[name] = `http://127.0.0.1:${server.address().port}`;
  }
});
after(() => servers.forEach((server) => (server.close(), server.closeAllConnections())));

/** Checks what is the same on each host, and `expected`, which is not. */
function check(results, { refused, unknownHost, settings, isLookupRefused = false }) {
  assert.deepEqual(results.accepted, ["accepted", "accepted"]);
  assert.deepEqual(results.aborted, ["not_sent no cancelled"]);
  for (const name of ["closed", "early"]) for (const outcome of results[name]) assert.match(outcome, /^unknown maybe /, name);
  for (const outcome of results.redirect) assert.match(outcome, /^rejected yes/);
  for (const outcome of results.endless) assert.match(outcome, /^unknown maybe too_large/);
  assert.deepEqual([results.refused[0], results.unknownHost[0]], [refused, unknownHost]);
  assert.deepEqual(results.refusedSetting.map((message) => /is not available here/.test(message)), settings);
  assert.equal(results.lookups.length, 6);
  for (const outcome of results.lookups) assert.match(outcome, isLookupRefused ? /^invalid no/ : /^(accepted|unknown maybe)/);
  assert.equal(lookups, isLookupRefused ? 0 : results.lookups.length, "a lookup, which is charged, was sent twice");
  lookups = 0;
  assert.ok(!JSON.stringify(results).includes("31337"), JSON.stringify(results));
  for (const [name, requests] of Object.entries(received)) {
    // `accepted` is sent twice, and once more with a signal that is aborted.
    assert.equal(requests.length, 2, `${name}: ${requests.length} requests for 2 calls`);
    for (const { headers, text } of requests) {
      assert.equal(JSON.parse(text).text, "Your table is ready");
      assert.match(headers["user-agent"], /^cpaas\/.* \(javascript\)$/);
      assert.ok(!("content-length" in headers) || headers["content-length"] === String(text.length));
    }
    requests.length = 0;
  }
}

const program = async (command, ...args) => JSON.parse((await promisify(execFile)(command, [...args, JSON.stringify(urls)], { cwd: root })).stdout);
const UNPROVEN = { refused: "unknown maybe reset", unknownHost: "unknown maybe reset", settings: [true, true] };

test("Node", async () => check(await program(process.execPath, "test/client/host_program.mjs"), { refused: "not_sent no connect", unknownHost: "not_sent no dns", settings: [true, false] }));

test("Deno", { skip }, async () => check(await program(bin("deno"), "run", "--allow-read", "--allow-net", "test/client/host_program.mjs"), UNPROVEN));

test("Bun", { skip }, async () =>
  check(await program(bin("bun"), "run", "test/client/host_program.mjs"), { refused: "not_sent no connect", unknownHost: "not_sent no dns", settings: [true, true] }));

test("workerd", { skip }, async () => {
  const { url, stop } = await startWorkerd(bin("workerd"), "test/client/host_worker.mjs");
  try {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(urls) });
    check(await response.json(), { ...UNPROVEN, isLookupRefused: true });
  } finally {
    stop();
  }
});

test("a host that is not listed sends each request once, although its fetch would repeat it on 421", async () => {
  const { UNSUPPORTED, createTransport } = await import("../js/client/transport/fetch.js");
  assert.deepEqual(Object.keys(UNSUPPORTED), ["proxy", "caBundle", "connectTimeoutMs", "maxConnections"]);
  const { start } = createTransport({ maxResponseBytes: 1000 });
  for (const name of ["accepted", "misdirected", "timedOut", "redirect"]) {
    const request = { method: "POST", url: urls[name], headers: [["content-type", "application/json"]], body: new TextEncoder().encode('{"a":1}'), limitMs: 2000, leftMs: 2000 };
    const { isEarly } = await new Promise((respond, reject) => start(request, { respond, fail: ({ reason }) => reject(new Error(reason)) }));
    assert.equal(isEarly, false);
    assert.deepEqual(received[name].map(({ headers, text }) => [headers["content-length"], headers["transfer-encoding"], text]), [["7", undefined, '{"a":1}']], name);
    received[name].length = 0;
  }
});
