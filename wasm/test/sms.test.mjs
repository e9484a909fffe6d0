// The functions of `cpaas/sms`; encode and decode with the vectors of encode.json.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as sms from "../js/sms-node.js";

const vectors = JSON.parse(readFileSync(new URL("../../tests/vectors/encode.json", import.meta.url), "utf8"));
const digits = (bytes) => Buffer.from(bytes).toString("hex").toUpperCase();

test("a function that is called before init throws an error that names init", () => {
  assert.throws(() => sms.segments("a"), /await init\(\)/);
});

test("encode returns the parts of the vectors, and decode their text", async () => {
  await sms.init();
  for (const { id, text, options, error, parts } of vectors.encode) {
    if (error) {
      assert.throws(() => sms.encode(text, options), { code: error }, id);
      continue;
    }
    const found = sms.encode(text, options);
    assert.deepEqual(found.map((part) => ({ ...part, udh: digits(part.udh), ud: digits(part.ud) })), parts, id);
    if (!options?.transliterate) assert.equal(sms.decode(found.reverse()), text, id);
  }
});

test("decode returns the texts and the errors of the vectors", async () => {
  await sms.init();
  for (const { id, parts, text, error, part = null, octet = null } of vectors.decode) {
    if (error) assert.throws(() => sms.decode(parts), { code: error, part, octet }, id);
    else assert.equal(sms.decode(parts), text, id);
  }
});

test("segments, annotate, estimate, transliterate and templateSegments return the documented results", async () => {
  await sms.init();
  const text = "ışık ".repeat(30);
  const found = sms.segments(text, { languages: ["tr"] });
  assert.deepEqual([found.count, found.lockingShift, found.saved], [1, "tr", 2]);
  assert.deepEqual(sms.countSegments([text, "я"], { languages: "auto" }).map(({ count }) => count), [1, 1]);
  assert.equal(sms.annotate(text).languages.saved, 2);
  assert.equal(sms.annotate(text, { languages: ["tr"] }).causes.length, 0);
  const price = sms.estimate(text, "0.05", { languages: ["tr"] });
  assert.deepEqual([price.total, price.lockingShift, price.singleShift], ["0.05", "tr", undefined]);
  assert.throws(() => sms.segments("a", { languages: ["xx"] }), { code: "text.options", message: /tr, es, pt/ });
  assert.deepEqual(sms.transliterate("ż я").kept, ["я"]);
  assert.equal(sms.segments("ż".repeat(80), { transliterate: "auto" }).count, 1);
  const range = sms.templateSegments(`${"a".repeat(150)}{{name}}`, { fields: { name: [0, 11] } });
  assert.deepEqual([range.shortest.count, range.longest.count, range.reason], [1, 2, "length"]);
  assert.throws(() => sms.templateSegments("{{a}}", {}), { code: "text.template" });
});
