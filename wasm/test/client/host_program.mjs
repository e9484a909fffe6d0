// Prints the outcomes of `run`; the last argument is the addresses as JSON.
import { run } from "./host.mjs";

console.log(JSON.stringify(await run(JSON.parse(globalThis.process.argv.at(-1)))));
