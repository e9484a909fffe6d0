# ThreadSanitizer, AddressSanitizer, memcheck, helgrind and DRD with the installed suppressions: no report in a correct program and in the
# examples, and a report of a race and of a leak of the program. tests/nightly/c_tools runs all examples with all tools.
tool_programs() {
    compile_tool_programs "" && compile_tool_programs _tsan -fsanitize=thread && compile_tool_examples _tsan -fsanitize=thread &&
        compile_tool_examples _asan -fsanitize=address,undefined -fno-sanitize-recover=all
}

check "programs: tools" tool_programs
check "ThreadSanitizer: no report" with_sandbox with_tsan tools_clean_tsan
check "ThreadSanitizer: no report in the examples" with_sandbox run_examples _tsan with_tsan
check "sanitizers: no report in the examples" with_sandbox run_examples _asan run
check "helgrind: no report" with_sandbox with_valgrind helgrind tools_clean 1
check "ThreadSanitizer reports a race" reports_race with_tsan tools_race_tsan
check "ThreadSanitizer reports a race in a log function" reports_race with_tsan tools_race_tsan log
check "helgrind reports a race in a log function" reports_race with_valgrind helgrind tools_race log
check "helgrind reports a race" reports_race with_valgrind helgrind tools_race
check "DRD reports a race" reports_race with_valgrind drd tools_race
check "memcheck reports a text that is not freed" reports_leak
