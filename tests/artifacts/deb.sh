# The packages for Debian: libcpaas0.1 with the shared library and its symbols file, libcpaas-dev with what a program is compiled with.
artifacts+=(deb)

build_deb() {
    need_packages dpkg-dev binutils gcc || return 1
    local stage="$tools/work/deb" arch library abi
    arch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
    rm -rf "$stage" && mkdir -p "$stage/debian" || return 1
    ffi/install --prefix /usr --libdir "lib/$arch" --destdir "$stage/dev" || return 1
    library=$(basename "$stage/dev/usr/lib/$arch"/libcpaas.so.*.debug .debug) abi=$(readlink "$stage/dev/usr/lib/$arch/libcpaas.so")
    local runtime="libcpaas${abi#libcpaas.so.}"
    mkdir -p "$stage/runtime/usr/lib/$arch" "$stage/runtime/usr/share/doc/$runtime" "$stage/runtime/DEBIAN" "$stage/dev/DEBIAN" "$stage/dev/usr/share/doc/libcpaas-dev"
    mv "$stage/dev/usr/lib/$arch/$library" "$stage/dev/usr/lib/$arch/$abi" "$stage/runtime/usr/lib/$arch/"
    cp LICENSE-MIT LICENSE-APACHE ffi/THIRD-PARTY-LICENSES ffi/cpaas.cdx.json "$stage/runtime/usr/share/doc/$runtime/"
    copyright >"$stage/runtime/usr/share/doc/$runtime/copyright"
    cp "$stage/runtime/usr/share/doc/$runtime/copyright" "$stage/dev/usr/share/doc/libcpaas-dev/"
    printf 'activate-noawait ldconfig\n' >"$stage/runtime/DEBIAN/triggers"
    printf 'Source: cpaas\n\nPackage: %s\nArchitecture: any\n\nPackage: libcpaas-dev\nArchitecture: any\n' "$runtime" >"$stage/debian/control"
    (cd "$stage" && dpkg-gensymbols -p"$runtime" -v"$version" -Pruntime -e"runtime/usr/lib/$arch/$library" -c0) || return 1
    local depends
    depends=$(cd "$stage" && dpkg-shlibdeps -O -e"runtime/usr/lib/$arch/$library") || return 1
    control "$runtime" libs "${depends#shlibs:Depends=}" "client of a messaging provider: shared library" "$stage/runtime"
    control libcpaas-dev libdevel "$runtime (= $version)" "client of a messaging provider: headers and static library" "$stage/dev"
    local package
    for package in runtime dev; do dpkg-deb --root-owner-group --build "$stage/$package" "$1" || return 1; done
}

control() { # PACKAGE SECTION DEPENDS DESCRIPTION FOLDER
    printf 'Package: %s\nSource: cpaas\nVersion: %s\nArchitecture: %s\nMulti-Arch: same\nSection: %s\nPriority: optional\nMaintainer: The cpaas maintainers <cpaas@localhost>\nDepends: %s\nDescription: %s\n One-time passcodes, SMS, number lookup and chat messages from C and C++.\n' \
        "$1" "$version" "$(dpkg --print-architecture)" "$2" "$3" "$4" >"$5/DEBIAN/control"
}

copyright() {
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\nCopyright: The cpaas maintainers\nLicense: MIT or Apache-2.0\n The texts are LICENSE-MIT and LICENSE-APACHE in this folder; the notices of third parties are THIRD-PARTY-LICENSES.\n'
}

check_deb() { # in a Debian of its own, with a compiler and pkg-config
    step installed debian_root && step installed install_debs && step send in_sandbox debian /send 306912345678 "Your table is ready"
    step send consumer_depends
    reason[more]="installed: dpkg, then a program compiled with pkg-config, whose dependency dpkg-shlibdeps finds in the symbols file"
    unpack_debs && notices "$work/unpacked"
}

debian_root() { # one Debian for all runs, and a copy for this one
    need_packages debootstrap || return 1
    local base="$tools/debian"
    if [ ! -e "$base.complete" ]; then
        rm -rf "$base"
        debootstrap --variant=minbase --include=gcc,libc6-dev,pkg-config,dpkg-dev bookworm "$base" ${CPAAS_MIRROR:+"$CPAAS_MIRROR"} && touch "$base.complete" || return 1
    fi
    cp -a "$base" "$work/root"
}

debian() { chroot "$work/root" "$@"; }

install_debs() {
    cp "$out"/*.deb ffi/examples/send.c "$work/root/" &&
        debian sh -c 'dpkg -i /libcpaas*.deb && cc /send.c $(pkg-config --cflags --libs cpaas) -o /send && ldd /send | grep libcpaas'
}

consumer_depends() {
    debian sh -c 'mkdir -p /p/debian && cd /p && printf "Source: p\n\nPackage: p\nArchitecture: any\n" >debian/control && dpkg-shlibdeps -O -e/send' | has "libcpaas[0-9.]* (>= $version)"
}

unpack_debs() { for package in "$out"/*.deb; do dpkg-deb -x "$package" "$work/unpacked" || return 1; done; }
