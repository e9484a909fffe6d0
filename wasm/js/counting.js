// The exports of `cpaas/segments` except `init`.
export { NotInitialised, initSync, isReady } from "./state.js";
export { TextError, annotate, causes, countSegments, segments } from "./text.js";
