"""Warns about calls that block all greenlets of a thread (gevent)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any


def with_warning(call: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps the call function of a sync client, so that a call warns on a thread that has a hub of gevent."""
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
