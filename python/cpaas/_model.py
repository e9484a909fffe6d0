"""The base classes of results, and of objects with secrets."""

from ._public import public_methods

_set = object.__setattr__


@public_methods
class Model:
    """A read-only record. `extra` contains undocumented members."""

    __slots__ = ("extra",)
    __match_args__ = ()
    _fields = {}
    _shown = frozenset()

    def __init__(self, *, extra=None, **members):
        for name in self._fields:
            _set(self, name, _frozen(members.pop(name, None)))
        if members:
            raise TypeError(f"{type(self).__name__} got an unknown member {next(iter(members))!r}")
        _set(self, "extra", dict(extra or {}))

    def __setattr__(self, name, value):
        raise AttributeError(f"{type(self).__name__} is read-only; use replace()")

    def __delattr__(self, name):
        raise AttributeError(f"{type(self).__name__} is read-only; use replace()")

    def _values(self):
        return tuple(getattr(self, name) for name in self._fields)

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values() and self.extra == other.extra

    def __hash__(self):
        return hash((type(self), _hashable(self._values())))

    def __repr__(self):
        members = []
        for name in self._fields:
            value = getattr(self, name)
            if value is not None:
                members.append(f"{name}={value!r}" if name in self._shown else f"{name}=…")
        return f"{type(self).__name__}({', '.join(members)})"

    def replace(self, **changes):
        """Returns a copy with changed members."""
        members = {name: getattr(self, name) for name in self._fields}
        return type(self)(**{**members, "extra": self.extra, **changes})

    __replace__ = replace

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _restore, (type(self), self._values(), self.extra, None)

    def to_dict(self, *, by="wire"):
        """Returns the members as a dict, without absent members.

        The keys are the names of the specification. With `by="python"` they are the names of the attributes, and `extra` contains
        the undocumented members.
        """
        if by not in ("wire", "python"):
            from ._errors import bad_value

            raise bad_value('by must be "wire" or "python"')
        by_wire = by == "wire"
        out = {}
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
    def from_dict(cls, data):
        """Creates a record from a dict with the names of the specification; unknown members become `extra`."""
        rest = dict(data)
        members = {}
        for name, (wire, nested) in cls._fields.items():
            value = rest.pop(wire, None)
            members[name] = _filled(value, nested) if nested else value
        return cls(extra=rest, **members)

    def to_json(self):
        """Returns `to_dict()` as JSON."""
        from ._cpaas import to_json

        return to_json(self.to_dict())


class Secret:
    """An immutable object with secrets: a copy is the object itself, and it cannot be pickled."""

    __slots__ = ()

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        name = type(self).__name__
        raise TypeError(
            f"a {name} cannot be pickled, because it contains secrets: create it in the other process"
        )


class HasResponse:
    """The response and the warnings of a call."""

    __slots__ = ()

    @property
    def response(self):
        """The unmodified response; None for a nested record and for one that your code created."""
        return getattr(self, "_response", None)

    @property
    def raw(self):
        """The unmodified body of the response."""
        return self.response.body if self.response else b""

    @property
    def headers(self):
        """The headers of the response, with names in lower case."""
        return self.response.headers if self.response else {}

    @property
    def warnings(self):
        """The warnings about the request and the response."""
        return self.response.warnings if self.response else ()


@public_methods
class Result(HasResponse, Model):
    """The result of a call: a record, with its response and warnings."""

    __slots__ = ("_response",)

    def __init__(self, *, extra=None, **members):
        super().__init__(extra=extra, **members)
        _set(self, "_response", None)

    def __reduce__(self):
        return _restore, (type(self), self._values(), self.extra, self.response)


@public_methods
class Page(Result):
    """A page of records. Iteration continues with the following pages: `for`, or `async for` with an `AsyncClient`.

    `len` is the number of records of this page. Iteration over a page without a client (unpickled, or created by your code)
    raises RuntimeError if there are more pages.
    """

    __slots__ = ("_more",)
    _items = ()

    @property
    def items(self):
        """The records of this page."""
        value = self
        for name in self._items:
            value = getattr(value, name, None)
        return value or ()

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        from ._pages import walk

        return walk(self)

    def __aiter__(self):
        from ._pages import walk_async

        return walk_async(self)

    def next_page(self):
        """Returns the following page, or None after the last page; with an `AsyncClient`, an awaitable of it."""
        from ._pages import next_page

        return next_page(self)

    def __reduce__(self):
        return _restore, (type(self), self._values(), self.extra, self.response, getattr(self, "_more", None))


class Records(HasResponse, tuple):
    """The result of a call that returns a list: a tuple, with its response and warnings."""

    _response = None

    def __reduce__(self):
        return _records, (tuple(self), self.response)


def code_ok(self):
    """Whether the code is 200.

    False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no passcode has this request
    id and service; `code` and `message` show which. Every other operation raises instead.
    """
    # A result from the records of the provider has no code.
    return self.code is None or self.code == 200


def datetime_of(name):
    """Creates a property that reads a timestamp."""

    def read(self):
        from ._conversions import as_datetime

        return as_datetime(getattr(self, name))

    return property(read, doc=f"`{name}` as a datetime in UTC; None if it is absent or unreadable.")


def decimal_of(name):
    """Creates a property that reads an amount of money."""

    def read(self):
        from ._conversions import as_decimal

        return as_decimal(getattr(self, name))

    return property(read, doc=f"`{name}` as a Decimal; None if it is absent or unreadable.")


def _records(values, response):
    records = Records(values)
    records._response = response
    return records


def _restore(cls, values, extra, response, link=None):
    self = cls.__new__(cls)
    for name, value in zip(cls._fields, values):
        _set(self, name, value)
    _set(self, "extra", extra)
    if issubclass(cls, Result):
        _set(self, "_response", response)
    if link is not None:
        _set(self, "_more", link)
    return self


def _frozen(value):
    return tuple(_frozen(item) for item in value) if isinstance(value, (list, tuple)) else value


def _hashable(value):
    if isinstance(value, dict):
        return tuple(sorted((key, _hashable(item)) for key, item in value.items()))
    return tuple(map(_hashable, value)) if isinstance(value, (list, tuple)) else value


def _plain(value, by):
    if isinstance(value, Model):
        return value.to_dict(by=by)
    return [_plain(item, by) for item in value] if isinstance(value, tuple) else value


def _filled(value, nested):
    if isinstance(value, dict):
        return nested.from_dict(value)
    return [_filled(item, nested) for item in value] if isinstance(value, (list, tuple)) else value
