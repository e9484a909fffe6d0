from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any, Generic, TypeVar

_P = TypeVar("_P")
_R = TypeVar("_R")

def follow(
    call: Callable[..., Any], operation: int, request: dict[str, Any], extra: Any, *options: Any
) -> Any: ...
def linked(page: Any, link: Link) -> Any: ...
def walk(page: Any) -> Iterator[Any]: ...
def walk_async(page: Any) -> AsyncIterator[Any]: ...
def next_page(page: Any) -> Any: ...

class Link:
    def __init__(
        self,
        call: Callable[..., Any] | None,
        operation: int | str,
        request: Any,
        options: tuple[Any, ...] = (),
        is_async: bool = False,
    ) -> None: ...

class AsyncPages(Generic[_P, _R]):
    def __init__(
        self,
        call: Callable[..., Awaitable[Any]],
        operation: int,
        request: dict[str, Any],
        extra: Any,
        *options: Any,
    ) -> None: ...
    def __await__(self) -> Generator[Any, None, _P]: ...
    def __aiter__(self) -> AsyncIterator[_R]: ...
