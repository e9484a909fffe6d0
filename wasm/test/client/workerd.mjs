// Runs a Worker in workerd.
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Starts `binary` with the Worker in the file `entry`, a path in the folder of the package. */
export async function startWorkerd(binary, entry) {
  const out = mkdtempSync(`${tmpdir()}/cpaas-workerd-`);
  await build({
    absWorkingDir: root, entryPoints: [entry], bundle: true, format: "esm", conditions: ["workerd", "worker", "browser"], outfile: `${out}/worker.js`, logLevel: "error",
    plugins: [{ name: "wasm", setup: (build) => build.onResolve({ filter: /\.wasm$/ }, () => ({ path: "./module.wasm", external: true })) }],
  });
  copyFileSync(`${root}pkg/call/cpaas_call_bg.wasm`, `${out}/module.wasm`);
  writeFileSync(`${out}/config.capnp`, `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["public", "private"]))],
      sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
    const main :Workerd.Worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "./module.wasm", wasm = embed "module.wasm")],
      compatibilityDate = "2026-01-01", globalOutbound = "internet");`);
  const child = spawn(binary, ["serve", "--control-fd=1", `${out}/config.capnp`], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise((resolve, reject) => {
    child.stdout.on("data", (data) => resolve(JSON.parse(String(data).split("\n")[0]).port));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`workerd ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}
