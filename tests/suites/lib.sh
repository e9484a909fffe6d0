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
declare -A budget=([rust]=540 [campaign]=600 [docs]=60 [python]=780 [c]=360 [databases]=150 [wasm]=420 [browser]=120 [kit]=120 [work]=90 [portable]=1800 [nightly]=7200)
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
    for name in "$@"; do
        sed -n "s/^second try: /$name: passed only at the second try: /p" "$cache/$name.log"
    done
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

# Builds the program that serves the cells of the outcomes; the suite rust builds it with these tests.
build_cell_server() { cargo test --quiet "${tested_crates[@]}" --no-run --test it; }

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

# Prints the seconds of this shell, and the seconds of processor time of its finished children where the system has /proc.
clocks() {
    local stat=()
    [ ! -r "/proc/$$/stat" ] || read -ra stat <"/proc/$$/stat"
    echo "$SECONDS $(((${stat[15]:-0} + ${stat[16]:-0}) / 100))"
}

# slow CLOCKS: prints the seconds since `clocks` printed CLOCKS, and those of processor time, if a step took ten or more.
slow() {
    local start processor now used
    read -r start processor <<<"$1"
    read -r now used <<<"$(clocks)"
    [ $((now - start)) -lt 10 ] || echo " ($((now - start)) s, processor $((used - processor)) s)"
}

# Many tests start servers, child processes and browsers, and this machine may be so busy that one of them is late. What failed runs once
# more. What passes then is reported by a line `second try: NAME`, which tests/run repeats at its end: look for the cause, which is a race
# or a test that is too impatient. CPAAS_TRIES=1, which the suite `nightly` sets, does not repeat anything.
tries=${CPAAS_TRIES:-2}

# `check NAME command…` runs one step of a suite and counts it, unless its exit code 77 says that it was skipped.
steps_passed=0
steps_failed=0
check() {
    local name=$1 out first code start
    start=$(clocks)
    shift
    out=$("$@" 2>&1)
    code=$?
    if [ $code -ne 0 ] && [ $code -ne 77 ] && [ "$tries" -gt 1 ]; then
        first=$out
        out=$("$@" 2>&1)
        code=$?
        [ $code -ne 0 ] || { echo "second try: $name; the first one printed:"; tail -20 <<<"$first" | sed 's/^/    | /'; }
    fi
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

count_tests() { # adds the counts of a log of nextest, whose last lines have them, or of cargo test or pytest
    local ok bad counts
    counts=$(grep -E '^ *Summary \[' "$1" || cat "$1")
    ok=$(grep -oE '[0-9]+ passed' <<<"$counts" | awk '{s+=$1} END {print s+0}')
    bad=$(grep -oE '[0-9]+ (failed|timed out)' <<<"$counts" | awk '{s+=$1} END {print s+0}')
    steps_passed=$((steps_passed + ok))
    steps_failed=$((steps_failed + bad))
}

# Prints the names of the failed tests in a log of `cargo test`, a line each.
failed_tests() {
    awk '/^failures:$/ { on = 1; names = ""; next }
        /^test result/ { printf "%s", names; on = 0; names = "" }
        on && /^    / { names = names substr($0, 5) "\n" }' "$1" | sort -u
}

# again_failed LOG COMMAND…: runs the failed tests of the log of COMMAND, a `cargo test`, once more. If all pass, the log says so.
again_failed() {
    local log=$1 again="$1.again" name names=() separator=(--)
    shift
    mapfile -t names < <(failed_tests "$log")
    [ ${#names[@]} -gt 0 ] || return
    [[ " $* " != *" -- "* ]] || separator=()
    "$@" "${separator[@]}" --exact "${names[@]}" >"$again" 2>&1 || return
    [ "$(grep -oE '[0-9]+ passed' "$again" | awk '{s += $1} END {print s + 0}')" -ge ${#names[@]} ] || return
    for name in "${names[@]}"; do echo "second try: $name; the first one is in $log"; done
    cat "$again" >>"$log"
    sed -i -E 's/ [1-9][0-9]* failed/ 0 failed/' "$log"
}

run_tests() { # NAME COMMAND…: runs a test program, and adds the counts of its log
    local log="$cache/$1.log" code name=$1 start
    start=$(clocks)
    shift
    "$@" >"$log" 2>&1
    code=$?
    if [ "$code" -ne 0 ] && [ "$tries" -gt 1 ] && again_failed "$log" "$@"; then code=0; fi
    count_tests "$log"
    [ "$code" -eq 0 ] || {
        grep -E 'FAIL|panicked|error(\[|:)' "$log" | head -40
        tail -60 "$log"
        [ "$steps_failed" -gt 0 ] || steps_failed=1
    }
    echo "     $name$(slow "$start")"
    tail -3 "$log"
}

# run_node_tests LOG COMMAND…: runs a file of tests with the test runner of Node and adds its counts. LOG is the name of its log.
run_node_tests() {
    local name=$1 log="$cache/$1.log" bad start
    start=$(clocks)
    shift
    bad=$(node_failures "$log" "$@")
    if [ "$bad" -gt 0 ] && [ "$tries" -gt 1 ] && [ "$(node_failures "$log.again" "$@")" -eq 0 ]; then
        echo "second try: $name; the first one printed:"
        grep -A 20 '^ *not ok' "$log" | head -40 | sed 's/^/    | /'
        mv "$log.again" "$log"
        bad=0
    fi
    steps_passed=$((steps_passed + $(grep -oE '^# pass [0-9]+' "$log" | grep -oE '[0-9]+' || echo 0)))
    steps_failed=$((steps_failed + bad))
    if [ "$bad" -eq 0 ]; then
        echo "ok   $name: $(grep -oE '^# pass [0-9]+' "$log" | grep -oE '[0-9]+') passed$(slow "$start")"
    else
        echo "FAIL $name$(slow "$start")"
        grep -A 20 '^ *not ok' "$log" | head -60
        grep -q '^ *not ok' "$log" || tail -40 "$log"
    fi
}

node_failures() { # LOG COMMAND…: runs the command and prints how many tests failed, at least 1 if none ran
    local log=$1 bad
    shift
    "$@" >"$log" 2>&1
    bad=$(grep -oE '^# (fail|cancelled) [0-9]+' "$log" | awk '{s += $3} END {print s + 0}')
    [ "$bad" -gt 0 ] || grep -q '^# pass [1-9]' "$log" || bad=1
    echo "$bad"
}

finish() {
    echo "$steps_passed passed, $steps_failed failed"
    [ "$steps_failed" -eq 0 ]
}
