// Uses the types of `cpaas/callbacks`; this file is compiled, but not run.
import { createServer } from "node:http";
import { type CallbackEvent, type LeaseStore, CallbackRejected, Duplicates, Keyring, Receiver, Template, fetchHandler, nodeHandler, tokenUrl } from "cpaas/callbacks";

const keys = new Keyring([{ kid: "k1", secret: new Uint8Array(32) }, { kid: "k0", secret: "…", retiredAt: new Date() }], { longestLifetimeSeconds: 3600 });
const receiver = new Receiver({ audience: "shop", publicUrl: "https://shop.example", deliveryKeys: keys, endpoints: [{ path: "/sms", sources: ["sms_report"], queryTemplate: "id=~msgid~" }] });
// @ts-expect-error: a source that does not exist
receiver.url("sms");
// @ts-expect-error: milliseconds are not a moment
keys.lint(Date.now());
// @ts-expect-error: a secret is text or bytes
new Keyring([{ kid: "k1", secret: 1 }]);

function shown(event: CallbackEvent): string | undefined {
  switch (event.kind) {
    case "sms_report":
      return event.rate;
    case "business_chat":
      return event.postbackData;
    case "messenger_c":
      // @ts-expect-error: a member of another kind
      return event.status;
    default:
      return event.key;
  }
}

export async function received(request: Request): Promise<Response> {
  try {
    shown(await receiver.receive(request));
    shown(await receiver.receive({ method: "GET", url: "/", headers: { "content-type": "text/plain" }, body: new Uint8Array() }));
    return new Response();
  } catch (error) {
    if (error instanceof CallbackRejected) return error.reason === "expired" ? error.response() : new Response(null, { status: error.status });
    throw error;
  }
}

const store: LeaseStore = {
  claim: async (key, token, leaseSeconds) => (leaseSeconds > 1 ? { state: "new" } : { state: "busy", secondsLeft: 1 }),
  done: () => {},
  free: async () => 1,
};
const duplicates = new Duplicates({ store, leaseSeconds: 30, prefix: "shop:" });
// @ts-expect-error: a store with two states
new Duplicates({ store: { swap: () => true } });

interface Env {
  SECRET: string;
}
const worker = {
  fetch: fetchHandler((env: Env) => new Receiver({ audience: "a", publicUrl: "b", inboundKeys: new Keyring([{ kid: "k", secret: env.SECRET }]) }), async (event, env: Env) => { shown(event); env.SECRET.trim(); }, { duplicates }),
};
createServer(nodeHandler(receiver, async (event) => { shown(event); }, { duplicates, logger: console, now: () => new Date() }));
export const responses: Promise<Response>[] = [worker.fetch(new Request("a"), { SECRET: "s" }), fetchHandler(receiver, () => {})(new Request("a"))];
export const rendered: string = new Template("~msgid~").render({ msgid: "1" });
// @ts-expect-error: a variable that does not exist
new Template("~msgid~").render({ id: "1" });
export const url: string = tokenUrl("https://shop.example", keys.mint("inbound", { audience: "shop", lifetimeSeconds: "never" }));
