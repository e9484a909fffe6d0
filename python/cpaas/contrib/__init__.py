"""Integrations with frameworks. Each module needs a package that the wheel does not install: `django`, `fastapi`, `flask`,
`opentelemetry`."""


def missing(module: str, package: str) -> ImportError:
    """The exception of a module whose package is not installed."""
    return ImportError(f"cpaas.contrib.{module} needs {package}: pip install {package}", name=package)
