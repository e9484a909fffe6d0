"""Walking over pages."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Generator
    from typing import Any


def follow(fetch: Callable[[int | None], Any], page: int | None) -> Any:
    """A page that, iterated over, fetches those behind it."""
    result = fetch(page)
    object.__setattr__(result, "_fetch", fetch)
    return result


class AsyncPages:
    """A page to await, or records to go through with `async for`."""

    __slots__ = ("_fetch", "_page")

    def __init__(self, fetch: Callable[[int | None], Awaitable[Any]], page: int | None) -> None:
        self._fetch = fetch
        self._page = page

    if TYPE_CHECKING:

        def __class_getitem__(cls, item: Any) -> Any: ...

    def __await__(self) -> Generator[Any, None, Any]:
        return self._fetch(self._page).__await__()

    async def __aiter__(self) -> AsyncIterator[Any]:
        page = await self._fetch(self._page)
        seen = 0
        while page is not None:
            for item in page.items:
                yield item
            seen += len(page.items)
            number = page._next(seen)
            page = None if number is None else await self._fetch(number)
