// Runs the programs of docs/callbacks.md in JavaScript: Node while its keys rotate, Express, Fastify, Hono, Workers, and the store in
// PostgreSQL if CAMPAIGN_TEST_POSTGRES is the address of a server.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Duplicates, Keyring, Receiver, fetchHandler } from "cpaas/callbacks";
import { blocks } from "./doc_blocks.mjs";

const [program, own, express, fastify, hono, workers, postgres] = blocks("docs/callbacks.md", "js");
const root = fileURLToPath(new URL("../", import.meta.url));
const secret = { DELIVERY_SECRET: "delivery secret, 32 bytes or more of it", INBOUND_SECRET: "inbound secret, also 32 bytes or more" };
let folder;

const write = (name, text) => writeFileSync(join(folder, name), text);
const load = (name, text) => {
  write(name, text);
  return import(pathToFileURL(join(folder, name)));
};

before(() => {
  folder = mkdtempSync(join(tmpdir(), "cpaas-callbacks-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/cpaas"));
  for (const name of ["express", "fastify", "hono", "pg"]) symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  Object.assign(process.env, secret);
  write("receiver.mjs", own);
});
after(() => rmSync(folder, { recursive: true, force: true }));

const report = (id) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ messageId: id, status: "Delivered" }) });

async function freePort() {
  const server = createSocket();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function isUp(port) {
  for (let tries = 0; tries < 600; tries += 1) {
    const open = await new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (open) return;
    await sleep(50);
  }
  assert.fail("the program did not start");
}

test("the program of the page receives callbacks while its keys rotate", async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}/hooks`;
  const ring = (kids) => ({ keys: kids.map((kid) => ({ kid, secret: `the secret of ${kid}, thirty-two bytes or more` })) });
  const configure = (kids) => {
    const text = JSON.stringify({ audience: "shop", public_url: publicUrl, delivery_keys: ring(kids), inbound_keys: ring(kids) });
    write("next", text);
    renameSync(join(folder, "next"), join(folder, "callbacks.json"));
    return Receiver.fromJson(text);
  };
  const steps = [["old"], ["old", "new"], ["new", "old"], ["new"]];
  let receiver = configure(steps[0]);
  const first = receiver.url("chat_report");
  write("app.mjs", program);
  const child = spawn(process.execPath, ["app.mjs"], { cwd: folder, env: { ...process.env, PORT: String(port) }, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = [[], []];
  child.stdout.on("data", (data) => out.push(data));
  child.stderr.on("data", (data) => err.push(data));
  try {
    await isUp(port);
    const statuses = [];
    for (const [index, kids] of steps.entries()) {
      receiver = configure(kids);
      for (const url of [first, receiver.url("chat_report")]) statuses.push((await fetch(url, report(`m-${index}`))).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 403, 200]);
    const sms = `${receiver.url("sms_report", "booking-7")}&msgid=s-1&status=sent&reference=booking-7`;
    assert.equal((await fetch(sms)).status, 200);
    assert.equal((await fetch(sms)).status, 200);
    assert.equal((await fetch(receiver.url("inbound_sms"), { ...report(), body: '{"from":"306912345678","to":"54100","text":"Yes"}' })).status, 200);
    await sleep(50);
  } finally {
    child.kill();
  }
  const printed = String(Buffer.concat(out)).trim().split("\n");
  // The two URLs of a step have different nonces, except in the first two steps, where they may be one key's: each is an event of its own.
  assert.deepEqual([...new Set(printed)], ["chat_report m-0 Delivered", "chat_report m-1 Delivered", "chat_report m-2 Delivered", "chat_report m-3 Delivered", "sms_report s-1 sent", "inbound_sms"]);
  assert.equal(printed.filter((line) => line.startsWith("sms_report")).length, 1);
  assert.equal(String(Buffer.concat(err)), "cpaas/callbacks: callback rejected: unknown_key\n");
});

/** Posts three reports to a framework: a new one, its repeat, and one without a token. */
async function tried(send, receiver, lines) {
  const url = receiver.url("chat_report").replace("https://shop.example", "");
  const statuses = [];
  for (const path of [url, url, "/hooks"]) statuses.push(await send(path, report("m-1")));
  const get = `${receiver.url("sms_report", "r").replace("https://shop.example", "")}&msgid=1&status=sent&reference=r`;
  statuses.push(await send(get, { method: "GET" }));
  assert.deepEqual(statuses, [200, 200, 403, 200]);
  assert.deepEqual(lines.splice(0), ["chat_report", "cpaas/callbacks: callback rejected: absent", "sms_report"]);
}

/** Runs a test with the lines that the programs print. */
async function printing(run) {
  const lines = [];
  const { log, warn } = console;
  console.log = console.warn = (...args) => lines.push(args.join(" "));
  try {
    await run(lines);
  } finally {
    Object.assign(console, { log, warn });
  }
}

async function listening(server, use) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  try {
    await use(async (path, options) => (await fetch(origin + path, options)).status);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("Express", () =>
  printing(async (lines) => {
    const { app } = await load("express.mjs", express);
    const { receiver } = await load("receiver.mjs", own);
    await listening(createServer(app), (send) => tried(send, receiver, lines));
    // After a parser: an error in the log, and with `verify` the bytes.
    const { default: framework } = await import(pathToFileURL(join(root, "node_modules/express/index.js")));
    const { nodeHandler } = await import("cpaas/callbacks");
    const errors = [];
    const hooks = nodeHandler(receiver, (event) => { lines.push(event.messageId); }, { logger: { warn() {}, error: (message, error) => errors.push(error.message) } });
    const url = receiver.url("chat_report").replace("https://shop.example", "");
    await listening(createServer(framework().use(framework.json()).use("/hooks", hooks)), async (send) => assert.equal(await send(url, report("m-2")), 500));
    assert.match(errors[0], /already read/);
    const verify = (request, response, bytes) => (request.rawBody = bytes);
    await listening(createServer(framework().use(framework.json({ verify })).use("/hooks", hooks)), async (send) => assert.equal(await send(url, report("m-3")), 200));
    assert.deepEqual(lines, ["m-3"]);
  }));

test("Fastify", () =>
  printing(async (lines) => {
    const { app } = await load("fastify.mjs", fastify);
    const { receiver } = await load("receiver.mjs", own);
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    try {
      await tried(async (path, options) => (await fetch(origin + path, options)).status, receiver, lines);
    } finally {
      app.server.closeAllConnections();
      await app.close();
    }
  }));

test("Hono", () =>
  printing(async (lines) => {
    const { app } = await load("hono.mjs", hono);
    const { receiver } = await load("receiver.mjs", own);
    await tried(async (path, options) => (await app.request(path, options)).status, receiver, lines);
  }));

test("Workers", async () => {
  const { default: worker } = await load("worker.mjs", workers);
  const kept = new Map();
  const env = { CALLBACK_SECRET: "k".repeat(32), PUBLIC_URL: "https://shop.example/hooks", REPORTS: { put: async (key, value) => kept.set(key, value) } };
  const keys = new Keyring([{ kid: "k1", secret: env.CALLBACK_SECRET }]);
  const url = new Receiver({ audience: "shop", publicUrl: env.PUBLIC_URL, deliveryKeys: keys }).url("chat_report");
  const waited = [];
  const response = await worker.fetch(new Request(url, report("m-1")), env, { waitUntil: (promise) => waited.push(promise) });
  assert.deepEqual([response.status, waited.length, kept.size], [200, 1, 1]);
  const [[key, value]] = kept;
  assert.match(key, /^cpaas:2:/);
  assert.equal(JSON.parse(value).messageId, "m-1");
});

/** A worker that is killed while it handles an event loses its lease, and not the event. */
async function killed(receiver, client) {
  const port = await freePort();
  write("stored.mjs", `${postgres}\nexport { store };`);
  write("worker_to_kill.mjs", `
    import { createServer } from "node:http";
    import { Duplicates, nodeHandler } from "cpaas/callbacks";
    import { receiver } from "./receiver.mjs";
    import { store } from "./stored.mjs";
    const handle = () => (console.log("began"), new Promise(() => {}));
    createServer(nodeHandler(receiver, handle, { duplicates: new Duplicates({ store, leaseSeconds: 2 }) })).listen(${port}, "127.0.0.1");`);
  const child = spawn(process.execPath, ["worker_to_kill.mjs"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const began = new Promise((resolve) => child.stdout.once("data", resolve));
  const url = receiver.url("chat_report");
  try {
    await isUp(port);
    fetch(url.replace("https://shop.example", `http://127.0.0.1:${port}`), report("k-1")).catch(() => {});
    await began;
  } finally {
    child.kill("SIGKILL");
  }
  const { store } = await import(pathToFileURL(join(folder, "stored.mjs")));
  let runs = 0;
  const handle = fetchHandler(receiver, () => { runs += 1; }, { duplicates: new Duplicates({ store }) });
  const post = async () => (await handle(new Request(url, report("k-1")))).status;
  assert.deepEqual([await post(), runs], [503, 0]);
  await sleep(2100);
  assert.deepEqual([await post(), await post(), runs], [200, 200, 1]);
  await client.query("DELETE FROM callbacks");
}

