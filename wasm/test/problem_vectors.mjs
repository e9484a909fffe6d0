// Reads the requests of `tests/vectors/problems`.
import { readFileSync, readdirSync } from "node:fs";

const folder = new URL("../../tests/vectors/problems/", import.meta.url);

/** The cases whose request is an object or an array: `{"$text": ["a", ["b", 3]]}` is "abbb", `{"$list": [x, 2]}` is `[x, x]`. */
export function vectors() {
  const runs = (run) => (Array.isArray(run) ? run : [run, 1]);
  const revive = (_, value) => {
    if (value?.$text) return value.$text.map((run) => runs(run)[0].repeat(runs(run)[1])).join("");
    return value?.$list ? Array(value.$list[1]).fill(value.$list[0]) : value;
  };
  const cases = readdirSync(folder).flatMap((file) => {
    const parsed = JSON.parse(readFileSync(new URL(file, folder), "utf8"), revive);
    return parsed.cases ?? parsed;
  });
  return cases.filter(({ operation, request }) => operation && request !== null && typeof request === "object");
}
