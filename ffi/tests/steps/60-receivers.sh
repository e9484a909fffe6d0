# Callback requests as structs.
receiver_programs() {
    compile "$work/receiver_requests" $sources/receiver_requests.c &&
        compile "$work/receiver_requests_san" -fsanitize=address,undefined -fno-sanitize-recover=all $sources/receiver_requests.c
}

check "programs: callback requests" receiver_programs
check "callback requests as structs" run receiver_requests
check "sanitizers: callback requests as structs" run receiver_requests_san
