"""What operators do with campaigns: kept columns, exports, tests, limits, a start, settings that change, resolutions."""

import contextlib
import fcntl
import json
import os
import signal
import sqlite3
import stat
import subprocess
import time
from datetime import datetime, timedelta, timezone

import pytest
from campaign_cases import SETS, command, create, journal, people, phone, sent

import cpaas

OWN = ["row", "outcome", "reason", "message_id", "recipients", "attempts", "delivery", "line"]


def customers(count):
    return [{**row, "customer": f"C-{number}", "age": number} for number, row in enumerate(people(count))]


def test_kept_columns_are_in_rows_exports_and_arrow_in_the_order_given(journal, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    campaign = create(journal, customers(3), keep=("age", "customer"))
    rows = [*campaign.rows()]
    assert [*rows[0]] == [*OWN, "age", "customer"]
    assert (rows[2]["age"], rows[2]["customer"]) == (2, "C-2")
    campaign.export(tmp_path / "out.csv")
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0] == ",".join([*OWN, "age", "customer"])
    assert lines[1].endswith(",0,,,0,C-0")
    campaign.export(tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text().splitlines()[1])["customer"] == "C-1"
    table = pyarrow.table(campaign)
    assert table.column_names == [*OWN, "age", "customer"]
    assert table["age"].to_pylist() == ["0", "1", "2"], "columns of Arrow have one type: text"
    campaign.export(tmp_path / "out.arrow", outcome="pending")
    with pyarrow.ipc.open_file(tmp_path / "out.arrow") as file:
        assert file.read_all()["customer"].to_pylist() == ["C-0", "C-1", "C-2"]


def test_the_plan_names_invalid_rows_by_their_kept_columns(journal):
    rows = [*customers(1), {"phone": "x", "name": "y", "customer": "C-9"}]
    plan = cpaas.plan("sms.send", rows, {"from": "A", "to": "{{ phone }}", "text": "Hi"}, keep=["customer"])
    assert plan.problems[0].kept == {"customer": "C-9"}
    assert plan.to_dict()["problems"][0]["kept"] == {"customer": "C-9"}
    assert (
        cpaas.plan("sms.send", rows, {"from": "A", "to": "{{ phone }}", "text": "Hi"}).problems[0].kept == {}
    )


