"""Cancelled requests: a claim is freed when its handler has really ended, and not before."""

import asyncio
import contextlib
import io
import sys
import threading
from types import ModuleType
from wsgiref.util import setup_testing_defaults

import pytest
from callback_adapters import (
    RECEIVER,
    CoroutineStore,
    LeaseStore,
    asgi_call,
    asgi_request,
    django_settings,
    report,
    run_asyncio,
)

from cpaas import callbacks

anyio = pytest.importorskip("anyio")
trio = pytest.importorskip("trio")

STORES = {"functions": lambda store: store, "coroutines": CoroutineStore}


async def cancelled_task(app, started):
    """Cancels the task of a request, as servers do at the end of a graceful stop."""
    task = asyncio.create_task(asgi_call(app, report(), []))
    await started()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def asyncio_timeout(app, started):
    """`asyncio.timeout`, whose time ends when the handler has started."""
    if sys.version_info < (3, 11):
        await cancelled_task(app, started)
        return
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(None) as scope:

            async def end():
                await started()
                scope.reschedule(asyncio.get_running_loop().time())

            ending = asyncio.create_task(end())
            await asgi_call(app, report(), [])
    await ending


async def anyio_scope(app, started):
    async with anyio.create_task_group() as group:
        with anyio.CancelScope() as scope:

            async def cancel():
                await started()
                scope.cancel()

            group.start_soon(cancel)
            await asgi_call(app, report(), [])


async def anyio_timeout(app, started):
    async with anyio.create_task_group() as group:
        with anyio.move_on_after(3600) as scope:

            async def end():
                await started()
                scope.deadline = anyio.current_time()

            group.start_soon(end)
            await asgi_call(app, report(), [])


async def trio_scope(app, started):
    async with trio.open_nursery() as nursery:
        with trio.CancelScope() as scope:

            async def cancel():
                await started()
                scope.cancel()

            nursery.start_soon(cancel)
            await asgi_call(app, report(), [])


CANCELLATIONS = {
    "task": (cancelled_task, run_asyncio),
    "asyncio.timeout": (asyncio_timeout, run_asyncio),
    "anyio scope on asyncio": (anyio_scope, run_asyncio),
    "anyio timeout on asyncio": (anyio_timeout, run_asyncio),
    "anyio scope on trio": (anyio_scope, trio.run),
    "anyio timeout on trio": (anyio_timeout, trio.run),
    "trio scope": (trio_scope, trio.run),
}


@pytest.fixture(params=CANCELLATIONS)
def cancellation(request):
    return CANCELLATIONS[request.param]


def asgi_app(handler, duplicates):
    return callbacks.asgi(RECEIVER, handler, duplicates=duplicates)


def fastapi_app(handler, duplicates):
    fastapi = pytest.importorskip("fastapi")
    from cpaas.contrib.fastapi import router

    app = fastapi.FastAPI()
    app.include_router(router(RECEIVER, handler, path="/hooks", duplicates=duplicates))
    return app


def django_urls(handler, duplicates):
    django_settings()
    from django.urls import path

    from cpaas.contrib.django import view

    urls = ModuleType("urls")
    urls.urlpatterns = [path("hooks", view(RECEIVER, handler, duplicates=duplicates))]
    return urls


def django_app(handler, duplicates):
    urls = django_urls(handler, duplicates)
    from django.core.handlers.asgi import ASGIHandler
    from django.test.utils import override_settings

    async def app(*arguments):
        with override_settings(ROOT_URLCONF=urls):
            await ASGIHandler()(*arguments)

    return app


APPS = {"asgi": asgi_app, "fastapi": fastapi_app, "django": django_app}


@pytest.fixture(params=["asgi", "fastapi"])  # Django does not pass the cancellation of its task on
def make_app(request):
    return APPS[request.param]


async def until(event):
    """Waits for a `threading.Event` without blocking the event loop."""
    while not event.is_set():
        await anyio.sleep(0.001)


