// Compares the speed of the package and of similar packages in one run of Node: `node wasm/bench/similar_packages.mjs`. Compare the ratios;
// times differ between machines.
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { Type } from "@sinclair/typebox";
import Ajv from "ajv";
import { SegmentedMessage } from "sms-segments-calculator";
import splitSms from "split-sms";
import * as v from "valibot";
import { z } from "zod";
import { countSegments, init, schema, segments, validate, validateText } from "cpaas";

await init();

/** Nanoseconds of one call: the best of many short rounds, interleaved so that load affects all cases alike. */
function race(cases, rounds = 150, millis = 3) {
  const best = Object.fromEntries(Object.keys(cases).map((name) => [name, Infinity]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, call] of Object.entries(cases)) {
      let calls = 0;
      const start = process.hrtime.bigint();
      const end = start + BigInt(millis * 1e6);
      let now = start;
      while (now < end) {
        for (let i = 0; i < 8; i++) kept = call();
        calls += 8;
        now = process.hrtime.bigint();
      }
      best[name] = Math.min(best[name], Number(now - start) / calls);
    }
  }
  return best;
}
let kept;

function table(title, cases) {
  const times = race(cases);
  const [first] = Object.values(times);
  console.log(title);
  for (const [name, time] of Object.entries(times)) console.log(`  ${name.padEnd(44)} ${(time / 1000).toFixed(3).padStart(10)} us  ${(time / first).toFixed(2).padStart(8)}x`);
  return times;
}

const short = "Your table is ready, see you at half past seven today!";
const long = `${short} `.repeat(10).slice(0, 528) + "é";
for (const text of [short, long]) {
  const times = table(`segments, ${text.length} characters`, {
    "cpaas segments": () => segments(text).count,
    "sms-segments-calculator": () => new SegmentedMessage(text).segmentsCount,
    "split-sms": () => splitSms.split(text).parts.length,
  });
  console.log(`  ${(times["sms-segments-calculator"] / times["cpaas segments"]).toFixed(0)} times as fast (target: 500)`);
}
const texts = Array.from({ length: 100 }, (_, index) => `${index} ${short}`);
table("100 texts of about 57 characters", {
  "cpaas countSegments": () => countSegments(texts),
  "cpaas segments, one by one": () => texts.map((text) => segments(text)),
});

const card = (index) => ({
  title: `Shoe number ${index}`,
  description: "Soft leather, made to last. Free returns within 30 days. ".repeat(7),
  media: { height: "MEDIUM", contentInfo: { fileUrl: `https://shop.example/shoes/${index}.png`, altText: "A shoe" } },
  suggestions: [{ reply: { text: "Order", postbackData: `order-${index}` } }],
});
const message = {
  trafficAccountId: "0f8fad5b-d9cb-469f-a165-70867728950e",
  destination: "306912345678",
  business_chat: { fallback: "New shoes", carouselCard: { cardWidth: "MEDIUM", cardContents: Array.from({ length: 10 }, (_, index) => card(index)) } },
};
const json = JSON.stringify(message);
const report = validate("messages.send", message);
if (!report.ok) throw new Error(JSON.stringify(report.errors[0]));

// The other packages check only types and limits of lengths: their schemas cannot express the other rules.
const limits = { title: 200, description: 2000 };
const complete = schema("messages.send")["~standard"].jsonSchema.input({ target: "draft-07" });
const jsonSchema = JSON.parse(JSON.stringify(complete, (key, value) => (key === "pattern" ? undefined : value)));
Object.assign(jsonSchema.definitions.Card.properties.title, { maxLength: limits.title });
Object.assign(jsonSchema.definitions.Card.properties.description, { maxLength: limits.description });
Object.assign(jsonSchema.definitions.Carousel.properties.cardContents, { minItems: 2, maxItems: 10 });
const withAjv = new Ajv({ strict: false, allErrors: true }).compile(jsonSchema);
const withExported = new Ajv({ strict: false, allErrors: true }).compile(complete); // as exported, with all patterns

const zReply = z.object({ text: z.string().max(25), postbackData: z.string().max(2048).optional() });
const zSuggestion = z.object({ reply: zReply });
const zInfo = z.object({ fileUrl: z.url(), thumbnailUrl: z.url().optional(), altText: z.string().optional() });
const zCard = z.object({
  title: z.string().max(limits.title).optional(),
  description: z.string().max(limits.description).optional(),
  media: z.object({ height: z.enum(["SHORT", "MEDIUM", "TALL"]), contentInfo: zInfo }).optional(),
  suggestions: z.array(zSuggestion).max(4).optional(),
});
const zMessage = z.object({
  trafficAccountId: z.uuid(),
  destination: z.string().min(1),
  business_chat: z.object({ fallback: z.string().optional(), carouselCard: z.object({ cardWidth: z.enum(["SMALL", "MEDIUM"]), cardContents: z.array(zCard).min(2).max(10) }) }),
});

