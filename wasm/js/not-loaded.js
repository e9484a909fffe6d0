// The error of a module that was not loaded, which names the way out for the common causes.

/** The function that takes the address of the file, by the function that failed. */
const LOADERS = { init: "`init(address)`, or use cpaas/inline", loadPhone: "`loadPhone(address)`" };

function advice(name, message, source) {
  if (typeof WebAssembly === "undefined") return "; this engine has no WebAssembly, like Hermes of React Native";
  if (/unsafe-eval|\bCSP\b/.test(message)) return "; the content security policy needs script-src 'wasm-unsafe-eval'";
  const isMissing = /^status |fetch|Load failed|ENOENT|no such file|Invalid URL|magic (word|number)/i.test(message);
  if (!isMissing || (source ?? undefined) !== undefined) return "";
  return `; the bundler must copy the module's file, and the content security policy must allow it in connect-src: pass its address to ${LOADERS[name]}`;
}

/** The error of the function `name`; `source` is its argument. */
export function notLoaded(name, error, source) {
  const message = String(error?.message ?? error);
  return new Error(`${name}: the module was not loaded: ${message}${advice(name, message, source)}`, { cause: error });
}
