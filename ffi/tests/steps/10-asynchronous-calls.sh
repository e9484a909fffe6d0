# Typed asynchronous calls and the end of a client.
asynchronous_programs() {
    local name
    for name in typed_starts drain; do
        compile "$work/$name" $sources/$name.c &&
            compile "$work/${name}_san" -fsanitize=address,undefined -fno-sanitize-recover=all $sources/$name.c || return 1
    done
}

check "programs: asynchronous calls" asynchronous_programs
check "typed asynchronous calls" with_sandbox run typed_starts
check "draining a client" with_sandbox run drain
check "sanitizers: typed asynchronous calls" with_sandbox run typed_starts_san
check "sanitizers: draining a client" with_sandbox run drain_san
