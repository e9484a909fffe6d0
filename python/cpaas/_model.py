"""What the classes of answers share."""

_set = object.__setattr__


class Model:
    """A read-only record. `extra` holds members that the specification does not show."""

    __slots__ = ("extra",)
    __match_args__ = ()
    _fields = {}
    _shown = frozenset()

    def __init__(self, *, extra=None, **members):
        for name in self._fields:
            _set(self, name, _frozen(members.pop(name, None)))
        if members:
            raise TypeError(f"{type(self).__name__} has no member {next(iter(members))!r}")
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
        """A copy with other values for the members named."""
        members = {name: getattr(self, name) for name in self._fields}
        return type(self)(**{**members, "extra": self.extra, **changes})

    __replace__ = replace

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _restore, (type(self), self._values(), self.extra, None)

    def to_dict(self):
        """The members by their names on the wire; absent ones are left out."""
        out = {}
        for name, (wire, _) in self._fields.items():
            value = getattr(self, name)
            if value is not None:
                out[wire] = _plain(value)
        out.update(self.extra)
        return out

    @classmethod
    def from_dict(cls, data):
        """From members by their names on the wire; unknown ones go to `extra`."""
        rest = dict(data)
        members = {}
        for name, (wire, nested) in cls._fields.items():
            value = rest.pop(wire, None)
            members[name] = _filled(value, nested) if nested else value
        return cls(extra=rest, **members)

    def to_json(self):
        """The members by their names on the wire, as JSON text."""
        from ._cpaas import to_json

        return to_json(self.to_dict())


class Result(Model):
    """An answer: the record, and what came with it."""

    __slots__ = ("_response",)

    def __init__(self, *, extra=None, **members):
        super().__init__(extra=extra, **members)
        _set(self, "_response", None)

    def __reduce__(self):
        return _restore, (type(self), self._values(), self.extra, self.response)

    @property
    def response(self):
        """Status, headers and body as they came; None for a record made by hand or nested."""
        return getattr(self, "_response", None)

    @property
    def raw(self):
        """The body of the answer, untouched."""
        return self.response.body if self.response else b""

    @property
    def headers(self):
        """The headers of the answer, names in lower case."""
        return self.response.headers if self.response else {}

    @property
    def warnings(self):
        """What validation found worth knowing."""
        return self.response.warnings if self.response else ()


class Page(Result):
    """One page of records; iterating goes on over the pages behind it."""

    __slots__ = ("_more",)
    _items = ()

    @property
    def items(self):
        """The records of this page."""
        value = self
        for name in self._items:
            value = getattr(value, name, None)
        return value or ()

    def __iter__(self):
        from ._pages import walk

        return walk(self, getattr(self, "_more", None))


class Records(tuple):
    """A list that is an answer: a tuple, and what came with it."""

    _response = None
    response = Result.response
    raw = Result.raw
    headers = Result.headers
    warnings = Result.warnings

    def __reduce__(self):
        return _records, (tuple(self), self.response)


def code_ok(self):
    """Whether the code is 200: False only for a code that `otp.verify` found wrong."""
    # A result that was read from the provider's records has no code.
    return self.code is None or self.code == 200


def _records(values, response):
    records = Records(values)
    records._response = response
    return records


def _restore(cls, values, extra, response):
    self = cls.__new__(cls)
    for name, value in zip(cls._fields, values):
        _set(self, name, value)
    _set(self, "extra", extra)
    if issubclass(cls, Result):
        _set(self, "_response", response)
    return self


def _frozen(value):
    return tuple(_frozen(item) for item in value) if isinstance(value, (list, tuple)) else value


def _hashable(value):
    if isinstance(value, dict):
        return tuple(sorted((key, _hashable(item)) for key, item in value.items()))
    return tuple(map(_hashable, value)) if isinstance(value, (list, tuple)) else value


def _plain(value):
    if isinstance(value, Model):
        return value.to_dict()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _filled(value, nested):
    if isinstance(value, dict):
        return nested.from_dict(value)
    return [_filled(item, nested) for item in value] if isinstance(value, (list, tuple)) else value
