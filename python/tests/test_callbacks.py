"""Callbacks: receivers in web frameworks, keyrings, duplicates and pending calls."""

import ast
import asyncio
import pickle
import re
from datetime import timedelta
from pathlib import Path

import pytest
from support.callback_requests import INBOUND, KEYS, call_asgi, call_wsgi, report

import cpaas
from cpaas import callbacks
from cpaas.callbacks._async_apps import AsyncApplication
from cpaas.callbacks._duplicates import Reply
from cpaas.callbacks._receiver import MEMBERS


@pytest.fixture
def receiver():
    return callbacks.Receiver(
        audience="shop", public_url="https://shop.example/hooks", delivery_keys=KEYS, inbound_keys=INBOUND
    )


def test_a_report_becomes_an_event(receiver):
    found = receiver.receive("GET", "http://10.0.0.7:8000" + report(receiver))
    match found:
        case callbacks.Received("sms_report"):
            assert (found.message_id, found.status, found.reference, found.rate) == (
                "m-1",
                "delivered",
                "booking-7",
                None,
            )
        case _:
            pytest.fail(found.kind)
    with pytest.raises(AttributeError):
        _ = found.color


def test_a_forged_report_is_refused_with_a_reason_for_the_log(receiver):
    with pytest.raises(callbacks.CallbackRejected) as caught:
        receiver.receive("GET", report(receiver).replace("booking-7", "booking-8"))
    assert (caught.value.reason, caught.value.status) == ("other_reference", 403)
    assert pickle.loads(pickle.dumps(caught.value)).reason == "other_reference"
    late = callbacks.Keyring([("k1", b"delivery secret one, 32 bytes or more")])
    token = late.mint("delivery_report", audience="shop", reference="booking-7", lifetime=60, now=1000)
    with pytest.raises(callbacks.CallbackRejected, match="expired"):
        late.verify(token, "delivery_report", audience="shop", reference="booking-7", now=1060)
    assert (
        late.verify(token, "delivery_report", audience="shop", reference="booking-7", now=1059)["kid"] == "k1"
    )


def test_keyrings_show_no_secret_and_lint_reports_removable_keys():
    keys = callbacks.Keyring(
        [("k2", b"x" * 32), {"kid": "k1", "secret": "y" * 32, "retired_at": 1000}],
        longest_lifetime=3600,
        expiring_only=True,
    )
    assert repr(keys) == "<cpaas.callbacks.Keyring: k2, k1>"
    assert [key["state"] for key in keys.lint(now=1001)] == ["signs", "keep"]
    assert [key["state"] for key in keys.lint(now=4601)] == ["signs", "removable"]
    with pytest.raises(ValueError):
        callbacks.Keyring([("k1", b"short")])
    with pytest.raises(ValueError):
        keys.mint("inbound", audience="shop", lifetime="never")


def test_duplicates_and_pending_calls_are_remembered(receiver):
    duplicates, pending = callbacks.Duplicates(10), callbacks.Pending(10)
    pending.unknown("booking-7", "sms.send")
    url = report(receiver)
    first = receiver.receive("GET", url)
    assert pending.open == ["booking-7"]
    settled = pending.reconcile(first)
    assert (settled["operation"], settled["message_id"], settled["first"]) == ("sms.send", "m-1", True)
    assert pending.open == []
    assert not duplicates.repeats(first)
    assert duplicates.repeats(receiver.receive("GET", url))
    assert (len(duplicates), duplicates.latest("m-1")) == (1, "delivered")


def test_different_events_have_different_keys(receiver):
    """One token serves all events of a webhook, so chat, conversation and user are part of the key."""
    urls = {source: receiver.url(source) for source in ("messenger_b", "messenger_c", "business_chat")}

    def key(source, body):
        received = receiver.receive(
            "POST", urls[source], [("content-type", "application/json")], body.encode()
        )
        assert received.kind == source
        return received.key

    message = '{"update_id":%s,"message":{"message_id":%s,"text":"Hi","chat":{"id":%s},"from":{"id":%s}}}'
    bodies = [
        message % numbers
        for numbers in [(1, 5, 7, 8), (2, 5, 7, 8), (1, 6, 7, 8), (1, 5, 9, 8), (1, 5, 7, 9)]
    ]
    keys = [key("messenger_c", body) for body in bodies]
    assert len(set(keys)) == 5
    assert keys == [key("messenger_c", body) for body in bodies]
    assert all(re.fullmatch("cpaas:2:[0-9a-f]{32}", each) for each in keys)
    seen = '{"event":"%s","message_token":"%s","user_id":"%s"}'
    events = [("seen", "5", "a"), ("delivered", "5", "a"), ("seen", "6", "a"), ("seen", "5", "b")]
    assert len({key("messenger_b", seen % event) for event in events}) == 4
    assert receiver.receive("POST", urls["messenger_b"], (), b"[1]").key is None


