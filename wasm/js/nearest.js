// Suggestions for mistyped names, by the rule of `cpaas::nearest_name` in Rust: `schema` needs them before the module is loaded.

/** The name in lower case, without separators. */
const folded = (name) => name.replace(/[-_ ]/g, "").toLowerCase();

/** The number of edits between two names. Two swapped neighbors are one edit. */
function edits(one, other) {
  let [before, row] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (isSame ? 0 : 1));
      if (one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    [before, row] = [row, next];
  }
  return row[other.length];
}

/** The candidate that a mistyped name most likely means; undefined if none is similar. */
export function nearest(name, candidates) {
  if (name.length > 48) return undefined;
  const most = folded(name).length <= 5 ? 1 : 2;
  const found = candidates.map((candidate) => [edits(folded(name), folded(candidate)), candidate]).filter(([count]) => count <= most);
  return found.sort(([one], [other]) => one - other)[0]?.[1];
}
