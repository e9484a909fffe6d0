// `cpaas/sms` for Node, Deno and Bun, where `fetch` does not read files.
import { sourceOr } from "./read-file.js";
import { start } from "./sms.js";

export * from "./sms.js";

const file = () => new URL("../pkg/sms/cpaas_sms_bg.wasm", import.meta.url);
const script = () => import("../pkg/sms/bytes.js");

export function init(source) {
  return start(() => sourceOr(source, file, script), source);
}
