// Objects of the module of servers. They belong to one instance of it, so they are created again after a trap.
import { instance, withModule } from "../server/module.js";

/** An object of the class `name` of the module with a configuration in JSON. The secrets in it are not visible from outside. */
export class Native {
  #name;
  #config;
  #created;
  #instance;

  constructor(name, config, toError) {
    this.#name = name;
    this.#config = config;
    const error = this.#use((created) => created.error());
    if (error !== undefined) throw toError(error);
  }

  /** Calls a method whose result is a JSON object with `ok`; returns the object, or throws what `toError` makes from its message. */
  call(toError, method, ...args) {
    return result(toError, this.#use((created) => created[method](...args)));
  }

  #use(use) {
    return withModule((glue) => {
      if (!this.#created || this.#instance !== instance()) {
        this.#created = new glue[this.#name](this.#config);
        this.#instance = instance();
      }
      return use(this.#created);
    });
  }
}

/** Calls a function of the module as `Native.call` does. */
export const callNative = (toError, name, ...args) => result(toError, withModule((glue) => glue[name](...args)));

function result(toError, json) {
  const { ok, message, ...members } = JSON.parse(json);
  if (ok === false && message !== undefined) throw toError(message);
  return members;
}
