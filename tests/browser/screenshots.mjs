// Takes the screenshots of the inbox for the documentation: `node screenshots.mjs [FOLDER [more]]`; `more` adds four views that no page shows.
import { browser, inbox, sandbox, webhook } from "./fixtures.mjs";
import { sendExamples } from "./example_messages.mjs";

const folder = process.argv[2] ?? "../../docs";
const box = await sandbox();
const hook = await webhook(200);
const failing = await webhook(500, 503);
const where = await browser();
await box.account({ callback: { url: `${hook.url}?token=secret` }, chat_callback: hook.url, inbound_callback: hook.url, two_way: ["*"] });
const account = box.config.traffic_account_id;
await box.post({
  trafficAccountId: account, destination: "9994080001", messenger_b: { type: "promotional", text: "The new shoes are in." }, sms: { text: "The new shoes are in.", sender: "Acme" },
  failover: { type: "Timeout", timeoutFailover: { timeoutInSeconds: 3, status: "Delivered", trafficAccounts: [account, account] } },
});
for (let row = 0; row < 40; row++) await box.sms(`3069120000${String(row).padStart(2, "0")}`, "Sale: 20% off all shoes until Sunday", { reference: `00ff00ff00ff00ff-${row}-1` });
await sendExamples(box);
await box.control("POST", "/clock", { advance: "5s" });
await box.sms("306900000066", "Your table is booked: 4 persons, 20:30. Reply C to cancel.", { callback: `${failing.url}?token=secret` });
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
await shot("list", { colorScheme: "light" }, async (page) => {
  await page.locator("[data-number='9994080001']").click();
  await page.getByRole("tab", { name: /Requests/ }).click();
  await page.locator("#pane-requests summary").first().click();
});
await shot("callbacks", { colorScheme: "light" }, async (page) => {
  await page.locator("[data-number='306900000066']").click();
  await page.locator("#log-filters").getByLabel("Status").selectOption("5xx");
  await page.locator("#log-filters").getByText("1 found").waitFor();
  await page.locator("#pane-attempts summary").first().click();
});
await shot("phone", { colorScheme: "light", viewport: { width: 360, height: 800 } });
if (process.argv[3]) {
  await shot("settings", { colorScheme: "dark" }, (page) => page.getByRole("tab", { name: /Settings/ }).click());
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
failing.stop();
await box.stop();
