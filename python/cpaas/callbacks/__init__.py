"""Callbacks: receives and verifies delivery reports, inbound messages and webhook events.

`Receiver` does no I/O, so that it works with any web framework. `asgi` and `wsgi` create an application from it.
"""

from .._cpaas import Pending, Received, Template, token_url
from ._apps import MAX_BODY
from ._duplicates import Duplicates, LeaseStore, Store
from ._factories import asgi, wsgi
from ._intent import Intent, intent
from ._receiver import CallbackRejected, Keyring, Receiver, endpoint
from ._receiver import Handler as Handler
from ._receiver import Headers as Headers
from ._receiver import Purpose as Purpose
from ._receiver import Source as Source

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
