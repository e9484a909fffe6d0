"""The boundary of the package: an exception leaves a public function without the values of the caller.

The frames of a traceback keep their local variables, and error reporters record them. See `PublicFunction`.
"""

from ._cpaas import PublicFunction, leave


def public(function, wrong_arguments=None):
    """Decorates a public function or method. Exceptions leave it without the local variables of this package.

    `wrong_arguments` creates the exception for arguments that do not fit the parameters.
    """
    flags = function.__code__.co_flags
    runner = next((runner for flag, runner in _RUNNERS.items() if flags & flag), None)
    method = PublicFunction(function, runner, wrong_arguments)
    # The last four are those by which `inspect` recognizes a function.
    for name in (
        "__annotations__",
        "__doc__",
        "__module__",
        "__name__",
        "__qualname__",
        "__code__",
        "__defaults__",
        "__globals__",
        "__kwdefaults__",
    ):
        setattr(method, name, getattr(function, name))
    method.__wrapped__ = function
    return method


def public_methods(cls):
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
        elif hasattr(value, "__code__") and type(value) is not PublicFunction:
            setattr(cls, name, public(value))
    return cls


def _of_any_object(function):
    """The function of a repr. It never raises for an object that lacks members, such as `self` of a constructor that failed."""

    def text(self):
        try:
            return function(self)
        except AttributeError:
            return f"<{type(self).__module__}.{type(self).__qualname__}>"

    text.__name__, text.__qualname__ = function.__name__, function.__qualname__
    return text


_SPECIAL = ("__init__", "__call__", "__iter__", "__aiter__", "__getitem__", "__arrow_c_stream__")


async def _awaited(call):
    try:
        return await call()
    except BaseException as error:
        leave(error)
        raise


def _iterated(call):
    try:
        return (yield from call())
    except BaseException as error:
        leave(error)
        raise


async def _iterated_async(call):
    items = call()
    item = None
    try:
        async for item in items:
            yield item
    except BaseException as error:
        item = None
        leave(error)
        raise


# By the flags of the code: CO_COROUTINE, CO_GENERATOR, CO_ASYNC_GENERATOR.
_RUNNERS = {0x80: _awaited, 0x20: _iterated, 0x200: _iterated_async}
