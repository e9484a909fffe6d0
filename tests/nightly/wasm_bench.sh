#!/usr/bin/env bash
# Compares the speed of the browser package with that of similar packages in Node, and measures a keystroke in the composer with the CPU
# throttled to a quarter.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -f wasm/pkg/web/cpaas_bg.wasm ] || wasm/build
[ -d wasm/node_modules/ajv ] || wasm/install-packages
node wasm/bench/similar_packages.mjs
node wasm/test/keystroke_cost.mjs
