#!/usr/bin/env bash
# Packs the npm package and tests it in Node, Deno, Bun, vitest, webpack 5 and Next, and `cpaas/client` also in workerd. Their versions are in wasm/test/runtimes.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -f wasm/pkg/web/cpaas_bg.wasm ] || wasm/build
[ -d wasm/node_modules/playwright-core ] || wasm/install-packages
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r wasm/test/runtimes/. "$folder"
(cd wasm && npm pack --silent --pack-destination "$folder" >/dev/null)
(cd "$folder" && npm install --no-audit --no-fund --silent && npm install --no-audit --no-fund --silent --no-save ./cpaas-*.tgz)
RUNTIMES="$folder" node --test --test-reporter=tap wasm/test/runtimes.test.mjs wasm/test/client_hosts.test.mjs | grep -E '^(not )?ok |^# (pass|fail)|rror'
