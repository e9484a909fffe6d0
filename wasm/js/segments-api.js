// The exports of `cpaas/segments` except `init`.
export { NotInitialised, initSync, isReady } from "./module-state.js";
export { annotate, causes } from "./annotation.js";
export { TextError, countSegments, segments } from "./sms-parts.js";
