"""What an operator or a list can do by mistake: an older store, national numbers, reports of other forms, a purge of unknown rows."""

import csv
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time

import pytest
from campaign_cases import Command, command, create, journal, people, phone, sent

import cpaas

JOURNAL = ("--journal", "j.db")


def unknown_row(command: Command) -> None:
    """A campaign of three rows, of which one is unknown."""
    command.create(3)
    command.sandbox.fault("accept-then-5xx", to=phone(1))
    command.environment["CPAAS_MAX_ATTEMPTS"] = "1"
    command("run", "autumn", *JOURNAL)
    assert command.status(code=8)["unknown"] == 1


def test_a_purge_of_unknown_rows_asks(command):
    unknown_row(command)
    code, out, err = command("purge", "autumn", *JOURNAL, stdin=subprocess.DEVNULL)
    question = "purge 1 row with an unknown outcome, so that nobody can send them again?"
    assert (code, out, err) == (2, "", f"cpaas: {question} Nothing is changed without --yes\n")
    assert command("export", "autumn", *JOURNAL)[0] == 0, "nothing was purged"
    assert command.json("purge", "autumn", *JOURNAL, "--yes")["unknown"] == 1
    assert command("export", "autumn", *JOURNAL)[0] == 1


def test_national_numbers_are_not_suppressed_silently(command):
    command.create(3)
    (command.folder / "stopped.csv").write_text("6912345678\n")
    suppress = ("suppress", "autumn", "stopped.csv", *JOURNAL)
    code, out, err = command(*suppress)
    assert (code, out) == (9, "")
    for words in (
        "1 of the numbers that were read is not assigned",
        "--normalize GR",
        "Nobody was suppressed",
    ):
        assert words in err, err
    assert command.json(*suppress, "--normalize", "GR")["read"] == 1
    code, _, err = command(*suppress, "--normalize", "Greece")
    assert (code, "normalize" in err) == (9, True)
    assert command.json(*suppress, "--lenient")["unassigned"] == 1
    (command.folder / "stopped.csv").write_text("6900000001\n")
    assert command.json(*suppress, "--normalize", "GR")["read"] == 1
    assert command.json("run", "autumn", *JOURNAL)["suppressed"] == 1
    assert command.sent() == {phone(0): 1, phone(2): 1}


