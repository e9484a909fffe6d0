"""Support for the tests of users: mocks, monkeypatching, exceptions made by hand, type hints, help texts, pickles and pydantic."""

import copy
import pickle
import pydoc
import re
import subprocess
import sys
import typing
from unittest import mock

import pytest

import cpaas
from cpaas import callbacks, models, types

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_autospec_knows_the_methods():
    for spec in (cpaas.Client, cpaas.AsyncClient):
        client = mock.create_autospec(spec, instance=True)
        client.sms.send(**SMS)
        client.otp.limits.create(name="n", description="d", buckets=[])
        client.webhooks.messenger_b.set(url="https://shop.example")
        client.sms.send.assert_called_once_with(**SMS)
        with pytest.raises(TypeError):
            client.sms.send(sender="Acme")
        with pytest.raises(AttributeError):
            client.sms.sned
        with pytest.raises(AttributeError):
            client.smsx
    made = mock.create_autospec(cpaas.Client)
    made.return_value.sms.send.return_value = models.Sent(id="m-1")
    assert made(sms_url="x").sms.send(**SMS).id == "m-1"


def test_autospec_of_an_async_client_awaits():
    import asyncio

    client = mock.create_autospec(cpaas.AsyncClient, instance=True)
    client.sms.send.return_value = models.Sent(id="m-2")
    assert asyncio.run(client.sms.send(**SMS)).id == "m-2"


def test_methods_can_be_replaced(wire, monkeypatch):
    with wire.client() as client:
        monkeypatch.setattr(client.sms, "send", lambda **given: given["to"])
        assert client.sms.send(**SMS) == "306912345678"
        monkeypatch.undo()
        assert client.sms.send(**SMS).response_code == 0
        with mock.patch.object(client.otp.limits, "list", return_value=[]):
            assert client.otp.limits.list() == []
        other = client.with_options(timeout=3)
        assert other.sms is not client.sms
        assert other.sms.send(**SMS).id
        assert pickle.loads(pickle.dumps(client)).sms


@pytest.mark.parametrize(
    ("cls", "outcome", "sent"),
    [
        (cpaas.Invalid, "invalid", "no"),
        (cpaas.Rejected, "rejected", "yes"),
        (cpaas.RateLimited, "rejected", "yes"),
        (cpaas.NotSent, "not_sent", "no"),
        (cpaas.NotSentTimeout, "not_sent", "no"),
        (cpaas.ClientClosed, "not_sent", "no"),
        (cpaas.OutcomeUnknown, "unknown", "maybe"),
        (cpaas.OutcomeUnknownTimeout, "unknown", "maybe"),
        (cpaas.AcceptedIdUnknown, "accepted_id_unknown", "yes"),
        (cpaas.AcceptedIdUnknownTimeout, "accepted_id_unknown", "yes"),
    ],
)
def test_an_exception_made_by_hand_has_its_outcome(cls, outcome, sent):
    error = cls("no answer", reference="r-1", status=503)
    assert (error.outcome, error.sent, error.message, str(error)) == (outcome, sent, "no answer", "no answer")
    assert (error.reference, error.status, error.problems) == ("r-1", 503, ())
    again = pickle.loads(pickle.dumps(error))
    assert (again.outcome, again.sent, again.reference) == (outcome, sent, "r-1")
    assert cls().sent == sent
    with pytest.raises(TypeError, match="unknown member"):
        cls("x", color="red")


def methods(group):
    for name in dir(group):
        value = getattr(group, name)
        if not name.startswith("_"):
            if callable(value) and hasattr(value, "__func__"):
                yield value
            elif hasattr(value, "_call"):
                yield from methods(value)


def test_type_hints_can_be_evaluated():
    hints = typing.get_type_hints(cpaas.Client.sms.send)
    assert (hints["to"], hints["return"]) == (str, models.Sent)
    assert typing.get_type_hints(cpaas.Client.call)["operation"] == typing.Union[types.OperationId, str]  # noqa: UP007
    for cls in (cpaas.Client, cpaas.AsyncClient):
        typing.get_type_hints(cls)
        assert typing.get_type_hints(cls.__init__)["sms_url"] == typing.Optional[str]  # noqa: UP045
        for name in ("call", "call_raw", "with_options"):
            typing.get_type_hints(getattr(cls, name))
        count = 0
        for group in ("sms", "otp", "lookup", "messages", "webhooks"):
            for method in methods(getattr(cls, group)):
                typing.get_type_hints(method)
                count += 1
        assert count >= 29
    for module in (cpaas, callbacks):
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value):
                typing.get_type_hints(value)
            for method in vars(value).values() if isinstance(value, type) else ():
                if hasattr(method, "__annotations__") and hasattr(method, "__code__"):
                    typing.get_type_hints(method)


def test_type_hints_can_be_evaluated_in_a_new_process():
    code = "import cpaas, typing; print(typing.get_type_hints(cpaas.Client.sms.send)['reference'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "str" in done.stdout


def test_help_lists_the_groups():
    text = pydoc.render_doc(cpaas.Client, renderer=pydoc.plaintext)
    for name in ("sms", "otp", "lookup", "messages", "webhooks"):
        assert f"{name} = <client.{name}: " in text or f"\n |  {name}" in text
    assert "send_bulk" in text


def test_a_callback_pickles_copies_and_completes():
    keys = callbacks.Keyring([("k1", b"thirty-two bytes that are random")])
    receiver = callbacks.Receiver(
        audience="shop", public_url="https://shop.example/hooks", delivery_keys=keys
    )
    url = receiver.url("sms_report", "booking-7")
    found = receiver.receive("GET", url + "&msgid=m-1&status=delivered&reference=booking-7&from=Acme")
    assert found.from_ == "Acme"
    for again in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
        assert again == found
        assert hash(again) == hash(found)
        assert (again.message_id, again.claims) == ("m-1", found.claims)
        assert again.to_dict() == found.to_dict()
    assert {"message_id", "status", "from_", "kind", "claims"} <= set(dir(found))
    assert found != 5


def test_pydantic_accepts_the_types():
    pydantic = pytest.importorskip("pydantic")
    count = 0
    for name in dir(types):
        value = getattr(types, name)
        if isinstance(value, type) and hasattr(value, "__total__") and not name.startswith("_"):
            pydantic.TypeAdapter(value)
            count += 1
    assert count > 20
    send = pydantic.TypeAdapter(types.SmsSend)
    assert send.validate_python({"from": "Acme", "to": "1", "text": "Hi"})["from"] == "Acme"
    with pytest.raises(pydantic.ValidationError):
        send.validate_python({"from": "Acme"})


@pytest.mark.parametrize("kind", [cpaas.Client, cpaas.AsyncClient])
def test_help_and_reprs_name_every_group(kind):
    text = pydoc.render_doc(kind, renderer=pydoc.plaintext)
    groups = {name for name in ("otp", "sms", "lookup", "messages", "webhooks") if hasattr(kind, name)}
    assert len(groups) == 5
    for group in groups:
        assert re.search(rf"^ \|  {group} = <client.{group}: [a-z]", text, re.M), group
    for path in (
        "otp",
        "otp.limits",
        "otp.workflows",
        "sms",
        "lookup",
        "messages",
        "webhooks.messenger_b",
        "webhooks.messenger_c",
    ):
        assert f"`{path}`" in kind.__doc__
        value = kind
        for name in path.split("."):
            value = getattr(value, name)
        assert repr(value).startswith(f"<client.{path}: ")
