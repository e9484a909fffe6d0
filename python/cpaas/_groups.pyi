from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TextIO, TypeVar

from ._send_many import SendResult

_T = TypeVar("_T")

class Operations:
    _call: Callable[..., Any]
    def __init__(self, call: Callable[..., Any]) -> None: ...

class SendMany(Operations, Generic[_T]):
    _send: str
    def send_many(
        self,
        rows: Iterable[Mapping[str, Any]],
        concurrency: int = 64,
        *,
        rate: float | None = None,
        on_result: Callable[[SendResult[_T]], object] | None = None,
        progress: bool | TextIO = False,
    ) -> list[SendResult[_T]]: ...

class AsyncSendMany(Operations, Generic[_T]):
    _send: str
    async def send_many(
        self,
        rows: Iterable[Mapping[str, Any]],
        concurrency: int = 64,
        *,
        rate: float | None = None,
        on_result: Callable[[SendResult[_T]], object] | None = None,
        progress: bool | TextIO = False,
    ) -> list[SendResult[_T]]: ...

def bind(client: object, call: Callable[..., Any]) -> None: ...
def group(kind: type[_T]) -> _T: ...
def checked(function: _T) -> _T: ...
