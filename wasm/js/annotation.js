// The cost of the characters of a text, and the classification of senders.
import { string } from "./arguments.js";
import { callTool, requireTools, tools } from "./tools-module.js";

export function annotate(text) {
  requireTools("annotate");
  return JSON.parse(callTool("annotate", tools.annotate, string("annotate", "the text", text)));
}

export function causes(text) {
  requireTools("causes");
  return JSON.parse(callTool("causes", tools.annotate, string("causes", "the text", text))).causes;
}

export function checkSender(sender) {
  requireTools("checkSender");
  return JSON.parse(callTool("checkSender", tools.checkSender, string("checkSender", "the sender", sender)));
}