@pytest.mark.parametrize("kind", STORES)
def test_a_cancelled_coroutine_is_freed(cancellation, kind, make_app):
    cancel, run = cancellation
    store, calls = LeaseStore(), []
    entered = threading.Event()

    async def handle(event):
        calls.append(event)
        if len(calls) == 1:
            entered.set()
            await anyio.sleep_forever()

    app = make_app(handle, callbacks.Duplicates(store=STORES[kind](store)))

    async def main():
        await cancel(app, lambda: until(entered))
        await settled(store, "free")
        assert store.states() == []
        await asgi_call(app, report(), [])

    run(main)
    assert [command[0] for command in store.commands] == ["claim", "free", "claim", "done"]
    assert len(calls) == 2


async def settled(store, command):
    while command not in [name for name, *_ in store.commands]:
        await anyio.sleep(0.001)


def test_a_cancelled_coroutine_is_freed_in_the_memory_of_the_process(cancellation):
    cancel, run = cancellation
    calls = []
    entered = threading.Event()

    async def handle(event):
        calls.append(event)
        if len(calls) == 1:
            entered.set()
            await anyio.sleep_forever()

    app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates())
    run(cancel, app, lambda: until(entered))
    assert asgi_request(app, report()) == (200, None)
    assert len(calls) == 2


def test_a_cancelled_request_ends_after_its_claim_was_freed(cancellation):
    """Nothing waits for the store after the request: the event loop ends with it."""
    cancel, run = cancellation
    store, entered = LeaseStore(), threading.Event()

    async def handle(event):
        entered.set()
        await anyio.sleep_forever()

    app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates(store=CoroutineStore(store)))
    run(cancel, app, lambda: until(entered))
    assert [command[0] for command in store.commands] == ["claim", "free"]


@pytest.mark.parametrize("kind", STORES)
def test_a_handler_that_ends_in_spite_of_its_cancellation_is_done(cancellation, kind):
    cancel, run = cancellation
    store, calls = LeaseStore(), []
    entered = threading.Event()

    async def handle(event):
        calls.append(event)
        entered.set()
        with contextlib.suppress(BaseException):
            await anyio.sleep_forever()

    app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates(store=STORES[kind](store)))

    async def main():
        await cancel(app, lambda: until(entered))
        await settled(store, "done")

    run(main)
    assert store.states() == ["done"]
    assert asgi_request(app, report()) == (200, None)
    assert len(calls) == 1


@pytest.mark.parametrize("kind", STORES)
def test_a_function_is_not_freed_while_it_runs(kind):
    store, calls, seen = LeaseStore(), [], []
    entered, end = threading.Event(), threading.Event()

    def handle(event):
        calls.append(event)
        entered.set()
        end.wait(60)

    app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates(store=STORES[kind](store)))

    async def main():
        await cancelled_task(app, lambda: until(entered))
        for _ in range(100):  # commands of the store that are under way end meanwhile
            await asyncio.sleep(0)
        assert store.states() == ["busy"]
        assert [command[0] for command in store.commands] == ["claim"]
        await asgi_call(app, report(), seen)
        end.set()
        await settled(store, "done")

    asyncio.run(main())
    assert seen[0]["status"] == 503
    assert store.states() == ["done"]
    assert asgi_request(app, report()) == (200, None)
    assert len(calls) == 1


def test_a_function_is_not_freed_in_the_memory_of_the_process_while_it_runs():
    calls, seen = [], []
    entered, end = threading.Event(), threading.Event()

    def handle(event):
        calls.append(event)
        entered.set()
        end.wait(60)

    app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates())

    async def main():
        await cancelled_task(app, lambda: until(entered))
        asyncio.get_running_loop().call_later(1, end.set)  # ends a second run, which is an error
        await asgi_call(app, report(), seen)
        end.set()

    asyncio.run(main())
    assert seen[0]["status"] == 503
    assert len(calls) == 1


