"""Iteration over a page fetches all records, or raises an error if it cannot."""

import asyncio
import pickle

import pytest
from conftest import http_response

import cpaas


@pytest.fixture
def five():
    """A sandbox with five passcodes."""
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        for n in range(5):
            client.otp.send(service="login", from_="Acme", to=f"30691234567{n}", body="{code}")
        yield sandbox


def test_an_awaited_page_gives_all_records(five):
    async def run():
        async with five.async_client() as client:
            page = await client.otp.search(page_size=2)
            with pytest.raises(TypeError, match="async for"):
                list(page)
            assert len([record async for record in page]) == 5
            assert len(page) == 2
            assert len(page.items) == 2
            second = await page.next_page_async()
            third = await second.next_page_async()
            assert (len(second), len(third), await third.next_page_async()) == (2, 1, None)
            with pytest.raises(TypeError, match="next_page_async"):
                page.next_page()
            called = await client.call("otp.search", {"pageSize": 2})
            assert len([record async for record in called]) == 5

    asyncio.run(run())


def test_a_page_of_a_call_by_name_gives_all_records(five):
    with five.client() as client:
        page = client.call("otp.search", {"pageSize": 2})
        assert len(list(page)) == 5
        assert len(page.next_page().next_page()) == 1
        assert page.next_page().next_page().next_page() is None
        with pytest.raises(TypeError, match=r"page\.next_page\(\)"):
            asyncio.run(page.next_page_async())

        async def run():
            async for _ in page:
                pass

        with pytest.raises(TypeError, match="use `for`"):
            asyncio.run(run())


def test_an_unpickled_page_is_not_truncated(five):
    with five.client() as client:
        page = client.otp.search(page_size=2)
        copy = pickle.loads(pickle.dumps(page))
        assert copy == page
        assert len(copy.items) == 2
        for use in (list, cpaas.models.Page.next_page):
            with pytest.raises(RuntimeError, match="no client"):
                use(copy)
        whole = pickle.loads(pickle.dumps(client.otp.search(page_size=50)))
        assert len(list(whole)) == 5
        made = cpaas.models.OtpRecords.from_dict(page.to_dict())
        with pytest.raises(RuntimeError, match="no client"):
            list(made)
        with pytest.raises(RuntimeError, match="no client"):
            list(page.replace(page=0))


def test_iterating_an_unpickled_page_of_an_async_client_raises(five):
    async def fetch():
        async with five.async_client() as client:
            return await client.otp.search(page_size=2)

    copy = pickle.loads(pickle.dumps(asyncio.run(fetch())))
    with pytest.raises(RuntimeError, match="no client"):
        list(copy)


def limits(page, records, total):
    record = {"sid": "LM1", "name": "n", "buckets": "[]", "description": "d"}
    return http_response(
        {"code": 200, "message": "OK", "data": {"result": [record] * records, "page": page, "total": total}}
    )


def serve(wire, *pages):
    remaining = iter(pages)
    wire.script = lambda request: next(remaining)


def test_pages_that_repeat_raise(wire):
    with wire.client() as client:
        serve(wire, limits(0, 2, 9), limits(0, 2, 9))
        seen = []
        with pytest.raises(cpaas.OutcomeUnknown, match="repeats a page"):
            seen.extend(client.otp.limits.list())
    assert len(wire.requests) == 2


def test_each_list_that_contradicts_its_total_warns_the_caller(wire, caplog):
    with wire.client() as client:
        for _ in range(2):
            serve(wire, limits(0, 2, 9), limits(1, 0, 9))
            with pytest.warns(UserWarning, match="more or fewer records") as warned:
                assert len(list(client.otp.limits.list())) == 2
            assert warned[0].filename == __file__
    lines = [
        record.getMessage() for record in caplog.records if "more or fewer records" in record.getMessage()
    ]
    assert len(lines) == 2
    assert lines[0].startswith("otp.limits.list: ")


def test_a_list_of_an_async_client_that_contradicts_its_total_warns_the_caller(wire):
    async def run():
        async with wire.async_client() as client:
            return [record async for record in client.otp.limits.list()]

    serve(wire, limits(0, 2, 9), limits(1, 0, 9))
    with pytest.warns(UserWarning, match="more or fewer records") as warned:
        assert len(asyncio.run(run())) == 2
    assert warned[0].filename == __file__


def test_pages_of_an_async_client_that_repeat_raise(wire):
    async def run():
        async with wire.async_client() as client:
            return [record async for record in client.otp.limits.list()]

    serve(wire, limits(0, 2, 9), limits(0, 2, 9))
    with pytest.raises(cpaas.OutcomeUnknown, match="repeats a page"):
        asyncio.run(run())
