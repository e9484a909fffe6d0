"""No frame of the package that an exception leaves shows a key, a password, a number, a text or a code in a local variable.

Error reporters record the local variables of each frame: their reprs, and those of their members.
"""

import argparse
import asyncio
import gc
import importlib
import inspect
import json
import os
import pkgutil
import signal
import sys
import weakref

import pytest
from conftest import http_response
from support.interrupt_at import InterruptAt

import cpaas
from cpaas import _public, callbacks, models
from cpaas._generated.metadata import OPERATIONS

PACKAGE = os.path.dirname(cpaas.__file__)
CANARY = "c4nary"
NUMBER = "306900004242"
SECRET = CANARY * 8
SETTINGS = {
    "api_key": CANARY,
    "sms_key": f"{CANARY}-sms",
    "account_sid": "AC1",
    "messenger_b_token": f"{CANARY}-b",
    "callback_keys": f'[{{"kid": "k1", "secret": "{SECRET}"}}]',
    "callback_audience": "shop",
}
SMS = {"from_": "Acme", "to": NUMBER, "text": CANARY}
KEYS = [("k1", SECRET)]


def shown(value, depth=4):
    """The texts that an error reporter records of a value."""
    yield repr(value)
    if depth == 0:
        return
    members = []
    if isinstance(value, dict):
        members = [*value, *value.values()]
    elif isinstance(value, (list, tuple, set)):
        members = list(value)
    for member in (*members, *getattr(value, "__dict__", {}).values()):
        yield from shown(member, depth - 1)


