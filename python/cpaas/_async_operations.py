# Generated from the list of operations: `UPDATE=1 cargo test -p cpaas-tests` rewrites it.
"""The operations as methods to await."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from typing import Any, Literal

    from . import models, types

from ._pages import AsyncPages


class AsyncSms:
    """`client.sms`"""

    __slots__ = ("_call",)

    def __init__(self, call: Callable[..., Awaitable[Any]]) -> None:
        self._call = call

    async def send(
        self,
        *,
        from_: str,
        to: str,
        text: str,
        test: bool | None = None,
        type: str | None = None,
        reference: str | None = None,
        callback: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        deadline: float | None = None,
        validate: Literal["strict", "warn", "off"] | None = None,
    ) -> models.Sent:
        """Sends one SMS (B1).

        Args:
            from_: The sender: a name or a number.
            to: The recipient: international number, digits without plus sign.
            text: The message text.
            test: When true, nothing is dispatched to a handset; `to` must still be a real number.
            type: `auto` detects the encoding and is the recommended value.
            reference: A free tag that comes back in callbacks.
            callback: The URL that is called with the delivery reports of this message.
            extra: Members that the specification does not show; they are sent as they are.
            timeout: Seconds that one attempt may take.
            deadline: Seconds that all attempts together may take.
            validate: What is done about broken rules before sending.

        Raises:
            cpaas.Error: every outcome but accepted.

        Section B1 of the specification.
        """
        return await self._call(0, (from_, to, text, test, type, reference, callback), extra, timeout, deadline, validate)  # type: ignore[no-any-return]


class AsyncMessages:
    """`client.messages`"""

    __slots__ = ("_call",)

    def __init__(self, call: Callable[..., Awaitable[Any]]) -> None:
        self._call = call

    async def send(
        self,
        *,
        traffic_account_id: str | None = None,
        destination: str,
        sms: types.Sms | None = None,
        messenger_a: types.MessengerA | None = None,
        messenger_b: types.MessengerB | None = None,
        messenger_c: types.MessengerC | None = None,
        business_chat: types.BusinessChat | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        deadline: float | None = None,
        validate: Literal["strict", "warn", "off"] | None = None,
    ) -> models.Message:
        """Sends one message over one channel (D1).

        Args:
            traffic_account_id: The traffic account used for sending: a UUID.
            destination: Phone number, or the recipient's channel identifier.
            sms: SMS.
            messenger_a: The messenger_a object.
            messenger_b: The messenger_b object.
            messenger_c: The messenger_c object.
            business_chat: The business_chat object.
            extra: Members that the specification does not show; they are sent as they are.
            timeout: Seconds that one attempt may take.
            deadline: Seconds that all attempts together may take.
            validate: What is done about broken rules before sending.

        Raises:
            cpaas.Error: every outcome but accepted.

        Section D1 of the specification.
        """
        return await self._call(1, (traffic_account_id, destination, sms, messenger_a, messenger_b, messenger_c, business_chat), extra, timeout, deadline, validate)  # type: ignore[no-any-return]


class AsyncOperations:
    """The namespaces of a client."""

    messages: AsyncMessages
    sms: AsyncSms

    def _bind(self, call: Callable[..., Awaitable[Any]]) -> None:
        self.messages = AsyncMessages(call)
        self.sms = AsyncSms(call)
