"""Timestamps as `datetime`, money as `Decimal`, `to_dict` by attribute names, and time limits as `timedelta`."""

import asyncio
import pickle
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import pytest
from conftest import http_response
from support.callback_requests import INBOUND, KEYS

import cpaas
from cpaas import callbacks, models

PAIRS = [("k1", b"delivery secret one, 32 bytes or more")]
SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}


def utc(*parts):
    return datetime(*parts, tzinfo=timezone.utc)


TIMES = [
    ("2024-05-01 12:30:45", utc(2024, 5, 1, 12, 30, 45)),
    ("2024-05-01T12:30:45Z", utc(2024, 5, 1, 12, 30, 45)),
    ("2024-05-01T12:30:45.1Z", utc(2024, 5, 1, 12, 30, 45, 100_000)),
    ("2024-05-01T12:30:45.123Z", utc(2024, 5, 1, 12, 30, 45, 123_000)),
    ("2024-05-01T12:30:45.1234567Z", utc(2024, 5, 1, 12, 30, 45, 123_456)),
    ("2024-05-01T12:30:45", utc(2024, 5, 1, 12, 30, 45)),
    ("2024-05-01T14:30:45+02:00", utc(2024, 5, 1, 12, 30, 45)),
    ("2024-05-01T10:30:45-0200", utc(2024, 5, 1, 12, 30, 45)),
    ("2024-02-29 00:00:00", utc(2024, 2, 29)),
]
NO_TIMES = [
    None,
    "",
    "t",
    "2023-02-29 00:00:00",
    "2024-13-01 00:00:00",
    "2024-05-01",
    "2024-05-01 25:00:00",
    "٢٠٢٤-٠٥-٠١ ٠٠:٠٠:٠٠",
]
NO_TIMES += [
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59-23:59",
    " 2024-05-01 12:30:45",
    "2024-05-01 12:30:45\n",
]


@pytest.mark.parametrize(("text", "time"), TIMES)
def test_a_timestamp_is_a_datetime_in_utc_beside_the_string(text, time):
    sent = models.Sent(timestamp=text, id="m", response_code=0)
    assert sent.timestamp == text
    assert sent.timestamp_datetime == time
    assert sent.timestamp_datetime.tzinfo is timezone.utc


@pytest.mark.parametrize("text", NO_TIMES)
def test_an_unreadable_timestamp_is_none_and_the_string_stays(text):
    record = models.OtpRecord(date_created=text)
    assert record.date_created == text
    assert record.date_created_datetime is None


@pytest.mark.parametrize(
    ("value", "amount"),
    [
        ("12.50", "12.50"),
        ("0.0045", "0.0045"),
        ("-1", "-1"),
        (0.1, "0.1"),
        (0.005, "0.005"),
        (3, "3"),
        (0, "0"),
    ],
)
def test_money_is_a_decimal_beside_the_raw_value(value, amount):
    for kind in (models.CountryUsage, models.LookupResult):
        record = kind(cost=value)
        assert record.cost == value
        assert record.cost_decimal == Decimal(amount)
        assert str(record.cost_decimal) == amount


@pytest.mark.parametrize(
    "value", [None, "", "free", "1,5", "NaN", "Infinity", "1e5", float("nan"), float("inf"), True, "٣"]
)
def test_unreadable_money_is_none(value):
    assert models.CountryUsage(cost=value).cost_decimal is None


def test_every_timestamp_and_amount_of_a_result_has_its_property():
    found = {
        f"{name}.{attribute}"
        for name in models.__all__
        for attribute in dir(getattr(models, name))
        if attribute.endswith(("_datetime", "_decimal"))
    }
    assert found == {
        "OtpCheck.date_received_datetime",
        "OtpEvent.date_created_datetime",
        "OtpRecord.date_created_datetime",
        "OtpRecord.date_updated_datetime",
        "Sent.timestamp_datetime",
        "BulkSms.timestamp_datetime",
        "CountryUsage.cost_decimal",
        "LookupResult.cost_decimal",
        "LookupResult.date_datetime",
        "Message.created_at_datetime",
        "Message.updated_at_datetime",
    }


def test_a_result_of_a_call_has_the_datetime(wire):
    wire.script = lambda _: http_response(
        {"id": "m", "timestamp": "2024-01-01T00:00:00.000Z", "responseCode": 0}
    )
    with wire.client() as client:
        sent = client.sms.send(**SMS)
    assert sent.timestamp_datetime == utc(2024, 1, 1)
    assert pickle.loads(pickle.dumps(sent)).timestamp_datetime == utc(2024, 1, 1)


def test_a_callback_has_the_datetime_and_the_decimal():
    receiver = callbacks.Receiver(
        audience="shop", public_url="https://shop.example/hooks", delivery_keys=KEYS, inbound_keys=INBOUND
    )
    url = receiver.url("sms_report", "r-1")
    query = "&msgid=m-1&status=delivered&reference=r-1&rate=0.0045&timestamp=2024-05-01T12:30:45Z"
    received = receiver.receive("GET", url + query, {}, b"")
    assert (received.rate, received.timestamp) == ("0.0045", "2024-05-01T12:30:45Z")
    assert (received.rate_decimal, received.timestamp_datetime) == (
        Decimal("0.0045"),
        utc(2024, 5, 1, 12, 30, 45),
    )
    other = receiver.receive("GET", url + "&msgid=m-1&status=delivered&reference=r-1&rate=cheap", {}, b"")
    assert (other.rate, other.rate_decimal, other.timestamp_datetime) == ("cheap", None, None)


