# Archives of the C library: headers, libraries, pkg-config file, CMake package, pages. They can be unpacked anywhere. zig links them, so that the
# shared library needs glibc 2.17 only, whatever this system has.
artifacts+=(c_glibc_x86_64 c_glibc_aarch64 c_musl_x86_64 c_windows_x86_64)

build_c_glibc_x86_64() { archive x86_64-unknown-linux-gnu.2.17 "$1"; }
build_c_glibc_aarch64() { need_packages binutils-aarch64-linux-gnu && archive aarch64-unknown-linux-gnu.2.17 "$1"; }
build_c_windows_x86_64() { need_packages gcc-mingw-w64-x86-64 && archive x86_64-pc-windows-gnu "$1"; }
build_c_musl_x86_64() { need_packages binutils && archive x86_64-unknown-linux-musl "$1"; }

zig() { # an environment with zig and what links Rust with it
    environment python3 "$tools/zig" ziglang cargo-zigbuild && export PATH="$tools/zig/bin:$PATH"
}

archive() { # TARGET OUT
    local target=$1 triple=${1%%.*} name stage
    name=cpaas-$version-${triple/unknown-/}
    stage="$tools/work/stage-$triple"
    case $target in *windows*) ;; *) zig || return 1 ;; esac
    again rustup --quiet target add "$triple" && rm -rf "$stage" &&
        ffi/install --target "$target" --prefix "/$name" --destdir "$stage" &&
        sed -i 's|^prefix=.*|prefix=${pcfiledir}/../..|' "$stage/$name"/lib/pkgconfig/*.pc &&
        tar -C "$stage" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -czf "$2/$name.tar.gz" "$name"
}

# unpacked: the folder of the archive, which is not where it was built.
unpack_archive() { unpack "$out"/*.tar.gz "$work/elsewhere" && unpacked=$(echo "$work"/elsewhere/*); }

check_c_glibc_x86_64() {
    need_packages gcc g++ cmake pkg-config binutils
    step installed unpack_archive && step installed consumers && step send in_sandbox "$work/send" 306912345678 "Your table is ready"
    step send in_sandbox "$work/build/send_cpp" 306912345678 "Your table is ready"
    reason[more]="installed: compiled with pkg-config and CMake; symbols of glibc up to $(newest_glibc "$unpacked"/lib/libcpaas.so)"
    notices "$unpacked"
}

consumers() { # a program with pkg-config, and the project that finds the library with CMake
    local flags
    flags=$(PKG_CONFIG_PATH="$unpacked/lib/pkgconfig" pkg-config --cflags --libs cpaas) &&
        gcc ffi/examples/send.c $flags -Wl,-rpath,"$unpacked/lib" -o "$work/send" &&
        mkdir -p "$work/consumer" && cp ffi/tests/consumer/CMakeLists.txt ffi/examples/segments.c ffi/examples/send.cpp "$work/consumer" &&
        cmake -S "$work/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$unpacked" && cmake --build "$work/build" &&
        "$work/build/segments" hello | has '1 part' && "$work/build/segments_static" hello | has '1 part'
}

newest_glibc() { objdump -T "$1" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -1; }

check_c_glibc_aarch64() { # with qemu as the processor
    step installed unpack_archive && step installed cross_compile && step send in_sandbox arm64_send && step send arm64_c_vectors
    reason[more]="send: and all vectors, with qemu"
    notices "$unpacked"
}

cross_compile() {
    need_packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross && arm64_root libjansson4 libjansson-dev || return 1
    local root="$arm64_folder/root" sources=ffi/tests library=(-L"$unpacked/lib" -lcpaas)
    aarch64-linux-gnu-gcc -I"$unpacked/include" ffi/examples/send.c "${library[@]}" -o "$root/send" &&
        aarch64-linux-gnu-gcc -std=c11 -D_GNU_SOURCE -I"$unpacked/include" -I$sources -idirafter "$root/usr/include" $sources/vectors.c $sources/vectors_text.c \
            $sources/vectors_http.c "${library[@]}" -L"$root/usr/lib/aarch64-linux-gnu" -ljansson -lpthread -o "$root/vectors"
}

arm64_send() { LD_LIBRARY_PATH="$unpacked/lib" arm64 /send 306912345678 "Your table is ready"; }
arm64_c_vectors() { LD_LIBRARY_PATH="$unpacked/lib" arm64 /vectors tests/vectors; }

check_c_musl_x86_64() { # a program without shared libraries
    need_packages musl-tools pkg-config
    step installed unpack_archive && step installed musl_compile && step send in_sandbox "$work/send" 306912345678 "Your table is ready"
    notices "$unpacked"
}

musl_compile() {
    local flags
    flags=$(PKG_CONFIG_PATH="$unpacked/lib/pkgconfig" pkg-config --static --cflags --libs cpaas) &&
        musl-gcc -static ffi/examples/send.c $flags -o "$work/send" && file_is_static "$work/send"
}

file_is_static() { ! readelf -d "$1" | has NEEDED; }

check_c_windows_x86_64() { # with wine as Windows
    need_packages gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 cmake wine wine64
    step installed unpack_archive && step installed windows_compile && step send in_sandbox windows "$work/send.exe" 306912345678 "Your table is ready"
    step send in_sandbox windows "$work/build/send_cpp.exe" 306912345678 "Your table is ready"
    step send windows_vectors
    reason[more]="send: and all vectors, with wine"
    notices "$unpacked"
}

windows() { WINEPREFIX="$tools/wine" WINEDEBUG=-all WINEPATH="$unpacked/bin;$work" wine "$@"; }

windows_compile() { # programs with the import library, and the project that finds it with CMake
    local cc=x86_64-w64-mingw32-gcc
    only_windows_libraries "$unpacked/bin/cpaas.dll" && random_numbers_of_windows &&
        $cc -I"$unpacked/include" ffi/examples/send.c -L"$unpacked/lib" -lcpaas -o "$work/send.exe" &&
        mkdir -p "$work/consumer" && cp ffi/tests/consumer/CMakeLists.txt ffi/examples/segments.c ffi/examples/send.cpp "$work/consumer" &&
        cmake -S "$work/consumer" -B "$work/build" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$cc -DCMAKE_CXX_COMPILER=x86_64-w64-mingw32-g++-posix \
            -DCMAKE_EXE_LINKER_FLAGS=-static -DCMAKE_PREFIX_PATH="$unpacked" -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=BOTH && cmake --build "$work/build" &&
        windows "$work/build/segments.exe" hello | has '1 part'
}

windows_vectors() { # with jansson, which Debian has as source only
    local json="$tools/windows_jansson" source sources=ffi/tests
    if [ ! -e "$json/lib/libjansson.a" ]; then
        source=$(debian_source jansson) &&
            cmake -S "$source" -B "$work/jansson" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc -DJANSSON_BUILD_DOCS=OFF \
                -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF && cmake --build "$work/jansson" && cmake --install "$work/jansson" --prefix "$json" || return 1
    fi
    x86_64-w64-mingw32-gcc -std=c11 -D_GNU_SOURCE -I"$unpacked/include" -I$sources -I"$json/include" $sources/vectors.c $sources/vectors_text.c \
        $sources/vectors_http.c -L"$unpacked/lib" -lcpaas -L"$json/lib" -ljansson -o "$work/vectors.exe" && windows "$work/vectors.exe" tests/vectors
}

debian_source() { # PACKAGE: downloads and unpacks its source, and prints the folder
    local folder="$work/sources" options
    mkdir -p "$folder/lists/partial" "$folder/parts" && cat /etc/apt/sources.list.d/*.sources | sed 's/^Types:.*/Types: deb-src/' >"$folder/parts/debian.sources" || return 1
    options=(-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/parts" -o Dir::State::lists="$folder/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
    (cd "$folder" && again apt-get "${options[@]}" update -qq && again apt-get "${options[@]}" source --download-only -qq "$1" && mkdir unpacked &&
        tar -xf ./*.orig.tar.* -C unpacked --strip-components=1) >&2 && echo "$folder/unpacked"
}

only_windows_libraries() { # DLL: whether it needs no library of mingw
    ! x86_64-w64-mingw32-objdump -p "$1" | has -E 'DLL Name: (lib|cyg)'
}

random_numbers_of_windows() { # wine of Debian 12 lacks the library of Windows 10 from which Rust gets random numbers
    [ ! -e /usr/lib/x86_64-linux-gnu/wine/x86_64-windows/bcryptprimitives.dll ] || return 0
    cat >"$work/random.c" <<'C'
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(void *data, ULONG size);
__declspec(dllexport) BOOL WINAPI ProcessPrng(void *data, size_t size) { return SystemFunction036(data, (ULONG)size); }
C
    x86_64-w64-mingw32-gcc -shared "$work/random.c" -o "$work/bcryptprimitives.dll" -ladvapi32
}
