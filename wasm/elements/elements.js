// The entry `cpaas/elements`: registers `<sms-counter>`. On a server, without custom elements, it registers nothing. If the page contains
// a second copy of the package, the first one stays registered.
import { SmsCounter } from "./sms-counter.js";

if (globalThis.customElements && !customElements.get("sms-counter")) customElements.define("sms-counter", SmsCounter);

export { SmsCounter };
