import { expect, test } from "vitest";
import { init, validate } from "cpaas";
test("in vitest", async () => {
  await init();
  expect(validate("sms.send", { from: "Acme", to: "306912345678", text: "" }).errors[0].pointer).toBe("/text");
});
