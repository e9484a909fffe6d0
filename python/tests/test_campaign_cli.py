"""The command `cpaas campaign` against the sandbox."""

import contextlib
import json
import os
import pty
import re
import signal
import sqlite3
import subprocess
import time

import pytest
from campaign_cases import SETS, STATES, command, phone

import cpaas

VERBS = [
    "plan",
    "create",
    "test",
    "run",
    "set",
    "status",
    "pause",
    "resume",
    "cancel",
    "export",
    "suppress",
    "purge",
    "resolve",
    "retry",
    "list",
    "backup",
    "verify",
    "accept-suppression",
]


def test_a_campaign_from_a_csv_file_is_planned_created_interrupted_and_finished(command):
    file = command.people(3000, more=f"not-a-number,X\n{phone(0)},again\n")
    rows = [file, "--op", "sms.send", *SETS]
    plan = command.json("plan", *rows)
    counts = [plan[name] for name in ("rows", "valid", "invalid", "duplicate", "suppressed")]
    assert counts == [3002, 3000, 1, 1, 0]
    assert plan["problems"][0]["row"] == 3001
    created = command.json("create", "autumn", *rows, "--journal", "j.db", "--digest", plan["digest"])
    assert (created["state"], created["pending"]) == ("created", 3000)
    run = command.start("run", "autumn", "--journal", "j.db", stdout=subprocess.DEVNULL)
    command.until(500)
    run.send_signal(signal.SIGINT)
    assert run.wait(60) == 130
    status = command.status()
    assert (status["unknown"], status["in_flight"]) == (0, 0)
    assert 0 < status["accepted"] < 3000, "Ctrl-C stopped the run before its end"
    assert command.sent().total() == status["accepted"]
    code, out, err = command("run", "autumn", "--journal", "j.db")
    assert (code, out.splitlines()[0]) == (10, "autumn: done"), "a row is invalid"
    assert "3,002 of 3,002 rows" in err.splitlines()[-1]
    assert command.sent() == {phone(number): 1 for number in range(3000)}
    status = command.status()
    assert [status[state] for state in STATES] == [3000, 0, 1, 0, 1, 0, 0, 0, 0]
    assert {name: type(status[name]) for name in ("name", "state", "attempts", "spend", "parts")} == {
        "name": str,
        "state": str,
        "attempts": int,
        "spend": str,
        "parts": int,
    }
    assert "rate" in status


def test_sigterm_finishes_the_rows_in_progress(command):
    command.create(2000)
    run = command.start("run", "autumn", "--journal", f"sqlite://{command.folder}/j.db")
    command.until(300)
    run.terminate()
    _, err = run.communicate(timeout=60)
    assert run.returncode == 143
    assert "run the campaign again" in err
    status = command.status()
    assert (status["unknown"], status["in_flight"]) == (0, 0)
    assert 0 < status["accepted"] == command.sent().total() < 2000


def test_workers_share_a_campaign(command):
    command.create(2000)
    run = command.start("run", "autumn", "--journal", "j.db", "--workers", "3", "--concurrency", "8")
    command.until(200)
    run.terminate()
    run.communicate(timeout=60)
    assert run.returncode == 143
    status = command.status()
    assert (status["unknown"], status["in_flight"]) == (0, 0)
    status = command.json("run", "autumn", "--journal", "j.db", "--workers", "3")
    assert (status["state"], status["accepted"]) == ("done", 2000)
    assert command.sent() == {phone(number): 1 for number in range(2000)}


def test_a_killed_run_can_be_run_again(command):
    command.create(2000)
    for kill in range(1, 4):
        run = command.start("run", "autumn", "--journal", "j.db", "--concurrency", "16")
        command.until(kill * 300)
        run.kill()
        run.communicate()
    code, out, _ = command("run", "autumn", "--journal", "j.db", "--json")
    status = json.loads(out)
    assert code == (8 if status["unknown"] else 0)
    assert sum(status[state] for state in STATES) == status["rows"]
    assert status["unknown"] <= 3 * (16 + 32)
    assert status["accepted"] + status["unknown"] == 2000
    sent = command.sent()
    assert max(sent.values()) == 1
    assert len(sent) >= status["accepted"]


