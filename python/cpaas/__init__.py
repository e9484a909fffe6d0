"""One-time passcodes, SMS, number lookup, chat channels and callbacks of one messaging provider.

`Client` and `AsyncClient` call the provider. `Sandbox` simulates the provider on this machine, for tests.
"""

from ._client import Client
from ._cpaas import __version__

_LAZY = {
    "AcceptedIdUnknown": "_errors",
    "AcceptedIdUnknownTimeout": "_errors",
    "AsyncClient": "_async_client",
    "Error": "_errors",
    "Event": "_event",
    "Forbidden": "_errors",
    "Invalid": "_errors",
    "InvalidType": "_errors",
    "LimitExists": "_errors",
    "MarkupError": "_text",
    "NotSent": "_errors",
    "NotSentTimeout": "_errors",
    "OutcomeUnknown": "_errors",
    "OutcomeUnknownTimeout": "_errors",
    "Problem": "_errors",
    "RateLimited": "_errors",
    "Rejected": "_errors",
    "Report": "_errors",
    "Sandbox": "_sandbox",
    "TextError": "_text",
    "TransportError": "_errors",
    "Unauthorized": "_errors",
    "UnknownLimit": "_errors",
    "UnknownWorkflow": "_errors",
    "WorkflowExists": "_errors",
    "annotate": "_text",
    "check": "_text",
    "check_number": "_numbers",
    "check_sender": "_numbers",
    "count_segments": "_text",
    "escape_markup": "_text",
    "estimate": "_text",
    "normalize_number": "_numbers",
    "parse_markup": "_text",
    "segments": "_text",
    "validate": "_text",
}
_MODULES = ("callbacks", "models", "types")

__all__ = [
    "Client",
    "__version__",
    *_LAZY,
    *_MODULES,
]


def __getattr__(name):
    if name in _LAZY:
        value = getattr(_load(_LAZY[name]), name)
    elif name in _MODULES:
        value = _load(name)
    else:
        raise AttributeError(f"module 'cpaas' has no attribute {name!r}")
    globals()[name] = value
    return value


def _load(name):
    return __import__(f"cpaas.{name}", None, None, ("*",))


def __dir__():
    return sorted({*globals(), *__all__})
