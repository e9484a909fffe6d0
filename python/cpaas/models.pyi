# Generated from the list of operations: `UPDATE=1 cargo test -p cpaas-tests` rewrites it.
from typing import Any, ClassVar

from ._model import Model as Model, Page as Page, Records as Records, Result as Result

class Sent(Result):
    """The answer to an SMS (B2)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        id: str,
        timestamp: str,
        response_code: int,
        to: str | None = None,
        text_length: int | None = None,
        response_text: str | None = None,
        test: bool | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def id(self) -> str:
        """The id of the message: one for each call, also for a text of many parts."""
        ...
    @property
    def timestamp(self) -> str:
        """When it was accepted: ISO 8601, UTC."""
        ...
    @property
    def response_code(self) -> int:
        """0 on success."""
        ...
    @property
    def to(self) -> str | None:
        """The recipient, in some answers."""
        ...
    @property
    def text_length(self) -> int | None:
        """The length of the text."""
        ...
    @property
    def response_text(self) -> str | None:
        """What the provider says."""
        ...
    @property
    def test(self) -> bool | None:
        """Echoed when the request was a test."""
        ...

class Participant(Model):
    """One side of a conversation (D1a)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        id: str | None = None,
        name: str | None = None,
        phone_number: str | None = None,
        messaging_app_identifier: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def id(self) -> str | None:
        """Its id."""
        ...
    @property
    def name(self) -> str | None:
        """Its name."""
        ...
    @property
    def phone_number(self) -> str | None:
        """Its phone number."""
        ...
    @property
    def messaging_app_identifier(self) -> str | None:
        """Its identifier in the channel."""
        ...

class Conversation(Model):
    """A conversation (D1a)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        id: str,
        participants: tuple[Participant, ...] | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def id(self) -> str:
        """Its id."""
        ...
    @property
    def participants(self) -> tuple[Participant, ...] | None:
        """Sender and recipient; the recipient's entry has a number or channel identifier only."""
        ...

class Message(Result):
    """The answer to a message (D1a)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        message_id: str,
        id: str | None = None,
        sender: Participant | None = None,
        conversation: Conversation | None = None,
        created_at: str | None = None,
        updated_at: str | None = None,
        traffic_account_id: str | None = None,
        delivery_status: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def message_id(self) -> str:
        """The id of the message."""
        ...
    @property
    def id(self) -> str | None:
        """Present in the `messenger_b` sample."""
        ...
    @property
    def sender(self) -> Participant | None:
        """Who sent it."""
        ...
    @property
    def conversation(self) -> Conversation | None:
        """The conversation that it belongs to."""
        ...
    @property
    def created_at(self) -> str | None:
        """ISO 8601, UTC."""
        ...
    @property
    def updated_at(self) -> str | None:
        """ISO 8601, UTC."""
        ...
    @property
    def traffic_account_id(self) -> str | None:
        """The traffic account used."""
        ...
    @property
    def delivery_status(self) -> str | None:
        """`Ready` right after acceptance."""
        ...