def linked(error, seen):
    """An exception, and all exceptions that it links to."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    yield error
    for other in (error.__cause__, error.__context__, *getattr(error, "exceptions", ())):
        yield from linked(other, seen)


def leaks(error):
    """The local variables of frames of the package that show a secret."""
    found = []
    for each in linked(error, set()):
        traceback = each.__traceback__
        while traceback is not None:
            frame, traceback = traceback.tb_frame, traceback.tb_next
            if not frame.f_code.co_filename.startswith(PACKAGE):
                continue
            for name, value in frame.f_locals.items():
                if any(CANARY in text or NUMBER in text for text in shown(value)):
                    found.append(f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno} {name}")
    return found


def provoke(function):
    """Calls a function that must raise, and returns its leaks."""
    try:
        function()
    except BaseException as error:
        if isinstance(error, pytest.fail.Exception):
            raise
        return leaks(error)
    pytest.fail("nothing was raised")


def no_leaks(names):
    return {name: [] for name in names}


def clients(url, **more):
    urls = ("otp_url", "sms_url", "lookup_url", "messaging_url", "messenger_b_url", "messenger_c_url")
    return {**dict.fromkeys(urls, url), **SETTINGS, "max_attempts": 1, **more}


def methods(client):
    """The methods of all operations, by their ids."""
    for row in OPERATIONS:
        method = client
        for part in row[0].split("."):
            method = getattr(method, part)
        yield row[0], method


def filled(method):
    """A secret for each argument of an operation."""
    names = list(inspect.signature(method).parameters)
    names = names[: names.index("extra")]
    return {name: NUMBER if name == "to" else CANARY for name in names}


def run(is_async, settings, call):
    """Calls a function with a client, sync or async, that must raise. Returns its leaks."""
    if not is_async:
        with cpaas.Client(**settings) as client:
            return provoke(lambda: call(client))

    async def main():
        async with cpaas.AsyncClient(**settings) as client:
            await call(client)

    return provoke(lambda: asyncio.run(main()))


def exit_in_a_hook(event):
    raise SystemExit(f"{event.operation}")


def refuse(_):
    return http_response(
        {"responseCode": 401, "responseText": CANARY, "code": 401, "message": CANARY}, status=401
    )


# The responses of the server, the settings, and the options of the call.
ERRORS = {
    "rejected": (refuse, {}, {"validate": "off"}),
    "unknown": (lambda _: None, {}, {"validate": "off"}),
    "hook": (refuse, {"on_outcome": exit_in_a_hook}, {"validate": "off"}),
    "not sent": (None, {}, {"validate": "off"}),
    "invalid": (None, {}, {}),
    "bad type": (None, {}, {"extra": object()}),
    "bad option": (None, {}, {"timeout": CANARY}),
    "bad header": (None, {}, {"extra_headers": {CANARY: object()}}),
    "unknown argument": (None, {}, {"bogus": CANARY}),
}


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("kind", ERRORS)
def test_methods(wire, kind, is_async):
    script, settings, options = ERRORS[kind]
    wire.script = script
    url = wire.url if script else "http://127.0.0.1:9"
    found = {}
    client = cpaas.Client()
    for name, method in methods(client):
        arguments = filled(method)

        def call(client, name=name, arguments=arguments):
            return dict(methods(client))[name](**arguments, **options)

        found[name] = run(is_async, clients(url, **settings), call)
    client.close()
    assert {name: leak for name, leak in found.items() if leak} == {}
    assert len(found) == len(OPERATIONS)


REQUEST = {"from": "Acme", "to": NUMBER, "text": CANARY}
CALLS = {
    "call": lambda c, _: c.call("sms.send", REQUEST, validate="off"),
    "call invalid": lambda c, _: c.call("sms.send", {"to": CANARY}),
    "call unknown": lambda c, _: c.call(CANARY, REQUEST),
    "call_raw": lambda c, _: c.call_raw("POST", "sms", f"/{CANARY}", query={"to": NUMBER}, body=REQUEST),
    "call_raw bad": lambda c, _: c.call_raw("POST", CANARY, f"/{CANARY}", body={"to": {NUMBER}}),
    "send_once": lambda c, path: c.send_once("key", "sms.send", journal=path / "a.db", **SMS),
    "send_once bad": lambda c, path: c.send_once(
        "key", "sms.send", journal=path / "a.db", **SMS, bogus=NUMBER
    ),
    "send_many": lambda c, _: c.sms.send_many([SMS, CANARY], rate=CANARY),
    "pages": lambda c, _: c.call("otp.search", {"phoneNumber": NUMBER}, validate="off"),
}


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("name", CALLS)
def test_calls(wire, tmp_path, name, is_async):
    wire.script = refuse
    assert run(is_async, clients(wire.url), lambda client: CALLS[name](client, tmp_path)) == []


class Failing:
    """An iterable of rows that fails after the first row."""

    def __iter__(self):
        yield SMS
        raise LookupError


def failing(*arguments):
    raise LookupError


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize(
    "how", [{"rows": Failing()}, {"rows": [SMS], "on_result": failing}], ids=["rows", "on_result"]
)
def test_send_many_that_raises(wire, how, is_async):
    assert run(is_async, clients(wire.url), lambda client: client.sms.send_many(**how)) == []


class BadRow(dict):
    def keys(self):
        raise LookupError

    items = keys


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_errors_of_the_rows_of_send_many(wire, is_async):
    wire.script = refuse
    rows = [SMS, {**SMS, "bogus": CANARY}, BadRow(SMS), CANARY, {**SMS, "to": ""}]
    if is_async:

        async def main():
            async with cpaas.AsyncClient(**clients(wire.url)) as client:
                return await client.sms.send_many(rows)

        results = asyncio.run(main())
    else:
        with cpaas.Client(**clients(wire.url)) as client:
            results = client.sms.send_many(rows)
    assert [result.outcome for result in results] == ["rejected", *["invalid"] * 4]
    assert [leak for result in results for leak in leaks(result.error)] == []


def test_a_cancelled_task(wire):
    async def main():
        async with cpaas.AsyncClient(**clients(wire.url)) as client:
            for call in ("sms", "call", "send_many"):
                task = asyncio.ensure_future(
                    client.sms.send(**SMS)
                    if call == "sms"
                    else client.call("sms.send", REQUEST)
                    if call == "call"
                    else client.sms.send_many([SMS])
                )
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                task.cancel()
                task.cancel()
                with pytest.raises(asyncio.CancelledError) as caught:
                    await task
                assert leaks(caught.value) == [], call

    asyncio.run(main())


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_pages(is_async):
    """The server stops before the second page."""
    with cpaas.Sandbox() as box:
        with box.client() as client:
            for n in range(5):
                client.otp.send(service="login", from_="Acme", to=f"30691234567{n}", body="{code}")

        def read(client):
            for n, _ in enumerate(client.call("otp.search", {"pageSize": 2, "x": CANARY}, validate="off")):
                if n == 1:
                    box.stop()

        async def read_async(client):
            page = await client.call("otp.search", {"pageSize": 2, "x": CANARY}, validate="off")
            n = 0
            async for _ in page:
                n += 1
                if n == 2:
                    box.stop()

        assert run(is_async, {**box.config, "max_attempts": 1}, read_async if is_async else read) == []


BAD_SETTINGS = [
    {"bogus": CANARY},
    {"timeout": CANARY},
    {"sms_url": CANARY},
    {"callback_keys": object()},
    {"proxy": f"ftp://{CANARY}"},
]


@pytest.mark.parametrize("cls", [cpaas.Client, cpaas.AsyncClient])
@pytest.mark.parametrize("bad", BAD_SETTINGS, ids=lambda bad: next(iter(bad)))
def test_constructors(cls, bad):
    settings = {**clients("http://127.0.0.1:9"), **bad}
    assert provoke(lambda: cls(**settings)) == []
    with cpaas.Client(**clients("http://127.0.0.1:9")) as client:
        assert provoke(lambda: client.with_options(**bad)) == []


def ring():
    return callbacks.Keyring(KEYS)


def receiver():
    endpoints = [callbacks.endpoint("/", ["sms_report", "inbound_sms"])]
    keys = {"delivery_keys": ring(), "inbound_keys": ring()}
    return callbacks.Receiver(
        audience="shop", public_url="https://shop.example/hooks", endpoints=endpoints, **keys
    )


def campaign(path, **more):
    template = {"from": "Acme", "to": "{{ to }}", "text": "{{ text }}"}
    rows = more.pop("rows", [{"to": NUMBER, "text": CANARY}])
    return cpaas.Campaign.create(path / "c.db", "sms.send", rows, template, **more)


PRICES = [{"prefix": CANARY, "price": CANARY, "currency": "EUR"}]

# Functions that raise. The argument is a folder.
FUNCTIONS = {
    "segments": lambda _: cpaas.segments(CANARY, encoding=CANARY),
    "segments type": lambda _: cpaas.segments([CANARY]),
    "count_segments": lambda _: cpaas.count_segments([CANARY, None]),
    "annotate": lambda _: cpaas.annotate(CANARY, languages=[CANARY]),
    "estimate": lambda _: cpaas.estimate(CANARY, prices=PRICES, to=NUMBER),
    "estimate type": lambda _: cpaas.estimate(CANARY, prices=[NUMBER], to=NUMBER),
    "validate": lambda _: cpaas.validate(CANARY, REQUEST),
    "validate type": lambda _: cpaas.validate("sms.send", {"to": {NUMBER: object()}}),
    "check": lambda _: cpaas.check(CANARY, {"text": CANARY}),
    "parse_markup": lambda _: cpaas.parse_markup(f"*{CANARY}"),
    "escape_markup": lambda _: cpaas.escape_markup(CANARY, CANARY),
    "encode": lambda _: cpaas.encode(CANARY, encoding=CANARY),
    "decode": lambda _: cpaas.decode([{"udh": CANARY, "ud": CANARY}]),
    "transliterate": lambda _: cpaas.transliterate([CANARY]),
    "template_segments": lambda _: cpaas.template_segments(CANARY, [{CANARY: object()}]),
    "check_sender": lambda _: cpaas.check_sender([CANARY]),
    "check_number": lambda _: cpaas.check_number([NUMBER]),
    "normalize_number": lambda _: cpaas.normalize_number(NUMBER * 3, CANARY),
    "provider_code": lambda _: cpaas.provider_code([CANARY], 1),
    "plan": lambda _: cpaas.plan("sms.send", [{"to": NUMBER}], {"text": f"{{{{ {CANARY}"}),
    "plan rows": lambda _: cpaas.plan("sms.send", [CANARY], {"text": CANARY}),
    "create": lambda path: campaign(path, rows=Failing()),
    "create prices": lambda path: campaign(path, prices=PRICES, max_spend=CANARY),
    "open": lambda path: cpaas.Campaign.open(f"postgres://user:{CANARY}@127.0.0.1:9/db"),
    "list": lambda path: cpaas.Campaign.list(f"postgres://user:{CANARY}@127.0.0.1:9/db"),
    "suppress": lambda path: campaign(path).suppress(Failing()),
    "resolve": lambda path: campaign(path).resolve(reports=Failing()),
    "export": lambda path: campaign(path).export(path / CANARY / "x.csv"),
    "run": lambda path: campaign(path).run(CANARY),
    "keyring": lambda _: callbacks.Keyring([("k1", SECRET), ("k1", SECRET), CANARY]),
    "keyring short": lambda _: callbacks.Keyring([("k1", CANARY)]),
    "mint": lambda _: ring().mint("delivery_report", audience=CANARY, reference="", lifetime=CANARY),
    "verify": lambda _: ring().verify(CANARY, "delivery_report", audience="shop", reference=CANARY),
    "receiver": lambda _: callbacks.Receiver(audience="shop", public_url=CANARY, delivery_keys=ring()),
    "from_json": lambda _: callbacks.Receiver.from_json(json.dumps({"delivery_keys": SECRET})),
    "receive": lambda _: receiver().receive("POST", "/hooks", [], f"to={NUMBER}&text={CANARY}".encode()),
    "receive type": lambda _: receiver().receive("POST", "/hooks", [(CANARY, 1)], CANARY),
    "url": lambda _: receiver().url("sms_report", CANARY, lifetime=CANARY),
    "endpoint": lambda _: callbacks.endpoint(CANARY, 5, query_template=CANARY),
    "model": lambda _: models.Sent(id=CANARY, bogus=CANARY),
    "from_dict": lambda _: models.LookupResult.from_dict([NUMBER]),
    "replace": lambda _: models.Sent(id=CANARY).replace(bogus=NUMBER),
    "main": lambda _: importlib.import_module("cpaas.__main__").main(
        ["call", "sms.send", CANARY, "--bogus", NUMBER]
    ),
    "sandbox": lambda _: cpaas.Sandbox(bogus=CANARY),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(tmp_path, name):
    assert provoke(lambda: FUNCTIONS[name](tmp_path)) == []


def test_methods_of_the_sandbox(sandbox):
    calls = {
        "messages": lambda box: box.messages(bogus=CANARY),
        "messages rejected": lambda box: box.messages(account=CANARY),
        "wait_for": lambda box: box.wait_for(to=NUMBER, text=CANARY, timeout=0.01),
        "inbound": lambda box: box.inbound(channel=CANARY, from_=NUMBER, text=CANARY),
        "fault": lambda box: box.fault(CANARY, outcome=CANARY),
        "client": lambda box: box.client(sms_key=CANARY, bogus=CANARY),
    }
    assert {name: provoke(lambda call=call: call(sandbox)) for name, call in calls.items()} == no_leaks(calls)

    async def main():
        async with cpaas.Sandbox() as box:
            for name, call in calls.items():
                with pytest.raises(Exception) as caught:
                    result = call(box)
                    if inspect.isawaitable(result):
                        await result
                assert leaks(caught.value) == [], name

    asyncio.run(main())


def body():
    ring_url = receiver().url("inbound_sms")
    path = ring_url.removeprefix("https://shop.example")
    return path, f"from={NUMBER}&to=1&text={CANARY}&messageId=m1".encode()


def handle(received):
    raise LookupError


async def handle_async(received):
    raise LookupError


def test_wsgi_application():
    import io

    path, content = body()
    location, _, query = path.partition("?")
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": location, "QUERY_STRING": query}
    environ |= {"CONTENT_LENGTH": str(len(content)), "wsgi.input": io.BytesIO(content)}
    environ |= {"CONTENT_TYPE": "application/x-www-form-urlencoded"}
    application = callbacks.wsgi(receiver(), handle)
    assert provoke(lambda: application(environ, lambda *_: pytest.fail("no error"))) == []


@pytest.mark.parametrize("handler", [handle, handle_async])
def test_asgi_application(handler):
    path, content = body()
    location, _, query = path.partition("?")
    headers = [(b"content-type", b"application/x-www-form-urlencoded")]
    scope = {
        "type": "http",
        "method": "POST",
        "path": location,
        "query_string": query.encode(),
        "headers": headers,
    }

    async def receive():
        return {"type": "http.request", "body": content}

    async def send(message):
        pytest.fail("no error")

    async def main():
        try:
            await callbacks.asgi(receiver(), handler)(scope, receive, send)
        except LookupError as error:
            return leaks(error)
        pytest.fail("nothing was raised")

    assert asyncio.run(main()) == []


def test_django_view():
    django = pytest.importorskip("django")
    from django.conf import settings

    if not settings.configured:
        settings.configure()
    django.setup()
    from django.test import RequestFactory

    path, content = body()
    view = importlib.import_module("cpaas.contrib.django").view(receiver(), handle)
    request = RequestFactory().post(path, content, content_type="application/x-www-form-urlencoded")
    assert provoke(lambda: view(request)) == []


def test_flask_blueprint():
    flask = pytest.importorskip("flask")
    path, content = body()
    app = flask.Flask("test")
    app.testing = True
    app.register_blueprint(
        importlib.import_module("cpaas.contrib.flask").blueprint(receiver(), handle, url_prefix="/hooks")
    )
    client = app.test_client()
    assert (
        provoke(lambda: client.post(path, data=content, content_type="application/x-www-form-urlencoded"))
        == []
    )


def test_columns():
    pyarrow = pytest.importorskip("pyarrow")
    arrow = importlib.import_module("cpaas.arrow")
    column = pyarrow.array([CANARY, NUMBER])
    batch = pyarrow.record_batch([column], names=[CANARY])
    calls = {
        "segments": lambda: arrow.segments(column, threads=CANARY),
        "check_numbers": lambda: arrow.check_numbers(pyarrow.array([1])) and failing(column),
        "estimate": lambda: arrow.estimate(column, PRICES, column),
        "parse_markup": lambda: arrow.parse_markup(column, CANARY),
        "validate": lambda: arrow.validate(CANARY, batch),
        "requests": lambda: arrow.requests(CANARY, batch),
        "render": lambda: arrow.render("{{ " + CANARY, batch),
        "rows": lambda: arrow.rows([CANARY]),
        "register": lambda: arrow.register(CANARY),
        "summary": lambda: arrow.summary(batch, id=CANARY),
    }
    assert {name: provoke(call) for name, call in calls.items()} == no_leaks(calls)


def test_polars():
    polars = pytest.importorskip("polars")
    importlib.import_module("cpaas.polars")
    series = polars.Series("c", [CANARY])
    assert provoke(lambda: series.cpaas.estimate(PRICES)) == []
    frame = polars.DataFrame({"c": [CANARY]})
    assert provoke(lambda: frame.select(polars.col("c").cpaas.estimate(PRICES, "c"))) == []


def test_a_signal_during_a_call(wire):
    accepted = wire.script

    def script(request):
        os.kill(os.getpid(), signal.SIGINT)
        return accepted(request)

    wire.script = script
    with cpaas.Client(**clients(wire.url)) as client:
        assert provoke(lambda: (client.sms.send(**SMS), client.sms.send(**SMS))) == []


STEPS = {
    "client": lambda _, path: cpaas.Client(**clients("http://127.0.0.1:9")).close(),
    "with_options": lambda client, _: client.with_options(sms_key=CANARY),
    "send": lambda client, _: client.sms.send(**SMS),
    "call": lambda client, _: client.call("sms.send", REQUEST),
    "call_raw": lambda client, _: client.call_raw("POST", "sms", "/sms", body={"to": NUMBER, "text": CANARY}),
    "send_once": lambda client, path: client.send_once(CANARY, "sms.send", journal=path / "a.db", **SMS),
    "validate": lambda client, _: client.validate("sms.send", REQUEST),
    "segments": lambda *_: cpaas.segments(CANARY),
    "estimate": lambda *_: cpaas.estimate(CANARY, "1"),
    "keyring": lambda *_: ring().mint("inbound", audience=CANARY),
    "receiver": lambda *_: receiver().url("sms_report", CANARY),
    "model": lambda *_: models.Sent(id=CANARY).replace(id=NUMBER),
}


@pytest.mark.parametrize("name", STEPS)
def test_an_interrupt_at_each_step(wire, tmp_path, name):
    with cpaas.Client(**clients(wire.url)) as client:
        STEPS[name](client, tmp_path)
        for step in range(1, 2000):
            trace = InterruptAt(step)
            found = []
            sys.settrace(trace)
            try:
                STEPS[name](client, tmp_path)
            except KeyboardInterrupt as error:
                sys.settrace(None)
                found = leaks(error)
            finally:
                sys.settrace(None)
            assert found == [], step
            if trace.rest > 0:
                break
    assert 1 < step < 1999


def classes():
    """All classes of the package."""
    for name in sorted(module.name for module in pkgutil.walk_packages([PACKAGE], "cpaas.")):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        for value in vars(module).values():
            if isinstance(value, type) and value.__module__.partition(".")[0] == "cpaas":
                yield value


def test_the_repr_of_a_half_built_object_never_raises():
    """An error reporter shows `self` of a constructor that failed."""
    seen = 0
    for cls in set(classes()):
        try:
            half_built = cls.__new__(cls)
        except TypeError:  # a native class, or one that is only for type hints
            continue
        if (
            cls.__repr__ is argparse.ArgumentParser.__repr__
        ):  # it shows the options of the command, which are ours
            continue
        assert isinstance(repr(half_built), str), cls
        assert isinstance(str(half_built), str), cls
        seen += 1
        if hasattr(cls, "__del__"):
            half_built.__del__()
    assert seen > 100


MODULES = [
    "arrow",
    "callbacks",
    "pandas",
    "polars",
    "spark",
    *(f"contrib.{name}" for name in ("django", "fastapi", "flask", "opentelemetry")),
]


def public_functions():
    """The functions and methods that users call, by their names."""
    modules = []
    for name in MODULES:
        try:
            modules.append(importlib.import_module(f"cpaas.{name}"))
        except ImportError:
            continue
    values = {name: getattr(cpaas, name) for name in cpaas.__all__}
    for it in modules:
        own = [name for name, value in vars(it).items() if getattr(value, "__module__", None) == it.__name__]
        values |= {f"{it.__name__}.{name}": getattr(it, name) for name in getattr(it, "__all__", own)}
    for name, value in values.items():
        if name.rpartition(".")[2].startswith("_") or not getattr(value, "__module__", "").startswith(
            "cpaas"
        ):
            continue
        if inspect.isfunction(value):
            yield name, value
        elif isinstance(value, type) and not getattr(value, "_is_protocol", False):
            for member, function in inspect.getmembers(value):
                is_public = not member.startswith("_") or member in ("__init__", "__call__")
                if is_public and inspect.isfunction(function) and function.__module__.startswith("cpaas"):
                    yield f"{name}.{member}", function


@pytest.mark.parametrize("is_async", [False, True])
def test_an_error_of_wrong_arguments_keeps_no_caller_alive(is_async):
    class Value:
        pass

    @_public.public
    def function(name):
        return name

    @_public.public
    async def coroutine_function(name):
        return name

    def call():
        value = Value()
        found = weakref.ref(value)
        try:
            if is_async:
                coroutine_function(other=value).send(None)  # asyncio forms cycles of its own
            else:
                function(other=value)
        except TypeError as error:
            assert "other" in str(error)  # noqa: PT017
        return found

    gc.collect()
    gc.disable()  # a cycle would live until a collection
    try:
        assert call()() is None
    finally:
        gc.enable()


def test_each_public_function_is_a_boundary():
    """A function that is added later has no frame of its own either."""
    found = dict(public_functions())
    assert len(found) > 150
    plain = [name for name, function in found.items() if not hasattr(function, "_is_public")]
    assert plain == []
