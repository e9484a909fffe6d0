"""Lists as a marketing department has them: floats, notations, empty cells, time zones, and mistakes in the command."""

import pytest
from campaign_cases import SETS, TEMPLATE, command, create, journal, phone, sent

import cpaas


@pytest.mark.parametrize("number", [306912345678.0, "306912345678.0", "+306912345678.0"])
@pytest.mark.parametrize("region", [None, "international", "GR"])
def test_a_float_is_not_a_phone_number(number, region):
    plan = cpaas.plan("sms.send", [{"phone": number, "name": "N"}], TEMPLATE, normalize=region)
    assert [(problem.code, "decimal number" in problem.message) for problem in plan.problems] == [
        ("NUMBER", True)
    ]


def test_the_reason_of_a_decimal_number():
    for region in (None, "GR"):
        with pytest.raises(cpaas.Invalid) as caught:
            cpaas.normalize_number("6912345678.0", region)
        assert caught.value.problems[0].params["reason"] == "decimal"


def test_a_list_with_a_region_is_compared_by_what_is_sent(sandbox, client, journal):
    rows = [{"phone": text, "name": "N"} for text in ("0151 23456700", "4915123456701")]
    plan = cpaas.plan("sms.send", rows, TEMPLATE, normalize="DE", suppress=[row["phone"] for row in rows])
    assert (plan.valid, plan.suppressed) == (0, 2)
    campaign = create(journal, rows, normalize="DE")
    campaign.run(client)
    assert sent(sandbox) == {"4915123456700": 1, "4915123456701": 1}
    assert [row["recipients"] for row in campaign.rows()] == [("4915123456700",), ("4915123456701",)]


def test_numbers_without_country_code_are_counted():
    plan = cpaas.plan("sms.send", [{"phone": phone(1), "name": "N"}], TEMPLATE, suppress=["6912345678"])
    assert (plan.suppression.read, plan.suppression.unassigned) == (1, 1)
    assert "without a country code it protects nobody" in str(plan)


def test_the_plan_prints_window_zone_start_and_notes():
    rows = [{"phone": phone(1), "name": "", "zone": ""}]
    plan = cpaas.plan(
        "sms.send",
        rows,
        TEMPLATE,
        time_zone_column="zone",
        time_zone="Europe/Athens",
        window="09:00-20:00",
        start_at="2099-12-01T09:00",
    )
    text = str(plan)
    for expected in (
        "window 09:00-20:00 Europe/Athens",
        "no row is sent before 2099-12-01T07:00:00Z",
        "warning: the column `name`, which the template uses, is empty in 1 row (1)",
        "warning: the column `zone` has no time zone in 1 row (1)",
    ):
        assert expected in text
    with pytest.raises(cpaas.CampaignError, match="time_zone_column: expected the column `zzone`"):
        cpaas.plan("sms.send", rows, TEMPLATE, time_zone_column="zzone")


def test_the_command_reports_rows_that_cannot_be_sent(command):
    (command.folder / "bad.csv").write_text("phone,name\nx,Ann\n")
    code, _, err = command("create", "bad", "bad.csv", "--journal", "j.db", "--op", "sms.send", *SETS)
    assert code == 10
    assert (
        "1 row is invalid: sms.to.not_digits (1); row 1 (line 2); `cpaas campaign export --outcome invalid` lists them"
        in err
    )
    assert "no row can be sent" in err


def test_mistakes_in_arguments_are_errors(command):
    rows = [command.people(2), "--op", "sms.send", *SETS]
    for arguments, expected in (
        (["--keep", "a\nb"], "the names of columns must be one line"),
        (["--set", "text=Again"], "each member must be set once, got `text` twice"),
        (["--time-zone-column", "zzone"], "expected the column `zzone`"),
    ):
        code, _, err = command("plan", *rows, *arguments)
        assert code != 0
        assert expected in err
        assert "Traceback" not in err


def test_a_test_sends_one_message_to_one_phone(command):
    code, _, err = command("create", "a", command.people(2), "--journal", "j.db", "--op", "sms.send", *SETS)
    assert (code, err) == (0, "")
    numbers = ["--to", "306999999999", "--to", "+30 699 999 9999"]
    code, out, err = command("test", "a", "--journal", "j.db", *numbers)
    assert code == 0, err
    assert "sends 1 real message;" in out
    code, _, err = command("test", "a", "--journal", "j.db", "--to", "6999999999")
    assert code != 0
    assert "not assigned" in err
