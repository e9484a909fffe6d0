"""Creates or updates a record by its name: `client.otp.limits.ensure` and `client.otp.workflows.ensure`.

The steps are a generator without I/O, which the sync and the async group run with their own calls.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import cpaas

from .._cpaas import Response
from .._errors import (
    AcceptedIdUnknown,
    Invalid,
    LimitExists,
    OutcomeUnknown,
    UnknownLimit,
    UnknownWorkflow,
    WorkflowExists,
)
from .._groups import OperationGroup

# How often another caller may create or delete the record between two steps.
_ROUNDS = 3

_Options = dict[str, Any]


class Step(NamedTuple):
    """A call: "find" returns the record with the name, or None; "create" and "update" return a response."""

    method: str
    arguments: dict[str, Any]


Steps = Generator[Step, Any, Any]


def limit_steps(name: str, buckets: Any, description: str) -> Steps:
    """Creates the limit, or changes what differs; returns its record."""
    given = {"buckets": buckets, "description": description}

    def differences(record: Any) -> dict[str, Any]:
        same = {
            "buckets": _plain(record.buckets) == _plain(buckets),
            "description": record.description == description,
        }
        return {member: given[member] for member, is_same in same.items() if not is_same}

    return _steps({"name": name, **given}, differences, (LimitExists, UnknownLimit))


def workflow_steps(name: str, channels: Any, description: str | None) -> Steps:
    """Creates the workflow, or changes its description; returns its record."""

    def differences(record: Any) -> dict[str, Any]:
        if _plain(record.channels) != _plain(channels):
            raise Invalid(
                "otp.workflows: a workflow with this name has other channels, and the provider can only append channels: "
                "delete the workflow, or use another name",
                operation="otp.workflows.update",
            )
        same = description is None or record.description == description
        return {} if same else {"description": description}

    request = {"name": name, "channels": channels, "description": description}
    return _steps(request, differences, (WorkflowExists, UnknownWorkflow))


def _steps(
    request: dict[str, Any],
    differences: Callable[[Any], dict[str, Any]],
    errors: tuple[type[Exception], type[Exception]],
) -> Steps:
    exists, is_gone = errors
    name = request["name"]
    failed: Exception | None = None
    for _ in range(_ROUNDS):
        record = yield Step("find", {"name": name})
        if record is None and isinstance(failed, (OutcomeUnknown, AcceptedIdUnknown)):
            raise failed  # it may appear later: another attempt could create it twice
        try:
            if record is None:
                response = yield Step("create", request)
            elif changed := differences(record):
                response = yield Step("update", {"sid": record.sid, **changed})
            else:
                return record
        except (exists, is_gone, OutcomeUnknown, AcceptedIdUnknown) as error:
            failed = error
            continue  # the records show what is there now
        if response.data is not None:
            return response.data
        failed = AcceptedIdUnknown("the response lacks the record")
    assert failed is not None
    raise failed


def _plain(value: Any) -> Any:
    """The list of a request or a record in one form: text for numbers, and no absent members."""
    if isinstance(value, str):
        # `json` is not loaded with a client.
        value = Response(200, [], value.encode()).json()
    if not isinstance(value, (list, tuple)):
        return value
    items = [item.to_dict() if hasattr(item, "to_dict") else item for item in value]
    return [
        {name: _text(member) for name, member in item.items()} if isinstance(item, Mapping) else item
        for item in items
    ]


def _text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def run(group: Any, steps: Steps, options: _Options) -> Any:
    """Runs the steps with the calls of a sync group."""
    send: Callable[[Any], Step] = steps.send
    value: Any = None
    while True:
        try:
            step = send(value)
        except StopIteration as end:
            return end.value
        try:
            send, value = steps.send, _call(group, step, options)
        except Exception as error:
            send, value = steps.throw, error


def _call(group: Any, step: Step, options: _Options) -> Any:
    if step.method != "find":
        return getattr(group, step.method)(**step.arguments, **options)
    records: Iterator[Any] = iter(group.list(**options))
    return next((record for record in records if record.name == step.arguments["name"]), None)


async def run_async(group: Any, steps: Steps, options: _Options) -> Any:
    """Runs the steps with the calls of an async group."""
    send: Callable[[Any], Step] = steps.send
    value: Any = None
    while True:
        try:
            step = send(value)
        except StopIteration as end:
            return end.value
        try:
            send, value = steps.send, await _call_async(group, step, options)
        except Exception as error:
            send, value = steps.throw, error


async def _call_async(group: Any, step: Step, options: _Options) -> Any:
    if step.method != "find":
        return await getattr(group, step.method)(**step.arguments, **options)
    records: AsyncIterator[Any] = aiter(group.list(**options))
    async for record in records:
        if record.name == step.arguments["name"]:
            return record
    return None


def _options(timeout: float | timedelta | None, deadline: float | timedelta | None) -> _Options:
    return {"timeout": timeout, "deadline": deadline}


class EnsureLimit(OperationGroup):
    """The group of limits: `ensure`."""

    def ensure(
        self,
        *,
        name: str,
        buckets: Sequence[cpaas.types.Bucket] | str,
        description: str,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
    ) -> cpaas.models.Limit:
        """Creates the limit, or changes the buckets and the description of the one with this name; returns its record.

        Idempotent: several programs can call it at once, and again after an error. It lists the limits first. If the response to
        the create or the update was lost, the list shows whether there is something left to do.

        Args:
            name: The name, unique in the account.
            buckets: The buckets.
            description: A description.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of each call, in seconds or as a timedelta.

        Raises:
            cpaas.OutcomeUnknown: The response to the create was lost, and the list does not contain the limit. It may appear later:
                call `ensure` again.
            cpaas.Error: For every other outcome except accepted.
        """
        limit: cpaas.models.Limit = run(
            self, limit_steps(name, buckets, description), _options(timeout, deadline)
        )
        return limit


class EnsureWorkflow(OperationGroup):
    """The group of workflows: `ensure`."""

    def ensure(
        self,
        *,
        name: str,
        channels: Sequence[cpaas.types.Step] | str,
        description: str | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
    ) -> cpaas.models.Workflow:
        """Creates the workflow, or changes the description of the one with this name; returns its record.

        Idempotent, as `ensure` of limits. The provider can only append channels to a workflow, so a workflow with other channels is
        left as it is.

        Args:
            name: The name, unique in the account.
            channels: The steps, in order.
            description: A description; None leaves that of an existing workflow.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of each call, in seconds or as a timedelta.

        Raises:
            cpaas.Invalid: A workflow with this name has other channels. Nothing was changed.
            cpaas.OutcomeUnknown: The response to the create was lost, and the list does not contain the workflow. It may appear
                later: call `ensure` again.
            cpaas.Error: For every other outcome except accepted.
        """
        workflow: cpaas.models.Workflow = run(
            self, workflow_steps(name, channels, description), _options(timeout, deadline)
        )
        return workflow


class AsyncEnsureLimit(OperationGroup):
    """The group of limits: `ensure`, to await."""

    async def ensure(
        self,
        *,
        name: str,
        buckets: Sequence[cpaas.types.Bucket] | str,
        description: str,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
    ) -> cpaas.models.Limit:
        limit: cpaas.models.Limit = await run_async(
            self, limit_steps(name, buckets, description), _options(timeout, deadline)
        )
        return limit

    ensure.__doc__ = EnsureLimit.ensure.__doc__


class AsyncEnsureWorkflow(OperationGroup):
    """The group of workflows: `ensure`, to await."""

    async def ensure(
        self,
        *,
        name: str,
        channels: Sequence[cpaas.types.Step] | str,
        description: str | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
    ) -> cpaas.models.Workflow:
        workflow: cpaas.models.Workflow = await run_async(
            self, workflow_steps(name, channels, description), _options(timeout, deadline)
        )
        return workflow

    ensure.__doc__ = EnsureWorkflow.ensure.__doc__
