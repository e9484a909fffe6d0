"""The exception of an integration whose package is not installed."""

from __future__ import annotations


def missing(module: str, package: str) -> ImportError:
    """The exception of a module whose package is not installed."""
    return ImportError(f"cpaas.contrib.{module} needs {package}: pip install {package}", name=package)
