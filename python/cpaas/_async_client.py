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
    from collections.abc import Awaitable, Callable, Mapping
    from types import TracebackType
    from typing import Any, Literal, TypeVar

    from ._cpaas import Native, Response

    Self = TypeVar("Self", bound="AsyncClient")

_ports: WeakKeyDictionary[AbstractEventLoop, Port] = WeakKeyDictionary()


class AsyncClient(AsyncOperations, Base):
    """Calls the provider from asyncio.

    Several event loops may share it, one after the other or side by side. To cancel a task drops its
    request. Close it with `aclose`, or use it in an `async with` statement.
    """

    _kind = "AsyncClient"

    def _open(self, parent: Native | None) -> None:
        super()._open(parent)
        self._bind(_caller(self._native))

    async def call(
        self,
        operation: str,
        request: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        deadline: float | None = None,
        validate: Literal["strict", "warn", "off"] | None = None,
    ) -> Any:
        """Calls an operation by its name, with the specification's names in the request."""
        request = {} if request is None else request
        return await _caller(self._native)(operation, request, None, timeout, deadline, validate)

    async def call_raw(
        self,
        method: str,
        family: Literal["otp", "sms", "lookup", "messaging", "messenger_b", "bot"],
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
        timeout: float | None = None,
        deadline: float | None = None,
    ) -> Response:
        """Calls an endpoint that no method covers, with the family's address and credentials."""
        request = {
            "method": method,
            "family": family,
            "path": path,
            "query": query,
            "headers": headers,
            "body": body,
        }
        return await _caller(self._native)("raw", request, None, timeout, deadline, None)  # type: ignore[no-any-return]

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


def _caller(native: Native) -> Callable[..., Awaitable[Any]]:
    """What the methods call: bound to the native client alone, so that no cycle keeps the client."""

    async def call(operation: int | str, request: Any, *options: Any) -> Any:
        loop = get_running_loop()
        port = _ports.get(loop)
        if port is None or port.pid != getpid():
            port = _open(loop)
        future = loop.create_future()
        key = native.start(port, future, operation, request, *options)
        try:
            return await future
        except (CancelledError, GeneratorExit) as error:
            port.abandon(key, error)
            raise

    return call


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
    while True:
        port.wait()
        try:
            loop.call_soon_threadsafe(port.drain)
        except RuntimeError:  # the loop is closed
            return
