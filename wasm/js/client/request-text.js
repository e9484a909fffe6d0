// Writes requests as JSON, and finds in them what JSON cannot represent.
import { kind } from "../arguments.js";
import { loneSurrogates } from "../lone-surrogates.js";
import { pointer } from "../place.js";
import { DEPTH, unwritable } from "../unwritable-value.js";
import { errorOf, invalidArgument } from "./errors.js";
import { jsonText } from "./json-text.js";

function invalidRequest(operation, problems) {
  const [{ pointer: place, message }] = problems;
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : "";
  return errorOf({
    outcome: "invalid",
    sent: "no",
    reason: "validation",
    operation,
    message: `nothing was sent: ${place || "the request"}: ${message}${more}`,
    processed: "no",
    retryable: false,
    attempts: 0,
    problems,
  });
}

/** A request as JSON; throws `Invalid` for one that JSON cannot represent. */
export function requestText(operation, request) {
  if (request === undefined) return "{}";
  if (request === null || typeof request !== "object") throw invalidArgument(operation, `the request must be an object, got ${kind(request)}`);
  const { text, problems } = written(operation, request);
  if (problems.length > 0) throw invalidRequest(operation, problems.map((problem) => ({ ...problem, code: "json.syntax", severity: "error" })));
  return text ?? "null";
}

function written(operation, request) {
  try {
    return jsonText(request);
  } catch (error) {
    const found = unwritable(request) ?? (error instanceof RangeError ? { isTooDeep: true } : undefined);
    if (found?.isTooDeep) throw invalidRequest(operation, [{ pointer: "", code: "json.too_deep", severity: "error", message: `too deep: at most ${DEPTH} nested arrays and objects` }]);
    if (found) throw invalidRequest(operation, [{ pointer: pointer(found.path), code: "json.syntax", severity: "error", message: "must have a value, got an exception when it was read" }]);
    throw invalidArgument(operation, "the request must be JSON, got an object that cannot be read");
  }
}

/** The error of a record. The error about a lone surrogate names the string that contains it. */
export function errorOfCall(record, request, options) {
  if (record.problems?.[0]?.code === "json.syntax") {
    const { problems } = loneSurrogates(JSON.parse(request), 1000);
    if (problems.length > 0) return invalidRequest(record.operation, problems);
  }
  return errorOf(record, options);
}
