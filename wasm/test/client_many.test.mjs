// `sendMany` and `sendOnce` of `cpaas/client`.
import assert from "node:assert/strict";
import test from "node:test";
import { inspect } from "node:util";
import { AcceptedIdUnknown, Client, Invalid, NotSent, OutcomeUnknown, Rejected } from "cpaas/client";
import { accepted, failure, json, message, withProvider } from "./client/provider.mjs";

const rows = (count) => Array.from({ length: count }, (_, index) => ({ ...message, text: `Number ${index}` }));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

test("sendMany calls each row once, at most `concurrency` at a time", async () => {
  let [running, most] = [0, 0];
  const respond = async () => {
    most = Math.max(most, ++running);
    await pause(30);
    running--;
    return accepted();
  };
  await withProvider(respond, async ({ settings, requests }) => {
    const client = new Client(settings);
    const results = [];
    const seen = [];
    const given = [...rows(50), { from: "Acme" }];
    for await (const result of client.sendMany("sms.send", given, { concurrency: 8, onResult: ({ index }) => seen.push(index) })) results.push(result);
    assert.deepEqual([most, requests.length, results.length, seen.length], [8, 50, 51, 51]);
    assert.deepEqual(results.map(({ index }) => index).sort((a, b) => a - b), given.map((_, index) => index));
    const { error, outcome } = results.find(({ index }) => index === 50);
    assert.ok(outcome === "invalid" && error instanceof Invalid);
    client.close();
  });
});

test("sendMany reads no more rows than it calls, and a loop that ends early waits for its calls", () =>
  withProvider(async () => (await pause(20), accepted()), async ({ settings, requests }) => {
    let read = 0;
    let finished = 0;
    const source = (async function* () { for (const row of rows(1000)) { read++; yield row; } })();
    for await (const { outcome } of new Client(settings).sendMany("sms.send", source, { concurrency: 4, onResult: () => finished++ })) {
      assert.equal(outcome, "accepted");
      break;
    }
    assert.ok(read <= 10 && requests.length === finished, `${read} read, ${requests.length} requests, ${finished} finished`);
  }));

test("sendMany ends at an abort, and passes on the error of its rows", () => {
  const controller = new AbortController();
  return withProvider((_, __, number) => void (number === 4 && controller.abort()), async ({ settings }) => {
    const client = new Client(settings);
    const results = [];
    for await (const { outcome } of client.sendMany("sms.send", rows(1000), { concurrency: 4, signal: controller.signal })) results.push(outcome);
    assert.deepEqual(results, ["unknown", "unknown", "unknown", "unknown"]);
    const broken = (function* () { throw new Error("the file is broken"); })();
    await assert.rejects(async () => { for await (const _ of client.sendMany("sms.send", broken)); }, /the file is broken/);
    for (const [given, options] of [[5], ["ab"], [[], { concurrency: 0 }], [[], { ratePerSecond: 0 }], [[], { onResult: 5 }]]) {
      await assert.rejects(async () => { for await (const _ of client.sendMany("sms.send", given, options)); }, Invalid);
    }
    assert.throws(() => client.sendMany("sms.sent", []), Invalid);
  });
});

test("sendMany keeps a rate", () =>
  withProvider(undefined, async ({ settings }) => {
    const begin = performance.now();
    for await (const _ of new Client(settings).sendMany("sms.send", rows(6), { ratePerSecond: 50 }));
    assert.ok(performance.now() - begin >= 95);
  }));

/** A store in memory, as a program would write it over a database. */
function memory() {
  const kept = new Map();
  return {
    kept,
    async claim(key, fingerprint) {
      const found = kept.get(key);
      if (found) return found;
      kept.set(key, { state: "running", fingerprint });
      return { state: "new" };
    },
    async settle(key, record) { kept.set(key, { ...kept.get(key), state: "ended", record }); },
    async free(key) { kept.delete(key); },
  };
}

test("sendOnce sends once for a key, and returns the same result again", () =>
  withProvider(undefined, async ({ settings, requests }) => {
    const [client, store] = [new Client(settings), memory()];
    const first = await client.sendOnce("order-1", "sms.send", message, { store });
    assert.deepEqual({ ...(await client.sendOnce("order-1", "sms.send", message, { store })) }, { ...first });
    // The result is kept after both calls have claimed the key.
    let claims = 0, bothClaimed;
    const claimed = new Promise((done) => (bothClaimed = done));
    const slow = {
      claim: (...given) => (++claims === 2 && bothClaimed(), store.claim(...given)),
      settle: async (...given) => (await claimed, store.settle(...given)),
      free: (...given) => store.free(...given),
    };
    const both = await Promise.allSettled([1, 2].map(() => client.sendOnce("order-2", "sms.send", message, { store: slow })));
    assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    assert.equal(requests.length, 2);
    const other = await failure(client.sendOnce("order-1", "sms.send", { ...message, text: "Other" }, { store }));
    assert.ok(other instanceof Invalid && /the key was used for another request/.test(other.message));
    for (const [key, given] of [["", { store }], [5, { store }], ["k", {}], ["k", undefined], ["k", { store: { claim() {} } }]]) {
      assert.ok((await failure(client.sendOnce(key, "sms.send", message, given))) instanceof Invalid);
    }
  }));

test("sendOnce sends the request as it was when it was called", () =>
  withProvider(undefined, async ({ settings, requests }) => {
    const client = new Client(settings);
    const store = memory();
    const order = { ...message };
    const calls = ["306912345671", "306912345672", "306912345673"].map((to) => ((order.to = to), client.sendOnce(to, "sms.send", order, { store })));
    await Promise.all(calls);
    assert.deepEqual(requests.map(({ body }) => JSON.parse(body).to).sort(), ["306912345671", "306912345672", "306912345673"]);
    client.close();
  }));