def test_two_users_of_one_message_token_are_two_events(receiver):
    got, url = [], receiver.url("messenger_b").removeprefix("https://shop.example")
    app = callbacks.wsgi(receiver, got.append, duplicates=callbacks.Duplicates())
    for user in ("a", "b", "a"):
        body = b'{"event":"seen","message_token":"5","user_id":"%s"}' % user.encode()
        assert call_wsgi(app, "POST", url, body) == "200 OK"
    assert [event.user_id for event in got] == ["a", "b"]


def test_a_wsgi_application_handles_each_report_once_and_rejects_forged_ones(receiver, caplog):
    got = []
    app = callbacks.wsgi(receiver, got.append, duplicates=callbacks.Duplicates())
    url = report(receiver)
    assert call_wsgi(app, "GET", url) == "200 OK"
    assert call_wsgi(app, "GET", url) == "200 OK"
    assert [event.message_id for event in got] == ["m-1"]
    assert call_wsgi(app, "GET", url + "x") == "403 Forbidden"
    assert caplog.messages == ["callback rejected: other_reference"]
    assert call_wsgi(app, "POST", url, b"x" * (callbacks.MAX_BODY + 1)) == "403 Forbidden"
    assert caplog.messages[1:] == ["callback rejected: body"]
    chat = receiver.url("chat_report").removeprefix("https://shop.example")
    assert call_wsgi(app, "POST", chat, b'{"messageId":"m-2","status":"Delivered","errorcode":0}') == "200 OK"
    assert (got[-1].kind, got[-1].message_id) == ("chat_report", "m-2")


@pytest.mark.parametrize("asynchronous", [True, False])
def test_an_asgi_application_accepts_sync_and_async_handlers(receiver, asynchronous):
    got = []

    async def later(event):
        await asyncio.sleep(0)
        got.append(event)

    app = callbacks.asgi(receiver, later if asynchronous else got.append)
    assert call_asgi(app, "GET", report(receiver)) == 200
    assert call_asgi(app, "GET", report(receiver) + "x") == 403
    chat = receiver.url("chat_report").removeprefix("https://shop.example")
    assert call_asgi(app, "POST", chat, b'{"messageId":"m-2","status":"Delivered","errorcode":0}') == 200
    assert [event.message_id for event in got] == ["m-1", "m-2"]
    assert call_asgi(app, "POST", chat, b"x" * (callbacks.MAX_BODY + 1)) == 403


def test_fastapi_mounts_the_application(receiver):
    fastapi = pytest.importorskip("fastapi")
    testing = pytest.importorskip("fastapi.testclient")
    got = []
    app = fastapi.FastAPI()
    app.mount("/hooks", callbacks.asgi(receiver, got.append))
    with testing.TestClient(app, follow_redirects=False) as client:
        assert client.get(report(receiver).replace("/hooks?", "/hooks/sms?")).status_code == 200
        assert client.get("/hooks/sms?token=v1.k1.a.b").status_code == 403
    assert got[0].status == "delivered"


def test_a_route_of_fastapi_accepts_the_application_without_a_redirect(receiver):
    fastapi = pytest.importorskip("fastapi")
    testing = pytest.importorskip("fastapi.testclient")
    got = []
    app = fastapi.FastAPI()
    app.add_route("/hooks", callbacks.asgi(receiver, got.append))
    with testing.TestClient(app, follow_redirects=False) as client:
        assert client.get(report(receiver)).status_code == 200
        chat = receiver.url("chat_report").removeprefix("https://shop.example")
        assert client.post(chat, json={"messageId": "m-2", "status": "Delivered"}).status_code == 200
        assert client.get("/hooks?token=v1.k1.a.b").status_code == 403
        assert client.options("/hooks").status_code == 403
    assert [event.message_id for event in got] == ["m-1", "m-2"]


def test_flask_mounts_the_application(receiver):
    flask = pytest.importorskip("flask")
    from werkzeug.middleware.dispatcher import DispatcherMiddleware

    got = []
    app = flask.Flask(__name__)
    app.wsgi_app = DispatcherMiddleware(app.wsgi_app, {"/hooks": callbacks.wsgi(receiver, got.append)})
    client = app.test_client()
    assert client.get(report(receiver)).status_code == 200
    assert client.get("/hooks?token=v1.k1.a.b").status_code == 403
    assert got[0].status == "delivered"


