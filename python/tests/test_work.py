"""Twice the input needs at most 2.5 times the work, measured over four doublings."""

import asyncio
import contextlib
import inspect
import io
import json
import time

import pytest
from callback_adapters import INBOUND, RECEIVER
from conftest import http_response

import cpaas
from cpaas import callbacks
from cpaas.callbacks import _async_apps


def cost(call):
    """The CPU time of a call; noise of the machine only adds to it."""
    start = time.process_time()
    call()
    return time.process_time() - start


# A limit of 2.5 for each of four doublings: linear work is 16, quadratic 256, and the noise of a machine hides neither.
TIMES, LIMIT = 16, 2.5**4


def assert_grows(call, make, size):
    """Compares at a size and, if a call is fast, at the size where it takes 4 ms."""
    whole = make(size)
    while cost(lambda: call(whole)) < 0.004 and size < 500_000:
        size *= 2
        whole = make(size)
    part = make(size // TIMES)
    least = most = float("inf")
    for _ in range(20):
        least = min(least, cost(lambda: call(part)))
        most = min(most, cost(lambda: call(whole)))
        if most <= LIMIT * least or most < 0.001:
            return
    pytest.fail(f"{most / least:.1f} times the work for {size:,} instead of {size // TIMES:,} characters")


def test_a_body_in_messages_of_one_byte():
    def read(size):
        async def receive():
            nonlocal left
            left -= 1
            return {"type": "http.request", "body": b"x", "more_body": left > 0}

        left = size
        assert asyncio.run(_async_apps._body(receive)) == b"x" * size

    assert_grows(read, int, 100_000)


def joined(item, separator=","):
    """A function that makes a text of about a size from different items."""
    return lambda size: separator.join(item(number) for number in range(size // 16))


# Plain, without GSM 7-bit, replaceable, surrogate pairs, combining characters, markup, fields, digits, white space, long lists.
TEXTS = {
    "letters": lambda size: "a" * size,
    "cyrillic": lambda size: "я" * size,
    "quotes": lambda size: "“’" * (size // 2),
    "emoji": lambda size: "👍🏽" * (size // 2),
    "accents": lambda size: "e\u0301" * (size // 2),
    "brackets": lambda size: "[" * size,
    "markup": lambda size: "*_`[." * (size // 5),
    "tags": lambda size: "<b>" * (size // 3),
    "field": lambda size: "{{" + " " * size,
    "fields": lambda size: "{{ a }}" * (size // 7),
    "digits": lambda size: "3" * size,
    "lines": lambda size: "\r\n" * (size // 2),
    "members": joined(lambda number: f'"{number:08x}":1'),
    "rows": joined(lambda number: f"{number * 7919 % 10**8:08},0.05,EUR", "\n"),
}
SMS = {"from": "Acme", "to": "306912345678", "text": "Hi"}
FORM = [("content-type", "application/x-www-form-urlencoded")]
TOKEN = RECEIVER.url("inbound_sms")
PRICES = "prefix,price,currency\n"


def received(text):
    return RECEIVER.receive("POST", TOKEN, FORM, f"text={text}".encode())


# One call for each function that takes a text of a caller, a user or a file.
CALLS = {
    "annotate": cpaas.annotate,
    "annotate languages": lambda text: cpaas.annotate(text, languages=["tr"]),
    "app_hash": lambda text: cpaas.app_hash(text, text.encode()),
    "autofill_body": lambda text: cpaas.autofill_body(text, host="shop.example"),
    "check": lambda text: cpaas.check("bot_username", {"username": text}),
    "check_autofill": cpaas.check_autofill,
    "check_number": cpaas.check_number,
    "check_sender": cpaas.check_sender,
    "count_segments": lambda text: cpaas.count_segments([text]),
    "decode": lambda text: cpaas.decode([{"ud": text.encode().hex()}]),
    "encode": cpaas.encode,
    "escape_markup": lambda text: cpaas.escape_markup(text, "MarkdownV2"),
    "estimate": lambda text: cpaas.estimate(text, "0.05"),
    "estimate prices": lambda text: cpaas.estimate("Hi", prices=PRICES + text, to="306912345678"),
    "estimate to": lambda text: cpaas.estimate("Hi", prices=PRICES + "30,0.05,EUR", to=text),
    "normalize_number": lambda text: cpaas.normalize_number(text, "GR"),
    "parse_markup": lambda text: cpaas.parse_markup(text, "MarkdownV2"),
    "parse_markup html": lambda text: cpaas.parse_markup(text, "Html"),
    "plan": lambda text: cpaas.plan(
        "sms.send", [{"to": "306912345678", "a": text}], {**SMS, "text": "{{ a }}"}
    ),
    "provider_code": lambda text: cpaas.provider_code(text, 1),
    "segments": lambda text: cpaas.segments(text, split="grapheme"),
    "segments languages": lambda text: cpaas.segments(text, languages=["tr"]),
    "template_segments": lambda text: cpaas.template_segments(text, fields={"a": ["x"]}),
    "transliterate": cpaas.transliterate,
    "validate": lambda text: cpaas.validate("sms.send", {**SMS, "text": text, text: 1}),
    "validate json": lambda text: cpaas.validate("sms.send", f"{{{text}}}"),
    "callbacks.Keyring.verify": lambda text: INBOUND.verify(text, "inbound", audience="shop"),
    "callbacks.Keyring.mint": lambda text: INBOUND.mint("inbound", audience=text),
    "callbacks.Receiver.from_json": lambda text: callbacks.Receiver.from_json(f"{{{text}}}"),
    "callbacks.Receiver.receive": received,
    "callbacks.Receiver.receive path": lambda text: RECEIVER.receive("GET", f"/hooks?token={text}"),
    "callbacks.Receiver.url": lambda text: RECEIVER.url("sms_report", text),
    "callbacks.Template": callbacks.Template,
    "callbacks.Template.read": callbacks.Template("/?m=~msgid~aac~status~").read,
    "callbacks.endpoint": lambda text: callbacks.endpoint("/", ["sms_report"], query_template=text),
    "callbacks.token_url": lambda text: callbacks.token_url(f"https://a.example/?{text}", "v1"),
}


def accepts(call):
    def run(text):
        with contextlib.suppress(cpaas.Error, callbacks.CallbackRejected):
            call(text)

    return run


@pytest.mark.parametrize("name", CALLS)
def test_a_function_of_a_text(name):
    for make in TEXTS.values():
        assert_grows(accepts(CALLS[name]), make, 16_000)


def test_each_public_function_of_a_text_is_in_the_list():
    """`arrow` and campaigns read columns and rows, which have tests of their own."""
    functions = {name for name in cpaas.__all__ if inspect.isfunction(getattr(cpaas, name))}
    assert {name.split()[0] for name in CALLS if "." not in name} == functions


@pytest.fixture
def served(wire):
    """A client, and the response that its next call gets."""
    served = {}
    wire.script = lambda _: http_response(served["body"])
    with wire.client(validation="off", accept_repeated_ids=True) as client:
        served["client"] = client
        yield served


def members(size):
    return {f"{number:08x}": 1 for number in range(size // 16)}


def test_a_request_with_unknown_members(served):
    served["body"] = {"id": "1", "responseCode": 0}
    served["client"] = served["client"].with_options(validation="warn")
    assert_grows(lambda extra: served["client"].call("sms.send", {**SMS, **extra}), members, 16_000)


def test_a_response_with_unknown_members(served):
    def call(extra):
        served["body"] = {"id": "1", "responseCode": 0, **extra}
        found = served["client"].call("sms.send", SMS)
        assert len(found.extra) == len(extra)
        repr(found)

    assert_grows(call, members, 16_000)


def test_a_report_of_unknown_members():
    def show(extra):
        report = cpaas.validate("sms.send", {**SMS, **extra})
        assert len(report.warnings) <= 101
        return str(report), repr(report), report.problem_details()

    assert_grows(show, members, 16_000)
    show(members(8_000_000))


def test_a_body_of_wsgi():
    path, _, query = TOKEN.removeprefix("https://shop.example").partition("?")

    def call(body):
        environ = {"REQUEST_METHOD": "POST", "PATH_INFO": path, "QUERY_STRING": query}
        environ |= {"CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)}
        environ["CONTENT_TYPE"] = "application/json"
        assert callbacks.wsgi(RECEIVER, lambda _: None)(environ, lambda *_: None) == [b""]

    assert_grows(call, lambda size: json.dumps(members(size)).encode(), 16_000)
