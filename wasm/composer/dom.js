// Helpers for elements and timing.

/** Creates an element: `h("p", { class: "note", onclick }, "text", child)`. */
export function h(name, props, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === false || value === null) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") element.style.cssText = value;
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

let last = 0;
export const unique = (prefix) => `${prefix}-${++last}`;

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

const NAMES = { sms: "SMS", messenger_a: "Messenger A", messenger_b: "Messenger B", messenger_c: "Messenger C" };

/** Converts the name of a member to a label: `contentInfo` to `Content info`. */
export function title(name) {
  if (name in NAMES) return NAMES[name];
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/_/g, " ").toLowerCase();
  const spelt = words.replace(/\b(url|ttl|id|sid)\b/g, (short) => short.toUpperCase());
  return spelt[0].toUpperCase() + spelt.slice(1);
}

/** Makes a long text in a bubble scrollable, also by keyboard. */
export const scrolls = (text) => (text.length > 700 ? { tabindex: "0", role: "group", "aria-label": "The text as the recipient sees it" } : {});

/** Sets the text and the class if they differ: setting the same value again would cause a new layout. */
export function say(element, text, className) {
  if (element.textContent !== text) element.textContent = text;
  if (element.className !== className) element.className = className;
}

export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Replaces the part of a text node that differs, so that the browser keeps the layout of the rest. */
export function reword(node, words) {
  const { data } = node;
  const most = Math.min(data.length, words.length);
  let first = 0;
  while (first < most && data[first] === words[first]) first++;
  let last = 0;
  while (last < most - first && data.at(-1 - last) === words.at(-1 - last)) last++;
  node.replaceData(first, data.length - last - first, words.slice(first, words.length - last));
}

/** Caches the last result of a function whose arguments are strings. */
export function cached(compute) {
  let last = [];
  let result;
  return (...args) => {
    if (args.length !== last.length || args.some((arg, index) => arg !== last[index])) {
      result = compute(...args);
      last = args;
    }
    return result;
  };
}

/** Delays calls: `run` is called once, when there was no further call for this number of milliseconds. */
export function afterwards(run, milliseconds) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, milliseconds);
  };
}

/** Delays calls: `run` is called once in the next frame. */
export function onceAFrame(run) {
  let isRequested = false;
  return () => {
    if (isRequested) return;
    isRequested = true;
    requestAnimationFrame(() => {
      isRequested = false;
      run();
    });
  };
}
