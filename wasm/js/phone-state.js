// The numbering plans, once `loadPhone` of `cpaas/phone` has loaded them. A page that never calls it loads only this file.
let phone;

export function provide(functions) {
  phone = functions;
}

/** The functions of the module of `cpaas/phone`; undefined before it is loaded. */
export const loaded = () => phone;

/** The functions of the module. @param {string} user What needs them: a function, or a function and its option. */
export function requirePhone(user) {
  if (!phone) throw new RangeError(`${user} requires the numbering plans: call \`await loadPhone()\` of cpaas/phone first; cpaas/inline has none`);
  return phone;
}
