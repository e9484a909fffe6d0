// Reads sources of the module that are files, because `fetch` does not read files in Node.
import { bytesOf } from "./base64.js";

/** The URL or the path of a file; undefined for any other source. */
function file(source) {
  if (typeof source === "string") return /^[a-z]{2,}:/i.test(source) ? file(new URL(source)) : source;
  return source instanceof URL && source.protocol === "file:" ? source : undefined;
}

async function readFile(path) {
  const { readFile } = await import("node:fs/promises");
  return readFile(path);
}

/** Returns the bytes of a file, and any other source unchanged. */
function read(source) {
  const path = file(source);
  return path === undefined ? source : readFile(path);
}

/**
 * The source that the user gave, or else the file of this package at `address()`, which is a function because a CommonJS bundle has no
 * `import.meta.url`. A bundler may leave the file behind: then the bytes come from `script()`, which imports them as a script.
 */
export async function sourceOr(given, address, script) {
  const source = await given;
  if (source !== undefined && source !== null) return read(source);
  try {
    return await readFile(address());
  } catch (error) {
    if (!script) throw error;
    const { BASE64 } = await script();
    return bytesOf(BASE64);
  }
}
