"""Recipients in any notation, the policy of a client, and names of other operations: the vectors, and calls that send nothing."""

import json
from pathlib import Path

import pytest
from conftest import http_response

import cpaas
from cpaas import _validation

VECTORS = Path(__file__).parents[2] / "tests" / "vectors"
RECIPIENTS = json.loads((VECTORS / "recipients.json").read_text(encoding="utf-8"))["cases"]
NUMBERS = json.loads((VECTORS / "numbers.json").read_text(encoding="utf-8"))["cases"]
CONFIG = json.loads((VECTORS / "config.json").read_text(encoding="utf-8"))
SMS = {"from": "Acme", "text": "Hi"}


def short(report):
    problems = [*report.errors, *report.warnings]
    return [{"pointer": p.pointer, "code": p.code, "severity": p.severity} for p in problems]


def test_a_report_shows_what_is_changed_and_what_is_not_allowed():
    assert len(RECIPIENTS) >= 70
    for case in RECIPIENTS:
        with cpaas.Client(**{**CONFIG, **case["config"]}) as client:
            report = client.validate(case["operation"], json.dumps(case["request"]))
            assert short(report) == case["expect"], case["id"]


def test_the_environment_applies_to_validate(monkeypatch):
    monkeypatch.setenv("CPAAS_NORMALIZE", "GR")
    monkeypatch.setenv("CPAAS_ALLOW_COUNTRIES", '["GR"]')
    report = cpaas.validate("sms.send", {**SMS, "to": "691 234 5678"})
    (problem,) = report.warnings
    assert (report.ok, problem.code, problem.fix["insert"]) == (True, "number.normalized", "306912345678")
    assert "306912345678" not in f"{problem} {problem!r} {report!r}"
    refused = cpaas.validate("sms.send", {**SMS, "to": "+44 20 7946 0018"})
    assert [(p.code, p.params) for p in refused.errors] == [("policy.country", {"country": "GB"})]


def test_validate_reads_no_other_variable(monkeypatch):
    for name in ("CPAAS_DEADLINE", "CPAAS_SMS_URL", "CPAAS_VALIDATION"):
        monkeypatch.setenv(name, "ten")
    assert cpaas.validate("sms.send", SMS | {"to": "306912345678"}).ok
    monkeypatch.setenv("CPAAS_NORMALIZE", "XX")
    with pytest.raises(cpaas.Invalid, match="CPAAS_NORMALIZE"):
        cpaas.validate("sms.send", SMS)


def test_a_list_is_validated_with_one_configuration(monkeypatch):
    def rows(operation, row, context, validate=_validation._cpaas.validate):
        monkeypatch.setenv("CPAAS_NORMALIZE", "XX")  # after the first row
        return validate(operation, row, context)

    monkeypatch.setenv("CPAAS_NORMALIZE", "international")
    monkeypatch.setattr(_validation._cpaas, "validate", rows)
    reports = cpaas.validate("sms.send", [{**SMS, "to": "+306912345678"}] * 2)
    assert [report.warnings[0].code for report in reports] == ["number.normalized"] * 2


def test_a_normalized_recipient_is_sent(wire):
    with wire.client(normalize="GR") as client:
        client.sms.send(from_="Acme", to="691 234 5678", text="Hi")
    assert wire.requests[0].json["to"] == "306912345678"


@pytest.mark.parametrize("validate", ["strict", "warn", "off"])
def test_a_refused_recipient_is_not_sent(wire, validate):
    with wire.client(allow_countries=["GR"], allow_types=["mobile"]) as client:
        with pytest.raises(cpaas.Invalid) as found:
            client.sms.send(from_="Acme", to="442079460018", text="Hi", validate=validate)
    assert {p.code for p in found.value.problems} == {"policy.country", "policy.type"}
    assert "442079460018" not in str(found.value)
    assert wire.requests == []


