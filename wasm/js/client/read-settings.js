// Reads the settings of a client: names in camel case, lengths of time in milliseconds, and what is missing from the variables `CPAAS_…`.
import { kind as typeOf } from "../arguments.js";
import { Keyring, keyringConfig } from "../callbacks/keyring.js";
import { nearest } from "../nearest.js";
import { printable } from "../printable.js";
import { SETTINGS } from "../settings.js";
import { addNames, invalid } from "./errors.js";

const BY_NAME = new Map(SETTINGS.map((setting) => [setting.name, setting]));
addNames(SETTINGS.map(({ setting, name }) => [setting, name]));

/** Options of a client that are not settings. */
const FUNCTIONS = ["onRequest", "onResponse", "onRequestEnd", "onOutcome", "traceparent", "transport", "fetch"];
const OPTIONS = [...FUNCTIONS, "env"];

/** Names that are not settings here, and what to use. */
const OTHERS = {
  suppression: "JavaScript has no suppression list: check the number before the call",
  guard: "JavaScript has no guard: limit the rate before the call",
  campaign: "campaigns are available in Rust, C and Python",
  apiToken: "the keys are `apiKey`, `smsKey`, `lookupKey`, `messagingKey`, …: one for each family",
  token: "the keys are `apiKey`, `smsKey`, `lookupKey`, `messagingKey`, …: one for each family",
  baseUrl: "the addresses are `otpUrl`, `smsUrl`, `lookupUrl`, `messagingUrl`, …: one for each family",
  maxRetries: "use `maxAttempts`, which includes the first attempt",
  retries: "use `maxAttempts`, which includes the first attempt",
};

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** The longest time limit, about 300 years. */
const MAX_MS = 1e13;

/** For each kind: whether a value has its type, and what is expected. The module checks the value itself. */
const TYPES = {
  milliseconds: [(value) => typeof value === "number" && value > 0 && value <= MAX_MS, "a number of milliseconds greater than 0 and at most 10,000,000,000,000"],
  seconds: [Number.isInteger, "an integer number of seconds"],
  integer: [Number.isInteger, "an integer"],
  boolean: [(value) => typeof value === "boolean", "true or false"],
  names: [isObject, "an object of strings"],
  list: [Array.isArray, "an array of strings"],
  keyring: [(value) => typeof value === "string" || (value !== null && typeof value === "object"), "a keyring: a list of keys, an object with `keys`, or one of them as JSON in a string"],
};
const STRING = [(value) => typeof value === "string", "a string"];

function unknown(name) {
  const shown = printable(String(name)).slice(0, 200);
  if (Object.hasOwn(OTHERS, name)) return invalid(`\`${shown}\`: ${OTHERS[name]}`);
  const meant = nearest(shown, [...BY_NAME.keys(), ...OPTIONS]);
  return invalid(`unknown setting \`${shown}\`; ${meant ? `did you mean \`${meant}\`?` : `the settings are ${[...BY_NAME.keys()].join(", ")}`}`);
}

/** A setting as the configuration in JSON contains it. */
function converted({ name, kind }, value) {
  const [isOfType, expected] = TYPES[kind] ?? STRING;
  if (!isOfType(value)) throw invalid(`\`${name}\` must be ${expected}, got ${kind === "milliseconds" && typeof value === "number" ? value : typeOf(value)}`);
  if (kind === "keyring") return keyring(name, value);
  return kind === "milliseconds" ? value / 1000 : value;
}

/** A keyring as the configuration in JSON contains it. */
function keyring(name, value) {
  if (typeof value === "string") return value;
  const { keys, ...settings } = Array.isArray(value) ? { keys: value } : value;
  try {
    return keyringConfig(value) ?? keyringConfig(new Keyring(keys, settings));
  } catch (error) {
    throw invalid(`\`${name}\`: ${error.message.replace(/^Keyring: /, "")}`);
  }
}

function checkedFunction(name, value) {
  if (typeof value !== "function") throw invalid(`\`${name}\` must be a function, got ${typeOf(value)}`);
  return value;
}

/** The variables of the process; none if the host has no environment or does not allow to read it. */
function ofProcess(names) {
  const found = {};
  for (const name of names) {
    try {
      const value = globalThis.process?.env?.[name];
      if (value !== undefined) found[name] = value;
    } catch {
      // Deno without the permission
    }
  }
  return found;
}

const variable = (setting) => `CPAAS_${setting.toUpperCase()}`;

