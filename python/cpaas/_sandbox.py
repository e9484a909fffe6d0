"""The sandbox: simulates the provider on the loopback interface of this machine, for tests."""

from ._client import Client
from ._cpaas import SandboxServer
from ._errors import Rejected
from ._model import Model


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


class _ControlPlane:
    """The control plane of a sandbox. Each method is one request."""

    def __init__(self, server, control):
        self._server = server
        self._control = control
        self._rules = []

    @property
    def url(self):
        """The address of all families."""
        return self._server.url

    @property
    def config(self):
        """The settings of a client of the first account, and `bot_id`."""
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
        return Client(**{**self._settings(), **settings})

    def async_client(self, **settings):
        """Creates an async client of the first account; `settings` override its settings."""
        from ._async_client import AsyncClient

        return AsyncClient(**{**self._settings(), **settings})

    def _settings(self):
        return {name: value for name, value in self.config.items() if name != "bot_id"}

    def messages(self, *, limit=None, **filters):
        """Returns the messages that match all filters, oldest first.

        Args:
            limit: The maximum number of messages.
            filters: to, from_, contains, channel, id, direction ("in" or "out") and since (the `n` of a message).
        """
        return self._request("GET", "messages", _inbox, query={**_query(filters), **_given(limit=limit)})

    def wait_for(self, *, timeout=5.0, **filters):
        """Waits for a message that matches all filters of `messages`, and returns the newest one.

        Args:
            timeout: Seconds, or a timedelta.
            filters: As for `messages`.

        Raises:
            TimeoutError: There was no such message within `timeout`.
        """
        timeout = _seconds(timeout)
        query = {**_query(filters), "limit": 1, "wait": f"{round(timeout * 1000)}ms"}

        def newest(response):
            if response["messages"]:
                return InboxMessage.from_dict(response["messages"][-1])
            names = ", ".join(f"{name}='…'" for name, value in filters.items() if value is not None)
            raise TimeoutError(f"no message{' matching ' if names else ''}{names} within {timeout:g} s")

        return self._request("GET", "messages", newest, query=query, timeout=timeout + 10)

    def advance(self, by):
        """Moves the clock forward by seconds, a timedelta or a duration such as `"14d"`. Runs everything that is due before it returns."""
        duration = by if isinstance(by, str) else f"{round(_seconds(by) * 1000)}ms"
        return self._request("POST", "clock", _same, body={"advance": duration}, timeout=300)

    def fault(self, kind, *, op=None, to=None, account=None, **rule):
        """Adds a rule that makes requests fail.

        Args:
            kind: status, latency, hang, reset-before-read, reset-after-read, close-before-read, close-after-read,
                truncated-head, truncated-body, garbage, slow-drip, accept-then-5xx, accept-then-503-retry-after,
                accept-then-429, gateway, accept-then-gateway, answer-early, answer-early-then-accept or
                duplicate-answer.
            op: The operation; None for all.
            to: The recipient; None for all.
            account: The account; None for all.
            rule: nth, probability, seed, expires (a number of requests or a duration), status, ms, retry_after, gateway, body.
        """
        added = {"match": _given(op=op, to=to, account=account), "kind": kind, **rule}

        def accepted(response):
            self._rules.append(added)
            return response

        return self._request("PUT", "faults", accepted, body={"rules": [*self._rules, added]})

    def clear_faults(self):
        """Removes all rules."""
        self._rules.clear()
        return self._request("DELETE", "faults", _same)

    def ledger(self):
        """Returns every accepted message in order, so that a test can find lost and duplicate ones."""
        return self._request("GET", "ledger", _entries, query={"limit": 1 << 30})

    def inbound(self, **message):
        """Sends a message from a phone: from_, to, text, channel and the members of the channel."""
        body = {name.rstrip("_"): value for name, value in message.items()}
        return self._request("POST", "inbound", _same, body=body)

    def requests(self, **query):
        """Returns the last requests with their problems, without secrets."""
        return self._request("GET", "requests", _same, query=query)

    def callbacks(self):
        """Returns the attempts to deliver callbacks, with their responses."""
        return self._request("GET", "callbacks", _same)

    def account(self, sid=None, **changes):
        """Changes an account, by default the first one: callback, chat_callback, allow_ip, two_way, features, parent."""
        return self._request("PUT", f"accounts/{sid or self.account_sid}", _same, body=changes)

    def reset(self):
        """Resets the messages, records, faults, ledger and clock."""
        self._rules.clear()
        return self._request("POST", "reset", _same)

    def _raw(self, method, path, query=None, body=None, timeout=None):
        options = {"query": query, "body": body, "timeout": timeout, "deadline": timeout and timeout + 10}
        return self._control.call_raw(method, "sms", f"/_sandbox/{path}", **options)


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
                (name.replace("_", "-"), _switch(item))
                for name, value in switches.items()
                for item in _items(value)
            ]
        )
        config = server.config
        super().__init__(server, Client(sms_url=config["sms_url"], sms_key=config["sms_key"], max_attempts=1))

    def _request(self, method, path, read, **request):
        try:
            response = self._raw(method, path, **request)
        except Rejected as error:
            raise _rejected(error) from None
        return read(response.json())

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


class AsyncSandbox(_ControlPlane):
    """The result of `async with cpaas.Sandbox()`: the methods of `Sandbox` as coroutines."""

    def __init__(self, sandbox):
        self._sandbox = sandbox
        config = sandbox.config
        from ._async_client import AsyncClient

        control = AsyncClient(sms_url=config["sms_url"], sms_key=config["sms_key"], max_attempts=1)
        super().__init__(sandbox._server, control)

    async def _request(self, method, path, read, **request):
        try:
            response = await self._raw(method, path, **request)
        except Rejected as error:
            raise _rejected(error) from None
        return read(response.json())

    def __del__(self):
        self._control._native.close()

    def __repr__(self):
        return f"<cpaas.AsyncSandbox {self.url}>"


_FILTERS = ("to", "from_", "contains", "channel", "id", "direction", "since")


def _query(filters):
    for name in filters:
        if name not in _FILTERS:
            raise TypeError(f"unknown filter {name!r}; filters: {', '.join(_FILTERS)}")
    return {name.rstrip("_"): str(value) for name, value in filters.items() if value is not None}


def _given(**members):
    return {name: value for name, value in members.items() if value is not None}


def _rejected(error):
    """The exception for a request that the control plane rejected, with its message."""
    return ValueError(f"the sandbox rejected the request: {error.provider_message or error}")


def _items(value):
    return value if isinstance(value, (list, tuple)) else (value,)


def _switch(value):
    return "" if value is True else str(value)


def _same(response):
    return response


def _inbox(response):
    return tuple(map(InboxMessage.from_dict, response["messages"]))


def _entries(response):
    return response["entries"]


def _seconds(value):
    """A number of seconds; a `timedelta` is converted."""
    return value.total_seconds() if hasattr(value, "total_seconds") else value
