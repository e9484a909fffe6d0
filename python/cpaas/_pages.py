"""Walking over pages."""

from __future__ import annotations

from ._cpaas import Pages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Generator
    from typing import Any, Generic, TypeVar

    P = TypeVar("P")
    R = TypeVar("R")

    class _Generic(Generic[P, R]): ...
else:

    class _Generic:
        __slots__ = ()


def follow(
    call: Callable[..., Any], operation: int, request: dict[str, Any], extra: Any, *options: Any
) -> Any:
    """A page that, iterated over, fetches those behind it."""
    request = _given(request, extra)
    page = call(operation, request, None, *options)
    object.__setattr__(page, "_more", (call, operation, request, options))
    return page


def walk(page: Any, more: tuple[Any, ...] | None) -> Generator[Any, None, None]:
    """The records of a page and of those behind it."""
    yield from page.items
    if more is None:
        return
    call, operation, request, options = more
    pages = Pages(operation)
    while (request := pages.next(request, page.raw)) is not None:
        page = call(operation, request, None, *options)
        yield from page.items


class AsyncPages(_Generic["P", "R"] if TYPE_CHECKING else _Generic):  # type: ignore[misc]
    """A page to await, or records to go through with `async for`."""

    __slots__ = ("_call", "_operation", "_options", "_request")

    def __init__(
        self,
        call: Callable[..., Awaitable[Any]],
        operation: int,
        request: dict[str, Any],
        extra: Any,
        *options: Any,
    ) -> None:
        self._call = call
        self._operation = operation
        self._request = _given(request, extra)
        self._options = options

    def __await__(self) -> Generator[Any, None, P]:
        return self._fetch(self._request).__await__()

    def _fetch(self, request: dict[str, Any]) -> Awaitable[Any]:
        return self._call(self._operation, request, None, *self._options)

    async def __aiter__(self) -> AsyncIterator[R]:
        pages = Pages(self._operation)
        request: dict[str, Any] | None = self._request
        while request is not None:
            page = await self._fetch(request)
            for item in page.items:
                yield item
            request = pages.next(request, page.raw)


def _given(request: dict[str, Any], extra: Any) -> dict[str, Any]:
    request = {name: value for name, value in request.items() if value is not None}
    if extra is not None:
        request["extra"] = extra
    return request