@pytest.mark.parametrize("kind", STORES)
def test_a_function_that_fails_after_its_request_was_cancelled_is_freed_and_logged(kind, caplog):
    store = LeaseStore()
    entered, end = threading.Event(), threading.Event()

    def handle(event):
        entered.set()
        end.wait(60)
        raise LookupError("the database is not reachable")

    app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates(store=STORES[kind](store)))

    async def main():
        await cancelled_task(app, lambda: until(entered))
        assert store.states() == ["busy"]
        end.set()
        await settled(store, "free")
        while not caplog.records:
            await asyncio.sleep(0.001)

    asyncio.run(main())
    assert store.states() == []
    assert caplog.messages == ["the handler of a callback failed after its request was cancelled"]


def test_a_function_settles_its_claim_after_the_event_loop_has_ended():
    store = LeaseStore()
    entered, end = threading.Event(), threading.Event()

    def handle(event):
        entered.set()
        end.wait(60)

    app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates(store=store))

    async def main():
        asyncio.get_running_loop().call_later(0.05, end.set)
        task = asyncio.create_task(asgi_call(app, report(), []))
        await until(entered)
        return task  # asyncio.run cancels it

    asyncio.run(main())
    assert store.states() == ["done"]


def test_a_claim_whose_request_is_cancelled_meanwhile_is_freed(cancellation):
    cancel, run = cancellation
    store, calls = LeaseStore(), []
    claiming = threading.Event()
    end = threading.Event()

    class Store(CoroutineStore):
        async def claim(self, key, token, lease):
            claiming.set()
            await until(end)
            return self.store.claim(key, token, lease)

    async def handle(event):
        await anyio.lowlevel.checkpoint()
        calls.append(event)

    app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates(store=Store(store)))

    async def main():
        async def started():
            await until(claiming)
            threading.Timer(0.1, end.set).start()

        await cancel(app, started)
        await settled(store, "free")
        assert store.states() == []
        assert calls == []
        await asgi_call(app, report(), [])

    run(main)
    assert len(calls) == 1


@pytest.mark.parametrize("name", APPS)
def test_a_client_that_disconnects_loses_no_event(name):
    """Django cancels the view then; the other applications continue."""
    store, calls = LeaseStore(), []
    entered, disconnect = threading.Event(), threading.Event()

    async def handle(event):
        calls.append(event)
        entered.set()
        if len(calls) == 1:
            disconnect.set()
            await asyncio.sleep(0.2)

    app = APPS[name](handle, callbacks.Duplicates(store=store))

    async def main():
        await asgi_call(app, report(), [], disconnect=disconnect)
        assert store.states() == ([] if name == "django" else ["done"])
        await asgi_call(app, report(), [])

    asyncio.run(main())
    assert store.states() == ["done"]
    assert len(calls) == (2 if name == "django" else 1)


class Lost(list):
    """The messages of a response whose client has disconnected."""

    def append(self, message):
        raise ConnectionResetError


@pytest.mark.parametrize("name", APPS)
def test_a_lost_response_does_not_lose_the_record_that_the_event_is_done(name):
    store, calls = LeaseStore(), []
    app = APPS[name](calls.append, callbacks.Duplicates(store=store))
    with contextlib.suppress(ConnectionResetError):
        asyncio.run(asgi_call(app, report(), Lost()))
    assert store.states() == ["done"]
    messages = []
    asyncio.run(asgi_call(app, report(), messages))
    assert messages[0]["status"] == 200
    assert len(calls) == 1


def wsgi_app(handler, duplicates):
    return callbacks.wsgi(RECEIVER, handler, duplicates=duplicates)


def flask_app(handler, duplicates):
    flask = pytest.importorskip("flask")
    from cpaas.contrib.flask import blueprint

    app = flask.Flask(__name__)
    app.register_blueprint(blueprint(RECEIVER, handler, url_prefix="/hooks", duplicates=duplicates))
    return app


