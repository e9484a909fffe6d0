"""The records that calls return and that hooks receive: results, pages of results, and events.

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, ClassVar, Generic, Literal, NoReturn, TypeVar

from ._cpaas import Pages, Response, to_json
from ._errors import Problem, bad_value
from ._generated.metadata import OPERATIONS
from ._public import public, public_methods

_M = TypeVar("_M", bound="Model")
_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_P = TypeVar("_P")
_R = TypeVar("_R")
_set = object.__setattr__

# The default of members that every response has, so that a test can create a record with some of them.
UNSET: Any = None


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False, match_args=False)
class Model:
    """A read-only record. `extra` contains undocumented members."""

    __module__ = "cpaas.models"

    __match_args__: ClassVar[tuple[str, ...]] = ()
    # By the name of the attribute: the name in the specification, and the class of a nested record.
    _fields: ClassVar[dict[str, tuple[str, type["Model"] | None]]] = {}
    # The attributes that `repr` shows.
    _shown: ClassVar[frozenset[str]] = frozenset()

    extra: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self._fields:
            value = getattr(self, name)
            if isinstance(value, (list, tuple)):
                _set(self, name, _frozen(value))
        _set(self, "extra", dict(self.extra or {}))

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._fields)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)) or type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values() and self.extra == other.extra

    def __hash__(self) -> int:
        return hash((type(self), _hashable(self._values())))

    def __repr__(self) -> str:
        members = []
        for name in self._fields:
            value = getattr(self, name)
            if value is not None:
                members.append(f"{name}={value!r}" if name in self._shown else f"{name}=…")
        return f"{type(self).__name__}({', '.join(members)})"

    def replace(self: _M, **changes: Any) -> _M:
        """Returns a copy with changed members."""
        members = {name: getattr(self, name) for name in self._fields}
        return type(self)(**{**members, "extra": self.extra, **changes})

    def __copy__(self: _M) -> _M:
        return self

    def __deepcopy__(self: _M, memo: dict[int, Any]) -> _M:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._restored, ({it.name: getattr(self, it.name, None) for it in fields(self)},)

    @classmethod
    def _restored(cls: type[_M], state: dict[str, Any]) -> _M:
        self = object.__new__(cls)
        for name, value in state.items():
            _set(self, name, value)
        return self

    def to_dict(self, *, by: Literal["wire", "python"] = "wire") -> dict[str, Any]:
        """Returns the members as a dict, without absent members.

        The keys are the names of the specification. With `by="python"` they are the names of the attributes, and `extra` contains
        the undocumented members.
        """
        if by not in ("wire", "python"):
            raise bad_value('by must be "wire" or "python"')
        by_wire = by == "wire"
        out: dict[str, Any] = {}
        for name, (wire, _) in self._fields.items():
            value = getattr(self, name)
            if value is not None:
                out[wire if by_wire else name] = _plain(value, by)
        if by_wire:
            out.update(self.extra)
        elif self.extra:
            out["extra"] = dict(self.extra)
        return out

    @classmethod
    def from_dict(cls: type[_M], data: Mapping[str, Any]) -> _M:
        """Creates a record from a dict with the names of the specification; unknown members become `extra`."""
        rest = dict(data)
        members = {}
        for name, (wire, nested) in cls._fields.items():
            value = rest.pop(wire, None)
            members[name] = _filled(value, nested) if nested else value
        return cls(extra=rest, **members)

    def to_json(self) -> str:
        """Returns `to_dict()` as JSON."""
        return to_json(self.to_dict())


class Secret:
    """An immutable object with secrets: a copy is the object itself, and it cannot be pickled."""

    __slots__ = ()

    def __copy__(self: _T) -> _T:
        return self

    def __deepcopy__(self: _T, memo: dict[int, Any]) -> _T:
        return self

    def __reduce__(self) -> NoReturn:
        name = type(self).__name__
        raise TypeError(
            f"a {name} cannot be pickled, because it contains secrets: create it in the other process"
        )


class HasResponse:
    """The response and the warnings of a call."""

    __slots__ = ()

    @property
    def response(self) -> Response | None:
        """The unmodified response; None for a nested record and for one that your code created."""
        return getattr(self, "_response", None)

    @property
    def raw(self) -> bytes:
        """The unmodified body of the response."""
        return self.response.body if self.response else b""

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the response, with names in lower case."""
        return self.response.headers if self.response else {}

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """The warnings about the request and the response."""
        return self.response.warnings if self.response else ()


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False, match_args=False)
class Result(HasResponse, Model):
    """The result of a call: a record, with its response and warnings."""

    __module__ = "cpaas.models"

    _response: Response | None = field(default=None, init=False)


