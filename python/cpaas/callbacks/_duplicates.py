"""Runs the handler of each callback once: claims in a store, in this process or shared by several processes."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from math import ceil
from os import urandom
from threading import Lock
from time import monotonic
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from .. import _cpaas
from .._arguments import duration, is_coroutine_function, text
from .._cpaas import Received
from .._errors import bad_type, bad_value
from .._public import public_methods

_METHODS = ("claim", "done", "free")
Command: TypeAlias = Literal["claim", "done", "free"]
_MIN_LEASE, _MAX_LEASE = 1.0, 86_400.0

# The time that an asynchronous application waits for one command of a store, in seconds. A store that fails after 2 seconds, as
# `LeaseStore` requires, reports its own error.
_TIME_LIMIT = 2.5

# `Retry-After` after a store failed, in seconds.
_STORE_FAILED = 5


class LeaseStore(Protocol):
    """A store of the events that are being processed or are done, for several processes.

    Each method is one atomic command and may be a coroutine function, which only `callbacks.asgi` and asynchronous views
    of Django await. A method lasts at most about 2 seconds and then raises. It measures time with the clock of the store,
    and in SQL it uses a connection of its own in autocommit mode. `docs/callbacks.md` has stores for Redis, PostgreSQL
    and SQLite.
    """

    def claim(
        self, key: str, token: str, lease: float, /
    ) -> tuple[str, float] | Awaitable[tuple[str, float]]:
        """Claims an event.

        Args:
            key: The key of the event.
            token: Identifies the request that claims it.
            lease: The time of the lease, in seconds.

        Returns:
            `("done", 0)` if the event is done; `("busy", seconds left)` if another token has a lease that has not ended;
            otherwise `("new", 0)`, and the lease starts. The token that has the lease already gets `("new", 0)` and the
            lease anew.
        """
        ...

    def done(self, key: str, token: str, keep: float, /) -> object:
        """Records that an event is done, also if another process has the lease. May be repeated.

        Args:
            key: The key of the event.
            token: The token of the claim.
            keep: The time for which the event stays done, in seconds.
        """
        ...

    def free(self, key: str, token: str, /) -> object:
        """Ends the lease of this token. Does nothing if the event is done or another token has the lease.

        Args:
            key: The key of the event.
            token: The token of the claim.
        """
        ...


class Store(Protocol):
    """A set of keys that several processes share. It has two states: a callback whose worker is killed is lost.

    Use a `LeaseStore` where you can.
    """

    def swap(self, key: str, present: bool, /) -> bool:
        """Adds or removes a key. Must be atomic.

        Keys may expire after the time in which the provider repeats callbacks.

        Args:
            key: The key of the event.
            present: Whether to add the key; otherwise it is removed.

        Returns:
            Whether the key was present before.
        """
        ...


LeaseStore.__module__ = Store.__module__ = "cpaas.callbacks"


@public_methods
class Duplicates:
    """Runs the handler of each callback once, although the provider repeats callbacks.

    An adapter, such as `callbacks.asgi`, claims the event before it calls the handler and records it as done after the
    handler returned. A repeat of an event that is done gets the response 200; a repeat of an event that is being processed
    gets 503 with `Retry-After`. If the handler fails, the claim is freed, so that the repeat runs the handler again. If the
    worker is killed, the claim ends after `lease` seconds.

    Args:
        capacity: The number of callbacks that this process remembers.
        store: Replaces the memory of this process, for several processes; see `LeaseStore` and `Store`.
        lease: The maximum time of a handler, in seconds from 1 to 86,400 or as a timedelta. Afterwards a repeat runs the
            handler again, even if the first run has not ended. A lease is not renewed.
        keep: The time for which an event that is done is remembered, in seconds or as a timedelta: at least 1 second. The
            default is 14 days.
        prefix: The start of all keys in the store. Handlers that share a store need different prefixes.

    Raises:
        cpaas.Invalid: `lease` or `keep` is out of range, or the store has only some of the methods `claim`, `done` and `free`.
    """

    __module__ = "cpaas.callbacks"

    def __init__(
        self,
        capacity: int = 100_000,
        *,
        store: LeaseStore | Store | None = None,
        lease: float | timedelta = 90.0,
        keep: float | timedelta = 1_209_600.0,
        prefix: str = "",
    ) -> None:
        self._native = _cpaas.Duplicates(capacity)
        self._lease = _lease(lease)
        self._keep = _keep(keep)
        self._prefix = text("prefix", prefix)
        self._store: Any = store  # with two or three states; None: the memory of this process
        self._leases: Any = None  # None: two states
        if store is None:
            self._leases = _Memory(capacity)
        elif _has_leases(store):
            self._leases = store

    def repeats(self, received: Received, /) -> bool:
        """Returns whether this status of this message was received before, and remembers the status.

        For programs without an adapter. An event whose handler is killed after this call is lost.

        Args:
            received: The callback.

        Raises:
            cpaas.Invalid: The store has the methods `claim`, `done` and `free`.
        """
        self._two_states("repeats")
        repeated = self._native.repeats(received)
        if self._store is None:
            return repeated
        key = self._key(received)
        return key is not None and bool(self._store.swap(key, True))

    def forget(self, received: Received, /) -> None:
        """Forgets a callback whose handler failed, so that its repeat counts as new.

        Args:
            received: The callback.

        Raises:
            cpaas.Invalid: The store has the methods `claim`, `done` and `free`.
        """
        self._two_states("forget")
        self._native.forget(received)
        key = self._key(received)
        if key is not None:
            if self._store is None:
                self._leases.forget(key)
            else:
                self._store.swap(key, False)

    def latest(self, message_id: str, /) -> str | None:
        """Returns the most advanced status of a message that this process received, or None.

        Args:
            message_id: The id of the message.
        """
        return self._native.latest(message_id)

    def __len__(self) -> int:
        return len(self._native)

    def _key(self, received: Received) -> str | None:
        key = received.key
        return None if key is None else self._prefix + key

    def _two_states(self, method: str) -> None:
        if self._store is not None and self._leases is not None:
            raise bad_value(
                f"{method} requires a store with a method swap, got one with claim, done and free"
            )


def _has_leases(store: object) -> bool:
    """Whether a store has three states.

    Raises:
        cpaas.Invalid: The store has neither all methods of three states nor that of two.
    """
    missing = [name for name in _METHODS if not callable(getattr(store, name, None))]
    if not missing:
        return True
    expected = "store must have the methods claim, done and free, or only swap"
    if len(missing) < len(_METHODS):
        raise bad_type(f"{expected}; {type(store).__name__} has no {' and no '.join(missing)}")
    swap = getattr(store, "swap", None)
    if not callable(swap):
        raise bad_type(f"{expected}, got {type(store).__name__}")
    if is_coroutine_function(swap):
        raise bad_type("store.swap must be a function, got a coroutine function, which nobody would await")
    return False


def _lease(value: Any) -> float:
    expected = "from 1 to 86,400 seconds"
    found = duration("lease", value, expected)
    if not _MIN_LEASE <= found <= _MAX_LEASE:
        raise bad_value(f"lease must be {expected}")
    return found


def _keep(value: Any) -> float:
    expected = "1 second or more"
    found = duration("keep", value, expected)
    if found < 1:
        raise bad_value(f"keep must be {expected}")
    return found


class _Memory:
    """The store in the memory of this process.

    `capacity` limits the events that are done, of which the oldest is removed, and separately the events in progress.
    """

    def __init__(self, capacity: int, clock: Callable[[], float] = monotonic) -> None:
        self._capacity = capacity
        self._clock = clock
        self._lock = Lock()
        # Both in the order of their ends, because all claims of a `Duplicates` have one lease and one retention.
        self._leases: dict[str, tuple[str, float]] = {}
        self._done: dict[str, float] = {}

    def claim(self, key: str, token: str, lease: float) -> tuple[str, float]:
        with self._lock:
            now = self._clock()
            self._sweep(now)
            if key in self._done:
                return "done", 0.0
            owner, end = self._leases.get(key, (token, now))
            if owner != token and end > now:
                return "busy", end - now
            if key not in self._leases and len(self._leases) >= self._capacity:
                return "busy", 1.0
            self._leases.pop(key, None)
            self._leases[key] = (token, now + lease)
            return "new", 0.0

    def done(self, key: str, token: str, keep: float) -> None:
        with self._lock:
            self._leases.pop(key, None)
            self._done.pop(key, None)
            self._done[key] = self._clock() + keep
            if len(self._done) > self._capacity:
                del self._done[next(iter(self._done))]

    def free(self, key: str, token: str) -> None:
        with self._lock:
            if self._leases.get(key, ("", 0.0))[0] == token:
                del self._leases[key]

    def forget(self, key: str) -> None:
        with self._lock:
            self._done.pop(key, None)

    def _sweep(self, now: float) -> None:
        """Removes the leases and the retentions that have ended."""
        while self._leases and next(iter(self._leases.values()))[1] <= now:
            del self._leases[next(iter(self._leases))]
        while self._done and next(iter(self._done.values())) <= now:
            del self._done[next(iter(self._done))]


class Reply(NamedTuple):
    """A response: 200, 403 or 503."""

    status: int
    retry_after: int | None = None


class Claim:
    """The claim of one request on its event, in a store with three states. Its token is fresh for each request."""

    __slots__ = ("_duplicates", "_key", "_received", "_store", "_token")
    time_limit: float | None = _TIME_LIMIT

    def __init__(self, duplicates: Duplicates, received: Received, key: str) -> None:
        self._duplicates = duplicates
        self._received = received
        self._store = duplicates._leases
        self._key = key
        self._token = urandom(16).hex()

    def blocks(self, command: Command) -> bool:
        """Whether a command must not run in the thread of an event loop."""
        return not isinstance(self._store, _Memory) and not is_coroutine_function(
            getattr(self._store, command)
        )

    def claim(self) -> Any:
        self._duplicates._native.repeats(self._received)  # for `latest`
        return self._store.claim(self._key, self._token, self._duplicates._lease)

    def done(self) -> Any:
        return self._store.done(self._key, self._token, self._duplicates._keep)

    def free(self) -> Any:
        self._duplicates._native.forget(self._received)
        return self._store.free(self._key, self._token)

    def reply(self, answer: Any) -> Reply | None:
        """The response after `claim`; None: the handler runs."""
        if isinstance(answer, (tuple, list)) and len(answer) == 2:
            state, seconds = answer
            if state == "new":
                return None
            if state == "done":
                return Reply(200)
            if state == "busy" and _is_time_left(seconds):
                return Reply(503, max(1, ceil(seconds)))
        if hasattr(answer, "__await__"):
            discard(answer)
        log('claim of the store must return ("new", 0), ("busy", seconds) or ("done", 0)')
        return Reply(503, _STORE_FAILED)

    def failed(self, error: Exception) -> Reply:
        """The response after `claim` raised an exception, which is logged."""
        log("the store failed to claim a callback; its handler does not run", error=True)
        return Reply(503, _STORE_FAILED)


class TwoStateClaim:
    """The claim of one request on its event, where the store has two states, or `duplicates` is another object with `repeats` and `forget`."""

    __slots__ = ("_duplicates", "_received")
    time_limit: float | None = None

    def __init__(self, duplicates: Any, received: Received) -> None:
        self._duplicates = duplicates
        self._received = received

    def blocks(self, command: Command) -> bool:
        return True

    def claim(self) -> Any:
        return self._duplicates.repeats(self._received)

    def done(self) -> Any:
        return None

    def free(self) -> Any:
        return self._duplicates.forget(self._received)

    def reply(self, answer: Any) -> Reply | None:
        return Reply(200) if answer else None

    def failed(self, error: Exception) -> Reply:
        raise error


def claim_of(duplicates: Any, received: Received) -> Claim | TwoStateClaim | None:
    """The claim of a request; None for an event without a key, which always runs."""
    if duplicates is None:
        return None
    if not isinstance(duplicates, Duplicates) or duplicates._leases is None:
        return TwoStateClaim(duplicates, received)
    key = duplicates._key(received)
    return None if key is None else Claim(duplicates, received, key)


def is_asynchronous(duplicates: Any) -> bool:
    """Whether a store, or another object in place of `Duplicates`, has a coroutine function."""
    owner = duplicates._leases if isinstance(duplicates, Duplicates) else duplicates
    return any(is_coroutine_function(getattr(owner, name, None)) for name in (*_METHODS, "repeats", "forget"))


def discard(unrun: Any) -> None:
    """Ends a coroutine, a generator or a future that nobody will run."""
    for name in ("close", "cancel"):
        end = getattr(unrun, name, None)
        if callable(end):
            end()
            return


def log(message: str, *, error: bool = False) -> None:
    """Logs a failure of the store, with the current exception."""
    logging.getLogger("cpaas.callbacks").error("%s", message, exc_info=error)


def _is_time_left(seconds: Any) -> bool:
    """Whether a value can be the rest of a lease, in seconds. A Decimal can, because databases return them."""
    if isinstance(seconds, (bool, str)) or not hasattr(seconds, "__float__"):
        return False
    try:
        return bool(0 <= seconds <= _MAX_LEASE)
    except Exception:
        return False
