// Time and random bytes for the module of servers. The functions are taken when this file is loaded: replacing a global later has no effect.
const { performance, crypto } = globalThis;
const now = performance?.now.bind(performance);
const unix = Date.now;
const random = crypto?.getRandomValues.bind(crypto);

export const monotonicMs = () => (now ?? unix)();
export const unixMs = () => unix();

/** Whether `bytes`, which are memory of the module, were filled. */
export function fillRandom(bytes) {
  try {
    random(bytes);
    return true;
  } catch {
    return false;
  }
}
