# What functions write, functions of the program that call the library, and results of C++ that must not be mistaken.
output_programs() {
    local name
    for name in outputs program_functions; do
        compile "$work/$name" $sources/$name.c &&
            compile "$work/${name}_san" -fsanitize=address,undefined -fno-sanitize-recover=all $sources/$name.c || return 1
    done
    g++ -std=c++20 "${strict[@]}" -g -Iinclude -I$sources $sources/cpp_results.cpp -o "$work/cpp_results" -L"$prefix/lib" -lcpaas -lpthread
}

in_coroutine() { # STATEMENT: compiles it with its warnings as errors
    printf '#include "cpaas/coroutine.hpp"\nstruct Task { struct promise_type { Task get_return_object(); std::suspend_never initial_suspend() noexcept; std::suspend_never final_suspend() noexcept; void return_void(); void unhandled_exception(); }; };\nTask f(const cpaas::Client &c) { %s; co_return; }\n' "$1" |
        g++ -x c++ -std=c++20 -Iinclude -Werror -fsyntax-only - 2>&1
}

unused_result() { # STATEMENT: the compiler warns about a result that is not used
    { in_coroutine "$1" || true; } | has 'unused-result'
}

unused_results() { # a verification, polled results and futures; gcc 12 does not warn about an unused result of co_await
    local statement verify='c.otp().verify("a", "b", "c")'
    for statement in 'c.otp_verify("a", "b", "c")' "$verify.get()" "$verify.try_get()" "$verify.future()" "$verify.try_future()" \
        'c.try_otp_verify("a", "b", "c")' 'c.poll()' 'c.drain(std::chrono::seconds(1))' \
        'std::vector<cpaas::PolledResult> r; c.drain(std::chrono::seconds(1), r, std::nothrow)' 'c.call_future("a", "b")' 'c.try_call_future("a", "b")'; do
        unused_result "$statement" || { echo "no warning: $statement"; return 1; }
    done
    in_coroutine 'if (c.otp_verify("a", "b", "c") || co_await '"$verify"') co_return' # without a warning
}

without_value_or() { # an Expected<bool> has no value_or
    printf '#include "cpaas.hpp"\nbool f(const cpaas::Client &c) { return c.try_otp_verify("a", "b", "c").value_or(true); }\n' |
        { g++ -x c++ -std=c++17 -Iinclude -fsyntax-only - 2>&1 || true; } | has 'use of deleted function'
}

check "programs: outputs" output_programs
check "outputs: sizes, cleared structs, messages" run outputs
check "functions of the program that call the library" with_sandbox run program_functions
check "results of C++" with_sandbox run cpp_results
check "results of C++ that are not used are a warning" unused_results
check "a passcode has no value_or" without_value_or
check "sanitizers: outputs" run outputs_san
check "sanitizers: functions of the program" with_sandbox run program_functions_san
