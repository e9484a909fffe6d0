// Time and random bytes for the module of servers. The functions are taken when this file is loaded: replacing a global later has no effect.
const { performance, crypto } = globalThis;
const now = performance?.now.bind(performance);
const unix = Date.now;
const random = crypto?.getRandomValues.bind(crypto);

export const monotonicMs = () => (now ?? unix)();
export const unixMs = () => unix();

/** Random bytes that are not used yet: one call of the host costs more than a small copy. */
const pool = new Uint8Array(1024);
let used = pool.length;

/** Whether `bytes`, which are memory of the module, were filled. */
export function fillRandom(bytes) {
  try {
    if (bytes.length > pool.length) {
      random(bytes);
      return true;
    }
    if (used + bytes.length > pool.length) {
      random(pool);
      used = 0;
    }
    bytes.set(pool.subarray(used, used + bytes.length));
    pool.fill(0, used, (used += bytes.length)); // no byte is used twice
    return true;
  } catch {
    return false;
  }
}
