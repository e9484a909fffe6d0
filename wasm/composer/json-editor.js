// The JSON editor: a text area over the same text in colors, with a marker at a syntax error. Keystrokes change a few tokens; all others
// keep their nodes.
import { h, reword, say } from "./dom.js";
import { indexOf, marked, tokens } from "./json-tokens.js";

/** A longer text has no colors. */
const LONGEST = 20_000;

/**
 * @param {HTMLTextAreaElement} area @param {HTMLElement} colors @param {HTMLElement} note
 * Returns `{ draw, goTo }`: `draw(problem)` colors the text and marks the problem if it has a line and a column; `goTo(problem)` moves the
 * caret there.
 */
export function jsonEditor(area, colors, note) {
  let drawn = [];
  let before;
  /** Kept from the last event `scroll`: reading it would force a layout at each keystroke. */
  let top = 0;
  area.addEventListener("scroll", () => {
    top = area.scrollTop;
    colors.scrollTop = top;
  }, { passive: true });
  const message = h("span", { id: "json-error" });
  const button = h("button", { type: "button" });
  note.append(message, " ", button);

  function goTo(problem) {
    const at = indexOf(area.value, problem.params);
    area.setSelectionRange(at, at + widthAt(area.value, at));
    area.focus();
    const mark = colors.querySelector(".at-error");
    if (mark) area.scrollTop = mark.offsetTop - area.clientHeight / 2;
  }

  function draw(problem) {
    const json = area.value;
    const isLong = json.length > LONGEST;
    const place = problem?.params?.line === undefined ? undefined : problem;
    const key = `${place ? indexOf(json, place.params) : ""} ${json}`;
    if (key === before) return;
    before = key;
    area.classList.toggle("plain", isLong);
    const next = isLong ? [] : (place ? markedAt(json, indexOf(json, place.params)) : tokens(json)).map((token) => ({ ...token, key: `${token.kind} ${Boolean(token.isMarked)}` }));
    redraw(next);
    if (top > 0) colors.scrollTop = top;
    note.hidden = !place;
    if (!place) return;
    say(message, place.message, "");
    const [, line, column] = /line (\d+), column (\d+)/.exec(place.message) ?? [];
    say(button, `Go to line ${line}, column ${column}`, "");
    button.onclick = () => goTo(place);
  }

  /** Replaces the tokens that differ. If only the text of one token differs, its node stays. */
  function redraw(next) {
    const isSame = (one, other) => one.text === other.text && one.key === other.key;
    let first = 0;
    while (first < Math.min(drawn.length, next.length) && isSame(drawn[first], next[first])) first++;
    let last = 0;
    while (last < Math.min(drawn.length, next.length) - first && isSame(drawn.at(-1 - last), next.at(-1 - last))) last++;
    const [old, fresh] = [drawn.slice(first, drawn.length - last), next.slice(first, next.length - last)];
    const kept = old.length === 1 && fresh.length === 1 && old[0].key === fresh[0].key;
    if (kept) {
      fresh[0].node = old[0].node;
      reword(fresh[0].node.firstChild, fresh[0].text);
    } else {
      const after = drawn[drawn.length - last]?.node ?? null;
      for (const { node } of old) node.remove();
      for (const token of fresh) {
        token.node = h("span", { class: token.isMarked ? `${token.kind} at-error` : token.kind }, token.text);
        colors.insertBefore(token.node, after);
      }
    }
    drawn = [...drawn.slice(0, first), ...fresh, ...(last > 0 ? drawn.slice(-last) : [])];
  }

  return { draw, goTo };
}

const widthAt = (json, at) => (json.codePointAt(at) > 0xffff ? 2 : 1);

/** The tokens of a text with an error. A line break and the end of the text cannot be seen: the character before it is marked. */
function markedAt(json, index) {
  let at = Math.min(index, json.length - 1);
  while (at > 0 && json[at] === "\n") at--;
  if (at > 0 && /[\udc00-\udfff]/.test(json[at])) at--;
  return at < 0 ? tokens(json) : marked(tokens(json), at, at + widthAt(json, at));
}
