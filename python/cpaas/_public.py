"""The boundary of the package: an exception leaves a public function without the values of the caller.

The frames of a traceback keep their local variables, and error reporters record them.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar, cast

from ._cpaas import enter, leave, printable, returned

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)
WrongArguments = Callable[[Any, Callable[..., Any], Mapping[str, Any], TypeError], Exception]


def public(function: Function, wrong_arguments: WrongArguments | None = None) -> Function:
    """Decorates a public function or method. Exceptions leave it without the local variables of this package.

    `wrong_arguments` creates the exception for arguments that do not fit the parameters.
    """
    flags = function.__code__.co_flags
    decorate = next((decorate for flag, decorate in _KINDS.items() if flags & flag), _function)
    method = decorate(function, wrong_arguments)
    for name in ("__annotations__", "__doc__", "__module__", "__name__", "__qualname__"):
        setattr(method, name, getattr(function, name))
    if "." not in function.__qualname__ and "._cli" not in function.__module__:
        # The module that users import, for pickles of functions: `cpaas` instead of `cpaas._errors`. No such module has the functions of
        # the command.
        method.__module__ = function.__module__.partition("._")[0]
    method.__dict__.update(__wrapped__=function, _is_public=True)
    return cast(Function, method)


# A frame that an exception leaves is not cleared while it runs: it deletes the arguments itself.
def _function(function: Callable[..., Any], wrong_arguments: WrongArguments | None) -> Callable[..., Any]:
    def method(*arguments: Any, **keywords: Any) -> Any:
        scope = None
        try:
            scope = enter()
            return returned(scope, function(*arguments, **keywords))
        except BaseException as error:
            wrong = _wrong(error, function, wrong_arguments, arguments, keywords)
            del arguments, keywords
            leave(error, scope)
            if wrong is not None:
                try:
                    raise wrong from None  # the error quotes the names of the arguments as they are
                finally:
                    del (
                        wrong
                    )  # its traceback has this frame, and all callers would live until a collection of cycles
            raise

    return method


def _coroutine_function(
    function: Callable[..., Any], wrong_arguments: WrongArguments | None
) -> Callable[..., Any]:
    async def method(*arguments: Any, **keywords: Any) -> Any:
        try:
            return await function(*arguments, **keywords)
        except BaseException as error:
            wrong = _wrong(error, function, wrong_arguments, arguments, keywords)
            del arguments, keywords
            leave(error)
            if wrong is not None:
                try:
                    raise wrong from None  # the error quotes the names of the arguments as they are
                finally:
                    del (
                        wrong
                    )  # its traceback has this frame, and all callers would live until a collection of cycles
            raise

    return method


def _generator_function(function: Callable[..., Any], _: WrongArguments | None) -> Callable[..., Any]:
    def method(*arguments: Any, **keywords: Any) -> Generator[Any, Any, Any]:
        try:
            return (yield from function(*arguments, **keywords))
        except BaseException as error:
            del arguments, keywords
            leave(error)
            raise

    return method


def _async_generator_function(function: Callable[..., Any], _: WrongArguments | None) -> Callable[..., Any]:
    async def method(*arguments: Any, **keywords: Any) -> AsyncGenerator[Any, Any]:
        item = None
        try:
            async for item in function(*arguments, **keywords):
                yield item
        except BaseException as error:
            del arguments, keywords, item
            leave(error)
            raise

    return method


# By the flags of the code: CO_COROUTINE, CO_GENERATOR, CO_ASYNC_GENERATOR.
_KINDS = {0x80: _coroutine_function, 0x20: _generator_function, 0x200: _async_generator_function}


def _wrong(
    error: BaseException,
    function: Callable[..., Any],
    wrong_arguments: WrongArguments | None,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
) -> Exception | None:
    """The exception for wrong arguments, or None. Without a second entry in the traceback, the function did not run."""
    if not isinstance(error, TypeError):
        return None
    if error.__traceback__ is None or error.__traceback__.tb_next is not None:
        return None
    if wrong_arguments is None:
        return type(error)(printable(_with_public_name(str(error), function, arguments)))
    return wrong_arguments(arguments[0] if arguments else None, function, keywords, error)


def _with_public_name(message: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    """The message about wrong arguments: with the class of the object instead of a base class, and with the keyword that was meant."""
    qualified, _, rest = message.partition("() ")
    base, _, method = qualified.rpartition(".")
    if not rest or not base:
        return message
    owner = arguments[0] if arguments else None
    kind = owner if isinstance(owner, type) else type(owner)
    if any(cls.__qualname__ == base for cls in kind.__mro__):
        base = kind.__qualname__
    name = base if method == "__init__" else f"{base}.{method}"
    unknown = rest.partition("unexpected keyword argument '")[2].rstrip("'")
    code = function.__code__
    near = get_close_matches(unknown, code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], 1)
    if unknown and near and "Did you mean" not in rest:  # Python 3.12 and older
        rest += f". Did you mean {near[0]!r}?"
    return f"{name}() {rest}"


def public_methods(cls: Class) -> Class:
    """Decorates a class: its constructor, and all methods whose names do not start with `_`.

    The repr of an object whose constructor failed is that of its class.
    """
    for name, value in list(cls.__dict__.items()):
        if name in ("__repr__", "__str__"):
            setattr(cls, name, _of_any_object(value))
        if name.startswith("_") and name not in _SPECIAL:
            continue
        if isinstance(value, (classmethod, staticmethod)):
            setattr(cls, name, type(value)(public(value.__func__)))
        elif hasattr(value, "__code__") and "_is_public" not in value.__dict__:
            setattr(cls, name, public(value))
    return cls


def _of_any_object(function: Callable[[Any], str]) -> Callable[[Any], str]:
    """The function of a repr. It never raises for an object that lacks members, such as `self` of a constructor that failed."""

    def text(self: object) -> str:
        try:
            return function(self)
        except AttributeError:
            return f"<{type(self).__module__}.{type(self).__qualname__}>"

    text.__name__, text.__qualname__ = function.__name__, function.__qualname__
    return text


_SPECIAL = ("__init__", "__call__", "__iter__", "__aiter__", "__getitem__", "__arrow_c_stream__")
