// Compares the results of the modules with those of Rust, in Node and in a page. `expected` is the output of
// wasm/examples/vector_results.rs, `api` the package.

import { call } from "../js/module-state.js";
import { callTool, tools } from "../js/tools-module.js";
import * as glue from "../pkg/web/cpaas.js";

/** @returns {{ equal: number, differences: string[] }} */
export function compare(expected, api) {
  let equal = 0;
  const differences = [];
  expected.forEach(([name, args, expectedResult], index) => {
    const actual = run(name, args, api);
    if (actual === expectedResult) equal++;
    else differences.push(`#${index} ${name} ${JSON.stringify(args).slice(0, 300)}: expected ${expectedResult.slice(0, 600)}, got ${actual.slice(0, 600)}`);
  });
  return { equal, differences };
}

function run(name, args, api) {
  if (name === "count") {
    const alone = JSON.stringify(api.segments(args[0]));
    const many = JSON.stringify(api.countSegments(["€", args[0]])[1]);
    return alone === many ? alone : `${alone} alone, ${many} among many`;
  }
  const [first, second] = args;
  const given = name === "validateText" ? new TextEncoder().encode(second) : second;
  return glue[name] ? call(name, glue[name], first, given) : callTool(name, tools[name], first, given);
}
