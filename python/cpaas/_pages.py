"""Iteration over the pages of a list."""

from ._cpaas import Pages
from ._public import public, public_methods


class Link:
    """The call that returned a page. The link of an unpickled page has no `call`, and its `operation` is a name."""

    __slots__ = ("call", "is_async", "operation", "options", "request")

    def __init__(self, call, operation, request, options=(), is_async=False):
        self.call = call
        self.operation = operation
        self.request = request
        self.options = options
        self.is_async = is_async

    def next_request(self, page, pages=None):
        return (pages or Pages(self.operation)).next(self.request, page.raw)

    @public
    def fetch(self, request):
        return self.call(self.operation, request, None, *self.options)

    def __reduce__(self):
        name = self.operation
        if not isinstance(name, str):
            from ._operation_metadata import OPERATIONS

            name = OPERATIONS[name][0]
        return Link, (None, name, self.request)


def follow(call, operation, request, extra, *options):
    """Fetches a page; iteration over it fetches the following pages."""
    request = _given(request, extra)
    return linked(call(operation, request, None, *options), Link(call, operation, request, options))


def linked(page, link):
    """Returns the result of a call. If the result is a page, adds the link to the following pages."""
    if hasattr(type(page), "_more"):
        object.__setattr__(page, "_more", link)
    return page


def walk(page):
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


def walk_async(page):
    """Returns an asynchronous iterator over the records of a page and of the following pages."""
    link = getattr(page, "_more", None)
    if link is None or not link.is_async:
        raise TypeError("use `for`: this page was not returned by an AsyncClient")
    return _walk_async(page, link)


@public
def next_page(page):
    """Returns the following page, or None after the last page."""
    link = getattr(page, "_more", None)
    if link is not None and link.is_async:
        return _next_async(page, link)
    if link is None or link.call is None:
        if _has_more(page, link):
            raise RuntimeError(NO_CLIENT)
        return None
    request = link.next_request(page)
    return None if request is None else _following(link, request, link.fetch(request))


NO_CLIENT = (
    "there are more pages, but this page has no client, because it was unpickled or created by your code: "
    "use `page.items`, or request the list again"
)


def _following(link, request, page):
    return linked(page, Link(link.call, link.operation, request, link.options, link.is_async))


@public
async def _next_async(page, link):
    request = link.next_request(page)
    return None if request is None else _following(link, request, await link.fetch(request))


@public
def _walk(page, link):
    yield from page.items
    pages, request = Pages(link.operation), link.request
    while (request := pages.next(request, page.raw)) is not None:
        page = link.fetch(request)
        yield from page.items


@public
async def _walk_async(page, link):
    for item in page.items:
        yield item
    pages, request = Pages(link.operation), link.request
    while (request := pages.next(request, page.raw)) is not None:
        page = await link.fetch(request)
        for item in page.items:
            yield item


def _has_more(page, link):
    if link is not None and page.raw:
        return link.next_request(page) is not None
    data = getattr(page, "data", page)
    return getattr(data, "next_page_uri", None) is not None or (getattr(data, "total", 0) or 0) > len(
        page.items
    )


@public_methods
class AsyncPages:
    """Awaitable: fetches one page. Async iterable: yields the records of all pages."""

    __slots__ = ("_call", "_operation", "_options", "_request")
    __class_getitem__ = classmethod(type(list[int]))

    def __init__(self, call, operation, request, extra, *options):
        self._call = call
        self._operation = operation
        self._request = _given(request, extra)
        self._options = options

    def __await__(self):
        return self._first().__await__()

    @public
    async def _first(self):
        link = Link(self._call, self._operation, self._request, self._options, is_async=True)
        return linked(await self._fetch(self._request), link)

    def _fetch(self, request):
        return self._call(self._operation, request, None, *self._options)

    async def __aiter__(self):
        pages = Pages(self._operation)
        request = self._request
        while request is not None:
            page = await self._fetch(request)
            for item in page.items:
                yield item
            request = pages.next(request, page.raw)


def _given(request, extra):
    request = {name: value for name, value in request.items() if value is not None}
    if extra is not None:
        request["extra"] = extra
    return request
