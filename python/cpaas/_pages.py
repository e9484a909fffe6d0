"""Pages of records, and iteration over all pages of a list.

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from ._cpaas import PageCursor
from ._generated.metadata import OPERATIONS
from ._public import public, public_methods
from ._records import Result
from ._typing import Self

_T = TypeVar("_T")
_P = TypeVar("_P")
_R = TypeVar("_R")
_L = TypeVar("_L", bound="Page[Any]")
_set = object.__setattr__


@dataclass(slots=True, repr=False, eq=False)
class Link:
    """The call that returned a page. The link of an unpickled page has no `call`, and its `operation` is a name."""

    __module__ = "cpaas.models"

    call: Callable[..., Any] | None
    operation: int | str
    request: Any
    options: tuple[Any, ...] = ()
    is_async: bool = False

    def next_request(self, page: "Page[Any]", cursor: PageCursor | None = None) -> Any:
        """The request of the page that follows, or None."""
        return (cursor or PageCursor(self.operation)).next(self.request, page.raw)

    @public
    def fetch(self, request: Any) -> Any:
        """Calls the operation; the result of an async client is awaitable."""
        assert self.call is not None
        return self.call(self.operation, request, None, *self.options)

    def __reduce__(self) -> tuple[Any, ...]:
        name = self.operation if isinstance(self.operation, str) else OPERATIONS[self.operation].id
        return Link, (None, name, self.request)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False, match_args=False)
class Page(Result, Generic[_T]):
    """A page of records. Iteration continues with the following pages: `for`, or `async for` with an `AsyncClient`.

    `len` is the number of records of this page. Iteration over a page without a client (unpickled, or created by your code)
    raises RuntimeError if there are more pages.
    """

    __module__ = "cpaas.models"

    # The path to the records.
    _items: ClassVar[tuple[str, ...]] = ()

    _more: Link | None = field(default=None, init=False)

    @property
    def items(self) -> tuple[_T, ...]:
        """The records of this page."""
        value: Any = self
        for name in self._items:
            value = getattr(value, name, None)
        return value or ()

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[_T]:
        return _walk_checked(self)

    def __aiter__(self) -> AsyncIterator[_T]:
        link = getattr(self, "_more", None)
        if link is None or not link.is_async:
            raise TypeError("use `for`: this page was not returned by an AsyncClient")
        return _walk_async(self, link)

    def next_page(self) -> Self | None:
        """Requests the following page.

        Returns:
            The following page, or None after the last page.

        Raises:
            TypeError: An `AsyncClient` returned this page.
            RuntimeError: There are more pages, but this page has no client.
            cpaas.Error: For every outcome of the request except accepted.
        """
        link = getattr(self, "_more", None)
        if link is not None and link.is_async:
            raise TypeError("use `await page.next_page_async()`: this page was returned by an AsyncClient")
        if (link := _to_next(self, link)) is None:
            return None
        request = link.next_request(self)
        return None if request is None else _following(self, link, request, link.fetch(request))

    async def next_page_async(self) -> Self | None:
        """Requests the following page with the `AsyncClient` that returned this page.

        Cancelling the task drops the request; the page can be requested again.

        Returns:
            The following page, or None after the last page.

        Raises:
            TypeError: A `Client` returned this page.
            cpaas.Error: For every outcome of the request except accepted.
            RuntimeError: There are more pages, but this page has no client; or no asyncio event loop runs.
        """
        link = getattr(self, "_more", None)
        if link is not None and not link.is_async and link.call is not None:
            raise TypeError("use `page.next_page()`: this page was not returned by an AsyncClient")
        if (link := _to_next(self, link)) is None:
            return None
        request = link.next_request(self)
        return None if request is None else _following(self, link, request, await link.fetch(request))


def first_page(
    call: Callable[..., Any], operation: int, request: dict[str, Any], extra: Any, *options: Any
) -> Any:
    """Fetches a page; iteration over it fetches the following pages."""
    request = _given(request, extra)
    return linked(call(operation, request, None, *options), Link(call, operation, request, options))


def linked(page: Any, link: Link) -> Any:
    """Returns the result of a call. If the result is a page, adds the link to the following pages."""
    if isinstance(page, Page):
        _set(page, "_more", link)
    return page


NO_CLIENT = (
    "there are more pages, but this page has no client, because it was unpickled or created by your code: "
    "use `page.items`, or request the list again"
)


def _walk_checked(page: Page[Any]) -> Iterator[Any]:
    """Returns an iterator over the records of a page and of the following pages."""
    link = getattr(page, "_more", None)
    if link is not None and link.is_async:
        raise TypeError(
            "use `async for` for the records of all pages, or `page.items` for those of this page"
        )
    if link is None or link.call is None:
        if _has_more(page, link):
            raise RuntimeError(NO_CLIENT)
        return iter(page.items)
    return _walk(page, link)


def _to_next(page: Page[Any], link: Link | None) -> Link | None:
    """The link of a page, or None if it has no client and no page can follow."""
    if link is not None and link.call is not None:
        return link
    if _has_more(page, link):
        raise RuntimeError(NO_CLIENT)
    return None


def _following(_: _L, link: Link, request: Any, page: Any) -> _L:
    """The page that follows, which has the type of its predecessor."""
    following: _L = linked(page, Link(link.call, link.operation, request, link.options, link.is_async))
    return following


@public
def _walk(page: Page[Any], link: Link) -> Iterator[Any]:
    yield from page.items
    cursor, request = PageCursor(link.operation), link.request
    while (request := cursor.next(request, page.raw)) is not None:
        page = link.fetch(request)
        yield from page.items


@public
async def _walk_async(page: Page[Any], link: Link) -> AsyncIterator[Any]:
    for item in page.items:
        yield item
    cursor, request = PageCursor(link.operation), link.request
    while (request := cursor.next(request, page.raw)) is not None:
        page = await link.fetch(request)
        for item in page.items:
            yield item


def _has_more(page: Page[Any], link: Link | None) -> bool:
    if link is not None and page.raw:
        return link.next_request(page) is not None
    data = getattr(page, "data", page)
    return getattr(data, "next_page_uri", None) is not None or (getattr(data, "total", 0) or 0) > len(
        page.items
    )


@public_methods
class AsyncPaginator(Generic[_P, _R]):
    """Awaitable: fetches one page. Async iterable: yields the records of all pages."""

    __module__ = "cpaas.models"
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

    def __await__(self) -> Generator[Any, None, _P]:
        return self._first().__await__()

    @public
    async def _first(self) -> _P:
        link = Link(self._call, self._operation, self._request, self._options, is_async=True)
        page: _P = linked(await self._fetch(self._request), link)
        return page

    def _fetch(self, request: Any) -> Awaitable[Any]:
        return self._call(self._operation, request, None, *self._options)

    async def __aiter__(self) -> AsyncIterator[_R]:
        cursor = PageCursor(self._operation)
        request: Any = self._request
        while request is not None:
            page = await self._fetch(request)
            for item in page.items:
                yield item
            request = cursor.next(request, page.raw)


def _given(request: dict[str, Any], extra: Any) -> dict[str, Any]:
    request = {name: value for name, value in request.items() if value is not None}
    if extra is not None:
        request["extra"] = extra
    return request
