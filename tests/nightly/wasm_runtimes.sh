#!/usr/bin/env bash
# Packs the npm package and tests it in the hosts of docs/bundlers.md: runtimes, bundlers, test runners, Next, workerd and Metro. Their versions
# are in wasm/test/hosts/package.json. Runs the cells of the outcomes in workerd, Deno and Bun.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -f wasm/pkg/web/cpaas_bg.wasm ] || wasm/build
[ -d wasm/node_modules/playwright-core ] || wasm/install-packages
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
cargo build --quiet -p cpaas-sandbox -p cpaas-tests --bin cpaas-sandbox --bin cell_server
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
folder="$scratch/hosts"
cp -r wasm/test/hosts "$folder"
(cd wasm && npm pack --silent --pack-destination "$folder" >/dev/null)
(cd "$folder" && npm install --no-audit --no-fund --silent && npm install --no-audit --no-fund --silent --no-save ./cpaas-*.tgz)
tests=(wasm/test/hosts.test.mjs wasm/test/client_hosts.test.mjs wasm/test/client_cells.test.mjs wasm/test/client_packed.test.mjs)
HOSTS="$folder" node --test --test-reporter=tap "${tests[@]}" |
    grep -E ' equal, |^(not )?ok |^# (pass|fail)|rror'
