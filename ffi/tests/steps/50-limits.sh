# The limits of docs/c.md: stack, connections, signal handlers, threads that end inside the library, dlclose, glibc.
process_limits_program() {
    compile "$work/process_limits" $sources/process_limits.c && compile "$work/connections" $sources/connections.c &&
        gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" -g -Iinclude -I$sources $sources/unload.c -o "$work/unload" -ldl
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
check "limits: connections" kept connections
grep 'at most' "$work/connections.txt"
check "process: functions that a signal handler may call" with_sandbox run process_limits signal
for name in cancel exit cancel_disabled; do
    check "process: $name" run process_limits $name
done
check "process: dlclose" with_sandbox "$work/unload" "$prefix/lib/libcpaas.so"
check "process: the library stays mapped" stays_mapped
check "process: glibc" glibc_version
