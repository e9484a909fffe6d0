// `cpaas/phone` for Node, Deno and Bun, where `fetch` does not read files.
import { start } from "./phone.js";
import { read } from "./read-file.js";

export { checkNumber } from "./phone.js";

export function loadPhone(source) {
  return start(async () => read((await source) ?? new URL("../pkg/phone/cpaas_phone_bg.wasm", import.meta.url)));
}
