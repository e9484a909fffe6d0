# The wheels: python/wheels builds them with zig as the linker, and that of Windows with mingw.
declare -A wheel_of=([wheel_manylinux_x86_64]=x86_64 [wheel_manylinux_aarch64]=aarch64 [wheel_musllinux_x86_64]=musl [wheel_musllinux_aarch64]=musl_aarch64
    [wheel_windows_x86_64]=windows)
artifacts+=(wheel_native wheel_manylinux_x86_64 wheel_manylinux_aarch64 wheel_musllinux_x86_64 wheel_musllinux_aarch64 wheel_windows_x86_64)

build_wheel_native() { # for this system, of which only those of macOS are published
    environment python3 "$tools/maturin" "maturin>=1.12,<2" && "$tools/maturin/bin/maturin" build -q -m python/Cargo.toml --profile "$CPAAS_PROFILE" --compression-level 9 -o "$1"
}
build_wheel_manylinux_x86_64() { python/wheels "$1" "${wheel_of[wheel_manylinux_x86_64]}"; }
build_wheel_manylinux_aarch64() { python/wheels "$1" "${wheel_of[wheel_manylinux_aarch64]}"; }
build_wheel_musllinux_x86_64() { python/wheels "$1" "${wheel_of[wheel_musllinux_x86_64]}"; }
build_wheel_musllinux_aarch64() { python/wheels "$1" "${wheel_of[wheel_musllinux_aarch64]}"; }
build_wheel_windows_x86_64() { python/wheels "$1" "${wheel_of[wheel_windows_x86_64]}"; }

check_wheel_native() { check_wheel_manylinux_x86_64; }

check_wheel_manylinux_x86_64() {
    step installed install_alone "$(newest_python)" "$out"/*.whl "$work/env"
    step send readme_example "$work/env" # which sends in a sandbox of its own
    notices "$work/env"
}

check_wheel_manylinux_aarch64() { # in Debian's Python for arm64, with qemu as the processor
    step installed arm64_python_with "$out"/*.whl
    step send arm64_python "$work/readme.py"
    step send arm64_vectors
    reason[more]="send: and all vectors, with qemu"
    unpack "$out"/*.whl "$work/unpacked" && notices "$work/unpacked"
}

check_wheel_musllinux_x86_64() {
    unpack "$out"/*.whl "$work/unpacked"
    need_packages musl
    step installed loads_on_musl "$work/unpacked/cpaas/_cpaas.abi3.so"
    because send "no registry here has a Python for musl; the loader of musl resolves every symbol except those of Python"
    notices "$work/unpacked"
}

check_wheel_musllinux_aarch64() {
    because installed "no registry here has a Python for musl"
    because send "no registry here has a Python for musl"
    unpack "$out"/*.whl "$work/unpacked" && notices "$work/unpacked"
}

check_wheel_windows_x86_64() { # python/wheels has checked which libraries it needs
    case $OSTYPE in
        msys* | cygwin*)
            step installed windows_install
            step send windows_send
            because licenses "checked on Linux"
            because sbom "checked on Linux"
            return
            ;;
    esac
    because installed "no registry here has a Python for Windows"
    because send "no registry here has a Python for Windows"
    unpack "$out"/*.whl "$work/unpacked" && notices "$work/unpacked"
}

windows_install() { python -m venv "$work/env" && "$work/env/Scripts/pip" -q install --disable-pip-version-check "$out"/*.whl; }

windows_send() { # the README's example, and calls of asyncio, whose loop has no `add_reader` there
    awk '/^```python$/ {on=1; next} /^```/ && on {exit} on' README.md >"$work/readme.py" || return 1
    cat >"$work/asyncio_calls.py" <<'PYTHON'
import asyncio

import cpaas


async def main():
    async with cpaas.Sandbox() as sandbox, sandbox.async_client() as client:
        await asyncio.gather(*(client.sms.send(from_="Acme", to=f"3069123456{n}", text="Hi") for n in range(10, 60)))
        assert len(await sandbox.ledger()) == 50


asyncio.run(main())
PYTHON
    (cd "$work" && env/Scripts/python readme.py && env/Scripts/python asyncio_calls.py && env/Scripts/cpaas --version)
}

newest_python() {
    local minor found
    for minor in "${versions[@]}"; do found=$(find_python "$minor") && [ -n "$found" ] && echo "$found"; done | tail -1
}

arm64_python_with() { # WHEEL: downloads Debian's Python for arm64, and unpacks it and the wheel
    arm64_root python3.11-minimal libpython3.11-minimal libpython3.11-stdlib zlib1g libexpat1 libssl3 libffi8 libbz2-1.0 liblzma5 libsqlite3-0 libuuid1 &&
        unpack "$1" "$work/site" &&
        again "$(newest_python)" -m pip -q install --disable-pip-version-check --target "$work/site" pytest &&
        awk '/^```python$/ {on=1; next} /^```/ && on {exit} on' README.md >"$work/readme.py" &&
        arm64_python -c 'import cpaas, platform; assert platform.machine() == "aarch64"; print(cpaas.__file__)'
}

arm64_python() { PYTHONPATH="$work/site" arm64 /usr/bin/python3.11 "$@"; }
arm64_vectors() { (cd python/tests && arm64_python -m pytest -q -c ../pyproject.toml -p no:cacheprovider --rootdir .. test_vectors.py); }
