"""The pytest plugin: the fixtures `cpaas_sandbox` and `cpaas_client`."""

from __future__ import annotations

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from . import Client, Sandbox


@pytest.fixture
def cpaas_sandbox() -> Iterator[Sandbox]:
    """A new sandbox for each test."""
    from . import Sandbox

    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def cpaas_client(cpaas_sandbox: Sandbox) -> Iterator[Client]:
    """A client of `cpaas_sandbox`."""
    with cpaas_sandbox.client() as client:
        yield client
