"""Unknown channels of a failover are errors; other unknown members are warnings that are logged once, unless they are misspelled."""

import logging
import subprocess
import sys

import pytest

import cpaas
from cpaas import _hooks

UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"
FAILOVER = {
    "type": "Timeout",
    "timeoutFailover": {"timeoutInSeconds": 30, "status": "Delivered", "trafficAccounts": [UUID, UUID]},
}


def test_an_unknown_channel_makes_the_failover_invalid(wire):
    with wire.client() as client, pytest.raises(cpaas.Invalid) as found:
        client.messages.send_failover(
            destination="306912345678",
            channels={"mesenger_b": {"text": "Hi"}, "sms": {"text": "Hi", "sender": "Acme"}},
            failover=FAILOVER,
        )
    problem = next(p for p in found.value.problems if p.code == "failover.channel.unknown")
    assert (problem.pointer, problem.argument, problem.severity) == ("/mesenger_b", "channels", "error")
    assert problem.params["suggestion"] == "messenger_b"
    assert wire.requests == []


def test_an_unknown_member_is_logged_once(caplog):
    _hooks._logged.clear()
    with cpaas.Sandbox() as sandbox, sandbox.client() as client, caplog.at_level(logging.WARNING, "cpaas"):
        for _ in range(2):
            sent = client.messages.send(
                destination="306912345678",
                messenger_b={"type": "promotional", "text": "Hi", "sticker": "x"},
            )
            assert [p.code for p in sent.warnings] == ["msg.field.unknown"]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "/messenger_b/sticker" in caplog.text


def test_an_unknown_member_is_shown_to_a_program_without_logging():
    code = """
import sys, cpaas
with cpaas.Sandbox() as sandbox, sandbox.client() as client:
    assert "logging" not in sys.modules
    message = {"type": "promotional", "text": "hunter2", "sticker": "x"}
    client.messages.send(destination="306912345678", messenger_b=message)
    try:
        client.messages.send(destination="306912345678", messenger_b={"type": "promotional", "txet": "hunter2"})
    except cpaas.Invalid:
        print("invalid")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "invalid\n"
    [line] = done.stderr.splitlines()
    assert line.startswith("messages.send: /messenger_b/sticker: ")
    assert "hunter2" not in line


def test_pedantic_refuses_warnings(wire):
    message = {
        "destination": "306912345678",
        "messenger_b": {"type": "promotional", "text": "Hi", "sticker": "x"},
    }
    with wire.client() as client:
        with pytest.raises(cpaas.Invalid) as found:
            client.messages.send(**message, validate="pedantic")
        assert "sticker" in str(found.value)
        with pytest.raises(cpaas.Invalid):
            client.with_options(validation="pedantic").messages.send(**message)
    assert wire.requests == []