@dataclass(slots=True, repr=False, eq=False)
class Link:
    """The call that returned a page. The link of an unpickled page has no `call`, and its `operation` is a name."""

    __module__ = "cpaas.models"

    call: Callable[..., Any] | None
    operation: int | str
    request: Any
    options: tuple[Any, ...] = ()
    is_async: bool = False

    def next_request(self, page: "Page[Any]", pages: Pages | None = None) -> Any:
        return (pages or Pages(self.operation)).next(self.request, page.raw)

    @public
    def fetch(self, request: Any) -> Any:
        assert self.call is not None
        return self.call(self.operation, request, None, *self.options)

    def __reduce__(self) -> tuple[Any, ...]:
        name = self.operation if isinstance(self.operation, str) else OPERATIONS[self.operation][0]
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

    def next_page(self) -> Any:
        """Returns the following page, or None after the last page; with an `AsyncClient`, an awaitable of it."""
        link = getattr(self, "_more", None)
        if link is not None and link.is_async:
            return _next_async(self, link)
        if link is None or link.call is None:
            if _has_more(self, link):
                raise RuntimeError(NO_CLIENT)
            return None
        request = link.next_request(self)
        return None if request is None else _following(link, request, link.fetch(request))


class Records(HasResponse, tuple[_T_co, ...]):
    """The result of a call that returns a list: a tuple, with its response and warnings."""

    __module__ = "cpaas.models"

    _response: Response | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._restored, (tuple(self), self.response)

    @classmethod
    def _restored(cls, values: tuple[Any, ...], response: Response | None) -> "Records[Any]":
        records = cls(values)
        records._response = response
        return records


def code_ok(code: int | None) -> bool:
    """Whether the code of a response reports success. A result from the records of the provider has no code."""
    return code is None or code == 200


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, (list, tuple)) else value


