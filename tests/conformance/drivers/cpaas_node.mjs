// cpaas for Node: sms.send. Recommended: the defaults. Retries off: `maxAttempts: 1`.
import { Client } from "../../../wasm/js/client.js";
import { retries, run, text, timeoutMs, to } from "./driver.mjs";

async function call(url) {
  const options = retries ? {} : { maxAttempts: 1 };
  const client = new Client({ smsUrl: url, smsKey: "key", readEnvironment: false, timeoutMs, ...options });
  return (await client.sms.send({ from: "Acme", to, text })).id;
}

// A rejection with a status of 5xx may have been processed.
const processed = { yes: "accepted", maybe: "unknown" };
await run(call, (error) => processed[error.processed] ?? error.outcome?.replaceAll("_", " "));
