from datetime import timedelta
from types import TracebackType
from typing import Any, Literal

from typing_extensions import Unpack

from ._async_client import AsyncClient
from ._client import Client
from ._model import Model
from ._settings import Options

_Fault = Literal[
    "status",
    "latency",
    "hang",
    "reset-before-read",
    "reset-after-read",
    "close-before-read",
    "close-after-read",
    "truncated-head",
    "truncated-body",
    "garbage",
    "slow-drip",
    "accept-then-5xx",
    "accept-then-503-retry-after",
    "accept-then-429",
    "gateway",
    "accept-then-gateway",
    "answer-early",
    "answer-early-then-accept",
    "duplicate-answer",
]

_Gateway = Literal["nginx", "varnish", "envoy", "grpc", "aws"]

class InboxMessage(Model):
    @property
    def n(self) -> int: ...
    @property
    def id(self) -> str: ...
    @property
    def at(self) -> str: ...
    @property
    def updated(self) -> str: ...
    @property
    def operation(self) -> str: ...
    @property
    def channel(self) -> str: ...
    @property
    def direction(self) -> str: ...
    @property
    def from_(self) -> str: ...
    @property
    def to(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def otp(self) -> str: ...
    @property
    def reference(self) -> str | None: ...

class _ControlPlane:
    @property
    def url(self) -> str: ...
    @property
    def config(self) -> dict[str, str]: ...
    @property
    def account_sid(self) -> str: ...
    @property
    def traffic_account_id(self) -> str: ...
    @property
    def bot_id(self) -> str: ...
    def client(self, **settings: Unpack[Options]) -> Client: ...
    def async_client(self, **settings: Unpack[Options]) -> AsyncClient: ...

class Sandbox(_ControlPlane):
    def __init__(self, **switches: str | int | bool) -> None: ...
    def messages(
        self,
        *,
        to: str | None = None,
        from_: str | None = None,
        contains: str | None = None,
        channel: str | None = None,
        id: str | None = None,
        direction: str | None = None,
        since: int | None = None,
        limit: int | None = None,
    ) -> tuple[InboxMessage, ...]: ...
    def wait_for(
        self,
        *,
        timeout: float | timedelta = 5.0,
        to: str | None = None,
        from_: str | None = None,
        contains: str | None = None,
        channel: str | None = None,
        id: str | None = None,
        direction: str | None = None,
        since: int | None = None,
    ) -> InboxMessage: ...
    def advance(self, by: float | timedelta | str) -> Any: ...
    def fault(
        self,
        kind: _Fault,
        *,
        op: str | None = None,
        to: str | None = None,
        account: str | None = None,
        nth: int | None = None,
        probability: float | None = None,
        seed: int | None = None,
        expires: int | str | None = None,
        status: int | None = None,
        ms: int | None = None,
        retry_after: int | None = None,
        gateway: _Gateway | None = None,
        body: str | None = None,
    ) -> Any: ...
    def clear_faults(self) -> Any: ...
    def ledger(self) -> tuple[dict[str, Any], ...]: ...
    def inbound(self, **message: Any) -> Any: ...
    def requests(self, **query: Any) -> Any: ...
    def callbacks(self) -> Any: ...
    def account(self, sid: str | None = None, **changes: Any) -> Any: ...
    def reset(self) -> Any: ...
    def stop(self) -> None: ...
    def __enter__(self) -> Sandbox: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
    async def __aenter__(self) -> AsyncSandbox: ...
    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

class AsyncSandbox(_ControlPlane):
    async def messages(
        self,
        *,
        to: str | None = None,
        from_: str | None = None,
        contains: str | None = None,
        channel: str | None = None,
        id: str | None = None,
        direction: str | None = None,
        since: int | None = None,
        limit: int | None = None,
    ) -> tuple[InboxMessage, ...]: ...
    async def wait_for(
        self,
        *,
        timeout: float | timedelta = 5.0,
        to: str | None = None,
        from_: str | None = None,
        contains: str | None = None,
        channel: str | None = None,
        id: str | None = None,
        direction: str | None = None,
        since: int | None = None,
    ) -> InboxMessage: ...
    async def advance(self, by: float | timedelta | str) -> Any: ...
    async def fault(
        self,
        kind: _Fault,
        *,
        op: str | None = None,
        to: str | None = None,
        account: str | None = None,
        nth: int | None = None,
        probability: float | None = None,
        seed: int | None = None,
        expires: int | str | None = None,
        status: int | None = None,
        ms: int | None = None,
        retry_after: int | None = None,
        gateway: _Gateway | None = None,
        body: str | None = None,
    ) -> Any: ...
    async def clear_faults(self) -> Any: ...
    async def ledger(self) -> tuple[dict[str, Any], ...]: ...
    async def inbound(self, **message: Any) -> Any: ...
    async def requests(self, **query: Any) -> Any: ...
    async def callbacks(self) -> Any: ...
    async def account(self, sid: str | None = None, **changes: Any) -> Any: ...
    async def reset(self) -> Any: ...
