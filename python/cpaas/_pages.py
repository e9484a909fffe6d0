"""Iteration over the pages of a list."""

from ._cpaas import Pages


def follow(call, operation, request, extra, *options):
    """Fetches a page; iteration over it fetches the following pages."""
    request = _given(request, extra)
    page = call(operation, request, None, *options)
    object.__setattr__(page, "_more", (call, operation, request, options))
    return page


def walk(page, more):
    """Yields the records of a page and of the following pages."""
    yield from page.items
    if more is None:
        return
    call, operation, request, options = more
    pages = Pages(operation)
    while (request := pages.next(request, page.raw)) is not None:
        page = call(operation, request, None, *options)
        yield from page.items


class AsyncPages:
    """Awaitable: fetches one page. Async iterable: yields the records of all pages."""

    __slots__ = ("_call", "_operation", "_options", "_request")

    def __init__(self, call, operation, request, extra, *options):
        self._call = call
        self._operation = operation
        self._request = _given(request, extra)
        self._options = options

    def __await__(self):
        return self._fetch(self._request).__await__()

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
