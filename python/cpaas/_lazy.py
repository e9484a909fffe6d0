"""Modules that load when an attribute is read: annotations name them, and few programs evaluate annotations.

Also the groups of operations of a client, such as `client.sms`.
"""


class Module:
    """A module that loads at the first use."""

    __slots__ = ("_name",)

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        return getattr(__import__(self._name, None, None, ("*",)), name)


callbacks = Module("cpaas.callbacks")
datetime = Module("datetime")
typing = Module("typing")
abc = Module("collections.abc")
models = Module("cpaas.models")
types = Module("cpaas.types")
hints = Module("cpaas._hints")


class Group:
    """A group of operations. A client creates its group at the first use; the class has one without a client, which shows the
    methods to `help`, editors and mocks."""

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

    def __init__(self, call):
        self._call = call

    def __repr__(self):
        names = (name for name in dir(type(self)) if not name.startswith("_"))
        return f"<{(self.__doc__ or '').strip('`')}: {', '.join(names)}>"


def bind(client, call):
    """Sets the function that the groups of a client call."""
    for name, value in list(client.__dict__.items()):
        if isinstance(value, Operations):
            del client.__dict__[name]
    client._call = call


group = Group
