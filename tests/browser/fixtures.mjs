// Starts the sandbox, a webhook receiver and a browser for the tests of the inbox.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../target", import.meta.url));
const binary = process.env.CPAAS_SANDBOX ?? `${target}/debug/cpaas-sandbox`;

/** Starts the binary and reads its URL and keys from its ready line. */
export async function sandbox(...switches) {
  const child = spawn(binary, ["--port", "0", "--clock", "virtual", "--seed", "7", ...switches], { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill());
  const ready = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => line.startsWith("{") && resolve(JSON.parse(line)));
  });
  return new Sandbox(child, ready);
}

export class Sandbox {
  constructor(child, { url, config }) {
    Object.assign(this, { child, url, config });
  }

  async stop() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGTERM");
    await ended;
  }

  async send(path, body, headers) {
    const response = await fetch(this.url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const result = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(result)}`);
    return result;
  }

  control(method, path, body) {
    return fetch(`${this.url}/_sandbox${path}`, { method, body: body && JSON.stringify(body) }).then((response) => response.json());
  }

  account(change) {
    return this.control("PUT", `/accounts/${this.config.account_sid}`, change);
  }

  sms(to, text, more = {}) {
    return this.send("/sms.json", { from: "Acme", to, text, type: "auto", ...more }, { "X-Service-API-Key": this.config.sms_key });
  }

  basic() {
    const pair = `${this.config.account_sid}:${this.config.api_key}`;
    return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
  }

  otp(to, more = {}) {
    const body = { service: "login", from: "Acme", to, channel: "sms", body: "Your Acme code is {code}. Never share it.", ...more };
    return this.send("/2fa/send", body, this.basic());
  }

  post(body) {
    return this.send("/messages/send", body);
  }

  message(destination, channels) {
    return this.send("/message/send", { trafficAccountId: this.config.traffic_account_id, destination, ...channels });
  }
}

/** A webhook receiver. It responds with the given statuses in order, then always with the last one. */
export async function webhook(...statuses) {
  const calls = [];
  const waiting = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const call = { method: request.method, url: request.url, body: Buffer.concat(chunks).toString() };
      calls.push(call);
      waiting.splice(0).forEach((wake) => wake());
      response.statusCode = statuses.length > 1 ? statuses.shift() : (statuses[0] ?? 200);
      response.end(response.statusCode === 200 ? "thank you" : "not now");
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const next = async (fits) => {
    for (;;) {
      const found = calls.find(fits);
      if (found) return found;
      await new Promise((resolve) => waiting.push(resolve));
    }
  };
  return { url: `http://127.0.0.1:${server.address().port}/hook`, calls, next, stop: () => server.close() };
}

/** A time limit in milliseconds, long enough for a busy machine. */
export const TIMEOUT = Number(process.env.INBOX_TIMEOUT ?? 180_000);

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const browser = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS, timeout: TIMEOUT });

/** Opens the inbox without animations. `page.problems` collects errors and every request to another origin. */
export async function inbox(where, sandbox, options = {}) {
  const context = await where.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.on("request", (request) => request.url().startsWith(sandbox.url) || page.problems.push(`request to another origin: ${request.url()}`));
  if (process.env.INBOX_FILES) await fromFolder(page, process.env.INBOX_FILES);
  await page.goto(`${sandbox.url}/`);
  await page.locator("#live[data-state=on]").waitFor();
  return page;
}

/** Serves the files of the page from a folder instead of the binary, for work on the page. */
async function fromFolder(page, folder) {
  await page.route(/:\d+\/(assets\/inbox\/[^/]*)?$/, async (route) => {
    const name = new URL(route.request().url()).pathname.split("/").pop() || "index.html";
    const type = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" }[name.split(".").pop()];
    await route.fulfill({ body: await readFile(`${folder}/${name}`), contentType: type });
  });
}
