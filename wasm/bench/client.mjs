// Processor time and memory of a send with `cpaas/client`, beside bare `fetch` with the same JSON, `undici.request` and `twilio`:
// `node wasm/bench/client.mjs [FOLDER]`, where node_modules of FOLDER contains undici and twilio; a peer that is missing is left out. The
// server and each measurement are processes of their own, and the peers take turns. Each figure is the median of several rounds.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const SENDS = Number(process.env.CPAAS_SENDS ?? 4000);
const ROUNDS = 7;
const script = new URL(import.meta.url).pathname;
const message = { from: "Acme", to: "306912345678", text: "Your table is ready" };
const headers = { "content-type": "application/json", "X-Service-API-Key": "key" };

/** Answers each send as the provider does, and each message of Twilio as Twilio does. Prints its port. */
function serve() {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const twilio = request.url.endsWith("/Messages.json");
      response.writeHead(twilio ? 201 : 200, { "content-type": "application/json" });
      response.end(twilio ? `{"sid":"SM${++count}","status":"queued","error_code":null}` : `{"id":"b-${++count}","timestamp":"2026-11-27T00:00:00Z","responseCode":0}`);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
}

/** The peers: each takes the address of the server, the number of connections and the folder, and returns a function that sends a message. */
const peers = {
  "cpaas/client": async (url) => {
    const { Client } = await import("cpaas/client");
    const client = new Client({ smsUrl: url, smsKey: "key", readEnvironment: false });
    return async () => (await client.sms.send(message)).id;
  },
  fetch: async (url) => async () => {
    const response = await fetch(`${url}/messages/send`, { method: "POST", headers, body: JSON.stringify(message) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return (await response.json()).id;
  },
  undici: async (url, connections, require) => {
    const { Pool } = require("undici");
    const pool = new Pool(url, { connections });
    return async () => {
      const { statusCode, body } = await pool.request({ path: "/messages/send", method: "POST", headers, body: JSON.stringify(message) });
      if (statusCode !== 200) throw new Error(`status ${statusCode}`);
      return (await body.json()).id;
    };
  },
  twilio: async (url, connections, require) => {
    const twilio = require("twilio");
    const account = `AC${"1".repeat(32)}`;
    const client = twilio(account, "secret");
    const request = client.httpClient.request.bind(client.httpClient);
    client.httpClient.request = (options) => request({ ...options, uri: `${url}/2010-04-01/Accounts/${account}/Messages.json` });
    return async () => (await client.messages.create({ from: "Acme", to: "+306912345678", body: message.text })).sid;
  },
};

/** Prints the microseconds of processor time for a send, and the largest resident memory in MB. */
async function measure(name, url, inFlight, folder) {
  const send = await peers[name](url, inFlight, createRequire(`${folder}/`));
  const run = (count) => Promise.all(Array.from({ length: inFlight }, async () => {
    for (let done = 0; done < count / inFlight; done++) if (!(await send())) throw new Error(`${name} returned no id`);
  }));
  await run(SENDS / 4); // warms up
  const before = process.cpuUsage();
  await run(SENDS);
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify([(user + system) / SENDS, process.resourceUsage().maxRSS / 1024]));
  process.exit(0);
}

const child = (...options) => spawn(process.execPath, [script, ...options], { stdio: ["ignore", "pipe", "inherit"] });
const firstLine = (process) => new Promise((resolve, reject) => {
  createInterface({ input: process.stdout }).once("line", resolve);
  process.once("exit", (code) => code !== 0 && reject(new Error(`the measurement ended with ${code}`)));
});
const median = (list) => list.sort((one, other) => one - other)[Math.floor(list.length / 2)];

async function compare(folder) {
  const require = createRequire(`${folder}/`);
  const installed = (name) => {
    try {
      return name in { "cpaas/client": 0, fetch: 0 } || require.resolve(name);
    } catch {
      console.log(`${name} is not installed in ${folder}`);
    }
  };
  const names = Object.keys(peers).filter(installed);
  const server = child("server");
  const url = `http://127.0.0.1:${await firstLine(server)}`;
  for (const inFlight of [1, 64]) {
    const found = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of names) found[name].push(JSON.parse(await firstLine(child("measure", name, url, inFlight, folder))));
    }
    const [time, memory] = [0, 1].map((column) => Object.fromEntries(names.map((name) => [name, median(found[name].map((figures) => figures[column]))])));
    for (const name of names) {
      const ratios = names.filter((peer) => name === "cpaas/client" && peer !== name).map((peer) => `${(time[name] / time[peer]).toFixed(2)} of ${peer}`);
      console.log(`${inFlight} in flight: ${name}: ${time[name].toFixed(0)} µs of processor time a send, ${memory[name].toFixed(0)} MB${ratios.length ? `; ${ratios.join(", ")}` : ""}`);
    }
  }
  server.kill();
}

const [mode, ...rest] = process.argv.slice(2);
if (mode === "server") serve();
else if (mode === "measure") await measure(rest[0], rest[1], Number(rest[2]), rest[3]);
else await compare(mode ?? process.cwd());
