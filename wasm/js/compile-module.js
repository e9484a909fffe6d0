// Compiles the sources that `init` and `initSync` accept to a module.

/** The class name of a value. It also works for a value of another window or context. */
const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);

const isModule = (value) => tag(value) === "WebAssembly.Module";

export const isBytesOrModule = (value) => ArrayBuffer.isView(value) || isModule(value) || /^(Shared)?ArrayBuffer$/.test(tag(value));

/** Copies shared bytes, because compilers reject memory that other threads can change. */
function unshared(bytes) {
  const view = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
  return tag(view.buffer) === "SharedArrayBuffer" ? view.slice() : view;
}

/** Returns the module if it exports the function `needed`, as the modules of this package do. */
function checked(module, needed) {
  const isOurs = WebAssembly.Module.exports(module).some(({ name }) => name === needed);
  if (!isOurs) throw new TypeError("it is not the module of this package");
  return module;
}

/** Compiles bytes; a compiled module stays as it is. */
export function compileSync(source, needed) {
  return checked(isModule(source) ? source : new WebAssembly.Module(unshared(source)), needed);
}

/** Like `compileSync`, but also accepts addresses, and requests and responses of `fetch`. */
export async function compile(source, needed) {
  if (/^(String|URL|Request)$/.test(tag(source))) source = await fetch(source);
  if (tag(source) === "Response") return checked(await compileResponse(source), needed);
  if (!isBytesOrModule(source)) throw new TypeError("the source must be bytes, an address, a response or a module");
  return checked(isModule(source) ? source : await WebAssembly.compile(unshared(source)), needed);
}

async function compileResponse(response) {
  if (!response.ok) throw new Error(`status ${response.status} for ${response.url}`);
  // Streaming requires the media type of a module, which some servers do not know.
  const isStreamable = WebAssembly.compileStreaming && response.headers.get("Content-Type") === "application/wasm";
  return isStreamable ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