const address = process.env.CAMPAIGN_TEST_POSTGRES;

test("the store in PostgreSQL", { skip: address ? false : "CAMPAIGN_TEST_POSTGRES is not set", timeout: 60_000 }, async (context) => {
  const { default: pg } = await import(pathToFileURL(join(root, "node_modules/pg/esm/index.mjs")));
  const { hostname, port, username } = new URL(address);
  Object.assign(process.env, { PGHOST: hostname, PGPORT: port, PGUSER: username, PGDATABASE: "postgres" });
  const client = new pg.Client();
  await client.connect();
  context.after(() => client.end());
  await client.query("DROP TABLE IF EXISTS callbacks");
  const create = /^CREATE = "(CREATE TABLE.* callbacks .*timestamptz.*)"$/m.exec(readFileSync(new URL("../../docs/callbacks.md", import.meta.url), "utf8"))[1];
  await client.query(create);
  const { duplicates } = await load("store.mjs", postgres);
  assert.ok(duplicates instanceof Duplicates);
  const { receiver } = await load("receiver.mjs", own);
  await killed(receiver, client);
  let runs = 0;
  let end;
  const handle = fetchHandler(receiver, () => ((runs += 1), new Promise((resolve) => (end = resolve))), { duplicates });
  const post = () => handle(new Request(url, report("m-1")));
  const url = receiver.url("chat_report");
  let responses = 0;
  const all = Array.from({ length: 50 }, () => post().finally(() => (responses += 1)));
  while (responses < 49) await sleep(5); // all claims but one were refused before the handler ends
  end();
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  assert.deepEqual([runs, statuses.filter((status) => status === 200).length], [1, 1]);
  assert.equal((await post()).status, 200);
  const failing = fetchHandler(receiver, () => { throw new Error("no"); }, { duplicates, logger: { warn() {}, error() {} } });
  const other = () => new Request(url, report("m-2"));
  assert.deepEqual([(await failing(other())).status, (await failing(other())).status], [500, 500]);
  const { rows } = await client.query("SELECT count(*)::int AS count, count(token)::int AS leases FROM callbacks");
  assert.deepEqual(rows, [{ count: 1, leases: 0 }]);
  // A lease that another token holds, and one that has ended.
  const held = (seconds) => client.query("UPDATE callbacks SET token = 'other', until = clock_timestamp() + $1::float8 * interval '1 second'", [seconds]);
  await held(5);
  const busy = await post();
  assert.deepEqual([busy.status, busy.headers.get("retry-after")], [503, "5"]);
  await held(-1);
  const again = post();
  while (runs < 2) await sleep(5);
  end();
  assert.equal((await again).status, 200);
});
