"""The classes of results."""

import copy
import json
import pickle
import sys

import pytest
from conftest import http_response

import cpaas
from cpaas import models

MESSAGE = {
    "messageId": "m-1",
    "sender": {"id": "s", "name": "Acme", "phoneNumber": "306912345678"},
    "conversation": {"id": "c", "participants": [{"id": "s"}, {"phoneNumber": "306912345678"}]},
    "deliveryStatus": "Ready",
}


@pytest.fixture
def message(wire):
    wire.script = lambda _: http_response(MESSAGE)
    with wire.client() as client:
        return client.messages.send(destination="306912345678", sms={"text": "Hi", "sender": "Acme"})


def test_results_are_instances_without_running_init(message):
    assert type(message) is models.Message
    assert type(message.conversation.participants[1]) is models.Participant
    assert message.conversation.participants[1].phone_number == "306912345678"
    assert isinstance(message.conversation.participants, tuple)
    assert message.created_at is None


@pytest.mark.parametrize("levels", [1, 63, 64, 65, 126])
def test_a_result_with_nested_undocumented_members_can_be_written_as_json(wire, levels):
    """A response has at most 127 levels, of which its object is one."""
    body = '{"id":"m-1","responseCode":0,"nested":' + "[" * levels + "]" * levels + "}"
    wire.script = lambda _: http_response(json.loads(body))
    with wire.client() as client:
        sent = client.sms.send(from_="Acme", to="306912345678", text="Hi")
    assert json.loads(sent.to_json())["nested"] == json.loads(body)["nested"]


def test_records_compare_and_hash_by_their_members(message):
    twin = models.Message.from_dict(MESSAGE)
    assert twin == message
    assert hash(twin) == hash(message)
    assert len({twin, message}) == 1
    assert twin.replace(message_id="m-2") != message
    assert twin != models.Participant.from_dict(MESSAGE)
    assert twin.raw == b""


def test_records_are_read_only(message):
    with pytest.raises(AttributeError, match="cannot"):
        message.message_id = "other"
    with pytest.raises(AttributeError, match="cannot"):
        del message.message_id
    changed = message.replace(delivery_status="Delivered")
    assert (changed.delivery_status, message.delivery_status) == ("Delivered", "Ready")
    if sys.version_info >= (3, 13):
        assert copy.replace(message, message_id="2").message_id == "2"
    with pytest.raises(TypeError, match="unexpected keyword argument 'typo'"):
        message.replace(typo=1)


def test_records_support_match(message):
    match message:
        case models.Message(message_id=found, conversation=models.Conversation(id="c")):
            assert found == "m-1"
        case _:
            pytest.fail("no match")


def test_records_convert_to_dicts_json_and_pickles(message):
    assert message.to_dict() == MESSAGE
    assert cpaas.models.Message.from_dict({**MESSAGE, "new": 1}).to_dict() == {**MESSAGE, "new": 1}
    assert message.to_json().startswith('{"messageId":"m-1","sender":{"id":"s"')
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(message, protocol))
        assert back == message
        assert back.raw == message.raw
        assert back.headers == message.headers
    assert copy.deepcopy(message) == message


def test_lists_are_tuples_with_a_response(wire):
    wire.script = lambda _: http_response([{"msisdn": "1", "response": 0}, {"msisdn": "2", "response": 0}])
    with wire.client() as client:
        found = client.lookup(msisdn=["1", "2"])
    assert [record.msisdn for record in found] == ["1", "2"]
    back = pickle.loads(pickle.dumps(found))
    assert (back, back.raw) == (found, found.raw)


def test_repr_shows_states_and_no_personal_data(message):
    shown = repr(message)
    assert "message_id='m-1'" in shown
    assert "delivery_status='Ready'" in shown
    assert "Acme" not in shown
    assert "306912345678" not in shown


def test_every_generated_class_round_trips():
    for name in models.__all__:
        cls = getattr(models, name)
        if isinstance(cls, type) and issubclass(cls, models.Model) and cls._fields:
            members = {
                wire: nested.from_dict({}).to_dict() if nested else "x"
                for wire, nested in cls._fields.values()
            }
            record = cls.from_dict(members)
            assert cls.from_dict(record.to_dict()) == record
            assert pickle.loads(pickle.dumps(record)) == record
            assert hash(record) == hash(cls.from_dict(members))
