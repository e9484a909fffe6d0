import { object, string } from "./checks.js";
import { callNative } from "./native.js";

/** A template of delivery reports, with the delimiters `~…~`, `<…>` and `$…$`. */
export class Template {
  #source;
  #format;

  constructor(source, format = "url") {
    this.#source = string("Template", "the source", source);
    this.#format = string("Template", "the format", format);
    this.unknown = callNative((message) => new RangeError(`Template: ${message}`), "unknownVariables", this.#source, this.#format).unknown;
  }

  render(values) {
    const given = Object.create(null);
    for (const [name, value] of Object.entries(object("render", "the values", values))) if (value !== undefined) given[name] = string("render", `values.${name}`, value);
    return callNative((message) => new RangeError(`render: ${message}`), "renderTemplate", this.#source, this.#format, JSON.stringify(given)).text;
  }

  read(text) {
    return callNative((message) => new RangeError(`read: ${message}`), "readTemplate", this.#source, this.#format, string("read", "the text", text)).values;
  }
}

/** Adds a token to the query of a URL. */
export function tokenUrl(url, token) {
  return callNative((message) => new RangeError(`tokenUrl: ${message}`), "tokenUrl", string("tokenUrl", "the URL", url), string("tokenUrl", "the token", token)).url;
}
