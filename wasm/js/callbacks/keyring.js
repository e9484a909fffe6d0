import { camelMembers, camelNames } from "./camel-members.js";
import { kind, lifetime, list, object, options, seconds, string } from "./checks.js";
import { Native } from "./native.js";
import { CallbackRejected } from "./rejected.js";

const KEY = ["kid", "secret", "secretBase64", "retiredAt"];

/** The configuration of a keyring, which only this package can read. */
let configOf;

/** 1 to 8 keys: the first key signs, all keys verify. */
export class Keyring {
  #native;
  #config;

  static {
    configOf = (keyring) => (#config in keyring ? keyring.#config : undefined);
  }

  constructor(keys, settings = {}) {
    const { longestLifetimeSeconds, expiringOnly = false } = options("Keyring", settings, ["longestLifetimeSeconds", "expiringOnly"]);
    if (typeof expiringOnly !== "boolean") throw new TypeError(`Keyring: expiringOnly must be true or false, got ${kind(expiringOnly)}`);
    const config = { keys: keysConfig("Keyring", keys), expiring_only: expiringOnly };
    if (longestLifetimeSeconds !== undefined) {
      if (!Number.isSafeInteger(longestLifetimeSeconds)) throw new TypeError(`Keyring: longestLifetimeSeconds must be an integer of seconds, got ${kind(longestLifetimeSeconds)}`);
      config.longest_lifetime = longestLifetimeSeconds;
    }
    this.#config = config;
    this.#native = new Native("CallbackKeyring", JSON.stringify(config), (message) => new RangeError(`Keyring: ${camelNames(message)}`));
  }

  mint(purpose, settings) {
    const { audience, reference = "", lifetimeSeconds, now } = options("mint", settings, ["audience", "reference", "lifetimeSeconds", "now"]);
    const args = [string("mint", "the purpose", purpose), string("mint", "audience", audience), string("mint", "reference", reference)];
    return this.#native.call((message) => new RangeError(`mint: ${message}`), "mint", ...args, lifetime("mint", lifetimeSeconds), seconds("mint", "now", now)).token;
  }

  verify(token, purpose, settings) {
    const { audience, reference = "", now } = options("verify", settings, ["audience", "reference", "now"]);
    const args = [string("verify", "the token", token), string("verify", "the purpose", purpose), string("verify", "audience", audience), string("verify", "reference", reference)];
    const { claims, reason } = this.#native.call((message) => new RangeError(`verify: ${message}`), "verify", ...args, seconds("verify", "now", now));
    if (reason !== undefined) throw new CallbackRejected(reason);
    return claims;
  }

  lint(now) {
    const { keys } = this.#native.call((message) => new RangeError(`lint: ${message}`), "lint", seconds("lint", "now", now));
    return keys.map((key) => {
      const { tokensExpireAt, ...notice } = camelMembers(key);
      return typeof tokensExpireAt === "number" ? { ...notice, tokensExpireAt: new Date(tokensExpireAt * 1000) } : notice;
    });
  }

  /** The ids of the keys, so that neither a log nor JSON shows a secret. */
  toJSON() {
    return { keys: this.#config.keys.map(({ kid }) => ({ kid })) };
  }

  [Symbol.for("nodejs.util.inspect.custom")]() {
    return `Keyring { ${this.#config.keys.map(({ kid }) => kid).join(", ")} }`;
  }
}

/** The configuration in JSON of a keyring; undefined for another value, also for a keyring of another copy of this package. */
export const keyringConfig = (value) => (typeof value === "object" && value !== null ? configOf(value) : undefined);

function keysConfig(name, keys) {
  const found = [];
  for (const key of list(name, "the keys", keys)) {
    if (found.length === 100) throw new RangeError(`${name}: a keyring must have 1 to 8 keys, got more`);
    found.push(keyConfig(name, key, found.length));
  }
  return found;
}

function keyConfig(name, key, index) {
  const what = `keys[${index}]`;
  if (Object.keys(object(name, what, key)).some((member) => !KEY.includes(member))) throw new TypeError(`${name}: ${what}: unknown member; valid members: ${KEY.join(", ")}`);
  const { kid, secret, secretBase64, retiredAt } = key;
  const config = { kid: string(name, `${what}.kid`, kid) };
  if (secretBase64 !== undefined) config.secret_base64 = string(name, `${what}.secretBase64`, secretBase64);
  if (ArrayBuffer.isView(secret)) config.secret_base64 = base64(secret);
  else if (secret !== undefined) config.secret = string(name, `${what}.secret`, secret);
  if (secret !== undefined && secretBase64 !== undefined) throw new TypeError(`${name}: ${what} must have secret or secretBase64, got both`);
  if (secret === undefined && secretBase64 === undefined) throw new TypeError(`${name}: ${what} must have a secret`);
  if (retiredAt !== undefined) config.retired_at = seconds(name, `${what}.retiredAt`, retiredAt);
  return config;
}

function base64(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