def test_columns_that_cannot_be_kept_are_errors(journal, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("phone,name,customer\n306900000001,Ann,C-1\n")
    with pytest.raises(
        cpaas.CampaignError, match="expected the column `vip`, got the columns phone, name, customer"
    ):
        create(journal, path, keep=["customer", "vip"])
    with pytest.raises(cpaas.CampaignError, match="`delivery` is a column of every export"):
        create(journal, path, keep=["delivery"])
    with pytest.raises(TypeError, match="keep must be an iterable of str, got str"):
        create(journal, path, keep="customer")
    assert create(journal, path, keep=["customer"]).status().rows == 1


def test_purge_removes_kept_columns(journal):
    campaign = create(journal, customers(2), keep=["customer"])
    campaign.cancel()
    campaign.purge()
    with contextlib.closing(sqlite3.connect(journal)) as database:
        assert database.execute("SELECT COUNT(*) FROM chunks WHERE kept IS NOT NULL").fetchone() == (0,)


@pytest.mark.parametrize("name", ["out.xlsx", "out.parquet", "out.CSV.gz", "out.txt"])
def test_an_export_with_an_unknown_extension_is_refused(name, journal, tmp_path):
    campaign = create(journal, 1)
    with pytest.raises(
        ValueError, match=r"must be one of \.csv, \.jsonl, \.ndjson, \.arrow, \.feather, got \."
    ):
        campaign.export(tmp_path / name)
    assert not (tmp_path / name).exists()
    assert campaign.export(tmp_path / name, format="csv") == 1
    assert campaign.export(tmp_path / "OUT.JSONL") == 1
    assert campaign.export(tmp_path / "no_extension") == 1


def test_an_export_never_replaces_its_own_inputs(journal, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("phone,name\n306900000001,Ann\n")
    campaign = create(journal, path)
    os.symlink(path, tmp_path / "link.csv")
    os.link(path, tmp_path / "hard.csv")
    before = path.read_bytes()
    for target in (
        path,
        tmp_path / "link.csv",
        tmp_path / "hard.csv",
        f"{tmp_path}/../{tmp_path.name}/people.csv",
    ):
        with pytest.raises(ValueError, match="must not replace the file from which the campaign was created"):
            campaign.export(target)
    for suffix in ("", "-wal", "-shm", "-lock"):
        with pytest.raises(ValueError, match="must not replace a file of its journal"):
            campaign.export(f"{journal}{suffix}", format="csv")
    os.link(journal, tmp_path / "same.csv")
    with pytest.raises(ValueError, match="a file of its journal"):
        campaign.export(tmp_path / "same.csv")
    assert path.read_bytes() == before
    assert campaign.status().rows == 1


def test_an_export_that_fails_leaves_the_old_file(journal, tmp_path, monkeypatch):
    out = tmp_path / "out.csv"
    out.write_text("old")
    out.chmod(0o644)
    campaign = create(journal, 3)

    def broken(*_, **__):
        yield {**dict.fromkeys(OWN), "recipients": ()}
        raise cpaas.CampaignError("the disk failed")

    with monkeypatch.context() as patched:
        patched.setattr(cpaas.Campaign, "rows", broken)
        with pytest.raises(cpaas.CampaignError):
            campaign.export(out, overwrite=True)
    assert out.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == sorted({"out.csv", *os.listdir(tmp_path)} - {".tmp"})
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".tmp")]
    assert campaign.export(out, overwrite=True) == 3
    assert stat.S_IMODE(out.stat().st_mode) == 0o644  # that of the file that it replaced
    assert campaign.export(tmp_path / "new.csv") == 3
    assert stat.S_IMODE((tmp_path / "new.csv").stat().st_mode) == 0o600
    assert out.read_text().startswith("row,")
    with pytest.raises(OSError, match="the folder of the export does not exist"):
        campaign.export(tmp_path / "missing" / "out.csv")


def test_an_export_to_a_symbolic_link_replaces_the_link(journal, tmp_path):
    (tmp_path / "other.csv").write_text("other")
    os.symlink(tmp_path / "other.csv", tmp_path / "out.csv")
    create(journal, 1).export(tmp_path / "out.csv", overwrite=True)
    assert (tmp_path / "other.csv").read_text() == "other"
    assert not (tmp_path / "out.csv").is_symlink()


