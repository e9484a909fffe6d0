// Text that contains names which a caller chose, for messages: the rule of `cpaas::printable` in Rust.

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The maximum length of a message, in characters. */
const LONGEST = 2000;

/** Replaces characters that change a terminal by U+FFFD, and the middle of a long text by `…`. */
export function printable(text) {
  const shown = text.replace(UNPRINTABLE, "\ufffd");
  const characters = [...shown];
  if (characters.length <= LONGEST) return shown;
  const tail = Math.floor((LONGEST - 1) / 3);
  return `${characters.slice(0, LONGEST - 1 - tail).join("")}…${characters.slice(-tail).join("")}`;
}
