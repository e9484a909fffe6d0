# Sourced by the scripts that build what is released: the C library and the wheels.

# Tells rustc and the C compiler to replace the folders of this machine by short names. Otherwise messages of panics and debug
# information contain them. Call it in the folder of the workspace, after CARGO_TARGET_DIR is set.
hide_build_paths() {
    local separator=$'\x1f' folder flags
    flags=${CARGO_ENCODED_RUSTFLAGS-$(tr ' ' "$separator" <<<"${RUSTFLAGS-}")}
    # If several folders contain a path, the last flag applies.
    for folder in "${HOME:-$PWD}=home" "$(rustc --print sysroot)=rust" "${CARGO_HOME:-${HOME:-$PWD}/.cargo}=cargo" "$PWD=." "${CARGO_TARGET_DIR:-$PWD/target}=target"; do
        flags+=${flags:+$separator}--remap-path-prefix=$folder
        case $folder in
            *' '*) ;; # CFLAGS are separated by spaces
            *) CFLAGS="${CFLAGS-} -ffile-prefix-map=$folder" ;;
        esac
    done
    export CARGO_ENCODED_RUSTFLAGS=$flags CFLAGS
}
