// Says what JSON expects at the place of a syntax error.

/** A string, also one without its end; a punctuation mark; or a word, which is a number or a literal if it is valid. */
const TOKEN = /"(?:[^"\\\n]|\\.)*["\\]?|[{}[\],:]|[^\s"{}[\],:]+/g;
const VALUE = 'a value: a string in double quotes, a number, true, false, null, { or [';
const NAME = "a name in double quotes";
const WORD = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const isOpenString = (token) => token.startsWith('"') && !/^"(?:[^"\\\n]|\\.)*"$/.test(token);

/** What is expected at the index `at` of a text, whose characters before it may begin a valid text: `expected a value: …`. */
export function expectation(json, at) {
  const before = [...json.slice(0, at).matchAll(TOKEN)];
  const last = before.at(-1);
  if (last && isOpenString(last[0])) return json[at - 1] === "\\" ? 'expected an escape such as \\n or \\"' : "the closing double quote is missing";
  /** The open brackets, and what comes next: `value`, `name`, `colon` or `next`. */
  const open = [];
  let state = "value";
  for (const [token] of before) {
    if (token === "{" || token === "[") {
      open.push(token);
      state = token === "{" ? "name" : "value";
    } else if (token === "}" || token === "]") {
      open.pop();
      state = "next";
    } else if (token === ",") state = open.at(-1) === "{" ? "name" : "value";
    else if (token === ":") state = "value";
    else if (state === "name") state = "colon";
    else if (state === "value") state = "next";
  }
  // A word that is cut by the error is not a value yet.
  if (last && state === "next" && last.index + last[0].length === at && /[^\s"{}[\],:]$/.test(last[0]) && !WORD.test(last[0])) return `expected ${VALUE}`;
  if (last?.[0] === "," && /[}\]]/.test(json[at] ?? "")) return `the comma before ${json[at]} is one too many`;
  if (state === "name") return `expected ${NAME}${last?.[0] === "{" ? " or }" : ""}`;
  if (state === "value") return `expected ${VALUE}`;
  if (state === "next" && open.length === 0) return "expected nothing after the end of the request";
  const missing = state === "colon" ? "a colon" : open.at(-1) === "{" ? "a comma or }" : "a comma or ]";
  const lineOf = (index) => json.slice(0, index).split("\n").length;
  const line = lineOf(last.index + last[0].length);
  if (line < lineOf(at)) return `${missing} is missing after line ${line}`;
  return `${missing} is missing ${json.slice(at).trim() === "" ? "at the end" : "before this place"}`;
}