def test_each_number_of_a_list_has_its_problem(wire):
    with wire.client() as client, pytest.raises(cpaas.Invalid) as found:
        client.sms.send_bulk(from_="Acme", to=["306912345678", "+306912345679"], text="Hi")
    assert [p.pointer for p in found.value.problems] == ["/to/1"]
    assert wire.requests == []


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"normalize": "XX"}, "normalize"),
        ({"normalize": "Greece"}, "normalize"),
        ({"allow_countries": ["GRC"]}, "allow_countries"),
        ({"allow_countries": []}, "allow_countries"),
        ({"allow_types": ["cell"]}, "allow_types"),
        ({"allow_countries": "GR"}, "allow_countries"),
    ],
)
def test_an_invalid_setting_is_named(settings, name):
    with pytest.raises(cpaas.Invalid, match=name):
        cpaas.Client(**settings)


def test_each_notation_has_its_canonical_form_or_a_reason():
    for case in NUMBERS:
        number, region = case["number"], case.get("region")
        if "form" in case:
            assert cpaas.normalize_number(number, region) == case["form"], case
            continue
        with pytest.raises(cpaas.Invalid) as found:
            cpaas.normalize_number(number, region)
        (problem,) = found.value.problems
        assert (problem.code, problem.params) == ("number.invalid", {"reason": case["reason"]}), case


def test_columns_have_the_same_form():
    pa = pytest.importorskip("pyarrow")
    for region in {case.get("region") for case in NUMBERS}:
        cases = [case for case in NUMBERS if case.get("region") == region]
        if any(case.get("reason") == "region" for case in cases):
            with pytest.raises(ValueError, match="region"):
                cpaas.arrow.normalize_numbers(pa.array(["x"]), region)
            continue
        column = pa.array([case["number"] for case in cases] + [None])
        found = pa.chunked_array(cpaas.arrow.normalize_numbers(column, region)).to_pylist()
        assert found == [case.get("form") for case in cases] + [None], region


def test_a_name_of_another_operation_is_an_error(wire):
    message = {"destination": "306912345678", "sms": {"text": "Hi", "from": "Acme"}}
    with wire.client() as client:
        for validate in ("strict", "pedantic"):
            with pytest.raises(cpaas.Invalid) as found:
                client.messages.send(**message, validate=validate)
            problem = next(p for p in found.value.problems if p.code == "msg.field.misspelled")
            assert (problem.pointer, problem.params["suggestion"]) == ("/sms/from", "sender")
        assert wire.requests == []
        ids = iter(["1", "2", "3"])
        wire.script = lambda request: http_response({"messageId": next(ids), "deliveryStatus": "Ready"})
        sent = client.messages.send(**message, validate="warn")
        assert "msg.field.misspelled" in [p.code for p in sent.warnings]
        client.messages.send(**message, validate="off")
        client.messages.send(destination="306912345678", sms={"text": "Hi", "extra": {"from": "Acme"}})
    assert [request.json["sms"]["from"] for request in wire.requests] == ["Acme"] * 3


def test_the_policy_of_the_client_applies_to_a_campaign(tmp_path):
    rows = [{"phone": "306912345678"}, {"phone": "442079460018"}]
    template = {"from": "Acme", "to": "{{ phone }}", "text": "Hi"}
    with cpaas.Sandbox() as sandbox, sandbox.client(allow_countries=["GR"]) as client:
        campaign = cpaas.Campaign.create(str(tmp_path / "j.db"), "sms.send", rows, template)
        status = campaign.run(client)
        assert (status.accepted, status.invalid) == (1, 1)
        assert [message.to for message in sandbox.messages()] == ["306912345678"]


def test_a_recipient_of_a_chat_channel_is_never_changed(wire):
    ids = iter(range(9))
    wire.script = lambda request: http_response({"messageId": f"m-{next(ids)}", "deliveryStatus": "Ready"})
    chat = {"messenger_b": {"type": "session", "text": "Hi"}}
    with wire.client(normalize="GR") as client:
        client.messages.send(destination="6912345678", **chat)
        client.messages.send(destination="+30 691 234 5678", **chat)
        client.messages.send(destination="6912345678", sms={"text": "Hi", "sender": "Acme"})
    assert [request.json["destination"] for request in wire.requests] == [
        "6912345678",
        "306912345678",
        "306912345678",
    ]
