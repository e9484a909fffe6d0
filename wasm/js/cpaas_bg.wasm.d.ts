/** The module, as a bundler or a runtime imports the file; most import a compiled module. */
declare const module: import("./index.js").CompiledModule;
export default module;
