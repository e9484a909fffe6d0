// The vectors of the functions that have literal results: `tests/vectors/intent.json` and `autofill.json`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { before } from "node:test";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../../tests/vectors/${name}.json`, import.meta.url), "utf8"));
let api;
before(async () => {
  api = await import("cpaas");
  await api.init();
});

/** Runs a function that returns a value or throws a TextError; returns the value or the code of the error. */
function result(call) {
  try {
    return call();
  } catch (error) {
    assert.ok(error instanceof api.TextError, String(error));
    return { error: error.code };
  }
}

test("inbound messages have the expected intent", () => {
  const { cases } = vectors("intent");
  assert.ok(cases.length >= 100);
  for (const { text, ...expected } of cases) assert.deepEqual(api.intent(text), { kind: expected.kind, certainty: expected.certainty }, text);
});

test("messages fill in what the vectors expect", () => {
  const { check } = vectors("autofill");
  assert.ok(check.length > 50);
  for (const { name, message, problems, ...expected } of check) {
    const found = api.checkAutofill(message);
    assert.deepEqual({ ...found, problems: found.problems.map(({ code }) => code) }, { ...expected, problems }, name);
  }
});

test("bodies equal the vectors", () => {
  for (const { name, text, options, body, error } of vectors("autofill").body) {
    assert.deepEqual(result(() => api.autofillBody(text, options)), error ? { error } : body, name);
  }
});

test("hashes of apps equal the vectors", () => {
  for (const { name, package: id, certificate, hash, error } of vectors("autofill").appHash) {
    assert.deepEqual(result(() => api.appHash(id, Uint8Array.from(Buffer.from(certificate, "hex")))), error ? { error } : hash, name);
  }
});

test("arguments of the wrong type are a TypeError that names the argument", () => {
  assert.throws(() => api.intent(5), { name: "TypeError", message: "intent: the text must be a string, got a number" });
  assert.throws(() => api.autofillBody("a", "shop.example"), { name: "TypeError", message: "autofillBody: the options must be an object, got a string" });
  assert.throws(() => api.checkAutofill(null), TypeError);
  assert.throws(() => api.appHash("com.example.shop", "30"), { name: "TypeError", message: "appHash: the certificate must be a Uint8Array, got a string" });
  assert.equal(result(() => api.autofillBody("a", { hots: "shop.example" })).error, "text.options");
});
