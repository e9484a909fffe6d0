"""The id of a call: on results, exceptions, events and log lines, and in the header `traceparent`."""

import asyncio
import logging
import pickle
import re

import pytest
from conftest import http_response

import cpaas

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}
ID = re.compile("[0-9a-f]{32}")


def test_the_result_has_the_id_of_its_events(wire, caplog):
    seen = []
    hooks = dict.fromkeys(("on_request", "on_response", "on_outcome"), seen.append)
    with wire.client(**hooks) as client, caplog.at_level("DEBUG", "cpaas"):
        sent = client.sms.send(**SMS)
        other = client.sms.send(**SMS)
    assert ID.fullmatch(sent.call_id)
    assert sent.response.call_id == sent.call_id
    assert [event.call_id for event in seen] == [sent.call_id] * 3 + [other.call_id] * 3
    assert sent.call_id != other.call_id
    assert all(f"call: {it.call_id}" in line for it, line in zip((sent, other), caplog.messages, strict=True))
    assert caplog.records[0].cpaas.call_id == sent.call_id
    assert pickle.loads(pickle.dumps(sent)).call_id == sent.call_id


def test_async_results_lists_and_raw_calls_have_an_id(wire):
    events = []

    async def main():
        async with wire.async_client(on_outcome=events.append) as client:
            sent = await client.sms.send(**SMS)
            wire.script = lambda _: http_response([])
            raw = await client.call_raw("GET", "sms", "/x")
            return sent.call_id, raw.call_id

    assert list(asyncio.run(main())) == [event.call_id for event in events]


@pytest.mark.parametrize("kind", ["rejected", "unknown", "invalid"])
def test_an_exception_has_the_id_of_its_event(wire, kind, caplog):
    if kind != "invalid":
        body = {"responseCode": 904, "responseText": "no"}
        wire.script = lambda _: http_response(body, 404) if kind == "rejected" else None
    events = []
    request = {**SMS, "to": ""} if kind == "invalid" else SMS
    with wire.client(on_outcome=events.append) as client, caplog.at_level(logging.INFO, "cpaas"):
        with pytest.raises(cpaas.Error) as caught:
            client.sms.send(**request)
    assert ID.fullmatch(caught.value.call_id)
    assert caught.value.call_id == events[0].call_id
    assert caught.value.call_id in caplog.text
    assert pickle.loads(pickle.dumps(caught.value)).call_id == caught.value.call_id


def test_without_a_call_there_is_no_id():
    with pytest.raises(cpaas.Invalid) as caught:
        cpaas.Client(sms_url="ftp://x")
    assert caught.value.call_id is None
    assert cpaas.Rejected("no").call_id is None
    assert cpaas.models.Sent().call_id is None


def test_a_member_of_the_response_does_not_replace_the_id(wire):
    wire.script = lambda _: http_response({"id": "m-1", "responseCode": 0, "call_id": "EVIL"})
    with wire.client() as client:
        sent = client.sms.send(**SMS)
    assert ID.fullmatch(sent.call_id)
    assert sent.extra == {"call_id": "EVIL"}


def test_the_setting_sends_the_id_to_the_sandbox(sandbox):
    with sandbox.client(send_traceparent=True) as client:
        sent = client.sms.send(**SMS)
    [message] = sandbox.messages()
    assert message.traceparent == f"00-{sent.call_id}-0000000000000001-00"
    assert sandbox.requests()["requests"][0]["traceparent"] == message.traceparent


def test_by_default_no_id_is_sent(sandbox, client):
    client.sms.send(**SMS)
    [message] = sandbox.messages()
    assert message.traceparent is None
