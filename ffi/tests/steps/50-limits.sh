# The limits of docs/c.md: stack, signal handlers, threads that end inside the library, dlclose, glibc.
process_limits_program() {
    compile "$work/process_limits" $sources/process_limits.c &&
        gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" -g -Iinclude -I$sources $sources/unload.c -o "$work/unload" -ldl
}

tls_stack() { # BYTES: a call over TLS on a thread with a stack of BYTES
    local port=$((20000 + RANDOM % 20000)) program code
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
        -addext basicConstraints=critical,CA:FALSE -keyout "$work/stack_key.pem" -out "$work/stack_certificate.pem" || return 1
    openssl s_server -accept "$port" -key "$work/stack_key.pem" -cert "$work/stack_certificate.pem" -www >"$work/s_server.txt" 2>&1 &
    program=$!
    until has ACCEPT "$work/s_server.txt"; do kill -0 $program || return 1; sleep 0.05; done
    CPAAS_SMS_URL="https://127.0.0.1:$port" CPAAS_SMS_KEY=k CPAAS_CA_BUNDLE="$work/stack_certificate.pem" run process_limits tls_stack "$1"
    code=$?
    kill $program
    wait $program
    return $code
}

stays_mapped() { readelf -d "$prefix/lib/libcpaas.so" | has NODELETE; }

glibc_version() { # the page names the newest version of glibc that the library needs
    local newest
    newest=$(objdump -T "$prefix/lib/libcpaas.so" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -1)
    has -F "glibc ${newest#GLIBC_} or later" docs/c.md || { echo "needs $newest"; return 1; }
}

check "programs: limits of the process" process_limits_program
check "process: a thread with a small stack" with_sandbox run process_limits stack 524288
check "process: a thread with a small stack, over TLS" tls_stack 524288
check "process: functions that a signal handler may call" with_sandbox run process_limits signal
for name in cancel exit cancel_disabled; do
    check "process: $name" run process_limits $name
done
check "process: dlclose" with_sandbox "$work/unload" "$prefix/lib/libcpaas.so"
check "process: the library stays mapped" stays_mapped
check "process: glibc" glibc_version
