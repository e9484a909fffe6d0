#!/usr/bin/env bash
# Encodes random texts as SMS user data, and compares it with PyPI gsmcodecs, gsm0338, smspdudecoder and smsutil, and npm node-pdu.
#   tests/nightly/sms_encoding_oracles.sh [--count 20000] [--seed 1]
# Installs them into tests/.cache/sms_encoding_oracles; requires python3, node and npm.
set -euo pipefail
cd "$(dirname "$0")/../.."
cache=$PWD/tests/.cache/sms_encoding_oracles
mkdir -p "$cache"
[ -d "$cache/python/gsmcodecs" ] || python3 -m pip install --quiet --target "$cache/python" \
    gsmcodecs==1.0.0 gsm0338==1.1.0 'bitstring<5' smspdudecoder==2.2.0 smsutil==1.1.3
[ -d "$cache/node_modules/node-pdu" ] || npm install --silent --no-save --prefix "$cache" node-pdu@2.1.1
cargo build --quiet -p cpaas-ffi
PYTHONPATH="$cache/python" NODE_PATH="$cache/node_modules" \
    python3 tests/nightly/sms_encoding_oracles.py --library "${CARGO_TARGET_DIR:-target}/debug/libcpaas.so" "$@"
