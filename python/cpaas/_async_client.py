"""The client for asyncio."""

from __future__ import annotations

from asyncio import CancelledError, get_running_loop
from os import getpid
from threading import Thread
from weakref import WeakKeyDictionary

from ._async_operations import AsyncOperations
from ._client import Base
from ._cpaas import Port

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable, Mapping
    from types import TracebackType
    from typing import Any, TypeVar

    Self = TypeVar("Self", bound="AsyncClient")

_ports: WeakKeyDictionary[AbstractEventLoop, Port] = WeakKeyDictionary()


class AsyncClient(AsyncOperations, Base):
    """Calls the provider from asyncio.

    Several event loops may share it, one after the other or side by side. To cancel a task drops its
    request. Close it with `aclose`, or use it in an `async with` statement.
    """

    _kind = "AsyncClient"

    if not TYPE_CHECKING:

        def __init__(self, **settings):
            super().__init__(**settings)
            self._bind(self._start)

    async def _start(
        self,
        operation: int,
        arguments: tuple[Any, ...],
        extra: Any,
        timeout: float | None,
        deadline: float | None,
        validate: str | None,
    ) -> Any:
        loop = get_running_loop()
        port = _ports.get(loop)
        if port is None or port.pid != getpid():
            port = _open(loop)
        future = loop.create_future()
        key = self._native.start(port, future, operation, arguments, extra, timeout, deadline, validate)
        try:
            return await future
        except (CancelledError, GeneratorExit):
            port.abandon(key)
            raise

    async def call(
        self,
        operation: str,
        request: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        deadline: float | None = None,
        validate: str | None = None,
    ) -> Any:
        """Calls an operation by its name, with the specification's names in the request."""
        loop = get_running_loop()
        port = _ports.get(loop)
        if port is None or port.pid != getpid():
            port = _open(loop)
        future = loop.create_future()
        key = self._native.start_named(port, future, operation, request or {}, timeout, deadline, validate)
        try:
            return await future
        except (CancelledError, GeneratorExit):
            port.abandon(key)
            raise

    async def aclose(self) -> None:
        """Lets go of the connections. Closing twice does no harm."""
        self._native.close()

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()


def _open(loop: AbstractEventLoop) -> Port:
    """The port of a loop that has none yet."""
    port = Port()
    try:
        loop.add_reader(port.fileno(), port.drain)
    except NotImplementedError:
        Thread(target=_watch, args=(loop, port), name="cpaas-port", daemon=True).start()
    _ports[loop] = port
    return port


def _watch(loop: AbstractEventLoop, port: Port) -> None:
    """Wakes a loop that cannot watch a file descriptor."""
    call: Callable[..., Any] = loop.call_soon_threadsafe
    while True:
        port.wait()
        try:
            call(port.drain)
        except RuntimeError:  # the loop is closed
            return
