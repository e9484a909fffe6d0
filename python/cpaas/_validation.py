"""Validation of requests, and checks of things that are not part of a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

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
    `CPAAS_TRAFFIC_ACCOUNT_ID` is set. `CPAAS_NORMALIZE`, `CPAAS_ALLOW_COUNTRIES` and `CPAAS_ALLOW_TYPES` apply too; no other
    variable is read. `Client.validate` uses the settings of a client. A recipient that `normalize` changes has the info `number.normalized`, whose
    `fix` is the change. If the request contains lone surrogates,
    only these are reported, as `json.syntax`. For a list or tuple of requests, the result is a list with one report for each
    request. An empty list is validated as a single request, which has a wrong type.

    Args:
        operation: The id of the operation, such as `sms.send`.
        request: The request with the names of the specification, as a mapping or as JSON; or a list or tuple of requests.

    Raises:
        cpaas.Invalid: The operation is unknown, or a value of a single request cannot be converted to JSON.
    """
    return validate_with(operation, request, None)


def validate_with(operation: OperationId | str, request: Any, client: _cpaas.NativeClient | None) -> Any:
    """Validates one request or several with the settings of a client, or with those of the environment."""
    context = _cpaas.ValidationContext(client)
    if isinstance(request, (list, tuple)) and request:
        _cpaas.validate(operation, {}, context)  # raises for an unknown operation
        return [_row_report(operation, row, context) for row in request]
    return _report(operation, request, context)


def _report(operation: str, request: Any, context: _cpaas.ValidationContext) -> Report:
    found = _cpaas.validate(operation, request, context)
    return Report(ok=True, errors=(), warnings=()) if found is None else report(found)


def _row_report(operation: str, row: Any, context: _cpaas.ValidationContext) -> Report:
    """The report of one of several requests: a value that cannot be converted to JSON is a problem."""
    if isinstance(row, (list, tuple)):
        row = _cpaas.to_json(row)
    try:
        return _report(operation, row, context)
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
