// Replaces the classes of the platform in `cpaas/inline`: jsdom, the environment of Jest for pages, has neither, although Node does.

function find(name) {
  const found = globalThis[name] ?? globalThis.process?.getBuiltinModule?.("node:util")[name];
  if (!found) throw new Error(`cpaas/inline: this environment has no ${name}: set globalThis.${name} before the import, or use the environment "node" in Jest`);
  return found;
}

export const TextDecoder = /* @__PURE__ */ find("TextDecoder");
export const TextEncoder = /* @__PURE__ */ find("TextEncoder");