def test_workers_end_when_their_parent_is_killed(command):
    command.create(5000, "--rate", "200")
    run = command.start("run", "autumn", "--journal", "j.db", "--workers", "2", stderr=subprocess.DEVNULL)
    command.until(50)
    run.kill()
    run.communicate()  # the workers have closed the pipes
    status = command.status()
    assert (status["in_flight"], status["unknown"]) == (0, 0)
    assert status["pending"] > 3000
    assert command.sent().total() == status["accepted"]


def test_a_terminal_shows_a_progress_bar(command):
    command.create(600, "--rate", "300")
    terminal, end = pty.openpty()
    run = command.start("run", "autumn", "--journal", "j.db", stderr=end)
    os.close(end)
    shown = b""
    with contextlib.suppress(OSError):
        while part := os.read(terminal, 4096):
            shown += part
    assert run.wait(60) == 0
    os.close(terminal)
    run.stdout.close()
    lines = shown.decode().split("\r")
    assert any(line.startswith("[###") and "rows/s" in line and "left" in line for line in lines), lines
    assert any("[####################] 600/600" in line for line in lines)


def test_the_progress_bar_ends_before_the_message_of_ctrl_c(command):
    command.create(600, "--rate", "100")
    terminal, end = pty.openpty()
    run = command.start("run", "autumn", "--journal", "j.db", stderr=end)
    os.close(end)
    shown = b""
    while b"rows/s" not in shown:
        shown += os.read(terminal, 4096)
    run.send_signal(signal.SIGINT)
    with contextlib.suppress(OSError):
        while part := os.read(terminal, 4096):
            shown += part
    assert run.wait(60) == 130
    os.close(terminal)
    run.stdout.close()
    assert shown.decode().splitlines()[-1] == "cpaas: stopped; run the campaign again to continue"


@pytest.mark.parametrize(
    ("state", "unknown", "failed", "code", "expected"),
    [
        ("running", 2, 0, 1, 1),
        ("running", 0, 0, 1, 1),
        ("halted", 2, 3, 1, 1),
        ("done", 2, 0, 0, 8),
        ("done", 2, 3, 0, 8),
        ("done", 0, 3, 0, 10),
        ("done", 0, 0, 0, 0),
    ],
)
def test_rows_without_success_decide_the_exit_code_of_a_run_only_if_it_is_done(
    state, unknown, failed, code, expected
):
    from types import SimpleNamespace

    from cpaas._cli.campaign import _exit_code

    for rejected, invalid in ((failed, 0), (0, failed)):
        status = SimpleNamespace(state=state, unknown=unknown, rejected=rejected, invalid=invalid)
        assert _exit_code(status, code) == expected


def test_a_halt_runs_a_command_and_the_rejected_rows_are_sent_again(command):
    command.create(5)
    right = command.environment
    command.environment = {**right, "CPAAS_SMS_KEY": "not-the-key"}
    hook = 'echo "$CPAAS_CAMPAIGN $CPAAS_HALT_REASON" > halted; cat >> halted'
    run = ("run", "autumn", "--journal", "j.db", "--on-halt", hook)
    code, _, err = command(*run)
    assert (code, "the campaign halted" in err) == (1, True)
    name, status = (command.folder / "halted").read_text().split("\n", 1)
    assert (name, json.loads(status)["state"]) == ("autumn setup", "halted")
    (command.folder / "halted").unlink()
    assert command(*run)[0] == 1
    assert not (command.folder / "halted").exists(), "it halted before this run"
    command.environment = right
    retry = ("retry", "autumn", "--journal", "j.db", "--reason", "setup")
    code, out, err = command(*retry, stdin=subprocess.DEVNULL)
    assert (code, out) == (2, "")
    assert err == "cpaas: send 3 rows again? Nothing is changed without --yes\n"
    assert command.status()["rejected"] == 3
    assert command.json(*retry, "--older-than", "6m") == {"retried": 0, "pending": 2}
    code, out, _ = command(*retry, "--yes")
    assert code == 0
    assert out == "3 rows may be sent again; 5 rows are pending\nresume and run the campaign again\n"
    assert command("resume", "autumn", "--journal", "j.db")[0] == 0
    assert command.json("run", "autumn", "--journal", "j.db")["accepted"] == 5
    code, _, err = command("retry", "autumn", "--journal", "j.db", "--reason", "lost")
    assert (code, "must be `setup`, `provider_5xx` or a code" in err) == (9, True)
    assert command("retry", "autumn", "--journal", "j.db", "--reason", "1", "--older-than", "6x")[0] == 2