def test_an_export_to_a_pipe_is_written_directly(journal, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", str(tmp_path / "pipe")], stdout=subprocess.PIPE, text=True)
    assert create(journal, 2).export(tmp_path / "pipe") == 2
    out, _ = reader.communicate(timeout=30)
    assert out.count("\n") == 3


def test_rows_are_filtered_by_outcome(client, journal, tmp_path):
    rows = [*people(3), {"phone": "x", "name": "y"}, people(1)[0]]
    campaign = create(journal, rows)
    campaign.run(client)
    assert [row["row"] for row in campaign.rows(outcome="invalid")] == [4]
    assert [row["row"] for row in campaign.rows(outcome=["invalid", "duplicate"])] == [4, 5]
    assert campaign.export(tmp_path / "out.csv", outcome=["accepted"]) == 3
    assert campaign.export(tmp_path / "none.csv", outcome=["unknown"]) == 0
    assert (tmp_path / "none.csv").read_text() == ",".join(OWN) + "\n"
    with pytest.raises(ValueError, match="outcome must be one of accepted, rejected"):
        campaign.rows(outcome="sent").__next__()
    invalid = next(campaign.rows(outcome="invalid"))
    assert invalid["recipients"] == ("x",), "an invalid row has its recipient"


def test_a_filter_reads_all_chunks(journal):
    rows = ({"phone": phone(number) if number != 2222 else "x", "name": "N"} for number in range(2500))
    assert [row["row"] for row in create(journal, rows).rows(outcome="invalid")] == [2223]


def test_reports_store_the_delivery_state(sandbox, client, journal, tmp_path):
    campaign = create(journal, 4)
    campaign.run(client)
    references = [message.reference for message in sandbox.messages()]
    by_row = sorted(references, key=lambda reference: int(reference.split("-")[1]))
    path = tmp_path / "reports.csv"
    path.write_text(f"reference;status\n{by_row[0]};DELIVERED\n{by_row[0]};sent\n")
    found = campaign.resolve(reports=path)
    assert (found.known, found.impossible) == (2, 0)
    campaign.resolve(reports=[{"event": {"reference": by_row[1], "status": "expired"}}, by_row[2]])
    assert [row["delivery"] for row in campaign.rows()] == ["delivered", "expired", None, None]


def test_a_campaign_is_tested_with_ones_own_number(sandbox, client, journal):
    campaign = create(journal, [*people(3), {"phone": "x", "name": "y"}])
    before = campaign.status()
    planned = campaign.test_messages("+30 699 999 9999", rows=[2])
    assert (planned[0].to, planned[0].outcome, planned[0].request["text"]) == ("306999999999", None, "Hi N1")
    assert not sandbox.ledger()
    (message,) = campaign.test(client, "306999999999", rows=[2])
    assert (message.row, message.outcome, message.reason) == (2, "accepted", None)
    assert message.message_id
    assert "306999999999" not in repr(message)
    assert len(campaign.test(client, ["306999999999", "306999999998"], count=2)) == 4
    assert {entry["to"] for entry in sandbox.ledger()} == {"306999999999", "306999999998"}
    assert campaign.status() == before
    for arguments, text in (
        ({"rows": [4]}, "row 4 is invalid"),
        ({"rows": [5]}, "rows must be numbers from 1 to "),
    ):
        with pytest.raises(cpaas.CampaignError, match=text):
            campaign.test(client, "306999999999", **arguments)
    with pytest.raises(cpaas.CampaignError, match="one valid number"):
        campaign.test(client, "0699")
    with pytest.raises(TypeError, match="client"):
        campaign.test(None, "306999999999")


def test_a_test_may_be_awaited(sandbox, journal):
    import asyncio

    campaign = create(journal, 2)

    async def main():
        async with sandbox.async_client() as client:
            return await campaign.test(client, "306999999999")

    assert asyncio.run(main())[0].outcome == "accepted"


def test_a_limit_ends_the_run(sandbox, client, journal):
    campaign = create(journal, 30)
    status = campaign.run(client, limit=7)
    assert (status.state, status.accepted, status.pending, status.attempts) == ("stopped", 7, 23, 7)
    status = campaign.run(client, limit=100)
    assert (status.state, status.accepted) == ("done", 30)
    assert max(sent(sandbox).values()) == 1
    for limit in (0, -1):
        with pytest.raises(ValueError, match="limit must be at least 1"):
            campaign.run(client, limit=limit)


def test_a_campaign_waits_for_its_start(sandbox, client, journal):
    start = datetime.now(timezone.utc) + timedelta(seconds=2.5)
    campaign = create(journal, 2, start_at=start.isoformat())
    assert campaign.status().waiting.startswith("until ")
    assert campaign.run(client).accepted == 2
    assert datetime.now(timezone.utc) >= start
    with pytest.raises(cpaas.CampaignError, match="the start must be a time such as 2026-12-01T09:00:00Z"):
        create(journal, 2, name="other", start_at="tomorrow")
    local = create(journal, 2, name="local", start_at="2099-01-01 09:00", time_zone="Europe/Athens").status()
    assert (local.start_at, local.waiting) == ("2099-01-01T07:00:00Z", "until 2099-01-01 09:00 Europe/Athens")


def test_settings_change_and_zero_is_an_error_that_says_why(journal):
    campaign = create(journal, 2)
    campaign.set(rate=5, window="9:00-20:00", concurrency=3)
    campaign.set(rate=2.5)
    status = campaign.status()
    assert (status.rate, status.window, status.concurrency) == (2.5, "09:00-20:00", 3)
    assert "09:00-20:00" in str(status)
    for changes in ({"rate": 0}, {"concurrency": 0}):
        with pytest.raises(cpaas.CampaignError, match="to send nothing, pause the campaign"):
            campaign.set(**changes)
    with pytest.raises(cpaas.CampaignError, match="09:00-20:00"):
        campaign.set(window="0")
    with pytest.raises(TypeError, match="concurrency"):
        campaign.set(concurrency=1.5)
    assert campaign.status() == status


def test_the_frequency_cap_suppresses_rows(sandbox, client, journal):
    create(journal, 3, name="one").run(client)
    template = {"from": "Acme", "to": "{{ phone }}", "text": "Hi"}
    plan = cpaas.plan("sms.send", people(5), template, journal=journal)
    assert (plan.valid, plan.recently_contacted, plan.recent_seconds) == (5, 3, 30 * 86_400)
    assert "3 rows are already in an earlier campaign of this journal (same recipient within 30 days)" in str(
        plan
    )
    plan = cpaas.plan("sms.send", people(5), template, journal=journal, frequency_cap="1/7d")
    assert (plan.valid, plan.suppressed, plan.frequency_capped) == (2, 3, 3)
    campaign = create(journal, 5, name="two", frequency_cap="1/7d")
    assert campaign.run(client).accepted == 2
    assert [row["reason"] for row in campaign.rows(outcome="suppressed")] == ["campaign.frequency_cap"] * 3
    assert max(sent(sandbox).values()) == 1
    with pytest.raises(cpaas.CampaignError, match="requires the journal"):
        cpaas.plan("sms.send", people(1), template, frequency_cap="1/7d")
    with pytest.raises(cpaas.CampaignError, match="such as 2/7d"):
        create(journal, 1, name="three", frequency_cap="often")


def test_a_price_table_in_another_encoding_is_read(tmp_path):
    path = tmp_path / "prices.csv"
    path.write_bytes("prefix,price,currency\n30,0.05,€\n".encode("windows-1252"))
    plan = cpaas.plan(
        "sms.send",
        people(2),
        {"from": "A", "to": "{{ phone }}", "text": "Hi"},
        prices=path,
        encoding="windows-1252",
    )
    assert (plan.total.price, plan.currency) == ("0.1", "€")
    with pytest.raises(
        cpaas.CampaignError, match="prices, line 2: the file must be UTF-8; for another encoding"
    ):
        cpaas.plan("sms.send", people(2), {"from": "A", "to": "{{ phone }}", "text": "Hi"}, prices=path)


def test_the_duration_includes_nights():
    template = {"from": "A", "to": "{{ phone }}", "text": "Hi"}
    opening = (datetime.now(timezone.utc) + timedelta(days=1)).strftime("%Y-%m-%dT09:00:00Z")
    plan = cpaas.plan("sms.send", people(44), template, rate=0.001, window="09:00-20:00", start_at=opening)
    assert plan.duration == 44_000 + 86_400 - 11 * 3600


def stop_outside_of_a_commit(process, lock):
    """Stops a worker while it does not hold the lock of its journal."""
    while True:
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.05)
        with open(lock, "r+b") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError:
                process.send_signal(signal.SIGCONT)
                time.sleep(0.01)


