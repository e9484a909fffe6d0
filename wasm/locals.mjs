// The numbers of locals: gzip likes functions that are alike to have the same ones.
import { LOCALS, joined, pieces } from "./module.mjs";
import { Packer } from "./packer.mjs";

const ROUNDS = 2;
/** Exchanges tried in a round: of a function with few locals twice the square of their count. */
const TRIES = 300;
/** As much behind a function as tells what it is worth to its neighbours. */
const BEHIND = 600;

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

/** Orders of a function's locals that differ from `order` by an exchange within a type. */
function* exchanges(types, order, random) {
  const count = types.length;
  for (let left = Math.min(TRIES, 2 * count * count); left > 0; left--) {
    const [one, other] = [random(count), random(count)];
    const now = order();
    if (one !== other && types[now[one]] === types[now[other]]) yield now.with(one, now[other]).with(other, now[one]);
  }
}

/** Bodies of functions, in their order in the module, with locals of one type exchanged as long as that packs better. */
export function renumbered(bodies, parameters) {
  const functions = bodies.map((body) => pieces(body, LOCALS));
  const orders = functions.map(({ types }) => [...types.keys()]);
  const written = [...bodies];
  const random = dice(1);
  for (let round = 0; round < ROUNDS; round++) {
    const all = Buffer.concat(written);
    const packer = new Packer(all.length + BEHIND);
    packer.text.set(all);
    packer.learn(all.length);
    packer.learn(all.length);
    let start = 0;
    functions.forEach((code, index) => {
      packer.settle(start);
      const behind = Buffer.concat(written.slice(index + 1, index + 9)).subarray(0, BEHIND);
      const cost = (body) => {
        packer.text.set(body, start);
        packer.text.set(behind, start + body.length);
        return packer.cost(start, start + body.length + behind.length);
      };
      let least;
      for (const order of exchanges(code.types, () => orders[index], random)) {
        least ??= cost(written[index]);
        const body = arranged(code, parameters[index], order);
        const bits = cost(body);
        if (bits > least) continue;
        [least, orders[index], written[index]] = [bits, order, body];
      }
      packer.text.set(written[index], start);
      start += written[index].length;
    });
  }
  return written;
}
