// Uses the types of `cpaas/client`; this file is compiled, but not run.
import { AcceptedIdUnknown, type CallOptions, Client, type ClientOptions, CpaasError, Invalid, NotSent, OutcomeUnknown, Rejected } from "cpaas/client";

const settings: ClientOptions = { smsUrl: "https://sms.example", smsKey: "key", deadlineMs: 5000, region: "frankfurt", acceptRepeatedIds: true };
const client = new Client({ ...settings, onOutcome: ({ callId, sent }) => console.log(callId, sent), traceparent: async () => undefined });
// @ts-expect-error: lengths of time are in milliseconds
new Client({ timeout: 5 });
// @ts-expect-error: a value that the setting does not have
new Client({ region: "paris" });

const options: CallOptions = { signal: new AbortController().signal, timeoutMs: 1000, extraHeaders: { "x-tag": "1" } };

export async function send(): Promise<string> {
  const sent = await client.sms.send({ from: "Acme", to: "306912345678", text: "Hi" }, options);
  // @ts-expect-error: a member is required
  void client.sms.send({ from: "Acme", to: "306912345678" });
  return `${sent.id} ${sent.response.status} ${sent.warnings.length} ${sent.callId}`;
}

export async function login(code: string): Promise<boolean> {
  const { requestId } = await client.otp.send({ service: "login", from: "Acme", to: "306912345678", body: "{code}" });
  const verified = await client.with({ deadlineMs: 2000 }).otp.verify({ service: "login", requestId: String(requestId), code });
  return verified.ok;
}

export async function limits(): Promise<number> {
  let count = (await client.otp.limits.list()).data?.result?.length ?? 0;
  for await (const limit of client.otp.limits.list({})) count += String(limit.name).length;
  for await (const page of client.otp.limits.list().pages()) count += page.response.attempts;
  return count;
}

export function explain(error: unknown): string {
  if (error instanceof Invalid) return error.problems.map(({ pointer }) => pointer).join();
  if (error instanceof Rejected) return `${error.status} ${error.code} ${error.providerMessage}`;
  if (error instanceof NotSent || error instanceof OutcomeUnknown || error instanceof AcceptedIdUnknown) return `${error.outcome} ${error.reason}`;
  return error instanceof CpaasError ? error.toJSON().message : "";
}

export const stored = new Rejected("no", { status: 401, call_id: "0" }).callId;
export const own = new Client({ fetch, env: process.env });
export const other = new Client({ transport: async ({ url }, { timeoutMs }) => ({ status: 200, body: `${url} ${timeoutMs}` }) });
export const raw = client.callRaw({ method: "GET", family: "otp", path: "/2fa/search", query: { pageSize: 1 } }).then(({ value }) => value);
