import { camelMembers, camelNames } from "./camel-members.js";
import { kind as kindOf, lifetime, list, object, options, seconds, string } from "./checks.js";
import { keyringConfig } from "./keyring.js";
import { Native } from "./native.js";
import { readRequest } from "./read-request.js";
import { CallbackRejected } from "./rejected.js";

const SETTINGS = ["audience", "publicUrl", "deliveryKeys", "inboundKeys", "endpoints"];
const ENDPOINT = { path: "path", sources: "sources", queryTemplate: "query_template", formTemplate: "form_template", jsonTemplate: "json_template", bindReference: "bind_reference" };

/** A configuration in JSON, which only `fromJson` creates. */
class JsonConfig {
  constructor(text) {
    this.text = text;
  }
}

/** Verifies and parses callback requests. */
export class Receiver {
  #native;

  constructor(settings) {
    const isJson = settings instanceof JsonConfig;
    const config = isJson ? settings.text : JSON.stringify(receiverConfig(settings));
    this.#native = new Native("CallbackReceiver", config, (message) => new RangeError(`Receiver: ${isJson ? message : camelNames(message)}`));
  }

  static fromJson(text) {
    return new Receiver(new JsonConfig(string("fromJson", "the configuration", text)));
  }

  async receive(request, settings = {}) {
    const { now } = options("receive", settings, ["now"]);
    const time = seconds("receive", "now", now);
    const { method, url, contentType, body } = await readRequest(request);
    const { event, reason } = this.#native.call((message) => new RangeError(`receive: ${message}`), "receive", method, url, contentType, body, time);
    if (event === undefined) throw new CallbackRejected(reason);
    const { kind, ...members } = event;
    return { kind, ...camelMembers(members) };
  }

  url(source, reference = "", settings = {}) {
    const { lifetimeSeconds, now } = options("url", settings, ["lifetimeSeconds", "now"]);
    const request = { source: string("url", "the source", source), reference: string("url", "the reference", reference) };
    const found = lifetime("url", lifetimeSeconds);
    if (found !== undefined) request.lifetime = found === Infinity ? "never" : found;
    return this.#native.call((message) => new RangeError(`url: ${camelNames(message)}`), "mint", JSON.stringify(request), seconds("url", "now", now)).url;
  }

  toJSON() {
    return {};
  }
}

function receiverConfig(settings) {
  const { audience, publicUrl, deliveryKeys, inboundKeys, endpoints } = options("Receiver", settings, SETTINGS);
  const config = { audience: string("Receiver", "audience", audience), public_url: string("Receiver", "publicUrl", publicUrl) };
  if (deliveryKeys === undefined && inboundKeys === undefined) throw new TypeError("Receiver: a receiver needs a Keyring: deliveryKeys, inboundKeys or both");
  if (deliveryKeys !== undefined) config.delivery_keys = keys("deliveryKeys", deliveryKeys);
  if (inboundKeys !== undefined) config.inbound_keys = keys("inboundKeys", inboundKeys);
  if (endpoints !== undefined) config.endpoints = Array.from(list("Receiver", "endpoints", endpoints), endpoint);
  return config;
}

function keys(name, value) {
  const config = keyringConfig(value);
  if (config) return config;
  const isOther = value?.constructor?.name === "Keyring";
  throw new TypeError(`Receiver: ${name} must be a Keyring, got ${isOther ? "one of another copy of the package cpaas" : kindOf(value)}`);
}

function endpoint(given, index) {
  const what = `endpoints[${index}]`;
  const members = Object.entries(object("Receiver", what, given)).filter(([, value]) => value !== undefined);
  if (members.some(([name]) => !Object.hasOwn(ENDPOINT, name))) throw new TypeError(`Receiver: ${what}: unknown member; valid members: ${Object.keys(ENDPOINT).join(", ")}`);
  return Object.fromEntries(members.map(([name, value]) => [ENDPOINT[name], value]));
}
