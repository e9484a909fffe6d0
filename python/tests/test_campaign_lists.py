"""Lists of campaigns: notations of numbers, suppression, encodings, columns, and exports that spreadsheets open."""

import csv
import io
import warnings

import pytest
from campaign_cases import SETS, TEMPLATE, command, create, journal, people, phone, sent

import cpaas
from cpaas._campaign.files import write_rows

SUMMARY = "suppression: 1 read, 2 unreadable (lines 2, 4)"


def test_numbers_of_a_region_are_sent_with_their_country_code(sandbox, client, journal):
    rows = [
        {"phone": text, "name": "N"} for text in ("690 000 0001", "+30 690-000-0001", "6900000002", "690 1")
    ]
    plan = cpaas.plan("sms.send", rows, TEMPLATE, normalize="GR", suppress=["690 0000 002"])
    assert (plan.valid, plan.duplicate, plan.suppressed, plan.invalid) == (1, 1, 1, 1)
    assert [problem.code for problem in plan.problems] == ["NUMBER"]
    assert plan.samples[0]["to"] == "306900000001"
    assert "example: " in str(plan)
    assert "306900000001" not in repr(plan)
    campaign = create(journal, rows, normalize="GR", suppress=["690 0000 002"])
    assert campaign.run(client).accepted == 1
    assert sent(sandbox) == {"306900000001": 1}
    with pytest.raises(cpaas.CampaignError, match="normalize: "):
        create(journal, rows, name="x", normalize="Atlantis")


def test_an_unreadable_line_is_an_error_unless_lenient(journal, tmp_path):
    file = tmp_path / "optouts.txt"
    file.write_text(f"{phone(1)}\n690 000 0002\n\nann\n")
    for settings in ({"suppress": file}, {"suppress": str(file), "column": "1"}):
        with pytest.raises(cpaas.CampaignError) as caught:
            create(journal, 3, **settings)
        assert caught.value.reason == "source"
        assert SUMMARY in str(caught.value)
    status = create(journal, 3, suppress=file, lenient=True).status()
    assert (status.suppressed, str(status.suppression)) == (1, SUMMARY)
    assert SUMMARY in str(status)
    with pytest.raises(cpaas.CampaignError, match="1 read, 1 unreadable"):
        cpaas.Campaign.open(journal).suppress([phone(2), "0691"])


def test_the_command_prints_what_was_read(command):
    (command.folder / "optouts.csv").write_bytes(
        f"Name;Kontakt\nJürgen;{phone(1)}\nx;ann\n".encode("windows-1252")
    )
    rows = [command.people(3), "--op", "sms.send", *SETS, "--suppress", "optouts.csv"]
    code, _, err = command("plan", *rows)
    assert code != 0
    assert "--column" in err
    rows += ["--column", "kontakt"]
    code, _, err = command("plan", *rows)
    assert code != 0
    assert "line 2, column 1: " in err
    assert "--encoding windows-1252" in err
    rows += ["--encoding", "windows-1252"]
    code, _, err = command("create", "autumn", *rows, "--journal", "j.db")
    assert code != 0
    assert "suppression: 1 read from the column `Kontakt`, 1 unreadable (line 3)" in err
    rows += ["--lenient"]
    for arguments in (["plan", *rows], ["create", "autumn", *rows, "--journal", "j.db"]):
        code, out, _ = command(*arguments)
        assert code == 0
        assert "suppression: 1 read from the column `Kontakt`, 1 unreadable (line 3)" in out
    code, out, _ = command("run", "autumn", "--journal", "j.db")
    assert code == 0
    assert "suppression: 1 read from the column `Kontakt`, 1 unreadable (line 3)" in out
    assert command.sent() == {phone(0): 1, phone(2): 1}


