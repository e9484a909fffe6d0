"""The sync client."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from datetime import timedelta
from types import TracebackType
from typing import Any, Literal

from ._arguments import text
from ._base_client import BaseClient
from ._bulk.send_once import once
from ._cpaas import NativeClient, Response
from ._errors import client_closed
from ._generated.metadata import OPERATIONS, OperationId
from ._generated.operations import Groups
from ._groups import checked
from ._pages import Link, linked
from ._public import public_methods
from ._typing import Self


def warn_of_greenlets(method: str, stacklevel: int) -> None:
    """Warns if a blocking method is called on a thread that has a hub of gevent."""
    if "gevent" not in sys.modules:
        return
    # An optional package; `gevent.get_hub` would create a hub.
    from gevent._hub_local import get_hub_if_exists

    if get_hub_if_exists() is not None:
        warnings.warn(
            "a call of cpaas.Client blocks all greenlets of this thread; run it in a thread: "
            f"gevent.get_hub().threadpool.apply({method}, args, kwds)",
            RuntimeWarning,
            stacklevel=stacklevel + 1,
        )


def _with_warning(call: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps the call function of a sync client, so that a call warns on a thread that has a hub of gevent."""

    def blocking(operation: int | str, *arguments: Any) -> Any:
        method = f"client.{OPERATIONS[operation].id}" if isinstance(operation, int) else "client.call"
        warn_of_greenlets(method, stacklevel=4)
        return call(operation, *arguments)

    return blocking


@public_methods
class Client(Groups, BaseClient):
    """Calls the provider; each call blocks until it ends.

    Thread-safe. A call releases the GIL while it blocks, and a signal such as Ctrl-C interrupts it. Close the client, or
    use it in a `with` statement.

    The operations are in groups: `otp`, `otp.limits`, `otp.workflows`, `sms`, `lookup`, `messages`,
    `webhooks.messenger_b` and `webhooks.messenger_c`; `help(cpaas.Client.sms)` shows the methods of a group.
    """

    __module__ = "cpaas"

    def _open(self, parent: NativeClient | None) -> None:
        super()._open(parent)
        call = self._native.call
        if "gevent" in sys.modules:
            call = _with_warning(call)
        self._bind(call)

    @checked
    def call(
        self,
        operation: OperationId | str,
        request: Mapping[str, Any] | None = None,
        *,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Calls an operation by its id.

        Args:
            operation: The id of the operation, such as `sms.send`.
            request: The request, with the member names of the specification.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors, 'pedantic' also one with warnings;
                'warn' reports errors as warnings, 'off' does not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers that the client itself
                sets, are rejected.

        Returns:
            The result, as from the method of the operation. Iteration over a page continues with the following pages.

        Raises:
            cpaas.Error: For every outcome except accepted: `Invalid`, `Rejected`, `NotSent`, `OutcomeUnknown` or
                `AcceptedIdUnknown`.

        Example:
            >>> import cpaas
            >>> with cpaas.Sandbox() as sandbox, sandbox.client() as client:
            ...     client.call("sms.send", {"from": "Acme", "to": "306912345678", "text": "Hi"}).response_code
            0
        """
        operation = text("operation", operation)
        request = {} if request is None else request
        call, options = self._call, (timeout, deadline, validate, extra_headers)
        return linked(call(operation, request, None, *options), Link(call, operation, request, options))

    @checked
    def call_raw(
        self,
        method: str,
        family: Literal["otp", "sms", "lookup", "messaging", "messenger_b", "messenger_c"],
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Calls any endpoint, with the address and the credentials of a family.

        Args:
            method: GET, POST, PUT or DELETE. A GET is retried like a read, any other method like a send.
            family: The family of operations whose address and credentials the call uses.
            path: The path below the address; it starts with `/`.
            query: The parameters of the query.
            body: The body, sent as JSON.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            extra_headers: Headers added to the requests of this call. Credentials, and headers that the client itself
                sets, are rejected.

        Returns:
            The response: its `status`, `headers` and `body`, and `json()`.

        Raises:
            cpaas.Error: For every outcome except accepted: `Invalid`, `Rejected`, `NotSent`, `OutcomeUnknown` or
                `AcceptedIdUnknown`.
        """
        request = {
            "method": method,
            "family": family,
            "path": path,
            "query": query,
            "body": body,
        }
        warn_of_greenlets("client.call_raw", stacklevel=3)
        return self._native.call_raw(request, timeout, deadline, extra_headers)

    @checked
    def send_once(
        self,
        key: str,
        operation: OperationId,
        /,
        *,
        journal: str | os.PathLike[str] | None = None,
        deadline: float | timedelta | None = None,
        retry: str | None = None,
        any_provider: bool = False,
        **request: Any,
    ) -> Any:
        """Sends a request. If a request with this key was sent before, sends nothing and returns the outcome of that request.

        Calls with the same key, in any number of processes, send one message and get its response. A message is sent
        again only after proof that it was not sent. An invalid request does not use up its key.

        If the response to an `otp.send` is lost, the provider's records are searched for the only passcode that was sent since the call
        began with the same service, sender and recipient. If it is found, it is the result; otherwise the outcome stays unknown.

        Args:
            key: Identifies the message, such as "order-17".
            operation: The id of the operation, such as `sms.send`.
            journal: A path, or `postgres://…`; created when it is missing. The variable `CPAAS_JOURNAL` when absent.
            deadline: Time limit with all waits for the journal and other calls, in seconds or as a timedelta; 30 seconds when
                absent, at least one second.
            retry: Sends the message again if its stored outcome has this reason: "setup", a code of the provider, or
                "provider_5xx"; see `Campaign.retry`.
            any_provider: Whether a key is accepted that was used with another provider: a client that has none of the addresses of
                this one, such as that of a sandbox.
            request: The arguments of the method of the operation.

        Returns:
            The result of the method of the operation, without its `response`: the journal keeps the value, but neither the HTTP
                response nor warnings.

        Raises:
            cpaas.CampaignError: The key was used for another request (`key_reused`) or with another provider (`other_provider`), or
                the journal failed.
            cpaas.Error: For every outcome except accepted: `Invalid`, `Rejected`, `NotSent`, `OutcomeUnknown` or
                `AcceptedIdUnknown`.
        """
        arguments = once(operation, key, request, journal, deadline, retry, any_provider)
        warn_of_greenlets("client.send_once", stacklevel=3)
        return self._native.send_once(arguments)

    def close(self) -> None:
        """Closes all connections. Idempotent."""
        self._native.close()

    def __enter__(self) -> Self:
        if self.closed:
            raise client_closed()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
