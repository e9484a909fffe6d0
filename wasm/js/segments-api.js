// The exports of `cpaas/segments` except `init`.
export { initSync, isReady } from "./module-state.js";
export { NotInitialised } from "./not-initialised.js";
export { annotate, causes } from "./annotation.js";
export { TextError, countSegments, segments } from "./sms-parts.js";
