"""The provider on this machine, for tests: nothing leaves the loopback interface."""

from ._client import Client
from ._cpaas import Server
from ._errors import Rejected
from ._model import Model


class InboxMessage(Model):
    """A message as the phone has it. `otp` is the code in it; `extra` holds what a channel adds."""

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


class _Plane:
    """What a test does to a sandbox. Each method is one request to the control plane."""

    def __init__(self, server, control):
        self._server = server
        self._control = control
        self._rules = []

    @property
    def url(self):
        """The address of every family."""
        return self._server.url

    @property
    def config(self):
        """The configuration of a client of the first account, and `bot_id`."""
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
        """A client of the first account; settings win."""
        return Client(**{**self._settings(), **settings})

    def async_client(self, **settings):
        """An async client of the first account; settings win."""
        from ._async_client import AsyncClient

        return AsyncClient(**{**self._settings(), **settings})

    def _settings(self):
        return {name: value for name, value in self.config.items() if name != "bot_id"}

    def messages(self, *, limit=None, **filters):
        """The messages that fit: to, from_, contains, channel, id, direction ("in", "out"), since, limit."""
        return self._ask("GET", "messages", _inbox, query={**_query(filters), **_given(limit=limit)})

    def wait_for(self, *, timeout=5.0, **filters):
        """The newest message that fits, as soon as there is one; filters as for `messages`.

        Raises:
            TimeoutError: there was none in time.
        """
        query = {**_query(filters), "limit": 1, "wait": f"{round(timeout * 1000)}ms"}
        return self._ask("GET", "messages", _newest, query=query, timeout=timeout + 10)

    def advance(self, by):
        """Moves the clock forward, by seconds or a length such as `"14d"`; what falls due happens before it returns."""
        length = by if isinstance(by, str) else f"{round(by * 1000)}ms"
        return self._ask("POST", "clock", _same, body={"advance": length}, timeout=300)

    def fault(self, kind, *, op=None, to=None, account=None, **rule):
        """Adds a rule by which requests fail.

        Args:
            kind: status, latency, hang, reset-before-read, reset-after-read, close-before-read, close-after-read,
                truncated-head, truncated-body, garbage, slow-drip, accept-then-5xx, accept-then-503-retry-after,
                accept-then-429, gateway, accept-then-gateway, answer-early, answer-early-then-accept or
                duplicate-answer.
            op: Only this operation.
            to: Only this recipient.
            account: Only this account.
            rule: nth, probability, seed, expires (hits, or a length of time), status, ms, retry_after, gateway, body.
        """
        added = {"match": _given(op=op, to=to, account=account), "kind": kind, **rule}

        def taken(answer):
            self._rules.append(added)
            return answer

        return self._ask("PUT", "faults", taken, body={"rules": [*self._rules, added]})

    def clear_faults(self):
        """Takes all rules away."""
        self._rules.clear()
        return self._ask("DELETE", "faults", _same)

    def ledger(self):
        """Everything accepted, in order: the oracle for what was lost and what came twice."""
        return self._ask("GET", "ledger", _entries, query={"limit": 1 << 30})

    def inbound(self, **message):
        """A message from a phone: from_, to, text, channel and what the channel has."""
        body = {name.rstrip("_"): value for name, value in message.items()}
        return self._ask("POST", "inbound", _same, body=body)

    def requests(self, **query):
        """The last requests, with what validation found; no secrets."""
        return self._ask("GET", "requests", _same, query=query)

    def callbacks(self):
        """The attempts to call back, with the real answers."""
        return self._ask("GET", "callbacks", _same)

    def account(self, sid=None, **changes):
        """Changes an account (the first one): callback, chat_callback, allow_ip, two_way, features, parent."""
        return self._ask("PUT", f"accounts/{sid or self.account_sid}", _same, body=changes)

    def reset(self):
        """Empties it: messages, records, faults, ledger, and the clock."""
        self._rules.clear()
        return self._ask("POST", "reset", _same)

    def _raw(self, method, path, query=None, body=None, timeout=None):
        options = {"query": query, "body": body, "timeout": timeout, "deadline": timeout and timeout + 10}
        return self._control.call_raw(method, "sms", f"/_sandbox/{path}", **options)


class Sandbox(_Plane):
    """A sandbox in this process, with a port of its own; ready in a moment, gone with the `with` statement.

    Args:
        switches: Those of the command `cpaas sandbox`, with `_` for `-`, such as `seed=7`, `clock="virtual"`,
            `first_page=1`; a list for one that may be repeated, such as `allow_host=["sandbox.test"]`.
    """

    def __init__(self, **switches):
        server = Server(
            [
                (name.replace("_", "-"), _switch(one))
                for name, value in switches.items()
                for one in _each(value)
            ]
        )
        config = server.config
        super().__init__(server, Client(sms_url=config["sms_url"], sms_key=config["sms_key"], max_attempts=1))

    def _ask(self, method, path, read, **request):
        try:
            answer = self._raw(method, path, **request)
        except Rejected as error:
            raise _refused(error) from None
        return read(answer.json())

    def stop(self):
        """Ends it. Stopping twice does no harm."""
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


class AsyncSandbox(_Plane):
    """What `async with cpaas.Sandbox()` gives: the methods of `Sandbox` to await."""

    def __init__(self, sandbox):
        self._sandbox = sandbox
        config = sandbox.config
        from ._async_client import AsyncClient

        control = AsyncClient(sms_url=config["sms_url"], sms_key=config["sms_key"], max_attempts=1)
        super().__init__(sandbox._server, control)

    async def _ask(self, method, path, read, **request):
        try:
            answer = await self._raw(method, path, **request)
        except Rejected as error:
            raise _refused(error) from None
        return read(answer.json())

    def __del__(self):
        self._control._native.close()

    def __repr__(self):
        return f"<cpaas.AsyncSandbox {self.url}>"


_FILTERS = ("to", "from_", "contains", "channel", "id", "direction", "since")


def _query(filters):
    for name in filters:
        if name not in _FILTERS:
            raise TypeError(f"no filter is called {name!r}; there are {', '.join(_FILTERS)}")
    return {name.rstrip("_"): str(value) for name, value in filters.items() if value is not None}


def _given(**members):
    return {name: value for name, value in members.items() if value is not None}


def _refused(error):
    """What the control plane would not take, in its own words."""
    return ValueError(f"the sandbox refused: {error.provider_message or error}")


def _each(value):
    return value if isinstance(value, (list, tuple)) else (value,)


def _switch(value):
    return "" if value is True else str(value)


def _same(answer):
    return answer


def _inbox(answer):
    return tuple(map(InboxMessage.from_dict, answer["messages"]))


def _newest(answer):
    if not answer["messages"]:
        raise TimeoutError("no such message came in time")
    return InboxMessage.from_dict(answer["messages"][-1])


def _entries(answer):
    return answer["entries"]
