// Sources of the module that are files, which `fetch` does not read in Node.

/** The URL or the path of a file; undefined for any other source. */
function file(source) {
  if (typeof source === "string") return /^[a-z]{2,}:/i.test(source) ? file(new URL(source)) : source;
  return source instanceof URL && source.protocol === "file:" ? source : undefined;
}

/** The bytes of a file; any other source as it is. */
export async function read(source) {
  const path = file(source);
  if (path === undefined) return source;
  const { readFile } = await import("node:fs/promises");
  return readFile(path);
}