# The command.


def test_the_command_keeps_columns_and_filters_exports(command):
    (command.folder / "people.csv").write_text('phone,name,"Last, First"\n306900000001,Ann,=C\nx,Ben,D\n')
    rows = ("people.csv", "--journal", "j.db", "--op", "sms.send", *SETS)
    code, _, err = command("create", "autumn", *rows, "--id", "vip")
    assert code == 9
    assert "got the columns phone, name, and 1 whose name is not shown" in err
    command.json("create", "autumn", *rows, "--keep", '"Last, First"', "--id", "name")
    code, out, _ = command("export", "autumn", "--journal", "j.db")
    lines = out.splitlines()
    assert (code, lines[0]) == (0, ",".join([*OWN, '"Last, First"', "name"]))
    assert lines[1] == "1,pending,,,306900000001,0,,2,'=C,Ann"
    code, out, _ = command("export", "autumn", "--journal", "j.db", "--outcome", "invalid", "--json")
    assert [(json.loads(line)["row"], json.loads(line)["name"]) for line in out.splitlines()] == [(2, "Ben")]
    code, _, err = command("export", "autumn", "--journal", "j.db", "--outcome", "sent")
    assert (code, "invalid choice" in err) == (2, True)
    code, _, err = command("export", "autumn", "--journal", "j.db", "--output", "out.xlsx")
    assert (code, ".csv, .jsonl, .ndjson, .arrow, .feather" in err) == (9, True), err
    code, _, err = command("export", "autumn", "--journal", "j.db", "--output", "people.csv")
    assert (code, "the file from which the campaign was created" in err) == (9, True), err


