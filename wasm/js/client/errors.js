// The errors of calls: one class for each outcome except accepted, with the record that every language has.

/** Marks the errors of all copies of this package. */
const KIND = Symbol.for("cpaas.error");

/** The members of a record: by its name there, the name in JavaScript. */
const MEMBERS = {
  outcome: "outcome",
  sent: "sent",
  processed: "processed",
  retryable: "retryable",
  reason: "reason",
  operation: "operation",
  status: "status",
  code: "code",
  code_meaning: "codeMeaning",
  retry_after_ms: "retryAfterMs",
  attempts: "attempts",
  call_id: "callId",
};

/** Members that may quote the request or were chosen by the caller. They are not enumerable, so that loggers do not show them. */
const HIDDEN = {
  provider_message: "providerMessage",
  request_id: "requestId",
  evidence: "evidence",
  reference: "reference",
  problems: "problems",
};

const ALL = { ...MEMBERS, ...HIDDEN };

/** A problem without its parameters and its fix, which may contain input, among the properties that loggers show. */
function shownProblem({ params, fix, ...shown }) {
  const hidden = (value) => ({ value, enumerable: false, configurable: true });
  if (params !== undefined) Object.defineProperty(shown, "params", hidden(params));
  if (fix !== undefined) Object.defineProperty(shown, "fix", hidden(fix));
  return shown;
}

/** The base class of the errors of calls. */
export class CpaasError extends Error {
  #record;

  /** `record` are members of the record, with its names; the others have the values of the class. For tests of your own. */
  constructor(message, record = {}, options) {
    super(message, options);
    const { defaults } = new.target;
    this.#record = { ...defaults, ...record, message: record.message ?? message };
    for (const [name, property] of Object.entries(ALL)) {
      let value = this.#record[name];
      if (name === "problems") value = Object.freeze((value ?? []).map(shownProblem));
      const enumerable = name in MEMBERS && value !== undefined;
      Object.defineProperty(this, property, { value, enumerable, writable: false, configurable: true });
    }
  }

  /** The record, with the names and the values of every language. */
  toJSON() {
    return structuredClone(this.#record);
  }

  static [Symbol.hasInstance](value) {
    const kind = Object.hasOwn(this, "kind") ? this.kind : undefined;
    // A class of the program that extends one of these.
    if (kind === undefined) return Function.prototype[Symbol.hasInstance].call(this, value);
    const found = value?.[KIND];
    return found === kind || (kind === "CpaasError" && typeof found === "string");
  }
}

const base = { sent: "no", processed: "no", retryable: false, operation: "", attempts: 0 };

/** The class of an outcome. Its name is written out, because minifiers change names. `defaults` are the values of an error without a record. */
function define(name, type, defaults) {
  Object.defineProperty(type, "kind", { value: name });
  Object.defineProperty(type, "defaults", { value: Object.freeze({ ...base, ...defaults }) });
  Object.defineProperty(type.prototype, "name", { value: name, writable: true, configurable: true });
  Object.defineProperty(type.prototype, KIND, { value: name });
}

/** The request or the configuration is invalid; nothing was sent. `problems` contains all problems. */
export class Invalid extends CpaasError {}

/** The provider rejected the request. */
export class Rejected extends CpaasError {}

/** The request was not processed: a retry cannot act twice. */
export class NotSent extends CpaasError {}

/** The request may have been processed: unless `retryable` is true, a retry may send a second message. */
export class OutcomeUnknown extends CpaasError {}

/** Accepted, but the response with the id was lost: do not send again. */
export class AcceptedIdUnknown extends CpaasError {}

define("CpaasError", CpaasError, {});
define("Invalid", Invalid, { outcome: "invalid", reason: "validation" });
define("Rejected", Rejected, { outcome: "rejected", sent: "yes", reason: "http" });
define("NotSent", NotSent, { outcome: "not_sent", retryable: true });
define("OutcomeUnknown", OutcomeUnknown, { outcome: "unknown", sent: "maybe", processed: "maybe" });
define("AcceptedIdUnknown", AcceptedIdUnknown, { outcome: "accepted_id_unknown", sent: "yes", processed: "yes" });

const BY_OUTCOME = { invalid: Invalid, rejected: Rejected, not_sent: NotSent, unknown: OutcomeUnknown, accepted_id_unknown: AcceptedIdUnknown };

/** The names of members and settings in JavaScript, by the names in the messages of the module. */
const inJavaScript = new Map(Object.entries(ALL));

/** Adds names of settings that messages of the module contain. */
export function addNames(names) {
  for (const [name, property] of names) inJavaScript.set(name, property);
}

/** A message of the module with the names of JavaScript. */
const withNames = (message, pattern) => message.replace(pattern, (text, name) => (inJavaScript.has(name) ? `\`${inJavaScript.get(name)}\`` : text));

const NAMES = /`([a-z_]+)`/g;

/** Names of several words: no member of a request has such a name of a setting. */
const LONG_NAMES = /`([a-z]+(?:_[a-z]+)+)`/g;

/** The error of a record. */
export function errorOf(record, options) {
  const type = BY_OUTCOME[record.outcome] ?? CpaasError;
  const text = withNames(record.message, record.reason === "validation" ? LONG_NAMES : NAMES);
  return new type(record.operation ? `${record.operation}: ${text}` : text, record, options);
}

/** The error of an invalid setting. */
export const invalid = (message) => new Invalid(message, { reason: "config" });

/** The error of an argument of a call. */
export const invalidArgument = (operation, message) => errorOf({ ...Invalid.defaults, operation, message: `nothing was sent: ${message}` });