@pytest.mark.parametrize(
    "keys",
    [
        [("k1", "thirty-two bytes that are random")],
        [("k1", b"thirty-two bytes that are random")],
        [{"kid": "k1", "secret": "thirty-two bytes that are random"}],
        callbacks.Keyring([("k1", "thirty-two bytes that are random")]),
        '[{"kid": "k1", "secret": "thirty-two bytes that are random"}]',
        {"keys": [("k1", "thirty-two bytes that are random")], "longest_lifetime": timedelta(hours=72)},
        '{"keys": [{"kid": "k1", "secret": "thirty-two bytes that are random"}], "expiring_only": true}',
    ],
    ids=["pair", "bytes", "dict", "keyring", "json", "mapping", "json of a mapping"],
)
def test_callback_keys_of_a_client_have_several_forms(wire, keys):
    with wire.client(callback_keys=keys, callback_audience="shop") as client:
        for each in (client, client.with_options(callback_keys=keys)):
            each.sms.send(
                from_="Acme",
                to="306912345678",
                text="Hi",
                reference="r",
                callback="https://shop.example/hooks",
            )
    assert all("token=v1.k1." in request.json["callback"] for request in wire.requests)
    assert "thirty" not in repr(client) + str(client.settings)


@pytest.mark.parametrize(
    "keys",
    [
        callbacks.Keyring([("k1", b"k" * 32)], longest_lifetime=60),
        {"keys": [("k1", b"k" * 32)], "longest_lifetime": 60},
        {"keys": [("k1", b"k" * 32)], "longest_lifetime": timedelta(minutes=1)},
    ],
    ids=["keyring", "mapping", "timedelta"],
)
def test_the_callback_keys_of_a_client_keep_their_longest_lifetime(wire, keys):
    arguments = {"from_": "Acme", "to": "306912345678", "text": "Hi", "reference": "r"}
    with wire.client(callback_keys=keys, callback_audience="shop", callback_lifetime=60) as client:
        client.sms.send(**arguments, callback="https://shop.example/hooks")
    with wire.client(callback_keys=keys, callback_audience="shop", callback_lifetime=61) as client:
        with pytest.raises(cpaas.Invalid, match="lifetime"):
            client.sms.send(**arguments, callback="https://shop.example/hooks")
    assert len(wire.requests) == 1


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (7, "keys must be a list of pairs"),
        ({}, "`keys` is required"),
        ({"keys": 7}, "keys must be a list of pairs"),
        ({"keys": "k1"}, "keys must be a list of pairs"),
        ({"kes": []}, "`kes` is not a documented member"),
        ({"keys": [("k1", b"k" * 32)], "longest_lifetime": "31337"}, "`longest_lifetime` must be"),
        ({"keys": [("k1", b"31337")]}, "bytes"),
    ],
    ids=str,
)
def test_invalid_callback_keys_of_a_client_are_named(keys, message):
    with pytest.raises(cpaas.Invalid) as caught:
        cpaas.Client(callback_keys=keys, callback_audience="shop", read_environment=False)
    assert str(caught.value).startswith("`callback_keys`")
    assert message in str(caught.value)
    assert "31337" not in str(caught.value)


def test_an_asynchronous_application_handles_a_request(receiver):
    seen = []

    async def handle(received):
        seen.append(received.reference)

    application = AsyncApplication(receiver, handle, None, None)
    url = receiver.url("sms_report", "booking-7") + "&msgid=m-1&status=delivered&reference=booking-7"
    assert asyncio.run(application.handle("GET", url, {}, b"")) == Reply(200)
    assert asyncio.run(application.handle("GET", "/hooks/forged", {}, b"")) == Reply(403)
    assert seen == ["booking-7"]


@pytest.mark.thread_unsafe(reason="the parser of Python counts the recursion of all threads together")
def test_the_stub_has_each_member_of_a_callback():
    stub = ast.parse((Path(cpaas.__file__).parent / "_cpaas.pyi").read_text(encoding="utf-8"))
    received = next(node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == "Received")
    properties = {
        node.name
        for node in received.body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(it) == "property" for it in node.decorator_list)
    }
    native = {name for name in vars(callbacks.Received) if not name.startswith("_")}
    assert properties - native == MEMBERS - {"from"}  # `from` is a keyword; its attribute is `from_`
