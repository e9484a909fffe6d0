// The module of servers for Cloudflare Workers, which import modules as `WebAssembly.Module`.
import module from "../../pkg/call/cpaas_call_bg.wasm";

export const compiled = () => module;
