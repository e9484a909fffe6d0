// The glue: what `init` and `initSync` take becomes a compiled module. Its exports take and return numbers alone.
// wasm/build writes it, without what is for readers, beside the module.

/** What a value is, also one of another window or context. */
export const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);

export const compileSync = (source) => (tag(source) === "WebAssembly.Module" ? source : new WebAssembly.Module(source));

/** Takes an address, an answer of `fetch`, bytes or a compiled module. */
export async function compile(source) {
  if (/^(String|URL|Request)$/.test(tag(source))) source = await fetch(source);
  if (tag(source) === "Response") {
    const { ok, status, url, headers } = source;
    if (!ok) throw new Error(`status ${status} for ${url}`);
    // Of servers that know the type of a module. Others get away with it: their answer is read first.
    if (WebAssembly.compileStreaming && headers.get("Content-Type") === "application/wasm")
      return WebAssembly.compileStreaming(source);
    source = await source.arrayBuffer();
  }
  return tag(source) === "WebAssembly.Module" ? source : WebAssembly.compile(source);
}
