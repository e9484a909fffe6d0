/** The value that a bundler or a runtime imports from the module's file; for most of them, a compiled module. */
declare const module: import("./index.js").CompiledModule;
export default module;
