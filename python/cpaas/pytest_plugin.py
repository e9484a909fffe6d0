"""The pytest plugin: fixtures with sandboxes and clients.

`cpaas_sandbox`, `cpaas_client`, `cpaas_async_client`, `cpaas_session_sandbox` and `cpaas_virtual_sandbox`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import cpaas


@pytest.fixture
def cpaas_sandbox() -> Iterator[cpaas.Sandbox]:
    """A new sandbox for each test."""
    with cpaas.Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def cpaas_client(cpaas_sandbox: cpaas.Sandbox) -> Iterator[cpaas.Client]:
    """A client of `cpaas_sandbox`."""
    with cpaas_sandbox.client() as client:
        yield client


@pytest.fixture
def cpaas_async_client(cpaas_sandbox: cpaas.Sandbox) -> Iterator[cpaas.AsyncClient]:
    """An async client of `cpaas_sandbox`. It works with any plugin that runs coroutines, because it opens no event loop."""
    client = cpaas_sandbox.async_client()
    yield client
    client._native.close()


@pytest.fixture(scope="session")
def cpaas_session_sandbox() -> Iterator[cpaas.Sandbox]:
    """One sandbox for all tests, which share its messages and faults; call its `reset` where a test must start empty."""
    with cpaas.Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def cpaas_virtual_sandbox() -> Iterator[cpaas.Sandbox]:
    """A new sandbox for each test, whose clock moves by `advance` only."""
    with cpaas.Sandbox(clock="virtual") as sandbox:
        yield sandbox
