"""An accepted callback is never lost: each adapter with a store of three states."""

import asyncio
import concurrent.futures
import contextlib
import functools
import json
import re
import threading
import time
from decimal import Decimal

import pytest
from callback_adapters import (
    ADAPTERS,
    ASYNC,
    RECEIVER,
    CoroutineStore,
    LeaseStore,
    asgi_call,
    asgi_request,
    inbound,
    report,
)

import cpaas
from cpaas import callbacks
from cpaas.callbacks._duplicates import Claim

STORES = {"functions": lambda store: store, "coroutines": CoroutineStore}
PAIRS = [(adapter, "functions") for adapter in ADAPTERS] + [(adapter, "coroutines") for adapter in ASYNC]


@pytest.fixture(params=PAIRS, ids=lambda pair: f"{pair[0]}, {pair[1]}")
def make(request):
    """Creates a function that makes a request, from a handler and a `LeaseStore`."""
    adapter, kind = request.param

    def create(handler, store, **more):
        return ADAPTERS[adapter](handler, callbacks.Duplicates(store=STORES[kind](store), **more))

    create.adapter = adapter
    return create


def errors(caplog):
    return [record.getMessage() for record in caplog.records if record.name == "cpaas.callbacks"]


def test_an_event_is_handled_once_and_recorded_as_done_before_the_response(make):
    store, got = LeaseStore(), []
    request = make(got.append, store, lease=30, keep=3600, prefix="shop:")
    assert [request(report()) for _ in range(3)] == [(200, None)] * 3
    assert [event.message_id for event in got] == ["m-1"]
    names = [command[0] for command in store.commands]
    assert names == ["claim", "done", "claim", "claim"]
    (_, key, token, lease), (_, done_key, done_token, keep), *rest = store.commands
    assert (lease, keep) == (30.0, 3600.0)
    assert (key, token) == (done_key, done_token)
    assert re.fullmatch("shop:cpaas:2:[0-9a-f]{32}", key)
    tokens = {token, *(command[2] for command in rest)}
    assert len(tokens) == 3
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in tokens)


def test_two_states_of_one_message_are_two_events(make):
    got = []
    request = make(got.append, LeaseStore())
    assert request(report(status="sent")) == request(report(status="delivered")) == (200, None)
    assert [event.status for event in got] == ["sent", "delivered"]


def test_a_repeat_during_the_handler_is_503_with_the_seconds_left(make):
    store, seen = LeaseStore(), []

    def handle(event):
        for passed in (0, 0.5, 60, 89.5):
            store.now = passed
            seen.append(in_thread(request, report()))

    request = make(handle, store)
    assert request(report()) == (200, None)
    assert seen == [(503, "90"), (503, "90"), (503, "30"), (503, "1")]
    assert request(report()) == (200, None)


