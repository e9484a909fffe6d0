// The module of servers, read from its file: Node, Deno and Bun.
import { readFileSync } from "node:fs";

export const compiled = () => new WebAssembly.Module(readFileSync(new URL("../../pkg/call/cpaas_call_bg.wasm", import.meta.url)));
