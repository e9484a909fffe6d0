// Writes a folder with a package.json for each entry in `exports` of package.json, for tools that do not read `exports`: with its default
// settings, Parcel finds `cpaas/segments` in segments/package.json.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const root = new URL("./", import.meta.url);
const { exports, sideEffects, type } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));

const beside = (file) => file.replace("./", "../");

/** The flag for the files of a folder: the nearest package.json counts, which is this one for a folder that has sources too. */
function effectsIn(name) {
  if (!Array.isArray(sideEffects)) return sideEffects;
  const inside = sideEffects.filter((file) => file.startsWith(`./${name}/`)).map((file) => file.replace(`./${name}/`, "./"));
  return inside.length > 0 && inside;
}

for (const [entry, conditions] of Object.entries(exports)) {
  const [, name] = /^\.\/(\w+)$/.exec(entry) ?? [];
  if (!name) continue;
  const { require: required = conditions, import: imported = conditions } = conditions;
  const page = beside(imported.browser ?? imported.default);
  const fields = { main: beside(required.node ?? required.default), module: page, browser: page, types: beside(imported.types) };
  mkdirSync(new URL(name, root), { recursive: true });
  writeFileSync(new URL(`${name}/package.json`, root), `${JSON.stringify({ type, sideEffects: effectsIn(name), ...fields }, undefined, 2)}\n`);
}
