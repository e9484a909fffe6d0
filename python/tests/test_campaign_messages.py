"""What campaigns tell an operator, and what they refuse: budgets, settings, exports, opt-outs during a run, and their messages."""

import codecs
import socket
import subprocess

import pytest
from campaign_cases import PRICES, STATES, command, create, journal, phone

import cpaas

JOURNAL = ("--journal", "j.db")


def statement(state, **members):
    counts = dict.fromkeys(("rows", *STATES, "attempts", "parts"), 0)
    return cpaas.CampaignStatus(**{"name": "autumn", "state": state, "spend": "0", **counts, **members})


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


# Places.


def test_errors_name_the_file_and_the_server(command):
    code, _, err = command("status", "autumn", "--journal", "none.db")
    path = command.folder.resolve() / "none.db"
    assert (code, err) == (1, f"cpaas: the journal {path} cannot be opened: the file does not exist\n")
    port = free_port()
    code, _, err = command("list", "--journal", f"postgres://ann@127.0.0.1:{port}/shop?connect_timeout=1")
    assert code == 1
    assert f"the server 127.0.0.1, port {port}, database shop: " in err


# Budgets and settings.


def test_the_budget_of_a_halted_campaign_is_raised(command):
    (command.folder / "prices.csv").write_text("prefix,price,currency\n30,0.05,EUR\n")
    command.create(4, "--prices", "prices.csv", "--max-spend", "0.10")
    code, _, err = command("run", "autumn", *JOURNAL)
    assert code == 1
    assert "raise it with `set` (--max-spend), then resume the campaign" in err
    code, out, _ = command("set", "autumn", *JOURNAL, "--max-spend", "1.5")
    assert code == 0
    assert "0.1 EUR, at most 1.5 EUR" in out
    assert out.splitlines()[-1] == "the campaign is halted: resume it, then run it again"
    assert command.json("set", "autumn", *JOURNAL, "--max-spend", "2")["max_spend"] == "2"
    command.json("resume", "autumn", *JOURNAL)
    assert command.json("run", "autumn", *JOURNAL)["accepted"] == 4
    code, _, err = command("set", "autumn", *JOURNAL, "--max-spend", "3")
    assert (code, err) == (1, "cpaas: the campaign must be neither cancelled nor done, got done\n")
    assert command.sent() == {phone(number): 1 for number in range(4)}


def test_settings_of_a_campaign_that_has_ended_are_refused_and_a_run_with_a_rate_is_not(client, journal):
    campaign = create(journal, 2, prices=PRICES)
    for amount, text in (("5", "created with one"), (0, "pause the campaign")):
        with pytest.raises(cpaas.CampaignError, match=text) as caught:
            campaign.set(max_spend=amount)
        assert caught.value.reason == "setting"
    assert campaign.run(client, rate=100).state == "done"
    assert campaign.run(client, rate=50).state == "done", "running it again has no effect"
    cancelled = create(journal, 2, name="cancelled")
    cancelled.cancel()
    assert cancelled.run(client, rate=50).state == "cancelled"
    for ended in (campaign, cancelled):
        with pytest.raises(cpaas.CampaignError, match="neither cancelled nor done") as caught:
            ended.set(rate=7)
        assert caught.value.reason == "state"
    assert (campaign.status().rate, cancelled.status().rate) == (100.0, None)
    with pytest.raises(cpaas.CampaignError):
        campaign.run(client, rate=0)


# Texts.


def test_a_status_without_workers_waits_for_nothing():
    until = "until 09:00 Europe/Athens"
    assert str(statement("running", waiting=until, workers=1)).startswith(
        f"autumn: running, waiting {until}\n"
    )
    for state in ("created", "stopped"):
        assert str(statement(state, waiting=until)).startswith(f"autumn: {state}, a run would wait {until}\n")
    text = str(statement("stopped", attempts=7, spend="0.35", max_spend="1", currency="EUR"))
    assert "attempts              7 (claims of rows, sent or not)" in text
    assert "spend          0.35 EUR, at most 1 EUR" in text


