// The numbers of locals: gzip likes functions that are alike to have the same ones.
import { deflateRawSync } from "node:zlib";
import { LOCALS, joined, pieces } from "./module.mjs";

const ROUNDS = 6;
/** Exchanges tried in a round: of a function with few locals all, as many as the square of their count. */
const TRIES = 300;
/** What gzip sees before a function, and as much behind it as tells what the function is worth to its neighbours. */
const BEFORE = 32_000;
const BEHIND = 1500;

/** Numbers that look random and are the same in every build. */
function dice(seed) {
  return (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

/** A function whose locals stand in another order; the parameters, which come first, keep their numbers. */
function arranged({ types, between, numbers }, parameters, order) {
  const places = new Map(order.map((local, place) => [parameters + local, parameters + place]));
  return joined({ types: order.map((local) => types[local]), between, numbers: numbers.map((local) => places.get(local) ?? local) });
}

/** Bodies of functions, in their order in the module, with locals of one type exchanged as long as that packs better. */
export function renumbered(bodies, parameters) {
  const functions = bodies.map((body) => pieces(body, LOCALS));
  const orders = functions.map(({ types }) => [...types.keys()]);
  const written = [...bodies];
  const random = dice(1);
  for (let round = 0; round < ROUNDS; round++) {
    let before = Buffer.alloc(1);
    functions.forEach((code, index) => {
      const behind = Buffer.concat(written.slice(index + 1, index + 9)).subarray(0, BEHIND);
      const dictionary = before.subarray(-BEFORE);
      const cost = (body) => deflateRawSync(Buffer.concat([body, behind]), { level: 9, dictionary }).length;
      let least = cost(written[index]);
      const count = code.types.length;
      for (let left = Math.min(TRIES, count * count); left > 0; left--) {
        const [one, other] = [random(count), random(count)];
        const order = orders[index].with(one, orders[index][other]).with(other, orders[index][one]);
        if (one === other || code.types[order[one]] !== code.types[order[other]]) continue;
        const body = arranged(code, parameters[index], order);
        const size = cost(body);
        if (size <= least) {
          least = size;
          orders[index] = order;
          written[index] = body;
        }
      }
      before = Buffer.concat([before, written[index]]).subarray(-BEFORE);
    });
  }
  return written;
}
