# C++: the header in several versions of the language, and in one program that mixes them.
definitions() { # STANDARD FLAGS…: what the header defines, without the files of the compiler
    printf '#include "cpaas.hpp"\n' | g++ -x c++ -std="$1" "${@:2}" -Iinclude -E - | awk '/^# [0-9]+ "/ {ours = $3 ~ /^"include\//; next} ours && NF'
}

one_definition() { # the header defines the same in each version of C++
    local standard
    definitions c++17 >"$work/definitions"
    [ "$(wc -l <"$work/definitions")" -gt 1000 ] || return 1
    for standard in c++20 c++23; do
        definitions $standard | diff "$work/definitions" - || return 1
    done
    ! definitions c++17 -fno-exceptions | diff -q "$work/definitions" - >/dev/null # the comparison sees a difference
}

mixed_versions() { # one program of files in C++17, 20 and 23 and without exceptions
    local file process processes=() objects=()
    for file in "no_exceptions c++17 -fno-exceptions" "a17 c++17" "b20 c++20" "c23 c++23"; do
        set -- $file
        g++ -std="$2" "${strict[@]}" "${@:3}" -O0 -flto -Iinclude -c $sources/cpp_versions/"$1".cpp -o "$work/mixed_$1.o" &
        processes+=($!) objects+=("$work/mixed_$1.o")
    done
    for process in "${processes[@]}"; do
        wait "$process" || return 1
    done
    g++ -flto -Wodr -Werror=odr "${objects[@]}" -o "$work/mixed_versions" -L"$prefix/lib" -lcpaas -lpthread && run mixed_versions || return 1
    # The same flags report a struct with two definitions.
    local member
    for member in int long; do
        printf 'struct A { %s a; };\n%s f(A &given);\n%s f(A &given) { return given.a; }\n' $member $member $member |
            g++ -x c++ -O0 -flto -c - -o "$work/odr_$member.o" || return 1
    done
    ! g++ -flto -Wodr -Werror=odr -shared "$work/odr_int.o" "$work/odr_long.o" -o "$work/odr.so" 2>"$work/odr.txt" && has 'One Definition Rule' "$work/odr.txt"
}

checked_abi() { # a program whose header has another ABI than the library ends before main
    local folder="$work/abi_99" program="$work/abi_program" code
    mkdir -p "$folder/cpaas" && sed 's/^#define CPAAS_ABI_VERSION .*/#define CPAAS_ABI_VERSION 99/' include/cpaas.h >"$folder/cpaas.h" &&
        cp include/cpaas.hpp "$folder" && cp include/cpaas/*.hpp "$folder/cpaas" || return 1
    printf '%s\n' '#include "cpaas.hpp"' '#include <cstdio>' 'static const bool first = std::puts("a global variable") > 0;' \
        'int main() { return std::puts(cpaas::abi_matches() ? "same" : "other") > 0 && first ? 0 : 1; }' >"$program.cpp"
    g++ -std=c++17 -I"$folder" "$program.cpp" -o "$folder/other" -L"$prefix/lib" -lcpaas &&
        g++ -std=c++17 -DCPAAS_NO_ABI_CHECK -I"$folder" "$program.cpp" -o "$folder/unchecked" -L"$prefix/lib" -lcpaas &&
        g++ -std=c++17 -Iinclude "$program.cpp" -o "$folder/same" -L"$prefix/lib" -lcpaas || return 1
    (ulimit -c 0; LD_LIBRARY_PATH="$prefix/lib" "$folder/other") >"$folder/out" 2>"$folder/err"
    code=$?
    [ $code -eq 134 ] && [ ! -s "$folder/out" ] && has -xE 'cpaas.hpp has ABI 99, the loaded library has ABI [0-9]+' "$folder/err" || return 1
    LD_LIBRARY_PATH="$prefix/lib" "$folder/unchecked" | has -x other && LD_LIBRARY_PATH="$prefix/lib" "$folder/same" | has -x same
}

calls() { # calls that start later, and conversions to and from std::expected
    g++ -std=c++23 "${strict[@]}" -g -Iinclude -I$sources $sources/cpp_calls.cpp -o "$work/cpp_calls" -L"$prefix/lib" -lcpaas -lpthread &&
        with_sandbox run cpp_calls
}

lifetimes() { # SANITIZER COMMAND…: logs, callback requests, clients that are moved, shared and destroyed
    local program="$work/cpp_lifetimes_$1"
    g++ -std=c++17 "${strict[@]}" -g "-fsanitize=$1" -fno-sanitize-recover=all -Iinclude -I$sources $sources/cpp_lifetimes.cpp -o "$program" \
        -L"$prefix/lib" -lcpaas -lpthread && with_sandbox env LD_LIBRARY_PATH="$prefix/lib" "${@:2}" "$program"
}

coroutines() { # SANITIZER COMMAND…: clang 14 cannot compile the coroutines of libstdc++
    local program="$work/cpp_coroutine_$1"
    g++ -std=c++20 "${strict[@]}" -g "-fsanitize=$1" -fno-sanitize-recover=all -Iinclude -I$sources $sources/cpp_coroutine.cpp -o "$program" \
        -L"$prefix/lib" -lcpaas -lpthread && with_sandbox env LD_LIBRARY_PATH="$prefix/lib" "${@:2}" "$program"
}

await_example() { # send_await.cpp sends to each number, and fails if one is invalid
    g++ -std=c++20 "${strict[@]}" -O2 -Wnull-dereference -Iinclude ffi/examples/send_await.cpp -o "$work/send_await" -L"$prefix/lib" -lcpaas -lpthread &&
        with_sandbox run send_await 306912345691 306912345692 306912345693 >"$work/send_await.txt" &&
        [ "$(grep -cE '^30691234569[123] [0-9a-f-]{36}$' "$work/send_await.txt")" -eq 3 ] || return 1
    ! with_sandbox run send_await 306912345691 12 >"$work/send_await.txt" && has '^12 CPAAS_REJECTED ' "$work/send_await.txt"
}

coroutine_header() { # the optional header needs C++20
    { printf '#include "cpaas/coroutine.hpp"\n' | g++ -x c++ -std=c++17 -Iinclude -fsyntax-only - 2>&1 || true; } | has 'cpaas/coroutine.hpp requires C++20'
}

check "the same definitions in C++17, C++20 and C++23" one_definition
check "C++17, C++20, C++23 and -fno-exceptions in one program" mixed_versions
check "the ABI is checked when a C++ program starts" checked_abi
check "typed futures, polled results and conversions" calls
check "sanitizers: lifetimes, addresses and undefined behavior" lifetimes address,undefined
check "sanitizers: lifetimes, threads" lifetimes thread setarch -R env TSAN_OPTIONS=ignore_noninstrumented_modules=1
check "sanitizers: coroutines, addresses and undefined behavior" coroutines address,undefined
# ThreadSanitizer of gcc 12 needs addresses that are not random.
check "sanitizers: coroutines, threads" coroutines thread setarch -R env TSAN_OPTIONS=ignore_noninstrumented_modules=1
check "send_await.cpp" await_example
check "C++17 is rejected by cpaas/coroutine.hpp" coroutine_header
