// A provider in this process for the tests of `cpaas/client`: a server that responds as a test says, and records what it received.
import { createServer } from "node:http";

/** A response with a JSON body. */
export const json = (value, status = 200, headers = {}) => ({ status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) });

/** The response to an accepted `sms.send`, with a new id each time. */
export const accepted = () => json({ id: `m-${++count}`, timestamp: "2026-11-27T00:00:00Z", responseCode: 0 });
let count = 0;

export const message = { from: "Acme", to: "306912345678", text: "Your table is ready" };

/**
 * Starts a provider. `respond(request, raw)` returns a response, or undefined if it has used `raw`, the response of Node, itself. `requests` are
 * the received ones.
 */
export async function provider(respond = accepted) {
  const requests = [];
  const server = createServer((incoming, raw) => {
    const chunks = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("error", () => {});
    raw.on("error", () => {});
    incoming.on("end", async () => {
      const { method, url, headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      requests.push(request);
      const response = await respond(request, raw, requests.length);
      if (!response) return;
      raw.writeHead(response.status, response.headers);
      raw.end(response.body);
    });
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    requests,
    settings: { smsUrl: url, otpUrl: url, smsKey: "sms-key-31337", apiKey: "api-key-31337", accountSid: "AC1", readEnvironment: false },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Runs a test with a provider. */
export async function withProvider(respond, run) {
  const one = await provider(respond);
  try {
    return await run(one);
  } finally {
    one.close();
  }
}

/** The error of a promise. */
export const failure = (promise) =>
  promise.then(
    (value) => {
      throw new Error(`expected an error, got ${JSON.stringify(value)}`);
    },
    (error) => error,
  );
