// `cpaas/tools`: loads the tools module for a page that uses none of the functions for which `init` loads it.
export { loadTools } from "./load-tools.js";