def test_a_retry_asks_on_a_terminal(command):
    command.create(5)
    right = command.environment
    command.environment = {**right, "CPAAS_SMS_KEY": "not-the-key"}
    command("run", "autumn", "--journal", "j.db")
    command.environment = right

    def answered(answer):
        terminal, end = pty.openpty()
        retry = command.start("retry", "autumn", "--journal", "j.db", "--reason", "setup", stdin=end)
        os.close(end)
        os.write(terminal, answer)
        out, err = retry.communicate(timeout=60)
        os.close(terminal)
        return retry.returncode, out, err

    for answer in (b"n\n", b"\n"):
        code, out, err = answered(answer)
        assert (code, out) == (1, "")
        assert err == "send 3 rows again? [y/N] cpaas: nothing is changed\n"
    assert command.status()["rejected"] == 3
    code, out, err = answered(b"y\n")
    assert (code, err) == (0, "send 3 rows again? [y/N] ")
    assert out.startswith("3 rows may be sent again; 5 rows are pending\n")


def test_a_run_without_a_provider_prints_the_reason_from_the_first_second(command):
    command.create(5)
    command.environment["CPAAS_SMS_URL"] = "http://127.0.0.1:9"
    run = command.start("run", "autumn", "--journal", "j.db", stdout=subprocess.DEVNULL)
    line = run.stderr.readline()
    run.terminate()
    run.communicate(timeout=60)
    assert "last error: connect" in line or "waiting for the provider (connect)" in line, line


def test_unknown_rows_are_exit_code_8_until_they_are_resolved(command):
    command.create(5)
    command.sandbox.fault("accept-then-5xx", to=phone(2))
    command.sandbox.fault("accept-then-5xx", to=phone(3))
    command.environment["CPAAS_MAX_ATTEMPTS"] = "1"
    status = command.json("run", "autumn", "--journal", "j.db", code=8)
    assert (status["state"], status["accepted"], status["unknown"]) == ("done", 3, 2)
    assert command.status(code=8)["unknown"] == 2
    references = {message.to: message.reference for message in command.sandbox.messages()}
    (command.folder / "reports.csv").write_text(f"reference,status\n{references[phone(2)]},DELIVERED\n")
    resolve = ("resolve", "autumn", "--journal", "j.db")
    found = command.json(*resolve, "--reports", "reports.csv", code=8)
    assert (found["resolved"], found["unknown"]) == (1, 1)
    not_sent = (*resolve, "--as", "not-sent")
    code, out, err = command(*not_sent, "--owners-stopped", stdin=subprocess.DEVNULL)
    question = (
        "resolve 1 row as not sent, so that the next run sends them, perhaps a second time? "
        "If the journal is a restored copy, this machine refuses the campaign in the original and in other copies."
    )
    assert (code, out, err) == (2, "", f"cpaas: {question} Nothing is changed without --yes\n")
    found = command.json(*not_sent, "--yes", "--owners-stopped", code=8)
    assert (found["resolved"], found["unknown"]) == (0, 1), "the row was claimed less than six minutes ago"
    code, out, _ = command(*not_sent, "--yes")
    assert code == 8
    assert "six minutes" in out
    assert command.json(*resolve, "--as", "accepted", "--row", "1", code=8)["resolved"] == 0
    assert command.json(*resolve, "--as", "accepted", "--row", "4") == {
        "resolved": 1,
        "overridden": 0,
        "known": 0,
        "foreign": 0,
        "impossible": 0,
        "without_reference": 0,
        "unknown_states": 0,
        "without_state": 0,
        "owner_alive": 0,
        "owner_elsewhere": 0,
        "too_recent": 0,
        "taken_over": False,
        "unknown": 0,
        "notes": [],
    }
    assert command.status()["accepted"] == 5
    code, _, err = command(*resolve)
    assert (code, err) == (2, "cpaas: resolve requires either --reports FILE or --as accepted|not-sent\n")


