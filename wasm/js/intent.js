// What inbound messages ask for.
import { string } from "./arguments.js";
import { requireReady } from "./module-state.js";
import { callTool, tools } from "./tools-module.js";

export function intent(text) {
  requireReady("intent");
  return JSON.parse(callTool("intent", tools.intent, string("intent", "the text", text)));
}
