// The sends of `client_hosts.test.mjs` on one host: `run(urls)` returns the outcome of each.
import { Client, CpaasError } from "cpaas/client";

const message = { from: "Acme", to: "306912345678", text: "Your table is ready" };

const outcome = (client, options) => outcomeOf(client.sms.send(message, options), ({ id }) => id !== undefined);

async function outcomeOf(call, isExpected) {
  try {
    return isExpected(await call) ? "accepted" : "another result";
  } catch (error) {
    return error instanceof CpaasError ? `${error.outcome} ${error.sent} ${error.reason}` : `a defect: ${error}`;
  }
}

/** `urls`: an address for each case. Each case is sent twice, so that the second call may use a kept connection. */
export async function run({ lookups, ...urls }) {
  const results = {};
  for (const [name, smsUrl] of Object.entries(urls)) {
    const client = new Client({ smsUrl, smsKey: "key-31337", readEnvironment: false, maxAttempts: 1, maxResponseBytes: 100_000 });
    results[name] = [await outcome(client, { deadlineMs: 2000 }), await outcome(client, { deadlineMs: 2000 })];
    client.close();
  }
  const lookup = new Client({ lookupUrl: lookups, lookupKey: "key-31337", readEnvironment: false });
  results.lookups = [];
  for (let call = 0; call < 6; call++) results.lookups.push(await outcomeOf(lookup.lookup.numbersByQuery({ msisdn: "306912345678" }), ([{ response }]) => response === 0));
  lookup.close();
  const client = new Client({ smsUrl: urls.accepted, smsKey: "key-31337", readEnvironment: false });
  results.aborted = [await outcome(client, { signal: AbortSignal.abort() })];
  results.refusedSetting = ["proxy", "caBundle"].map((name) => {
    try {
      new Client({ [name]: "http://127.0.0.1:1" });
      return "no error";
    } catch (error) {
      return error.message;
    }
  });
  results.shown = [JSON.stringify(client)];
  return results;
}
