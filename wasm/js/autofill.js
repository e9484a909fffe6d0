// Messages whose one-time code fills itself in.
import { kind, object, string } from "./arguments.js";
import { toError } from "./sms-parts.js";
import { callTool, requireTools, tools, tryTool } from "./tools-module.js";

export function autofillBody(text, options) {
  requireTools("autofillBody");
  string("autofillBody", "the text", text);
  const given = JSON.stringify(object("autofillBody", "the options", options));
  return JSON.parse(tryTool("autofillBody", toError, tools.autofillBody, text, given)).body;
}

export function checkAutofill(message) {
  requireTools("checkAutofill");
  return JSON.parse(callTool("checkAutofill", tools.checkAutofill, string("checkAutofill", "the message", message)));
}

export function appHash(packageName, certificate) {
  requireTools("appHash");
  string("appHash", "the package", packageName);
  if (!(certificate instanceof Uint8Array)) throw new TypeError(`appHash: the certificate must be a Uint8Array, got ${kind(certificate)}`);
  return JSON.parse(tryTool("appHash", toError, tools.appHash, packageName, certificate)).hash;
}