def test_a_table_without_a_header_is_an_error(tmp_path):
    file = tmp_path / "people.csv"
    file.write_text(f"{phone(1)},Ann\n")
    with pytest.raises(cpaas.CampaignError, match="the first line must be a header"):
        cpaas.plan("sms.send", file, TEMPLATE)
    file.write_text(f"sep=;\nPhone Number;2024;\n{phone(1)};x;\n")
    template = {"from": "Acme", "to": "{{ phone_number }}", "text": "Hi {{ row['2024'] }} {{ _2024 }}"}
    plan = cpaas.plan("sms.send", file, template)
    assert [*plan.header] == ["Phone Number", "2024", "column_3"]
    assert plan.samples[0]["text"] == "Hi x x"


def test_an_export_has_no_formulas_unless_raw(tmp_path):
    texts = ["=1+1", "+306900000001", "-1", "@x", "\tx", "\rx", "x"]
    rows = [
        {
            "row": 1,
            "outcome": "accepted",
            "reason": None,
            "message_id": text,
            "recipients": [text],
            "attempts": 1,
        }
        for text in texts
    ]

    def cells(**options):
        out = io.StringIO(newline="")
        assert write_rows(iter(rows), out, "csv", **options) == len(rows)
        return [row[3:5] for row in csv.reader(io.StringIO(out.getvalue(), newline=""))][1:]

    assert cells(raw=True) == [[text, text] for text in texts]
    guarded = ["x" if text == "x" else f"'{text}" for text in texts]
    assert cells() == [[text, text] for text in guarded]
    file = tmp_path / "export.csv"
    file.write_text("phone,name\n'+306900000001,'=x\n")
    plan = cpaas.plan("sms.send", file, TEMPLATE, normalize="international")
    assert (plan.samples[0]["to"], plan.samples[0]["text"]) == ("306900000001", "Hi =x")


def test_negative_numbers_of_kept_columns_are_guarded_as_text_is(tmp_path):
    values = [-5, -1.5, 7, 2.5, True, None, [-1], {"a": -1}]
    out = io.StringIO(newline="")
    write_rows(iter([{"row": 1, "value": value} for value in values]), out, "csv")
    cells = [cell for _, cell in csv.reader(io.StringIO(out.getvalue(), newline=""))][1:]
    assert cells == ["'-5", "'-1.5", "7", "2.5", "true", "", "[-1]", '{"a": -1}']
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    file = tmp_path / "export.csv"
    file.write_text(f"phone,name\n{phone(1)},{cells[0]}\n{phone(2)},{cells[1]}\n")
    plan = cpaas.plan("sms.send", file, TEMPLATE)
    assert [sample["text"] for sample in plan.samples] == ["Hi -5", "Hi -1.5"]


def test_rows_without_a_price_are_counted_by_prefix():
    rows = [*people(2), {"phone": "4915123456789", "name": "N"}]
    prices = [{"prefix": "30", "price": "0.05", "currency": "EUR"}]
    plan = cpaas.plan("sms.send", rows, TEMPLATE, prices=prices)
    assert (plan.valid, plan.unpriced) == (3, {"491": 1})
    assert "1 row has no price: +491… (1)" in str(plan)
    plan = cpaas.plan("sms.send", rows[:2], TEMPLATE, prices=prices, max_spend="0.05")
    assert plan.exceeds_max_spend
    assert "would halt" in str(plan)


def test_a_list_with_two_columns_of_numbers_is_an_error(command):
    (command.folder / "stopped.csv").write_text(f"name,Home phone,Mobile phone\nAnn,{phone(0)},{phone(1)}\n")
    rows = [command.people(3), "--op", "sms.send", *SETS, "--suppress", "stopped.csv"]
    code, _, err = command("plan", *rows)
    assert code == 9
    assert "the columns `Home phone` and `Mobile phone` both contain numbers" in err
    found = command.json("plan", *rows, "--column", "Home phone")
    assert (found["suppressed"], found["suppression"]["column"]) == (1, "Home phone")


