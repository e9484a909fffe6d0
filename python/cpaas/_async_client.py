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

    Several event loops and threads may share it. Cancelling a task drops its request. Close the client with `aclose`, or
    use it in an `async with` statement.

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
        """Calls an operation by its id; see `Client.call`."""
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
        """Calls any endpoint, with the address and the credentials of a family; see `Client.call_raw`."""
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
        """Sends a request, unless a request with this key was sent before; see `Client.send_once`."""
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
