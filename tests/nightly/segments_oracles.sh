#!/usr/bin/env bash
# Divides random texts into SMS parts, and compares the parts with those of npm split-sms and PyPI smsutil.
#   tests/nightly/segments_oracles.sh [--count 100000] [--seed 1]
# Installs both into tests/.cache/segments_oracles; requires node, npm and python3.
set -euo pipefail
cd "$(dirname "$0")/../.."

cache=$PWD/tests/.cache/segments_oracles
mkdir -p "$cache"
[ -d "$cache/node_modules/split-sms" ] || npm install --silent --no-save --prefix "$cache" split-sms@0.1.7
[ -d "$cache/python/smsutil" ] || python3 -m pip install --quiet --no-deps --target "$cache/python" smsutil==1.1.3

cargo build --quiet -p cpaas-tests --bin cases
target=${CARGO_TARGET_DIR:-target}
PYTHONPATH="$cache/python" NODE_PATH="$cache/node_modules" \
    python3 tests/nightly/segments_oracles.py --cases "$target/debug/cases" "$@"
