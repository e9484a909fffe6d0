/** Thrown by a function that is called before the module is loaded. */
export class NotInitialised extends Error {
  constructor(name, entry) {
    super(`${name}: call \`await init()\` of ${entry} first (or \`initSync(bytes)\`)`);
  }
}

// Minifiers rename the class.
Object.defineProperty(NotInitialised.prototype, "name", { value: "NotInitialised", writable: true, configurable: true });
