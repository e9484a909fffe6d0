from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T")

def public(function: _T, wrong_arguments: Callable[..., Any] | None = None) -> _T: ...
def public_methods(cls: _T) -> _T: ...
