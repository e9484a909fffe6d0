"""The pytest plugin: `cpaas_sandbox`, the provider for one test, and `cpaas_client`, a client of it."""

from __future__ import annotations

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from . import Client, Sandbox


@pytest.fixture
def cpaas_sandbox() -> Iterator[Sandbox]:
    """A sandbox of its own for each test, ready in a moment."""
    from . import Sandbox

    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def cpaas_client(cpaas_sandbox: Sandbox) -> Iterator[Client]:
    """A client of `cpaas_sandbox`."""
    with cpaas_sandbox.client() as client:
        yield client
