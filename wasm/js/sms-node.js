// `cpaas/sms` for Node, Deno and Bun, where `fetch` does not read files.
import { start } from "./sms.js";

export * from "./sms.js";

export function init(source) {
  const file = source ?? new URL("../pkg/sms/cpaas_sms_bg.wasm", import.meta.url);
  const isFile = file instanceof URL && file.protocol === "file:";
  return start(isFile ? import("node:fs/promises").then(({ readFile }) => readFile(file)) : file);
}
