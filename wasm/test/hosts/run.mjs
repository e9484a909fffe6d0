// Checks that the package works in the runtime that runs this file: Node, Deno or Bun. Run by hosts.test.mjs.
import { init, initSync, validate, segments, schema } from "cpaas";
const first = schema("sms.send")["~standard"].validate({ from: "Acme", to: "306912345678", text: "Hi" });
if (!(first instanceof Promise)) throw new Error("validate must return a promise before the module is loaded");
await first;
await init();
const { ok, errors } = validate("sms.send", { from: "Acme", to: "306912345678", text: "" });
if (ok || errors[0].pointer !== "/text" || segments("it’s here").units !== 9) throw new Error("wrong results");
console.log("cpaas works");
