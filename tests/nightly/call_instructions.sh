#!/usr/bin/env bash
# User-space instructions per call of our client, of bare reqwest + serde and of bare hyper-util + serde, with the same loopback server.
# Each figure is the difference of two runs with different numbers of calls, so that startup and shutdown are not counted. Requires
# valgrind.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v valgrind >/dev/null || { echo "call_instructions: valgrind is not installed"; exit 2; }
cargo bench -q -p cpaas-tests --bench call --no-run
binary=$(ls -t "${CARGO_TARGET_DIR:-target}"/release/deps/call-* | grep -v '\.d$' | head -1)
out=$(mktemp -d); trap 'kill "$server" 2>/dev/null; rm -rf "$out"' EXIT
CPAAS_SERVE=1 "$binary" >"$out/url" & server=$!
until [ -s "$out/url" ]; do sleep 0.1; done
export CPAAS_URL; CPAAS_URL=$(cat "$out/url")

count() { # CLIENT CALLS: the instructions of a run with this client and this number of calls
    CPAAS_COUNT="$1,$2" valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file="$out/$1.$2" "$binary" 2>"$out/log"
    awk '/^summary:/ { print $2 }' "$out/$1.$2"
}
few=200 many=1200
for who in ours reqwest hyper; do
    a=$(count $who $few) b=$(count $who $many)
    declare "$who=$(((b - a) / (many - few)))"
    echo "$who: ${!who} instructions per call"
done
awk -v a="$ours" -v b="$reqwest" -v c="$hyper" 'BEGIN { printf "ratio: %.3f of bare reqwest, %.3f of bare hyper-util\n", a / b, a / c }'
