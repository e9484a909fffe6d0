"""Addresses of journals with passwords, and what the command's processes show of them."""

import json
import sqlite3
from pathlib import Path

import pytest
from campaign_cases import SETS, command, create, journal

import cpaas

SECRET = "Canary-4711"


@pytest.mark.parametrize(
    "url",
    [
        f"postgres://ann:{SECRET}@db.example/campaigns",
        f"postgresql://ann:{SECRET}@db.example",
        f"postgres://ann:{SECRET}/x?y@db.example/campaigns",
        f"postgres://ann@db.example/campaigns?sslmode=require&password={SECRET}",
        f"postgres://ann@db.example/campaigns?pass%77ord={SECRET}",
        f"POSTGRES://ann:{SECRET}@db.example/campaigns",
        f"postgres://ann:{SECRET}?a=b@db.example/campaigns",
        f"postgres://ann:{SECRET}?a@db.example/campaigns?sslmode=require",
        f"postgres://ann:{SECRET}@db.example/campaigns?application_name=a@b",
    ],
)
@pytest.mark.parametrize("verb", [["status", "autumn"], ["run", "autumn"], ["list"], ["moved"], ["restored"]])
def test_a_password_on_the_command_line_is_refused(command, url, verb):
    code, out, err = command(*verb, "--journal", url)
    assert (code, out) == (2, "")
    assert "CPAAS_JOURNAL" in err
    assert "PGPASSWORD" in err
    assert "~/.pgpass" in err
    assert SECRET not in err


def test_a_port_and_a_parameter_with_an_at_sign_are_not_a_password(command):
    # Nothing listens on this port.
    for url in (
        "postgres://ann@127.0.0.1:1/d?application_name=a@b&connect_timeout=1",
        "postgres://ann@127.0.0.1:1/d?connect_timeout=1",
        "postgres://127.0.0.1:1/d?connect_timeout=1",
    ):
        code, _, err = command("list", "--journal", url)
        assert (code, "password" in err) == (1, False), err


def test_the_journal_is_that_of_the_variable(command):
    command.environment["CPAAS_JOURNAL"] = "j.db"
    file = command.people(3)
    assert command.json("create", "autumn", file, "--op", "sms.send", *SETS)["pending"] == 3
    assert command.json("run", "autumn")["accepted"] == 3
    assert [found["name"] for found in command.json("list")] == ["autumn"]
    assert command("status", "autumn", "--journal", "other.db")[0] == 1, "the option has priority"
    del command.environment["CPAAS_JOURNAL"]
    code, _, err = command("status", "autumn")
    assert code == 2
    assert "--journal URL" in err
    assert "CPAAS_JOURNAL" in err


def test_a_password_of_the_variable_is_in_no_message(command):
    command.environment["CPAAS_JOURNAL"] = f"postgres://ann:{SECRET}@127.0.0.1:1/campaigns"
    for verb in (["status", "autumn"], ["moved", "--json"]):
        code, out, err = command(*verb)
        assert code == 1
        assert SECRET not in out + err


def _children(process):
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in found]


def test_workers_get_the_journal_and_the_password_by_a_pipe(command):
    command.create(2000, "--rate", "200")
    command.environment["CPAAS_JOURNAL"] = str(command.folder / "j.db")
    command.environment["PGPASSWORD"] = SECRET
    run = command.start("run", "autumn", "--workers", "2")
    command.until(50)
    workers = _children(run.pid)
    assert len(workers) == 2
    for worker in workers:
        shown = Path(f"/proc/{worker}/cmdline").read_bytes() + Path(f"/proc/{worker}/environ").read_bytes()
        assert b"--worker" in shown
        assert b"CPAAS_SMS_KEY" in shown
        for text in (SECRET, "j.db", "PGPASSWORD", "CPAAS_JOURNAL"):
            assert text.encode() not in shown, text
    run.terminate()
    run.communicate(timeout=60)
    assert run.returncode == 143
    status = command.status()
    assert (status["unknown"], status["in_flight"]) == (0, 0)


def test_the_journal_of_the_package_is_that_of_the_variable(journal, client, monkeypatch):
    monkeypatch.delenv("CPAAS_JOURNAL", raising=False)
    for call in (
        lambda: cpaas.Campaign.open(),
        lambda: cpaas.Campaign.list(),
        lambda: cpaas.Campaign.mark_moved(),
        lambda: cpaas.Campaign.mark_restored(),
        lambda: create(None),
        lambda: client.send_once("key", "sms.send", to="306900000001", text="x"),
    ):
        with pytest.raises(ValueError, match="CPAAS_JOURNAL"):
            call()
    monkeypatch.setenv("CPAAS_JOURNAL", str(journal))
    assert create(None, name="a").status().pending == 5
    assert cpaas.Campaign.open().name == "a"
    assert [status.name for status in cpaas.Campaign.list()] == ["a"]
    client.send_once("key", "sms.send", from_="Acme", to="306900000001", text="x", type="auto")
    cpaas.Campaign.mark_moved()
    assert cpaas.Campaign.mark_restored().unknown == 5


def test_a_journal_that_others_can_read_is_refused_with_the_command_that_mends_it(command):
    command.create(3)
    path = command.folder / "j.db"
    path.chmod(0o644)
    code, out, err = command("run", "autumn", "--journal", "j.db")
    assert (code, out) == (1, "")
    assert f"chmod 600 {path}" in err
    code, out, err = command("status", "autumn", "--journal", "j.db", "--json")
    assert (code, json.loads(out)["pending"]) == (0, 3)
    assert "warning" in err
    assert "chmod 600" in err
    with pytest.warns(RuntimeWarning, match="chmod 600"):
        campaign = cpaas.Campaign.open(path)
    with pytest.raises(cpaas.CampaignError, match="chmod 600") as caught:
        campaign.pause()
    assert caught.value.reason == "not_private"
    path.chmod(0o600)
    assert command.json("run", "autumn", "--journal", "j.db")["accepted"] == 3


def test_a_purge_that_a_reader_prevents_can_be_repeated(command):
    command.create(300)
    assert command.json("run", "autumn", "--journal", "j.db")["accepted"] == 300
    reader = sqlite3.connect(command.folder / "j.db", isolation_level=None)
    reader.execute("BEGIN")
    (ids,) = reader.execute("SELECT group_concat(message_id) FROM outcomes").fetchone()
    code, _, err = command("purge", "autumn", "--journal", "j.db")
    assert code == 1
    assert "fuser" in err
    assert "purge the campaign again" in err
    reader.close()
    assert command("purge", "autumn", "--journal", "j.db")[0] == 0
    left = b"".join(file.read_bytes() for file in command.folder.glob("j.db*"))
    assert not [number for number in ids.split(",") if number.encode() in left]
