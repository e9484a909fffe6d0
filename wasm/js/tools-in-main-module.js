// Replaces tools-module.js in `cpaas/inline` and `cpaas/segments`, which have one module with all their functions; see bundle.mjs.
export * as tools from "../pkg/web/cpaas.js";
export { call as callTool, requireReady as requireTools, tryCall as tryTool } from "./module-state.js";
