"""The command `cpaas campaign`: bad input, copies of a journal, a full disk, and its help."""

import contextlib
import json
import sqlite3

from campaign_cases import sandbox
from campaign_command import SETS, VERBS, command


def test_bad_input_is_named(command):
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
    assert "the operation must be a known one" in failed("plan", file, "--op", "sms.sent", *SETS)
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
    assert "usage:" in failed("run", "autumn", code=2)
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


def test_a_copy_runs_only_as_restored(command):
    command.create(3)
    for suffix in ("", "-wal"):
        (command.folder / f"copy.db{suffix}").write_bytes((command.folder / f"j.db{suffix}").read_bytes())
    code, _, err = command("run", "autumn", "--journal", "copy.db")
    assert (code, "copy or a restored backup" in err) == (1, True)
    status = command.json("status", "autumn", "--journal", "copy.db", "--restored", code=8)
    assert (status["unknown"], status["pending"]) == (3, 0)


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


def test_a_provider_that_is_wrong_halts(command):
    command.create(10)
    command.environment["CPAAS_SMS_KEY"] = "wrong"
    code, out, err = command("run", "autumn", "--journal", "j.db")
    assert (code, out.splitlines()[0]) == (1, "autumn: halted (setup)")
    assert "correct them, then resume the campaign" in err


def test_help_names_every_verb(command):
    code, out, _ = command("--help")
    assert code == 0
    for verb in VERBS:
        assert f"    {verb} " in out
        code, text, _ = command(verb, "--help")
        assert code == 0
        assert "--json" in text
