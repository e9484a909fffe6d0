// twilio for Node: messages.create. Recommended: `autoRetry`, which repeats a request after a 429.
import { createRequire } from "node:module";
import { byStatus, retries, run, text, timeoutMs, to } from "./driver.mjs";

const twilio = createRequire(`${process.env.PEERS}/`)("twilio");

async function call(url) {
  const client = twilio(`AC${"0".repeat(32)}`, "token", { autoRetry: retries, timeout: timeoutMs });
  client.api.baseUrl = url;
  return (await client.messages.create({ to: `+${to}`, from: "+15005550006", body: text })).sid;
}

const unconnected = (error) => ["ECONNREFUSED", "ENOTFOUND"].includes(error.code);
await run(call, (error) => (error.status ? byStatus(error.status) : unconnected(error) ? "not sent" : undefined));