/** The variables that are settings. `env` is an object of the program instead of the environment of the process, such as that of a Worker. */
function variables(env) {
  const names = SETTINGS.map(({ setting }) => variable(setting));
  if (env === undefined) return ofProcess(names);
  if (!isObject(env)) throw invalid(`\`env\` must be an object of strings, got ${typeOf(env)}`);
  return Object.fromEntries(names.filter((name) => typeof env[name] === "string").map((name) => [name, env[name]]));
}

/**
 * Reads the options of a client: `config` and `variables` for the module, `functions` of the program, and `effective(name)`, the value
 * of a setting about connections, from wherever it comes; undefined for the default.
 */
export function readSettings(given) {
  if (!isObject(given)) throw invalid(`the settings of a client must be an object, got ${typeOf(given)}`);
  const config = {};
  const functions = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || name === "env") continue;
    const setting = BY_NAME.get(name);
    if (setting) config[setting.setting] = converted(setting, value);
    else if (FUNCTIONS.includes(name)) functions[name] = checkedFunction(name, value);
    else throw unknown(name);
  }
  if (functions.transport && functions.fetch) throw invalid("`transport` and `fetch` cannot both be given");
  const found = config.read_environment === false ? {} : variables(given.env);
  const effective = (name) => {
    const { setting, kind } = BY_NAME.get(name);
    let value = config[setting];
    const text = found[variable(setting)];
    if (value === undefined && text !== undefined) value = TYPES[kind] ? JSON.parse(text) : text;
    return kind === "milliseconds" && value !== undefined ? value * 1000 : value;
  };
  const origin = (name) => {
    const { setting } = BY_NAME.get(name);
    if (config[setting] !== undefined) return `\`${name}\``;
    return found[variable(setting)] === undefined ? undefined : variable(setting);
  };
  return { config: JSON.stringify(config), variables: JSON.stringify(found), functions, effective, origin };
}

/** The changes of `client.with`; undefined changes nothing. */
export function readChanges(changes) {
  if (!isObject(changes)) throw invalid(`the settings of a client must be an object, got ${typeOf(changes)}`);
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** Throws for a setting that has no effect with a transport. */
export function checkSupported(unsupported, origin) {
  for (const [name, reason] of Object.entries(unsupported)) {
    const place = origin(name);
    if (place) throw invalid(`${place} is not available here: ${reason}`);
  }
}

/** The options of one call, as JSON for the module; undefined if there are none. */
const CALL_OPTIONS = {
  timeoutMs: TYPES.milliseconds,
  deadlineMs: TYPES.milliseconds,
  maxAttempts: [(value) => Number.isInteger(value) && value > 0, "an integer of 1 or more"],
  retryUnknown: TYPES.boolean,
  findPasscodes: TYPES.boolean,
  validate: [(value) => BY_NAME.get("validation").values.includes(value), `one of ${BY_NAME.get("validation").values.join(", ")}`],
  extraHeaders: [isObject, "an object of strings"],
  signal: [(value) => isObject(value) && typeof value.aborted === "boolean" && ["addEventListener", "removeEventListener"].every((name) => typeof value[name] === "function"), "an AbortSignal"],
};

/** Reads the options of one call: the options for the module in JSON, and the signal. `toError` creates the error from a message. */
export function readCallOptions(given, toError) {
  if (given === undefined) return {};
  if (!isObject(given)) throw toError(`the options of a call must be an object, got ${typeOf(given)}`);
  const options = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(CALL_OPTIONS, name) ? CALL_OPTIONS[name] : undefined;
    if (!rule) {
      const meant = nearest(name, Object.keys(CALL_OPTIONS));
      throw toError(`unknown option \`${printable(name).slice(0, 200)}\`; ${meant ? `did you mean \`${meant}\`?` : `the options of a call are ${Object.keys(CALL_OPTIONS).join(", ")}`}`);
    }
    if (!rule[0](value)) throw toError(`\`${name}\` must be ${rule[1]}, got ${typeof value === "number" ? value : typeOf(value)}`);
    options[name] = value;
  }
  const { signal, extraHeaders, ...rest } = options;
  if (extraHeaders) rest.headers = Object.entries(extraHeaders).map(([name, value]) => [name, text(name, value, toError)]);
  return { json: Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest), signal };
}

function text(name, value, toError) {
  if (typeof value !== "string") throw toError(`the header \`${printable(name).slice(0, 200)}\` must be a string, got ${typeOf(value)}`);
  return value;
}
