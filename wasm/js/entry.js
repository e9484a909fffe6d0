// The entry of the package that the script belongs to; `bundle.mjs` replaces it in other entries.
export const ENTRY = "cpaas";
