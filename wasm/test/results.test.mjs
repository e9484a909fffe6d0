// The tables of operations, results and settings that codegen writes, and the conversion of results to camel case.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { decodeResult } from "../js/decode-result.js";
import * as names from "../js/names.js";
import { OPERATIONS } from "../js/operations.js";
import { MODELS, WITH_OK } from "../js/results.js";
import { SETTINGS } from "../js/settings.js";

const folder = new URL("../../tests/vectors/responses/", import.meta.url);
const vectors = readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")));
const operation = (id) => OPERATIONS.find((row) => row.id === id);

/** `requestID` is the only name of the specification with several capital letters in a row. */
const camel = (wire) => wire.replace("requestID", "requestId").replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** Asserts that each member of `raw` is in `found`, under its camel case name or as a member of `extra`, and nothing else is. Returns the number of members. */
function compare(raw, found, path, isTop = true) {
  if (Array.isArray(raw)) {
    assert.equal(found.length, raw.length, path);
    return raw.reduce((count, item, index) => count + compare(item, found[index], `${path}/${index}`, isTop), 0);
  }
  if (typeof raw !== "object" || raw === null) {
    assert.strictEqual(found, raw, path);
    return 0;
  }
  const rest = { ...found };
  const extra = { ...found.extra };
  delete rest.extra;
  let count = 0;
  for (const [wire, value] of Object.entries(raw)) {
    const name = camel(wire);
    if (Object.hasOwn(extra, wire)) {
      assert.deepEqual(extra[wire], value, `${path}/extra/${wire}`);
      delete extra[wire];
    } else {
      assert.ok(Object.hasOwn(found, name), `${path}: ${wire} is missing`);
      count += compare(value, found[name], `${path}/${name}`, false);
      delete rest[name];
    }
    count += 1;
  }
  if (isTop && Object.hasOwn(raw, "code")) delete rest.ok;
  assert.deepEqual([rest, extra], [{}, {}], path);
  return count;
}