def django_wsgi_app(handler, duplicates):
    urls = django_urls(handler, duplicates)
    from django.core.handlers.wsgi import WSGIHandler
    from django.test.utils import override_settings

    def app(*arguments):
        with override_settings(ROOT_URLCONF=urls):
            return WSGIHandler()(*arguments)

    return app


@pytest.mark.parametrize("make", [wsgi_app, flask_app, django_wsgi_app])
def test_a_lost_response_of_wsgi_does_not_lose_the_record_that_the_event_is_done(make):
    store, calls = LeaseStore(), []
    app = make(calls.append, callbacks.Duplicates(store=store))
    path, _, query = report().partition("?")
    environ = {"PATH_INFO": path, "QUERY_STRING": query, "wsgi.input": io.BytesIO()}
    setup_testing_defaults(environ)

    def lost(status, headers, exc_info=None):
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        app(environ.copy(), lost)
    assert store.states() == ["done"]
    statuses = []
    app(environ, lambda status, headers, exc_info=None: statuses.append(status))
    assert statuses == ["200 OK"]
    assert len(calls) == 1


def test_commands_of_a_store_of_functions_run_off_the_event_loop():
    store, threads = LeaseStore(), []
    store.before = lambda command: threads.append(threading.get_ident())

    async def handle(event):
        threads.append(threading.get_ident())

    app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates(store=store))
    for run in (run_asyncio, trio.run):
        store.keys.clear()
        threads.clear()
        run(asgi_call, app, report(), [])
        here = threading.get_ident()
        assert [thread == here for thread in threads] == [False, True, False]


@pytest.mark.parametrize("run", [run_asyncio, trio.run])
def test_a_store_may_have_functions_and_coroutine_functions(run):
    store, threads = LeaseStore(), []
    store.before = lambda command: threads.append((command, threading.get_ident()))

    class Mixed:
        async def claim(self, key, token, lease):
            return store.claim(key, token, lease)

        done, free = store.done, store.free

    async def handle(event):
        pass

    app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates(store=Mixed()))
    run(asgi_call, app, report(), [])
    here = threading.get_ident()
    assert [(command, thread == here) for command, thread in threads] == [("claim", True), ("done", False)]


def test_a_repeat_whose_request_is_cancelled_does_not_remove_its_key():
    """A store with two states has no token: only the request that added the key may remove it."""
    keys, swaps = set(), []
    claiming, end = threading.Event(), threading.Event()

    class Store:
        def swap(self, key, present):
            claiming.set()
            end.wait(60)
            swaps.append(present)
            before = key in keys
            (keys.add if present else keys.discard)(key)
            return before

    async def handle(event):
        calls.append(event)

    calls = []
    app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates(store=Store()))

    async def cancelled():
        claiming.clear()
        end.clear()
        await cancelled_task_and(end.set, app, lambda: until(claiming))

    async def main():
        await cancelled()
        while swaps != [True, False]:  # it was new, and the handler did not run
            await asyncio.sleep(0.001)
        end.set()
        await asgi_call(app, report(), [])
        await cancelled()
        while len(swaps) < 4:
            await asyncio.sleep(0.001)

    asyncio.run(main())
    assert swaps == [True, False, True, True]
    assert len(calls) == 1


async def cancelled_task_and(then, app, started):
    task = asyncio.create_task(asgi_call(app, report(), []))
    await started()
    task.cancel()
    await asyncio.sleep(0)
    then()
    with contextlib.suppress(asyncio.CancelledError):
        await task


def test_a_store_that_blocks_does_not_block_the_event_loop():
    store = LeaseStore()
    release = threading.Event()
    store.before = lambda command: release.wait(60)

    async def handle(event):
        pass

    app = callbacks.asgi(RECEIVER, handle, duplicates=callbacks.Duplicates(store=store))

    async def main():
        task = asyncio.create_task(asgi_call(app, report(), []))
        for _ in range(100):
            await asyncio.sleep(0)
        assert not task.done()
        release.set()
        await task

    asyncio.run(main())
    assert store.states() == ["done"]
