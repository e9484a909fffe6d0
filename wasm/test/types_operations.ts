// Calls all operations with the generated types; this file is compiled, but not run.
import type { CallResult, Paged } from "../js/call-types.js";
import type { ElementOutcome } from "../js/names.js";
import type { ClientOperations } from "../js/operations.js";
import type { Limit, LimitList, LookupResult, OtpRecord, OtpRecords, OtpResponse, Sent } from "../js/results.js";
import type { Settings } from "../js/settings.js";

const account = "0f8fad5b-d9cb-469f-a165-70867728950e";
const channel = { type: "regular" as const, regular: { text: "Hi", type: "text" } };

export async function everyOperation(client: ClientOperations, signal: AbortSignal) {
  const started: CallResult<OtpResponse> = await client.otp.send({ service: "login", to: "306912345678", from: "Acme", body: "{code}", channel: "sms" }, { signal, timeoutMs: 1000, deadlineMs: 2000 });
  const ok: boolean = (await client.otp.verify({ service: "login", requestId: started.requestId ?? "", code: "123456" })).ok;
  await client.otp.cancel({ requestId: "OTP1" });
  const page: Paged<OtpRecords, OtpRecord> = client.otp.search({});
  for await (const record of page) record.checks?.[0]?.dateReceived?.toUpperCase();
  const total: number | undefined = (await client.otp.search()).total;
  await client.otp.get({ sid: "OTP1" });
  await client.otp.usage();
  await client.otp.usageDaily();
  await client.otp.limits.create({ name: "a", buckets: [{ name: "a", max: 1, interval: 60 }], description: "" });
  await client.otp.limits.update({ sid: "L1", description: "b" });
  await client.otp.limits.delete({ sid: "L1" });
  const limits: Paged<LimitList, Limit> = client.otp.limits.list();
  await client.otp.limits.get({ sid: "L1" });
  await client.otp.workflows.create({ name: "w", channels: [{ channel: "sms", interval: 60 }] });
  await client.otp.workflows.update({ sid: "W1", description: "b" });
  await client.otp.workflows.delete({ sid: "W1" });
  await client.otp.workflows.list();
  await client.otp.workflows.get({ sid: "W1" });
  const sent: Sent = await client.sms.send({ from: "Acme", to: "306912345678", text: "Hi" });
  const outcome: ElementOutcome | undefined = (await client.sms.sendBulk({ from: "Acme", to: "306912345678", text: "Hi" })).messages[0]?.outcome;
  await client.sms.usageByCountry();
  await client.sms.convert({ messageId: sent.id });
  const found: CallResult<LookupResult[]> = await client.lookup.numbers({ msisdn: ["306912345678"] });
  const status: number = found.response.status;
  await client.lookup.numbersByQuery({ msisdn: "306912345678" });
  await client.messages.send({ destination: "306912345678", messenger_a: channel });
  const ids: (string | null)[] = await client.messages.sendFailover({
    destination: "306912345678",
    messenger_a: channel,
    sms: { text: "Hi", sender: "Acme" },
    failover: { type: "Timeout", timeoutFailover: { timeoutInSeconds: 60, status: "Delivered", trafficAccounts: [account] } },
  });
  await client.messages.sendBulk({ destinations: ["306912345678"], messenger_a: channel });
  await client.webhooks.messengerB.set({ url: "https://shop.example/b" });
  await client.webhooks.messengerC.set({ bot_id: "b", url: "https://shop.example/c" });
  await client.webhooks.messengerC.delete({ bot_id: "b" });
  const url: string | undefined = (await client.webhooks.messengerC.info({ bot_id: "b" })).url;
  return { ok, total, limits, outcome, status, ids, url };
}

export async function refused(client: ClientOperations) {
  // @ts-expect-error: a member is required
  await client.sms.send({ from: "Acme", to: "306912345678" });
  // @ts-expect-error: a request is required
  await client.sms.send();
  // @ts-expect-error: an operation that does not exist
  await client.sms.sent({});
  // @ts-expect-error: an option that does not exist
  await client.otp.search({}, { timeout: 1 });
  // @ts-expect-error: a result has no undocumented members
  (await client.otp.get({ sid: "OTP1" })).zone;
  // @ts-expect-error: the only outcomes of an element
  (await client.sms.sendBulk({ from: "Acme", to: "30", text: "Hi" })).messages[0]?.outcome === "other";
}

export const settings: Settings = { smsUrl: "https://sms.example", smsKey: "key", timeoutMs: 1000, messagingAuth: "basic", allowCountries: ["GR"], callbackKeys: [{ kid: "k1", secret: "…" }] };
// @ts-expect-error: a value that does not exist
export const auth: Settings = { messagingAuth: "digest" };
// @ts-expect-error: milliseconds have a name of their own
export const timeout: Settings = { timeout: 1 };
