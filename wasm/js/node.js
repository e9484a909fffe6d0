// For Node, Deno and Bun, and for vitest, where `fetch` does not read files.
import { schemaWith } from "./schema.js";
import { start } from "./state.js";

export * from "./api.js";

/** The URL or the path of a file; undefined for any other source. */
function file(source) {
  if (typeof source === "string") return /^[a-z]{2,}:/i.test(source) ? file(new URL(source)) : source;
  return source instanceof URL && source.protocol === "file:" ? source : undefined;
}

export function init(source) {
  return start(async () => {
    const given = (await source) ?? new URL("../pkg/web/cpaas_bg.wasm", import.meta.url);
    const path = file(given);
    if (path === undefined) return given;
    const { readFile } = await import("node:fs/promises");
    return readFile(path);
  });
}

export const schema = /* @__PURE__ */ schemaWith(init);
