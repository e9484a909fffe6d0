"""The events that hooks receive. The native module creates them.

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

from dataclasses import dataclass, field
from typing import Literal

from ._generated.names import Outcome, Reason, SentState
from ._public import public_methods


@public_methods
@dataclass(frozen=True, slots=True, repr=False)
class Event:
    """The end of a call. It contains no message text, phone number, passcode or key.

    Attributes:
        operation: The id of the operation.
        outcome: The outcome; "not_verified" for a passcode that is wrong, expired, cancelled or already used; or "abandoned".
        sent: Whether the request was sent: "no", "maybe" or "yes".
        reason: The cause of an error, such as "connect"; "not_verified" for a passcode that is not valid.
        status: The HTTP status of the response.
        attempts: The number of attempts.
        elapsed: Seconds.
        reference: Your reference of the message.
        call_id: The id of the call: 32 hexadecimal digits, the same as in the events of its requests and in its result or error.
            Empty if the call was cancelled before it started.
    """

    __module__ = "cpaas"

    operation: str
    outcome: Outcome | Literal["accepted", "not_verified", "abandoned"]
    sent: SentState
    reason: Reason | None = None
    status: int | None = None
    attempts: int = 0
    elapsed: float = 0.0
    reference: str | None = None
    call_id: str = ""

    def __str__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        call = f", call: {self.call_id}" if self.call_id else ""
        return (
            f"{self.operation}: {self.outcome}{why}, sent: {self.sent}, "
            f"attempts: {self.attempts}, {self.elapsed * 1000:.1f} ms{call}"
        )

    def __repr__(self) -> str:
        return f"<cpaas.Event {self}>"


@public_methods
@dataclass(frozen=True, slots=True, repr=False)
class RequestEvent:
    """One HTTP request of a call, before it is sent. It contains no message text, phone number, passcode or key.

    Attributes:
        call_id: The id of the call: 32 hexadecimal digits. All events of the call have the same id.
        operation: The id of the operation.
        attempt: The number of the attempt, from 1.
        method: The HTTP method.
        url: The URL without secrets: members of the path appear as `{name}`, values of the query as `REDACTED`.
        is_lookup: Whether the request looks the call up in the records of the provider, after an unknown outcome.
    """

    __module__ = "cpaas"

    call_id: str
    operation: str
    attempt: int = 1
    method: str = "POST"
    url: str = ""
    is_lookup: bool = False

    def __repr__(self) -> str:
        return f"<cpaas.{type(self).__name__} {self.operation}: attempt {self.attempt}, {self.method} {self.url}>"


@public_methods
@dataclass(frozen=True, slots=True, repr=False)
class ResponseEvent(RequestEvent):
    """The HTTP response to one request of a call. A request without a response, for example because the
    connection failed, has no such event.

    Attributes:
        status: The HTTP status.
        elapsed: Seconds from the request to the end of the response.

    It also has the attributes of `RequestEvent`.
    """

    __module__ = "cpaas"

    status: int = field(default=200, kw_only=True)
    elapsed: float = field(default=0.0, kw_only=True)
