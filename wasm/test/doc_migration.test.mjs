// The JavaScript scripts of docs/migration-twilio.md: those after the move run in Node against the sandbox, the one before it is parsed.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test, { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client, Invalid } from "cpaas/client";
import { failure } from "./client/provider.mjs";
import { blocks } from "./doc_blocks.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const binary = process.env.CPAAS_SANDBOX ?? `${process.env.CARGO_TARGET_DIR ?? new URL("../../target", import.meta.url).pathname}/debug/cpaas-sandbox`;
const [twilio, own, route] = blocks("docs/migration-twilio.md", "js");
const number = "+306912345678";
const callbacks = createServer((request, response) => response.end());
let child, url, folder, script;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cpaas-migration-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/cpaas"));
  symlinkSync(join(root, "node_modules/express"), join(folder, "node_modules/express"));
  writeFileSync(join(folder, "before.mjs"), twilio);
  writeFileSync(join(folder, "remind.mjs"), own);
  writeFileSync(join(folder, "route.mjs"), route);
  await once(callbacks.listen(0, "127.0.0.1"), "listening");
  process.env.SHOP_HOOK = `http://127.0.0.1:${callbacks.address().port}/hooks`;
  process.env.SHOP_CALLBACK_SECRET = "thirty-two bytes that are random";
  child = spawn(binary, ["--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  url = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, name, value] = /^(CPAAS_\w+)=(.*)$/.exec(line) ?? [];
      if (name) process.env[name] = value;
      if (line.startsWith("{")) resolve(JSON.parse(line).url);
    });
  });
  script = await import(pathToFileURL(join(folder, "remind.mjs")));
});
after(() => {
  child?.kill();
  callbacks.close();
  callbacks.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

/** The last message to the number. */
const last = async () => (await (await fetch(`${url}/_sandbox/messages?to=${number.slice(1)}&wait=5`)).json()).messages.at(-1);
const functions = (code) => [...code.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name);

test("the scripts have the same functions and about sixty lines", () => {
  const { status, stderr } = spawnSync(process.execPath, ["--check", join(folder, "before.mjs")], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.deepEqual(functions(twilio), functions(own));
  assert.ok(functions(own).length === 6);
  for (const code of [twilio, own]) assert.ok(code.split("\n").length > 50 && code.split("\n").length <= 75);
});

test("a reminder is sent, and its report is authentic", async () => {
  const reported = once(callbacks, "request");
  const sent = await script.remind(number, "7");
  assert.equal((await last()).text, "Your table is ready (booking 7)");
  const [request] = await reported;
  const parts = { method: request.method, url: request.url, headers: request.headers };
  const [id, status] = await script.report(parts);
  assert.equal(id, sent);
  assert.match(status, /^(sent|delivered)$/i);
  assert.equal(await script.report({ ...parts, url: request.url.replace("token=v1", "token=v2") }), null);
  assert.equal(await script.report({ ...parts, url: "/hooks?msgid=1&status=delivered&reference=7" }), null);
});

test("only an invalid number is null", async () => {
  const ids = await script.remindAll({ 7: number, 8: "nobody" });
  assert.ok(ids[7]);
  assert.equal(ids[8], null);
  const address = process.env.CPAAS_SMS_URL;
  delete process.env.CPAAS_SMS_URL;
  const withoutAddress = await import(`${pathToFileURL(join(folder, "remind.mjs"))}?second`);
  process.env.CPAAS_SMS_URL = address;
  assert.ok((await failure(withoutAddress.remind(number, "9"))) instanceof Invalid);
});

test("an invalid text is not an invalid number", async () => {
  const empty = own.replace("Your table is ready (booking ${booking})", "");
  assert.notEqual(empty, own);
  writeFileSync(join(folder, "empty.mjs"), empty);
  const script = await import(pathToFileURL(join(folder, "empty.mjs")));
  const error = await failure(script.remind(number, "7"));
  assert.deepEqual(error.problems.map(({ pointer, severity }) => [pointer, severity]), [["/to", "info"], ["/text", "error"]]);
  assert.equal(error.code, undefined);
  assert.equal(await script.remind("nobody", "7"), null);
});

test("the route accepts GET and POST", async (t) => {
  const { app } = await import(pathToFileURL(join(folder, "route.mjs")));
  const server = app.listen(0, "127.0.0.1");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const reported = once(callbacks, "request");
  await script.remind(number, "route");
  const [{ url: path }] = await reported;
  const hook = `http://127.0.0.1:${server.address().port}${path}`;
  const form = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  assert.equal((await fetch(hook)).status, 200);
  assert.equal((await fetch(hook.replace("token=v1", "token=v2"))).status, 403);
  assert.ok(![405, 500].includes((await fetch(hook, form)).status));
});

test("what the page says of unknown members", async () => {
  const client = new Client({ normalize: "international" });
  const request = { to: number, from: "Acme", text: "Hi" };
  const unknown = { statusCallback: "https://shop.example", mediaUrl: "https://shop.example/a.png", sendAt: 1 };
  const warned = (await client.sms.send({ ...request, ...unknown })).warnings.filter(({ severity }) => severity === "warning");
  assert.deepEqual(warned.map(({ pointer }) => pointer), ["/mediaUrl", "/sendAt", "/statusCallback"]);
  const pedantic = client.with({ validation: "pedantic" });
  assert.ok((await pedantic.sms.send(request)).id);
  const refused = await failure(pedantic.sms.send({ ...request, ...unknown }));
  assert.ok(refused instanceof Invalid);
  assert.match(refused.message, /^sms\.send: nothing was sent: \/mediaUrl: unknown field.*, and 2 more$/);
  const { message } = await failure(client.sms.send({ to: number, from: "Acme", body: "Hi" }));
  assert.match(message, /nothing was sent: \/body: .*did you mean `text`\? .*, and 1 more$/);
  assert.match((await failure(script.remind(number, 7))).message, /\/reference: expected a string, got an integer/);
  assert.match((await failure(script.remind(number, undefined))).message, /\/reference: must be set when the client signs/);
  assert.ok((await client.otp.send({ service: "login", from: "Acme", to: number, body: "{code}", code: "1234" })).warnings.some(({ pointer }) => pointer === "/code"));
  client.close();
});

test("passcodes: an empty one is invalid, an unknown id is false", async () => {
  assert.ok((await failure(script.finishLogin(await script.startLogin(number), ""))) instanceof Invalid);
  assert.equal(await script.finishLogin("OTP0", "123456"), false);
});

test("only the right passcode logs in", async () => {
  const login = await script.startLogin(number);
  const [code] = /\d{6}/.exec((await last()).text);
  assert.equal(await script.finishLogin(login, `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`), false);
  assert.equal(await script.finishLogin(login, code), true);
});

test("the country of a number is looked up", async () => {
  assert.equal(await script.country(number), "GR");
  assert.equal(await script.country("hello"), null);
});

test("the script runs as a program", async () => {
  const program = spawn(process.execPath, [join(folder, "remind.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
  program.stdin.end("wrong\n");
  let said = "";
  program.stdout.on("data", (data) => (said += data));
  const [code] = await once(program, "close");
  assert.equal(code, 0);
  assert.match(said, /^\{\s+'7': '.+',\s+'8': '.+'\s+\}\nPasscode: false\n$/);
});
