// The module of `cpaas/phone`: an error that names it before it is loaded, then regions, kinds of numbers and the policy by the vectors.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as api from "../js/node.js";
import * as phone from "../js/phone-node.js";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../../tests/vectors/${name}.json`, import.meta.url), "utf8")).cases;
const sms = (to) => ({ from: "Acme", to, text: "Hi" });
const codes = ({ errors, warnings }) => [...errors, ...warnings].map(({ pointer, code }) => `${pointer} ${code}`);

test("before the plans are loaded, what needs them is an error that names the module", async () => {
  await api.init();
  for (const options of [{ normalize: "GR" }, { allowCountries: ["GR"] }, { allowTypes: ["mobile"] }]) {
    assert.throws(() => api.validate("sms.send", sms("306912345678"), options), { name: "RangeError", message: /(normalize|allowCountries|allowTypes).*loadPhone\(\)` of cpaas\/phone/ });
  }
  assert.throws(() => api.normalizeNumber("6912345678", "GR"), { name: "RangeError", message: /region.*cpaas\/phone/ });
  assert.throws(() => phone.checkNumber("306912345678"), { name: "RangeError", message: /^checkNumber requires the numbering plans: call `await loadPhone\(\)`/ });
  assert.equal(api.normalizeNumber("+30 691 234 5678"), "306912345678");
  assert.deepEqual(codes(api.validate("sms.send", sms("306912345678"), { allowTypes: undefined, normalize: undefined })), []);
});

test("a module that is not the one of cpaas/phone is an error, and the next call tries again", async () => {
  const other = readFileSync(new URL("../pkg/web/cpaas_bg.wasm", import.meta.url));
  await assert.rejects(phone.loadPhone(other), /loadPhone: the module was not loaded: it is not the module of this package/);
  await assert.rejects(phone.loadPhone(new Uint8Array(9)), /loadPhone: the module was not loaded/);
  await Promise.all([phone.loadPhone(), phone.loadPhone()]);
});

test("numbers of a region are normalized as in the vectors", async () => {
  await api.init();
  await phone.loadPhone();
  let count = 0;
  for (const { number, form, region, reason } of vectors("numbers")) {
    if (region === undefined) assert.equal(api.normalizeNumber(number), form ?? null, number);
    else if (reason === "region") assert.throws(() => api.normalizeNumber(number, region), { name: "RangeError", message: /ISO 3166-1/ });
    else assert.equal(api.normalizeNumber(number, region), form ?? null, `${number} ${region}`);
    if (region !== undefined) count += 1;
  }
  assert.ok(count > 10, `${count}`);
  assert.throws(() => api.normalizeNumber("6912345678", 30), TypeError);
});

test("the settings about numbers have the results of the vectors", async () => {
  await api.init();
  await phone.loadPhone();
  const short = ({ pointer, code, severity }) => ({ pointer, code, severity });
  const known = { normalize: "normalize", allow_countries: "allowCountries", allow_types: "allowTypes" };
  let count = 0;
  for (const { id, config, operation, request, expect, plans } of vectors("recipients")) {
    if (plans === false || Object.keys(config).some((name) => !known[name])) continue;
    const options = Object.fromEntries(Object.entries(config).map(([name, value]) => [known[name], value]));
    const { errors, warnings } = api.validate(operation, request, options);
    assert.deepEqual([...errors, ...warnings].map(short), expect, id);
    if (plans) count += 1;
  }
  assert.ok(count > 10, `${count}`);
});

test("checkNumber returns region and kind", () => {
  assert.deepEqual(phone.checkNumber("+30 691 234 5678"), { valid: true, possible: true, region: "GR", type: "mobile" });
  assert.deepEqual(phone.checkNumber("800 12345678"), { valid: false, possible: false, region: null, type: "unknown" });
  assert.equal(phone.checkNumber("+800 1234 5678").region, null);
  assert.throws(() => phone.checkNumber(306912345678), TypeError);
  assert.throws(() => phone.checkNumber("6912345678", 30), TypeError);
});

test("checkNumber has the results of the vectors", () => {
  let count = 0;
  for (const { number, region, reason, check } of vectors("numbers")) {
    if (check) assert.deepEqual(phone.checkNumber(number, region), check, `${number} ${region}`);
    if (reason === "region") assert.throws(() => phone.checkNumber(number, region), { name: "RangeError", message: /checkNumber.*ISO 3166-1/ });
    count += check || reason === "region" ? 1 : 0;
  }
  assert.ok(count > 8, `${count}`);
  assert.throws(() => phone.checkNumber("letters", "XX"), RangeError);
});

test("misspelt settings are errors with the names of the options", () => {
  const validate = (options) => api.validate("sms.send", sms("306912345678"), options);
  assert.throws(() => validate({ normalize: "Greece" }), { name: "RangeError", message: /`normalize` must be/ });
  assert.throws(() => validate({ allowCountries: ["Greece"] }), { name: "RangeError", message: /`allowCountries`/ });
  assert.throws(() => validate({ allowTypes: ["mobil"] }), { name: "RangeError", message: /`allowTypes`/ });
  assert.throws(() => validate({ allowTypes: "mobile" }), { name: "TypeError", message: /allowTypes must be a list/ });
  assert.throws(() => validate({ allow_types: ["mobile"] }), { name: "RangeError", message: /unknown option; valid options: limit, normalize, allowCountries, allowTypes/ });
});
