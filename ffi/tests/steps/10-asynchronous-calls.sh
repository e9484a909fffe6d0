# Typed asynchronous calls and the end of a client.
asynchronous_programs() {
    local name
    for name in typed_starts drain; do
        compile "$work/$name" $sources/$name.c &&
            compile "$work/${name}_san" -fsanitize=address,undefined -fno-sanitize-recover=all $sources/$name.c || return 1
    done
}

stopped_daemon() { # SIGTERM while otp_daemon waits for a response: each call that is running gets a line
    local number out="$work/stopped_daemon.txt" program code=1
    gcc -std=c11 -D_POSIX_C_SOURCE=200809L "${strict[@]}" -Iinclude ffi/examples/otp_daemon.c -o "$work/stopped_daemon" -L"$prefix/lib" -lcpaas || return 1
    rm -f "$work/stopped_commands" && mkfifo "$work/stopped_commands" && exec 7<>"$work/stopped_commands" || return 1
    trap 'kill -CONT "$pid"' EXIT # of the subshell of with_sandbox, whose sandbox $pid is
    kill -STOP "$pid" # the kernel accepts connections, and nothing responds
    LD_LIBRARY_PATH="$prefix/lib" "$work/stopped_daemon" <"$work/stopped_commands" >"$out" 7>&- &
    program=$!
    for number in $(seq 306912345600 306912345619); do echo "send $number"; done >&7
    sleep 1
    kill -TERM $program
    timeout 60 tail --pid=$program -f /dev/null || kill -KILL $program
    wait $program
    code=$?
    exec 7>&-
    [ $code -eq 0 ] && [ "$(sort -u "$out" | grep -c '^3069123456[01][0-9] CPAAS_UNKNOWN$')" -eq 20 ] && [ "$(wc -l <"$out")" -eq 20 ]
}

check "programs: asynchronous calls" asynchronous_programs
check "typed asynchronous calls" with_sandbox run typed_starts
check "draining a client" with_sandbox run drain
check "otp_daemon that is stopped" with_sandbox stopped_daemon
check "sanitizers: typed asynchronous calls" with_sandbox run typed_starts_san
check "sanitizers: draining a client" with_sandbox run drain_san
