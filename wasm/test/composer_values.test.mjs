// Values of the composer's form: fixes of problems.
import assert from "node:assert/strict";
import test from "node:test";
import { fieldPath, mended } from "../composer/json-value.js";

test("a fix of an element of a text with commas changes only this element", () => {
  const fix = { op: "replace", start16: 1, end16: 2, insert: "" };
  const value = { from: "Acme", to: "306912345678, +306912345679,+306912345670" };
  for (const path of [["to", 1], ["to", "1"]]) {
    assert.equal(mended(value, { path, fix }).to, "306912345678, 306912345679,+306912345670");
  }
  assert.equal(value.to, "306912345678, +306912345679,+306912345670", "the value itself is unchanged");
  assert.deepEqual(fieldPath(value, ["to", 1]), ["to"]);
  assert.deepEqual(fieldPath(value, ["to"]), ["to"]);
});

test("a fix of a list or of a text changes its own text", () => {
  const fix = { op: "replace", start16: 0, end16: 1, insert: "" };
  const list = { destinations: ["306912345678", "+306912345679"] };
  assert.deepEqual(mended(list, { path: ["destinations", 1], fix }), { destinations: ["306912345678", "306912345679"] });
  assert.deepEqual(mended({ to: "+30" }, { path: ["to"], fix }), { to: "30" });
  assert.deepEqual(fieldPath(list, ["destinations", 1]), ["destinations", 1]);
  const renamed = mended({ txt: "Hi", to: "30" }, { path: ["txt"], fix: { op: "rename", insert: "text" } });
  assert.deepEqual(Object.entries(renamed), [["text", "Hi"], ["to", "30"]]);
});
