"""The client."""

from __future__ import annotations

from sys import modules

from ._cpaas import Native
from ._event import observer
from ._operations import Operations
from ._settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Any, Literal, TypeVar

    from typing_extensions import Unpack

    from ._cpaas import Response
    from ._settings import Options

    Self = TypeVar("Self", bound="Base")


class Base(Settings):
    """What the sync and the async client share."""

    _kind = "Client"
    _native: Native
    _borrowed = False

    if not TYPE_CHECKING:

        def __init__(self, **settings):
            super().__init__(**settings)
            self._open(None)

        __init__.__wrapped__ = Settings.__init__  # what inspect.signature and editors show
        __init__.__doc__ = Settings.__init__.__doc__

    def _open(self, parent: Native | None) -> None:
        from . import _errors  # noqa: F401  now, and not when a call fails while the interpreter ends

        self._native = Native(self._settings.reveal(), observer(self._on_outcome, modules), parent)

    def with_options(self: Self, **changes: Unpack[Options]) -> Self:
        """A client with the same configuration but for the changes.

        It shares the connections, unless `proxy`, `ca_bundle` or `connect_timeout` change, and need not be closed.
        """
        settings: dict[str, Any] = {**self._settings.reveal(), "pickle_secrets": self._pickle_secrets}
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        Settings.__init__(copy, **{**settings, "on_outcome": self._on_outcome, **changes})
        copy._borrowed = True
        copy._open(self._native)
        return copy

    @property
    def closed(self) -> bool:
        """Whether the client was closed."""
        return self._native.closed

    def __repr__(self) -> str:
        return f"<cpaas.{self._kind}{' closed' if self.closed else ''}>"

    def __reduce__(self) -> tuple[Any, ...]:
        settings = self._settings.reveal()
        if self._pickle_secrets:
            settings["pickle_secrets"] = True
        else:
            for name in self._secrets:
                settings.pop(name, None)
        return _rebuild, (type(self), settings)

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native is not None and not native.closed and not self._borrowed:
            try:
                import warnings
            except ImportError:  # the interpreter is ending
                return
            warnings.warn(f"unclosed {self!r}", ResourceWarning, source=self, stacklevel=2)


def _rebuild(cls: type[Base], settings: dict[str, Any]) -> Base:
    return cls(**settings)


class Client(Operations, Base):
    """Calls the provider and waits for the answer.

    Threads may share it. It waits with the interpreter released, and a signal such as Ctrl-C
    interrupts it. Close it, or use it in a `with` statement.
    """

    def _open(self, parent: Native | None) -> None:
        super()._open(parent)
        self._bind(self._native.call)

    def call(
        self,
        operation: str,
        request: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        deadline: float | None = None,
        validate: Literal["strict", "warn", "off"] | None = None,
    ) -> Any:
        """Calls an operation by its name, with the specification's names in the request."""
        return self._native.call(
            operation, {} if request is None else request, None, timeout, deadline, validate
        )

    def call_raw(
        self,
        method: str,
        family: Literal["otp", "sms", "lookup", "messaging", "messenger_b", "bot"],
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
        timeout: float | None = None,
        deadline: float | None = None,
    ) -> Response:
        """Calls an endpoint that no method covers, with the family's address and credentials."""
        request = {
            "method": method,
            "family": family,
            "path": path,
            "query": query,
            "headers": headers,
            "body": body,
        }
        return self._native.call("raw", request, None, timeout, deadline, None)  # type: ignore[no-any-return]

    def close(self) -> None:
        """Lets go of the connections. Closing twice does no harm."""
        self._native.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
