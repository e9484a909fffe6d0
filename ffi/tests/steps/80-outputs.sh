# What functions write, and functions of the program that call the library.
output_programs() {
    local name
    for name in outputs program_functions; do
        compile "$work/$name" $sources/$name.c &&
            compile "$work/${name}_san" -fsanitize=address,undefined -fno-sanitize-recover=all $sources/$name.c || return 1
    done
}

check "programs: outputs" output_programs
check "outputs: sizes, cleared structs, messages" run outputs
check "functions of the program that call the library" with_sandbox run program_functions
check "sanitizers: outputs" run outputs_san
check "sanitizers: functions of the program" with_sandbox run program_functions_san