def test_an_option_that_is_given_twice_is_an_error(command):
    for name in ("one.txt", "two.txt"):
        (command.folder / name).write_text(f"{phone(0)}\n")
    rows = [command.people(3), "--op", "sms.send", *SETS]
    for twice in (
        ["--suppress", "one.txt", "--suppress", "two.txt"],
        ["--window", "00:00-12:00", "--window=12:00-24:00"],
        ["--duplicates", "send", "--duplicates", "send"],
    ):
        for verb in (["plan"], ["create", "autumn"]):
            code, out, err = command(
                *verb, *rows, *twice, *(["--journal", "j.db"] if verb != ["plan"] else [])
            )
            assert (code, out) == (2, ""), err
            assert f"argument {twice[0]}: must be given once, got it twice" in err
    code, _, err = command("set", "autumn", "--journal", "j.db", "--rate", "1", "--rate", "2")
    assert (code, "argument --rate: must be given once" in err) == (2, True)
    assert command("plan", *rows, "--keep", "name", "--keep", "phone")[0] == 0


def test_a_plan_and_a_creation_have_the_option_id(command):
    rows = [command.people(3), "--op", "sms.send", *SETS, "--id", "name"]
    assert command("plan", *rows)[0] == 0
    assert command("create", "autumn", *rows, "--journal", "j.db")[0] == 0


def test_national_digits_are_added_with_their_region_or_with_a_warning(tmp_path):
    stopped = cpaas.SuppressionList(tmp_path / "stopped.db")
    assert stopped.add("6912345678", region="GR")
    assert "306912345678" in stopped
    with pytest.warns(RuntimeWarning, match="no country has assigned") as found:
        assert stopped.add("6912345679")
    assert found[0].filename == __file__
    assert "6912345679" not in str(found[0].message)
    assert "6912345679" in stopped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stopped.add("306912345670")
        stopped.add("+30 691 234 5671")
    with pytest.raises(cpaas.Invalid, match="the region must be two letters"):
        stopped.add("6912345678", region="Greece")
    for region in (5, b"GR"):
        with pytest.raises(cpaas.Invalid):
            stopped.add("6912345678", region=region)


def test_an_iterable_without_recipients_is_an_error_unless_lenient(journal, tmp_path):
    rows = [{"phone": phone(1), "name": "N"}]
    stops = (one for one in [phone(1)])
    assert cpaas.plan("sms.send", rows, TEMPLATE, suppress=stops).suppressed == 1
    for used in (stops, [], (), set(), iter([])):
        for create_it in (False, True):
            with pytest.raises(
                cpaas.CampaignError, match="suppression: the list must have a recipient"
            ) as caught:
                create(journal, rows, suppress=used) if create_it else cpaas.plan(
                    "sms.send", rows, TEMPLATE, suppress=used
                )
            assert caught.value.reason == "source"
    campaign = create(journal, rows, suppress=[], lenient=True)
    assert str(campaign.status().suppression) == "suppression: 0 read, 0 unreadable"
    with pytest.raises(cpaas.CampaignError, match="suppression: the list must have a recipient"):
        campaign.suppress(iter([]))
    assert campaign.suppress([], lenient=True).read == 0
    assert cpaas.plan("sms.send", rows, TEMPLATE, suppress=None).valid == 1
    assert cpaas.plan("sms.send", rows, TEMPLATE).suppression is None


def test_a_recipient_in_several_rows_with_several_recipients_gets_one_message(sandbox, client, journal):
    lists = ("1,2", "2,1", "3,3", "4,2", "5,6")
    rows = [{"phone": ",".join(phone(int(one)) for one in numbers.split(","))} for numbers in lists]
    template = {"from": "A", "to": "{{ phone }}", "text": "Hi"}
    plan = cpaas.plan("sms.send_bulk", rows, template)
    assert (plan.valid, plan.duplicate) == (2, 3)
    assert any("2 rows with several recipients are duplicates" in note for note in plan.notes)
    campaign = cpaas.Campaign.create(journal, "sms.send_bulk", rows, template)
    assert [row["reason"] for row in campaign.rows()] == [
        None,
        *["duplicate 1", "duplicate 2", "duplicate 2"],
        None,
    ]
    assert campaign.run(client).accepted == 2
    assert sent(sandbox) == {phone(one): 1 for one in (1, 2, 5, 6)}
