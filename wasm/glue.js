// The glue: what `init` and `initSync` take becomes the exports of the module, which take and return numbers alone.
// wasm/build writes it, without what is for readers, beside the module.

/** What a value is, also one of another window or context. */
export const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);

export function loadSync(source) {
  const module = tag(source) === "WebAssembly.Module" ? source : new WebAssembly.Module(source);
  return new WebAssembly.Instance(module).exports;
}

/** Takes an address, an answer of `fetch`, bytes or a compiled module. */
export async function load(source) {
  if (/^(String|URL|Request)$/.test(tag(source))) source = await fetch(source);
  if (tag(source) === "Response") {
    const { ok, status, url, headers } = source;
    if (!ok) throw new Error(`status ${status} for ${url}`);
    // Of servers that know the type of a module. Others get away with it: their answer is read first.
    if (WebAssembly.instantiateStreaming && headers.get("Content-Type") === "application/wasm")
      return (await WebAssembly.instantiateStreaming(source)).instance.exports;
    source = await source.arrayBuffer();
  }
  const made = await WebAssembly.instantiate(source);
  return (made.instance ?? made).exports;
}