def _hashable(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple(sorted((key, _hashable(item)) for key, item in value.items()))
    return tuple(map(_hashable, value)) if isinstance(value, (list, tuple)) else value


def _plain(value: Any, by: Literal["wire", "python"]) -> Any:
    if isinstance(value, Model):
        return value.to_dict(by=by)
    return [_plain(item, by) for item in value] if isinstance(value, tuple) else value


def _filled(value: Any, nested: type[Model]) -> Any:
    if isinstance(value, dict):
        return nested.from_dict(value)
    return [_filled(item, nested) for item in value] if isinstance(value, (list, tuple)) else value


def follow(
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


def _following(link: Link, request: Any, page: Any) -> Any:
    return linked(page, Link(link.call, link.operation, request, link.options, link.is_async))


@public
async def _next_async(page: Page[Any], link: Link) -> Any:
    request = link.next_request(page)
    return None if request is None else _following(link, request, await link.fetch(request))


@public
def _walk(page: Page[Any], link: Link) -> Iterator[Any]:
    yield from page.items
    pages, request = Pages(link.operation), link.request
    while (request := pages.next(request, page.raw)) is not None:
        page = link.fetch(request)
        yield from page.items


@public
async def _walk_async(page: Page[Any], link: Link) -> AsyncIterator[Any]:
    for item in page.items:
        yield item
    pages, request = Pages(link.operation), link.request
    while (request := pages.next(request, page.raw)) is not None:
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
class AsyncPages(Generic[_P, _R]):
    """Awaitable: fetches one page. Async iterable: yields the records of all pages."""

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
        pages = Pages(self._operation)
        request: Any = self._request
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


@public_methods
@dataclass(frozen=True, slots=True, repr=False)
class Event:
    """The end of a call. It contains no message text, phone number, passcode or key.

    Attributes:
        operation: The id of the operation.
        outcome: The outcome; "not_verified" for a passcode that is wrong, expired, cancelled or already used; or "abandoned".
        sent: Whether the request was sent: "no", "maybe" or "yes".
        reason: The cause of an error, such as "connect"; "not_verified" for a passcode that is not valid.
        status: The HTTP status of the response.
        attempts: The number of attempts.
        elapsed: Seconds.
        reference: Your reference of the message.
        call_id: The number of the call in this process. The events of the requests of the call have the same number.
    """

    __module__ = "cpaas"

    operation: str
    outcome: str
    sent: str
    reason: str | None = None
    status: int | None = None
    attempts: int = 0
    elapsed: float = 0.0
    reference: str | None = None
    call_id: int = 0

    def __str__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        return (
            f"{self.operation}: {self.outcome}{why}, sent: {self.sent}, "
            f"attempts: {self.attempts}, {self.elapsed * 1000:.1f} ms"
        )

    def __repr__(self) -> str:
        return f"<cpaas.Event {self}>"


@public_methods
@dataclass(frozen=True, slots=True, repr=False)
class RequestEvent:
    """One HTTP request of a call, before it is sent. It contains no message text, phone number, passcode or key.

    Attributes:
        call_id: The number of the call in this process. All events of the call have the same number.
        operation: The id of the operation.
        attempt: The number of the attempt, from 1.
        method: The HTTP method.
        url: The URL without secrets: members of the path appear as `{name}`, values of the query as `REDACTED`.
        is_lookup: Whether the request looks the call up in the records of the provider, after an unknown outcome.
    """

    __module__ = "cpaas"

    call_id: int
    operation: str
    attempt: int = 1
    method: str = "POST"
    url: str = ""
    is_lookup: bool = False

    def __repr__(self) -> str:
        return f"<cpaas.{type(self).__name__} {self.operation}: attempt {self.attempt}, {self.method} {self.url}>"


@public_methods
@dataclass(frozen=True, slots=True, repr=False)
class ResponseEvent(RequestEvent):
    """The HTTP response to one request of a call. A request without a response, for example because the
    connection failed, has no such event.

    Attributes:
        status: The HTTP status.
        elapsed: Seconds from the request to the end of the response.

    It also has the attributes of `RequestEvent`.
    """

    __module__ = "cpaas"

    status: int = field(default=200, kw_only=True)
    elapsed: float = field(default=0.0, kw_only=True)


# ISO 8601, and `YYYY-MM-DD HH:MM:SS`; both are UTC if they have no offset.
_TIMESTAMP = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?(?:Z|([+-])([0-9]{2}):?([0-9]{2}))?"
)
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def as_datetime(value: Any) -> datetime | None:
    """A timestamp as an aware datetime in UTC; None if it is not a string or not a timestamp."""
    found = _TIMESTAMP.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    *numbers, fraction, sign, hours, minutes = found.groups()
    microsecond = int((fraction or "")[:6].ljust(6, "0"))
    try:
        year, month, day, hour, minute, second = map(int, numbers)
        time = datetime(year, month, day, hour, minute, second, microsecond, timezone.utc)
        if sign is None:
            return time
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        return time - offset if sign == "+" else time + offset
    except (ValueError, OverflowError):
        return None


def as_decimal(value: Any) -> Decimal | None:
    """An amount of money as a Decimal; None if it is neither a number nor a string that contains one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    if isinstance(value, str):
        return Decimal(value) if _NUMBER.fullmatch(value) else None
    amount = Decimal(str(value))  # the shortest decimal form of a float, not its binary value
    return amount if amount.is_finite() else None
