from collections.abc import Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any, Literal

from typing_extensions import TypedDict, Unpack

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

_Status = Literal["Created", "Ready", "Sent", "Delivered", "Failed", "expired"]

_Gateway = Literal["nginx", "varnish", "envoy", "grpc", "aws"]

class _Filters(TypedDict, total=False):
    to: str | None
    from_: str | None
    phone: str | None
    contains: str | None
    text: str | None
    channel: str | None
    status: str | None
    id: str | None
    direction: str | None
    since: int | None

class _FaultRule(TypedDict, total=False):
    nth: int | None
    probability: float | None
    seed: int | None
    expires: int | str | None
    status: int | None
    ms: int | None
    retry_after: int | None
    gateway: _Gateway | None
    body: str | None

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
    def __init__(self, **switches: str | int | bool | Sequence[str]) -> None: ...
    def overview(self) -> dict[str, Any]: ...
    def messages(
        self,
        *,
        limit: int | None = None,
        account: str | None = None,
        **filters: Unpack[_Filters],
    ) -> tuple[InboxMessage, ...]: ...
    def wait_for(
        self,
        *,
        timeout: float | timedelta = 5.0,
        account: str | None = None,
        **filters: Unpack[_Filters],
    ) -> InboxMessage: ...
    def phones(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        account: str | None = None,
        **filters: Unpack[_Filters],
    ) -> tuple[dict[str, Any], ...]: ...
    def inbound(self, *, account: str | None = None, **message: Any) -> dict[str, Any]: ...
    def webhook_event(
        self,
        *,
        event: str,
        user: str,
        message_id: str | None = None,
        name: str | None = None,
        photo: str | None = None,
        account: str | None = None,
    ) -> dict[str, Any]: ...
    def set_status(
        self, id: str, status: _Status, *, errorcode: int = 0, account: str | None = None
    ) -> dict[str, Any]: ...
    def clock(self, *, account: str | None = None) -> dict[str, Any]: ...
    def advance(self, by: float | str | timedelta, *, account: str | None = None) -> dict[str, Any]: ...
    def fault(
        self,
        kind: _Fault,
        *,
        op: str | None = None,
        to: str | None = None,
        account: str | None = None,
        **rule: Unpack[_FaultRule],
    ) -> Any: ...
    def faults(self, *, account: str | None = None) -> tuple[dict[str, Any], ...]: ...
    def fault_presets(self) -> tuple[dict[str, Any], ...]: ...
    def clear_faults(self) -> Any: ...
    def ledger(self, *, account: str | None = None) -> tuple[dict[str, Any], ...]: ...
    def requests(
        self, *, since: int | None = None, limit: int | None = None, account: str | None = None
    ) -> dict[str, Any]: ...
    def events(
        self,
        *,
        since: int | None = None,
        kind: str | None = None,
        subject: str | None = None,
        wait: float | timedelta | None = None,
        account: str | None = None,
    ) -> tuple[dict[str, Any], ...]: ...
    def callbacks(
        self,
        *,
        since: int | None = None,
        subject: str | None = None,
        wait: float | timedelta | None = None,
        account: str | None = None,
    ) -> dict[str, Any]: ...
    def replay_callback(self, n: int, *, account: str | None = None) -> dict[str, Any]: ...
    def media(
        self,
        url: str,
        *,
        bytes: int | None = None,
        width: int | None = None,
        height: int | None = None,
        account: str | None = None,
    ) -> dict[str, Any]: ...
    def run_workflow(
        self, sid: str, *, service: str, from_: str, to: str, body: str, account: str | None = None
    ) -> dict[str, Any]: ...
    def limits(self, *, account: str | None = None) -> tuple[dict[str, Any], ...]: ...
    def statistics(self, *, account: str | None = None) -> dict[str, int]: ...
    def campaigns(self, *, account: str | None = None) -> tuple[dict[str, Any], ...]: ...
    def accounts(self) -> tuple[dict[str, Any], ...]: ...
    def create_account(self) -> dict[str, Any]: ...
    def account(self, sid: str | None = None, **changes: Any) -> dict[str, Any]: ...
    def magic(self) -> tuple[dict[str, Any], ...]: ...
    def openapi(self) -> dict[str, Any]: ...
    def reset(self, *, account: str | None = None) -> Any: ...
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
    async def overview(self) -> dict[str, Any]: ...
    async def messages(
        self,
        *,
        limit: int | None = None,
        account: str | None = None,
        **filters: Unpack[_Filters],
    ) -> tuple[InboxMessage, ...]: ...
    async def wait_for(
        self,
        *,
        timeout: float | timedelta = 5.0,
        account: str | None = None,
        **filters: Unpack[_Filters],
    ) -> InboxMessage: ...
    async def phones(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        account: str | None = None,
        **filters: Unpack[_Filters],
    ) -> tuple[dict[str, Any], ...]: ...
    async def inbound(self, *, account: str | None = None, **message: Any) -> dict[str, Any]: ...
    async def webhook_event(
        self,
        *,
        event: str,
        user: str,
        message_id: str | None = None,
        name: str | None = None,
        photo: str | None = None,
        account: str | None = None,
    ) -> dict[str, Any]: ...
    async def set_status(
        self, id: str, status: _Status, *, errorcode: int = 0, account: str | None = None
    ) -> dict[str, Any]: ...
    async def clock(self, *, account: str | None = None) -> dict[str, Any]: ...
    async def advance(self, by: float | str | timedelta, *, account: str | None = None) -> dict[str, Any]: ...
    async def fault(
        self,
        kind: _Fault,
        *,
        op: str | None = None,
        to: str | None = None,
        account: str | None = None,
        **rule: Unpack[_FaultRule],
    ) -> Any: ...
    async def faults(self, *, account: str | None = None) -> tuple[dict[str, Any], ...]: ...
    async def fault_presets(self) -> tuple[dict[str, Any], ...]: ...
    async def clear_faults(self) -> Any: ...
    async def ledger(self, *, account: str | None = None) -> tuple[dict[str, Any], ...]: ...
    async def requests(
        self, *, since: int | None = None, limit: int | None = None, account: str | None = None
    ) -> dict[str, Any]: ...
    async def events(
        self,
        *,
        since: int | None = None,
        kind: str | None = None,
        subject: str | None = None,
        wait: float | timedelta | None = None,
        account: str | None = None,
    ) -> tuple[dict[str, Any], ...]: ...
    async def callbacks(
        self,
        *,
        since: int | None = None,
        subject: str | None = None,
        wait: float | timedelta | None = None,
        account: str | None = None,
    ) -> dict[str, Any]: ...
    async def replay_callback(self, n: int, *, account: str | None = None) -> dict[str, Any]: ...
    async def media(
        self,
        url: str,
        *,
        bytes: int | None = None,
        width: int | None = None,
        height: int | None = None,
        account: str | None = None,
    ) -> dict[str, Any]: ...
    async def run_workflow(
        self, sid: str, *, service: str, from_: str, to: str, body: str, account: str | None = None
    ) -> dict[str, Any]: ...
    async def limits(self, *, account: str | None = None) -> tuple[dict[str, Any], ...]: ...
    async def statistics(self, *, account: str | None = None) -> dict[str, int]: ...
    async def campaigns(self, *, account: str | None = None) -> tuple[dict[str, Any], ...]: ...
    async def accounts(self) -> tuple[dict[str, Any], ...]: ...
    async def create_account(self) -> dict[str, Any]: ...
    async def account(self, sid: str | None = None, **changes: Any) -> dict[str, Any]: ...
    async def magic(self) -> tuple[dict[str, Any], ...]: ...
    async def openapi(self) -> dict[str, Any]: ...
    async def reset(self, *, account: str | None = None) -> Any: ...
