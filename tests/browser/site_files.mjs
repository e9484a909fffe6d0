// Serves the documentation site of docs/site, and reads the links of its pages.
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, posix } from "node:path";
import { fileURLToPath } from "node:url";

export const folder = fileURLToPath(new URL("../../site", import.meta.url));

const TYPES = { ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** Serves the site on a loopback port, below /cpaas/, because a host of pages may serve it below a path. */
export async function serveSite() {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    let file = path.startsWith("/cpaas/") && join(folder, path.slice("/cpaas".length));
    if (file && existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
    if (!file || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** The paths of all files of the site, such as `callbacks/index.html`. */
export const siteFiles = () => readdirSync(folder, { recursive: true }).filter((name) => statSync(join(folder, name)).isFile()).map((name) => name.replaceAll("\\", "/"));

/** The text of each page by its path. The page for unknown addresses has absolute links. */
export const sitePages = () => new Map(siteFiles().filter((name) => name.endsWith(".html") && name !== "404.html").map((name) => [name, readFileSync(join(folder, name), "utf8")]));

const text = (value) => value.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&#39;", "'");

/** The elements of a page that have one of these attributes: `{ element, value }`. */
function* attributes(page, names) {
  const attribute = new RegExp(`\\s(?:${names})="([^"]*)"`, "g");
  for (const [tag, element] of page.matchAll(/<([a-z][a-z0-9-]*)(?:\s[^<>]*)?>/g)) {
    for (const [, value] of tag.matchAll(attribute)) yield { element, value: text(value) };
  }
}

const idsOf = (page) => [...attributes(page, "id")].map(({ value }) => value);

/**
 * Checks the links of pages.
 * @param {Map<string, string>} pages the text of each page by its path
 * @param {Set<string>} files the paths of all files
 * @returns the number of internal links, those that lead nowhere, ids that occur twice in a page, and what is loaded from other hosts
 */
export function checkLinks(pages, files) {
  const ids = new Map([...pages].map(([name, page]) => [name, new Set(idsOf(page))]));
  const found = { count: 0, broken: [], repeated: [], loaded: [] };
  for (const [name, page] of pages) {
    const all = idsOf(page);
    for (const id of new Set(all)) if (all.filter((other) => other === id).length > 1) found.repeated.push(`${name}: #${id}`);
    for (const { element, value } of attributes(page, "href|src|action")) {
      if (/^(https?:)?\/\//.test(value)) {
        if (element !== "a") found.loaded.push(`${name}: <${element}> ${value}`);
        continue;
      }
      if (/^(data|mailto|javascript):/.test(value)) continue;
      found.count += 1;
      const [path, anchor] = value.split("#");
      let target = path === "" ? name : posix.join(posix.dirname(name), decodeURIComponent(path.split("?")[0]));
      if (!files.has(target)) target = posix.join(target, "index.html");
      const exists = !path.startsWith("/") && files.has(target) && (!anchor || !ids.has(target) || ids.get(target).has(decodeURIComponent(anchor)));
      if (!exists) found.broken.push(`${name}: ${value}`);
    }
  }
  return found;
}