def test_a_resolution_explains_reports_that_changed_nothing():
    def text(**members):
        names = ("resolved", "overridden", "known", "foreign", "impossible", "without_reference")
        return str(cpaas.CampaignResolution(**{**dict.fromkeys(names, 0), **members}))

    assert text() == "0 resolved"
    assert text(resolved=3, overridden=1) == "3 resolved, 1 of them was stored as not sent or rejected"
    assert text(known=1, foreign=2) == (
        "0 resolved, 1 report of rows that already counted as accepted, "
        "2 reports of messages that are not of this campaign"
    )
    assert text(impossible=1, without_reference=4) == (
        "0 resolved, 1 report of rows that no worker has claimed, 4 reports without a reference"
    )
    assert text(without_state=2) == "0 resolved, 2 reports without a delivery state"
    assert text(resolved=1, unknown_states=1) == (
        "1 resolved, 1 report with a delivery state that the provider does not have, which is not stored"
    )


def test_the_command_explains_foreign_and_impossible_reports(command):
    command.create(2)
    (command.folder / "foreign.csv").write_text("reference\n00ff00ff00ff00ff-0-1\n")
    resolve = ("resolve", "autumn", *JOURNAL, "--reports")
    code, out, _ = command(*resolve, "foreign.csv")
    assert code == 0
    assert "use the reports of its own messages" in out.splitlines()[1]
    command("run", "autumn", *JOURNAL)
    identity = command.sandbox.messages()[0].reference.split("-")[0]
    (command.folder / "wrong.csv").write_text(f"reference\n{identity}-0-9\n{identity}-1-9\n")
    code, out, _ = command(*resolve, "wrong.csv")
    assert code == 1
    assert out.splitlines()[1].startswith(
        "2 reports name rows that no worker has claimed: the journal has lost commits"
    )
    assert "The campaign is halted." in out


# Exports.


def test_an_export_replaces_a_file_only_on_request(journal, tmp_path):
    campaign = create(journal, 2)
    out = tmp_path / "out.csv"
    out.write_text("mine")
    with pytest.raises(FileExistsError, match="--overwrite"):
        campaign.export(out)
    assert out.read_text() == "mine"
    assert campaign.export(out, overwrite=True) == 2
    with pytest.raises(FileExistsError):
        campaign.export(out)
    (tmp_path / "empty.csv").touch()
    assert campaign.export(tmp_path / "empty.csv") == 2, "nothing is lost"
    with pytest.raises(TypeError, match="overwrite"):
        campaign.export(out, overwrite="yes")


def test_the_command_replaces_a_file_only_on_request(command):
    command.create(2)
    export = ("export", "autumn", *JOURNAL, "--output", "out.csv")
    assert command(*export)[0] == 0
    before = (command.folder / "out.csv").read_bytes()
    code, _, err = command(*export)
    assert (code, (command.folder / "out.csv").read_bytes()) == (1, before)
    assert err.startswith("cpaas: out.csv: the file exists; ")
    assert "--overwrite" in err
    assert command(*export, "--overwrite", "--bom")[0] == 0
    assert (command.folder / "out.csv").read_bytes() == codecs.BOM_UTF8 + before


def test_a_byte_order_mark_is_for_excel_and_is_read_back(journal, tmp_path, command):
    rows = [{"phone": phone(1), "name": "Κώστας"}]
    campaign = create(journal, rows, keep=["name"])
    assert campaign.export(tmp_path / "out.csv", bom=True) == 1
    assert (tmp_path / "out.csv").read_bytes().startswith(codecs.BOM_UTF8 + b"row,")
    text = (tmp_path / "out.csv").read_text(encoding="utf-8-sig")
    template = {"from": "A", "to": "{{ recipients }}", "text": "{{ row['row'] }} {{ name }}"}
    (tmp_path / "again.csv").write_text(text, encoding="utf-8-sig")
    plan = cpaas.plan("sms.send", tmp_path / "again.csv", template)
    assert (plan.header[0], plan.samples[0]["text"]) == ("row", "1 Κώστας")
    assert campaign.export(tmp_path / "plain.csv") == 1
    assert (tmp_path / "plain.csv").read_bytes().startswith(b"row,")
    with pytest.raises(ValueError, match="bom is only for CSV"):
        campaign.export(tmp_path / "out.jsonl", bom=True)
    assert not (tmp_path / "out.jsonl").exists()
    command.create(1)
    assert command("export", "autumn", *JOURNAL, "--bom")[1].startswith("\ufeffrow,")


