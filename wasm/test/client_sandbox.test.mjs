// `cpaas/client` and the blocks of docs/javascript.md in Node, against the sandbox.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import test, { after, before } from "node:test";
import { Client, Invalid, Rejected } from "cpaas/client";
import { failure } from "./client/provider.mjs";
import { blocks, section } from "./doc_blocks.mjs";

const binary = process.env.CPAAS_SANDBOX ?? `${process.env.CARGO_TARGET_DIR ?? new URL("../../target", import.meta.url).pathname}/debug/cpaas-sandbox`;
let child, url, env;

before(async () => {
  child = spawn(binary, ["--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  env = {};
  url = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, name, value] = /^(CPAAS_\w+)=(.*)$/.exec(line) ?? [];
      if (name) env[name] = value;
      if (line.startsWith("{")) resolve(JSON.parse(line).url);
    });
  });
});
after(() => child.kill());

const sandbox = async (path) => (await fetch(`${url}/_sandbox/${path}`)).json();

/** The passcode that a number received last. */
const passcode = async (to) => /\d+/.exec((await sandbox(`messages?to=${to}&wait=5`)).messages.at(-1).text)[0];

test("an SMS is accepted and in the ledger once", async () => {
  const client = new Client({ env });
  const sent = await client.sms.send({ from: "Acme", to: "306912345678", text: "Your table is ready" });
  assert.equal(sent.responseCode, 0);
  const { messages } = await sandbox("messages?to=306912345678");
  assert.deepEqual(messages.map(({ text }) => text), ["Your table is ready"]);
  client.close();
});

test("a passcode is sent and verified", async () => {
  const client = new Client({ env });
  const to = "306912345679";
  const { requestId } = await client.otp.send({ service: "login", from: "Acme", to, body: "Your code is {code}" });
  const code = await passcode(to);
  const wrong = await client.otp.verify({ service: "login", requestId, code: code === "000000" ? "000001" : "000000" });
  assert.equal(wrong.ok, false);
  const right = await client.otp.verify({ service: "login", requestId, code });
  assert.equal(right.ok, true);
  client.close();
});

test("a wrong key is Rejected, and an invalid request is Invalid", async () => {
  const client = new Client({ env });
  const error = await failure(client.with({ smsKey: "wrong" }).sms.send({ from: "Acme", to: "306912345678", text: "Hi" }));
  assert.deepEqual([error.constructor, error.status], [Rejected, 401]);
  assert.match(error.message, /check `smsKey`/);
  assert.ok((await failure(client.sms.send({ from: "Acme", to: "x", text: "Hi" }))) instanceof Invalid);
  client.close();
});

/** Starts a script of the package's folder with the settings of the sandbox; resolves with its output, or with its first line and the process. */
function start(script, isServer) {
  const program = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: new URL("../", import.meta.url), env: { ...process.env, ...env, PORT: "0" }, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let said = "";
    program.stdout.on("data", (data) => {
      said += data;
      if (isServer) resolve({ said, program });
    });
    program.once("close", (code) => (code === 0 ? resolve(said) : reject(new Error(`the script ended with ${code}: ${said}`))));
  });
}
const block = (heading, index = 0) => section("docs/javascript.md", heading, "js")[index];

test("the login of docs/javascript.md sends a passcode and accepts only the right one", async () => {
  const { said, program } = await start(`${block("Five minutes to a login")}\nserver.on("listening", () => console.log(server.address().port));`, true);
  try {
    const post = async (path, body) => {
      const response = await fetch(`http://127.0.0.1:${said.trim()}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      return [response.status, await response.json()];
    };
    const phone = "306912345680";
    const [status, { requestId }] = await post("/login", { phone });
    assert.equal(status, 200);
    const code = await passcode(phone);
    const wrong = `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`;
    assert.deepEqual(await post("/code", { requestId, code: wrong }), [403, { ok: false }]);
    assert.deepEqual(await post("/code", { requestId, code }), [200, { ok: true }]);
    const [refused, problems] = await post("/login", {});
    assert.deepEqual([refused, problems.map(({ pointer }) => pointer)], [422, ["/to"]]);
  } finally {
    program.kill();
  }
});

test("the Next route and the Worker of docs/javascript.md send", async () => {
  const request = 'new Request("http://localhost/", { method: "POST", body: JSON.stringify({ to: "306912345681" }) })';
  const route = await start(`${block("Next")}\nconsole.log(JSON.stringify(await (await POST(${request})).json())); process.exit(0);`);
  assert.ok(JSON.parse(route).id, route);
  const worker = block("Cloudflare Workers").replace("export default", "const worker =");
  const said = await start(`${worker}\nconsole.log(JSON.stringify(await (await worker.fetch(${request}, process.env)).json())); process.exit(0);`);
  assert.ok(JSON.parse(said).id, said);
});

test("the other blocks of docs/javascript.md and that of wasm/README.md run", async () => {
  assert.match(await start(`${blocks("wasm/README.md", "js")[1]}\nclient.close();`), /^[0-9a-f-]{36}\n$/);
  assert.equal(await start(block("Settings")), "true cancelled\n");
  assert.match(await start(block("Hooks")), /^request sms\.send 1 http.*\nresponse 200 \d+\nended sms\.send accepted yes\n$/);
  assert.match(await start(block("Lists")), /^\d+\n/);
  assert.equal(await start(block("Many messages")), "not accepted: 2 invalid\n");
  assert.equal(await start(block("Once for each key")), "true\n");
  assert.equal(await start(block("Hosts, and what proves \"not sent\"")), "m-1\n");
});