def in_thread(function, *arguments):
    """Calls a function in another thread, which has no event loop."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(function, *arguments).result()


def test_a_failed_handler_is_500_and_its_repeat_runs_it_again(make):
    store, calls = LeaseStore(), []

    def handle(event):
        calls.append(event)
        if len(calls) < 3:
            raise LookupError("the database is not reachable")

    request = make(handle, store)
    assert [request(report())[0] for _ in range(4)] == [500, 500, 200, 200]
    assert len(calls) == 3
    assert [command[0] for command in store.commands][:5] == ["claim", "free", "claim", "free", "claim"]
    assert store.commands[0][1:3] == store.commands[1][1:3]


def test_a_handler_longer_than_its_lease_frees_only_its_own_lease(make):
    store, calls = LeaseStore(), []

    def handle(event):
        calls.append(event)
        if len(calls) == 1:
            store.now += 91
            thread.start()
            second_started.wait(60)
            raise LookupError("too late")
        second_started.set()
        first_ended.wait(60)

    request = make(handle, store)
    second_started, first_ended, found = threading.Event(), threading.Event(), []
    thread = threading.Thread(target=lambda: found.append(request(report())))
    assert request(report())[0] == 500
    assert store.states() == ["busy"]  # the lease of the second run
    assert request(report()) == (503, "90")
    first_ended.set()
    thread.join()
    assert found == [(200, None)]
    assert request(report()) == (200, None)
    assert len(calls) == 2


def test_a_handler_longer_than_its_lease_records_that_it_is_done(make):
    store, calls = LeaseStore(), []

    def handle(event):
        calls.append(event)
        store.now += 91

    request = make(handle, store)
    assert request(report()) == (200, None)
    assert store.states() == ["done"]
    assert request(report()) == (200, None)
    assert len(calls) == 1


def test_a_store_that_fails_to_claim_is_503_and_the_handler_does_not_run(make, caplog):
    store, calls = LeaseStore(), []
    request = make(calls.append, store)
    store.before = raises(ConnectionError("no store"))
    assert request(report()) == (503, "5")
    assert calls == []
    assert errors(caplog) == ["the store failed to claim a callback; its handler does not run"]
    store.before = lambda command: None
    assert request(report()) == (200, None)
    assert len(calls) == 1


def raises(error, *commands):
    def fail(command):
        if not commands or command in commands:
            raise error

    return fail


class LyingStore(LeaseStore):
    answer = None

    def claim(self, key, token, lease):
        return self.answer


async def nothing():
    pass


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_any_other_answer_of_claim_is_503_and_the_handler_does_not_run(adapter, caplog):
    store, calls = LyingStore(), []
    request = ADAPTERS[adapter](calls.append, callbacks.Duplicates(store=store))
    answers = [None, True, "new", "done", b"new", (), ("new",), ("New", 0), ("new", 0, 0), (b"new", 0), 0, {}]
    left = [None, "5", float("nan"), float("inf"), -1, -0.5, 10**400, 86_401, Decimal("NaN"), [], True]
    for answer in [*answers, *(("busy", seconds) for seconds in left)]:
        store.answer = answer
        assert request(report()) == (503, "5"), answer
    assert calls == []
    assert len(errors(caplog)) == len(answers) + len(left)
    for seconds, expected in [
        (0, "1"),
        (0.2, "1"),
        (1, "1"),
        (1.01, "2"),
        (Decimal("4.5"), "5"),
        (86_400, "86400"),
    ]:
        store.answer = ["busy", seconds]
        assert request(report()) == (503, expected)
    assert calls == []


def test_a_store_that_fails_to_record_done_is_200(make, caplog):
    store, calls = LeaseStore(), []
    request = make(calls.append, store)
    store.before = raises(TimeoutError("no store"), "done")
    assert request(report()) == (200, None)
    assert errors(caplog) == [
        "the store failed to record a callback as done; a repeat may run its handler again"
    ]
    assert request(report()) == (503, "90")
    store.now = 90.0
    assert request(report()) == (200, None)
    assert len(calls) == 2


def test_an_error_of_free_does_not_replace_that_of_the_handler(make, caplog):
    store = LeaseStore()
    failure = LookupError("the database is not reachable")
    request = make(raises(failure), store)
    store.before = raises(ConnectionError("no store"), "free")
    assert request(report())[0] == 500
    assert "the store failed to free a callback whose handler failed" in errors(caplog)
    if request.error is not None:
        assert request.error is failure
    store.now = 90.0
    assert request(report())[0] == 500
    assert [command[0] for command in store.commands] == ["claim", "claim"]


@pytest.mark.parametrize(
    "error", [StopIteration(), StopAsyncIteration(), GeneratorExit(), SystemExit(1)], ids=repr
)
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_exceptions_that_python_itself_uses_are_failures_of_the_handler_too(adapter, error):
    """A future of asyncio cannot have the exception StopIteration: the request would wait for ever."""
    store, calls = LeaseStore(), []

    def handle(event):
        calls.append(event)
        if len(calls) == 1:
            raise error

    request = ADAPTERS[adapter](handle, callbacks.Duplicates(store=store))
    with contextlib.suppress(BaseException):
        assert request(report())[0] == 500
    if not (isinstance(error, GeneratorExit) and "coroutine" in adapter):
        assert store.states() == []
        assert request(report()) == (200, None)
        assert len(calls) == 2


def test_a_store_that_raises_stop_iteration_is_503(make):
    store, calls = LeaseStore(), []
    request = make(calls.append, store)
    store.before = raises(StopIteration())
    assert request(report()) == (503, "5")
    store.before = raises(StopIteration(), "done")
    assert request(report()) == (200, None)
    assert len(calls) == 1


@pytest.mark.parametrize("command", ["claim", "done", "free"])
def test_a_lost_reply_of_the_store_loses_no_event(make, command):
    store, calls = LeaseStore(), []

    def handle(event):
        calls.append(event)
        if command == "free" and len(calls) == 1:
            raise LookupError("the database is not reachable")

    request = make(handle, store)
    store.after = raises(ConnectionError("the reply was lost"), command)
    assert request(report())[0] == {"claim": 503, "done": 200, "free": 500}[command]
    store.after = lambda command: None
    store.now = 90.0 if command == "claim" else 0.0
    assert request(report()) == (200, None)
    assert len(calls) == {"claim": 1, "done": 1, "free": 2}[command]


def generator(event):
    yield event


async def async_generator(event):
    yield event


def future(event):
    return concurrent.futures.Future()


async def coroutine(event):
    pass


async def asynchronous_future(event):
    return asyncio.get_running_loop().create_future()


def thread(event):
    started = threading.Thread(target=print, args=("",))
    started.start()
    return started


UNRUN = {
    "generator": generator,
    "generator object": lambda event: generator(event),
    "async generator": async_generator,
    "future": future,
    "map": lambda event: map(print, [event]),
    "lambda with a coroutine": lambda event: coroutine(event),
    "thread": thread,
    "timer": lambda event: threading.Timer(0.0, print),
    "partial": lambda event: functools.partial(print, event),
    "partial of a generator function": functools.partial(generator),
    "partial of an async generator function": functools.partial(async_generator),
    "function": lambda event: lambda: print(event),
    "bound method": lambda event: [].append,
}


@pytest.mark.parametrize("result", UNRUN)
def test_a_handler_whose_result_nobody_runs_is_500_and_freed(make, result):
    if result == "lambda with a coroutine" and make.adapter in ("asgi", "trio", "fastapi"):
        pytest.skip("the application awaits it")
    store = LeaseStore()
    request = make(UNRUN[result], store)
    assert request(report())[0] == 500
    assert store.states() == []
    assert [command[0] for command in store.commands] == ["claim", "free"]


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("handler", [generator, async_generator, future])
def test_a_repeat_runs_a_handler_whose_result_nobody_runs_again(adapter, handler):
    calls = []

    def handle(event):
        calls.append(event)
        return handler(event)

    request = ADAPTERS[adapter](handle, callbacks.Duplicates())
    assert [request(report())[0] for _ in range(2)] == [500, 500]
    assert len(calls) == 2


@pytest.mark.parametrize("adapter", ["asgi", "trio", "fastapi"])
@pytest.mark.parametrize("kind", STORES)
def test_a_function_that_returns_a_coroutine_is_awaited(adapter, kind):
    store, calls = LeaseStore(), []

    async def handle(event):
        calls.append(event)
        if len(calls) == 1:
            raise LookupError("the database is not reachable")

    request = ADAPTERS[adapter](lambda event: handle(event), callbacks.Duplicates(store=STORES[kind](store)))
    assert [request(report())[0] for _ in range(3)] == [500, 200, 200]
    assert len(calls) == 2


@pytest.mark.parametrize("kind", STORES)
def test_a_coroutine_function_that_returns_a_future_or_a_coroutine_is_500(kind):
    async def forgotten(event):
        return coroutine(event)

    for handler in (forgotten, asynchronous_future):
        store = LeaseStore()
        request = ADAPTERS["asgi"](handler, callbacks.Duplicates(store=STORES[kind](store)))
        assert request(report())[0] == 500
        assert store.states() == []


def test_an_event_without_a_key_always_runs_and_claims_nothing(make):
    store, calls = LeaseStore(), []

    def handle(event):
        calls.append(event)
        if len(calls) == 2:
            raise LookupError("the database is not reachable")

    request = make(handle, store)
    assert [request(*inbound())[0] for _ in range(3)] == [200, 500, 200]
    assert len(calls) == 3
    assert store.commands == []


def test_a_batch_in_one_request_is_one_event_without_a_key(make):
    store, done = LeaseStore(), []
    batch = [{"messageId": "m-1"}, {"messageId": "m-2"}, {"messageId": "m-3"}]

    def handle(event):
        assert (event.kind, event.key) == ("unknown", None)
        failed = []
        failed_once = bool(done)
        for item in event.to_dict()["raw"]:
            if item["messageId"] != "m-3" and not failed_once:
                failed.append(item)
            else:
                done.append(item["messageId"])
        if failed:
            raise LookupError("the database is not reachable")

    request = make(handle, store)
    url = RECEIVER.url("chat_report").removeprefix("https://shop.example")
    body = json.dumps(batch).encode()
    assert [request(url, body)[0] for _ in range(2)] == [500, 200]
    assert done == ["m-3", "m-1", "m-2", "m-3"]
    assert store.commands == []


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_old_and_new_workers_with_separate_prefixes_do_not_share_events(adapter):
    store, calls = LeaseStore(), []
    old, new = (
        ADAPTERS[adapter](calls.append, callbacks.Duplicates(store=store, prefix=prefix))
        for prefix in ("", "2:")
    )
    assert [each(report()) for each in (old, new, old, new)] == [(200, None)] * 4
    assert len(calls) == 2
    assert store.states() == ["done", "done"]


def test_a_rejected_request_claims_nothing(make):
    store, calls = LeaseStore(), []
    request = make(calls.append, store)
    assert request(report() + "x") == (403, None)
    assert (store.commands, calls) == ([], [])


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_memory_of_a_process_is_a_store_of_three_states(adapter):
    calls, seen = [], []

    def handle(event):
        calls.append(event.message_id)
        if len(calls) == 1:
            seen.append(in_thread(request, report()))  # in progress
            seen.append(in_thread(request, report("m-2")))  # the memory is full
            raise LookupError("the database is not reachable")

    request = ADAPTERS[adapter](handle, callbacks.Duplicates(1, lease=86_400))
    assert request(report())[0] == 500
    assert seen == [(503, "86400"), (503, "1")]
    assert [request(report()) for _ in range(2)] == [(200, None)] * 2
    assert calls == ["m-1", "m-1"]
    assert request(report("m-2")) == (200, None)  # `m-1` is evicted
    assert request(report()) == (200, None)
    assert calls == ["m-1", "m-1", "m-2", "m-1"]


class TwoStates:
    def __init__(self):
        self.keys, self.swaps = set(), []

    def swap(self, key, present):
        self.swaps.append(present)
        before = key in self.keys
        (self.keys.add if present else self.keys.discard)(key)
        return before


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_store_of_two_states_behaves_as_before(adapter):
    store, calls, seen = TwoStates(), [], []

    def handle(event):
        calls.append(event)
        seen.append(in_thread(request, report()))
        if len(calls) == 1:
            raise LookupError("the database is not reachable")

    request = ADAPTERS[adapter](handle, callbacks.Duplicates(store=store))
    assert [request(report())[0] for _ in range(3)] == [500, 200, 200]
    assert seen == [(200, None)] * 2
    assert len(calls) == 2
    assert store.swaps == [True, True, False, True, True, True]
    store.swap = lambda key, present: raises(ConnectionError("no store"))(None)
    assert request(report("m-2"))[0] == 500
    assert len(calls) == 2


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_error_of_forget_does_not_replace_that_of_the_handler(adapter, caplog):
    store = TwoStates()
    failure = LookupError("the database is not reachable")
    request = ADAPTERS[adapter](raises(failure), callbacks.Duplicates(store=store))
    swap = store.swap
    store.swap = lambda key, present: swap(key, present) if present else raises(ConnectionError())(None)
    assert request(report())[0] == 500
    assert "the store failed to free a callback whose handler failed" in errors(caplog)
    if request.error is not None:
        assert request.error is failure


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_program_can_forget_an_event_that_is_done_in_memory(adapter):
    duplicates, calls = callbacks.Duplicates(), []
    request = ADAPTERS[adapter](calls.append, duplicates)
    assert request(report()) == request(report()) == (200, None)
    duplicates.forget(calls[0])
    assert request(report()) == (200, None)
    assert len(calls) == 2


@pytest.mark.parametrize(
    "value", [None, 0, 0.0, 0.99, -1, float("inf"), float("nan"), "90", True, 86_400.5, 10**400]
)
def test_a_lease_is_from_1_to_86400_seconds(value):
    with pytest.raises(cpaas.Invalid, match=r"^lease must be "):
        callbacks.Duplicates(lease=value)
    with pytest.raises(cpaas.Invalid, match=r"^lease must be "):
        callbacks.Duplicates(store=LeaseStore(), lease=value)


@pytest.mark.parametrize("value", [None, 0, 0.99, -1, float("inf"), float("nan"), "90", True, 10**400])
def test_a_retention_is_at_least_one_second(value):
    with pytest.raises(cpaas.Invalid, match=r"^keep must be "):
        callbacks.Duplicates(keep=value)


@pytest.mark.parametrize("missing", [["claim"], ["done"], ["free"], ["claim", "done"], ["done", "free"]])
@pytest.mark.parametrize("swap", [True, False])
def test_a_store_with_some_of_the_three_methods_is_an_error(missing, swap):
    names = {"claim", "done", "free", *(["swap"] if swap else [])} - set(missing)
    store = type("Partial", (), {name: lambda *_: None for name in names})()
    expected = f"claim, done and free, or only swap; Partial has no {' and no '.join(missing)}$"
    with pytest.raises(cpaas.InvalidType, match=expected):
        callbacks.Duplicates(store=store)


def test_a_store_without_any_method_is_an_error():
    for store in ({}, 5, object()):
        with pytest.raises(
            cpaas.InvalidType, match="store must have the methods claim, done and free, or only swap, got"
        ):
            callbacks.Duplicates(store=store)

    class Coroutines:
        async def swap(self, key, present):
            return False

    with pytest.raises(cpaas.InvalidType, match=r"store\.swap must be a function, got a coroutine function"):
        callbacks.Duplicates(store=Coroutines())


def test_repeats_and_forget_of_a_store_with_three_states_raise():
    store = LeaseStore()
    duplicates = callbacks.Duplicates(store=store)
    received = RECEIVER.receive("GET", report())
    for use in (duplicates.repeats, duplicates.forget):
        with pytest.raises(cpaas.Invalid, match=f"^{use.__name__} requires a store with a method swap"):
            use(received)
    assert store.commands == []


class CoroutineFilter:
    """An object in place of `Duplicates`, as earlier versions accept it."""

    def __init__(self):
        self.seen = set()

    async def repeats(self, received):
        return received.key in self.seen or self.seen.add(received.key) is not None

    async def forget(self, received):
        self.seen.discard(received.key)


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_another_filter_with_coroutine_functions_is_awaited_or_refused(adapter):
    calls = []

    def handle(event):
        calls.append(event)
        if len(calls) == 1:
            raise LookupError("the database is not reachable")

    if adapter in ASYNC:
        request = ADAPTERS[adapter](handle, CoroutineFilter())
        assert [request(report())[0] for _ in range(3)] == [500, 200, 200]
        assert len(calls) == 2
    else:
        with pytest.raises(cpaas.InvalidType, match=r"only callbacks\.asgi awaits"):
            ADAPTERS[adapter](handle, CoroutineFilter())


@pytest.mark.parametrize("adapter", ["wsgi", "django", "flask"])
def test_a_synchronous_adapter_refuses_a_store_with_coroutine_functions(adapter):
    with pytest.raises(cpaas.InvalidType, match=r"only callbacks\.asgi awaits"):
        ADAPTERS[adapter](print, callbacks.Duplicates(store=CoroutineStore()))


def test_the_memory_evicts_only_done_events_and_sweeps_ended_leases():
    from cpaas.callbacks._duplicates import _Memory

    now = [0.0]
    memory = _Memory(2, lambda: now[0])
    assert memory.claim("a", "1", 10) == memory.claim("b", "2", 10) == ("new", 0)
    assert memory.claim("c", "3", 10) == ("busy", 1)
    assert memory.claim("a", "4", 10) == ("busy", 10)
    now[0] = 4.0
    assert memory.claim("a", "1", 10) == ("new", 0)  # renewed
    assert memory.claim("a", "4", 10) == ("busy", 10)
    memory.free("b", "1")
    assert memory.claim("b", "4", 10) == ("busy", 6)
    now[0] = 10.0  # the lease of `b` has ended
    assert memory.claim("c", "3", 10) == ("new", 0)
    memory.done("b", "2", 100)  # also without the lease
    assert memory.claim("b", "5", 10) == ("done", 0)
    memory.free("b", "2")
    assert memory.claim("b", "5", 10) == ("done", 0)
    memory.done("a", "1", 100)
    memory.done("d", "9", 100)  # evicts `b`, the oldest
    assert memory.claim("a", "6", 10) == memory.claim("d", "6", 10) == ("done", 0)
    assert memory.claim("b", "6", 10) == ("new", 0)
    now[0] = 110.0  # the retention has ended
    assert memory.claim("a", "7", 10) == ("new", 0)


def test_one_of_many_concurrent_claims_in_memory_wins():
    from cpaas.callbacks._duplicates import _Memory

    memory = _Memory(10_000)
    barrier = threading.Barrier(8)

    def claims(token):
        barrier.wait()
        return [memory.claim(f"k{number}", token, 90)[0] for number in range(2_000)]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(claims, "abcdefgh"))
    for row in zip(*found):
        assert sorted(row) == ["busy"] * 7 + ["new"]


class HangingStore:
    """A store whose command `hangs` does not end before `release` is set."""

    def __init__(self, hangs):
        self.store = LeaseStore()
        self.hangs = hangs
        self.release = threading.Event()

    def claim(self, key, token, lease):
        self._hang("claim")
        return self.store.claim(key, token, lease)

    def done(self, key, token, keep):
        self._hang("done")
        self.store.done(key, token, keep)

    def free(self, key, token):
        self._hang("free")
        self.store.free(key, token)

    def _hang(self, command):
        if command == self.hangs:
            assert self.release.wait(60)


class HangingCoroutineStore(HangingStore):
    async def claim(self, key, token, lease):
        await self._hang("claim")
        return self.store.claim(key, token, lease)

    async def done(self, key, token, keep):
        await self._hang("done")
        self.store.done(key, token, keep)

    async def free(self, key, token):
        await self._hang("free")
        self.store.free(key, token)

    async def _hang(self, command):
        while command == self.hangs and not self.release.is_set():
            await asyncio.sleep(0.01)


@pytest.fixture
def short_limit(monkeypatch):
    monkeypatch.setattr(Claim, "time_limit", 0.1)


@pytest.mark.parametrize("command", ["claim", "done", "free"])
@pytest.mark.parametrize("store_type", [HangingStore, HangingCoroutineStore])
@pytest.mark.parametrize("is_coroutine", [True, False], ids=["coroutine", "function"])
def test_an_asgi_request_does_not_wait_for_a_store_that_hangs(
    short_limit, caplog, command, store_type, is_coroutine
):
    store, calls = store_type(command), []

    def handle(event):
        calls.append(event)
        if command == "free":
            raise LookupError("the database is not reachable")

    async def handle_later(event):
        handle(event)

    handler = handle_later if is_coroutine else handle
    app = callbacks.asgi(RECEIVER, handler, duplicates=callbacks.Duplicates(store=store))

    async def status():
        messages = []
        try:
            await asyncio.wait_for(asgi_call(app, report(), messages), 20)
        except LookupError:
            return 500, None
        headers = dict(messages[0]["headers"])
        return messages[0]["status"], headers.get(b"retry-after")

    async def main():
        try:
            found = await status()
            assert not store.release.is_set()
        finally:
            store.release.set()
        # A command that ends late takes effect, and a late claim is freed.
        expected = {"claim": [], "done": ["done"], "free": []}[command]
        for _ in range(500):
            if store.store.commands and store.store.states() == expected:
                break
            await asyncio.sleep(0.01)
        assert store.store.states() == expected
        store.hangs = None
        return found, await status()

    first, second = asyncio.run(main())
    assert first == {"claim": (503, b"5"), "done": (200, None), "free": (500, None)}[command]
    assert second == ((500, None) if command == "free" else (200, None))
    assert len(calls) == {"claim": 1, "done": 1, "free": 2}[command]
    words = {"claim": "failed to claim", "done": "failed to record", "free": "failed to free"}[command]
    assert any(words in line for line in errors(caplog))


def test_a_slow_handler_is_not_limited(short_limit):
    store = LeaseStore()
    app = callbacks.asgi(
        RECEIVER, lambda event: time.sleep(0.4), duplicates=callbacks.Duplicates(store=store)
    )
    assert asgi_request(app, report()) == (200, None)
    assert store.states() == ["done"]


def test_trio_does_not_wait_for_a_store_that_hangs(short_limit):
    trio = pytest.importorskip("trio")

    async def handle(event):
        pass

    for hangs, status in (("claim", 503), ("done", 200)):
        store = HangingStore(hangs)
        app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates(store=store))
        try:
            assert asgi_request(app, report(), run=trio.run)[0] == status
        finally:
            store.release.set()
