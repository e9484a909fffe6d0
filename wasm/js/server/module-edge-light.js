// The module of servers for the edge runtime of Next and Vercel, whose bundlers import a module by `?module`.
import module from "../../pkg/call/cpaas_call_bg.wasm?module";

export const compiled = () => module;
