"""Wrong set-ups of receivers, handlers and sandboxes are errors where they are made, not at the first event."""

import asyncio
import gc
import os
import pickle
import warnings

import pytest
from support.bad_input import keyring, receiver

import cpaas
from cpaas import callbacks


class HandlerWithMethod:
    def handle(self):
        pass


def ignored(received, *, retries=3):
    pass


def two(received, connection):
    pass


@pytest.mark.parametrize("adapter", [callbacks.asgi, callbacks.wsgi])
def test_a_class_in_the_place_of_an_object_is_refused(adapter):
    with pytest.raises(
        cpaas.InvalidType, match="duplicates must be an object, got the class Duplicates; call it"
    ):
        adapter(receiver(), ignored, duplicates=callbacks.Duplicates)
    with pytest.raises(
        cpaas.InvalidType, match="receiver must be an object, got the class Receiver; call it"
    ):
        adapter(callbacks.Receiver, ignored)


@pytest.mark.parametrize("adapter", [callbacks.asgi, callbacks.wsgi])
@pytest.mark.parametrize("handler", [lambda: None, two, HandlerWithMethod().handle])
def test_a_handler_that_one_callback_cannot_call_is_refused(adapter, handler):
    with pytest.raises(
        cpaas.InvalidType, match="handler must be a function that can be called with one argument"
    ):
        adapter(receiver(), handler)


@pytest.mark.parametrize("adapter", [callbacks.asgi, callbacks.wsgi])
@pytest.mark.parametrize("handler", [ignored, print, [].append, lambda *received: None, {}.get])
def test_a_handler_that_one_callback_can_call_is_accepted(adapter, handler):
    adapter(receiver(), handler, duplicates=callbacks.Duplicates())


def test_a_receiver_without_keys_is_refused():
    with pytest.raises(
        cpaas.Invalid, match="a receiver needs a Keyring: delivery_keys, inbound_keys or both"
    ):
        callbacks.Receiver(audience="a", public_url="https://a.example")


def test_a_url_without_its_keys_names_the_settings():
    one = callbacks.Receiver(audience="a", public_url="https://a.example", delivery_keys=keyring())
    with pytest.raises(cpaas.Invalid, match="`inbound_keys`"):
        one.url("inbound_sms")


def message(error, call):
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


def test_a_closed_client_and_a_stopped_sandbox_cannot_be_entered_again():
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        pass
    for one, text in ((client, "the client is closed"), (sandbox, "the sandbox is stopped")):
        assert text in message(cpaas.ClientClosed, one.__enter__)
    for call in (sandbox.messages, sandbox.clear_faults, lambda: sandbox.wait_for(to="306912345678")):
        assert message(cpaas.ClientClosed, call) == "the sandbox is stopped"


def test_an_async_client_and_sandbox_cannot_be_entered_again():
    async def run():
        sandbox = cpaas.Sandbox()
        async with sandbox as inside, sandbox.async_client() as client:
            pass
        with pytest.raises(cpaas.ClientClosed, match="the client is closed"):
            await client.__aenter__()
        with pytest.raises(cpaas.ClientClosed, match="the sandbox is stopped"):
            await sandbox.__aenter__()
        with pytest.raises(cpaas.ClientClosed, match="the sandbox is stopped"):
            await inside.messages()

    asyncio.run(run())


def test_a_sandbox_that_is_not_stopped_warns_and_names_itself():
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        sandbox = cpaas.Sandbox()
        url = sandbox.url
        del sandbox
        gc.collect()
    # Objects of earlier tests may be collected too.
    assert [str(one.message) for one in found if url in str(one.message)] == [
        f"unclosed <cpaas.Sandbox {url}>"
    ]


def test_a_sandbox_cannot_be_pickled_and_says_what_can(sandbox):
    assert "pass sandbox.config" in message(TypeError, lambda: pickle.dumps(sandbox))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda one: one.fault("timeout"), "kind must be one of status, latency, hang,"),
        (lambda one: one.fault("latencyy", ms=1), "; did you mean 'latency'?"),
        (lambda one: one.fault("status", op="sms.sned"), "; did you mean 'sms.send'?"),
        (lambda one: one.fault("gateway", gateway="ngnix"), "; did you mean 'nginx'?"),
        (
            lambda one: one.fault("status", status=500, probabilty=1),
            "unknown member of a rule 'probabilty'; did you mean 'probability'?",
        ),
        (
            lambda one: one.account(callback="x"),
            "callback must be a dict such as {'url': 'https://…'}, got str",
        ),
        (
            lambda one: one.account(features=5),
            "features must be a dict such as {'conversion': True}, got int",
        ),
        (
            lambda one: one.account(inbund_callback="x"),
            "unknown setting of an account 'inbund_callback'; did you mean 'inbound_callback'?",
        ),
        (lambda one: cpaas.Sandbox(clok="real"), "unknown switch 'clok'; did you mean 'clock'?"),
        (lambda one: cpaas.Sandbox(otp_ttl="x"), "otp_ttl must be a length of time"),
    ],
)
def test_a_wrong_argument_of_a_sandbox_is_named(sandbox, call, expected):
    assert expected in message(cpaas.Invalid, lambda: call(sandbox))


