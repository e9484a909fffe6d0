// The panel with the request as code to copy.
import { h } from "./dom.js";
import { c, curl, hasCurl, javascript, python, rust } from "./snippets.js";

const LANGUAGES = { Python: python, JavaScript: javascript, Rust: rust, C: c };

let chosen = "curl";

/** @returns {(operation: string, value: unknown) => void} */
export function codePanel(root) {
  let shown = () => "";
  const output = h("pre", { class: "snippet", tabindex: "0", dir: "ltr", "aria-label": "Code" });
  const tabs = h("p", { class: "tabs", role: "group", "aria-label": "Language" });
  const copy = h("button", { type: "button", onclick: async () => {
    draw();
    try {
      await navigator.clipboard.writeText(output.textContent);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(output);
      copy.textContent = "Selected";
    }
    setTimeout(() => (copy.textContent = "Copy"), 1500);
  } }, "Copy");
  root.replaceChildren(h("div", { class: "row" }, tabs, copy), output);
  const draw = () => {
    const text = shown(chosen);
    if (output.textContent !== text) output.textContent = text;
    for (const tab of tabs.children) tab.setAttribute("aria-pressed", String(tab.textContent === chosen));
  };
  return (operation, value) => {
    const languages = { ...(hasCurl(operation) && { curl }), ...LANGUAGES };
    if (!(chosen in languages)) chosen = "Python";
    shown = (language) => languages[language](operation, value);
    const names = Object.keys(languages);
    if (names.join() !== [...tabs.children].map((tab) => tab.textContent).join()) {
      tabs.replaceChildren(...names.map((name) => h("button", { type: "button", onclick: () => ((chosen = name), draw()) }, name)));
    }
    draw();
  };
}
