"""The adapters of callbacks under one interface, and stores whose clock the test moves."""

import asyncio
import functools
import io
import threading
from types import ModuleType

import pytest

from cpaas import callbacks

KEYS = callbacks.Keyring([("k1", b"delivery secret one, 32 bytes or more")])
INBOUND = callbacks.Keyring([("i1", "inbound secret one, 32 bytes or more!")])
RECEIVER = callbacks.Receiver(
    audience="shop", public_url="https://shop.example/hooks", delivery_keys=KEYS, inbound_keys=INBOUND
)


@functools.cache
def report(message_id="m-1", status="delivered"):
    """A URL with one token, so that a second request is a repeat."""
    url = RECEIVER.url("sms_report", "booking-7").removeprefix("https://shop.example")
    return f"{url}&msgid={message_id}&status={status}&reference=booking-7"


def inbound():
    """The URL and the body of an inbound SMS, which has no id and therefore no key."""
    url = RECEIVER.url("inbound_sms").removeprefix("https://shop.example")
    return url, b'{"from":"306912345678","to":"54100","text":"Yes"}'


class LeaseStore:
    """Three states in memory. `now` is the clock; `before` and `after` are called around each command."""

    def __init__(self):
        self.now = 0.0
        self.keys = {}
        self.commands = []
        self.lock = threading.Lock()
        self.before = self.after = lambda command: None

    def claim(self, key, token, lease):
        return self._command("claim", self._claim, key, token, lease)

    def done(self, key, token, keep):
        return self._command("done", self._done, key, token, keep)

    def free(self, key, token):
        return self._command("free", self._free, key, token)

    def _command(self, name, run, *arguments):
        self.before(name)
        with self.lock:
            self.commands.append((name, *arguments))
            answer = run(*arguments)
        self.after(name)
        return answer

    def _claim(self, key, token, lease):
        owner, until = self.keys.get(key, (token, 0))
        if owner is None and until > self.now:
            return "done", 0
        if owner != token and until > self.now:
            return "busy", until - self.now
        self.keys[key] = (token, self.now + lease)
        return "new", 0

    def _done(self, key, token, keep):
        self.keys[key] = (None, self.now + keep)

    def _free(self, key, token):
        if self.keys.get(key, (None,))[0] == token:
            del self.keys[key]

    def states(self):
        """The states of all keys."""
        live = [owner for owner, until in self.keys.values() if until > self.now]
        return ["done" if owner is None else "busy" for owner in live]


class CoroutineStore:
    """The same with coroutine functions, each of which waits for the event loop several times."""

    def __init__(self, store=None):
        self.store = store or LeaseStore()

    async def _wait(self):
        for _ in range(5):
            await sleep(0)

    async def claim(self, key, token, lease):
        await self._wait()
        answer = self.store.claim(key, token, lease)
        await self._wait()
        return answer

    async def done(self, key, token, keep):
        await self._wait()
        self.store.done(key, token, keep)

    async def free(self, key, token):
        await self._wait()
        self.store.free(key, token)


def run_asyncio(function, *arguments):
    return asyncio.run(function(*arguments))


def asgi_request(app, url, body=b"", *, run=run_asyncio):
    """Calls an ASGI application. Returns the status and `Retry-After`."""
    messages = []
    run(asgi_call, app, url, messages, body)
    assert messages[1]["body"] == b""
    return _response(messages[0]["status"], messages[0]["headers"])


async def asgi_call(app, url, messages, body=b"", disconnect=None):
    """Calls an ASGI application, whose client disconnects when `disconnect` is set."""
    path, _, query = url.partition("?")
    chunks = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive():
        for chunk in chunks:
            return chunk
        while disconnect is None or not disconnect.is_set():
            await sleep(0.01)
        return {"type": "http.disconnect"}

    async def send(message):
        messages.append(message)

    scope = {
        "type": "http",
        "root_path": "",
        "method": "POST" if body else "GET",
        "path": path,
        "query_string": query.encode(),
        "headers": [(b"content-type", b"application/json")],
    }
    await app(scope, receive, send)


async def sleep(seconds):
    from cpaas.callbacks._async_apps import _is_asyncio

    if _is_asyncio():
        await asyncio.sleep(seconds)
    else:
        import trio

        await trio.sleep(seconds)


def wsgi_request(app, url, body=b""):
    path, _, query = url.partition("?")
    found = []
    environ = {
        "REQUEST_METHOD": "POST" if body else "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
    }
    content = app(environ, lambda status, headers: found.append((int(status.split()[0]), headers)))
    assert b"".join(content) == b""
    return _response(*found[0])


def _response(status, headers):
    text = [(_text(name).lower(), _text(value)) for name, value in headers]
    return status, dict(text).get("retry-after")


