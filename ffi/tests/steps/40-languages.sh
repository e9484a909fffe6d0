# cpaas_ffi.h, and programs in other languages. Go is in tests/nightly/c_languages, because its packages need 450 MB.
need_packages luajit ruby php-cli mono-mcs mono-runtime

declared() { # HEADER: its declarations without enumerations, one in a line
    printf '#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include "%s"\n' "$1" |
        gcc -x c -std=c11 '-D__attribute__(x)=' -Iinclude -E - | awk '/^# [0-9]+ "/ {ours = $3 ~ /^"include\//; next} ours' |
        tr '\n' ' ' | sed -E 's/enum( cpaas_status)? *\{[^}]*\}//g; s/  +/ /g; s/([(]) /\1/g; s/; */;\n/g' | sed 's/^ *//' | grep -v '^;$'
}

ffi_header() { # cpaas_ffi.h declares the same as cpaas.h, without directives
    declared cpaas.h >"$work/declared" && declared cpaas_ffi.h | diff "$work/declared" - || return 1
    [ "$(grep -c 'cpaas_[a-z0-9_]*(' "$work/declared")" -ge 60 ] && ! grep '#' include/cpaas_ffi.h || return 1
    # The same constants with the same numbers.
    printf '#include "cpaas.h"\n' | gcc -x c -std=c11 -Iinclude -E -dM - | awk '$2 ~ /^CPAAS_/ && $3 ~ /^[0-9(]/ {print $2}' >"$work/constants"
    awk '/^enum cpaas_status/ {on = 1} /^};/ {on = 0} on && $2 == "=" {print $1}' include/cpaas.h >>"$work/constants"
    sed -n 's/^    \(CPAAS_[A-Z0-9_]*\) = [0-9]*,$/\1/p' include/cpaas_ffi.h | sort >"$work/ffi_constants"
    sort "$work/constants" | diff - "$work/ffi_constants" || return 1
    { echo '#include "cpaas.h"'; sed -n 's/^    \(CPAAS_[A-Z0-9_]*\) = \([0-9]*\),$/_Static_assert(\1 == \2, "\1");/p' include/cpaas_ffi.h; } |
        gcc -x c -std=c11 -Iinclude -fsyntax-only -
}

languages() {
    local folder=ffi/examples/languages header="$prefix/include/cpaas_ffi.h"
    export LD_LIBRARY_PATH="$prefix/lib"
    ffi/tests/language 306912345681 luajit $folder/send.lua "$header" || { echo LuaJIT; return 1; }
    ffi/tests/language 306912345682 php $folder/send.php "$header" || { echo PHP; return 1; }
    ffi/tests/language 306912345683 ruby $folder/send.rb || { echo Ruby; return 1; }
    mcs -out:"$work/send.exe" $folder/send.cs && ffi/tests/language 306912345684 mono "$work/send.exe" || { echo 'C#'; return 1; }
}

languages_page() { # docs/other-languages.md contains each program
    local name count=0
    for name in ffi/examples/languages/*; do
        awk -v first="$(head -1 "$name")" '/^```/ {on = 0} $0 == first {on = 1} on' docs/other-languages.md | diff "$name" - || { echo "$name"; return 1; }
        count=$((count + 1))
    done
    [ $count -eq 5 ]
}

check "cpaas_ffi.h declares what cpaas.h declares" ffi_header
check "LuaJIT, PHP, Ruby and C#" with_sandbox languages
check "docs/other-languages.md" languages_page
