"""Bad arguments of `cpaas.callbacks`: the exception names the argument."""

import pytest
from support.bad_input import keyring, receiver

import cpaas
from cpaas import callbacks

LONE = "must be valid Unicode, got a lone surrogate at index"


def receive(method="GET", url="/c?token=x", headers=(), body=b"", **more):
    return receiver().receive(method, url, headers, body, **more)


BAD_CALLBACKS = {
    "JSON": (lambda: callbacks.Receiver.from_json(None), "text must be str or bytes, got None"),
    "nested": (lambda: callbacks.Receiver.from_json("[" * 100_000), "the configuration must be JSON"),
    "method": (lambda: receive(None), "method must be str, got None"),
    "url": (lambda: receive(url=None), "url must be str, got None"),
    "headers": (
        lambda: receive(headers=5),
        "headers must be a mapping or an iterable of pairs of str, got int",
    ),
    "header": (
        lambda: receive(headers=[5]),
        "headers must be a mapping or an iterable of pairs of str, got int",
    ),
    "header name": (lambda: receive(headers=[(b"a", "b")]), "headers: a name must be str, got bytes"),
    "header value": (lambda: receive(headers={"a": b"b"}), 'headers["a"] must be str, got bytes'),
    "body": (lambda: receive(body="x"), "body must be bytes, got str"),
    "now": (lambda: receive(now="x"), "now must be a number of seconds since 1970, got str"),
    "nan": (lambda: receive(now=float("nan")), "now must be a number of seconds since 1970, from 0 to"),
    "early": (lambda: receive(now=-1), "now must be a number of seconds since 1970, from 0 to"),
    "late": (lambda: keyring().lint(10**400), "now must be a number of seconds since 1970, from 0 to"),
    "token": (lambda: keyring().verify(None, "inbound", audience="a"), "token must be str, got None"),
    "purpose": (lambda: keyring().verify("x", None, audience="a"), "purpose must be str, got None"),
    "audience": (lambda: keyring().verify("x", "inbound", audience="\ud800"), f"audience {LONE} 0"),
    "reference": (
        lambda: keyring().verify("x", "inbound", audience="a", reference=5),
        "reference must be str, got int",
    ),
    "mint": (lambda: keyring().mint("inbound", audience=b"a"), "audience must be str, got bytes"),
    "lifetime": (lambda: keyring().mint("inbound", audience="a", lifetime=10**400), ""),
    "lifetime of a URL": (lambda: receiver().url("sms_report", "r", lifetime=10**400), ""),
    "capacity": (lambda: callbacks.Duplicates("x"), "capacity must be int, got str"),
    "negative": (lambda: callbacks.Duplicates(-1), "capacity must be at least 1"),
    "none": (lambda: callbacks.Duplicates(0), "capacity must be at least 1"),
    "large": (lambda: callbacks.Pending(10**400), "capacity must be less than 2**64"),
    "pending": (lambda: callbacks.Pending("x"), "capacity must be int, got str"),
    "repeats": (
        lambda: callbacks.Duplicates().repeats(None),
        "received must be a cpaas.callbacks.Received, got None",
    ),
    "forget": (
        lambda: callbacks.Duplicates().forget(5),
        "received must be a cpaas.callbacks.Received, got int",
    ),
    "latest": (lambda: callbacks.Duplicates().latest(5), "message_id must be str, got int"),
    "reconcile": (
        lambda: callbacks.Pending().reconcile(5),
        "received must be a cpaas.callbacks.Received, got int",
    ),
    "unknown": (lambda: callbacks.Pending().unknown(None, "sms.send"), "reference must be str, got None"),
    "template": (lambda: callbacks.Template(None), "source must be str, got None"),
    "place": (lambda: callbacks.Template("x", 5), "place must be str, got int"),
    "render": (lambda: callbacks.Template("x").render([]), "values must be a dict, got list"),
    "render 2": (
        lambda: callbacks.Template("x").render({"status": 5}),
        'values["status"] must be str, got int',
    ),
    "read": (lambda: callbacks.Template("x").read(5), "received must be str, got int"),
    "token_url": (lambda: callbacks.token_url("https://a.b", None), "token must be str, got None"),
    "Received": (lambda: callbacks.Received.from_json(None), "text must be str, got None"),
    "wsgi": (lambda: callbacks.wsgi(receiver(), None), "handler must be a function, got None"),
    "asgi": (
        lambda: callbacks.asgi(None, print),
        "receiver must be a Receiver or a function that returns one, got",
    ),
    "clock": (lambda: callbacks.asgi(receiver(), print, clock=5), "clock must be a function, got int"),
    "duplicates": (
        lambda: callbacks.wsgi(receiver(), print, duplicates=5),
        "duplicates must be a Duplicates, got int",
    ),
}


@pytest.mark.parametrize("name", BAD_CALLBACKS)
def test_a_bad_argument_of_callbacks_is_named(name):
    use, message = BAD_CALLBACKS[name]
    with pytest.raises(cpaas.Invalid) as found:
        use()
    assert str(found.value).startswith(message)


def test_lone_surrogates_of_a_stranger_are_rejected_like_any_other_bad_token():
    with pytest.raises(callbacks.CallbackRejected):
        keyring().verify("\ud800", "inbound", audience="shop")
    for url in ("/c?token=\ud800", "/\ud800", "https://a.b/c?\udcff=1"):
        with pytest.raises(callbacks.CallbackRejected):
            receive(url=url)
    with pytest.raises(callbacks.CallbackRejected):
        receive(headers=[("content-type", "\ud800"), ("\ud800", "x")])


async def async_handler(received):
    pass


def test_a_handler_that_nobody_would_await_is_refused():
    with pytest.raises(cpaas.InvalidType, match=r"got a coroutine function: use callbacks\.asgi"):
        callbacks.wsgi(receiver(), async_handler)
    assert callbacks.asgi(receiver(), async_handler)