def test_to_dict_by_python_has_the_names_of_the_attributes():
    record = models.OtpRecord.from_dict(
        {
            "sid": "OTP1",
            "dateCreated": "t",
            "new": 1,
            "checks": [{"dateReceived": "u", "code": "1", "other": 2}],
        }
    )
    assert record.to_dict() == {
        "sid": "OTP1",
        "dateCreated": "t",
        "new": 1,
        "checks": [{"dateReceived": "u", "code": "1", "other": 2}],
    }
    assert record.to_dict(by="wire") == record.to_dict()
    assert record.to_dict(by="python") == {
        "sid": "OTP1",
        "date_created": "t",
        "extra": {"new": 1},
        "checks": [{"date_received": "u", "code": "1", "extra": {"other": 2}}],
    }


def test_the_keys_of_to_dict_by_python_are_attributes():
    kinds = [getattr(models, name) for name in models.__all__]
    with_members = [kind for kind in kinds if issubclass(kind, models.Model) and kind._fields]
    assert len(with_members) > 20
    for kind in with_members:
        members = dict.fromkeys(kind._fields, "x")
        assert kind(**kind(**members).to_dict(by="python")) == kind(**members)


@pytest.mark.parametrize("by", ["Python", "", None, 1])
def test_to_dict_refuses_another_form(by):
    with pytest.raises(cpaas.Invalid, match='by must be "wire" or "python"'):
        models.Sent(id="m").to_dict(by=by)


# Every argument in seconds. Each entry is a name and a function that uses the value.
def _client(name):
    def use(wire, value):
        with wire.client(callback_keys=PAIRS, callback_audience="shop", **{name: value}) as client:
            client.sms.send(**SMS)

    return name, use


def _call(name, call):
    def use(wire, value):
        with wire.client() as client:
            call(client, **{name: value})

    return f"call {name}", use


def _async(name, call):
    def use(wire, value):
        async def main():
            async with wire.async_client() as client:
                await call(client, **{name: value})

        asyncio.run(main())

    return f"async {name}", use


def _raw(client, **options):
    return client.call_raw("GET", "sms", "/new", **options)


def _by_id(client, **options):
    return client.call("sms.send", {"from": "Acme", "to": "306912345678", "text": "Hi"}, **options)


def _send(client, **options):
    return client.sms.send(**SMS, **options)


SECONDS = [_client(name) for name in ("connect_timeout", "timeout", "deadline", "callback_lifetime")]
SECONDS += [_call(name, call) for name in ("timeout", "deadline") for call in (_send, _by_id, _raw)]
SECONDS += [_async(name, call) for name in ("timeout", "deadline") for call in (_send, _by_id, _raw)]
SECONDS += [
    ("with_options", lambda wire, value: wire.client().with_options(timeout=value, deadline=value)),
    ("keyring", lambda _, value: callbacks.Keyring(PAIRS, longest_lifetime=value)),
    ("mint", lambda _, value: callbacks.Keyring(PAIRS).mint("inbound", audience="shop", lifetime=value)),
    (
        "url",
        lambda _, value: callbacks.Receiver(
            audience="shop", public_url="https://shop.example/h", delivery_keys=KEYS, inbound_keys=INBOUND
        ).url("inbound_sms", lifetime=value),
    ),
]


@pytest.mark.parametrize(
    ("name", "use"), SECONDS, ids=[f"{name}-{index}" for index, (name, _) in enumerate(SECONDS)]
)
def test_seconds_may_be_a_timedelta(wire, name, use, tmp_path):
    accepted = wire.script
    wire.script = lambda request: accepted(request) if request.method == "POST" else http_response({})
    use(wire, timedelta(minutes=2))
    wire.script = lambda request: http_response(
        {"id": "m2", "timestamp": "t", "responseCode": 0, "to": "306912345678"}
    )
    use(wire, 120)
    for bad in (timedelta(0), timedelta(seconds=-1), "2 minutes", [2]):
        with pytest.raises((ValueError, TypeError)):
            use(wire, bad)


def test_the_guard_time_may_be_a_timedelta(wire):
    wire.script = lambda _: http_response(
        {"code": 200, "message": "OK", "requestID": f"OTP{len(wire.requests)}"}
    )
    with wire.client() as client:
        client.otp.send(
            service="s", from_="Acme", body="{code}", to="306912345678", guard_time=timedelta(minutes=1)
        )
        client.otp.send(service="s", from_="Acme", body="{code}", to="306912345678", guard_time=60)
    assert [request.json["guardTime"] for request in wire.requests] == [60, 60]


def test_send_once_and_the_sandbox_accept_a_timedelta(wire, tmp_path):
    with wire.client() as client:
        journal = tmp_path / "once.db"
        assert (
            client.send_once("k", "sms.send", journal=journal, deadline=timedelta(seconds=20), **SMS).id
            == "m-1"
        )
    with cpaas.Sandbox(clock="virtual", seed=1) as sandbox:
        sandbox.advance(timedelta(hours=1))
        sandbox.advance(1)
        with pytest.raises(TimeoutError):
            sandbox.wait_for(to="306900000000", timeout=timedelta(milliseconds=50))
        assert sandbox.events(kind="no.such.kind", wait=timedelta(milliseconds=10)) == ()
        assert sandbox.callbacks(wait=timedelta(milliseconds=10))["attempts"] == ()


def test_the_deadline_of_a_campaign_may_be_a_timedelta(tmp_path):
    template = {"from": "Acme", "to": "{{ phone }}", "text": "Hi"}
    campaign = cpaas.Campaign.create(tmp_path / "j.db", "sms.send", [{"phone": "306912345678"}], template)
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        assert campaign.run(client, deadline=timedelta(seconds=30)).accepted == 1
