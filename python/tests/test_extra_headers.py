"""Headers that the caller adds to one call."""

import asyncio
import inspect
import logging

import pytest
from conftest import http_response

import cpaas

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}
HEADERS = {"X-Tenant": "shop-7", "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
RESERVED = [
    "Authorization",
    "authorization",
    "Proxy-Authorization",
    "Host",
    "Content-Length",
    "Content-Type",
    "User-Agent",
    "Connection",
    "Transfer-Encoding",
    "Cookie",
    "X-Service-API-Key",
    "x-service-api-key",
    "X-Channel-Auth-Token",
    "Upgrade",
    "TE",
    "Expect",
]
BAD = [
    ("", "1"),
    ("X A", "1"),
    ("X-A\r\nHost", "1"),
    ("X:A", "1"),
    ("é", "1"),
    ("X-A", "1\r\nB: 2"),
    ("X-A", "\n"),
    ("X-A", "λ"),
]


def methods(client):
    """Every method of every group, with its name."""
    groups = [client.otp, client.otp.limits, client.otp.workflows, client.sms, client.lookup, client.messages]
    groups += [client.webhooks.messenger_b, client.webhooks.messenger_c]
    for group in groups:
        for name in dir(group):
            method = getattr(group, name)
            if (
                not name.startswith("_")
                # It makes several calls, which are methods of this list.
                and name != "ensure"
                and inspect.ismethod(method)
                and "timeout" in inspect.signature(method).parameters
            ):
                yield method


def arguments(method):
    """A value of the type of each required argument."""
    found = {}
    for it in inspect.signature(method).parameters.values():
        if it.default is it.empty:
            kind = str(it.annotation)
            found[it.name] = (
                [] if "Sequence" in kind else {} if "Mapping" in kind or "types." in kind else "x"
            )
    return found


def test_every_method_has_extra_headers_and_sends_them(wire):
    wire.script = lambda _: http_response({}, status=404)
    found = list(methods(wire.client(messenger_b_token="t")))
    assert len(found) == 30
    for method in found:
        before = len(wire.requests)
        with pytest.raises(cpaas.Error):
            method(**arguments(method), validate="off", extra_headers=HEADERS)
        sent = wire.requests[before:]
        assert sent, method
        assert all(request.headers["x-tenant"] == "shop-7" for request in sent), method
        assert sent[0].headers["traceparent"] == HEADERS["traceparent"]


def test_every_method_of_the_async_client_has_extra_headers(wire):
    wire.script = lambda _: http_response({}, status=404)

    async def main():
        async with wire.async_client(messenger_b_token="t") as client:
            found = list(methods(client))
            assert len(found) == 30
            for method in found:
                before = len(wire.requests)
                with pytest.raises(cpaas.Error):
                    await method(**arguments(method), validate="off", extra_headers=HEADERS)
                assert wire.requests[before].headers["x-tenant"] == "shop-7", method

    asyncio.run(main())


def test_call_and_call_raw_send_extra_headers(wire):
    request = {"from": "Acme", "to": "306912345678", "text": "Hi"}
    with wire.client() as client:
        client.call("sms.send", request, extra_headers=HEADERS)
        wire.script = lambda _: http_response({})
        client.call_raw("GET", "sms", "/new", extra_headers={"X-A": "1", **HEADERS})
    assert [request.headers["x-tenant"] for request in wire.requests] == ["shop-7"] * 2
    assert wire.requests[1].headers["x-a"] == "1"
    with pytest.raises(cpaas.InvalidType, match="unknown argument 'headers'"):
        client.call_raw("GET", "sms", "/new", headers=HEADERS)

    async def main():
        async with wire.async_client() as client:
            await client.call_raw("GET", "sms", "/new", extra_headers=HEADERS)
            with pytest.raises(cpaas.Error):
                await client.call("sms.send", request, extra_headers=HEADERS)

    asyncio.run(main())
    assert [request.headers["x-tenant"] for request in wire.requests[2:]] == ["shop-7"] * 2


def test_requests_for_the_next_pages_have_extra_headers(wire):
    rows = [{"sid": f"LM{number}", "name": "n", "buckets": "[]", "description": "d"} for number in range(3)]

    def page(request):
        number = int(request.path.partition("page=")[2] or 0)
        data = {"result": [rows[number]], "page": number, "total": 3}
        return http_response({"code": 200, "data": data})

    wire.script = page
    with wire.client() as client:
        assert len(list(client.otp.limits.list(extra_headers=HEADERS))) == 3
    assert [request.headers["x-tenant"] for request in wire.requests] == ["shop-7"] * 3


def test_extra_headers_belong_to_one_call(wire):
    with wire.client() as client:
        client.sms.send(**SMS, extra_headers=HEADERS)
        client.sms.send(**SMS)
        client.sms.send(**SMS, extra_headers={})
        client.sms.send(**SMS, extra_headers=None)
    assert ["x-tenant" in request.headers for request in wire.requests] == [True, False, False, False]


@pytest.mark.parametrize("name", RESERVED)
def test_headers_of_the_client_and_credentials_are_refused_by_name(wire, name, caplog):
    caplog.set_level(logging.DEBUG)
    with wire.client() as client:
        with pytest.raises(cpaas.Invalid) as caught:
            client.sms.send(**SMS, extra_headers={name: "secret-value"})
        with pytest.raises(cpaas.Invalid):
            client.call_raw("POST", "sms", "/new", headers={name: "secret-value"})
    error = caught.value
    assert name in str(error)
    assert (error.outcome, error.sent, error.operation) == ("invalid", "no", "sms.send")
    assert isinstance(error, ValueError)
    assert "secret-value" not in f"{error} {error!r} {caplog.text} {error.__dict__}"
    assert wire.requests == []


@pytest.mark.parametrize(("name", "value"), BAD)
def test_bad_names_and_values_are_refused(wire, name, value):
    with wire.client() as client, pytest.raises(cpaas.Invalid) as caught:
        client.sms.send(**SMS, extra_headers={name: value})
    assert caught.value.sent == "no"
    assert "\n" not in str(caught.value)
    assert wire.requests == []


@pytest.mark.parametrize(
    "bad", ["X-A: 1", [("X-A", "1")], 7, {"X-A": 1}, {"X-A": None}, {"X-A": b"1"}, {1: "1"}]
)
def test_wrong_types_are_refused(wire, bad):
    with wire.client() as client, pytest.raises(cpaas.InvalidType, match="extra_headers"):
        client.sms.send(**SMS, extra_headers=bad)
    assert wire.requests == []


def test_a_lone_surrogate_is_refused(wire):
    with wire.client() as client, pytest.raises(cpaas.Error):
        client.sms.send(**SMS, extra_headers={"X-A": "\ud800"})


def test_a_row_of_send_many_may_have_extra_headers(wire):
    with wire.client() as client:
        results = client.sms.send_many(
            [{**SMS, "extra_headers": HEADERS}, {**SMS, "extra_headers": {"Host": "x"}}]
        )
    assert [result.outcome for result in results] == ["accepted", "invalid"]
    assert wire.requests[0].headers["x-tenant"] == "shop-7"
