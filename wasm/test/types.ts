// Uses the types of the package; this file is compiled, but not run.
import { type Problem, type Requests, type SegmentOptions, type SmsSend, NotInitialised, TextError, appHash, autofillBody, checkAutofill, estimate, init, initSync, intent, normalizeNumber, parseMarkup, schema, segments, validate, validateText } from "cpaas";
import { loadTools } from "cpaas/tools";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

const request: SmsSend = { from: "Acme", to: "306912345678", text: "Hi", extra: { tag: 1 } };
// @ts-expect-error: a member is required
const short: SmsSend = { from: "Acme", to: "306912345678" };
// @ts-expect-error: an operation that does not exist
validate("sms.sent", short);

const count: number = segments("a").count;
// @ts-expect-error: parts only on request
segments("a").parts;
const parts = segments("a", { parts: true, split: "grapheme" }).parts?.length;

export const counted = (text: string, options?: SegmentOptions) => segments(text, options).parts;
export const shared = [initSync(new Uint8Array(new SharedArrayBuffer(8))), init(Promise.resolve(new ArrayBuffer(8))), init("a path")];
export const code = (error: unknown) => (error instanceof TextError ? error.code : error instanceof NotInitialised && error.message);
// @ts-expect-error: only the package creates a TextError
new TextError("text.price no price");

export const prices = [
  estimate("a", "0.05").total, estimate("a", "0.05", { recipients: 2 }).parts, estimate("{{a}}", "0.05", { recipients: [{ a: 1 }] }).parts,
  estimate("a", { prices: "prefix,price,currency", to: "306912345678" }).byPrefix["30"]?.pricePerPart,
];
// @ts-expect-error: the numbers are missing
estimate("a", { prices: "prefix,price,currency" });
export const number: string | null = normalizeNumber("+30 691 234 5678");
export const national: string | null = normalizeNumber("6912345678", "GR");
export const policy = validate("sms.send", {}, { normalize: "GR", allowCountries: ["GR"], allowTypes: new Set(["mobile"]) });
// @ts-expect-error: a region is a string
normalizeNumber("6912345678", 30);

const first: Problem | undefined = validateText("sms.send", "{}").errors[0];
const standard: StandardSchemaV1<Requests["messages.send"]> & StandardJSONSchemaV1<Requests["messages.send"]> = schema("messages.send");
const inferred: StandardSchemaV1.InferOutput<typeof standard>["destination"] = "306912345678";

const form = schema("sms.send", { warnings: true, emptyStrings: "absent", unknown: "strip", message: ({ code }) => code });
const checked = form["~standard"].validate({});
export const severities = async () => (await checked).issues?.map(({ severity }): "error" | "warning" => severity);
// @ts-expect-error: a value that does not exist
schema("sms.send", { emptyStrings: "drop" });
export const tools: Promise<void> = loadTools();

const parsed = parseMarkup("*a*", "MarkdownV2");
export const shown: string = parsed.error ? parsed.error.message : parsed.sent.text;
export const asked: "stop" | "start" | "help" | "none" = intent("Stop!").kind;
export const body: string = autofillBody("{code}", { host: "shop.example" });
export const filled: string | null = checkAutofill(body).host;
export const hash: string = appHash("com.example.shop", new Uint8Array());
// @ts-expect-error: an option that does not exist
autofillBody("{code}", { hots: "shop.example" });
export { count, first, inferred, parts, request };