def test_rows_resolved_as_not_sent_are_sent_again(command):
    command.create(2)
    command.sandbox.fault("reset-before-read", to=phone(1))
    command.environment["CPAAS_MAX_ATTEMPTS"] = "1"
    command("run", "autumn", "--journal", "j.db")
    command.sandbox.clear_faults()
    if not command.status(code=8)["unknown"]:
        pytest.skip("the row was not sent")
    with contextlib.closing(sqlite3.connect(command.folder / "j.db")) as database:
        database.execute("UPDATE permits SET claimed_us = claimed_us - 400000000")
        database.commit()
    code, out, _ = command("resolve", "autumn", "--journal", "j.db", "--as", "not-sent", "--yes")
    assert (code, out.splitlines()[0]) == (0, "1 resolved; 0 rows are unknown")
    assert "perhaps a second time" in out
    assert command.json("run", "autumn", "--journal", "j.db")["accepted"] == 2


def test_the_verbs_pause_resume_cancel_list_export_and_purge_work(command):
    command.create(3)
    journal = ("--journal", "j.db")
    assert command.json("pause", "autumn", *journal)["state"] == "paused"
    code, _, err = command("run", "autumn", *journal)
    assert (code, err.splitlines()[-1]) == (1, "cpaas: the campaign is paused")
    assert command("resume", "autumn", *journal)[0] == 0
    code, _, err = command("purge", "autumn", *journal)
    assert (code, "must be done or cancelled" in err) == (1, True)
    assert command("run", "autumn", *journal)[0] == 0
    command.create(2, name="winter")
    cancelled = command.json("cancel", "winter", *journal)
    assert (cancelled["state"], cancelled["cancelled"], cancelled["pending"]) == ("cancelled", 2, 0)
    assert [status["name"] for status in command.json("list", *journal)] == ["autumn", "winter"]
    assert command("list", *journal)[1].splitlines()[1].startswith("winter: cancelled, ")
    code, out, _ = command("export", "autumn", *journal)
    assert (code, out.splitlines()[0]) == (
        0,
        "row,outcome,reason,message_id,recipients,attempts,delivery,line",
    )
    assert len(out.splitlines()) == 4
    code, out, _ = command("export", "autumn", *journal, "--json")
    assert [json.loads(line)["outcome"] for line in out.splitlines()] == ["accepted"] * 3
    assert command("export", "autumn", *journal, "--output", "out.csv")[:2] == (0, "")
    assert (command.folder / "out.csv").read_text().count("\n") == 4
    assert command.json("purge", "autumn", *journal)["accepted"] == 3
    code, out, err = command("export", "autumn", *journal)
    assert (code, out) == (1, "")
    assert "was purged" in err


def test_plan_prints_problems_parts_price_and_duration(command):
    command.people(4, more=f"x,bad\n302100000001,{'γ' * 71}\n")
    prices = "prefix,price,currency\n30,0.05,EUR\n3069,0.0375,EUR\n"
    (command.folder / "prices.csv").write_text(prices)
    (command.folder / "optouts.txt").write_text(f"+{phone(3)}\n")
    options = ["--prices", "prices.csv", "--suppress", "optouts.txt", "--rate", "2"]
    rows = ("people.csv", "--op", "sms.send", *SETS, *options)
    code, out, _ = command("plan", *rows)
    assert code == 0
    for line in (
        "6 rows: 4 valid, 1 invalid, 0 duplicate, 1 suppressed",
        "5 parts, 0.2125 EUR",
        "  +3069: 3 rows, 3 parts, 0.1125 EUR",
        "0:00:02 at the rate",
        "row 5 (line 6), /to: must be digits only",
    ):
        assert line in out
    plan = command.json("plan", *rows)
    assert plan["total"] == {"rows": 4, "parts": 5, "price": "0.2125", "currency": "EUR"}
    assert (plan["duration"], plan["currency"]) == (2.0, "EUR")
    limits = ["--max-parts", "1", "--max-spend", "0.08", "--window", "00:00-24:00"]
    created = command.json(
        "create", "autumn", *rows, *limits, "--time-zone", "Europe/Athens", "--journal", "j.db"
    )
    assert (created["invalid"], created["suppressed"], created["rate"]) == (2, 1, 2.0)
    code, _, err = command("run", "autumn", "--journal", "j.db")
    assert code == 1
    assert "the maximum spend is reached" in err
    assert command.status()["spend"] == "0.075"