def test_an_export_after_a_purge_says_what_is_gone(command):
    command.create(1)
    command("run", "autumn", *JOURNAL)
    command("purge", "autumn", *JOURNAL)
    code, out, err = command("export", "autumn", *JOURNAL)
    assert (code, out) == (1, "")
    for word in ("texts", "recipients", "kept columns", "message ids", "responses", "cpaas campaign status"):
        assert word in err, err


# Opt-outs during a run.


def test_the_command_suppresses_recipients_of_a_run_that_has_started(command):
    command.create(60, "--rate", "10")
    run = command.start("run", "autumn", *JOURNAL, stderr=subprocess.DEVNULL)
    command.until(3)
    (command.folder / "stopped.csv").write_text(f"Id,Mobile\n7,+{phone(58)}\n8,+{phone(59)}\n")
    code, out, _ = command("suppress", "autumn", "stopped.csv", *JOURNAL)
    assert (code, out) == (0, "suppression: 2 read from the column `Mobile`, 0 unreadable\n")
    found = command.json("suppress", "autumn", "stopped.csv", *JOURNAL, "--column", "2")
    assert (found["read"], found["unreadable"]) == (2, 0)
    command.json("set", "autumn", *JOURNAL, "--rate", "1000")
    run.communicate(timeout=60)
    status = command.status()
    assert (status["accepted"], status["suppressed"]) == (58, 2)
    assert not {phone(58), phone(59)} & command.sent().keys()


def test_a_list_that_cannot_be_read_suppresses_nobody(command, client, journal):
    command.create(3)
    (command.folder / "bad.txt").write_text(f"{phone(0)}\nnobody\n")
    code, _, err = command("suppress", "autumn", "bad.txt", *JOURNAL)
    assert (code, "1 unreadable (line 2)" in err) == (9, True), err
    assert command("suppress", "autumn", "missing.txt", *JOURNAL)[0] == 9
    assert command.json("run", "autumn", *JOURNAL)["accepted"] == 3
    campaign = create(journal, 3)
    found = campaign.suppress(command.folder / "bad.txt", lenient=True)
    assert (type(found), found.read, found.lines) == (cpaas.SuppressionSummary, 1, (2,))
    assert campaign.run(client).suppressed == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_consults_a_suppression_store(workers, command):
    command.create(20)
    store = cpaas.SuppressionList(command.folder / "stopped.db")
    store.add(phone(4))
    run = ("run", "autumn", *JOURNAL, "--workers", str(workers), "--suppression")
    code, _, err = command(*run, "none.db")
    assert (code, "--suppression must be a store that exists, got none.db" in err) == (9, True), err
    assert not (command.folder / "none.db").exists()
    code, _, err = command(*run, "postgres://ann:Canary-4711@127.0.0.1:1/d")
    assert (code, "Canary" in err) == (2, False)
    assert not command.sent()
    status = command.json(*run, "stopped.db")
    assert (status["accepted"], status["suppressed"]) == (19, 1)
    assert phone(4) not in command.sent()


def test_references_count_rows_from_0_and_exports_from_1(sandbox, client, journal):
    campaign = create(journal, 1)
    campaign.run(client)
    assert [row["row"] for row in campaign.rows()] == [1]
    (message,) = sandbox.messages()
    assert message.reference.split("-")[1:] == ["0", "1"]
    (entry,) = sandbox.ledger()
    assert (entry["reference"] == message.reference, len(entry["reference"])) == (False, 16)
