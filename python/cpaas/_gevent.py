"""Warns about calls that block the greenlets of a thread."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any


def checked(call: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which warns if it is called on a thread where a hub of gevent runs."""
    # `gevent.get_hub` would create a hub.
    from gevent._hub_local import get_hub_if_exists

    def blocking(*arguments: Any) -> Any:
        if get_hub_if_exists() is not None:
            warnings.warn(
                "a call of cpaas.Client blocks all greenlets of this thread; run it in a thread: "
                "gevent.get_hub().threadpool.apply(client.sms.send, kwds={...})",
                RuntimeWarning,
                stacklevel=4,
            )
        return call(*arguments)

    return blocking
