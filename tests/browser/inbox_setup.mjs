// Setup of the inbox tests: starts a sandbox, a webhook and a browser for each file, and empties the inbox before each test.
import assert from "node:assert/strict";
import { after, before, beforeEach } from "node:test";
import { browser, inbox, sandbox, webhook } from "./fixtures.mjs";

export let where, box, hook;

before(async () => {
  [where, box, hook] = await Promise.all([browser(), sandbox(), webhook()]);
});

after(async () => {
  await where?.close();
  hook?.stop();
  await box?.stop();
});

beforeEach(async () => {
  await box.control("POST", "/reset");
  await box.control("DELETE", "/faults");
  await box.account({ callback: null, chat_callback: null, inbound_callback: null, two_way: [] });
  hook.calls.length = 0;
});

/** Runs `work` with an open inbox. Fails if the page had an error or sent a request to another origin. */
export async function open(work, options) {
  const page = await inbox(where, box, options);
  try {
    await work(page);
    assert.deepEqual(page.problems, []);
  } finally {
    await page.context().close();
  }
}

/** Runs `act` and waits for its notice. The wait starts first, because the notice disappears by itself. */
export const noticed = (page, text, act) => Promise.all([page.getByText(text).waitFor(), act()]);

export const phone = (page, number) => page.locator(`section.phone[data-phone="${number}"]`);