def test_the_settings_of_an_account_are_accepted(sandbox):
    sandbox.account(callback={"url": "https://a.example/report"}, features={"conversion": True})
    sandbox.account(callback=None, chat_callback=None, inbound_callback="https://a.example/in")


def test_wait_for_says_how_many_messages_there_are(sandbox, client):
    client.sms.send(from_="A", to="306912345678", text="x")
    found = message(TimeoutError, lambda: sandbox.wait_for(to="306912345679", timeout=0.1))
    assert found == "no message matching to='…' within 0.1 s; messages in all: 1"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            lambda client: client.sms.send(sender="A", to="306912345678", text="x"),
            "client.sms.send: unknown argument 'sender'; did you mean 'from_'?",
        ),
        (
            lambda client: client.messages.send(to="306912345678", sms={"text": "x"}),
            "client.messages.send: unknown argument 'to'; did you mean 'destination'?",
        ),
        (
            lambda client: client.call("sms.send", from_="A"),
            "client.call: unknown argument 'from_'; pass the request as a dict: client.call(operation, {…})",
        ),
        (
            lambda client: client.send_once(key="k", operation="sms.send"),
            "key and operation must be given by position, the rest by name, such as client.send_once(key, operation, …=…)",
        ),
        (
            lambda client: client.send_once("k", "sms.send", {"from": "A"}),
            "key and operation must be given by position",
        ),
    ],
)
def test_the_argument_that_was_meant_is_named(client, call, expected):
    assert expected in message(cpaas.InvalidType, lambda: call(client))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            lambda sandbox: sandbox.ledger(limt=5),
            "Sandbox.ledger() got an unexpected keyword argument 'limt'",
        ),
        (
            lambda sandbox: cpaas.Guard(windw=5),
            "Guard() got an unexpected keyword argument 'windw'. Did you mean 'window'?",
        ),
        (
            lambda sandbox: callbacks.Receiver(audienc="x"),
            "Receiver() got an unexpected keyword argument 'audienc'. Did you mean 'audience'?",
        ),
        (
            lambda sandbox: cpaas.Campaign.create("j.db", "sms.send", [], {}, rat=5),
            "Campaign.create() got an unexpected keyword argument 'rat'. Did you mean 'rate'?",
        ),
        (lambda sandbox: cpaas.validate("sms.send"), "validate() missing 1 required positional argument"),
    ],
)
def test_a_wrong_keyword_has_the_public_name(sandbox, call, expected):
    assert expected in message(TypeError, lambda: call(sandbox))


def test_a_database_in_memory_is_refused(client, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    request = {"from_": "A", "to": "306912345678", "text": "x"}
    for call in (
        lambda: client.send_once("k", "sms.send", journal=":memory:", **request),
        lambda: cpaas.Campaign.create("sqlite://:memory:", "sms.send", [], {}),
        lambda: cpaas.SuppressionList(":memory:"),
        lambda: cpaas.Guard(store=":memory:"),
    ):
        assert "got :memory:" in message(cpaas.Invalid, call)
    assert os.listdir(tmp_path) == []


def test_one_number_of_a_list_has_no_comma(client):
    found = message(
        cpaas.Invalid,
        lambda: client.sms.send_bulk(from_="A", to=["306912345677", "306912345678,306912345679"], text="x"),
    )
    assert "to[1] must be one number, got several with a comma" in found


@pytest.mark.parametrize("end", ["?", "/?key=x", "/sms#a"])
def test_an_address_has_no_query_and_no_fragment(end):
    found = message(cpaas.Invalid, lambda: cpaas.Client(sms_url=f"https://sms.example{end}", sms_key="k"))
    assert "no query and no fragment" in found


def test_the_variables_of_a_sandbox_are_those_of_its_client(sandbox, monkeypatch):
    for name, value in sandbox.environment.items():
        monkeypatch.setenv(name, value)
    with cpaas.Client() as client:
        client.sms.send(from_="A", to="306912345678", text="x")
    assert [message.to for message in sandbox.messages()] == ["306912345678"]
