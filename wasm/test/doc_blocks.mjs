// Reads the code blocks of pages. `node doc_blocks.mjs OUT` writes the blocks of docs/browser.md, docs/elements.md and wasm/README.md to the folder OUT, for
// the type check; doc_pages.test.mjs runs them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const repository = new URL("../../", import.meta.url);

/** Blocks of a page by language, in order. */
export function blocks(page, language) {
  return blocksOf(readFileSync(new URL(page, repository), "utf8"), language);
}

/** Blocks of the section with this heading. */
export function section(page, heading, language) {
  const sections = readFileSync(new URL(page, repository), "utf8").split(/^## /m);
  return blocksOf(sections.find((text) => text.startsWith(`${heading}\n`)), language);
}

function blocksOf(text, language) {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, name]) => name === language).map(([, , block]) => block);
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const out = process.argv[2];
  mkdirSync(out, { recursive: true });
  const write = (name, text) => writeFileSync(`${out}/${name}`, text);
  write("readme.mjs", blocks("wasm/README.md", "js")[0]);
  blocks("docs/browser.md", "js").forEach((block, index) => write(`browser-${index}.mjs`, block));
  blocks("docs/browser.md", "ts").forEach((block, index) => write(`typed-${index}.mts`, block));
  blocks("docs/browser.md", "tsx").forEach((block, index) => write(`form-${index}.tsx`, block));
  blocks("docs/browser.md", "html").forEach((block, index) => write(`page-${index}.html`, block));
  blocks("docs/elements.md", "tsx").forEach((block, index) => write(`element-${index}.tsx`, block));
}