def _text(value):
    return value.decode() if isinstance(value, bytes) else value


def _or_500(request):
    """An exception of the application is the response 500 of the server."""

    def call(url, body=b""):
        try:
            return request(url, body)
        except Exception as error:
            call.error = error
            return 500, None

    call.error = None
    return call


def _coroutine(handler):
    async def handle(event):
        return handler(event)

    return handle


def _wsgi(handler, duplicates):
    app = callbacks.wsgi(RECEIVER, handler, duplicates=duplicates)
    return _or_500(lambda url, body: wsgi_request(app, url, body))


def _asgi(handler, duplicates):
    app = callbacks.asgi(RECEIVER, handler, duplicates=duplicates)
    return _or_500(lambda url, body: asgi_request(app, url, body))


def _trio(handler, duplicates):
    trio = pytest.importorskip("trio")
    app = callbacks.asgi(RECEIVER, handler, duplicates=duplicates)
    return _or_500(lambda url, body: asgi_request(app, url, body, run=trio.run))


def django_settings():
    django = pytest.importorskip("django")
    from django.conf import settings

    if not settings.configured:
        middleware = ["django.middleware.csrf.CsrfViewMiddleware"]
        settings.configure(ROOT_URLCONF="urls", MIDDLEWARE=middleware, ALLOWED_HOSTS=["*"], SECRET_KEY="x")
        django.setup()


def _django(handler, duplicates, **more):
    django_settings()
    from django.test import Client
    from django.test.utils import override_settings
    from django.urls import path

    from cpaas.contrib.django import view

    urls = ModuleType("urls")
    urls.urlpatterns = [path("hooks", view(RECEIVER, handler, duplicates=duplicates))]

    def request(url, body):
        with override_settings(ROOT_URLCONF=urls, **more):
            client = Client(enforce_csrf_checks=True, raise_request_exception=False)
            response = client.post(url, body, content_type="application/json") if body else client.get(url)
        assert response.content == b"" or response.status_code == 500
        return _response(response.status_code, response.items())

    return _or_500(request)


def _django_async(handler, duplicates):
    django_settings()
    from django.test import AsyncClient
    from django.test.utils import override_settings
    from django.urls import path

    from cpaas.contrib.django import view

    urls = ModuleType("urls")
    urls.urlpatterns = [path("hooks", view(RECEIVER, _coroutine(handler), duplicates=duplicates))]

    async def respond(url, body):
        client = AsyncClient(enforce_csrf_checks=True, raise_request_exception=False)
        return await (client.post(url, body, content_type="application/json") if body else client.get(url))

    def request(url, body):
        with override_settings(ROOT_URLCONF=urls):
            response = asyncio.run(respond(url, body))
        assert response.content == b"" or response.status_code == 500
        return _response(response.status_code, response.items())

    return _or_500(request)


def _flask(handler, duplicates):
    flask = pytest.importorskip("flask")
    from cpaas.contrib.flask import blueprint

    app = flask.Flask(__name__)
    app.register_blueprint(blueprint(RECEIVER, handler, url_prefix="/hooks", duplicates=duplicates))

    def request(url, body):
        client = app.test_client()
        response = client.post(url, data=body, content_type="application/json") if body else client.get(url)
        assert response.data == b"" or response.status_code == 500
        return _response(response.status_code, response.headers.items())

    return _or_500(request)


def _fastapi(handler, duplicates):
    fastapi = pytest.importorskip("fastapi")
    pytest.importorskip("httpx")
    from fastapi.testclient import TestClient

    from cpaas.contrib.fastapi import router

    app = fastapi.FastAPI()
    app.include_router(router(RECEIVER, handler, path="/hooks", duplicates=duplicates))

    def request(url, body):
        client = TestClient(app, raise_server_exceptions=False)
        headers = {"content-type": "application/json"}
        response = client.post(url, content=body, headers=headers) if body else client.get(url)
        assert response.content == b"" or response.status_code == 500
        return _response(response.status_code, response.headers.items())

    return _or_500(request)


def _with_coroutine(make):
    return lambda handler, duplicates: make(_coroutine(handler), duplicates)


# Each creates a function that makes a request to an application with this handler. The handler is a function; adapters named
# "coroutine" wrap it in a coroutine function.
ADAPTERS = {
    "wsgi": _wsgi,
    "asgi": _asgi,
    "asgi coroutine": _with_coroutine(_asgi),
    "trio": _trio,
    "trio coroutine": _with_coroutine(_trio),
    "django": _django,
    "django coroutine": _django_async,
    "flask": _flask,
    "fastapi": _fastapi,
    "fastapi coroutine": _with_coroutine(_fastapi),
}
ASYNC = [name for name in ADAPTERS if name not in ("wsgi", "django", "flask")]
