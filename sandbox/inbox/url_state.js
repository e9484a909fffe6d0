// What the page shows, in the fragment of its URL: `#view=phones&tab=requests&log-status=4xx&phone=306900000001`.

/** The members of the fragment; `null` for a fragment that is not the page's own, such as that of a skip link. */
export function read() {
  const text = location.hash.slice(1);
  if (text && !text.includes("=")) return null;
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes the fragment; members that are empty are left out. `isNew` adds an entry to the history. */
export function write(state, isNew) {
  const given = Object.entries(state).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(given).toString();
  if (text === location.hash.slice(1)) return;
  const address = text ? `#${text}` : location.pathname + location.search;
  if (isNew) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** The members whose names begin with a prefix, without it. */
export const within = (state, prefix) => Object.fromEntries(Object.entries(state).filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]));

/** The same members with a prefix before their names. */
export const prefixed = (state, prefix) => Object.fromEntries(Object.entries(state).map(([name, value]) => [prefix + name, value]));
