# Shared by tests/run and its parts.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
export CARGO_TERM_COLOR=never CARGO_NET_RETRY=10 CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"
# What is tried at random is the same each time; `cargo test` by itself, and the fuzzers, try others.
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-4711}"
cache="$PWD/tests/.cache"
mkdir -p "$cache"

# Seconds that a part may take on two cores from a clean clone.
declare -A budget=([rust]=840 [docs]=120 [python]=480 [c]=360 [wasm]=420 [browser]=120 [deep]=7200)
declare -A took=()

# Runs tests/parts/$1; its last line `N passed, N failed` is added to the sum.
run_part() {
    local name=$1 start=$SECONDS log="$cache/$1.log" line code
    echo "== $name (budget ${budget[$name]:-600} s)"
    "tests/parts/$name" 2>&1 | tee "$log"
    code=${PIPESTATUS[0]}
    took[$name]=$((SECONDS - start))
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)
    if [ -z "$line" ]; then
        echo "$name: ended without a count (exit $code)"
        failed=$((failed + 1))
        return
    fi
    passed=$((passed + $(echo "$line" | grep -oE '[0-9]+' | head -1)))
    local bad
    bad=$(echo "$line" | grep -oE '[0-9]+' | sed -n 2p)
    [ "$code" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    failed=$((failed + bad))
}

print_budget() {
    echo "== time"
    local name
    for name in "${!took[@]}"; do
        printf '%-8s %5d s of %5d s\n' "$name" "${took[$name]}" "${budget[$name]:-600}"
    done
}

# The command, up to three times: for what comes over the network.
again() {
    "$@" && return
    for pause in 5 20; do
        echo "once more: $*" >&2
        sleep "$pause"
        "$@" && return
    done
    return 1
}

# Waits until the sandbox of this process id has written its ready line into the file, or has ended.
until_ready() {
    until grep -qs '"url"' "$2"; do
        kill -0 "$1" 2>/dev/null || return 1
        sleep 0.05
    done
}

# Installs Debian packages that are missing.
need_packages() {
    local missing=() name
    for name in "$@"; do
        dpkg -s "$name" >/dev/null 2>&1 || missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] && return
    echo "installing Debian packages: ${missing[*]}"
    again install_packages "${missing[@]}"
}

install_packages() { # on a machine where another installation may be under way
    apt-get update -qq >/dev/null 2>&1
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@" >/dev/null
}

# Counts steps of a part that are commands of their own: `check NAME command…`.
steps_passed=0
steps_failed=0
check() {
    local name=$1 out
    shift
    if out=$("$@" 2>&1); then
        echo "ok   $name"
        steps_passed=$((steps_passed + 1))
    else
        echo "FAIL $name"
        echo "$out" | tail -40
        steps_failed=$((steps_failed + 1))
    fi
}

finish() {
    echo "$steps_passed passed, $steps_failed failed"
    [ "$steps_failed" -eq 0 ]
}
