"""Mistakes of a new user that must not be silent: a misspelt path or column, a number instead of a list, swapped arguments."""

import os
import warnings

import pytest
from campaign_cases import SETS, TEMPLATE, command, create, journal, phone

import cpaas


def test_a_misspelt_path_of_a_suppression_list_is_refused(sandbox, tmp_path):
    cpaas.SuppressionList(tmp_path / "stopped.db").add(phone(1))
    for wrong in (tmp_path / "stoped.db", f"sqlite://{tmp_path}/stoped.db"):
        with pytest.raises(
            cpaas.Invalid, match=r"list that exists, got .*stoped\.db; cpaas\.SuppressionList"
        ):
            sandbox.client(suppression=wrong)
    with (
        sandbox.client(suppression=tmp_path / "stopped.db") as client,
        pytest.raises(cpaas.Invalid, match="list that exists"),
    ):
        client.with_options(suppression=tmp_path / "stoped.db")
    with pytest.raises(cpaas.Invalid) as caught:
        sandbox.client(suppression=phone(1))
    assert "got a number" in str(caught.value)
    assert phone(1) not in str(caught.value)
    assert os.listdir(tmp_path) == ["stopped.db"]
    assert not os.path.exists(phone(1))


@pytest.mark.parametrize("number", [phone(1), "+30 691 234 5678"])
def test_a_number_is_not_a_file_of_recipients_and_is_not_shown(journal, number):
    campaign = create(journal)
    for wrong in (lambda: campaign.suppress(number), lambda: create(journal, name="b", suppress=number)):
        with pytest.raises(cpaas.Invalid, match="got a number; put it into a list") as caught:
            wrong()
        assert number not in str(caught.value)


@pytest.mark.parametrize("rows", [[{"phon": phone(1), "name": "N"}], []])
def test_a_campaign_without_a_row_to_send_warns_at_its_creation(journal, rows):
    with pytest.warns(
        RuntimeWarning, match=f"no row to send: {len(rows)} rows, {len(rows)} invalid"
    ) as found:
        cpaas.Campaign.create(journal, "sms.send", rows, TEMPLATE)
    assert found[0].filename == __file__


def test_a_campaign_with_a_row_to_send_does_not_warn(journal):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        create(journal, [{"phon": phone(1), "name": "N"}, {"phone": phone(2), "name": "N"}])


def test_a_journal_without_campaigns_names_the_method_that_creates_one(client, journal):
    client.send_once("k", "sms.send", journal=journal, from_="A", to=phone(1), text="x")
    with pytest.raises(cpaas.CampaignError, match=r"got 0; `Campaign\.create` creates one"):
        cpaas.Campaign.open(journal)


def test_the_arguments_of_send_once_in_the_other_order(client, journal):
    with pytest.raises(cpaas.Invalid, match="the key, then the operation, got them in the other order"):
        client.send_once("sms.send", "order-17", journal=journal, from_="A", to=phone(1), text="x")


def test_a_plan_without_a_row_to_send_ends_with_10(command):
    plan = ("plan", command.people(2), "--op", "sms.send")
    assert command(*plan, *SETS)[0] == 0
    assert command(*plan, *SETS, "--suppress", command.people(2, "stopped.csv"))[0] == 10


def test_a_run_prints_why_rows_were_rejected(command):
    command.create(2)
    command.environment["CPAAS_SMS_KEY"] = "wrong"
    code, _, err = command("run", "autumn", "--journal", "j.db")
    assert (code, "rejected: setup 401 901 (2 rows)" in err, "retry --reason setup" in err) == (
        10,
        True,
        True,
    ), err


def test_an_export_into_a_missing_folder_names_it(journal, tmp_path):
    campaign = create(journal)
    with pytest.raises(FileNotFoundError, match="the folder of the export does not exist") as caught:
        campaign.export(tmp_path / "nope" / "x.csv")
    assert caught.value.filename == str(tmp_path / "nope")


def test_a_missing_file_of_rows_is_named(journal, tmp_path):
    with pytest.raises(cpaas.CampaignError, match=r"the file .*missing\.csv cannot be read"):
        cpaas.plan("sms.send", str(tmp_path / "missing.csv"), TEMPLATE)
    with pytest.raises(cpaas.CampaignError, match="got the text of a CSV file") as caught:
        cpaas.plan("sms.send", f"phone,name\n{phone(1)},N\n", TEMPLATE)
    assert phone(1) not in str(caught.value)