def test_nested_members_are_set_by_dots_or_pointer(command):
    command.people(2)
    sets = [
        "--set",
        "destination={{phone}}",
        "--set",
        "sms.text=Hi {{name}} = {{name}}",
        "--set",
        "/sms/sender=Acme",
    ]
    command.json("create", "autumn", "people.csv", "--journal", "j.db", "--op", "messages.send", *sets)
    assert command.json("run", "autumn", "--journal", "j.db")["accepted"] == 2
    assert {message.text for message in command.sandbox.messages()} == {"Hi N0 = N0", "Hi N1 = N1"}
    template = {"destination": "{{ phone }}", "messenger_b": {"type": "transactional", "ttl": 3600}}
    (command.folder / "template.json").write_text(json.dumps(template))
    more = ["--template", "template.json", "--set", "messenger_b.text=Hi", "--duplicates", "send"]
    created = command.json("create", "b", "people.csv", "--journal", "j.db", "--op", "messages.send", *more)
    assert created["pending"] == 2


def test_errors_name_the_invalid_input(command):
    file = command.people(2)
    rows = [file, "--op", "sms.send", *SETS]

    def failed(*arguments, code=9):
        found, out, err = command(*arguments)
        assert (found, out) == (code, ""), (found, out, err)
        return err

    wrong = ["plan", file, "--op", "sms.send", "--set", "from=Acme", "--set", "to={{phone}}"]
    assert (
        failed(*wrong, "--set", "text={{nme}}")
        == "cpaas: the template uses `nme`; the columns are phone, name\n"
    )
    assert "must be a valid template" in failed(*wrong, "--set", "text={{name")
    assert "name=template" in failed(*wrong, "--set", "text", code=2)
    assert "must name a member" in failed(*wrong, "--set", ".x=1")
    assert "the operation must be a known one; did you mean `sms.send`?" in failed(
        "plan", file, "--op", "sms.sent", *SETS
    )
    assert "No such file" in failed("plan", "nothing.csv", "--op", "sms.send", *SETS)
    create = ("create", "autumn", *rows, "--journal", "j.db")
    digest = command.json("plan", *rows)["digest"]
    command.people(3)
    assert "it changed since" in failed(*create, "--digest", digest)
    command.json(*create)
    assert "already exists" in failed(*create, code=1)
    error = json.loads(command(*create, "--json")[1])
    assert (error["reason"], error["message"][:30]) == ("name_taken", "a campaign with this name alre")
    assert "no campaign" in failed("run", "other", "--journal", "j.db", code=1)
    for url in ("mysql://host/j", "http://host/j.db", ""):
        message = "cpaas: the journal must be a path, sqlite:///… or postgres://…\n"
        assert failed("status", "autumn", "--journal", url) == message
    assert failed("plan", *rows, "--prices", "none.csv") == "cpaas: none.csv: No such file or directory\n"
    for path in ("none.csv", "none.jsonl"):
        found, out, err = command("resolve", "autumn", "--journal", "j.db", "--reports", path, "--json")
        assert (found, json.loads(out)["reason"], err) == (9, "source", "")
    assert "cannot be opened" in failed("status", "autumn", "--journal", "other.db", code=1)
    assert not (command.folder / "other.db").exists()
    assert "the journal must be given: --journal URL" in failed("run", "autumn", code=2)
    assert "positive number" in failed("run", "autumn", "--journal", "j.db", "--workers", "0", code=2)
    (command.folder / "latin.csv").write_bytes(b"phone,name\n306900000001,\xe9\n")
    assert "line 2, column 2: the file must be UTF-8" in failed("plan", "latin.csv", *rows[1:])
    journal = ("--journal", "j.db")
    assert "must be UTF-8" in failed("create", "latin", "latin.csv", *rows[1:], *journal)
    assert [status["name"] for status in command.json("list", *journal)] == ["autumn"]
    with contextlib.closing(sqlite3.connect(command.folder / "j.db")) as database:
        database.execute("UPDATE meta SET value = '99' WHERE name = 'version'")
        database.commit()
    assert "use a newer version" in failed("status", "autumn", "--journal", "j.db", code=1)


