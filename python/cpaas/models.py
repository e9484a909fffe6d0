# Generated from the list of operations: `UPDATE=1 cargo test -p cpaas-tests` rewrites it.
"""What answers hold: read-only classes with attributes in Python's manner."""

from ._model import Model, Page, Records, Result, _records

__all__ = ("Model", "Page", "Records", "Result", "Sent", "Participant", "Conversation", "Message")


class Sent(Result):
    """The answer to an SMS (B2)."""

    __slots__ = ("id", "timestamp", "response_code", "to", "text_length", "response_text", "test")
    __match_args__ = __slots__
    _fields = {
        "id": ("id", None),
        "timestamp": ("timestamp", None),
        "response_code": ("responseCode", None),
        "to": ("to", None),
        "text_length": ("textLength", None),
        "response_text": ("responseText", None),
        "test": ("test", None),
    }
    _shown = frozenset(("id", "timestamp", "response_code", "text_length", "test"))


class Participant(Model):
    """One side of a conversation (D1a)."""

    __slots__ = ("id", "name", "phone_number", "messaging_app_identifier")
    __match_args__ = __slots__
    _fields = {
        "id": ("id", None),
        "name": ("name", None),
        "phone_number": ("phoneNumber", None),
        "messaging_app_identifier": ("messagingAppIdentifier", None),
    }
    _shown = frozenset(("id",))


class Conversation(Model):
    """A conversation (D1a)."""

    __slots__ = ("id", "participants")
    __match_args__ = __slots__
    _fields = {
        "id": ("id", None),
        "participants": ("participants", Participant),
    }
    _shown = frozenset(("id", "participants"))


class Message(Result):
    """The answer to a message (D1a)."""

    __slots__ = ("message_id", "id", "sender", "conversation", "created_at", "updated_at", "traffic_account_id", "delivery_status")
    __match_args__ = __slots__
    _fields = {
        "message_id": ("messageId", None),
        "id": ("id", None),
        "sender": ("sender", Participant),
        "conversation": ("conversation", Conversation),
        "created_at": ("createdAt", None),
        "updated_at": ("updatedAt", None),
        "traffic_account_id": ("trafficAccountId", None),
        "delivery_status": ("deliveryStatus", None),
    }
    _shown = frozenset(("message_id", "id", "sender", "conversation", "created_at", "updated_at", "delivery_status"))
