// What the JavaScript drivers share; driver.py describes the protocol of a driver.
import { createInterface } from "node:readline";

const [mode = "recommended", seconds = "10"] = process.argv.slice(2);
export const retries = mode === "recommended";
export const timeoutMs = Number(seconds) * 1000;
export const to = "306912345678";
export const text = "Hello";

/** As `by_status` of driver.py. */
export const byStatus = (status) => (status >= 300 && status < 500 && status !== 408 && status !== 499 ? "rejected" : "unknown");

// As in driver.py: what a client prints goes to the standard error.
const writeReport = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

/** Makes the calls. `report` returns what the error says, or undefined if it says nothing about the message. */
export async function run(call, report) {
  writeReport("ready\n");
  let number = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    number += 1;
    let told = "accepted";
    let detail;
    try {
      detail = JSON.stringify(await call(line));
    } catch (error) {
      told = report(error) ?? "unknown";
      detail = String(error);
    }
    writeReport(`${number}\t${told}\t${String(detail).replaceAll(/\s+/g, " ").slice(0, 200)}\n`);
  }
}
