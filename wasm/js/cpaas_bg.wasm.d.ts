/** What a bundler or runtime makes of the file; most return a compiled module. */
declare const module: import("./index.js").CompiledModule;
export default module;
