// Orders of functions in which those that are alike stand close to each other.

/** As many bytes in a row make two functions alike; what more functions than COMMON have says nothing. */
const GRAMS = [4, 5];
const COMMON = 200;
/** Where chains begin: what stands in front decides too where gzip takes up new codes. */
const STARTS = 6;
/** How much of a function counts still when another has followed it. */
const FADES = [0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95];

/** For each function those that it shares rows of bytes with: `[other, weight]`. */
function likeness(bodies, gram) {
  const holders = new Map();
  bodies.forEach((body, index) => {
    const text = body.toString("latin1");
    for (let at = 0; at + gram <= text.length; at++) {
      const row = text.slice(at, at + gram);
      if (!holders.has(row)) holders.set(row, new Set());
      holders.get(row).add(index);
    }
  });
  const alike = bodies.map(() => new Map());
  for (const known of holders.values()) {
    if (known.size < 2 || known.size >= COMMON) continue;
    const weight = 1 / Math.log2(1 + known.size);
    for (const one of known) for (const other of known) alike[one].set(other, (alike[one].get(other) ?? 0) + weight);
  }
  return alike;
}

/** From one function on each time the one that is most alike to the last few; the first of several. */
function chain(bodies, alike, fade, start) {
  const left = new Set(bodies.keys());
  const scores = new Float64Array(bodies.length);
  const order = [];
  for (let next = start; next !== undefined; ) {
    order.push(next);
    left.delete(next);
    for (let index = 0; index < scores.length; index++) scores[index] *= fade;
    for (const [other, weight] of alike[next]) scores[other] += weight;
    next = undefined;
    for (const index of left) if (next === undefined || scores[index] / bodies[index].length > scores[next] / bodies[next].length) next = index;
  }
  return order;
}

/** An order for each way to be alike, to be forgotten and to begin. */
export function orders(bodies) {
  const starts = Array.from({ length: STARTS }, (_, start) => Math.floor((start * bodies.length) / STARTS));
  return GRAMS.flatMap((gram) => {
    const alike = likeness(bodies, gram);
    return FADES.flatMap((fade) => starts.map((start) => chain(bodies, alike, fade, start)));
  });
}
