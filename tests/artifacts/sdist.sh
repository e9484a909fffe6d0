# The source distribution of the Python package.
artifacts+=(sdist)

build_sdist() {
    environment python3 "$tools/maturin" "maturin>=1.12,<2" && "$tools/maturin/bin/maturin" sdist -m python/Cargo.toml -o "$1"
}

check_sdist() { # pip compiles it, with the profile of CPAAS_PROFILE
    step installed env MATURIN_PEP517_ARGS="--profile $CPAAS_PROFILE" bash -c 'source tests/suites/lib.sh; source python/tests/python_environments.sh; install_alone "$@"' \
        install "$(newest_python)" "$out"/*.tar.gz "$work/env"
    step send readme_example "$work/env"
    unpack "$out"/*.tar.gz "$work/unpacked" && notices "$work/unpacked"
}
