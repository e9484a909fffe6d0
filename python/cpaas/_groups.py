"""Groups of the operations of a client, such as `client.sms`."""

from ._public import public


def checked(function):
    """Decorates a public method: an unknown or missing argument raises `cpaas.InvalidType`."""
    return public(function, _wrong_arguments)


def _wrong_arguments(owner, function, keywords, error):
    from ._arguments import wrong_arguments

    path = owner.__doc__.strip("`") if isinstance(owner, Operations) else "client"
    return wrong_arguments(f"{path}.{function.__name__}", function, keywords or {}, error)


class Group:
    """The descriptor of a group. A client creates its group at the first use. On the class, the attribute is a group without a
    client, so that `help`, editors and mocks see the methods."""

    def __init__(self, kind):
        self._kind = kind
        self.__doc__ = kind.__doc__

    def __set_name__(self, owner, name):
        self._name = name

    def __get__(self, client, owner=None):
        if client is None:
            return self._kind(None)
        group = client.__dict__[self._name] = self._kind(client._call)
        return group


class Operations:
    """The base class of a group of operations."""

    def __init_subclass__(cls):
        for name, value in list(cls.__dict__.items()):
            if hasattr(value, "__code__") and (name == "__call__" or not name.startswith("_")):
                setattr(cls, name, checked(value))

    def __init__(self, call):
        self._call = call

    def __repr__(self):
        names = (name for name in dir(self) if not name.startswith("_"))
        return f"<{(self.__doc__ or '').strip('`')}: {', '.join(names)}>"


class SendMany(Operations):
    """A group of operations whose `send` sends one message."""

    _send = ""  # the id of the operation of `send`

    def __class_getitem__(cls, result):
        return cls

    def send_many(self, rows, concurrency=64, *, rate=None, on_result=None, progress=False):
        """Sends a message for each row, many at a time, and returns the results in the order of the rows.

        For scripts that need no journal: if the process ends, there is no record of the sent rows. `cpaas.Campaign` keeps one.
        A failed row does not raise an exception; its result contains the outcome and the exception.

        If `rows` or `on_result` raises, or Ctrl-C or the cancellation of the task interrupts it, no further row starts, and the
        exception is raised after the rows in progress have ended. Its attribute `results` is the list of the results so far. A
        second Ctrl-C or cancellation does not wait; then a row in progress is "unknown", unless the abandoned call proves its outcome.
        `asyncio.timeout` and `asyncio.run` raise another exception, whose `__cause__` or `__context__` has the results, unless
        `asyncio.run` is interrupted twice.

        Args:
            rows: Mappings with the arguments of `send`, such as the rows of `csv.DictReader`. Names of the specification,
                such as `from`, are accepted too. The sync method reads them on threads of its own.
            concurrency: The maximum number of calls at a time, 1 to 1,000.
            rate: The maximum number of rows that start in a second; None does not limit it.
            on_result: A function that receives each `SendResult` when its row ends, on the calling thread.
            progress: Where to show the progress, if this is a terminal: True for stderr, or a file such as `sys.stdout`.

        Raises:
            cpaas.Invalid: `rows`, `concurrency` or `rate` is invalid; nothing was sent.
        """
        from ._send_many import send_many

        return send_many(self.send, self._send, rows, concurrency, rate, on_result, progress)


class AsyncSendMany(Operations):
    """A group of operations of an `AsyncClient`: `send_many` is a coroutine."""

    _send = ""
    __class_getitem__ = SendMany.__dict__["__class_getitem__"]

    async def send_many(self, rows, concurrency=64, *, rate=None, on_result=None, progress=False):
        from ._send_many import send_many_async

        return await send_many_async(self.send, self._send, rows, concurrency, rate, on_result, progress)

    send_many.__doc__ = SendMany.send_many.__doc__


def bind(client, call):
    """Sets the function that the groups of a client call."""
    for name, value in list(client.__dict__.items()):
        if isinstance(value, Operations):
            del client.__dict__[name]
    client._call = call


group = Group
