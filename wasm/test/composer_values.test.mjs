// Values of the composer: fixes of problems, and merge fields.
import assert from "node:assert/strict";
import test from "node:test";
import { fieldPath, mended } from "../composer/json-value.js";
import { fieldsOf, merge } from "../composer/recipients.js";

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

test("merge fields are replaced as `estimate` of the package replaces them", async () => {
  const { estimate, init, segments } = await import("cpaas");
  await init();
  const row = { name: "x".repeat(100), "first name": "y".repeat(100), "città": "è".repeat(100), "": "z".repeat(100), "a{b": "w" };
  for (const text of ["{{name}} {{ name }}", "{{ first name }}", "{{città}}", "{{}}", "{{ {name} }}", "{{{name}}}", "{{name}", "{{a{b}} {{name}}", "{ {name} }", "{{\nname\t}}"]) {
    assert.equal(estimate(text, "1", { recipients: [row] }).parts, segments(merge(text, row)).count, text);
    assert.ok(fieldsOf(text).every((name) => name in row), text);
  }
});
