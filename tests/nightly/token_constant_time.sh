#!/usr/bin/env bash
# Checks that the verification of a forged token takes the same number of instructions whichever of the 43 characters of the tag is
# wrong, and whether or not the token is expired. The instructions of a naive comparison must differ, which shows that the count
# detects a difference. Requires valgrind.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v valgrind >/dev/null || { echo "token_constant_time: valgrind is not installed"; exit 2; }
cargo build --release -q -p cpaas-tests --bin token_instructions
binary="${CARGO_TARGET_DIR:-target}/release/token_instructions"
out=$(mktemp -d); trap 'rm -rf "$out"' EXIT

total() { # HOW AT COUNT
    valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file="$out/count" "$binary" "$@" >"$out/said" 2>/dev/null
    awk '/^summary:/ { print $2 }' "$out/count"
}
each() { # HOW AT: instructions per call, from the difference of two runs, so that startup and shutdown are not counted
    local few many
    few=$(total "$1" "$2" 100) many=$(total "$1" "$2" 300)
    echo $(((many - few) / 200))
}
counts() { for at in $(seq 0 42); do each "$1" "$at"; done; }

counts verify >"$out/verify"
counts naive >"$out/naive"
past=$(each verify expires) good=$(each verify 43)
echo "verify, one of the 43 characters is wrong: $(sort -n "$out/verify" | uniq -c | awk '{print $2 " instructions for " $1 " of them"}' | paste -sd, -)"
echo "naive comparison of the same tokens: $(sort -n "$out/naive" | uniq | sed -n '1p;$p' | paste -sd' ' | sed 's/ / to /') instructions"
echo "verify, forged and expired: $past instructions; valid: $good instructions"
[ "$(sort -u "$out/verify" | wc -l)" -eq 1 ] && [ "$(sort -u "$out/naive" | wc -l)" -gt 16 ] && [ "$past" -eq "$(head -1 "$out/verify")" ]
