"""Groups of the operations of a client, such as `client.sms`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar
from weakref import ReferenceType, ref

from ._arguments import wrong_arguments
from ._public import public

Function = TypeVar("Function", bound=Callable[..., Any])


def checked(function: Function) -> Function:
    """Decorates a public method: an unknown or missing argument raises `cpaas.InvalidType`."""
    return public(function, _wrong_arguments_of_method)


def _wrong_arguments_of_method(
    owner: object, function: Callable[..., Any], keywords: Mapping[str, Any], error: TypeError
) -> Exception:
    path = owner._path if isinstance(owner, OperationGroup) else "client"
    return wrong_arguments(f"{path}.{function.__name__}", function, keywords, error)


# The method that sends has this name in the packages of other providers.
_OTHER_NAME_OF_SEND = "create"
_CHAT_AND_SMS = "client.sms.send for an SMS, client.messages.send for a chat message"


class OperationGroup:
    """The base class of a group of operations."""

    # The group as an expression, such as `client.sms`; the generated class of each group sets it.
    _path: ClassVar[str] = "client"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, value in list(cls.__dict__.items()):
            if hasattr(value, "__code__") and (name == "__call__" or not name.startswith("_")):
                setattr(cls, name, checked(value))

    # The client of the group, which refers to it weakly, so that no cycle keeps the client alive.
    _client: ReferenceType[Any] | None = None

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call

    # Type checkers report misspelled names only if they do not see this function.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            message = f"{self._path} has no attribute {name!r}"
            if name == _OTHER_NAME_OF_SEND and hasattr(self, "send"):
                is_chat = self._path == "client.messages"
                message += f"; use {_CHAT_AND_SMS if is_chat else f'{self._path}.send'}"
            raise AttributeError(message, name=name, obj=self)

    def __reduce__(self) -> tuple[Any, ...]:
        client = None if self._client is None else self._client()
        if client is None:
            raise TypeError(
                f"{self._path} cannot be pickled, because its client does not exist any more; keep the client, or pickle it"
            )
        return attrgetter(self._path.partition(".")[2]), (client,)

    def __repr__(self) -> str:
        names = (name for name in dir(self) if not name.startswith("_"))
        return f"<{self._path}: {', '.join(names)}>"


AnyGroup = TypeVar("AnyGroup", bound=OperationGroup)


class group_property(Generic[AnyGroup]):
    """The descriptor of a group. A client creates its group at the first use. On the class, the attribute is a group without a
    client, so that `help`, editors and mocks see the methods."""

    def __init__(self, kind: type[AnyGroup]) -> None:
        self._kind = kind
        self.__doc__ = kind.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, client: Any, owner: type | None = None) -> AnyGroup:
        if client is None:
            return self._kind(_no_client)
        group: AnyGroup = self._kind(client._call)
        reference = ref(client)
        for part in (group, *group.__dict__.values()):
            if isinstance(part, OperationGroup):
                part._client = reference
        client.__dict__[self._name] = group
        return group


def _no_client(*arguments: object) -> Any:
    raise TypeError("an operation needs a client: cpaas.Client().sms.send(…)")