def test_the_command_names_what_it_tests(command):
    command.create(3)
    test = ("test", "autumn", "--journal", "j.db", "--row", "2")
    code, out, _ = command(*test, "--to", "+306999999999")
    lines = out.splitlines()
    assert (code, lines[0]) == (0, "test of autumn: sends 1 real message; no row changes")
    assert lines[1].startswith("row 2 to 306999999999: {")
    assert '"text": "Hi N1"' in lines[1]
    assert lines[2].startswith("row 2 to 306999999999: accepted ")
    found = command.json("test", "autumn", "--journal", "j.db", "--count", "2", "--to", "306999999999")
    assert [(one["row"], one["outcome"]) for one in found] == [(1, "accepted"), (2, "accepted")]
    assert command.status()["pending"] == 3
    assert command("test", "autumn", "--journal", "j.db")[0] == 2, "--to is required"
    command.environment["CPAAS_SMS_KEY"] = "wrong"
    code, out, _ = command(*test, "--to", "306999999999")
    assert (code, "rejected setup 401" in out) == (3, True), out
    assert command.status()["pending"] == 3


@pytest.mark.parametrize("workers", [1, 3])
def test_the_command_stops_at_its_limit(workers, command):
    command.create(40)
    run = ("run", "autumn", "--journal", "j.db", "--workers", str(workers))
    found = command.json(*run, "--limit", "10", code=11)
    assert (found["accepted"], found["pending"]) == (10, 30)
    assert command.json(*run, "--limit", "2", code=11)["accepted"] == 12
    assert command.json(*run)["accepted"] == 40
    assert command.sent() == {phone(number): 1 for number in range(40)}
    assert command.json(*run, "--limit", "1")["state"] == "done"
    assert command(*run, "--limit", "0")[0] == 2


def test_the_command_changes_settings_of_workers_that_run(command):
    command.create(3000, "--rate", "2")
    run = command.start("run", "autumn", "--journal", "j.db", "--workers", "2", stderr=subprocess.DEVNULL)
    command.until(2)
    found = command.json("set", "autumn", "--journal", "j.db", "--rate", "300", "--concurrency", "20")
    assert (found["rate"], found["concurrency"]) == (300.0, 20)
    began = time.monotonic()
    command.until(200)
    assert time.monotonic() - began < 15, "at two rows a second it takes 100 s"
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=60)
    for switch in ("--rate", "--concurrency"):
        code, _, err = command("set", "autumn", "--journal", "j.db", switch, "0")
        assert (code, "to send nothing, pause the campaign" in err) == (9, True), err
    code, _, err = command("set", "autumn", "--journal", "j.db")
    assert (code, err) == (2, "cpaas: set requires one of --rate, --window, --concurrency, --max-spend\n")
    assert command.status()["rate"] == 300.0


