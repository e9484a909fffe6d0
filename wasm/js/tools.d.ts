/** Loads the functions of a second module, for a page that calls `estimate` with prices by prefix and no other function of that module. */

/**
 * Loads the module once. `init` of `cpaas` already loads it if the page uses one of its functions: `annotate`, `causes`, `checkSender`,
 * `normalizeNumber`, `intent`, `autofillBody`, `checkAutofill`, `appHash`, `parseMarkup`, `escapeMarkup` or a check of a value.
 *
 * @throws Error if it is not loaded; the next call tries again.
 */
export function loadTools(): Promise<void>;
