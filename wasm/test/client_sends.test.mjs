// Sends of `cpaas/client` while one request in five has a fault, compared with the ledger of the sandbox: no accepted message is lost, none is
// sent twice, and every outcome agrees with the ledger. `CPAAS_SENDS` is the number of calls, 2,000 by default, and `CPAAS_IN_FLIGHT`
// that of the calls at once, 32 by default.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import test, { after, before } from "node:test";
import { Client } from "cpaas/client";

const SENDS = Number(process.env.CPAAS_SENDS ?? 2000);
const IN_FLIGHT = Number(process.env.CPAAS_IN_FLIGHT ?? 32);
const binary = process.env.CPAAS_SANDBOX ?? `${process.env.CARGO_TARGET_DIR ?? new URL("../../target", import.meta.url).pathname}/debug/cpaas-sandbox`;

/** The kinds of faults, as tests/src/fault_run.rs lists them. */
const RULES = [
  ...["latency", "hang", "reset-before-read", "reset-after-read", "close-before-read", "close-after-read", "truncated-head", "truncated-body", "garbage", "slow-drip", "duplicate-answer"].map((kind) => ({ kind, ms: 60 })),
  ...["status", "accept-then-5xx"].map((kind) => ({ kind, status: 503 })),
  ...["gateway", "accept-then-gateway"].flatMap((kind) => ["nginx", "varnish", "envoy", "grpc", "aws"].map((gateway) => ({ kind, gateway }))),
  ...["", "<html><body><h1>429 Too Many Requests</h1></body></html>", '{"id":"x","responseCode":0}'].map((body) => ({ kind: "accept-then-429", body, retry_after: 0 })),
  ...["answer-early", "answer-early-then-accept"].flatMap((kind) => [{ kind }, { kind, status: 408 }]),
  { kind: "accept-then-503-retry-after", retry_after: 0 },
];

/** Faults of the first requests, whose outcomes are certain: each outcome occurs, however few the sends are. */
const FORCED = [
  { match: { op: "sms.send" }, nth: 1, kind: "status", status: 503 }, // rejected
  { match: { op: "sms.send" }, nth: 2, kind: "close-after-read" }, // unknown
  { match: { op: "sms.send_bulk" }, nth: 1, kind: "truncated-body" }, // accepted_id_unknown: the response begins with its code
];

let child, config;
before(async () => {
  child = spawn(binary, ["--port", "0", "--seed", "7"], { stdio: ["ignore", "pipe", "inherit"] });
  config = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => line.startsWith("{") && resolve(JSON.parse(line)));
  });
});
after(() => child.kill());

const control = async (path, options) => (await fetch(`${config.url}/_sandbox/${path}`, options)).json();

async function ledger() {
  const seen = new Map();
  for (let from = 0; ; ) {
    const { entries } = await control(`ledger?from=${from}&limit=20000`);
    if (entries.length === 0) return seen;
    from += entries.length;
    for (const { to } of entries) seen.set(to, (seen.get(to) ?? 0) + 1);
  }
}

/** The requests: single sends, and bulk sends to three recipients. */
function* rows() {
  for (let number = 0; number < SENDS; number++) {
    const to = (recipient) => String(30_690_000_000_000 + number * 3 + recipient);
    yield number % 4 === 1 ? { id: "sms.send_bulk", recipients: [to(0), to(1), to(2)] } : { id: "sms.send", recipients: [to(0)] };
  }
}

test("under faults, no message is lost, none is sent twice, and every outcome agrees with the ledger", async () => {
  const probability = 0.2 / RULES.length;
  const drawn = RULES.map((rule, index) => ({ ...rule, probability, seed: 7 + index }));
  await control("faults", { method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify({ rules: [...FORCED, ...drawn] }) });
  const { sms_url: smsUrl, sms_key: smsKey, api_key: apiKey } = config.config;
  const client = new Client({ smsUrl, smsKey, apiKey, readEnvironment: false, timeoutMs: 1000, deadlineMs: 6000 });
  const outcomes = {};
  const ended = [];
  const source = rows();
  await Promise.all(Array.from({ length: IN_FLIGHT }, async () => {
    for (const { id, recipients } of source) {
      const outcome = await client.call(id, { from: "Acme", to: recipients.join(","), text: "Hello" }).then(() => "accepted", (error) => error.outcome ?? String(error));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      ended.push({ recipients, outcome });
    }
  }));
  const { rules } = await control("faults");
  const seen = await ledger();
  const counts = { lost: 0, twice: 0, wronglyRejected: 0 };
  for (const { recipients, outcome } of ended) {
    for (const to of recipients) {
      const times = seen.get(to) ?? 0;
      seen.delete(to);
      if (times > 1) counts.twice += 1;
      if (times === 0 && (outcome === "accepted" || outcome === "accepted_id_unknown")) counts.lost += 1;
      if (times > 0 && (outcome === "rejected" || outcome === "not_sent" || outcome === "invalid")) counts.wronglyRejected += 1;
    }
  }
  console.log(`${ended.length} sends, ${rules.reduce((sum, { hits }) => sum + hits, 0)} faults:`, JSON.stringify(outcomes), JSON.stringify(counts));
  assert.equal(ended.length, SENDS);
  assert.deepEqual([counts, seen.size], [{ lost: 0, twice: 0, wronglyRejected: 0 }, 0]);
  for (const outcome of ["accepted", "unknown", "rejected", "accepted_id_unknown"]) assert.ok(outcomes[outcome] > 0, outcome);
  client.close();
});
