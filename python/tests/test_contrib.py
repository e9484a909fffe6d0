"""The integrations with Django, FastAPI and Flask, and stores of repeated callbacks."""

import asyncio
import subprocess
import sys
import threading
from types import ModuleType

import pytest
from support.callback_requests import INBOUND, KEYS, call_asgi, call_wsgi, report

import cpaas
from cpaas import callbacks


@pytest.fixture
def receiver():
    return callbacks.Receiver(
        audience="shop", public_url="https://shop.example/hooks", delivery_keys=KEYS, inbound_keys=INBOUND
    )


class TwoStates:
    """A store with two states."""

    def __init__(self):
        self.keys = set()

    def swap(self, key, present):
        before = key in self.keys
        (self.keys.add if present else self.keys.discard)(key)
        return before


def test_processes_share_a_store_with_two_states(receiver):
    store = TwoStates()
    first, second = (callbacks.Duplicates(store=store) for _ in range(2))
    url = report(receiver)
    received = receiver.receive("GET", url)
    assert not first.repeats(received)
    assert second.repeats(received)
    second.forget(received)
    assert not second.repeats(received)
    assert first.repeats(received)
    assert not first.repeats(receiver.receive("GET", url.replace("delivered", "failed")))
    assert first.latest("m-1") == "delivered"
    assert "m-1" not in "".join(store.keys)


def test_a_failed_handler_leaves_no_key_in_a_store_with_two_states(receiver):
    store = TwoStates()
    app = callbacks.wsgi(receiver, lambda event: 1 / 0, duplicates=callbacks.Duplicates(store=store))
    with pytest.raises(ZeroDivisionError):
        call_wsgi(app, "GET", report(receiver))
    assert store.keys == set()


def test_a_sync_handler_of_asgi_runs_in_a_thread(receiver):
    threads = []
    app = callbacks.asgi(receiver, lambda event: threads.append(threading.get_ident()))
    assert call_asgi(app, "GET", report(receiver)) == 200
    assert threads != [threading.get_ident()]


def test_a_coroutine_function_of_asgi_runs_in_the_loop(receiver):
    threads = []

    class Handler:
        async def __call__(self, event):
            await asyncio.sleep(0)
            threads.append(threading.get_ident())

    app = callbacks.asgi(receiver, Handler())
    assert call_asgi(app, "GET", report(receiver)) == 200
    assert threads == [threading.get_ident()]


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (
            lambda: callbacks.Keyring({"k": "x" * 32}),
            "keys must be a list of pairs of an id and a secret, got dict",
        ),
        (lambda: callbacks.Keyring(None), "keys must be a list of pairs of an id and a secret, got None"),
        (
            lambda: callbacks.Keyring([5]),
            "keys: each must be a pair of an id and a secret, or a dict, got int",
        ),
        (lambda: callbacks.Keyring([("k", 5)]), r"keys: .* got str and int"),
        (
            lambda: callbacks.Receiver(audience=5, public_url="https://a.example"),
            "audience must be str, got int",
        ),
        (
            lambda: callbacks.Receiver(audience="a", public_url="a.example", delivery_keys=KEYS),
            "public_url must be an absolute http or https URL",
        ),
        (
            lambda: callbacks.Receiver(
                audience="a", public_url="https://a.example", delivery_keys=[("k", "x" * 32)]
            ),
            "delivery_keys must be a Keyring, got list",
        ),
    ],
)
def test_configuration_errors_name_the_argument_and_its_form(make, expected):
    with pytest.raises(cpaas.Invalid, match=expected):
        make()


@pytest.fixture
def django_client(receiver):
    import django
    from django.conf import settings

    if not settings.configured:
        middleware = ["django.middleware.csrf.CsrfViewMiddleware"]
        settings.configure(ROOT_URLCONF="urls", MIDDLEWARE=middleware, ALLOWED_HOSTS=["*"], SECRET_KEY="x")
        django.setup()
    from django.test import Client
    from django.test.utils import override_settings
    from django.urls import path

    from cpaas.contrib.django import view

    got = []
    urls = ModuleType("urls")
    urls.urlpatterns = [path("hooks", view(receiver, got.append, duplicates=callbacks.Duplicates()))]
    with override_settings(ROOT_URLCONF=urls):
        yield Client(enforce_csrf_checks=True), got


@pytest.fixture
def flask_client(receiver):
    import flask

    from cpaas.contrib.flask import blueprint

    got = []
    app = flask.Flask(__name__)
    duplicates = callbacks.Duplicates()
    app.register_blueprint(blueprint(receiver, got.append, url_prefix="/hooks", duplicates=duplicates))
    return app.test_client(), got


@pytest.fixture
def fastapi_client(receiver):
    import fastapi
    from fastapi.testclient import TestClient

    from cpaas.contrib.fastapi import router

    got = []
    app = fastapi.FastAPI()
    app.include_router(router(receiver, got.append, path="/hooks", duplicates=callbacks.Duplicates()))
    return TestClient(app), got


@pytest.mark.parametrize("framework", ["django", "flask", "fastapi"])
def test_a_framework_receives_callbacks(framework, receiver, request):
    client, got = request.getfixturevalue(f"{framework}_client")
    url = report(receiver)
    assert client.get(url).status_code == 200
    assert client.get(url).status_code == 200  # a repeat
    assert [event.message_id for event in got] == ["m-1"]
    assert client.get(url.replace("booking-7", "booking-8")).status_code == 403
    chat = receiver.url("chat_report").removeprefix("https://shop.example")
    body = b'{"messageId":"m-2","status":"Delivered","errorcode":0}'
    options = {"content": body} if framework == "fastapi" else {"data": body}
    if framework == "fastapi":
        options["headers"] = {"content-type": "application/json"}
    else:
        options["content_type"] = "application/json"
    assert client.post(chat, **options).status_code == 200
    assert got[-1].message_id == "m-2"
    large = {**options, "content" if framework == "fastapi" else "data": b"x" * (callbacks.MAX_BODY + 1)}
    assert client.post(chat, **large).status_code == 403


def test_django_does_not_fail_with_an_invalid_content_length(django_client, receiver):
    client, _ = django_client
    # The test client passes exceptions on. Django 6 reads such a body as empty; before, `request.body` raises.
    response = client.generic("POST", report(receiver), b"", CONTENT_LENGTH="abc")
    assert response.status_code in (200, 403)


@pytest.mark.parametrize("name", ["django", "fastapi", "flask"])
def test_a_missing_framework_is_named(name):
    code = f"import sys; sys.modules[{name!r}] = None; import cpaas.contrib.{name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"ImportError: cpaas.contrib.{name} needs {name}: pip install {name}" in done.stderr