def set_back(backup: str, path: str) -> None:
    for suffix in ("-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)
    shutil.copy(backup, path + ".copy")
    os.replace(path + ".copy", path)


def test_an_older_suppression_store_is_refused_until_it_is_accepted(command):
    store = str(command.folder / "stopped.db")
    cpaas.SuppressionList(store)
    shutil.copy(store, store + ".backup")
    assert cpaas.SuppressionList(store).add(phone(2))
    command.create(3)
    run = ("run", "autumn", *JOURNAL, "--suppression", "stopped.db")
    assert command(*run, "--limit", "1")[0] == 11
    set_back(store + ".backup", store)
    code, _, err = command(*run)
    assert (code, "accept-suppression --journal" in err) == (1, True), err
    assert command.sent().total() == 1
    accept = ("accept-suppression", *JOURNAL, "--suppression", "stopped.db")
    code, out, err = command(*accept, stdin=subprocess.DEVNULL)
    assert (code, out, "some of 1 change which runs have read" in err) == (2, "", True), err
    assert cpaas.SuppressionList(store).add(phone(2))
    assert command.json(*accept, "--yes") == {"changes": 1}
    cpaas.SuppressionList(str(command.folder / "other.db"))
    code, _, err = command(*run[:-1], "other.db")
    assert (code, "accept-suppression NAME --journal" in err) == (1, True), err
    found = command.json(*run)
    assert (found["accepted"], found["suppressed"]) == (2, 1)


def test_another_suppression_store_is_accepted_for_one_campaign(command):
    for name in ("one.db", "two.db"):
        cpaas.SuppressionList(str(command.folder / name))
    command.create(2)
    run = ("run", "autumn", *JOURNAL, "--suppression")
    assert command(*run, "one.db", "--limit", "1")[0] == 11
    assert command(*run, "two.db")[0] == 1
    accept = ("accept-suppression", *JOURNAL)
    assert command(*accept, "--yes")[0] == 2
    assert command(*accept, "autumn", "--suppression", "two.db", "--yes")[0] == 2
    code, out, err = command(*accept, "autumn", stdin=subprocess.DEVNULL)
    assert (code, out, "consult another suppression store" in err) == (2, "", True), err
    assert command(*accept, "autumn", "--yes")[0] == 0
    assert command.json(*run, "two.db")["accepted"] == 2


def test_list_and_status_name_a_store_that_fails(command):
    store = command.folder / "stopped.db"
    cpaas.SuppressionList(store)
    command.create(600, "--rate", "20")
    worker = command.start("run", "autumn", *JOURNAL, "--suppression", "stopped.db")
    try:
        while not command.sandbox.ledger():
            time.sleep(0.05)
        for name in ("stopped.db", "stopped.db-wal", "stopped.db-shm"):
            (command.folder / name).unlink(missing_ok=True)
        reason = f"because the suppression store {store.resolve()} failed"
        until = time.monotonic() + 120
        while reason not in command("status", "autumn", *JOURNAL)[1]:
            assert time.monotonic() < until
        assert reason in command("list", *JOURNAL)[1]
    finally:
        worker.terminate()
        worker.communicate(timeout=120)


def test_an_empty_file_is_no_suppression_store(tmp_path):
    path = tmp_path / "stopped.db"
    path.touch(mode=0o600)
    with pytest.raises(ValueError, match="got an empty file"):
        cpaas.SuppressionList(path)
    assert path.stat().st_size == 0


def test_a_list_notices_that_what_it_added_is_gone(tmp_path):
    store = str(tmp_path / "stopped.db")
    stopped = cpaas.SuppressionList(store)
    shutil.copy(store, store + ".backup")
    assert stopped.add(phone(1))
    set_back(store + ".backup", store)
    with pytest.raises(ValueError, match="an older store has replaced it"):
        stopped.is_suppressed(phone(1))


@pytest.mark.parametrize(
    ("table", "encoding"),
    [
        ("reference,status\n{},DELIVERED\n", "utf-8"),
        ("reference,status\n{},DELIVERED\n", "utf-8-sig"),
        ("reference;status\n{};DELIVERED\n", "utf-16"),
        ("sep=;\r\nreference;status\r\n{};DELIVERED\r\n", "utf-8"),
        ('"sep=\t"\nreference\tstatus\n{}\tDELIVERED\n', "utf-8"),
        ("Reference,Status\n{},DELIVERED\n", "utf-8"),
        ("Id;Message reference;Delivery status\n7;{};DELIVERED\n", "utf-8"),
        ("messageReference,deliveryStatus\n{},DELIVERED\n", "utf-8"),
        ('REFERENCE,STATUS\n"=""{}""",DELIVERED\n', "utf-8"),
        ("reference,status\r{},DELIVERED\r", "utf-8"),
    ],
)
def test_reports_are_read_as_lists_are(sandbox, client, journal, tmp_path, table, encoding):
    campaign = create(journal, 1)
    campaign.run(client)
    (message,) = sandbox.messages()
    path = tmp_path / "reports.csv"
    path.write_bytes(table.format(message.reference).encode(encoding))
    assert campaign.resolve(reports=path).known == 1
    assert [row["delivery"] for row in campaign.rows()] == ["delivered"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id,status\n7,DELIVERED\n", "a table must have a header with the column `reference`"),
        (b"reference,text\nx,DELIVERED\n", "must have one column `status`"),
        ('{"reference": "x"}'.encode("utf-16"), "JSON must be UTF-8"),
        (b"reference,status\nx,\xfc\n", "UTF-8"),
        (
            b'reference,status\n\n"x,DELIVERED\ny,DELIVERED\n',
            "a quotation mark must end with one, got another one until line 4",
        ),
        (
            b"Reports of May\n\nreference,status\nx,DELIVERED\n",
            "line 3 must have as many cells as the first line, 1, got 2",
        ),
        (b"reference,status\nx\n", "line 2 must have as many cells as the first line, 2, got 1"),
        (b"sep=,\nreference;status\nx;DELIVERED\n", "must have the separator ','"),
        (
            b"reference,status,status\nx,SENT,DELIVERED\n",
            "must have one column `status`, got `status` and `status`",
        ),
        (
            b"reference,state,status\nx,SENT,DELIVERED\n",
            "must have one column `status`, got `state` and `status`",
        ),
        (b"reference,Status,Delivery status\nx,FAILED,DELIVERED\n", "got `status` and `delivery status`"),
        (b"reference,Payment status,DLR\nx,FAILED,DELIVERED\n", "got none"),
        (b"preference,status\nx,DELIVERED\n", "the column `reference`"),
        (b"Reference,reference\nx,y\n", "must have one column `reference`, got `reference` and"),
        (
            b"reference,SMS status,Delivery status\nx,SENT,DELIVERED\n",
            "got `sms status` and `delivery status`",
        ),
    ],
)
def test_reports_without_known_columns_are_an_error(journal, tmp_path, content, message):
    path = tmp_path / "reports.csv"
    path.write_bytes(content)
    with pytest.raises(cpaas.CampaignError, match=message):
        create(journal, 1).resolve(reports=path)


