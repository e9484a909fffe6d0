"""Detects repeated callbacks, in this process or in a store that several processes share."""

from __future__ import annotations

from typing import Protocol

from . import _cpaas
from ._cpaas import Received
from ._errors import bad_type
from ._public import public_methods


class Store(Protocol):
    """A set of keys that several processes share, such as Redis or the cache of Django."""

    def swap(self, key: str, present: bool, /) -> bool:
        """Adds the key if `present` is true, otherwise removes it. Returns whether the key was present before. Must be atomic.

        Keys may expire after the time in which the provider repeats callbacks.
        """
        ...


@public_methods
class Duplicates:
    """Detects repeated callbacks.

    Args:
        capacity: The number of callbacks that this process remembers.
        store: Detects the repeats instead, for several processes; see `Store`. Its exceptions are raised, so that the
            provider repeats the callback.
    """

    __module__ = "cpaas.callbacks"

    def __init__(self, capacity: int = 100_000, *, store: Store | None = None) -> None:
        if store is not None and not callable(getattr(store, "swap", None)):
            raise bad_type(f"store must have a method swap(key, present), got {type(store).__name__}")
        self._native = _cpaas.Duplicates(capacity)
        self._store = store

    def repeats(self, received: Received, /) -> bool:
        """Returns whether this status of this message was received before, and remembers the status."""
        repeated = self._native.repeats(received)
        if self._store is None:
            return repeated
        key = _key(received)
        return key is not None and bool(self._store.swap(key, True))

    def forget(self, received: Received, /) -> None:
        """Forgets a callback whose handler failed, so that its repeat counts as new."""
        self._native.forget(received)
        if self._store is not None and (key := _key(received)) is not None:
            self._store.swap(key, False)

    def latest(self, message_id: str, /) -> str | None:
        """The most advanced status of a message that this process received."""
        return self._native.latest(message_id)

    def __len__(self) -> int:
        return len(self._native)


def _key(received: Received) -> str | None:
    """The key of a callback, a hash without personal data; None for a callback without a message id."""
    from hashlib import sha256

    if received.message_id is None:
        return None
    state = received.status if received.status is not None else received.event
    parts = (received.claims["nonce"], received.kind, received.message_id, state, received.error_code)
    return "cpaas:" + sha256(repr(parts).encode()).hexdigest()
