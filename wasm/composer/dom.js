// Elements without a framework.

/** `h("p", { class: "note", onclick }, "text", child)` */
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

/** `contentInfo` to `Content info`. */
export function title(name) {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/_/g, " ").toLowerCase();
  return words[0].toUpperCase() + words.slice(1);
}

/** Runs in the next frame, once for however many calls. */
export function onceAFrame(run) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      run();
    });
  };
}
