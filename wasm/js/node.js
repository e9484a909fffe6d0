import { standardSchema, start } from "./api.js";

export {
  NotInitialised, annotate, countSegments, escapeMarkup, estimate, initSync, isReady, operations, parseMarkup, segments,
  validate, validateText, version,
} from "./api.js";

export function init(source) {
  return start(async () => {
    if (source !== undefined) return source;
    const { readFile } = await import("node:fs/promises");
    return readFile(new URL("../pkg/web/cpaas_bg.wasm", import.meta.url));
  });
}

export const schema = (operation) => standardSchema(operation, init);
