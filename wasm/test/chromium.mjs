// Serves folders, and opens pages in Debian's Chromium.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = fileURLToPath(new URL("../", import.meta.url));

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };

/** Serves folders: `{ composer: "/…" }` maps the first step of a URL's path to a folder. */
export async function serve(folders) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const [, first, ...rest] = path.split("/");
    let file = folders[first] && join(folders[first], ...rest);
    if (file && existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
    if (!file || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--no-first-run", "--disable-quic",
];

/** The time limit of the browser in milliseconds, long enough for a busy machine. */
const TIMEOUT = 180_000;

/** Runs `use(page)` in a new browser without animations. Throws if the page's console contains an error. */
export async function withPage(options, use) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS, timeout: TIMEOUT });
  try {
    const page = await browser.newPage({ reducedMotion: "reduce", ...options });
    page.setDefaultTimeout(TIMEOUT);
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await use(page);
    if (errors.length > 0) throw new Error(`errors of the page: ${errors.join("; ")}`);
  } finally {
    await browser.close();
  }
}
