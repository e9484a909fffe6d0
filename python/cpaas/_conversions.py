"""Converts timestamps and amounts of money from the provider to Python values.

The models call both functions. The native module calls them for callbacks.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

# ISO 8601, and `YYYY-MM-DD HH:MM:SS`; both are UTC if they have no offset.
_TIMESTAMP = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?(?:Z|([+-])([0-9]{2}):?([0-9]{2}))?"
)
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def as_datetime(value: Any) -> datetime | None:
    """A timestamp as an aware datetime in UTC; None if it is not a string or not a timestamp."""
    found = _TIMESTAMP.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    *numbers, fraction, sign, hours, minutes = found.groups()
    microsecond = int((fraction or "")[:6].ljust(6, "0"))
    try:
        year, month, day, hour, minute, second = map(int, numbers)
        time = datetime(year, month, day, hour, minute, second, microsecond, timezone.utc)
        if sign is None:
            return time
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        return time - offset if sign == "+" else time + offset
    except (ValueError, OverflowError):
        return None


def as_decimal(value: Any) -> Decimal | None:
    """An amount of money as a Decimal; None if it is neither a number nor a string that contains one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    if isinstance(value, str):
        return Decimal(value) if _NUMBER.fullmatch(value) else None
    amount = Decimal(str(value))  # the shortest decimal form of a float, not its binary value
    return amount if amount.is_finite() else None
