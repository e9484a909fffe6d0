// Saves the state of the page: in its address, to share it, and in local storage, for the next visit.
import { afterwards } from "./dom.js";

const KEY = "cpaas-composer";
/** A longer state is kept in local storage only. */
const LONGEST = 30_000;

/** The state as text: `{ operation, request, account, languages, numbers }`. */
const encode = (state) => new URLSearchParams(Object.entries(state).filter(([, text]) => text)).toString();

function decode(text) {
  const { operation, request, account, languages, numbers } = Object.fromEntries(new URLSearchParams(text));
  return operation && request !== undefined ? { operation, request, account, languages, numbers } : undefined;
}

function stored() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // The browser may forbid local storage.
  }
}

/** The part of the address that this page has read or written last. */
let known;

/** The state of the address, or undefined. */
export function shared() {
  known = location.hash;
  return decode(known.slice(1));
}

/** The state of the address, or of the last visit, or undefined. */
export const restore = () => shared() ?? decode(stored());

function write(state) {
  // The user has just opened another address, and its event `hashchange` follows.
  if (location.hash !== known) return;
  const text = encode(state);
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // The browser may forbid local storage; the address contains the state, too.
  }
  history.replaceState(null, "", text.length > LONGEST ? location.pathname : `#${text}`);
  known = location.hash;
}

let latest = () => ({});
const soon = afterwards(() => write(latest()), 400);

/** Saves the state that `state()` returns when typing pauses. */
export function keep(state) {
  latest = state;
  soon();
}

/** The address to share, with the state as it is now. */
export function link() {
  write(latest());
  return location.href;
}
