#!/usr/bin/env bash
# The number of instructions of a verification does not depend on which of the 43 characters of the tag differs. A naive
# comparison is counted as well, to show that the count would detect a difference. A forged expired token costs the same as a forged
# valid one, so `expires` is read after the tag. Requires valgrind.
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
each() { # HOW AT: instructions a call; two counts of calls, the difference divided, so that start and end cancel out
    local few many
    few=$(total "$1" "$2" 100) many=$(total "$1" "$2" 300)
    echo $(((many - few) / 200))
}
counts() { for at in $(seq 0 42); do each "$1" "$at"; done; }

counts verify >"$out/verify"
counts naive >"$out/naive"
past=$(each verify expires) good=$(each verify 43)
echo "verify, the tag differs at character 0 to 42: $(sort -n "$out/verify" | uniq -c | awk '{print $2 " instructions at " $1 " places"}' | paste -sd, -)"
echo "naive comparison, the same tokens: $(sort -n "$out/naive" | uniq | sed -n '1p;$p' | paste -sd' ' | sed 's/ / to /') instructions"
echo "forged and past: $past; good: $good instructions"
[ "$(sort -u "$out/verify" | wc -l)" -eq 1 ] && [ "$(sort -u "$out/naive" | wc -l)" -gt 16 ] && [ "$past" -eq "$(head -1 "$out/verify")" ]