def test_a_journal_in_memory_and_a_uri_of_sqlite_are_refused(command):
    file = command.people(2)
    for url in (":memory:", "sqlite://:memory:", "file:j.db", "file:j?mode=memory&cache=shared"):
        for arguments in (
            ("create", "autumn", file, "--op", "sms.send", *SETS),
            ("run", "autumn"),
            ("list",),
        ):
            code, out, err = command(*arguments, "--journal", url)
            assert (code, out) == (9, ""), (url, arguments, err)
            assert "journal must be a " in err, err
        with pytest.raises(cpaas.Error, match="journal must be a "):
            cpaas.Campaign.create(url, "sms.send", [], {"from": "A"})
    assert [path.name for path in command.folder.iterdir()] == [file]


def test_a_copy_runs_only_after_it_was_marked(command):
    command.create(3)
    for suffix in ("", "-wal"):
        for name in ("copy", "moved"):
            copy = command.folder / f"{name}.db{suffix}"
            copy.write_bytes((command.folder / f"j.db{suffix}").read_bytes())
            copy.chmod(0o600)
    code, _, err = command("run", "autumn", "--journal", "copy.db")
    assert (code, "cpaas campaign restored --journal" in err) == (1, True)
    for verb in (("status", "autumn"), ("list",), ("export", "autumn")):
        code, out, err = command(*verb, "--journal", "copy.db")
        assert (code, out != "", err.startswith("cpaas: warning: the journal ")) == (0, True, True)
    code, _, err = command("status", "autumn", "--journal", "copy.db", "--restored")
    assert (code, "cpaas campaign restored --journal URL" in err) == (2, True)
    found = command.json("restored", "--journal", "copy.db")
    assert (found["campaigns"], found["unknown"], found["accepts_keys"]) == (1, 3, False)
    status = command.json("status", "autumn", "--journal", "copy.db", code=8)
    assert (status["unknown"], status["pending"]) == (3, 0)
    code, out, err = command("restored", "--journal", "copy.db", "--forget-keys", stdin=subprocess.DEVNULL)
    assert (code, out) == (2, "")
    assert "It knows 0 keys. A key that was used since the backup is sent again. Nothing is changed" in err
    found = command.json("restored", "--journal", "copy.db", "--forget-keys", "--yes")
    assert found["accepts_keys"] is True
    command.json("moved", "--journal", "moved.db")
    assert command.json("status", "autumn", "--journal", "moved.db")["pending"] == 3


def test_a_restored_copy_takes_a_campaign_over(command):
    command.create(3)
    for suffix in ("", "-wal"):
        copy = command.folder / f"copy.db{suffix}"
        copy.write_bytes((command.folder / f"j.db{suffix}").read_bytes())
        copy.chmod(0o600)
    command("restored", "--journal", "copy.db")
    resolve = ("resolve", "autumn", "--journal", "copy.db", "--as", "not-sent", "--yes")
    found = command.json(*resolve, code=8)
    assert (found["owner_elsewhere"], found["resolved"], found["taken_over"]) == (3, 0, False)
    assert "the journal from which this one was restored" in found["notes"][0]
    assert command.json("run", "autumn", "--journal", "j.db", "--limit", "1", code=11)["accepted"] == 1
    found = command.json(*resolve, "--owners-stopped", code=8)
    assert (found["too_recent"], found["resolved"], found["taken_over"]) == (3, 0, True)
    assert found["notes"] == [
        "this journal has taken the campaign over: this machine refuses it in every other copy",
        "3 rows not resolved: claimed, or taken over, less than six minutes ago",
        "opt-outs that the original stored after this copy was made are not in it: suppress them again before the next run",
    ]
    code, _, err = command("run", "autumn", "--journal", "j.db")
    assert (code, "was taken over by the restored copy" in err, "copy.db" in err) == (1, True, True)
    with contextlib.closing(sqlite3.connect(command.folder / "copy.db")) as database:
        database.execute("UPDATE permits SET claimed_us = claimed_us - 400000000")
        database.execute("UPDATE campaigns SET fence = substr(fence, 1, 32) || ' 0'")
        database.commit()
    assert command.json(*resolve)["resolved"] == 3
    assert command.json("run", "autumn", "--journal", "copy.db")["accepted"] == 3
    code, _, err = command("resolve", "autumn", "--journal", "j.db", "--as", "not-sent")
    assert (code, "was taken over" in err) == (1, True)
    assert command.json("status", "autumn", "--journal", "copy.db")["taken_over_by"] is None
    found = command.json("status", "autumn", "--journal", "j.db")
    assert (found["accepted"], found["taken_over_by"]) == (1, str(command.folder / "copy.db"))
    taken = f"taken over by the restored copy {command.folder / 'copy.db'}"
    for verb in (("status", "autumn"), ("list",)):
        code, out, _ = command(*verb, "--journal", "j.db")
        assert (code, taken in out.splitlines()[0]) == (0, True), out


