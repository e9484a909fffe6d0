// `cpaas/phone` for Node, Deno and Bun, where `fetch` does not read files.
import { start } from "./phone.js";
import { sourceOr } from "./read-file.js";

export { checkNumber } from "./phone.js";

const file = () => new URL("../pkg/phone/cpaas_phone_bg.wasm", import.meta.url);

export function loadPhone(source) {
  return start(() => sourceOr(source, file), source);
}
