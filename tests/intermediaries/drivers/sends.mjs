// Sends from Node; `../README.md` describes what a driver reads and writes.
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../../../wasm/js/client.js";

// A rejection with a status of 5xx may have been processed.
const processed = { yes: "accepted", maybe: "unknown" };
const report = (error) => processed[error.processed] ?? error.outcome?.replaceAll("_", " ") ?? "failed";

const client = new Client();
const [atOnce, pause] = process.argv.slice(2).map(Number);
const lines = (await text(process.stdin)).trim().split("\n").values();

async function work() {
  for (const line of lines) {
    const [to, reference] = line.split("\t");
    const options = { extraHeaders: { "X-Reference": reference } };
    const send = to.includes(",") ? client.sms.sendBulk : client.sms.send;
    const [told, attempts, detail] = await send({ from: "Acme", to, text: "Hello", reference }, options).then(
      (sent) => ["accepted", sent.response.attempts, ""],
      (error) => [report(error), error.attempts, String(error)],
    );
    console.log([reference, told, attempts ?? "", detail.replace(/\s+/g, " ")].join("\t"));
    if (told !== "accepted") await sleep(pause * 1000);
  }
}

await Promise.all(Array.from({ length: atOnce }, work));
client.close();
