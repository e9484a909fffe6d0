"""The budget of a server: what its tools may spend within 24 hours, in a file that several servers may share."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from time import time
from typing import Any

from .._errors import Error, Problem

# The time within which spending counts, in seconds.
PERIOD = 86_400
# The time to wait for another server that writes to the file, in seconds.
_WAIT = 10.0

_TABLE = """CREATE TABLE IF NOT EXISTS spent (
    key TEXT PRIMARY KEY,
    at REAL NOT NULL,
    messages INTEGER NOT NULL,
    lookups INTEGER NOT NULL,
    price TEXT NOT NULL
)"""


@dataclass(frozen=True, slots=True, repr=False)
class Limits:
    """At most this much within 24 hours; None is no limit. Each SMS part is a message."""

    messages: int | None = None
    lookups: int | None = None
    price: Decimal | None = None


class OverBudget(Error):
    """A limit of the budget does not permit the request; nothing was sent."""

    def __init__(self, message: str, code: str) -> None:
        problem = Problem(pointer="", code=code, severity="error", message=message)
        super().__init__(message, outcome="invalid", reason="budget", problems=(problem,))


class BudgetFailed(Error):
    """The file of the budget is in use for too long, or damaged; nothing was sent."""

    def __init__(self, cause: sqlite3.Error) -> None:
        # A database that is in use or a disk that is full is an operational error; a damaged file is another.
        is_temporary = isinstance(cause, sqlite3.OperationalError)
        super().__init__(
            f"the file of the budget must be readable and writable: {cause}",
            outcome="not_sent",
            retryable=is_temporary,
        )


class Budget:
    """Counts before a request is sent, once for each key: a repeat with the same key costs nothing.

    A request that fails stays counted, because its outcome may be wrong. The file contains digests of keys and no recipients. Any thread
    may use a budget.
    """

    def __init__(self, path: str, limits: Limits) -> None:
        self.limits = limits
        self._path = path
        # Only the owner can read the file. It is never created through a symbolic link.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        with self._transaction() as database:
            database.execute(_TABLE)
            database.execute("CREATE INDEX IF NOT EXISTS spent_at ON spent (at)")

    def reserve(self, key: str, *, messages: int = 0, lookups: int = 0, price: Decimal = Decimal(0)) -> None:
        """Counts a request, unless its key is counted.

        Raises:
            OverBudget: The request would exceed a limit; it is not counted.
            BudgetFailed: The file cannot be used.
        """
        digest = _digest(key)
        with self._transaction() as database:
            if _is_counted(database, digest):
                return
            used = _used(database)
            for name, more in (("messages", messages), ("lookups", lookups), ("price", price)):
                limit = getattr(self.limits, name)
                if more and limit is not None and used[name] + more > limit:
                    raise OverBudget(
                        f"must be at most {limit} ({name}) within 24 hours; {used[name]} are used and this needs {more}",
                        f"budget.{name}",
                    )
            row = (digest, time(), messages, lookups, str(price))
            database.execute("INSERT INTO spent VALUES (?, ?, ?, ?, ?)", row)

    def is_counted(self, key: str) -> bool:
        """Whether a request is counted."""
        with self._transaction() as database:
            return _is_counted(database, _digest(key))

    def used(self) -> dict[str, Any]:
        """What was used within 24 hours: `messages`, `lookups` and `price`."""
        with self._transaction() as database:
            return _used(database)

    @contextmanager
    def _transaction(self) -> Generator[sqlite3.Connection, None, None]:
        try:
            with closing(sqlite3.connect(self._path, timeout=_WAIT, isolation_level=None)) as database:
                database.execute("BEGIN IMMEDIATE")
                try:
                    yield database
                except BaseException:
                    # A failed statement may have ended the transaction.
                    if database.in_transaction:
                        database.execute("ROLLBACK")
                    raise
                database.execute("COMMIT")
        except sqlite3.Error as error:
            raise BudgetFailed(error) from None


def _digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def _is_counted(database: sqlite3.Connection, digest: str) -> bool:
    return database.execute("SELECT 1 FROM spent WHERE key = ?", (digest,)).fetchone() is not None


def _used(database: sqlite3.Connection) -> dict[str, Any]:
    rows = database.execute("SELECT messages, lookups, price FROM spent WHERE at > ?", (time() - PERIOD,))
    used: dict[str, Any] = {"messages": 0, "lookups": 0, "price": Decimal(0)}
    for messages, lookups, price in rows:
        used["messages"] += messages
        used["lookups"] += lookups
        used["price"] += Decimal(price)
    return used
