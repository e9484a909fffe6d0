"""Validation of requests, and checks of things that are not part of a request."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast, overload

from . import _cpaas
from ._errors import Invalid, Problem, Report, report
from ._generated.metadata import OperationId
from ._public import public


@overload
def validate(operation: OperationId | str, request: Mapping[str, Any] | str | bytes) -> Report: ...


@overload
def validate(operation: OperationId | str, request: Sequence[Mapping[str, Any]]) -> list[Report]: ...


@public
def validate(operation: OperationId | str, request: Any) -> Any:
    """Validates a request, which is a mapping or JSON, and reports all problems at once.

    The rules are those of the methods: `to` of `sms.send_bulk` may be a list, and the traffic account may be absent if
    `CPAAS_TRAFFIC_ACCOUNT_ID` is set. `Client.validate` uses the settings of a client. If the request contains lone surrogates,
    only these are reported, as `json.syntax`. For a list or tuple of requests, the result is a list with one report for each
    request. An empty list is validated as a single request, which has a wrong type.

    Raises:
        Invalid: The operation is unknown, or a value of a single request cannot be converted to JSON.
    """
    return validate_with(operation, request, os.environ.get("CPAAS_TRAFFIC_ACCOUNT_ID"))


def validate_with(operation: OperationId | str, request: Any, account: str | None) -> Any:
    """Validates one request or several; `account` is the traffic account of a request without one."""
    if isinstance(request, (list, tuple)) and request:
        _cpaas.validate(operation, {})  # raises for an unknown operation
        return [_row_report(operation, row, account) for row in request]
    found = _cpaas.validate(operation, request, account or None)
    return Report(ok=True, errors=(), warnings=()) if found is None else report(found)


def _row_report(operation: str, row: Any, account: str | None) -> Report:
    """The report of one of several requests: a value that cannot be converted to JSON is a problem."""
    if isinstance(row, (list, tuple)):
        row = _cpaas.to_json(row)  # so that `validate_with` does not read it as several requests
    try:
        return cast(Report, validate_with(operation, row, account))
    except Invalid as error:
        problem = Problem(pointer="", code="msg.field.type", severity="error", message=str(error))
        return Report(ok=False, errors=(problem,), warnings=())


@public
def check(
    name: Literal["photo", "file", "bot_username", "card_height"], arguments: Mapping[str, Any]
) -> Report:
    """Checks something that is not part of a request, such as the size of a photo.

    Args:
        name: The name of the check.
        arguments: For "photo" `bytes`, `width` and `height`; for "file" `bytes`; for "bot_username" `username`; for
            "card_height" `dp`.

    Raises:
        ValueError: The name is unknown.
    """
    found = _cpaas.check(name, arguments)
    return Report(ok=True, errors=(), warnings=()) if found is None else report(found)
