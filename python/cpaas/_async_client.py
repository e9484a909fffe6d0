"""The client for asyncio."""

from __future__ import annotations

from asyncio import AbstractEventLoop, get_running_loop
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from os import PathLike, getpid
from threading import Thread
from types import TracebackType
from typing import Any, Literal
from weakref import WeakKeyDictionary, ref

from ._arguments import text
from ._base_client import BaseClient
from ._bulk.send_once import once
from ._cpaas import CompletionQueue, CompletionWaiter, NativeClient, Response
from ._errors import Error, client_closed, no_event_loop, resource_missing
from ._generated.async_operations import AsyncGroups
from ._generated.metadata import OperationId
from ._groups import checked
from ._pages import Link, linked
from ._public import public_methods
from ._typing import Self

_queues: WeakKeyDictionary[AbstractEventLoop, CompletionQueue] = WeakKeyDictionary()


@public_methods
class AsyncClient(AsyncGroups, BaseClient):
    """Calls the provider from asyncio.

    It has the methods of `Client` as coroutines: without `await`, nothing is sent. Only `validate` and `with_options` are functions. Several
    event loops of asyncio, and threads, may share a client. Close the client with `aclose`, or use it in an `async with` statement.

    Cancelling a task drops its request, also by `asyncio.timeout`. From Python 3.11 on, a note of the exception reports whether the request
    may have been sent. `deadline` limits the time of a call without a cancellation, and its exception has the outcome.

    The operations are in groups: `otp`, `otp.limits`, `otp.workflows`, `sms`, `lookup`, `messages`,
    `webhooks.messenger_b` and `webhooks.messenger_c`; `help(cpaas.AsyncClient.sms)` shows the methods of a group.
    """

    __module__ = "cpaas"
    _kind = "AsyncClient"

    def _open(self, parent: NativeClient | None) -> None:
        super()._open(parent)
        self._bind(_caller(self._native.start))

    @checked
    async def call(
        self,
        operation: OperationId | str,
        request: Mapping[str, Any] | None = None,
        *,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Calls an operation by its id. Without `await`, nothing is sent.

        Cancelling the task drops the request, which may have been processed.

        Args:
            operation: The id of the operation, such as `sms.send`.
            request: The request, with the member names of the specification.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors, 'pedantic' also one with warnings;
                'warn' reports errors as warnings, 'off' does not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers that the client itself sets, are
                rejected.

        Returns:
            The result, as from the method of the operation. `async for` over a page continues with the following pages.

        Raises:
            cpaas.Error: For every outcome except accepted: `Invalid`, `Rejected`, `NotSent`, `OutcomeUnknown` or
                `AcceptedIdUnknown`.
            RuntimeError: No asyncio event loop runs.
            asyncio.CancelledError: The task was cancelled. From Python 3.11 on, a note of the exception reports whether the
                request may have been sent.

        Example:
            >>> import asyncio, cpaas
            >>> async def main():
            ...     async with cpaas.Sandbox() as sandbox, sandbox.async_client() as client:
            ...         sent = await client.call("sms.send", {"from": "Acme", "to": "306912345678", "text": "Hi"})
            ...         return sent.response_code
            >>> asyncio.run(main())
            0
        """
        operation = text("operation", operation)
        request = {} if request is None else request
        call, options = self._call, (timeout, deadline, validate, extra_headers)
        link = Link(call, operation, request, options, is_async=True)
        return linked(await call(operation, request, None, *options), link)

    @checked
    async def call_raw(
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
        """Calls any endpoint, with the address and the credentials of a family. Without `await`, nothing is sent.

        Cancelling the task drops the request, which may have been processed.

        Args:
            method: GET, POST, PUT or DELETE. A GET is retried like a read, any other method like a send.
            family: The family of operations whose address and credentials the call uses.
            path: The path below the address; it starts with `/`.
            query: The parameters of the query.
            body: The body, sent as JSON.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            extra_headers: Headers added to the requests of this call. Credentials, and headers that the client itself sets, are
                rejected.

        Returns:
            The response: its `status`, `headers` and `body`, and `json()`.

        Raises:
            cpaas.Error: For every outcome except accepted: `Invalid`, `Rejected`, `NotSent`, `OutcomeUnknown` or
                `AcceptedIdUnknown`.
            RuntimeError: No asyncio event loop runs.
            asyncio.CancelledError: The task was cancelled. From Python 3.11 on, a note of the exception reports whether the
                request may have been sent.
        """
        request = {
            "method": method,
            "family": family,
            "path": path,
            "query": query,
            "body": body,
        }
        start = _caller(self._native.start_raw)
        return await start(request, timeout, deadline, extra_headers)  # type: ignore[no-any-return]

    @checked
    async def send_once(
        self,
        key: str,
        operation: OperationId,
        /,
        *,
        journal: str | PathLike[str] | None = None,
        deadline: float | timedelta | None = None,
        retry: str | None = None,
        any_provider: bool = False,
        **request: Any,
    ) -> Any:
        """Sends a request. If a request with this key was sent before, sends nothing and returns the outcome of that request.

        Calls with the same key, in any number of processes and tasks, send one message and get its response. A message is sent
        again only after proof that it was not sent. An invalid request does not use up its key.

        If the response to an `otp.send` is lost, the provider's records are searched for the only passcode that was sent since
        the call began with the same service, sender and recipient. If it is found, it is the result; otherwise the outcome
        stays unknown.

        Cancelling the task before the first byte of the request was sent leaves the key unused. After that, the outcome of the
        key is unknown, and the next call with the key raises `OutcomeUnknown`.

        Args:
            key: Identifies the message, such as "order-17".
            operation: The id of the operation, such as `sms.send`.
            journal: A path, or `postgres://…`; created when it is missing. The variable `CPAAS_JOURNAL` when absent.
            deadline: Time limit with all waits for the journal and other calls, in seconds or as a timedelta; 30 seconds when
                absent, at least one second.
            retry: Sends the message again if its stored outcome has this reason: "setup", a code of the provider, or
                "provider_5xx"; see `Campaign.retry`.
            any_provider: Whether a key is accepted that was used with another provider: a client that has none of the addresses
                of this one, such as that of a sandbox.
            request: The arguments of the method of the operation.

        Returns:
            The result of the method of the operation, without its `response`: the journal keeps the value, but neither the HTTP
                response nor warnings.

        Raises:
            cpaas.CampaignError: The key was used for another request (`key_reused`) or with another provider
                (`other_provider`), or the journal failed.
            cpaas.Error: For every outcome except accepted: `Invalid`, `Rejected`, `NotSent`, `OutcomeUnknown` or
                `AcceptedIdUnknown`.
            RuntimeError: No asyncio event loop runs.
            asyncio.CancelledError: The task was cancelled. From Python 3.11 on, a note of the exception reports whether the
                request may have been sent.
        """
        arguments = once(operation, key, request, journal, deadline, retry, any_provider)
        return await _caller(self._native.start_send_once)(arguments)

    async def aclose(self) -> None:
        """Closes all connections. Idempotent."""
        self._native.close()

    async def __aenter__(self) -> Self:
        if self.closed:
            raise client_closed()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()


def _caller(start: Callable[..., int]) -> Callable[..., Awaitable[Any]]:
    """A function that starts a call by a method of the native client, and awaits it. It refers to the native client only, so that no
    cycle keeps the client alive."""

    async def call(*arguments: Any) -> Any:
        try:
            loop = get_running_loop()
        except RuntimeError:
            raise no_event_loop() from None
        queue = _queues.get(loop)
        if queue is None or queue.pid != getpid():
            queue = _open_queue(loop)
        future = loop.create_future()
        key = start(queue, future, *arguments)
        try:
            return (await future).take()
        except Error:
            raise
        except BaseException as error:
            error.__dict__["_cpaas_sent"] = queue.abandon(key, future, error)
            raise

    return call


def _open_queue(loop: AbstractEventLoop) -> CompletionQueue:
    """Creates the queue of an event loop."""
    queue = CompletionQueue()
    try:
        if not _watches(loop, queue):
            thread = Thread(target=_wake, args=(ref(loop), queue.waiter()), name="cpaas-queue", daemon=True)
            thread.start()
    except (OSError, RuntimeError) as error:  # no file descriptor, or no thread
        raise resource_missing("", error) from error
    _queues[loop] = queue
    return queue


def _watches(loop: AbstractEventLoop, queue: CompletionQueue) -> bool:
    """Whether an event loop watches the file descriptor of its queue. The loop of Windows cannot."""
    descriptor = queue.fileno()
    if descriptor is None:
        return False
    try:
        loop.add_reader(descriptor, queue.drain)
    except NotImplementedError:
        return False
    return True


def _wake(loop_of: ref[AbstractEventLoop], waiter: CompletionWaiter) -> None:
    """Wakes an event loop that cannot watch a file descriptor. Ends with the loop: while it waits, it keeps neither the loop nor its
    queue alive."""
    while waiter.wait():
        loop = loop_of()
        if loop is None:
            return
        try:
            loop.call_soon_threadsafe(_drain, loop)
        except RuntimeError:  # the loop is closed
            return
        del loop


def _drain(loop: AbstractEventLoop) -> None:
    queue = _queues.get(loop)
    if queue is not None:
        queue.drain()
