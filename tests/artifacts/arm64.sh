# Programs for arm64 on another processor: Debian's packages, unpacked into a folder, and qemu as the processor of one process.
arm64_folder="$tools/arm64"

arm64_root() { # PACKAGE…: unpacks these and the C library
    need_packages qemu-user-static || return 1
    local lists="$arm64_folder/lists" root="$arm64_folder/root" name
    local options=(-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists="$lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
    mkdir -p "$lists/partial" "$root" "$arm64_folder/packages"
    [ -e "$arm64_folder/updated" ] || { again apt-get "${options[@]}" update -qq && touch "$arm64_folder/updated"; } || return 1
    for name in libc6 libgcc-s1 "$@"; do
        [ ! -e "$arm64_folder/packages/$name" ] || continue
        (cd "$arm64_folder" && rm -f -- *.deb && again apt-get "${options[@]}" download "$name" && dpkg-deb -x ./*.deb root && touch "packages/$name") || return 1
    done
}

arm64() { qemu-aarch64-static -L "$arm64_folder/root" "$arm64_folder/root$1" "${@:2}"; }
