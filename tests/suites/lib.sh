# Shared by tests/run and the suites.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
export CARGO_TERM_COLOR=never CARGO_NET_RETRY=10 CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"
# Property tests run with the same inputs each time; outside of this script, `cargo test` and the fuzzers choose new inputs.
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-4711}"
cache="$PWD/tests/.cache"
mkdir -p "$cache"
# What journals of campaigns remember on this machine.
export XDG_STATE_HOME="$cache/state"

# The time limit of each suite, in seconds, on two cores and from a clean clone.
declare -A budget=([rust]=540 [campaign]=600 [docs]=60 [python]=780 [c]=360 [databases]=150 [wasm]=420 [browser]=120 [kit]=120 [work]=90 [nightly]=7200)
total_budget=1500 # of all suites: the suite rust, the longest lane, and the suite work

# Runs tests/suites/$1, and stores its counts, its seconds and its seconds of processor time in $cache/$1.counts.
run_suite() {
    local name=$1 start=$SECONDS log="$cache/$1.log" line code ok=0 bad=1 TIMEFORMAT='%U %S'
    touch "$cache/$name.running"
    echo "== $name (budget ${budget[$name]:-600} s)"
    {
        time "tests/suites/$name" 2>&1 | tee "$log"
        code=${PIPESTATUS[0]}
    } 2>"$cache/$name.processor"
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)
    if [ -z "$line" ]; then
        echo "$name: printed no counts (exit $code)"
    else
        read -r ok _ bad _ <<<"$line"
        [ "$code" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    fi
    echo "$ok $bad $((SECONDS - start)) $(awk '{printf "%d", $1 + $2}' "$cache/$name.processor")" >"$cache/$name.counts"
    rm -f "$cache/$name.running"
}

# print_totals SUITE…: prints the seconds of each suite and of all, and the sum of their counts. Fails if a test failed or none ran.
print_totals() {
    local name ok bad seconds processor passed=0 failed=0
    echo "== time"
    for name in "$@"; do
        read -r ok bad seconds processor <"$cache/$name.counts" || { ok=0 bad=1 seconds=0 processor=0; }
        printf '%-9s %5d s of %5d s, processor time %5d s\n' "$name" "$seconds" "${budget[$name]:-600}" "$processor"
        passed=$((passed + ok)) failed=$((failed + bad))
    done
    printf '%-9s %5d s of %5d s for all suites\n' all "$SECONDS" "$total_budget"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

# An interpreter of the suite `python` in which the package is installed. Waits while that suite runs beside this one.
installed_python() {
    local python
    while :; do
        for python in "$cache"/python/3.*/bin/python; do
            "$python" -c 'import cpaas' 2>/dev/null && { echo "$python"; return; }
        done
        [ -e "$cache/python.running" ] || return
        sleep 1
    done
}

# Runs a command up to three times; for commands that use the network.
again() {
    "$@" && return
    for pause in 5 20; do
        echo "retrying: $*" >&2
        sleep "$pause"
        "$@" && return
    done
    return 1
}

# Cargo compiles a dependency again for each set of its features, and the selected packages decide about the set. The suite `rust` tests
# these crates; tests/suites/campaign tests cpaas-campaign. What needs no set of its own is built with the same ones.
tested_crates=(--workspace --exclude cpaas-campaign)

# Builds the program of the sandbox, and the example that README.md runs, whose dependencies have the same features.
build_sandbox() { cargo build --quiet -p cpaas-sandbox --bin cpaas-sandbox --example quickstart; }

# Waits until the sandbox with process id $1 has written its ready line to the file $2, or has exited.
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

install_packages() { # waits for an installation that is already running
    apt-get update -qq >/dev/null 2>&1
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@" >/dev/null
}

# Whether a pattern matches. Unlike `grep -q`, it reads all its input, so that a closed pipe does not end the previous command.
has() { grep "$@" >/dev/null; }

# slow START: prints the seconds since $SECONDS was START, if a step took ten or more.
slow() { [ $((SECONDS - $1)) -lt 10 ] || echo " ($((SECONDS - $1)) s)"; }

# `check NAME command…` runs one step of a suite and counts it, unless its exit code 77 says that it was skipped.
steps_passed=0
steps_failed=0
check() {
    local name=$1 out code start=$SECONDS
    shift
    out=$("$@" 2>&1)
    code=$?
    if [ $code -eq 0 ]; then
        echo "ok   $name$(slow "$start")"
        steps_passed=$((steps_passed + 1))
    elif [ $code -eq 77 ]; then
        echo "SKIP $name: $(echo "$out" | tail -1)"
    else
        echo "FAIL $name$(slow "$start")"
        echo "$out" | tail -40
        steps_failed=$((steps_failed + 1))
    fi
}

# no_build_paths FOLDER: whether the libraries, archives and modules below FOLDER contain no folder of this machine. pkg-config and
# CMake files contain the folder into which they are installed.
no_build_paths() {
    local file folder count=0
    while read -r file; do
        count=$((count + 1))
        for folder in "$PWD/" "$CARGO_TARGET_DIR/" "${CARGO_HOME:-$HOME/.cargo}/" "$(rustc --print sysroot)/" "$HOME/"; do
            if strings -a "$file" | has -F -- "$folder"; then
                echo "$file contains $folder"
                strings -a "$file" | grep -F -- "$folder" | head -3
                return 1
            fi
        done
    done < <(find "$1" -type f \( -name '*.so*' -o -name '*.a' -o -name '*.wasm' -o -name '*.js' \))
    [ "$count" -gt 0 ]
}

count_tests() { # adds the counts of a log of nextest or cargo test
    local ok bad
    ok=$(grep -oE '[0-9]+ passed' "$1" | awk '{s+=$1} END {print s+0}')
    bad=$(grep -oE '[0-9]+ (failed|timed out)' "$1" | awk '{s+=$1} END {print s+0}')
    steps_passed=$((steps_passed + ok))
    steps_failed=$((steps_failed + bad))
}

run_tests() {
    local log="$cache/$1.log" code name=$1 start=$SECONDS
    shift
    "$@" >"$log" 2>&1
    code=$?
    count_tests "$log"
    [ "$code" -eq 0 ] || {
        grep -E 'FAIL|panicked|error(\[|:)' "$log" | head -40
        tail -60 "$log"
        [ "$steps_failed" -gt 0 ] || steps_failed=1
    }
    echo "     $name$(slow "$start")"
    tail -3 "$log"
}

finish() {
    echo "$steps_passed passed, $steps_failed failed"
    [ "$steps_failed" -eq 0 ]
}
