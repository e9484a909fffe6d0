"""The sandbox: simulates the provider on the loopback interface of this machine, for tests."""

from ._arguments import duration
from ._client import Client
from ._cpaas import SandboxServer
from ._errors import Rejected, bad_value
from ._model import Model
from ._public import public, public_methods
from ._sandbox_arguments import (
    client_settings,
    filter_query,
    given,
    items,
    milliseconds,
    switch,
    wait_text,
    wire_names,
)


class InboxMessage(Model):
    """A message of the inbox. `otp` is the passcode in its text; `extra` contains the members of its channel."""

    __slots__ = (
        "at",
        "channel",
        "direction",
        "from_",
        "id",
        "n",
        "operation",
        "otp",
        "reference",
        "status",
        "text",
        "to",
        "updated",
    )
    __match_args__ = ("to", "text")
    _fields = {name: (name.rstrip("_"), None) for name in __slots__}
    _shown = frozenset(("at", "channel", "direction", "id", "n", "operation", "status", "updated"))


@public_methods
class _ControlPlane:
    """The control API of a sandbox. Each method is one request, except `clear_faults`."""

    def __init__(self, server, control, rules):
        self._server = server
        self._control = control
        self._rules = rules  # those that `fault` added: each call of `fault` sends all of them

    @property
    def url(self):
        """The address of the sandbox, which is the same for all families."""
        return self._server.url

    @property
    def config(self):
        """The settings for a client of the first account, and `bot_id`."""
        return self._server.config

    @property
    def account_sid(self):
        return self.config["account_sid"]

    @property
    def traffic_account_id(self):
        return self.config["traffic_account_id"]

    @property
    def bot_id(self):
        return self.config["bot_id"]

    def client(self, **settings):
        """Creates a client of the first account; `settings` override its settings."""
        return Client(**{**self._settings(), **client_settings(settings)})

    def async_client(self, **settings):
        """Creates an async client of the first account; `settings` override its settings."""
        from ._async_client import AsyncClient

        return AsyncClient(**{**self._settings(), **client_settings(settings)})

    def _settings(self):
        return client_settings(self.config)

    def overview(self):
        """Returns the version, the accounts, the time, and the numbers of records that are kept and that were evicted."""
        return self._request("GET", "", _unchanged)

    def messages(self, *, limit=None, account=None, **filters):
        """Returns the messages that match all filters, oldest first.

        Args:
            limit: The maximum number of messages.
            account: The account; None for the first one, here and in the other methods.
            filters: to, from_, phone (the number of the user, as sender or recipient), contains (a part of the text), text (a
                part of the text, a number, the passcode or the reference, in upper or lower case, or the id), channel, status,
                id, direction ("in" or "out") and since (the `n` of the first message).
        """
        query = {**filter_query(filters), **given(limit=limit, account=account)}
        return self._request("GET", "messages", _inbox, query=query)

    def wait_for(self, *, timeout=5.0, account=None, **filters):
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

        def newest(response):
            if response["messages"]:
                return InboxMessage.from_dict(response["messages"][-1])
            names = ", ".join(f"{name}='…'" for name, value in filters.items() if value is not None)
            raise TimeoutError(f"no message{' matching ' if names else ''}{names} within {timeout:g} s")

        return self._request("GET", "messages", newest, query=query, timeout=timeout + 10)

    def phones(self, *, limit=None, offset=None, account=None, **filters):
        """Returns the numbers of users with their last messages, the newest first. `filters` are those of `messages`."""
        query = {**filter_query(filters), **given(limit=limit, offset=offset, account=account)}
        return self._request("GET", "phones", _list("phones"), query=query)

    def inbound(self, *, account=None, **message):
        """Sends a message from a phone and returns its id. Members: channel, from_, to, text, postback, id, name and photo."""
        return self._request(
            "POST", "inbound", _unchanged, body=wire_names(message), query=given(account=account)
        )

    def webhook_event(self, *, account=None, **event):
        """Sends an event of messenger_b to its webhook. Members: event, user, message_id, name and photo."""
        return self._request("POST", "webhook-events", _unchanged, body=event, query=given(account=account))

    def set_status(self, id, status, *, errorcode=0, account=None):
        """Sets the status of a chat message: "Created", "Ready", "Sent", "Delivered", "Failed" or "expired"."""
        body = {"status": status, "errorcode": errorcode}
        return self._request(
            "POST", f"messages/{id}/status", _unchanged, body=body, query=given(account=account)
        )

    def clock(self, *, account=None):
        """Returns the time (`now`, `ms`), the mode of the clock, and the time of the next timer."""
        return self._request("GET", "clock", _unchanged, query=given(account=account))

    def advance(self, by, *, account=None):
        """Moves the clock forward by seconds, a `timedelta` or a duration such as `"14d"`, and runs everything that becomes due."""
        moved = by if isinstance(by, str) else milliseconds("by", by)
        body, query = {"advance": moved}, given(account=account)
        return self._request("POST", "clock", _unchanged, body=body, query=query, timeout=300)

    def fault(self, kind, *, op=None, to=None, account=None, **rule):
        """Adds a rule that makes requests fail.

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
        added = {"match": given(op=op, to=to, account=account), "kind": kind, **rule}

        def accepted(response):
            self._rules.append(added)
            return response

        return self._request("PUT", "faults", accepted, body={"rules": [*self._rules, added]})

    def faults(self, *, account=None):
        """Returns the rules of `fault`, each with the number of requests that it matched and the number on which it took effect."""
        return self._request("GET", "faults", _list("rules"), query=given(account=account))

    def fault_presets(self):
        """Returns rules for common situations, by name."""
        return self._request("GET", "faults/presets", _list("presets"))

    def ledger(self, *, account=None):
        """Returns every accepted message in order, so that a test can find lost and duplicate ones."""
        query = {"limit": 1 << 30, **given(account=account)}
        return self._request("GET", "ledger", _list("entries"), query=query)

    def requests(self, *, since=None, limit=None, account=None):
        """Returns the last requests with their problems and responses, without secrets."""
        query = given(since=since, limit=limit, account=account)
        return self._request("GET", "requests", _unchanged, query=query)

    def events(self, *, since=None, kind=None, subject=None, wait=None, account=None):
        """Returns the internal events, such as changes of messages. With `wait` (seconds or a `timedelta`), waits for a match."""
        query = given(since=since, kind=kind, subject=subject, wait=wait_text(wait), account=account)
        return self._request(
            "GET", "events", _list("events"), query=query, timeout=duration("wait", wait or 0) + 10
        )

    def callbacks(self, *, since=None, subject=None, wait=None, account=None):
        """Returns the attempts to deliver callbacks and their responses. With `wait` (seconds or a `timedelta`), waits for a match."""
        query = given(since=since, subject=subject, wait=wait_text(wait), account=account)
        return self._request(
            "GET", "callbacks", _unchanged, query=query, timeout=duration("wait", wait or 0) + 10
        )

    def replay_callback(self, n, *, account=None):
        """Delivers the callback of attempt `n` once more, even to a target that returned 410."""
        return self._request("POST", f"callbacks/{n}/replay", _unchanged, query=given(account=account))

    def media(self, url, *, account=None, **facts):
        """Sets the bytes, width and height of a file, because the sandbox never downloads it."""
        body = {"url": url, **facts}
        return self._request("PUT", "media", _unchanged, body=body, query=given(account=account))

    def run_workflow(self, sid, *, account=None, **passcode):
        """Runs a workflow and returns the `requestID`. Members of the passcode: service, from_, to and body."""
        body, query = wire_names(passcode), given(account=account)
        return self._request("POST", f"workflows/{sid}/run", _unchanged, body=body, query=query)

    def limits(self, *, account=None):
        """Returns the counters of the limits."""
        return self._request("GET", "limits", _list("counters"), query=given(account=account))

    def statistics(self, *, account=None):
        """Returns the numbers of chat messages by status, except those that stay `Created`."""
        return self._request("GET", "statistics", _unchanged, query=given(account=account))

    def campaigns(self, *, account=None):
        """Returns the campaigns by the `reference` of their messages: accepted, retries, rows, rate and states."""
        return self._request("GET", "campaigns", _list("campaigns"), query=given(account=account))

    def accounts(self):
        """Returns the accounts with the settings of their clients (`config`)."""
        return self._request("GET", "accounts", _list("accounts"))

    def create_account(self):
        """Creates an account with an inbox, keys, clock, limits and faults of its own. `client(**account["config"])` uses it."""
        return self._request("POST", "accounts", _unchanged)

    def account(self, sid=None, **changes):
        """Changes settings of an account, by default of the first one, and returns the account. The settings are callback,
        chat_callback, inbound_callback, allow_ip, two_way, features and parent. None removes a setting."""
        return self._request("PUT", f"accounts/{sid or self.account_sid}", _unchanged, body=changes)

    def magic(self):
        """Returns the magic numbers, which select an outcome."""
        return self._request("GET", "magic", tuple)

    def openapi(self):
        """Returns the interface of the provider as OpenAPI 3.1."""
        return self._request("GET", "openapi.json", _unchanged)

    def reset(self, *, account=None):
        """Deletes the records of an account: messages, passcodes, limits, workflows, requests, callbacks, faults and ledger.

        Its keys, its settings (`account`) and its clock stay. The rules of `fault` are removed.
        """

        def was_reset(response):
            sid = account or self.account_sid
            self._rules[:] = [rule for rule in self._rules if self._account_of(rule) != sid]
            return response

        return self._request("POST", "reset", was_reset, query=given(account=account))

    def _account_of(self, rule):
        return rule["match"].get("account", self.account_sid)

    def _accounts_with_rules(self):
        """The accounts with rules of `fault`, and the first account, which is the last element."""
        others = {self._account_of(rule) for rule in self._rules} - {self.account_sid}
        return [*sorted(others), self.account_sid]

    def _raw(self, method, path, query=None, body=None, timeout=None):
        options = {"query": query, "body": body, "timeout": timeout, "deadline": timeout and timeout + 10}
        return self._control.call_raw(method, "sms", f"/_sandbox/{path}", **options)


@public_methods
class Sandbox(_ControlPlane):
    """A sandbox in this process, on its own port. The end of the `with` statement stops it.

    Args:
        switches: The switches of the command `cpaas sandbox`, with `_` for `-`, such as `seed=7`, `clock="virtual"`,
            `first_page=1`; a list for a repeatable switch, such as `allow_host=["sandbox.test"]`.

    Raises:
        ValueError: A switch or its value is invalid.
    """

    def __init__(self, **switches):
        server = SandboxServer(
            [
                (name.replace("_", "-"), switch(name, item))
                for name, value in switches.items()
                for item in items(value)
            ]
        )
        config = server.config
        control = Client(sms_url=config["sms_url"], sms_key=config["sms_key"], max_attempts=1)
        super().__init__(server, control, [])

    def _request(self, method, path, read, **request):
        try:
            response = self._raw(method, path, **request)
        except Rejected as error:
            raise _rejected(error) from None
        return read(response.json())

    def clear_faults(self):
        """Removes the rules of the first account, and of every account that has rules of `fault`."""
        for account in self._accounts_with_rules():
            response = self._request("DELETE", "faults", _unchanged, query={"account": account})
        self._rules.clear()
        return response

    def stop(self):
        """Stops the sandbox and waits until it has stopped. Idempotent."""
        self._control.close()
        self._server.stop()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.stop()

    async def __aenter__(self):
        return AsyncSandbox(self)

    async def __aexit__(self, kind, error, traceback):
        from asyncio import get_running_loop

        await get_running_loop().run_in_executor(None, self.stop)

    def __repr__(self):
        return f"<cpaas.Sandbox {self.url}>"


@public_methods
class AsyncSandbox(_ControlPlane):
    """The result of `async with cpaas.Sandbox()`: the methods of `Sandbox` as coroutines."""

    def __init__(self, sandbox):
        self._sandbox = sandbox
        config = sandbox.config
        from ._async_client import AsyncClient

        control = AsyncClient(sms_url=config["sms_url"], sms_key=config["sms_key"], max_attempts=1)
        super().__init__(sandbox._server, control, sandbox._rules)

    @public
    async def _request(self, method, path, read, **request):
        try:
            response = await self._raw(method, path, **request)
        except Rejected as error:
            raise _rejected(error) from None
        return read(response.json())

    async def clear_faults(self):
        """Removes the rules of the first account, and of every account that has rules of `fault`."""
        for account in self._accounts_with_rules():
            response = await self._request("DELETE", "faults", _unchanged, query={"account": account})
        self._rules.clear()
        return response

    def __del__(self):
        if (control := getattr(self, "_control", None)) is not None:
            control._native.close()

    def __repr__(self):
        return f"<cpaas.AsyncSandbox {self.url}>"


def _rejected(error):
    """The exception for a request that the control API rejected, with its message."""
    return bad_value(f"the sandbox rejected the request: {error.provider_message or error}")


def _unchanged(response):
    return response


def _inbox(response):
    return tuple(map(InboxMessage.from_dict, response["messages"]))


def _list(name):
    return lambda response: tuple(response[name])
