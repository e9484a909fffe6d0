# Shared by the scripts that test several Pythons: the supported versions, and functions to find and set them up.
export MATURIN_NO_MISSING_BUILD_BACKEND_WARNING=1 # python/build_backend.py calls maturin
versions=(3.10 3.11 3.12 3.13 3.14)

find_python() {
    local found
    for found in $(command -v "python$1") "$HOME"/.pyenv/versions/"$1".*/bin/python; do
        "$found" -c "import sys; sys.exit(sys.version_info[:2] != (${1/./,}))" 2>/dev/null && { echo "$found"; return; }
    done
    true
}

environment() { # creates a virtual environment, once for each set of packages
    local python=$1 place=$2
    shift 2
    [ -f "$place/.packages" ] && [ "$(cat "$place/.packages")" = "$*" ] && return
    rm -rf "$place" && "$python" -m venv "$place" && again "$place/bin/pip" -q install --disable-pip-version-check "$@" && echo "$*" >"$place/.packages"
}

install_wheel() { # PLACE [WHEEL]: installs this wheel, or one that it builds as for a release, and prints its path
    local place=$1 wheel=${2:-}
    if [ -z "$wheel" ]; then
        rm -rf "$place/wheels"
        "$place/bin/maturin" build -q -m python/Cargo.toml --profile dist --compression-level 9 -o "$place/wheels" >&2 || return 1
        wheel=$(ls "$place"/wheels/*.whl)
    fi
    "$place/bin/pip" -q install --disable-pip-version-check --no-deps --force-reinstall "$wheel" >&2 && echo "$wheel"
}

readme_example() { # PLACE: runs the README's first Python block and `cpaas --version` in the virtual environment PLACE
    awk '/^```python$/ {on=1; next} /^```/ && on {exit} on' README.md >"$1/readme.py" &&
        (cd "$1" && bin/python readme.py | tee readme.txt && bin/cpaas --version) &&
        grep -q '^/business_chat/carouselCard/cardContents ' "$1/readme.txt"
}

install_alone() { # PYTHON PACKAGE PLACE: installs PACKAGE into a clean environment, and checks that no other package was installed
    rm -rf "$3" && "$1" -m venv "$3" && "$3/bin/pip" -q install --disable-pip-version-check "$2" &&
        [ "$("$3/bin/pip" list --format=freeze --disable-pip-version-check | grep -cvE '^(pip|setuptools|wheel)==')" -eq 1 ]
}

loads_on_musl() { # LIBRARY: whether musl's loader finds every symbol except those of Python
    [ -f "$1" ] && ! /lib/ld-musl-x86_64.so.1 --list "$1" 2>&1 | grep -E 'Error|not found' | grep -v 'Py'
}
