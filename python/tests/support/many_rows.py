"""Rows, fixtures and a terminal of the tests of `send_many`."""

import asyncio
import io

import pytest

import cpaas


def row(n, **more):
    return {"from_": "Acme", "to": f"3069123456{n:02}", "text": "Hi", **more}


class SendMany:
    """Calls `send_many` of a sync or an async client."""

    def __init__(self, sandbox, is_async):
        self.sandbox, self.is_async = sandbox, is_async

    def __call__(self, group, rows, **options):
        if not self.is_async:
            with self.sandbox.client() as client:
                return getattr(client, group).send_many(rows, **options)

        async def run():
            async with self.sandbox.async_client() as client:
                return await getattr(client, group).send_many(rows, **options)

        return asyncio.run(run())


@pytest.fixture(scope="module")
def sandbox():
    with cpaas.Sandbox() as sandbox:
        yield sandbox


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def send_many(request, sandbox):
    sandbox.reset()
    return SendMany(sandbox, request.param)


class Terminal(io.StringIO):
    def isatty(self):
        return True
