// The options of `schema` for forms, in Node: `node --test wasm/test`.
import assert from "node:assert/strict";
import test, { before } from "node:test";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { section } from "./doc_blocks.mjs";
import { vectors } from "./problem_vectors.mjs";
import * as api from "cpaas";

before(() => api.init());

const good = { from: "Acme", to: "306912345678", text: "Hi" };
const check = (operation, value, options) => api.schema(operation, options)["~standard"].validate(value);
const codes = ({ issues }) => issues?.map(({ code, severity, path }) => [code, severity, path.join(".")]);

test("without options, warnings are no issues, and the result is the value itself", () => {
  const value = { ...good, text: "it’s here", callback: undefined, tag: 1 };
  assert.ok(api.validate("sms.send", value).warnings.length >= 2);
  assert.equal(check("sms.send", value).value, value);
  assert.equal(check("sms.send", value, { warnings: false, emptyStrings: "keep", unknown: "keep" }).value, value);
});

test("warnings are issues with their severity, after the errors; infos never are", () => {
  let mixed = 0;
  for (const { id, operation, request } of vectors()) {
    const { errors, warnings } = api.validate(operation, request);
    const listed = [...errors, ...warnings.filter(({ severity }) => severity === "warning")].map(({ code, severity, path }) => [code, severity, path.join(".")]);
    assert.deepEqual(codes(check(operation, request, { warnings: true })) ?? [], listed, id);
    if (listed.length > errors.length && warnings.some(({ severity }) => severity === "info")) mixed++;
  }
  assert.ok(mixed > 0, "a vector has a warning and an info");
  const { issues } = check("sms.send", { ...good, tag: 1 }, { warnings: true, message: ({ code }) => `mine: ${code}` });
  assert.deepEqual(issues.map(({ message, severity }) => [message, severity]), [["mine: msg.field.unknown", "warning"]]);
});

test("an empty string counts as absent: a required member is missing, an optional one is not checked", () => {
  const value = { ...good, callback: "", reference: "" };
  assert.ok(check("sms.send", value).issues, "an empty callback is an error");
  assert.deepEqual(check("sms.send", value, { emptyStrings: "absent" }), { value: good });
  const missing = check("sms.send", { ...value, text: "" }, { emptyStrings: "absent" });
  assert.deepEqual(missing.issues.map(({ path }) => path), [["text"]]);
  assert.deepEqual(missing.issues, check("sms.send", { from: good.from, to: good.to }).issues);
});

test("empty strings are left out of nested objects and of the objects of lists; elements of lists, extra and undocumented objects keep theirs", () => {
  const card = (title) => ({ title, description: "", media: { height: "MEDIUM", contentInfo: { fileUrl: "https://shop.example/a.png", altText: "" } } });
  const extra = { tag: "" };
  const value = {
    trafficAccountId: "0f8fad5b-d9cb-469f-a165-70867728950e", destination: "306912345678", extra, odd: { a: "" },
    business_chat: { fallback: "Hi", carouselCard: { cardWidth: "MEDIUM", cardContents: [card("A"), card("B")] } },
  };
  const before = structuredClone(value);
  const { value: found, issues } = check("messages.send", value, { emptyStrings: "absent" });
  assert.equal(issues, undefined);
  assert.deepEqual(value, before, "the argument is not changed");
  assert.deepEqual(found.business_chat.carouselCard.cardContents[1], { title: "B", media: { height: "MEDIUM", contentInfo: { fileUrl: "https://shop.example/a.png" } } });
  assert.equal(found.extra, extra);
  assert.equal(found.odd, value.odd);
  const list = { msisdn: ["306912345678", ""] };
  assert.deepEqual(codes(check("lookup.numbers", list, { emptyStrings: "absent" })), codes(check("lookup.numbers", list)));
  const limits = { service: "a", from: "Acme", to: "306912345678", body: "{code}", limits: { ip: "", number: "306912345678" } };
  assert.deepEqual(check("otp.send", limits, { emptyStrings: "absent" }).value.limits, { number: "306912345678" });
});

test("undocumented members are not reported and not in the result, at every level and in any number", () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`$ACTION_REF_${index}`, ""]));
  const value = { ...good, ...many, "$ACTION_1:0": "{}", $ACTION_KEY: "k1", extra: { tag: 1 } };
  assert.deepEqual(check("sms.send", value, { unknown: "strip", warnings: true }), { value: { ...good, extra: { tag: 1 } } });
  assert.ok(codes(check("sms.send", value, { warnings: true })).some(([code]) => code === "msg.field.more"));
  const nested = { trafficAccountId: "0f8fad5b-d9cb-469f-a165-70867728950e", destination: "306912345678", sms: { text: "Hi", sender: "Acme", odd: { a: 1 } }, extra: { odd: 1 } };
  const { value: stripped } = check("messages.send", nested, { unknown: "strip" });
  assert.deepEqual(stripped, { ...nested, sms: { text: "Hi", sender: "Acme" } });
  assert.equal(nested.sms.odd.a, 1, "the argument is not changed");
  const buckets = { name: "a", description: "b", buckets: [{ name: "c", max: 1, interval: 60, odd: 1 }] };
  assert.deepEqual(check("otp.limits.create", buckets, { unknown: "strip" }).value.buckets, [{ name: "c", max: 1, interval: 60 }]);
});

test("a misspelled name stays an error, and other warnings stay warnings", () => {
  const { to, ...rest } = good;
  const misspelled = check("sms.send", { ...rest, too: to }, { unknown: "strip" });
  assert.deepEqual(codes(misspelled).map(([code]) => code).includes("msg.field.misspelled"), true);
  const warned = codes(check("sms.send", { ...good, text: "it’s here", tag: 1 }, { unknown: "strip", warnings: true }));
  assert.ok(warned.length > 0 && warned.every(([code]) => code !== "msg.field.unknown"), String(warned));
});