def test_a_file_of_reports_may_have_another_encoding(command):
    command.create(2)
    command("run", "autumn", *JOURNAL)
    references = [message.reference for message in command.sandbox.messages()]
    table = f"reference,status,město\n{references[0]},DELIVERED,Žilina\n{references[1]},zugestellt,\n"
    (command.folder / "reports.csv").write_bytes(table.encode("windows-1250"))
    resolve = ("resolve", "autumn", *JOURNAL, "--reports", "reports.csv")
    code, _, err = command(*resolve)
    assert (code, "--encoding" in err) == (9, True), err
    found = command.json(*resolve, "--encoding", "windows-1250")
    assert (found["known"], found["unknown_states"], found["without_state"]) == (2, 1, 0)
    (command.folder / "reports.jsonl").write_text(
        f'{{"reference": "{references[0]}", "Status": "sent"}}\n{{"reference": "{references[1]}", "status": 3}}\n'
    )
    assert command.json("resolve", "autumn", *JOURNAL, "--reports", "reports.jsonl")["without_state"] == 2
    out = command(*resolve, "--encoding", "windows-1250")[1]
    assert "1 report with a delivery state that the provider does not have" in out
    rows = [json.loads(line) for line in command("export", "autumn", *JOURNAL, "--json")[1].splitlines()]
    assert sorted(row["delivery"] or "" for row in rows) == ["", "delivered"]
    assert command("resolve", "autumn", *JOURNAL, "--as", "accepted", "--encoding", "utf-8")[0] == 2


def test_reports_without_a_reference_are_not_those_of_other_campaigns(journal, tmp_path):
    campaign = create(journal, 1)
    path = tmp_path / "reports.csv"
    path.write_text("reference,status\n,DELIVERED\n00ff00ff00ff00ff-0-1,DELIVERED\n")
    found = campaign.resolve(reports=path)
    assert (found.without_reference, found.foreign) == (1, 1)
    found = campaign.resolve(reports=[{"status": "sent"}, {"reference": ""}, "00ff00ff00ff00ff-0-1"])
    assert (found.without_reference, found.foreign) == (2, 1)


def test_the_question_of_a_copy_says_that_it_takes_the_campaign_over(command):
    command.sandbox.fault("accept-then-5xx", op="sms.send")
    command.create(2)
    command.environment["CPAAS_MAX_ATTEMPTS"] = "1"
    command("run", "autumn", *JOURNAL)
    resolve = ("resolve", "autumn", *JOURNAL, "--as", "not-sent")
    _, _, err = command(*resolve, stdin=subprocess.DEVNULL)
    assert "resolve at most 2 rows as not sent" in err
    assert "restored copy" not in err
    _, _, err = command(*resolve, "--owners-stopped", stdin=subprocess.DEVNULL)
    assert "If the journal is a restored copy" in err


def test_an_export_has_the_separator_of_the_country(command, journal, tmp_path):
    campaign = create(journal, [{"phone": phone(0), "name": "A;B"}], keep=["name"])
    assert campaign.export(tmp_path / "out.csv", separator=";", bom=True) == 1
    with open(tmp_path / "out.csv", encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file, delimiter=";")
    assert (row["row"], row["name"]) == ("1", "A;B")
    assert cpaas.plan(
        "sms.send", tmp_path / "out.csv", {"from": "Acme", "to": phone(1), "text": "{{ name }}"}
    ).valid
    with pytest.raises(ValueError, match="separator must be"):
        campaign.export(tmp_path / "other.csv", separator="|")
    with pytest.raises(ValueError, match="only for CSV"):
        campaign.export(tmp_path / "other.jsonl", separator=";")
    command.create(1)
    assert command("export", "autumn", *JOURNAL, "--separator", ";")[1].startswith("row;outcome;")
    assert command("export", "autumn", *JOURNAL, "--separator", "tab")[1].startswith("row\toutcome\t")
    assert command("export", "autumn", *JOURNAL, "--separator", ";", "--json")[0] == 2


def test_pending_rows_of_another_campaign_are_noted_with_a_frequency_cap(command):
    command.create(3)
    rows = (
        "people.csv",
        "--op",
        "sms.send",
        *("--set", "from=Acme", "--set", "to={{phone}}", "--set", "text=Hi"),
    )
    note = "3 rows have a recipient of rows that are pending in other campaigns of the journal"
    planned = command.json("plan", *rows, *JOURNAL, "--frequency-cap", "1/7d")
    assert [found for found in planned["notes"] if found.startswith(note)], planned["notes"]
    code, _, err = command("create", "winter", *rows, *JOURNAL, "--frequency-cap", "1/7d")
    assert (code, f"warning: {note}" in err) == (0, True), err
    planned = command.json("plan", *rows, *JOURNAL, "--frequency-cap", "3/7d")
    assert not [found for found in planned["notes"] if "pending in other" in found]


def test_the_store_of_send_once_is_one_file_after_its_process_has_ended(command, tmp_path):
    program = (
        "import cpaas\n"
        "with cpaas.Client() as client:\n"
        f"    client.send_once('key', 'sms.send', journal='once.db', from_='Acme', to='{phone(0)}', text='Hi')\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=command.environment, check=True)
    log = tmp_path / "once.db-wal"
    assert not log.exists() or log.stat().st_size == 0
    database = sqlite3.connect(f"file:{tmp_path / 'once.db'}?immutable=1", uri=True)
    assert database.execute("SELECT count(*) FROM outcomes").fetchone() == (1,)
    database.close()
    assert json.dumps(command.sent()) == json.dumps({phone(0): 1})
