# Shared by the files of tests/artifacts; sourced by tests/release.

# step COLUMN COMMAND…: runs one step of a check. Its output is in the log.
step() {
    local column=$1
    shift
    [ "${result[$column]:-}" != no ] || return 1
    if "$@" >>"$log" 2>&1; then
        result[$column]=yes
    else
        result[$column]=no reason[$column]="failed: $*"
        return 1
    fi
}

# because COLUMN REASON: a step that is not possible here.
because() { result[$1]=- reason[$1]=$2; }

# The licenses, the notices and the list of components below FOLDER.
licenses() { # FOLDER
    local name
    for name in LICENSE-MIT LICENSE-APACHE THIRD-PARTY-LICENSES; do
        find "$1" -name "$name" -size +0 | grep -m1 . || { echo "no $name below $1"; return 1; }
    done
}

components() { # FOLDER: exactly one kind of list, and it is valid
    environment python3 "$tools/components" 'cyclonedx-python-lib[json-validation]>=11,<12' || return 1
    find "$1" -name cpaas.cdx.json -print0 | xargs -0 "$tools/components/bin/python" tests/kit/valid_components.py
}

notices() { # FOLDER: both columns
    step licenses licenses "$1"
    step sbom components "$1"
}

unpack() { # ARCHIVE FOLDER
    mkdir -p "$2"
    case $1 in
        *.whl) python3 -m zipfile -e "$1" "$2" ;;
        *) tar -xf "$1" -C "$2" ;;
    esac
}

# in_sandbox COMMAND…: with a sandbox whose addresses and keys are in the environment.
in_sandbox() (
    source ffi/tests/functions.sh
    [ -x "$CARGO_TARGET_DIR/debug/cpaas-sandbox" ] || build_sandbox || return 1
    with_sandbox "$@"
)
