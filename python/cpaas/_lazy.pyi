import datetime as datetime
import typing as typing
from collections import abc as abc
from collections.abc import Callable
from typing import Any, TypeVar

from . import callbacks as callbacks
from . import models as models
from . import types as types

_T = TypeVar("_T")

class Operations:
    _call: Callable[..., Any]
    def __init__(self, call: Callable[..., Any]) -> None: ...

def bind(client: object, call: Callable[..., Any]) -> None: ...
def group(kind: type[_T]) -> _T: ...