test("sendOnce keeps rejections and unknown outcomes, and frees a key whose call had no effect", async () => {
  const store = memory();
  await withProvider(() => json({ responseCode: 5 }, 402), async ({ settings, requests }) => {
    const client = new Client(settings);
    for (let time = 0; time < 2; time++) assert.ok((await failure(client.sendOnce("a", "sms.send", message, { store }))) instanceof Rejected);
    assert.equal(requests.length, 1);
  });
  await withProvider((_, raw) => void raw.destroy(), async ({ settings, requests }) => {
    const client = new Client(settings);
    for (let time = 0; time < 2; time++) assert.ok((await failure(client.sendOnce("b", "sms.send", message, { store }))) instanceof OutcomeUnknown);
    assert.equal(requests.length, 1);
  });
  const closed = new Client({ smsUrl: "http://127.0.0.1:1", smsKey: "k", readEnvironment: false, maxAttempts: 1 });
  for (let time = 0; time < 2; time++) assert.ok((await failure(closed.sendOnce("c", "sms.send", message, { store }))) instanceof NotSent);
  assert.ok(!store.kept.has("c"));
});

test("a store that fails never makes sendOnce send twice", () =>
  withProvider(undefined, async ({ settings, requests }) => {
    const [client, store] = [new Client(settings), memory()];
    const failing = { ...store, settle: async () => { throw new Error("disk full"); } };
    const error = await failure(client.sendOnce("a", "sms.send", message, { store: failing }));
    assert.ok(error instanceof AcceptedIdUnknown && error.cause.message === "disk full");
    assert.ok((await failure(client.sendOnce("a", "sms.send", message, { store: failing }))) instanceof OutcomeUnknown);
    assert.equal(requests.length, 1);
    await assert.rejects(client.sendOnce("b", "sms.send", message, { store: { ...store, claim: async () => { throw new Error("no database"); } } }), /no database/);
    for (const lie of [undefined, null, {}, { state: "maybe" }]) {
      assert.ok((await failure(client.sendOnce("c", "sms.send", message, { store: { ...store, claim: async () => lie } }))) instanceof OutcomeUnknown);
    }
    assert.equal(requests.length, 1);
  }));

test("a store that never answers ends sendOnce by the deadline of the call", () =>
  withProvider(undefined, async ({ settings, requests }) => {
    const client = new Client({ ...settings, deadlineMs: 300 });
    const never = () => new Promise(() => {});
    const hanging = (name) => ({ ...memory(), [name]: never });
    for (const options of [{}, { deadlineMs: 200 }]) {
      const error = await failure(client.sendOnce("a", "sms.send", message, { store: hanging("claim"), ...options }));
      assert.ok(error instanceof NotSent, error);
      assert.deepEqual([error.sent, error.processed, error.retryable, error.reason, error.operation], ["no", "no", true, "deadline", "sms.send"]);
    }
    const controller = new AbortController();
    const aborted = failure(client.with({ deadlineMs: 60_000 }).sendOnce("b", "sms.send", message, { store: hanging("claim"), signal: controller.signal }));
    controller.abort(new Error("enough"));
    const cancelled = await aborted;
    assert.ok(cancelled instanceof NotSent && cancelled.reason === "cancelled" && cancelled.cause.message === "enough");
    assert.equal(requests.length, 0);
    // A key that is claimed too late is free again.
    const store = memory();
    let claimLate;
    const late = { ...store, claim: async (...given) => (await new Promise((resolve) => (claimLate = resolve)), store.claim(...given)) };
    assert.ok((await failure(client.sendOnce("c", "sms.send", message, { store: late }))) instanceof NotSent);
    claimLate();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(!store.kept.has("c"));
    // The message may have been sent: the store has more time, but not for ever.
    const unsettled = await failure(client.sendOnce("d", "sms.send", message, { store: hanging("settle") }));
    assert.ok(unsettled instanceof AcceptedIdUnknown, unsettled);
    assert.equal(requests.length, 1);
    const closed = new Client({ smsUrl: "http://127.0.0.1:1", smsKey: "k", readEnvironment: false, maxAttempts: 1, deadlineMs: 300 });
    assert.ok((await failure(closed.sendOnce("e", "sms.send", message, { store: hanging("free") }))) instanceof NotSent);
  }));

test("an invalid record of the store is an unknown outcome, and is not quoted", () =>
  withProvider(undefined, async ({ settings, requests }) => {
    const [client, store] = [new Client(settings), memory()];
    await client.sendOnce("good", "sms.send", message, { store });
    const { fingerprint } = JSON.parse(store.kept.get("good").record);
    const records = [
      "secret-31337", '{"secret-31337":', "", "null", "5", "[]", "{}", '"secret-31337"', { secret: "secret-31337" }, 5,
      ...[{ outcome: "accepted" }, { outcome: "accepted", result: "secret-31337" }, { outcome: "rejected" }, { outcome: "rejected", error: { outcome: "secret-31337" } }, { outcome: "not_sent", error: { outcome: "not_sent", message: "secret-31337" } }].map((record) => JSON.stringify({ fingerprint, ...record })),
    ];
    for (const record of records) {
      const bad = { ...store, claim: async () => ({ state: "ended", fingerprint, record }) };
      const error = await failure(client.sendOnce("a", "sms.send", message, { store: bad }));
      assert.ok(error instanceof OutcomeUnknown, String(record));
      assert.match(error.message, /the store returned a record that settle did not receive/);
      assert.ok(![error.message, error.stack, inspect(error), JSON.stringify(error)].some((text) => text.includes("31337")), String(record));
      assert.equal(error.cause, undefined);
    }
    assert.equal(requests.length, 1);
  }));
