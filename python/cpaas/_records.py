"""The base classes of the records that calls return.

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal, NoReturn, TypeVar

from ._cpaas import Response, to_json
from ._errors import Problem, bad_value
from ._public import public_methods

_M = TypeVar("_M", bound="Model")
_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_set = object.__setattr__

# The default of required members, which every response has. A test can create a record without some of them.
REQUIRED: Any = None


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
        """Returns a copy with changed members.

        Args:
            changes: The new values, by the names of the attributes.

        Raises:
            TypeError: The record has no such attribute.
        """
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
        """Returns the members as a dict, without absent members. Nested records are dicts too.

        Args:
            by: Whether the keys are the names of the specification ("wire") or of the attributes ("python"). With "python", the
                key `extra` has the undocumented members; with "wire", they are among the others.

        Raises:
            cpaas.Invalid: `by` is neither.
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
        """Creates a record from a dict with the names of the specification; unknown members become `extra`.

        Args:
            data: The members, by the names of the specification.

        Raises:
            TypeError: `data` is not a mapping.
        """
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
    """The response, the id and the warnings of a call."""

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
    def call_id(self) -> str | None:
        """The id of the call: 32 hexadecimal digits, the same as in its log lines, in the events of hooks and in spans. None without a
        response."""
        return self.response.call_id if self.response else None

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


class Records(HasResponse, tuple[_T_co, ...]):
    """The result of a call that returns a list: a tuple, with its response and warnings."""

    __module__ = "cpaas.models"

    _response: Response | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._restored, (tuple(self), self.response)

    @classmethod
    def _restored(cls, values: tuple[Any, ...], response: Response | None) -> "Records[Any]":
        """Creates a list of results, for a pickle; called by the native module."""
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
