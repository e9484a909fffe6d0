import { standardSchema, start } from "./api.js";

export {
  NotInitialised, annotate, countSegments, escapeMarkup, estimate, initSync, isReady, operations, parseMarkup, segments,
  validate, validateText, version,
} from "./api.js";

export function init(source) {
  return start(() => source ?? new URL("../pkg/web/cpaas_bg.wasm", import.meta.url));
}

export const schema = (operation) => standardSchema(operation, init);
