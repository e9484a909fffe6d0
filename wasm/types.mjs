// The operands that wait at each instruction of a function, with their types.
import { Reader } from "./module.mjs";

export const [I32, I64, F32, F64] = [0x7f, 0x7e, 0x7d, 0x7c];

/** Runs of instructions that take so many operands and leave one of that type. */
const RUNS = [
  [0x28, 0x28, 1, I32], [0x29, 0x29, 1, I64], [0x2a, 0x2a, 1, F32], [0x2b, 0x2b, 1, F64], [0x2c, 0x2f, 1, I32], [0x30, 0x35, 1, I64],
  [0x3f, 0x3f, 0, I32], [0x40, 0x40, 1, I32], [0x41, 0x41, 0, I32], [0x42, 0x42, 0, I64], [0x43, 0x43, 0, F32], [0x44, 0x44, 0, F64],
  [0x45, 0x45, 1, I32], [0x46, 0x4f, 2, I32], [0x50, 0x50, 1, I32], [0x51, 0x66, 2, I32],
  [0x67, 0x69, 1, I32], [0x6a, 0x78, 2, I32], [0x79, 0x7b, 1, I64], [0x7c, 0x8a, 2, I64],
  [0x8b, 0x91, 1, F32], [0x92, 0x98, 2, F32], [0x99, 0x9f, 1, F64], [0xa0, 0xa6, 2, F64],
  [0xa7, 0xab, 1, I32], [0xac, 0xb1, 1, I64], [0xb2, 0xb6, 1, F32], [0xb7, 0xbb, 1, F64],
  [0xbc, 0xbc, 1, I32], [0xbd, 0xbd, 1, I64], [0xbe, 0xbe, 1, F32], [0xbf, 0xbf, 1, F64], [0xc0, 0xc1, 1, I32], [0xc2, 0xc4, 1, I64],
];
const PLAIN = new Map(RUNS.flatMap(([from, to, takes, leaves]) => Array.from({ length: to - from + 1 }, (_, index) => [from + index, { takes, leaves }])));

const [BLOCK, LOOP, IF, ELSE, END, BR, BR_IF, BR_TABLE, RETURN, CALL, CALL_INDIRECT, DROP, SELECT] =
  [0x02, 0x03, 0x04, 0x05, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x1a, 0x1b];
const [GET, SET, TEE, GLOBAL_GET, GLOBAL_SET] = [0x20, 0x21, 0x22, 0x23, 0x24];

/** What a block takes and leaves: nothing, a value, or as a type of functions says. */
function signature(bytes, types) {
  const [byte] = bytes.subarray(1);
  if (byte === 0x40) return { parameters: [], results: [] };
  if (byte >= F64 && byte <= I32) return { parameters: [], results: [byte] };
  const { parameters, results } = types[new Reader(bytes, 1).number()];
  return { parameters, results };
}

class Machine {
  constructor(list, locals, results, module) {
    Object.assign(this, { list, locals, module, stack: [], blocks: [{ parameters: [], results, height: 0, isDead: false }] });
  }

  get block() {
    return this.blocks.at(-1);
  }

  /** Behind a jump there is any operand that is asked for. */
  pop(count) {
    for (let left = count; left > 0; left--) {
      if (this.stack.length > this.block.height) this.stack.pop();
      else if (!this.block.isDead) throw new Error("types: no operand waits");
    }
  }

  push(...types) {
    this.stack.push(...types.map((type) => ({ type })));
  }

  jump() {
    this.stack.length = this.block.height;
    this.block.isDead = true;
  }

  open(block) {
    this.pop(block.parameters.length);
    this.blocks.push({ ...block, height: this.stack.length, isDead: false });
    this.push(...block.parameters);
  }

  close() {
    const { results, height } = this.block;
    this.stack.length = height;
    this.blocks.pop();
    this.push(...results);
  }

  again() {
    this.stack.length = this.block.height;
    this.block.isDead = false;
    this.push(...this.block.parameters);
  }

  call({ parameters, results }) {
    this.pop(parameters.length);
    this.push(...results);
  }

  wide(kind) {
    if (kind <= 7) return this.pop(1), this.push(kind <= 3 ? I32 : I64);
    if (kind === 8 || kind === 10 || kind === 11) return this.pop(3);
    throw new Error(`types: instruction 0xfc ${kind}`);
  }

  step(at) {
    const { code, bytes } = this.list[at];
    const number = () => new Reader(bytes, 1).number();
    const plain = PLAIN.get(code);
    if (plain) return this.pop(plain.takes), this.push(plain.leaves);
    switch (code) {
      case 0x00: case BR: case BR_TABLE: case RETURN: return this.jump();
      case 0x01: return;
      case IF: this.pop(1);
      // falls through
      case BLOCK: case LOOP: return this.open(signature(bytes, this.module.types));
      case ELSE: return this.again();
      case END: return this.close();
      case BR_IF: case DROP: case SET: case GLOBAL_SET: return this.pop(1);
      case CALL: return this.call(this.module.functions[number()]);
      case CALL_INDIRECT: return this.pop(1), this.call(this.module.types[number()]);
      case SELECT: return this.select();
      case GET: return void this.stack.push({ type: this.locals[number()], read: { local: number(), at } });
      case TEE: return this.pop(1), this.push(this.locals[number()]);
      case GLOBAL_GET: return this.push(this.module.global(number()));
    }
    if (code >= 0x36 && code <= 0x3e) return this.pop(2);
    if (code === 0xfc) return this.wide(number());
    throw new Error(`types: instruction ${code}`);
  }

  select() {
    const type = this.stack.at(-2)?.type ?? this.stack.at(-3)?.type ?? I32;
    this.pop(3);
    this.push(type);
  }
}

/** Calls `see` for every instruction of a function with its place, what waits on the stack behind it, and how much of that is the block's around. */
export function typed(list, locals, results, module, see) {
  const machine = new Machine(list, locals, results, module);
  list.forEach((_, at) => {
    machine.step(at);
    see(at, machine.stack, machine.block?.height ?? 0);
  });
}
