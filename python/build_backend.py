"""The build backend of the package: maturin, after a check that Rust and a C compiler are installed.

maturin alone would download a toolchain, or fail with the error of that download.
"""

import os
import re
import shutil
import subprocess
import sys
import typing

# maturin is installed by the frontend, which reads `requires` of pyproject.toml.
from maturin import *  # noqa: F403
from maturin import build_editable as _build_editable
from maturin import build_wheel as _build_wheel
from maturin import prepare_metadata_for_build_wheel as _prepare_metadata

MIN_RUST = (1, 89)
Settings = typing.Mapping[str, typing.Any] | None
_SYSTEMS = "Linux x86_64 and aarch64 (glibc 2.17 or musl 1.2), macOS, Windows x86_64; CPython 3.10 or later"


def _missing() -> str | None:
    """What is missing to compile the package, as a sentence."""
    rust = f"Rust {MIN_RUST[0]}.{MIN_RUST[1]} or later"
    rustc = shutil.which(os.environ.get("RUSTC", "rustc"))
    if not shutil.which("cargo") or not rustc:
        return f"Expected {rust}, but cargo is not on the PATH: install Rust from https://rustup.rs"
    printed = subprocess.run([rustc, "--version"], capture_output=True, text=True).stdout
    found = re.match(r"rustc (\d+)\.(\d+)", printed)
    if found and (int(found[1]), int(found[2])) < MIN_RUST:
        return f"Expected {rust}, got {found[1]}.{found[2]}: run `rustup update`"
    if sys.platform == "linux" and not shutil.which(os.environ.get("CC", "cc").split()[0]):
        return "Expected a C compiler, but cc is not on the PATH: install gcc or clang (Debian: apt-get install build-essential)"
    return None


def _check() -> None:
    if sys.platform == "win32":  # the journal of campaigns needs Unix
        os.environ.setdefault("MATURIN_PEP517_ARGS", "--no-default-features --features portable")
    missing = _missing()
    if missing:
        sys.exit(
            f"cpaas: no wheel fits this system, so the package is compiled here. {missing}.\n"
            f"Wheels, which need no compiler, are for: {_SYSTEMS}."
        )


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    _check()
    return []


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    _check()
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    _check()
    return _prepare_metadata(metadata_directory, config_settings)


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    _check()
    return _build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    _check()
    return _build_editable(wheel_directory, config_settings, metadata_directory)
