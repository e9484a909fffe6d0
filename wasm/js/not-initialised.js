/** Thrown by a function that is called before the module is loaded. */
export class NotInitialised extends Error {
  constructor(name, entry, todo = `call \`await init()\` of ${entry} first (or \`initSync(bytes)\`)`) {
    super(`${name}: ${todo}`);
  }
}

// Minifiers rename the class.
Object.defineProperty(NotInitialised.prototype, "name", { value: "NotInitialised", writable: true, configurable: true });
