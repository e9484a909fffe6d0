from typing import Any, final

__version__: str

@final
class Native:
    def __new__(cls, config: dict[str, Any], /) -> Native: ...
    def call(
        self,
        operation: int,
        arguments: tuple[Any, ...],
        extra: Any,
        timeout: float | None,
        deadline: float | None,
        validate: str | None,
        /,
    ) -> Any: ...
    def call_named(
        self,
        operation: str,
        request: Any,
        timeout: float | None,
        deadline: float | None,
        validate: str | None,
        /,
    ) -> Any: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...

@final
class Response:
    def __new__(
        cls, status: int, headers: list[tuple[str, str]], body: bytes, attempts: int = 1
    ) -> Response: ...
    @property
    def status(self) -> int: ...
    @property
    def attempts(self) -> int: ...
    @property
    def headers(self) -> dict[str, str]: ...
    @property
    def header_list(self) -> list[tuple[str, str]]: ...
    @property
    def body(self) -> bytes: ...
    @property
    def warnings(self) -> tuple[Any, ...]: ...

def at_exit() -> None: ...
def to_json(value: Any, /) -> str: ...
