#!/usr/bin/env bash
# Runs the composer's code snippets in all five languages against the sandbox.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -f wasm/pkg/web/cpaas_bg.wasm ] || wasm/build
cargo build --quiet -p cpaas-sandbox -p cpaas-ffi
python=${CPAAS_PYTHON:-tests/.cache/snippets/bin/python}
[ -x "$python" ] || { echo "snippets: installing the Python package into tests/.cache/snippets"; python3 -m venv tests/.cache/snippets && tests/.cache/snippets/bin/pip install --quiet ./python; }
SNIPPETS_RUST=1 CPAAS_PYTHON="$python" node --test --test-reporter=tap wasm/test/snippets.test.mjs | grep -E '^(not )?ok |^# (pass|fail)|rror'
