// What inbound messages ask for.
import { string } from "./arguments.js";
import { callTool, requireTools, tools } from "./tools-module.js";

export function intent(text) {
  requireTools("intent");
  return JSON.parse(callTool("intent", tools.intent, string("intent", "the text", text)));
}
