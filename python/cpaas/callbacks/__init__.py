"""Callbacks: receives and verifies delivery reports, inbound messages and webhook events.

`Receiver` does no I/O, so that it works with any web framework. `asgi` and `wsgi` create an application from it.
"""

from .._cpaas import Pending, Received, Template, token_url
from .apps import MAX_BODY
from .duplicates import Duplicates, LeaseStore, Store
from .factories import asgi, wsgi
from .intent import Intent, intent
from .receiver import CallbackRejected, Keyring, Receiver, endpoint
from .receiver import Handler as Handler
from .receiver import Headers as Headers
from .receiver import Purpose as Purpose
from .receiver import Source as Source

__all__ = [
    "MAX_BODY",
    "CallbackRejected",
    "Duplicates",
    "Intent",
    "Keyring",
    "LeaseStore",
    "Pending",
    "Received",
    "Receiver",
    "Store",
    "Template",
    "asgi",
    "endpoint",
    "intent",
    "token_url",
    "wsgi",
]
