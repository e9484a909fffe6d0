// The tools module as a script, which contains the module.
import * as glue from "../pkg/tools/cpaas_tools.js";
import { BASE64 } from "../pkg/tools/bytes.js";
import { bytesOf } from "./base64.js";

export { glue };

export const bytes = () => bytesOf(BASE64);

export async function instantiate() {
  await glue.default({ module_or_path: await WebAssembly.compile(bytes()) });
}
