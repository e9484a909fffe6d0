#!/usr/bin/env bash
# Counts the instructions of the slowest input of each operation: eight times the text must take about eight times the
# instructions, with the features of the Rust library and of the browser module. The cases are those of core/tests/linear_time.
# Requires valgrind.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v valgrind >/dev/null || { echo "linear_time: valgrind is not installed"; exit 2; }
small=${CPAAS_SMALL:-32768}
large=$((small * 8))
most=16 # sorting takes about 10 times the instructions, and more if only the larger text exceeds the limit of a rule; quadratic work takes 64 times
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

count() { # binary case size
    CPAAS_CASE="$2" CPAAS_SIZE="$3" valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file="$out/count" \
        "$1" --ignored --exact one_case >"$out/log" 2>&1
    awk '/^summary:/ { print $2 }' "$out/count"
}

runner() { # name, features…
    local name=$1 binary cases=0 case few many worst=0 ratio
    shift
    binary=$(cargo test --release --quiet -p cpaas "$@" --test linear_time --no-run --message-format=json |
        sed -n 's/.*"executable":"\([^"]*linear_time[^"]*\)".*/\1/p')
    local start
    start=$(count "$binary" "no such case" 0)
    while IFS= read -r case; do
        few=$(($(count "$binary" "$case" "$small") - start))
        many=$(($(count "$binary" "$case" "$large") - start))
        cases=$((cases + 1))
        ratio=$((many * 10 / (few > 100000 ? few : 100000)))
        [ "$ratio" -le "$worst" ] || worst=$ratio
        [ "$ratio" -le $((most * 10)) ] || { echo "$name, $case: $few instructions, then $many"; exit 1; }
    done < <("$binary" --ignored --exact one_case --nocapture | sed -n 's/^case //p')
    [ "$cases" -gt 100 ] || { echo "$name: $cases cases"; exit 1; }
    echo "$name: $cases cases, eight times the text at most $((worst / 10)).$((worst % 10)) times the instructions"
}

runner "Rust"
runner "browser" --no-default-features --features graphemes
