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
    """A message of the inbox. `otp` is the passcode in its text, or None. `failover` of a message of `messages.send_failover` contains the
    `id` of its first message, the `step`, the `channels` and the `timeout` in seconds. `traceparent` is the header of the request, with the id of its
    trace or of its call. `extra` contains the members of its channel.

    `repr` shows everything, so that a failed assertion of a test explains itself: the messages of the sandbox are those of your tests.
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
