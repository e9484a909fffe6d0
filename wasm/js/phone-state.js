// The numbering plans, once `loadPhone` of `cpaas/phone` has loaded them. A page that never calls it loads only this file.
let phone;

export function provide(functions) {
  phone = functions;
}

/** The functions of the module of `cpaas/phone`; undefined before it is loaded. */
export const loaded = () => phone;

export function requirePhone(name, what) {
  if (!phone) throw new RangeError(`${name}: ${what} requires the numbering plans: call \`await loadPhone()\` of cpaas/phone first; cpaas/inline has none`);
  return phone;
}
