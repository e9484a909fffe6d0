#!/usr/bin/env bash
# Altered requests through both lanes of validation: the typed one of Rust and the browser's module; reports byte for byte.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
[ -f wasm/pkg/web/cpaas_bg.wasm ] || wasm/build
cargo build --release --quiet -p cpaas-wasm --examples
"$target/release/examples/answers" | node tests/nightly/lanes.mjs "$target/release/examples/validate" "${CPAAS_LANES:-1000000}" "${CPAAS_SEED:-1}"
