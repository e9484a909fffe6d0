// Reads sources of the module that are files, because `fetch` does not read files in Node.

/** The URL or the path of a file; undefined for any other source. */
function file(source) {
  if (typeof source === "string") return /^[a-z]{2,}:/i.test(source) ? file(new URL(source)) : source;
  return source instanceof URL && source.protocol === "file:" ? source : undefined;
}

/** Returns the bytes of a file, and any other source unchanged. */
export async function read(source) {
  const path = file(source);
  if (path === undefined) return source;
  const { readFile } = await import("node:fs/promises");
  return readFile(path);
}
