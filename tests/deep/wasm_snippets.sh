#!/usr/bin/env bash
# The code that the composer offers, in all five languages, run as it stands against the sandbox.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -f wasm/pkg/web/cpaas_bg.wasm ] || wasm/build
cargo build --quiet -p cpaas-sandbox -p cpaas-ffi
python=${CPAAS_PYTHON:-$(ls tests/.cache/python/3.*/bin/python 2>/dev/null | head -1)}
SNIPPETS_RUST=1 CPAAS_PYTHON="$python" node --test --test-reporter=tap wasm/test/snippets.test.mjs | grep -E '^(not )?ok |^# (pass|fail)|rror'
