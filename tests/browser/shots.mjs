// Pictures of the inbox for the documentation: `node shots.mjs FOLDER`.
import { browser, inbox, sandbox, webhook } from "./start.mjs";
import { play } from "./scene.mjs";

const folder = process.argv[2] ?? "../../docs";
const box = await sandbox();
const hook = await webhook(200);
const tired = await webhook(500, 503);
const where = await browser();
await box.account({ callback: { url: `${hook.url}?token=secret` }, chat_callback: hook.url, inbound_callback: hook.url, two_way: ["*"] });
await play(box);
await box.control("POST", "/clock", { advance: "5s" });
await box.sms("306900000066", "Your table is booked: 4 persons, 20:30. Reply C to cancel.", { callback: `${tired.url}?token=secret` });
await box.control("POST", "/clock", { advance: "6s" });
await box.control("POST", "/inbound", { channel: "business_chat", from: "306900000033", to: "Acme Bakery", text: "Yes, please", postback: "book:20:30" });

async function shot(name, options, act) {
  const page = await inbox(where, box, options);
  await page.waitForTimeout(400);
  await act?.(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${folder}/inbox-${name}.png` });
  await page.context().close();
}

await shot("light", { colorScheme: "light" });
await shot("dark", { colorScheme: "dark" }, (page) => page.getByRole("tab", { name: /Requests/ }).click());
await shot("phone", { colorScheme: "light", viewport: { width: 390, height: 844 } });
if (process.argv[3]) {
  await shot("faults", { colorScheme: "light" }, async (page) => {
    await page.getByRole("tab", { name: /Faults/ }).click();
    await page.getByLabel("Kind").selectOption("latency");
    await page.getByLabel("Milliseconds").fill("300");
    await page.getByRole("button", { name: "Add fault" }).click();
    await page.evaluate(() => document.querySelector("#phones").scrollTo(2000, 0));
  });
  await shot("mid", { colorScheme: "dark" }, async (page) => {
    await page.getByRole("tab", { name: /Events/ }).click();
    await page.evaluate(() => document.querySelector("#phones").scrollTo(700, 0));
  });
  await shot("phone-panel", { colorScheme: "dark", viewport: { width: 390, height: 844 } }, (page) => page.getByRole("tab", { name: /Callbacks/ }).click());
}
await where.close();
hook.stop();
tired.stop();
await box.stop();
