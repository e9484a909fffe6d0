// What bytes cost when gzip packs them behind others: its search for matches, with the price of each symbol by how often
// the whole uses it. gzip itself would read everything again for each question.

/** Matches: the shortest, the longest, how far one of three bytes is worth it, how far any reaches, how many are looked at. */
const [LEAST, MOST, FAR, REACH, LOOKS] = [3, 258, 4096, 32_506, 256];
const [LETTERS, SPANS, WIDEST] = [286, 30, 32_768];
/** Bits that a match costs beyond its own: gzip begins new codes early, as the constants behind the code want them, only where
 * it writes more letters than matches. */
const TOLL = 1.5;

/** The symbol of each number from `first` on, and how many bits stand behind it: `group` symbols have as many. */
function symbols(first, last, group) {
  const found = [];
  for (let symbol = 0, value = first; value <= last; symbol++) {
    const bits = Math.max(0, Math.floor(symbol / group) - 1);
    for (const end = Math.min(last + 1, value + 2 ** bits); value < end; value++) found[value] = { symbol, bits };
  }
  return found;
}

const LENGTHS = symbols(LEAST, MOST, 4);
LENGTHS[MOST] = { symbol: 28, bits: 0 };
const DISTANCES = symbols(1, WIDEST, 2);

export class Packer {
  /** Room for so many bytes. */
  constructor(room) {
    this.text = new Uint8Array(room + LEAST);
    /** Of each row of bytes the last place, and of each place the one before with the same row. */
    this.last = new Int32Array(1 << 16).fill(-1);
    this.before = new Int32Array(room + LEAST);
    this.known = 0;
    this.letter = new Float64Array(256).fill(7);
    this.length = new Float64Array(MOST + 1).fill(9);
    this.distance = new Float64Array(WIDEST + 1).fill(11);
  }

  row(at) {
    const { text } = this;
    return Math.imul(text[at] | (text[at + 1] << 8) | (text[at + 2] << 16), 0x9e3779b1) >>> 16;
  }

  enter(at) {
    const row = this.row(at);
    this.before[at] = this.last[row];
    this.last[row] = at;
  }

  /** The bytes before `end` are settled: matches are looked for in them. */
  settle(end) {
    for (; this.known < end; this.known++) this.enter(this.known);
  }

  /** The longest match that is longer than `least`; the place of it is left in `found`. */
  match(at, end, least) {
    const { text, before } = this;
    const most = Math.min(MOST, end - at);
    let best = Math.max(least, LEAST - 1);
    let place = this.last[this.row(at)];
    for (let looks = LOOKS; best < most && place >= 0 && at - place <= REACH && looks > 0; looks--, place = before[place]) {
      if (text[place + best] !== text[at + best]) continue;
      let length = 0;
      while (length < most && text[place + length] === text[at + length]) length++;
      if (length <= best) continue;
      best = length;
      this.found = place;
    }
    if (best <= least || best < LEAST || (best === LEAST && at - this.found > FAR)) return 0;
    return best;
  }

  /** The bits of what stands from `start`, to where all is settled, to `end`; `tell` hears of each letter and match. */
  cost(start, end, tell = () => {}) {
    let [bits, length, from, open] = [0, 0, 0, false];
    for (let at = start; at <= end; at++) {
      // A match is taken where the next place has no longer one.
      const longer = at < end ? this.match(at, end, length) : 0;
      const place = this.found;
      if (at < end) this.enter(at);
      if (length > 0 && longer === 0) {
        const back = at - 1 - from;
        bits += this.length[length] + this.distance[back];
        tell(length, back);
        for (const last = at - 2 + length; at < last; ) this.enter(++at);
        [length, open] = [0, false];
        continue;
      }
      if (open) {
        bits += this.letter[this.text[at - 1]];
        tell(0, this.text[at - 1]);
      }
      [length, from, open] = [longer, place, true];
    }
    for (let at = end - 1; at >= start; at--) this.last[this.row(at)] = this.before[at];
    return bits;
  }

  /** Prices by how often the bytes up to `end` use each symbol. */
  learn(end) {
    const [letters, spans] = [new Float64Array(LETTERS).fill(0.3), new Float64Array(SPANS).fill(0.3)];
    this.cost(0, end, (length, value) => {
      letters[length === 0 ? value : 257 + LENGTHS[length].symbol]++;
      if (length > 0) spans[DISTANCES[value].symbol]++;
    });
    const prices = (counts) => counts.map((count) => Math.max(1, Math.log2(counts.reduce((sum, one) => sum + one) / count)));
    const [letter, span] = [prices(letters), prices(spans)];
    this.letter.set(letter.subarray(0, 256));
    this.length.forEach((_, length) => (this.length[length] = length < LEAST ? 0 : letter[257 + LENGTHS[length].symbol] + LENGTHS[length].bits + TOLL));
    this.distance.forEach((_, back) => (this.distance[back] = back < 1 ? 0 : span[DISTANCES[back].symbol] + DISTANCES[back].bits));
  }
}
