// `node bytes.mjs MODULE`: writes the bytes of a module to bytes.js in its folder, a script with the constant BASE64.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export function writeBytes(module) {
  writeFileSync(`${dirname(module)}/bytes.js`, `export const BASE64 = "${readFileSync(module, "base64")}";\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeBytes(process.argv[2]);
