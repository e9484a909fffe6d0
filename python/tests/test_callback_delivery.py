"""The sandbox calls a WSGI and an ASGI application on a virtual clock: key rotation with `lint`, unknown outcomes that a report
confirms, a proxy, and templates."""

import contextlib
import json
import threading
import urllib.error
import urllib.request
from datetime import datetime
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

import cpaas
from cpaas import callbacks

HOUR = 3600
OLD = {"kid": "old", "secret": "the old secret, thirty-two bytes or more"}
NEW = {"kid": "new", "secret": "the new secret, thirty-two bytes or more"}


class Quiet(WSGIRequestHandler):
    def log_message(self, *args):
        pass


@contextlib.contextmanager
def serve_wsgi(make):
    with make_server("127.0.0.1", 0, None, handler_class=Quiet) as server:
        url = f"http://127.0.0.1:{server.server_port}/hooks"
        server.set_app(make(callbacks.wsgi, url))
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield url
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def serve_asgi(make):
    import socket

    uvicorn = pytest.importorskip("uvicorn")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/hooks"
        config = uvicorn.Config(make(callbacks.asgi, url), log_level="critical")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield url
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(params=[serve_wsgi, serve_asgi])
def serve(request):
    return request.param


def unix(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Shop:
    """An application on the clock of the sandbox. Its keys change, and every third call of its handler fails."""

    def __init__(self):
        self.now = unix("2026-01-01T00:00:00Z")
        self.got, self.calls, self.url = [], 0, ""
        self.minted = {}

    def application(self, adapter, url):
        self.url = url
        return adapter(lambda: self.receiver, self.handle, clock=lambda: self.now)

    def handle(self, event):
        self.calls += 1
        if self.calls % 3 == 0:
            raise RuntimeError("the database is not reachable")
        self.got.append(event.message_id)

    def rotate(self, *keys):
        self.keys = callbacks.Keyring(keys, longest_lifetime=HOUR, expiring_only=True)
        self.receiver = callbacks.Receiver(audience="shop", public_url=self.url, delivery_keys=self.keys)

    def send(self, sandbox, client):
        reference = f"booking-{len(self.minted)}"
        callback = self.receiver.url("sms_report", reference, now=self.now)
        sent = client.sms.send(
            from_="Acme", to="306912345678", text="Hi", reference=reference, callback=callback
        )
        self.minted[sent.id] = self.now

    def pass_time(self, sandbox, seconds):
        self.now += seconds
        sandbox.advance(seconds)


def test_the_old_key_can_be_removed_when_lint_reports_it(serve, caplog):
    shop = Shop()
    with serve(shop.application), cpaas.Sandbox(clock="virtual") as sandbox:
        client = sandbox.client()
        steps = iter([(OLD, NEW), (NEW, OLD)])
        shop.rotate(OLD)
        for _ in range(2):
            for _ in range(6):
                shop.send(sandbox, client)
                shop.pass_time(sandbox, 600)
            shop.send(sandbox, client)  # still undelivered while the keys change
            shop.rotate(*next(steps))
        retired = shop.now
        shop.rotate(NEW, {**OLD, "retired_at": int(retired)})
        last = None
        while shop.keys.lint(shop.now)[1]["state"] != "removable":
            last = shop.now
            shop.send(sandbox, client)
            shop.pass_time(sandbox, 300)
        assert last - retired == HOUR - 300
        assert shop.now - retired == HOUR
        shop.rotate(NEW)
        for _ in range(6):
            shop.send(sandbox, client)
            shop.pass_time(sandbox, 600)
        shop.pass_time(sandbox, 30 * HOUR)
        attempts = sandbox.callbacks()["attempts"]
    assert {attempt["subject"] for attempt in attempts} == set(shop.minted)
    refused = [
        message.split(": ")[1] for message in caplog.messages if message.startswith("callback rejected")
    ]
    found = {}
    for attempt in attempts:
        found.setdefault(attempt["status"], []).append(attempt)
    assert set(found) == {200, 500}, {status: len(them) for status, them in found.items()}
    assert len(found[500]) > 5
    assert not refused
    assert sorted(shop.got) == sorted(shop.minted)


def test_a_report_confirms_an_unknown_outcome(serve):
    keys = {"keys": [OLD]}
    pending, settled = callbacks.Pending(), []

    def handle(event):
        settled.append(pending.reconcile(event))

    def make(adapter, url):
        delivery = callbacks.Keyring(**keys)
        receiver = callbacks.Receiver(audience="shop", public_url=url, delivery_keys=delivery)
        return adapter(receiver, handle)

    with serve(make) as url, cpaas.Sandbox(clock="virtual") as sandbox:
        client = sandbox.client(callback_keys=json.dumps(keys), callback_audience="shop")
        sandbox.fault("close-after-read", op="sms.send", nth=1)
        with pytest.raises(cpaas.OutcomeUnknown) as caught:
            client.sms.send(from_="Acme", to="306912345678", text="Hi", reference="booking-7", callback=url)
        assert caught.value.reference == "booking-7"
        pending.unknown(caught.value.reference, caught.value.operation)
        assert pending.open == ["booking-7"]
        sandbox.advance("1h")
        accepted = sandbox.ledger()
    assert len(accepted) == 1
    assert pending.open == []
    assert [(call["operation"], call["reference"], call["first"]) for call in settled] == [
        ("sms.send", "booking-7", True)
    ]
    assert settled[0]["message_id"] == accepted[0]["id"]


def proxy(target):
    """Forwards /public/hooks to another host and another path prefix."""

    def application(environ, start_response):
        path = environ["PATH_INFO"].removeprefix("/public/hooks")
        url = f"{target}/internal/v2{path}?{environ['QUERY_STRING']}"
        length = int(environ["CONTENT_LENGTH"] or 0)
        body = environ["wsgi.input"].read(length) if length else None
        headers = {"Content-Type": environ["CONTENT_TYPE"], "Host": "inside.example"}
        request = urllib.request.Request(url, body, headers, method=environ["REQUEST_METHOD"])
        try:
            status = urllib.request.urlopen(request, timeout=100).status
        except urllib.error.HTTPError as error:
            status = error.code
        start_response(f"{status} X", [("Content-Length", "0")])
        return [b""]

    return application


def test_every_callback_arrives_behind_a_proxy_that_rewrites_host_and_path(serve, caplog):
    keys = callbacks.Keyring([OLD])
    got, made = [], []
    endpoints = [
        callbacks.endpoint(
            "/sms", ["sms_report"], query_template="id=~msgid~&state=<status>&tag=$reference$"
        ),
        callbacks.endpoint("/chat", ["chat_report", "messenger_b"]),
        callbacks.endpoint("/in", ["inbound_sms", "messenger_c", "business_chat"]),
    ]
    inside = serve(lambda adapter, url: adapter(lambda: made[0], got.append))
    with inside as target, serve_wsgi(lambda _, url: proxy(target.removesuffix("/hooks"))) as outside:
        public = outside.removesuffix("/hooks") + "/public/hooks"
        receiver = callbacks.Receiver(
            audience="shop", public_url=public, delivery_keys=keys, inbound_keys=keys, endpoints=endpoints
        )
        made.append(receiver)
        with cpaas.Sandbox(clock="virtual") as sandbox:
            client, url = sandbox.client(), receiver.url
            ta = sandbox.traffic_account_id
            sandbox.account(
                chat_callback=url("chat_report"), inbound_callback=url("inbound_sms"), two_way=["Acme"]
            )
            assert client.webhooks.messenger_b.set(ta=ta, url=url("messenger_b")).status == 0
            client.webhooks.messenger_c.set(bot_id=sandbox.bot_id, ta=ta, url=url("messenger_c"))
            sent = client.sms.send(
                from_="Acme",
                to="306912345678",
                text="Hi",
                reference="κ &7",
                callback=url("sms_report", "κ &7"),
            )
            sandbox.advance("1h")
            text = {"type": "regular", "regular": {"type": "text", "text": "Hi"}}
            client.messages.send(traffic_account_id=ta, destination="306912345678", messenger_a=text)
            sandbox.inbound(channel="sms", from_="306900000009", to="Acme", text="Ναι & +1")
            sandbox.inbound(channel="messenger_c", from_="4711", text="Hello")
            sandbox.inbound(channel="business_chat", from_="306900000009", text="Is it red?")
            sandbox.inbound(channel="business_chat", from_="306900000009", text="Yes", postback="a=yes&id=7")
            names = ["delivered", "seen", "failed", "subscribed", "unsubscribed", "conversation_started"]
            for name in names:
                sandbox.webhook_event(event=name, user="306912345678")
            sandbox.advance("1h")
            statuses = {attempt["status"] for attempt in sandbox.callbacks()["attempts"]}
    assert statuses == {200}, caplog.messages
    kinds = {event.kind for event in got}
    assert kinds == {
        "sms_report",
        "chat_report",
        "inbound_sms",
        "messenger_b",
        "messenger_c",
        "business_chat",
    }
    report = next(event for event in got if event.kind == "sms_report")
    assert (report.message_id, report.status, report.reference) == (sent.id, "delivered", "κ &7")
    events = [event.event for event in got if event.kind == "messenger_b"]
    assert events[-6:] == names
    assert [event.text for event in got if event.kind == "inbound_sms"] == ["Ναι & +1"]
    assert [event.text for event in got if event.kind == "messenger_c"] == ["Hello"]
    talk = [event for event in got if event.kind == "business_chat"]
    assert [(event.event, event.text, event.postback_data) for event in talk] == [
        ("message", "Is it red?", None),
        ("suggestion", "Yes", "a=yes&id=7"),
    ]


@pytest.mark.parametrize("place", ["json", "form"])
def test_a_body_template_round_trips(serve, place):
    template = {
        "json": '{"id":"~msgid~","net":"<mcc>-<mnc>","state":"$status$","tag":"~reference~","price":"<rate>"}',
        "form": "id=~msgid~&net=<mcc>-<mnc>&state=$status$&tag=~reference~&price=<rate>",
    }[place]
    kind = {"json": "application/json", "form": "application/x-www-form-urlencoded"}[place]
    keys, got, made = callbacks.Keyring([OLD]), [], []
    references = ['say "hi"\n&=+ %41', "κλειδί 👋 \\u0041", "~msgid~<mcc>$rate$", "x" * 1000]
    with serve(lambda adapter, url: adapter(lambda: made[0], got.append)) as url:
        endpoint = callbacks.endpoint("", ["sms_report"], **{f"{place}_template": template})
        receiver = callbacks.Receiver(
            audience="shop", public_url=url, delivery_keys=keys, endpoints=[endpoint]
        )
        made.append(receiver)
        with cpaas.Sandbox(clock="virtual") as sandbox:
            client = sandbox.client()
            sandbox.account(
                callback={"url": url, "method": "POST", "template": template, "content_type": kind}
            )
            for reference in references:
                callback = receiver.url("sms_report", reference)
                client.sms.send(
                    from_="Acme", to="306912345678", text="Hi", reference=reference, callback=callback
                )
            sandbox.advance("1m")
            assert {attempt["status"] for attempt in sandbox.callbacks()["attempts"]} == {200}
    assert [event.reference for event in got] == references
    assert {(event.kind, event.mcc, event.mnc, event.status) for event in got} == {
        ("sms_report", "202", "01", "delivered")
    }
    assert all(float(event.rate) > 0 and event.message_id for event in got)
