"""The sandbox: simulates the provider on the loopback interface of this machine, for tests."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps
from types import TracebackType
from typing import (
    Any,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    Protocol,
    TypedDict,
    TypeVar,
    cast,
    get_args,
    overload,
)

import cpaas

from .._arguments import duration
from .._client import Client
from .._cpaas import SandboxServer
from .._errors import ClientClosed, Invalid, Rejected, bad_value
from .._generated.metadata import OPERATIONS_BY_ID
from .._generated.sandbox_switches import Switches
from .._generated.settings import Options
from .._public import public, public_methods
from .._typing import Unpack
from .arguments import (
    as_sequence,
    check_account,
    filter_query,
    given,
    known_names,
    log_query,
    milliseconds,
    one_of,
    switch,
    wait_text,
    wire_names,
    with_argument_names,
)
from .inbox import InboxMessage

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

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
    operation: str | None
    after: datetime | str | None
    before: datetime | str | None
    since: int | None


class _LogFilters(TypedDict, total=False):
    text: str | None
    after: datetime | str | None
    before: datetime | str | None


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


@dataclass(frozen=True, slots=True, repr=False)
class ControlRequest(Generic[T]):
    """A request to the control API, and the function that reads its response."""

    method: str
    path: str
    read: Callable[[Any], T]
    query: Mapping[str, Any] | None = None
    body: Any = None
    timeout: float | None = None


class ControlMethod(Protocol[P, T_co]):
    """A method of the control API: it blocks in a `Sandbox` and is a coroutine in an `AsyncSandbox`."""

    @overload
    def __get__(self, sandbox: Sandbox, owner: type | None = None) -> Callable[P, T_co]: ...

    @overload
    def __get__(
        self, sandbox: AsyncSandbox, owner: type | None = None
    ) -> Callable[P, Coroutine[Any, Any, T_co]]: ...


def control_request(build: Callable[Concatenate[Any, P], ControlRequest[T]]) -> ControlMethod[P, T]:
    """Decorates a method that returns a request: the method sends the request and returns what it reads."""

    build.__qualname__ = f"Sandbox.{build.__name__}"  # for the message about wrong arguments

    @wraps(build)
    def method(self: Any, *arguments: P.args, **keywords: P.kwargs) -> Any:
        return self._request(build(self, *arguments, **keywords))

    return cast("ControlMethod[P, T]", method)


@public_methods
class _ControlPlane:
    """The control API of a sandbox. Each method is one request, except `clear_faults`.

    A method raises `cpaas.Invalid` if the sandbox rejects its request, such as one for an unknown message, and `cpaas.ClientClosed` if
    the sandbox is stopped.
    """

    def __init__(self, server: SandboxServer, control: Client | cpaas.AsyncClient, faulty: set[str]) -> None:
        self._server = server
        self._control = control
        self._faulty = faulty  # the accounts with rules of `fault`

    @property
    def url(self) -> str:
        """The address of the sandbox, which is the same for all families."""
        return self._server.url

    @property
    def config(self) -> dict[str, Any]:
        """The settings for a client of the first account, and `bot_id`. With them, `cpaas.Client(**sandbox.config)` in another process is a
        client of this sandbox. `read_environment` is False: a client of the sandbox uses no address and no key of the environment.
        """
        return {**self._server.config, "read_environment": False}

    @property
    def environment(self) -> dict[str, str]:
        """The variables for a client of the first account in another process, as the command `cpaas sandbox` prints them. Start the process
        without other variables `CPAAS_…`, which may name the provider: a region, for example, has an address of its own.
        """
        return {f"CPAAS_{name.upper()}": value for name, value in self._server.config.items()}

    @property
    def account_sid(self) -> str:
        """The account of the OTP family."""
        return self._server.config["account_sid"]

    @property
    def traffic_account_id(self) -> str:
        """The traffic account of the messaging family."""
        return self._server.config["traffic_account_id"]

    @property
    def bot_id(self) -> str:
        """The bot of `messenger_c`."""
        return self._server.config["bot_id"]

    def client(self, **settings: Unpack[Options]) -> Client:
        """Creates a client of the first account.

        Args:
            settings: Settings of the client, which override those of the account; see `cpaas.Client`.
        """
        return Client(**{**self._settings(), **settings})

    def async_client(self, **settings: Unpack[Options]) -> cpaas.AsyncClient:
        """Creates an async client of the first account.

        Args:
            settings: Settings of the client, which override those of the account; see `cpaas.Client`.
        """
        # Costs 40 ms for asyncio.
        from .._async_client import AsyncClient

        return AsyncClient(**{**self._settings(), **settings})

    def _settings(self) -> dict[str, Any]:
        return self.config

    @control_request
    def overview(self) -> ControlRequest[dict[str, Any]]:
        """Returns the version, the accounts, the time, and the numbers of records that are kept and that were evicted."""
        return ControlRequest("GET", "", _unchanged)

    @control_request
    def messages(
        self, *, limit: int | None = None, account: str | None = None, **filters: Unpack[_Filters]
    ) -> ControlRequest[tuple[InboxMessage, ...]]:
        """Returns the messages that match all filters, oldest first.

        Args:
            limit: The maximum number of messages.
            account: The account; None for the first one, here and in the other methods.
            filters: to, from_, phone (the number of the user, as sender or recipient), contains (a part of the text), text (a
                part of the text, a number, the passcode or the reference, in upper or lower case, or the id), channel, status,
                id, direction ("in" or "out"), operation ("inbound" for messages of users), after and before (a `datetime` with a
                time zone, or a string) and since (the `n` of the first message).
        """
        query = {**filter_query(filters), **given(limit=limit, account=account)}
        return ControlRequest("GET", "messages", _inbox, query=query)

    @control_request
    def wait_for(
        self, *, timeout: float | timedelta = 5.0, account: str | None = None, **filters: Unpack[_Filters]
    ) -> ControlRequest[InboxMessage]:
        """Waits for a message that matches all filters of `messages`, and returns the newest one.

        Args:
            timeout: Seconds, or a `timedelta`.
            account: The account.
            filters: As for `messages`.

        Raises:
            TimeoutError: There was no such message within `timeout`.
        """
        timeout = duration("timeout", timeout)
        query = {
            **filter_query(filters),
            **given(account=account),
            "limit": 1,
            "wait": milliseconds("timeout", timeout),
        }

        def newest(response: Any) -> InboxMessage:
            if response["messages"]:
                return InboxMessage.from_dict(response["messages"][-1])
            names = ", ".join(f"{name}='…'" for name, value in filters.items() if value is not None)
            others = f"; messages in all: {response['total']:,}" if names else ""
            raise TimeoutError(
                f"no message{' matching ' if names else ''}{names} within {timeout:g} s{others}"
            )

        return ControlRequest("GET", "messages", newest, query=query, timeout=timeout + 10)

    @control_request
    def phones(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        account: str | None = None,
        **filters: Unpack[_Filters],
    ) -> ControlRequest[tuple[dict[str, Any], ...]]:
        """Returns the numbers of users with their last messages, the newest first.

        Args:
            limit: The maximum number of phones.
            offset: How many phones are skipped.
            account: The account; None for the first one.
            filters: As for `messages`.
        """
        query = {**filter_query(filters), **given(limit=limit, offset=offset, account=account)}
        return ControlRequest("GET", "phones", _list("phones"), query=query)

    @control_request
    def inbound(self, /, *, account: str | None = None, **message: Any) -> ControlRequest[dict[str, Any]]:
        """Sends a message from a phone and returns its id.

        Args:
            account: The account; None for the first one.
            message: Its members: channel, from_, to, text, postback, id, name and photo.
        """
        return ControlRequest(
            "POST", "inbound", _unchanged, body=wire_names(message), query=given(account=account)
        )

    @control_request
    def webhook_event(
        self,
        *,
        event: str,
        user: str,
        message_id: str | None = None,
        name: str | None = None,
        photo: str | None = None,
        account: str | None = None,
    ) -> ControlRequest[dict[str, Any]]:
        """Sends an event of messenger_b to its webhook.

        Args:
            event: "delivered", "seen", "failed", "subscribed", "unsubscribed" or "conversation".
            user: The id of the user.
            message_id: The id of the message to which it belongs.
            name: The name of the user.
            photo: The URL of the photo of the user.
            account: The account; None for the first one.
        """
        return ControlRequest(
            "POST",
            "webhook-events",
            _unchanged,
            body=given(event=event, user=user, message_id=message_id, name=name, photo=photo),
            query=given(account=account),
        )

    @control_request
    def message(self, id: str, *, account: str | None = None) -> ControlRequest[InboxMessage]:
        """Returns the message with this id.

        Args:
            id: The id of the message.
            account: The account; None for the first one.
        """
        return ControlRequest("GET", f"messages/{id}", InboxMessage.from_dict, query=given(account=account))

    @control_request
    def delete_message(self, id: str, *, account: str | None = None) -> ControlRequest[dict[str, Any]]:
        """Deletes a message from the inbox. The records of the provider and the ledger keep it.

        Args:
            id: The id of the message.
            account: The account; None for the first one.
        """
        return ControlRequest("DELETE", f"messages/{id}", _unchanged, query=given(account=account))

    @control_request
    def set_status(
        self, id: str, status: _Status, *, errorcode: int = 0, account: str | None = None
    ) -> ControlRequest[dict[str, Any]]:
        """Sets the status of a chat message.

        Args:
            id: The id of the message.
            status: "Created", "Ready", "Sent", "Delivered", "Failed" or "expired".
            errorcode: The error code of the delivery report.
            account: The account; None for the first one.
        """
        body = {"status": status, "errorcode": errorcode}
        return ControlRequest(
            "POST", f"messages/{id}/status", _unchanged, body=body, query=given(account=account)
        )

    @control_request
    def clock(self, *, account: str | None = None) -> ControlRequest[dict[str, Any]]:
        """Returns the time (`now`, `ms`), the mode of the clock, and the time of the next timer.

        Args:
            account: The account; None for the first one.
        """
        return ControlRequest("GET", "clock", _unchanged, query=given(account=account))

    @control_request
    def advance(
        self, by: float | str | timedelta, *, account: str | None = None
    ) -> ControlRequest[dict[str, Any]]:
        """Moves the clock forward, and runs everything that becomes due.

        Args:
            by: Seconds, a `timedelta`, or a duration such as "14d".
            account: The account; None for the first one.
        """
        moved = by if isinstance(by, str) else milliseconds("by", by)
        body, query = {"advance": moved}, given(account=account)
        return ControlRequest("POST", "clock", _unchanged, body=body, query=query, timeout=300)

    @control_request
    def fault(
        self,
        kind: _Fault,
        *,
        op: str | None = None,
        to: str | None = None,
        account: str | None = None,
        **rule: Unpack[_FaultRule],
    ) -> ControlRequest[Any]:
        """Adds a rule that makes requests fail. The rules that exist go first, and keep their counts.

        Args:
            kind: status, latency, hang, reset-before-read, reset-after-read, close-before-read, close-after-read,
                truncated-head, truncated-body, garbage, slow-drip, accept-then-5xx, accept-then-503-retry-after,
                accept-then-429, gateway, accept-then-gateway, answer-early, answer-early-then-accept or
                duplicate-answer.
            op: The operation; None for all.
            to: The recipient; None for all.
            account: The account; None for the first one.
            rule: nth, probability, seed, expires (a number of requests or a duration), status, ms, retry_after, gateway, body.
        """
        one_of("kind", kind, get_args(_Fault))
        if op is not None:
            one_of("op", op, OPERATIONS_BY_ID)
        if "gateway" in rule:
            one_of("gateway", rule["gateway"], get_args(_Gateway))
        known_names("member of a rule", rule, _FaultRule.__annotations__)
        added = {"match": given(op=op, to=to, account=account), "kind": kind, **rule}

        def accepted(response: Any) -> Any:
            self._faulty.add(account or self.account_sid)
            return response

        return ControlRequest("POST", "faults", accepted, body={"rules": [added]})

    @control_request
    def faults(self, *, account: str | None = None) -> ControlRequest[tuple[dict[str, Any], ...]]:
        """Returns the rules of `fault`, each with the number of requests that it matched and the number on which it took effect.

        Args:
            account: The account; None for the first one.
        """
        return ControlRequest("GET", "faults", _list("rules"), query=given(account=account))

    @control_request
    def fault_presets(self) -> ControlRequest[tuple[dict[str, Any], ...]]:
        """Returns rules for common situations, by name."""
        return ControlRequest("GET", "faults/presets", _list("presets"))

    @control_request
    def ledger(self, *, account: str | None = None) -> ControlRequest[tuple[dict[str, Any], ...]]:
        """Returns every accepted message in order, so that a test can find lost and duplicate ones.

        Args:
            account: The account; None for the first one.
        """
        query = {"limit": 1 << 30, **given(account=account)}
        return ControlRequest("GET", "ledger", _list("entries"), query=query)

    @control_request
    def requests(
        self,
        *,
        since: int | None = None,
        limit: int | None = None,
        status: int | str | None = None,
        operation: str | None = None,
        account: str | None = None,
        **filters: Unpack[_LogFilters],
    ) -> ControlRequest[dict[str, Any]]:
        """Returns the last requests with their problems and responses, without secrets.

        Args:
            since: The `n` of the first request.
            limit: The maximum number of requests.
            status: The status that the caller received: 404, "4xx", or "none" if there was no complete response.
            operation: The id of the operation, such as "sms.send".
            account: The account.
            filters: text (a part of the target, the body, the response or a warning), after and before (a `datetime` with a time
                zone, or a string).
        """
        query = given(
            since=since,
            limit=limit,
            status=status,
            operation=operation,
            account=account,
            **log_query(filters),
        )
        return ControlRequest("GET", "requests", _unchanged, query=query)

    @control_request
    def events(
        self,
        *,
        since: int | None = None,
        kind: str | None = None,
        subject: str | None = None,
        wait: float | timedelta | None = None,
        account: str | None = None,
        **filters: Unpack[_LogFilters],
    ) -> ControlRequest[tuple[dict[str, Any], ...]]:
        """Returns the internal events, such as changes of messages.

        Args:
            since: The `n` of the first event.
            kind: The kind of the events.
            subject: The id of the record that the events are about.
            wait: How long to wait for a match, in seconds or as a `timedelta`; None returns at once.
            account: The account; None for the first one.
            filters: text, after and before, as for `requests`.
        """
        query = given(
            since=since,
            kind=kind,
            subject=subject,
            wait=wait_text(wait),
            account=account,
            **log_query(filters),
        )
        return ControlRequest(
            "GET", "events", _list("events"), query=query, timeout=duration("wait", wait or 0) + 10
        )

    @control_request
    def callbacks(
        self,
        *,
        since: int | None = None,
        subject: str | None = None,
        status: int | str | None = None,
        kind: str | None = None,
        wait: float | timedelta | None = None,
        account: str | None = None,
        **filters: Unpack[_LogFilters],
    ) -> ControlRequest[dict[str, Any]]:
        """Returns the attempts to deliver callbacks, and their responses.

        Args:
            since: The `n` of the first attempt.
            subject: The id of the record that the callbacks are about.
            status: The status of the response, as for `requests`.
            kind: The kind of the callbacks.
            wait: How long to wait for a match, in seconds or as a `timedelta`; None returns at once.
            account: The account; None for the first one.
            filters: text, after and before, as for `requests`.
        """
        query = given(
            since=since,
            subject=subject,
            status=status,
            kind=kind,
            wait=wait_text(wait),
            account=account,
            **log_query(filters),
        )
        return ControlRequest(
            "GET", "callbacks", _unchanged, query=query, timeout=duration("wait", wait or 0) + 10
        )

    @control_request
    def replay_callback(self, n: int, *, account: str | None = None) -> ControlRequest[dict[str, Any]]:
        """Delivers the callback of an attempt once more, even to a target that returned 410.

        Args:
            n: The number of the attempt.
            account: The account; None for the first one.
        """
        return ControlRequest("POST", f"callbacks/{n}/replay", _unchanged, query=given(account=account))

    @control_request
    def media(
        self,
        url: str,
        *,
        bytes: int | None = None,
        width: int | None = None,
        height: int | None = None,
        account: str | None = None,
    ) -> ControlRequest[dict[str, Any]]:
        """Sets the size of a file, because the sandbox never downloads it.

        Args:
            url: The URL of the file.
            bytes: The size in bytes.
            width: The width in pixels.
            height: The height in pixels.
            account: The account; None for the first one.
        """
        body = {"url": url, **given(bytes=bytes, width=width, height=height)}
        return ControlRequest("PUT", "media", _unchanged, body=body, query=given(account=account))

    @control_request
    def run_workflow(
        self, sid: str, *, service: str, from_: str, to: str, body: str, account: str | None = None
    ) -> ControlRequest[dict[str, Any]]:
        """Runs a workflow and returns the `requestID` of its passcode.

        Args:
            sid: The id of the workflow.
            service: The service of the passcode.
            from_: The sender.
            to: The recipient.
            body: The text, with `{code}`.
            account: The account; None for the first one.
        """
        passcode = {"service": service, "from": from_, "to": to, "body": body}
        query = given(account=account)
        return ControlRequest("POST", f"workflows/{sid}/run", _unchanged, body=passcode, query=query)

    @control_request
    def limits(self, *, account: str | None = None) -> ControlRequest[tuple[dict[str, Any], ...]]:
        """Returns the counters of the limits.

        Args:
            account: The account; None for the first one.
        """
        return ControlRequest("GET", "limits", _list("counters"), query=given(account=account))

    @control_request
    def statistics(self, *, account: str | None = None) -> ControlRequest[dict[str, int]]:
        """Returns the numbers of chat messages by status, except those that stay `Created`.

        Args:
            account: The account; None for the first one.
        """
        return ControlRequest("GET", "statistics", _unchanged, query=given(account=account))

    @control_request
    def campaigns(self, *, account: str | None = None) -> ControlRequest[tuple[dict[str, Any], ...]]:
        """Returns the campaigns by the `reference` of their messages: accepted, retries, rows, rate and states.

        Args:
            account: The account; None for the first one.
        """
        return ControlRequest("GET", "campaigns", _list("campaigns"), query=given(account=account))

    @control_request
    def accounts(self) -> ControlRequest[tuple[dict[str, Any], ...]]:
        """Returns the accounts with the settings of their clients (`config`)."""
        return ControlRequest("GET", "accounts", _list("accounts"))

    @control_request
    def create_account(self) -> ControlRequest[dict[str, Any]]:
        """Creates an account with an inbox, keys, clock, limits and faults of its own. `client(**account["config"])` uses it."""
        return ControlRequest("POST", "accounts", _unchanged)

    @control_request
    def account(self, /, sid: str | None = None, **changes: Any) -> ControlRequest[dict[str, Any]]:
        """Changes settings of an account, and returns the account.

        Args:
            sid: The account; None for the first one.
            changes: The settings callback, chat_callback, inbound_callback, allow_ip, two_way, features and parent. None
                removes a setting.
        """
        check_account(changes)
        return ControlRequest("PUT", f"accounts/{sid or self.account_sid}", _unchanged, body=changes)

    @control_request
    def magic(self) -> ControlRequest[tuple[dict[str, Any], ...]]:
        """Returns the magic numbers, which select an outcome."""
        return ControlRequest("GET", "magic", tuple)

    @control_request
    def openapi(self) -> ControlRequest[dict[str, Any]]:
        """Returns the interface of the provider as OpenAPI 3.1."""
        return ControlRequest("GET", "openapi.json", _unchanged)

    @control_request
    def reset(self, *, account: str | None = None) -> ControlRequest[Any]:
        """Deletes the records of an account: messages, passcodes, limits, workflows, requests, callbacks, faults and ledger.

        Its keys, its settings (`account`) and its clock stay. The rules of `fault` are removed.

        Args:
            account: The account; None for the first one.
        """

        def was_reset(response: Any) -> Any:
            self._faulty.discard(account or self.account_sid)
            return response

        return ControlRequest("POST", "reset", was_reset, query=given(account=account))

    def _accounts_with_rules(self) -> list[str]:
        """The accounts with rules of `fault`, and the first account, which is the last element."""
        return [*sorted(self._faulty - {self.account_sid}), self.account_sid]

    @property
    def _is_stopped(self) -> bool:
        return self._control.closed

    def _raw(self, request: ControlRequest[Any]) -> Any:
        if self._is_stopped:
            raise ClientClosed("the sandbox is stopped")
        return self._control.call_raw(
            request.method,
            "sms",
            f"/_sandbox/{request.path}",
            query=request.query,
            body=request.body,
            timeout=request.timeout,
            deadline=request.timeout and request.timeout + 10,
        )

    def _clear(self, account: str) -> ControlRequest[Any]:
        return ControlRequest("DELETE", "faults", _unchanged, query={"account": account})


@public_methods
class Sandbox(_ControlPlane):
    """A sandbox in this process, on its own port. The end of the `with` statement stops it.

    A method raises `cpaas.Invalid` if the sandbox rejects its request, such as one for an unknown message, and `cpaas.ClientClosed` if
    the sandbox is stopped.

    Args:
        switches: The switches of the command `cpaas sandbox`, with `_` for `-`, such as `seed=7`, `clock="virtual"`,
            `first_page=1`; a list for a repeatable switch, such as `allow_host=["sandbox.test"]`. A switch without a value is
            True or False.

    Raises:
        cpaas.Invalid: A switch or its value is invalid.
    """

    __module__ = "cpaas"

    def __init__(self, **switches: Unpack[Switches]) -> None:
        known_names("switch", switches, Switches.__annotations__)
        chosen = [
            (name.replace("_", "-"), switch(name, item))
            for name, value in switches.items()
            for item in as_sequence(value)
            if item is not False
        ]
        try:
            server = SandboxServer(chosen)
        except Invalid as error:
            raise bad_value(with_argument_names(str(error))) from None
        except OSError as error:
            raise OSError(with_argument_names(str(error))) from None
        config = server.config
        control = Client(
            sms_url=config["sms_url"], sms_key=config["sms_key"], max_attempts=1, read_environment=False
        )
        control._shares_connections = True  # the sandbox warns if it is not stopped, not its client
        super().__init__(server, control, set())

    def _request(self, request: ControlRequest[T]) -> T:
        try:
            response = self._raw(request)
        except Rejected as error:
            raise _rejected(error) from None
        return request.read(response.json())

    def clear_faults(self) -> Any:
        """Removes the rules of the first account, and of every account that has rules of `fault`."""
        response = None
        for account in self._accounts_with_rules():
            response = self._request(self._clear(account))
        self._faulty.clear()
        return response

    def stop(self) -> None:
        """Stops the sandbox and waits until it has stopped. Idempotent."""
        self._control._native.close()
        self._server.stop()

    def __enter__(self) -> Sandbox:
        if self._is_stopped:
            raise ClientClosed("the sandbox is stopped")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    async def __aenter__(self) -> AsyncSandbox:
        if self._is_stopped:
            raise ClientClosed("the sandbox is stopped")
        return AsyncSandbox(self)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # As in `async_client`.
        from asyncio import get_running_loop

        await get_running_loop().run_in_executor(None, self.stop)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a sandbox cannot be pickled; pass sandbox.config to the other process, and create cpaas.Client(**config) there"
        )

    def __del__(self) -> None:
        if (control := getattr(self, "_control", None)) is not None and not control.closed:
            warnings.warn(f"unclosed {self!r}", ResourceWarning, source=self, stacklevel=2)

    def __repr__(self) -> str:
        return f"<cpaas.Sandbox {self.url}>"


@public_methods
class AsyncSandbox(_ControlPlane):
    """The result of `async with cpaas.Sandbox()`: the methods of `Sandbox` as coroutines.

    They accept the arguments and raise the exceptions of the methods of `Sandbox`. `client` and `async_client` are not coroutines.
    """

    __module__ = "cpaas"

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        config = sandbox.config
        # Costs 40 ms for asyncio.
        from .._async_client import AsyncClient

        control = AsyncClient(
            sms_url=config["sms_url"], sms_key=config["sms_key"], max_attempts=1, read_environment=False
        )
        super().__init__(sandbox._server, control, sandbox._faulty)

    @property
    def _is_stopped(self) -> bool:
        return self._sandbox._is_stopped

    @public
    async def _request(self, request: ControlRequest[T]) -> T:
        try:
            response = await self._raw(request)
        except Rejected as error:
            raise _rejected(error) from None
        return request.read(response.json())

    async def clear_faults(self) -> Any:
        """Removes the rules of the first account, and of every account that has rules of `fault`."""
        response = None
        for account in self._accounts_with_rules():
            response = await self._request(self._clear(account))
        self._faulty.clear()
        return response

    def __del__(self) -> None:
        if (control := getattr(self, "_control", None)) is not None:
            control._native.close()

    def __repr__(self) -> str:
        return f"<cpaas.AsyncSandbox {self.url}>"


def _rejected(error: Rejected) -> Invalid:
    """The exception for a request that the control API rejected, with its message."""
    return bad_value(f"the sandbox rejected the request: {error.provider_message or error}")


def _unchanged(response: Any) -> Any:
    return response


def _inbox(response: Any) -> tuple[InboxMessage, ...]:
    return tuple(map(InboxMessage.from_dict, response["messages"]))


def _list(name: str) -> Callable[[Any], tuple[Any, ...]]:
    return lambda response: tuple(response[name])
