# ThreadSanitizer, AddressSanitizer, memcheck, helgrind and DRD with the installed suppressions: no report in a correct program and in the
# examples, and a report of a race of the program. tests/nightly/c_tools runs more of it.
tool_files="$prefix/share/cpaas"

tool_programs() {
    local name
    for name in tools_clean tools_race; do
        compile "$work/$name" $sources/$name.c && compile "$work/${name}_tsan" -fsanitize=thread $sources/$name.c || return 1
    done
}

# with_tsan PROGRAM ARGUMENT…: without address space randomization, because the ThreadSanitizer of gcc 12 does not support that of every kernel
with_tsan() {
    LD_LIBRARY_PATH="$prefix/lib" TSAN_OPTIONS=ignore_noninstrumented_modules=1 timeout 600 setarch -R "$work/$1" "${@:2}"
}

with_valgrind() { # TOOL PROGRAM ARGUMENT…
    local options=()
    [ "$1" != memcheck ] || options=(--leak-check=full)
    LD_LIBRARY_PATH="$prefix/lib" timeout 600 valgrind -q --tool="$1" --error-exitcode=9 "${options[@]}" --suppressions="$tool_files/$1.supp" "$work/$2" "${@:3}"
}

reports_race() { # COMMAND…: fails, with a report that names the variable `raced` of tools_race.c
    ! with_sandbox "$@" >"$work/race.txt" 2>&1 && has 'tools_race.c:' "$work/race.txt" && has 'raced' "$work/race.txt"
}

check "programs: tools" tool_programs
check "ThreadSanitizer: no report" with_sandbox with_tsan tools_clean_tsan
check "helgrind: no report" with_sandbox with_valgrind helgrind tools_clean 1
check "ThreadSanitizer reports a race" reports_race with_tsan tools_race_tsan
check "helgrind reports a race" reports_race with_valgrind helgrind tools_race
check "DRD reports a race" reports_race with_valgrind drd tools_race
check "memcheck: no error and no leak" with_sandbox with_valgrind memcheck tools_clean 1
