"""Every public function with bad values: each exception is a `cpaas.Error`, or one that a bad value itself raised."""

import pytest
from support.bad_input import (
    KEYS,
    PRICES,
    REQUEST_OF_SEND_ONCE,
    ROWS_OF_A_CAMPAIGN,
    TEMPLATE,
    Unreadable,
    UnreadableIterable,
    create,
    keyring,
    once,
    receiver,
)

import cpaas
from cpaas import callbacks


def sweep(client, sandbox, folder):
    """Every public function with one argument left open."""
    c, cb, ring, got = client, callbacks, keyring(), receiver()
    sms = REQUEST_OF_SEND_ONCE
    return {
        "client": lambda v: cpaas.Client(sms_url=v).close(),
        "key": lambda v: cpaas.Client(sms_key=v).close(),
        "timeout": lambda v: cpaas.Client(timeout=v).close(),
        "deadline": lambda v: c.with_options(deadline=v),
        "attempts": lambda v: cpaas.Client(max_attempts=v).close(),
        "names": lambda v: cpaas.Client(channel_names=v).close(),
        "callback_keys": lambda v: cpaas.Client(callback_keys=v).close(),
        "to": lambda v: c.sms.send(**{**sms, "to": v}),
        "bulk": lambda v: c.sms.send_bulk(**{**sms, "to": v}),
        "extra": lambda v: c.sms.send(**sms, extra=v),
        "call timeout": lambda v: c.sms.send(**sms, timeout=v),
        "validate": lambda v: c.sms.send(**sms, validate=v),
        "extra_headers": lambda v: c.sms.send(**sms, extra_headers=v),
        "header value": lambda v: c.sms.send(**sms, extra_headers={"a": v}),
        "call": lambda v: c.call(v, {}),
        "call request": lambda v: c.call("sms.send", v),
        "member": lambda v: c.call("sms.send", {"to": v}),
        "raw": lambda v: c.call_raw(v, "sms", "/"),
        "raw family": lambda v: c.call_raw("GET", v, "/"),
        "raw path": lambda v: c.call_raw("GET", "sms", v),
        "raw query": lambda v: c.call_raw("GET", "sms", "/", query=v),
        "raw body": lambda v: c.call_raw("POST", "sms", "/x", body=v),
        "once": lambda v: once(c, key=v, journal=folder / "a.db"),
        "once operation": lambda v: once(c, operation=v, journal=folder / "a.db"),
        "once deadline": lambda v: once(c, deadline=v, journal=folder / "a.db"),
        "send_many": lambda v: c.sms.send_many(v),
        "send_many rate": lambda v: c.sms.send_many([], rate=v),
        "send_many progress": lambda v: c.sms.send_many([], progress=v),
        "send_many on_result": lambda v: c.sms.send_many([], on_result=v),
        "send_many concurrency": lambda v: c.sms.send_many([], concurrency=v),
        "validate operation": lambda v: cpaas.validate(v, {}),
        "validate request": lambda v: cpaas.validate("sms.send", v),
        "validate member": lambda v: cpaas.validate("sms.send", {"to": v}),
        "client.validate": lambda v: c.validate("sms.send", [v]),
        "check": lambda v: cpaas.check(v, {}),
        "check arguments": lambda v: cpaas.check("photo", v),
        "segments": lambda v: cpaas.segments(v),
        "segments split": lambda v: cpaas.segments("x", split=v),
        "segments bits": lambda v: cpaas.segments("x", reference_bits=v),
        "segments encoding": lambda v: cpaas.segments("x", encoding=v),
        "segments languages": lambda v: cpaas.segments("x", languages=v),
        "segments transliterate": lambda v: cpaas.segments("x", transliterate=v),
        "count": lambda v: cpaas.count_segments(v),
        "count item": lambda v: cpaas.count_segments([v]),
        "count languages": lambda v: cpaas.count_segments(["x"], languages=[v]),
        "annotate": lambda v: cpaas.annotate(v),
        "estimate": lambda v: cpaas.estimate(v, "1"),
        "estimate price": lambda v: cpaas.estimate("x", v),
        "estimate prices": lambda v: cpaas.estimate("x", prices=[v], to="306912345678"),
        "estimate column": lambda v: cpaas.estimate(
            "x", prices=[{**PRICES[0], "price": v}], to="306912345678"
        ),
        "estimate to": lambda v: cpaas.estimate("x", prices=PRICES, to=v),
        "estimate item": lambda v: cpaas.estimate("x", prices=PRICES, to=[v]),
        "encode": lambda v: cpaas.encode(v),
        "encode reference": lambda v: cpaas.encode("x", reference=v),
        "encode ports": lambda v: cpaas.encode("x", ports=v),
        "encode port": lambda v: cpaas.encode("x", ports=(v, 1)),
        "decode": lambda v: cpaas.decode(v),
        "decode part": lambda v: cpaas.decode([v]),
        "decode udl": lambda v: cpaas.decode([cpaas.EncodedPart(ud=b"x", udl=v)]),
        "transliterate": lambda v: cpaas.transliterate(v),
        "template": lambda v: cpaas.template_segments(v, fields={}),
        "template fields": lambda v: cpaas.template_segments("{{a}}", fields=v),
        "template field": lambda v: cpaas.template_segments("{{a}}", fields={"a": v}),
        "template rows": lambda v: cpaas.template_segments("{{a}}", rows=v),
        "template row": lambda v: cpaas.template_segments("{{a}}", rows=[v]),
        "check_sender": lambda v: cpaas.check_sender(v),
        "check_number": lambda v: cpaas.check_number(v),
        "normalize": lambda v: cpaas.normalize_number(v),
        "normalize region": lambda v: cpaas.normalize_number("306912345678", v),
        "parse_markup": lambda v: cpaas.parse_markup(v),
        "parse_markup mode": lambda v: cpaas.parse_markup("x", v),
        "escape_markup": lambda v: cpaas.escape_markup(v),
        "provider_code": lambda v: cpaas.provider_code(v, 492),
        "provider_code code": lambda v: cpaas.provider_code("otp", v),
        "keyring": lambda v: cb.Keyring(v),
        "key of a ring": lambda v: cb.Keyring([v]),
        "secret": lambda v: cb.Keyring([("k", v)]),
        "longest": lambda v: cb.Keyring(KEYS, longest_lifetime=v),
        "expiring": lambda v: cb.Keyring(KEYS, expiring_only=v),
        "mint": lambda v: ring.mint(v, audience="a"),
        "mint audience": lambda v: ring.mint("inbound", audience=v),
        "mint reference": lambda v: ring.mint("delivery_report", audience="a", reference=v),
        "mint lifetime": lambda v: ring.mint("inbound", audience="a", lifetime=v),
        "mint now": lambda v: ring.mint("inbound", audience="a", now=v),
        "verify": lambda v: ring.verify(v, "inbound", audience="a"),
        "verify purpose": lambda v: ring.verify("x", v, audience="a"),
        "lint": lambda v: ring.lint(v),
        "endpoint": lambda v: receiver(endpoints=[cb.endpoint(v, ["inbound_sms"])]),
        "sources": lambda v: receiver(endpoints=[cb.endpoint("/", v)]),
        "endpoints": lambda v: receiver(endpoints=v),
        "endpoint item": lambda v: receiver(endpoints=[v]),
        "receiver": lambda v: receiver(audience=v),
        "public_url": lambda v: receiver(public_url=v),
        "delivery_keys": lambda v: receiver(delivery_keys=v),
        "from_json": lambda v: cb.Receiver.from_json(v),
        "url": lambda v: got.url(v),
        "url reference": lambda v: got.url("sms_report", v),
        "url lifetime": lambda v: got.url("sms_report", "r", lifetime=v),
        "receive": lambda v: got.receive(v, "/"),
        "receive url": lambda v: got.receive("GET", v),
        "receive headers": lambda v: got.receive("GET", "/", v),
        "receive header": lambda v: got.receive("GET", "/", {"a": v}),
        "receive body": lambda v: got.receive("POST", "/", (), v),
        "receive now": lambda v: got.receive("GET", "/", now=v),
        "Duplicates": lambda v: cb.Duplicates(v),
        "store": lambda v: cb.Duplicates(store=v),
        "lease": lambda v: cb.Duplicates(lease=v),
        "keep": lambda v: cb.Duplicates(keep=v),
        "prefix": lambda v: cb.Duplicates(prefix=v),
        "Pending": lambda v: cb.Pending(v),
        "unknown": lambda v: cb.Pending().unknown(v, "sms.send"),
        "Template": lambda v: cb.Template(v),
        "render": lambda v: cb.Template("<status>").render(v),
        "token_url": lambda v: cb.token_url(v, "x"),
        "asgi": lambda v: cb.asgi(v, print),
        "wsgi": lambda v: cb.wsgi(got, v),
        "campaign": lambda v: cpaas.Campaign.create(v, "sms.send", ROWS_OF_A_CAMPAIGN, TEMPLATE),
        "campaign name": lambda v: create(name=v),
        "campaign operation": lambda v: create(operation=v),
        "campaign rows": lambda v: create([v]),
        "campaign template": lambda v: cpaas.Campaign.create(
            "/nope/unused.db", "sms.send", ROWS_OF_A_CAMPAIGN, v
        ),
        "campaign cell": lambda v: create([{"phone": v}]),
        "campaign suppress": lambda v: create(suppress=[v]),
        "campaign prices": lambda v: create(prices=[v]),
        "campaign parts": lambda v: create(max_parts=v),
        "campaign spend": lambda v: create(max_spend=v, prices=PRICES),
        "campaign window": lambda v: create(window=v),
        "campaign zone": lambda v: create(time_zone=v),
        "campaign rate": lambda v: create(rate=v),
        "campaign duplicates": lambda v: create(duplicates=v),
        "campaign digest": lambda v: create(digest=v),
        "campaign forget keys": lambda v: cpaas.Campaign.mark_restored("nowhere.db", forget_keys=v),
        "plan": lambda v: cpaas.plan(v, ROWS_OF_A_CAMPAIGN, TEMPLATE),
        "plan rate": lambda v: cpaas.plan("sms.send", ROWS_OF_A_CAMPAIGN, TEMPLATE, rate=v),
        "open": lambda v: cpaas.Campaign.open(v),
        "list": lambda v: cpaas.Campaign.list(v),
        "sandbox": lambda v: cpaas.Sandbox(seed=v).stop(),
        "advance": lambda v: sandbox.advance(v),
        "wait_for": lambda v: sandbox.wait_for(timeout=v, to="nobody"),
        "messages": lambda v: sandbox.messages(limit=v),
        "fault": lambda v: sandbox.fault(v),
    }


