#!/usr/bin/env bash
# Runs every fuzz target CPAAS_FUZZ_RUNS times (default a million) with the corpus of the repository. Requires the nightly toolchain,
# but not cargo-fuzz: these are the flags that it passes. Findings are written below target/.
set -euo pipefail
cd "$(dirname "$0")/../../fuzz"
runs=${CPAAS_FUZZ_RUNS:-1000000}
target=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/fuzz" CARGO_INCREMENTAL=0
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions -Ccodegen-units=1"
cargo +nightly build --quiet --release --locked --target "$target"
for name in segments markup validate user_data; do
    found="$CARGO_TARGET_DIR/found/$name"
    mkdir -p "$found"
    "$CARGO_TARGET_DIR/$target/release/$name" -runs="$runs" -max_len=4096 -timeout=10 -print_final_stats=1 \
        -artifact_prefix="$CARGO_TARGET_DIR/$name-" "$found" "corpus/$name" >"$found.log" 2>&1 || { tail -30 "$found.log"; exit 1; }
    echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$found.log") executions, 0 crashes"
done