def test_an_impossible_report_is_an_error_and_blocks_resume(command):
    command.create(2)
    with contextlib.closing(sqlite3.connect(command.folder / "j.db")) as database:
        (identifier,) = database.execute("SELECT id FROM campaigns").fetchone()
    (command.folder / "reports.csv").write_text(f"reference\n{identifier}-1-1\n")
    resolve = ("resolve", "autumn", "--journal", "j.db", "--reports", "reports.csv")
    found = command.json(*resolve, code=1)
    assert (found["impossible"], "the journal has lost commits" in found["notes"][0]) == (1, True)
    code, out, _ = command(*resolve)
    assert (code, out.splitlines()[1]) == (1, found["notes"][0]), "JSON says what the text says"
    code, _, err = command("resume", "autumn", "--journal", "j.db")
    assert (code, "--acknowledge-lost-commits" in err) == (1, True)
    assert command("run", "autumn", "--journal", "j.db")[0] == 1
    assert not command.sent()
    found = command.json("resume", "autumn", "--journal", "j.db", "--acknowledge-lost-commits")
    assert found["state"] == "created"


def test_owners_stopped_never_overrides_a_worker_on_this_machine(command):
    command.create(400, "--rate", "20")
    run = command.start("run", "autumn", "--journal", "j.db", "--concurrency", "4")
    command.until(8)
    stop_outside_of_a_commit(run, command.folder / "j.db-lock")
    with contextlib.closing(sqlite3.connect(command.folder / "j.db")) as database:
        database.execute("UPDATE permits SET claimed_us = claimed_us - 400000000")
        database.commit()
    resolve = ("resolve", "autumn", "--journal", "j.db", "--as", "not-sent", "--owners-stopped")
    found = command.json(*resolve, code=0)
    assert found["resolved"] == 0
    assert found["owner_alive"] > 0
    assert "the worker runs on this machine" in found["notes"][0]
    code, out, _ = command(*resolve)
    assert (code, out.splitlines()[1:]) == (0, found["notes"])
    run.kill()
    run.communicate()
    found = command.json("resolve", "autumn", "--journal", "j.db", "--as", "not-sent", "--yes")
    # The rows that the worker had not begun are not resolved: they are sent again anyway.
    assert found["owner_alive"] == 0
    status = command.json("status", "autumn", "--journal", "j.db")
    assert status["unknown"] == 0
    assert status["pending"] > 0


def test_the_command_plans_with_a_journal(command):
    command.create(3)
    command("run", "autumn", "--journal", "j.db")
    file = command.people(4)
    plan = ("plan", file, "--op", "sms.send", *SETS)
    assert "3 rows are already in an earlier campaign" in command(*plan, "--journal", "j.db")[1]
    found = command.json(*plan, "--journal", "j.db", "--frequency-cap", "1/7d")
    assert (found["frequency_capped"], found["valid"]) == (3, 1)
    code, _, err = command(*plan, "--frequency-cap", "1/7d")
    assert (code, "requires the journal" in err) == (9, True)
    command.environment["CPAAS_JOURNAL"] = "j.db"
    assert "3 rows are already in an earlier campaign" in command(*plan)[1]
    assert command.json(*plan, "--frequency-cap", "1/7d")["frequency_capped"] == 3
    del command.environment["CPAAS_JOURNAL"]
    found = command.json(*plan, "--journal", "none.db", "--frequency-cap", "1/7d")
    assert (found["frequency_capped"], found["valid"], found["recently_contacted"]) == (0, 4, 0)
    assert command(*plan, "--journal", "nowhere/none.db")[0] == 1
    assert not (command.folder / "none.db").exists()