def test_a_change_of_the_original_says_that_the_copy_lacks_it(command):
    command.create(3)
    for suffix in ("", "-wal"):
        copy = command.folder / f"copy.db{suffix}"
        copy.write_bytes((command.folder / f"j.db{suffix}").read_bytes())
        copy.chmod(0o600)
    command("restored", "--journal", "copy.db")
    command("resolve", "autumn", "--journal", "copy.db", "--as", "not-sent", "--owners-stopped", "--yes")
    (command.folder / "stopped.csv").write_text(f"{phone(1)}\n")
    for verb, *more in (
        ("suppress", "autumn", "stopped.csv"),
        ("set", "autumn", "--rate", "5"),
        ("pause", "autumn"),
        ("resume", "autumn"),
        ("cancel", "autumn"),
    ):
        code, out, err = command(verb, *more, "--journal", "j.db")
        assert (code, out) == (1, ""), (verb, err)
        assert "copy.db, which may send its rows, and no change of this journal reaches it" in err, err
    found = command.json("status", "autumn", "--journal", "j.db")
    assert (found["state"], found["rate"]) == ("cancelled", 5.0)
    campaign = cpaas.Campaign.open(command.folder / "j.db")
    with pytest.raises(cpaas.CampaignError, match="run the same command on that copy too") as caught:
        campaign.suppress([phone(2)])
    assert (caught.value.reason, caught.value.retryable) == ("taken_over", False)
    assert campaign.plan().notes == (
        f"the campaign was taken over by the restored copy {command.folder / 'copy.db'}, so this journal sends none of its rows",
    )
    code, _, err = command("suppress", "autumn", "stopped.csv", "--journal", "copy.db")
    assert (code, err) == (0, "")


def test_a_full_disk_ends_the_run(command):
    import resource

    command.create(3000)
    limit = (command.folder / "j.db-wal").stat().st_size + 60_000
    full = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))  # noqa: E731
    code, _, err = command("run", "autumn", "--journal", "j.db", preexec_fn=full)
    assert code == 1
    assert "disk" in err
    assert "Traceback" not in err
    code, out, _ = command("run", "autumn", "--journal", "j.db", "--json")
    status = json.loads(out)
    assert code == (8 if status["unknown"] else 0)
    assert status["accepted"] + status["unknown"] == 3000
    assert max(command.sent().values()) == 1


def test_a_rejected_key_halts_the_campaign(command):
    command.create(10)
    command.environment["CPAAS_SMS_KEY"] = "wrong"
    code, out, err = command("run", "autumn", "--journal", "j.db")
    assert (code, out.splitlines()[0]) == (1, "autumn: halted (setup)")
    assert "correct them, then resume the campaign" in err


def test_help_names_every_verb(command):
    code, out, _ = command("--help")
    assert code == 0
    for verb in VERBS:
        assert re.search(rf"^    {verb}( |$)", out, re.M), verb
        code, text, _ = command(verb, "--help")
        assert code == 0
        assert "--json" in text


def test_create_ends_with_code_10_if_no_row_can_be_sent(command):
    def code(name, more, *options):
        file = command.people(0, more=more)
        created = command(
            "create", name, file, "--journal", "j.db", "--op", "sms.send", *SETS, *options, "--json"
        )
        return created[0], json.loads(created[1])["pending"]

    (command.folder / "stopped.txt").write_text(f"{phone(1)}\n")
    assert code("invalid", "x,N\n") == (10, 0)
    assert code("suppressed", f"{phone(1)},N\n", "--suppress", "stopped.txt") == (10, 0)
    assert code("some", f"{phone(1)},N\n{phone(2)},N\nx,N\n", "--suppress", "stopped.txt") == (0, 1)
