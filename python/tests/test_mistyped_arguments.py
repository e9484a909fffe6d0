"""A wrong type raises `InvalidType`, for every setting and wherever an argument has a type."""

import asyncio
import inspect
from contextlib import suppress

import pytest

import cpaas
from cpaas._generated.settings import Settings

SETTINGS = [name for name in inspect.signature(Settings.__init__).parameters if name != "self"]
VALUES = ["5", 5, 1.5, b"5", object(), [5], {"sms": 5}, True]


def is_error_of_value(name, value):
    """Whether the value has a type of the setting."""
    kind = Settings.__init__.__annotations__[name]
    if isinstance(value, bool):
        return "bool" in kind
    if isinstance(value, str):
        return "str" in kind.replace("Mapping[str", "").replace("Sequence[str", "") or "Literal" in kind
    if isinstance(value, int):
        return "float" in kind or kind.startswith("int")
    if isinstance(value, float):
        return "float" in kind
    if isinstance(value, dict):
        return "Mapping[str, Any]" in kind
    return False


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_setting_of_a_wrong_type(name, value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # for a suppression list with the path "5"
    for cls in (cpaas.Client, cpaas.AsyncClient):
        if is_error_of_value(name, value):
            with suppress(cpaas.Invalid):
                cls(**{name: value})
            continue
        with pytest.raises(cpaas.InvalidType) as caught:
            cls(**{name: value})
        assert isinstance(caught.value, TypeError)
        assert isinstance(caught.value, ValueError)
        assert name in str(caught.value)
        assert (caught.value.sent, caught.value.retryable) == ("no", False)


def test_a_setting_of_with_options_has_its_type_too():
    with cpaas.Client() as client, pytest.raises(cpaas.InvalidType) as caught:
        client.with_options(timeout="5")
    assert str(caught.value) == "`timeout` must be a number of seconds, got a string"
    assert caught.value.reason == "config"


ARGUMENTS = {
    "to": lambda client: client.sms.send(from_="Acme", to=306912345678, text="Hi"),
    "from_": lambda client: client.sms.send(from_=54321, to="306912345678", text="Hi"),
    "code": lambda client: client.otp.verify(service="login", request_id="OTP1", code=12345),
    "request_id": lambda client: client.otp.verify(service="login", request_id=1, code="012345"),
    "msisdn": lambda client: client.lookup(msisdn=306912345678),
    "destination": lambda client: client.messages.send(
        destination=306912345678, sms={"text": "Hi", "sender": "Acme"}
    ),
    "sms": lambda client: client.messages.send(destination="306912345678", sms="Hi"),
    "nested": lambda client: client.messages.send(
        destination="306912345678", sms={"text": 5, "sender": "Acme"}
    ),
    "page_size": lambda client: client.otp.search(page_size="5"),
    "buckets": lambda client: client.otp.limits.create(name="n", description="d", buckets={"a": 1}),
    "timeout": lambda client: client.otp.search(timeout="5"),
    "key": lambda client: client.send_once(5, "sms.send", journal="x.db"),
    "operation": lambda client: client.call(5, {}),
    "reset": lambda client: client.send_once(
        "k", "sms.send", journal=5, from_="A", to="306912345678", text="x"
    ),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_an_argument_of_a_wrong_type(wire, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with wire.client() as client, pytest.raises(cpaas.InvalidType):
        ARGUMENTS[name](client)

    async def run():
        async with wire.async_client() as client:
            await ARGUMENTS[name](client)

    with pytest.raises(cpaas.InvalidType):
        asyncio.run(run())
    assert wire.requests == []