BAD_VALUES = {
    "None": None,
    "int": 5,
    "negative": -1,
    "huge": 10**400,
    "nan": float("nan"),
    "infinity": float("inf"),
    "bytes": b"x\xff",
    "bool": True,
    "surrogate": "x\ud800",
    "NUL": "x\0",
    "object": object(),
    "list": [object()],
    "dict": {5: object()},
    "surrogate key": {"\ud800": 1},
    "unreadable": Unreadable(),
    "unreadable iterable": UnreadableIterable(),
    "type": int,
}
# Raised by the methods of a bad value. Functions that never send, such as the creation of a campaign, pass it on.
OWN = OSError


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_no_bad_argument_raises_an_error_of_another_base(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = []
    with cpaas.Sandbox(clock="virtual") as sandbox, sandbox.client(max_attempts=1) as client:
        for name, use in sweep(client, sandbox, tmp_path).items():
            for kind, value in BAD_VALUES.items():
                if name in ("wait_for",) and kind in ("int", "None"):
                    continue
                try:
                    use(value)
                except cpaas.Error as error:
                    if "got str" in str(error) and "must be str," in str(error):
                        found.append(f"{name}({kind}): {error}")
                except OWN as error:
                    if not (kind.startswith("unreadable") and str(error) == "disk"):
                        found.append(f"{name}({kind}): {error!r}")
                except BaseException as error:
                    found.append(f"{name}({kind}): {type(error).__name__}: {error}")
    assert found == []
