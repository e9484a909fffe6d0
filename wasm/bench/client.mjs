// CPU time of a send with `cpaas/client` beside bare `fetch` with the same JSON: `node wasm/bench/client.mjs`. The server is a process of its
// own. Each figure is the median of several rounds.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { Client } from "cpaas/client";

const SENDS = Number(process.env.CPAAS_SENDS ?? 2000);
const ROUNDS = 7;

if (process.argv[2] === "server") {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(`{"id":"b-${++count}","timestamp":"2026-11-27T00:00:00Z","responseCode":0}`);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
} else {
  const child = spawn(process.execPath, [new URL(import.meta.url).pathname, "server"], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise((resolve) => createInterface({ input: child.stdout }).once("line", resolve));
  const url = `http://127.0.0.1:${port}`;
  const message = { from: "Acme", to: "306912345678", text: "Your table is ready" };
  const client = new Client({ smsUrl: url, smsKey: "key", readEnvironment: false });
  const ways = {
    "fetch": async () => {
      const response = await fetch(`${url}/messages/send`, { method: "POST", headers: { "content-type": "application/json", "X-Service-API-Key": "key" }, body: JSON.stringify(message) });
      return (await response.json()).id;
    },
    "cpaas/client": async () => (await client.sms.send(message)).id,
  };

  /** Microseconds of CPU for one send. */
  async function measure(send, inFlight) {
    const before = process.cpuUsage();
    await Promise.all(Array.from({ length: inFlight }, async () => {
      for (let done = 0; done < SENDS / inFlight; done++) await send();
    }));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / SENDS;
  }

  const median = (list) => list.sort((one, other) => one - other)[Math.floor(list.length / 2)];
  for (const inFlight of [1, 64]) {
    const found = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
    for (const send of Object.values(ways)) await measure(send, inFlight); // warms up
    for (let round = 0; round < ROUNDS; round++) for (const [name, send] of Object.entries(ways)) found[name].push(await measure(send, inFlight));
    const [bare, own] = Object.values(found).map(median);
    console.log(`${inFlight} in flight: fetch ${bare.toFixed(0)} µs, cpaas/client ${own.toFixed(0)} µs of CPU a send, ratio ${(own / bare).toFixed(2)}`);
  }
  client.close();
  child.kill();
}
