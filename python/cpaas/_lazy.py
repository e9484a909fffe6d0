"""Modules that load when one of their attributes is read. Most of them are used only by annotations, which few
programs evaluate."""


class Module:
    """A module that loads at the first use."""

    __slots__ = ("_name",)

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        return getattr(__import__(self._name, None, None, ("*",)), name)


callbacks = Module("cpaas.callbacks")
datetime = Module("datetime")
event = Module("cpaas._event")
typing = Module("typing")
abc = Module("collections.abc")
models = Module("cpaas.models")
types = Module("cpaas.types")
hints = Module("cpaas._type_hints")
