"""`normalize_number`, and the fixes of validation for numbers."""

import pytest

import cpaas


@pytest.mark.parametrize(
    ("number", "region", "found"),
    [
        ("+30 691 234 5678", None, "306912345678"),
        ("0030 691 234 5678", None, "306912345678"),
        ("00306912345678", None, "306912345678"),
        ("306912345678", None, "306912345678"),
        (" +30 (691) 234-5678 ", None, "306912345678"),
        ("+44 (0)20 7946 0018", None, "442079460018"),
        ("\u200e+\u0663\u0660 691 234 5678", None, "306912345678"),
        ("691 234 5678", "GR", "306912345678"),
        ("+30 691 234 5678", "DE", "306912345678"),
        ("0151 23456789", "de", "4915123456789"),
        ("020 7946 0018", "GB", "442079460018"),
        ("011 30 691 234 5678", "US", "306912345678"),
    ],
)
def test_a_number_is_normalized(number, region, found):
    assert cpaas.normalize_number(number, region=region) == found


@pytest.mark.parametrize(
    ("number", "region"),
    [
        ("", None),
        ("0691 234 5678", None),
        ("690 111 2222", None),
        ("30 690 111 2222", None),
        ("+30 691 CALL", None),
        ("12345", None),
        ("+" + "1" * 16, None),
        ("691", "GR"),
        ("6912345678", "XX"),
        ("6912345678", "GRC"),
    ],
)
def test_a_text_that_is_not_a_number_is_invalid(number, region):
    with pytest.raises(cpaas.Invalid) as found:
        cpaas.normalize_number(number, region=region)
    assert isinstance(found.value, ValueError)
    if len(number) > 3:
        assert number not in str(found.value)


@pytest.mark.parametrize(
    "number",
    ["+30 691 234 5678", "0030 691 234 5678", "tel:+306912345678", "+306912345678", "00306912345678"],
)
@pytest.mark.parametrize(
    ("operation", "member", "rest"),
    [
        ("sms.send", "to", {"from": "Acme", "text": "Hi"}),
        ("otp.send", "to", {"service": "s", "from": "Acme", "body": "{code}"}),
        (
            "messages.send",
            "destination",
            {
                "trafficAccountId": "0f8fad5b-d9cb-469f-a165-70867728950e",
                "sms": {"text": "Hi", "sender": "Acme"},
            },
        ),
        ("lookup.numbers", "msisdn", {}),
    ],
)
def test_the_problem_of_a_number_has_a_fix(operation, member, rest, number):
    problems = [p for p in cpaas.validate(operation, {member: number, **rest}) if p.pointer == f"/{member}"]
    if number == "+306912345678" and operation != "sms.send":
        assert problems == []  # these operations accept a plus sign
        return
    fix = problems[0].fix
    data = number.encode()
    assert (data[: fix["start"]] + fix["insert"].encode() + data[fix["end"] :]).decode() == "306912345678"


def test_a_number_that_can_be_dialed_only_locally_is_not_valid():
    local = cpaas.check_number("13101234")  # a number of Canada that can be dialed only locally
    assert (local.valid, local.possible) == (False, False)
    full = cpaas.check_number("12015550123")
    assert (full.valid, full.possible) == (True, True)


def test_check_number_differs_from_phonenumbers_as_documented():
    """docs/python.md lists the differences: numbers that can be dialed only locally, and numbers without a region."""
    for local in ("13101234", "12530000", "353221234"):
        found = cpaas.check_number(local)
        assert (found.valid, found.possible) == (False, False), local
    world = cpaas.check_number("80012345678")
    assert (world.valid, world.region, world.type) == (True, None, "toll_free")