test("no member of any result of the vectors is lost", () => {
  let [cases, members] = [0, 0];
  for (const { operation: id, example, cases: all } of vectors) {
    const results = all.filter(({ expect }) => expect.result !== undefined);
    const bodies = results.flatMap(({ body }) => (/^[[{]/.test(body) ? [JSON.parse(body)] : []));
    for (const raw of [example.response, ...results.map(({ expect }) => expect.result), ...bodies]) {
      members += compare(raw, decodeResult(operation(id), raw), id);
      cases += 1;
    }
  }
  console.log(`${cases} results, ${members} members`);
  assert.ok(cases > 90 && members > 500, `${cases} results, ${members} members`);
});

test("results have the names of JavaScript", () => {
  const decode = (id, raw) => decodeResult(operation(id), raw);
  assert.deepEqual(decode("otp.send", { code: 200, message: "OK", requestID: "OTP1" }), { code: 200, message: "OK", requestId: "OTP1", ok: true });
  assert.deepEqual(decode("sms.send", { responseCode: 0, id: "9007199254740993", textLength: 2 }), { responseCode: 0, id: "9007199254740993", textLength: 2 });
  assert.deepEqual(decode("otp.search", { page: 0, num_pages: 1, twoFaOtpSdrs: [{ sid: "OTP1", checks: [{ dateReceived: "2024" }] }] }), {
    page: 0,
    numPages: 1,
    twoFaOtpSdrs: [{ sid: "OTP1", checks: [{ dateReceived: "2024" }] }],
  });
  assert.deepEqual(decode("otp.limits.list", { code: 200, data: { result: [{ accountSid: "AC1" }], pageSize: 1, total: 1 } }), {
    code: 200,
    data: { result: [{ accountSid: "AC1" }], pageSize: 1, total: 1 },
    ok: true,
  });
  assert.deepEqual(decode("lookup.numbers", [{ msisdn: "30", response: 0, originalNetwork: { networkName: "Alpha" } }]), [{ msisdn: "30", response: 0, originalNetwork: { networkName: "Alpha" } }]);
  assert.deepEqual(decode("messages.send_failover", [null, "2"]), [null, "2"]);
  assert.deepEqual(decode("messages.send_bulk", { messages: [{ messageId: "m", outcome: "accepted" }], accepted: 1, rejected: 0, missing: 0 }), {
    messages: [{ messageId: "m", outcome: "accepted" }],
    accepted: 1,
    rejected: 0,
    missing: 0,
  });
  assert.deepEqual(decode("webhooks.messenger_c.set", { ok: true, result: { any_name: 1 } }), { ok: true, result: { any_name: 1 } });
});

test("a passcode that is not valid has ok false", () => {
  const decode = (raw) => decodeResult(operation("otp.verify"), raw).ok;
  assert.deepEqual([{ code: 200 }, { code: 404 }, { code: 0 }, { requestID: "OTP1" }].map(decode), [true, false, false, true]);
});

test("undocumented members are kept as extra, whatever their names", () => {
  const raw = JSON.parse('{"id":"m","zone":4,"__proto__":{"admin":true},"constructor":1,"hasOwnProperty":2,"ok":"?","text_length":3,"extra":{"a":1}}');
  const found = decodeResult(operation("sms.send"), raw);
  assert.deepEqual(Object.keys(found), ["id", "extra"]);
  assert.deepEqual(Object.entries(found.extra), Object.entries(raw).slice(1));
  assert.equal(Object.getPrototypeOf(found.extra), Object.prototype);
  assert.equal(found.extra.admin, undefined);
  const both = decodeResult(operation("otp.send"), { code: 200, requestID: "OTP1", requestId: "other", ok: false });
  assert.deepEqual(both, { code: 200, requestId: "OTP1", ok: true, extra: { requestId: "other", ok: false } });
});

test("a value of another type than documented stays as it is", () => {
  assert.equal(decodeResult(operation("otp.get"), null), null);
  assert.equal(decodeResult(operation("otp.get"), "text"), "text");
  assert.deepEqual(decodeResult(operation("otp.get"), { sid: 1, checks: "none", events: [1, null, { sid: "E" }] }), { sid: 1, checks: "none", events: [1, null, { sid: "E" }] });
});

test("each operation of the vectors is in the table once, with an existing model", () => {
  assert.deepEqual(OPERATIONS.map(({ id }) => id).sort(), vectors.map(({ operation: id }) => id).sort());
  assert.equal(OPERATIONS.length, 30);
  assert.equal(new Set(OPERATIONS.map(({ group, method }) => `${group}.${method}`)).size, 30);
  for (const { id, group, method, result, array, list, items } of OPERATIONS) {
    assert.equal(`${group}.${method}`, camel(id), id);
    assert.ok(result === null ? array : Object.hasOwn(MODELS, result), id);
    assert.equal(list, items !== null, id);
  }
  const lists = OPERATIONS.filter(({ list }) => list).map(({ id, items }) => [id, items]);
  assert.deepEqual(lists, [["otp.search", ["twoFaOtpSdrs"]], ["otp.limits.list", ["data", "result"]], ["otp.workflows.list", ["data", "result"]]]);
  const arrays = OPERATIONS.filter(({ array }) => array).map(({ id, result }) => [id, result]);
  assert.deepEqual(arrays, [["lookup.numbers", "LookupResult"], ["lookup.numbers_by_query", "LookupResult"], ["messages.send_failover", null]]);
  assert.ok([...WITH_OK].every((name) => "code" in MODELS[name]) && WITH_OK.has("OtpResponse") && !WITH_OK.has("BotResponse"));
});

test("settings have names in camel case, units and secrets", () => {
  const find = (setting) => SETTINGS.find((row) => row.setting === setting);
  assert.deepEqual(find("sms_url"), { name: "smsUrl", setting: "sms_url", kind: "string", secret: false });
  assert.deepEqual(find("sms_key"), { name: "smsKey", setting: "sms_key", kind: "string", secret: true });
  assert.deepEqual(find("account_sid"), { name: "accountSid", setting: "account_sid", kind: "string", secret: false });
  assert.deepEqual(find("timeout"), { name: "timeoutMs", setting: "timeout", kind: "milliseconds", secret: false });
  assert.deepEqual([find("deadline").name, find("connect_timeout").name, find("callback_lifetime").name], ["deadlineMs", "connectTimeoutMs", "callbackLifetimeSeconds"]);
  assert.deepEqual([find("max_attempts").kind, find("accept_repeated_ids").name], ["integer", "acceptRepeatedIds"]);
  assert.deepEqual(find("messaging_auth").values, ["header", "basic", "none"]);
  const secrets = SETTINGS.filter(({ secret }) => secret).map(({ name }) => name);
  assert.deepEqual(secrets, ["apiKey", "smsKey", "lookupKey", "messagingKey", "messengerBToken", "proxy", "callbackKeys"]);
  assert.equal(new Set(SETTINGS.map(({ name }) => name)).size, SETTINGS.length);
});

test("the closed sets of names are those of the library", () => {
  assert.deepEqual(names.OUTCOMES, ["invalid", "rejected", "not_sent", "unknown", "accepted_id_unknown"]);
  assert.deepEqual(names.SENT_STATES, ["no", "maybe", "yes"]);
  assert.ok(names.REASONS.includes("deadline") && names.REASONS.at(-1) === "other");
  assert.deepEqual(names.ELEMENT_OUTCOMES, ["accepted", "rejected", "missing"]);
  assert.equal(names.REJECTION_REASONS.length, 12);
  for (const set of [OPERATIONS, SETTINGS, ...Object.values(names)]) assert.ok(Object.isFrozen(set));
});

test("types_operations.ts calls each operation", () => {
  const text = readFileSync(new URL("types_operations.ts", import.meta.url), "utf8");
  for (const { group, method } of OPERATIONS) assert.ok(text.includes(`client.${group}.${method}(`), `${group}.${method}`);
});