test("other spellings that a request may have are not undocumented", () => {
  const value = { service: "a", From: "Acme", To: "306912345678", body: "{code}", odd: 1 };
  const { odd, ...documented } = value;
  assert.deepEqual(check("otp.send", value, { unknown: "strip" }), { value: documented });
});

test("a value without empty strings and undocumented members is returned unchanged, for every valid vector", () => {
  const options = { emptyStrings: "absent", unknown: "strip" };
  let same = 0;
  for (const { id, operation, request } of vectors()) {
    const plain = check(operation, request);
    if (plain.issues) continue;
    const names = (found) => found.warnings.filter(({ code }) => code.startsWith("msg.field."));
    const hasEmpty = JSON.stringify(request).includes('""');
    const { value } = check(operation, request, options);
    if (hasEmpty || names(api.validate(operation, request)).length > 0) continue;
    assert.equal(value, request, id);
    same++;
  }
  assert.ok(same > 100, `${same}`);
});

test("the result of both options validates without a warning about names", () => {
  const value = { ...good, callback: "", tag: 1, $ACTION_ID_4f: "" };
  const { value: found } = check("sms.send", value, { emptyStrings: "absent", unknown: "strip" });
  assert.deepEqual(found, good);
  assert.deepEqual(api.validate("sms.send", found), api.validate("sms.send", good));
});

test("values that cannot be read, cycles, deep and repeated values have the same issues with the options", () => {
  const cycle = { ...good };
  cycle.business = cycle;
  const channel = { trafficAccountId: "a", destination: "b" };
  channel.sms = channel;
  let doubled = { title: "a" };
  for (let level = 0; level < 60; level++) doubled = [doubled, doubled];
  let deep = 1;
  for (let level = 0; level < 50_000; level++) deep = { sms: deep };
  const card = { title: "", suggestions: Array(2000).fill({ reply: { text: "" } }) };
  const values = [
    undefined, null, 5, "a", [], 5n, cycle, channel, { ...good, text: doubled }, deep, new FormData(), new URLSearchParams("a=b"), Array(2 ** 30),
    { business_chat: { carouselCard: { cardContents: Array(2000).fill(card) } } }, { get text() { throw new Error("secret"); } },
    { sms: { get text() { throw new Error("secret"); } } }, new Proxy({}, { ownKeys() { throw new Error("secret"); } }),
  ];
  const options = { emptyStrings: "absent", unknown: "strip" };
  for (const [index, value] of values.entries()) {
    assert.deepEqual(codes(check("messages.send", value, options)), codes(check("messages.send", value)), String(index));
  }
});

test("values with toJSON are left to JSON, and names of inherited members are ordinary names", () => {
  const date = new Date(0);
  assert.equal(check("sms.send", { ...good, text: date }, { emptyStrings: "absent", unknown: "strip" }).value.text, date);
  const own = JSON.parse('{"__proto__":{"a":""},"constructor":"","toString":1,"from":"Acme","to":"306912345678","text":"Hi"}');
  const { value } = check("sms.send", own, { unknown: "strip" });
  assert.deepEqual([Object.keys(value), Object.getPrototypeOf(value) === Object.prototype], [["from", "to", "text"], true]);
});

test("invalid options are errors that name them", () => {
  const refused = (options, error) => assert.throws(() => api.schema("sms.send", options), error);
  refused({ warning: true }, { name: "RangeError", message: "schema: unknown option; valid options: message, warnings, emptyStrings, unknown" });
  refused({ warnings: "yes" }, { name: "TypeError", message: "schema: the option warnings must be true or false, got a string" });
  refused({ emptyStrings: "drop" }, { name: "RangeError", message: 'schema: the option emptyStrings must be "keep" or "absent"' });
  refused({ unknown: true }, { name: "RangeError", message: 'schema: the option unknown must be "keep" or "strip"' });
  refused({ message: "a" }, { name: "TypeError", message: "schema: the option message must be a function, got a string" });
  refused(null, { name: "TypeError", message: "schema: the options must be an object, got null" });
  api.schema("sms.send", { message: undefined, warnings: undefined, emptyStrings: undefined, unknown: undefined });
});

test("react-hook-form shows a warning at its field, and gets the stripped values", async () => {
  const options = { fields: {}, shouldUseNativeValidation: false };
  const resolve = (value, given) => standardSchemaResolver(api.schema("sms.send", given))(value, undefined, options);
  const warned = await resolve({ ...good, text: "it’s here" }, { warnings: true });
  assert.equal(typeof warned.errors.text.message, "string");
  const { values, errors } = await resolve({ ...good, callback: "", $ACTION_KEY: "k" }, { emptyStrings: "absent", unknown: "strip" });
  assert.deepEqual([values, errors], [good, {}]);
});

test("the server action of docs/browser.md lists the errors, and accepts the data of a form with the members of Next", async () => {
  const [code] = section("docs/browser.md", "Forms and server actions", "js");
  const { send } = await import(`data:text/javascript,${encodeURIComponent(code.replace('"cpaas"', JSON.stringify(import.meta.resolve("cpaas"))))}`);
  const data = (text) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ $ACTION_REF_1: "", "$ACTION_1:0": "{}", $ACTION_KEY: "k1", ...good, text, callback: "" })) form.append(name, value);
    return form;
  };
  assert.deepEqual(await send([], data("Hi")), []);
  assert.deepEqual(await send([], data("")), ["text: must not be missing or empty"]);
});
