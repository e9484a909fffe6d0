"""What the command says where nothing changed, or where a value has another form than expected."""

import pytest
from campaign_cases import SETS, TEMPLATE, command, create, journal, phone

import cpaas

JOURNAL = ("--journal", "j.db")


def rejected(command, count=3):
    """A campaign whose rows were rejected because of a wrong key."""
    command.create(count)
    right = command.environment
    command.environment = {**right, "CPAAS_SMS_KEY": "not-the-key"}
    command("run", "autumn", *JOURNAL)
    command.environment = right


def test_a_retry_without_rows_names_the_reasons_that_would_match(command):
    rejected(command)
    code, out, _ = command("retry", "autumn", *JOURNAL, "--reason", "990")
    assert code == 0
    first, second = out.splitlines()
    assert first == "0 rows may be sent again; 0 rows are pending"
    assert second.startswith("no row has the reason 990; others would match: --reason 401 (3 rows), ")
    assert "--reason setup (3 rows)" in second
    _, out, _ = command("retry", "autumn", *JOURNAL, "--reason", "setup", "--older-than", "6m")
    assert (
        out.splitlines()[1]
        == "3 rows with this reason: a row must have been claimed longer ago than --older-than"
    )
    assert command.json("retry", "autumn", *JOURNAL, "--reason", "990") == {
        "retried": 0,
        "pending": 0,
    }


def test_a_retry_of_a_campaign_without_rejections_says_so(command):
    command.create(2)
    for reason in ("setup", "990", "provider_5xx"):
        _, out, _ = command("retry", "autumn", *JOURNAL, "--reason", reason)
        assert out.splitlines()[1:] == [
            "no row was rejected for a reason that may pass, and none is unknown because the provider failed"
        ]


def test_a_retry_of_unknown_rows_names_resolve_and_the_six_minutes(command):
    command.create(3)
    command.sandbox.fault("status", status=503, to=phone(1))
    command.sandbox.fault("accept-then-5xx", to=phone(2))  # a page of a gateway, and not of the provider
    command.environment["CPAAS_MAX_ATTEMPTS"] = "1"
    command("run", "autumn", *JOURNAL)
    _, out, _ = command("retry", "autumn", *JOURNAL, "--reason", "setup")
    assert out.splitlines()[1:] == [
        "no row has the reason setup; others would match: --reason provider_5xx (1 row)",
        "unknown: 2 rows; see `cpaas campaign resolve`",
    ]
    _, out, _ = command("retry", "autumn", *JOURNAL, "--reason", "provider_5xx")
    expected = "1 row with this reason: a row must have been claimed more than six minutes ago"
    assert out.splitlines()[1:] == [expected]


def test_a_resolution_without_rows_says_why(command):
    command.create(2)
    command("run", "autumn", *JOURNAL)
    resolve = ("resolve", "autumn", *JOURNAL)
    for as_ in ("accepted", "not-sent"):
        code, out, _ = command(*resolve, "--as", as_)
        assert (code, out.splitlines()) == (
            0,
            ["0 resolved; 0 rows are unknown", "no row is unknown, and only unknown rows are resolved"],
        )
    _, out, _ = command(*resolve, "--as", "accepted", "--row", "1", "--row", "2")
    expected = "only rows whose outcome is unknown are resolved: row 1 is accepted, row 2 is accepted"
    assert out.splitlines()[1:] == [expected]
    assert command.json(*resolve, "--as", "accepted", "--row", "1")["notes"] == [
        "only rows whose outcome is unknown are resolved: row 1 is accepted"
    ]
    (command.folder / "reports.csv").write_text("reference,status\n")
    _, out, _ = command(*resolve, "--reports", "reports.csv")
    assert out.splitlines()[1:] == ["the file has no report"]


def test_a_resolution_of_rejected_rows_names_retry(command):
    rejected(command)
    _, out, _ = command("resolve", "autumn", *JOURNAL, "--as", "not-sent")
    assert out.splitlines()[1:] == [
        "no row is unknown, and only unknown rows are resolved",
        "rejected: 3 rows; see `cpaas campaign retry`",
    ]


def test_numbers_with_a_decimal_comma_are_named(command):
    rows = command.people(1)
    made = ("create", "autumn", rows, *JOURNAL, "--op", "sms.send", *SETS)
    code, _, err = command(*made, "--rate", "1,5")
    assert (code, "--rate: must be a number with a decimal point, such as 1.5, got '1,5'" in err) == (
        2,
        True,
    ), err
    (command.folder / "prices.csv").write_text("Prefix;Price;Currency\n30;0.05;EUR\n")
    code, _, err = command(*made, "--prices", "prices.csv", "--max-spend", "0,25")
    assert code == 9
    assert err == (
        "cpaas: an amount must be a decimal number from 0 with at most nine decimals, such as 250.00; got 0,25: decimals follow a "
        "point, and thousands are not grouped\n"
    )
    (command.folder / "prices.csv").write_text("prefix;price;currency\n30;0,05;EUR\n")
    code, _, err = command(*made, "--prices", "prices.csv")
    assert (code, err) == (
        9,
        "cpaas: prices, line 2: the price must be a decimal number with a point, such as 0.0075, got a comma\n",
    )
    assert command(*made, "--rate", "1.5")[0] == 0
    code, _, err = command("set", "autumn", *JOURNAL, "--rate", "2,5")
    assert (code, "got '2,5'" in err) == (2, True)


def test_a_start_in_the_past_is_refused(command, journal):
    made = ("create", "autumn", command.people(1), *JOURNAL, "--op", "sms.send", *SETS)
    code, _, err = command(*made, "--start-at", "2020-01-31T09:00", "--time-zone", "Europe/Athens")
    assert (code, err) == (
        9,
        "cpaas: the start must be in the future, got 2020-01-31T07:00:00Z; without it, rows are sent as soon as the campaign runs\n",
    )
    with pytest.raises(cpaas.CampaignError, match="the start must be in the future, got 2020-01-31"):
        create(journal, 1, start_at="2020-01-31T09:00:00Z")
    with pytest.raises(cpaas.CampaignError, match="the start must be in the future"):
        cpaas.plan("sms.send", [{"phone": phone(1), "name": "N"}], TEMPLATE, start_at="2020-01-31T09:00:00Z")


def test_text_formulas_of_a_spreadsheet_are_their_text(command):
    (command.folder / "excel.csv").write_text(f'phone;name\n="{phone(1)}";="Ann"\n="{phone(2)}";Ben\n')
    (command.folder / "stop.csv").write_text(f'Phone\n="{phone(2)}"\n')
    (command.folder / "prices.csv").write_text('Prefix;Price;Currency\n="30";="0.05";EUR\n')
    plan = command.json(
        "plan", "excel.csv", "--op", "sms.send", *SETS, "--suppress", "stop.csv", "--prices", "prices.csv"
    )
    assert (plan["rows"], plan["invalid"], plan["suppressed"], plan["total"]["price"]) == (2, 0, 1, "0.05")
