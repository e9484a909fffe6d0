"""The messages of the inbox of a sandbox.

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from .._public import public_methods
from .._records import Model


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class InboxMessage(Model):
    """A message of the inbox. `extra` contains the members of its channel.

    `repr` shows everything, so that a failed assertion of a test explains itself: the messages of the sandbox are those of your
    tests.

    Attributes:
        at: The time at which it was accepted or received: ISO 8601, UTC.
        channel: The channel, such as "sms".
        direction: "out" for a message to a user, "in" for one from a user.
        failover: Of a message of `messages.send_failover`: the `id` of its first message, the `step`, the `channels`, and the
            `timeout` in seconds; otherwise None.
        from_: The sender.
        id: The id of the message.
        n: The number of the message in the inbox.
        operation: The id of the operation, or "inbound".
        otp: The passcode in its text, or None.
        reference: Your reference, or None.
        status: The status.
        text: The text.
        to: The recipient.
        traceparent: The header of the request, with the id of its trace or of its call; or None.
        updated: The time of the last change: ISO 8601, UTC.
    """

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("to", "text")
    _fields = {
        name: (name.rstrip("_"), None)
        for name in (
            "at",
            "channel",
            "direction",
            "failover",
            "from_",
            "id",
            "n",
            "operation",
            "otp",
            "reference",
            "status",
            "text",
            "to",
            "traceparent",
            "updated",
        )
    }
    _shown = frozenset(_fields)

    at: str
    channel: str
    direction: str
    failover: dict[str, Any] | None = None
    from_: str
    id: str
    n: int
    operation: str
    otp: str | None = None
    reference: str | None = None
    status: str
    text: str
    to: str
    traceparent: str | None = None
    updated: str
