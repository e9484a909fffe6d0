#!/usr/bin/env bash
# The browser package and comparable packages in Node, and a keystroke in the composer at a quarter of the CPU speed.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -f wasm/pkg/web/cpaas_bg.wasm ] || wasm/build
[ -d wasm/node_modules/ajv ] || wasm/packages
node wasm/bench/bench.mjs
node wasm/test/keystroke.mjs
