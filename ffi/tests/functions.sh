# Shared by tests/suites/c, tests/nightly/c_tools and tests/nightly/c_performance, which set `work` (a folder), `prefix` (the installed library) and `sources`.
other_libraries=$PWD/ffi/tests/other_libraries.supp
strict=(-Wall -Wextra -Wpedantic -Wconversion -Werror)

compile() { # OUTPUT ARGUMENTS…: compiles a test program; ARGUMENTS are its sources and further flags
    local output=$1
    shift
    gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" -g -Iinclude -I$sources "$@" -o "$output" -L"$prefix/lib" -lcpaas \
        -ljansson -lcurl -lpthread
}

with_sandbox() { # COMMAND…: starts a sandbox and runs COMMAND with its addresses and keys in the environment
    local code pid
    rm -f "$work/sandbox.txt" # the addresses of the previous sandbox
    "$CARGO_TARGET_DIR/debug/cpaas-sandbox" --port 0 >"$work/sandbox.txt" &
    pid=$!
    until_ready "$pid" "$work/sandbox.txt" || return 1
    (
        set -a
        source <(grep '^CPAAS_' "$work/sandbox.txt")
        READY_LINE=$(grep '^{' "$work/sandbox.txt")
        set +a
        "$@"
    )
    code=$?
    kill "$pid"
    wait "$pid" 2>/dev/null
    return $code
}

run() { LD_LIBRARY_PATH="$prefix/lib" timeout 1500 "$work/$1" "${@:2}"; }

kept() { # PROGRAM ARGUMENT…: as `run`, with the output in $work/PROGRAM.txt, which the suite prints after the check
    run "$@" >"$work/$1.txt" || { tail -40 "$work/$1.txt"; return 1; }
}

tls_stack() { # BYTES: a call over TLS on a thread with a stack of BYTES; needs the program process_limits
    local port program code
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
        -addext basicConstraints=critical,CA:FALSE -keyout "$work/stack_key.pem" -out "$work/stack_certificate.pem" || return 1
    for _ in 1 2 3 4 5; do # the port may be in use
        port=$((20000 + RANDOM % 20000))
        openssl s_server -accept "$port" -key "$work/stack_key.pem" -cert "$work/stack_certificate.pem" -www >"$work/s_server.txt" 2>&1 &
        program=$!
        while kill -0 $program 2>/dev/null && ! has ACCEPT "$work/s_server.txt"; do sleep 0.05; done
        ! kill -0 $program 2>/dev/null || break
    done
    kill -0 $program || return 1
    CPAAS_SMS_URL="https://127.0.0.1:$port" CPAAS_SMS_KEY=k CPAAS_CA_BUNDLE="$work/stack_certificate.pem" run process_limits tls_stack "$1"
    code=$?
    kill $program
    wait $program
    return $code
}

otp_of() { # NUMBER: prints the passcode that the phone received
    curl -s "$CPAAS_OTP_URL/_sandbox/messages?wait=10s&to=$1" | grep -oE '"otp":"[0-9]+"' | tail -1 | grep -oE '[0-9]+'
}

# with_tsan PROGRAM ARGUMENT…: without address space randomization, because the ThreadSanitizer of gcc 12 does not support that of every kernel
with_tsan() {
    LD_LIBRARY_PATH="$prefix/lib" TSAN_OPTIONS=ignore_noninstrumented_modules=1 timeout 600 setarch -R "$work/$1" "${@:2}"
}

with_valgrind() { # TOOL PROGRAM ARGUMENT…: with the installed suppressions
    local options=()
    [ "$1" != memcheck ] || options=(--leak-check=full)
    LD_LIBRARY_PATH="$prefix/lib" timeout 900 valgrind -q --tool="$1" --error-exitcode=9 "${options[@]}" \
        --suppressions="$prefix/share/cpaas/$1.supp" --suppressions="$other_libraries" "$work/$2" "${@:3}"
}

compile_tool_programs() { # SUFFIX FLAG…: a correct program, and one with errors
    local name
    for name in tools_clean tools_race; do
        compile "$work/$name$1" "${@:2}" $sources/$name.c || return 1
    done
}

compile_tool_examples() { # SUFFIX FLAG…
    local name
    for name in send otp otp_daemon segments async exchange_socket exchange_epoll receive; do
        gcc -std=c11 -D_POSIX_C_SOURCE=200809L "${strict[@]}" -g "${@:2}" -Iinclude ffi/examples/$name.c -o "$work/tool_$name$1" \
            -L"$prefix/lib" -lcpaas -lcjson -lcurl -lmicrohttpd -lpthread || return 1
    done
    g++ -std=c++17 "${strict[@]}" -g "${@:2}" -Iinclude ffi/examples/send.cpp -o "$work/tool_send_cpp$1" -L"$prefix/lib" -lcpaas
}

# run_examples SUFFIX COMMAND…: runs every example by COMMAND, which fails if its tool reports anything. Needs a sandbox.
run_examples() {
    local suffix=$1 number=306912345671
    shift
    "$@" "tool_send$suffix" 306912345678 Hi && "$@" "tool_segments$suffix" hello && "$@" "tool_send_cpp$suffix" && "$@" "tool_async$suffix" 20 &&
        "$@" "tool_exchange_socket$suffix" && "$@" "tool_exchange_epoll$suffix" 306912345681 306912345682 306912345683 || return 1
    otp_of $number | "$@" "tool_otp$suffix" $number || return 1
    { echo "send 306912345672"; sleep 1; } | "$@" "tool_otp_daemon$suffix" | has -x '306912345672 sent' || return 1
    run_receive "$suffix" "$@"
}

run_receive() { # SUFFIX COMMAND…: a callback for receive.c
    local folder="$work/receive$1" port=$((20000 + RANDOM % 20000)) url code program
    shift
    mkdir -p "$folder" && cd "$folder" || return 1
    echo '{"audience": "shop", "public_url": "http://127.0.0.1/hooks", "inbound_keys": {"keys": [{"kid": "i1", "secret": "0123456789abcdef0123456789abcdef"}]}}' \
        >callbacks.json
    url=$(LD_LIBRARY_PATH="$prefix/lib" "$work/callback_sender" url messenger_b) || return 1
    "$@" "tool_receive${folder#"$work/receive"}" "$port" &
    program=$!
    until curl -s -o response "http://127.0.0.1:$port/"; do kill -0 $program || return 1; sleep 0.1; done
    code=$(curl -s -o response -w '%{http_code}' -H 'content-type: application/json' -d '{"text": "hi"}' "http://127.0.0.1:$port${url#http://127.0.0.1}")
    pkill -TERM -P $program || kill $program
    wait $program && [ "$code" = 200 ]
}

reports_race() { # COMMAND…: fails, with a report about the function `done` of tools_race.c, which writes `raced`
    ! with_sandbox "$@" >"$work/race.txt" 2>&1 && has -E ' done \(?[a-z/]*tools_race\.c:' "$work/race.txt"
}

reports_leak() { # memcheck fails for a text that tools_race does not free
    ! with_valgrind memcheck tools_race leak >"$work/leak.txt" 2>&1 && has 'definitely lost' "$work/leak.txt"
}
