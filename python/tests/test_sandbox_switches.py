"""The switches of `cpaas.Sandbox`, and mocks of the classes of the package."""

import asyncio
import pathlib
import re
from unittest import mock

import pytest

import cpaas
from cpaas import _cpaas, callbacks
from cpaas._generated.sandbox_switches import Switches


def test_the_type_has_every_switch_of_the_command(capfd):
    code, text = _cpaas.run_sandbox(["--help"])
    shown = re.findall(r"^ +--([a-z-]+)", text + capfd.readouterr().out, re.MULTILINE)
    assert code == 0
    assert {name.replace("-", "_") for name in shown} - {"help", "version"} == set(Switches.__annotations__)


def test_switches_of_each_type(tmp_path):
    with cpaas.Sandbox(
        seed=7,
        clock="virtual",
        first_page=1,
        conversion=True,
        strict=False,
        allow_host=["a.test", "b.test"],
        memory="1MiB",
        db=tmp_path / "ledger.db",
        otp_ttl="5m",
    ) as sandbox:
        assert sandbox.clock()["mode"] == "virtual"
    assert isinstance(tmp_path, pathlib.Path)
    assert (tmp_path / "ledger.db").exists()


@pytest.mark.parametrize(
    "value", [object(), b"7", 1.5, None, {"a": 1}], ids=lambda value: type(value).__name__
)
def test_a_switch_of_a_wrong_type(value):
    with pytest.raises(cpaas.InvalidType, match="seed must be str, int, bool or a path, got "):
        cpaas.Sandbox(seed=value)


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"sed": 7}, "unknown switch 'sed'; did you mean 'seed'?"),
        ({"clock": "virtuel"}, "clock must be real or virtual"),
        ({"first_page": 2}, "first_page must be 0 or 1"),
        ({"seed": -1}, "seed must be a whole number"),
    ],
    ids=repr,
)
def test_an_invalid_switch(switches, message):
    with pytest.raises(cpaas.Invalid) as caught:
        cpaas.Sandbox(**switches)
    assert str(caught.value) == message


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_mocks_of_the_classes_know_their_methods():
    for cls, method, arguments in (
        (cpaas.Client, "send_once", ("key", "sms.send")),
        (cpaas.Sandbox, "wait_for", ()),
        (cpaas.AsyncSandbox, "wait_for", ()),
        (cpaas.Campaign, "status", ()),
        (cpaas.SuppressionList, "add", ("306912345678",)),
        (callbacks.Receiver, "url", ("sms_report",)),
        (callbacks.Keyring, "lint", ()),
    ):
        made = mock.create_autospec(cls, instance=True)
        getattr(made, method)(*arguments)
        with pytest.raises(AttributeError):
            made.no_such_method
    client = mock.create_autospec(cpaas.Client, instance=True)
    limit = cpaas.models.Limit(sid="LM1")
    client.otp.limits.ensure.return_value = limit
    assert client.otp.limits.ensure(name="n", description="d", buckets=[]) is limit
    with pytest.raises(TypeError):
        client.otp.limits.ensure(name="n")


def test_a_mock_of_an_async_client_has_coroutines():
    client = mock.create_autospec(cpaas.AsyncClient, instance=True)
    client.otp.limits.ensure.return_value = cpaas.models.Limit(sid="LM1")
    found = asyncio.run(client.otp.limits.ensure(name="n", description="d", buckets=[]))
    assert found.sid == "LM1"


def test_the_async_sandbox_is_exported():
    async def run():
        async with cpaas.Sandbox() as sandbox:
            return isinstance(sandbox, cpaas.AsyncSandbox)

    assert asyncio.run(run())
