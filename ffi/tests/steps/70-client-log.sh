# The log of a client.
log_programs() {
    compile "$work/client_log" $sources/client_log.c &&
        compile "$work/client_log_san" -fsanitize=address,undefined -fno-sanitize-recover=all $sources/client_log.c
}

check "programs: the log of a client" log_programs
check "the log of a client" with_sandbox run client_log
check "sanitizers: the log of a client" with_sandbox run client_log_san
