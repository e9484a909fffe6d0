"""The switches of `cpaas campaign` and the arguments of `Campaign.suppress`."""

import pytest
from campaign_cases import SETS, command, create, journal, people

import cpaas


def test_the_key_of_a_row_is_a_switch_of_plan_and_create(command):
    rows = [command.people(2), "--op", "sms.send", *SETS]
    assert command.json("plan", *rows, "--id", "name")["valid"] == 2
    command.json("create", "autumn", *rows, "--journal", "j.db", "--id", "name")
    code, out, err = command("export", "autumn", "--journal", "j.db")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].endswith(",name")


def test_a_byte_order_mark_is_only_for_csv(command):
    command.json("create", "autumn", command.people(1), "--op", "sms.send", *SETS, "--journal", "j.db")
    code, out, err = command("export", "autumn", "--journal", "j.db", "--bom", "--json")
    assert (code, out, err) == (
        2,
        "",
        "cpaas: --bom is only for CSV; other formats have no byte order mark\n",
    )
    code, out, err = command("export", "autumn", "--journal", "j.db", "--bom")
    assert (code, out[0], err) == (0, "\ufeff", "")


def test_a_column_is_only_for_a_file_of_recipients(journal, tmp_path):
    campaign = create(journal, people(2))
    with pytest.raises(cpaas.Invalid, match="column is only for a file of recipients"):
        campaign.suppress(["306912345678"], column="phone")
    file = tmp_path / "list.csv"
    file.write_text("phone,name\n306912345678,Ann\n")
    assert campaign.suppress(file, column="phone").read == 1


def test_the_help_of_suppress_is_about_its_file(command):
    code, out, _ = command("suppress", "--help")
    assert code == 0
    assert "prices" not in out