const vInfo = v.object({ fileUrl: v.pipe(v.string(), v.url()), thumbnailUrl: v.optional(v.pipe(v.string(), v.url())), altText: v.optional(v.string()) });
const vCard = v.object({
  title: v.optional(v.pipe(v.string(), v.maxLength(limits.title))),
  description: v.optional(v.pipe(v.string(), v.maxLength(limits.description))),
  media: v.optional(v.object({ height: v.picklist(["SHORT", "MEDIUM", "TALL"]), contentInfo: vInfo })),
  suggestions: v.optional(v.pipe(v.array(v.object({ reply: v.object({ text: v.pipe(v.string(), v.maxLength(25)), postbackData: v.optional(v.pipe(v.string(), v.maxLength(2048))) }) })), v.maxLength(4))),
});
const vMessage = v.object({
  trafficAccountId: v.pipe(v.string(), v.uuid()),
  destination: v.pipe(v.string(), v.minLength(1)),
  business_chat: v.object({ fallback: v.optional(v.string()), carouselCard: v.object({ cardWidth: v.picklist(["SMALL", "MEDIUM"]), cardContents: v.pipe(v.array(vCard), v.minLength(2), v.maxLength(10)) }) }),
});

const tReply = Type.Object({ text: Type.String({ maxLength: 25 }), postbackData: Type.Optional(Type.String({ maxLength: 2048 })) });
const tInfo = Type.Object({ fileUrl: Type.String(), thumbnailUrl: Type.Optional(Type.String()), altText: Type.Optional(Type.String()) });
const tCard = Type.Object({
  title: Type.Optional(Type.String({ maxLength: limits.title })),
  description: Type.Optional(Type.String({ maxLength: limits.description })),
  media: Type.Optional(Type.Object({ height: Type.Union([Type.Literal("SHORT"), Type.Literal("MEDIUM"), Type.Literal("TALL")]), contentInfo: tInfo })),
  suggestions: Type.Optional(Type.Array(Type.Object({ reply: tReply }), { maxItems: 4 })),
});
const withTypebox = TypeCompiler.Compile(
  Type.Object({
    trafficAccountId: Type.String(),
    destination: Type.String(),
    business_chat: Type.Object({ fallback: Type.Optional(Type.String()), carouselCard: Type.Object({ cardWidth: Type.Union([Type.Literal("SMALL"), Type.Literal("MEDIUM")]), cardContents: Type.Array(tCard, { minItems: 2, maxItems: 10 }) }) }),
  }),
);
for (const [name, ok] of Object.entries({ ajv: withAjv(message), exported: withExported(message), zod: zMessage.safeParse(message).success, valibot: v.safeParse(vMessage, message).success, typebox: withTypebox.Check(message) })) if (!ok) throw new Error(`${name} rejects the message: ${JSON.stringify(withAjv.errors)}`);

const times = table(`ten cards as text, ${json.length} bytes`, {
  "cpaas validateText": () => validateText("messages.send", json),
  "JSON.parse + ajv": () => withAjv(JSON.parse(json)),
  "JSON.parse + ajv with the exported schema": () => withExported(JSON.parse(json)),
  "JSON.parse + zod": () => zMessage.safeParse(JSON.parse(json)),
  "JSON.parse + valibot": () => v.safeParse(vMessage, JSON.parse(json)),
  "JSON.parse alone": () => JSON.parse(json),
});
console.log(`  cpaas takes ${(times["cpaas validateText"] / times["JSON.parse + ajv"]).toFixed(2)} times JSON.parse + ajv (target: at most 1.5)`);
table("ten cards as an object (cpaas first converts it to JSON text)", {
  "cpaas validate": () => validate("messages.send", message),
  ajv: () => withAjv(message),
  "ajv with the exported schema": () => withExported(message),
  zod: () => zMessage.safeParse(message),
  valibot: () => v.safeParse(vMessage, message),
  typebox: () => withTypebox.Check(message),
  "JSON.stringify alone": () => JSON.stringify(message),
});
const sms = (text) => JSON.stringify({ from: "Acme", to: "306912345678", text });
const letters = sms("Καλημέρα".repeat(250));
const escapes = letters.replace(/[^ -~]/g, (letter) => `\\u0${letter.charCodeAt(0).toString(16)}`);
const read = table("a text of 2,000 Greek letters", {
  "cpaas validateText": () => validateText("sms.send", letters),
  "cpaas validateText, letters as escapes": () => validateText("sms.send", escapes),
  "JSON.parse of the escapes alone": () => JSON.parse(escapes),
});
console.log(`  escapes take ${(read["cpaas validateText, letters as escapes"] / read["cpaas validateText"]).toFixed(2)} times as long (target: at most 3)`);
if (kept === Symbol.iterator) console.log(kept);
