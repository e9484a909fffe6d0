/** Thrown by a function that is called before the module is loaded. */
export class NotInitialised extends Error {
  constructor(name, entry) {
    super(`${name}: call \`await init()\` of ${entry} first (or \`initSync(bytes)\`)`);
  }

  /** Minifiers rename the class. */
  get name() {
    return "NotInitialised";
  }
}
