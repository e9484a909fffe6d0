import { init, validate } from "cpaas";
globalThis.answer = init().then(() => validate("sms.send", { from: "Acme", to: "306912345678", text: "" }).errors[0].pointer);
