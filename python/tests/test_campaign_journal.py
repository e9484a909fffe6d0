"""The file of a journal: backup, verify, files of other programs, read-only media, and what `status` says of workers and files."""

import shutil
import sqlite3
import stat
import subprocess
import sys

import pytest
from campaign_cases import STATES, command, create, journal, phone, sent

import cpaas


def rewrite(path, sql):
    database = sqlite3.connect(path)
    database.executescript(sql)
    database.close()


def contents(folder):
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


def test_a_backup_during_a_run_is_complete_and_sends_nothing_again(sandbox, client, journal, tmp_path):
    campaign = create(journal, 600)
    copies = []

    def back_up(status):
        copy = tmp_path / f"{len(copies)}.db"
        made = cpaas.Campaign.backup(copy, journal=journal)
        assert (made.campaigns, made.rows, made.warning) == (1, 600, None)
        assert made.bytes == copy.stat().st_size
        copies.append(copy)

    assert campaign.run(client, rate=200, on_progress=back_up).state == "done"
    assert len(copies) >= 3
    for copy in copies:
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert not list(tmp_path.glob(f"{copy.name}-*"))
        found = cpaas.Campaign.verify(copy)
        assert (found.problems, found.rows) == ((), 600)
        assert "campaign restored --journal" in found.identity
    copy = copies[0]
    with pytest.raises(cpaas.CampaignError, match="-lock") as caught:
        cpaas.Campaign(copy, campaign.name).run(client)
    assert caught.value.reason == "copied"
    cpaas.Campaign.mark_restored(copy)
    status = cpaas.Campaign(copy, campaign.name).run(client)
    assert (status.state, status.pending) == ("done", 0)
    assert sent(sandbox) == {phone(number): 1 for number in range(600)}


def test_a_backup_replaces_nothing(journal, tmp_path):
    create(journal)
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(cpaas.CampaignError, match="it exists, and a backup replaces no file") as caught:
        cpaas.Campaign.backup(tmp_path / "taken", journal=journal)
    assert caught.value.reason == "backup"
    assert (tmp_path / "taken").read_text() == "mine"
    with pytest.raises(cpaas.CampaignError, match="pg_dump"):
        cpaas.Campaign.backup(tmp_path / "new.db", journal="postgres://nobody@127.0.0.1:1/none")
    with pytest.raises(cpaas.CampaignError, match="cannot be opened"):
        cpaas.Campaign.backup(tmp_path / "new.db", journal=tmp_path / "none.db")
    assert not (tmp_path / "new.db").exists()


def test_verify_names_what_is_wrong(journal):
    create(journal, 3)
    found = cpaas.Campaign.verify(journal)
    assert (found.campaigns, found.rows, found.identity, found.problems) == (1, 3, None, ())
    assert str(found) == "1 campaign, 3 rows: no problem"
    rewrite(journal, "UPDATE campaigns SET n_accepted = 2")
    found = cpaas.Campaign.verify(journal)
    names = {(problem.campaign, problem.chunk) for problem in found.problems}
    assert names == {("autumn", None)}
    assert "campaign autumn: accepted: 2 are counted, and 0 follow from the rows" in str(found)
    assert found.to_dict()["problems"][0]["message"]


def test_backup_and_verify_use_the_journal_of_the_variable(journal, tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="CPAAS_JOURNAL"):
        cpaas.Campaign.verify()
    create(journal, 3)
    monkeypatch.setenv("CPAAS_JOURNAL", str(journal))
    assert cpaas.Campaign.verify().rows == 3
    assert cpaas.Campaign.backup(tmp_path / "backup.db").rows == 3
    with pytest.raises(TypeError):
        cpaas.Campaign.backup(journal, tmp_path / "other.db")


def test_a_journal_that_others_can_read_is_a_problem_also_with_copy(command):
    command.create(3)
    (command.folder / "j.db").chmod(0o640)
    for options in ((), ("--copy",)):
        found = command.json("verify", "--journal", "j.db", *options, code=1)
        assert (found["identity"], found["warning"]) == (None, None)
        assert ["chmod 600" in problem["message"] for problem in found["problems"]] == [True]


def test_a_test_message_of_a_copy_is_refused(sandbox, client, journal, tmp_path):
    campaign = create(journal, 3)
    copy = tmp_path / "copy.db"
    cpaas.Campaign.backup(copy, journal=journal)
    copied = cpaas.Campaign(copy, campaign.name)
    for use in (lambda: copied.test(client, phone(9)), lambda: copied.test_messages(phone(9))):
        with pytest.raises(cpaas.CampaignError) as caught:
            use()
        assert caught.value.reason == "copied"
    assert sent(sandbox) == {}
    assert len(campaign.test(client, phone(9))) == 1


def test_files_of_others_are_refused_and_stay(tmp_path):
    rewrite(tmp_path / "shop.db", "CREATE TABLE orders (id INTEGER)")
    (tmp_path / "empty.db").write_bytes(b"")
    (tmp_path / "people.csv").write_text("phone\n306900000001\n")
    (tmp_path / "folder").mkdir()
    before = contents(tmp_path)
    for name, found in (
        ("shop.db", "a SQLite database of another program"),
        ("empty.db", "an empty file"),
        ("people.csv", "a file that is not a SQLite database"),
        ("folder", "a directory"),
    ):
        path = tmp_path / name
        campaign = cpaas.Campaign(path, "autumn")
        for use in (
            lambda path=path: create(path),
            lambda path=path: cpaas.Campaign.open(path),
            lambda path=path: cpaas.Campaign.list(path),
            lambda path=path: cpaas.Campaign.mark_moved(path),
            lambda path=path: cpaas.Campaign.mark_restored(path),
            lambda path=path: cpaas.Campaign.verify(path),
            lambda path=path: cpaas.Campaign.backup(tmp_path / "new.db", journal=path),
            campaign.pause,
            campaign.status,
            campaign.purge,
            lambda campaign=campaign: next(campaign.rows()),
            lambda campaign=campaign: campaign.suppress(["306900000001"]),
            lambda campaign=campaign: campaign.resolve("accepted"),
        ):
            with pytest.raises(
                cpaas.CampaignError, match=f"must be a journal of campaigns, got {found}"
            ) as caught:
                use()
            assert caught.value.reason == "not_a_journal"
        assert contents(tmp_path) == before, name


def test_send_once_refuses_files_of_others(client, tmp_path):
    rewrite(tmp_path / "shop.db", "CREATE TABLE orders (id INTEGER)")
    before = contents(tmp_path)
    with pytest.raises(cpaas.CampaignError, match="got a SQLite database of another program"):
        client.send_once(
            "key",
            "sms.send",
            journal=str(tmp_path / "shop.db"),
            from_="Acme",
            to="306900000001",
            text="Hi",
            type="auto",
        )
    assert contents(tmp_path) == before


def test_status_of_a_run_names_workers_rate_and_end(sandbox, client, journal):
    campaign = create(journal, 400)
    assert (campaign.status().state, campaign.status().workers) == ("created", 0)
    seen = []
    campaign.run(client, rate=100, on_progress=seen.append)
    running = [status for status in seen if status.state == "running"]
    assert running
    assert all((status.workers, status.workers_here) == (1, 1) for status in running)
    late = running[-1]
    assert late.rate_last_minute > 20
    assert late.ends_at.endswith("Z")
    assert f"ends at    {late.ends_at} at this rate" in str(late)
    assert "(1 on this machine, 0 elsewhere)" in str(late)
    assert len(late.files) == 2
    assert "belong together; `cpaas campaign backup` copies them" in str(late)
    assert (seen[-1].state, seen[-1].workers, seen[-1].ends_at) == ("done", 0, None)
    campaign.close()
    assert cpaas.Campaign.open(journal).status().files == (str(journal.resolve()),)


def test_the_command_backs_up_and_verifies(command):
    command.create(5)
    log = command.folder / "j.db-wal"
    assert not log.exists() or log.stat().st_size == 0, "one complete file after a command"
    made = command.json("backup", "copy.db", "--journal", "j.db")
    assert (made["campaigns"], made["rows"]) == (1, 5)
    code, out, err = command("backup", "copy.db", "--journal", "j.db")
    assert (code, out) == (1, "")
    assert "it exists, and a backup replaces no file" in err
    assert command("verify", "--journal", "j.db")[:2] == (0, "1 campaign, 5 rows: no problem\n")
    code, out, _ = command("verify", "--journal", "copy.db")
    assert (code, "campaign restored --journal" in out) == (1, True)
    lines = out.splitlines()
    assert (len(lines), lines[0]) == (3, "1 campaign, 5 rows: 1 problem"), "one verdict"
    assert lines[2].endswith("use --copy")
    assert command("verify", "--journal", "copy.db", "--copy")[:2] == (0, "1 campaign, 5 rows: no problem\n")
    code, out, err = command("backup", "second.db", "--journal", "copy.db")
    assert (code, err.startswith("cpaas: warning: ")) == (0, True)
    rewrite(command.folder / "j.db", "UPDATE campaigns SET n_rows = 6")
    code, out, _ = command("verify", "--journal", "j.db")
    assert (code, "campaign autumn: rows: 6 are counted, and 5 follow from the rows" in out) == (1, True)
    found = command.json("verify", "--journal", "j.db", code=1)
    assert found["problems"][0]["campaign"] == "autumn"
    code, out, _ = command("backup", "--help")
    assert "-wal" in out
    assert "-lock" in out


def test_every_command_refuses_files_of_others(command):
    rewrite(command.folder / "shop.db", "CREATE TABLE orders (id INTEGER)")
    file = command.people(2)
    before = contents(command.folder)
    rows = [file, "--op", "sms.send", "--set", "from=Acme", "--set", "to={{phone}}", "--set", "text=Hi"]
    for verb in (
        ["create", "autumn", *rows],
        *([verb, "autumn"] for verb in ("run", "status", "pause", "resume", "cancel", "export", "purge")),
        ["resolve", "autumn", "--as", "accepted"],
        ["retry", "autumn", "--reason", "setup"],
        *([verb] for verb in ("list", "moved", "restored", "verify")),
        ["backup", "new.db"],
    ):
        code, out, err = command(*verb, "--journal", "shop.db")
        assert (code, out) == (1, ""), verb
        assert "shop.db must be a journal of campaigns, got a SQLite database of another program" in err, verb
        assert contents(command.folder) == before, verb


def test_a_read_only_medium_is_read_with_a_warning(command):
    command.create(5)
    folder = command.folder / "medium"
    folder.mkdir()
    for suffix in ("", "-lock"):
        shutil.copy(command.folder / f"j.db{suffix}", folder / f"j.db{suffix}")
    script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    base = ["unshare", "--mount", "--map-root-user", "bash", "-c", script, str(folder)]
    probe = subprocess.run([*base, "true"], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip("no right to mount")
    before = contents(folder)
    for verb in (["status", "autumn"], ["list"], ["export", "autumn"], ["verify", "--copy"]):
        arguments = [sys.executable, "-m", "cpaas", "campaign", *verb, "--journal", str(folder / "j.db")]
        ended = subprocess.run(
            [*base, *arguments], capture_output=True, text=True, env=command.environment, check=False
        )
        assert ended.returncode == 0, ended.stderr
        assert ended.stdout
        assert verb[0] == "verify" or ended.stderr.startswith("cpaas: warning: "), ended.stderr
    assert contents(folder) == before


def test_status_in_text_and_json_say_the_same(command):
    command.create(2000, "--rate", "50")
    run = command.start("run", "autumn", "--journal", "j.db")
    command.until(100)
    code, text, _ = command("status", "autumn", "--journal", "j.db")
    found = command.json("status", "autumn", "--journal", "j.db")
    assert (code, found["state"], found["workers"], found["workers_here"]) == (0, "running", 1, 1)
    for expected in (
        "autumn: running",
        "workers               1 (1 on this machine, 0 elsewhere)",
        "rows/s in the last minute, at most 50 rows/s",
        "ends at",
        "belong together",
    ):
        assert expected in text, text
    assert all(name in found for name in ("rate_last_minute", "ends_at", "files", "last_error", "waiting"))
    assert [type(found[name]) for name in ("rows", *STATES)] == [int] * 10
    run.terminate()
    run.communicate(timeout=60)
    code, text, _ = command("status", "autumn", "--journal", "j.db")
    assert text.splitlines()[0] == "autumn: stopped"
    assert "workers               0\n" in text
    assert "belong together" not in text


def test_text_of_a_status_leaves_nothing_out():
    members = dict.fromkeys(("rows", *STATES, "attempts", "parts"), 0)
    status = cpaas.CampaignStatus(
        name="autumn",
        state="running",
        spend="0",
        waiting="for the provider",
        last_error="connect",
        rate=5.0,
        **members,
    )
    text = str(status)
    assert "autumn: running, waiting for the provider" in text
    assert "last error connect" in text
    assert "rate       at most 5 rows/s" in text
    moment = "2026-11-26T12:03:00Z"
    status = status.replace(
        workers=3, workers_here=1, rate_last_minute=12.34, ends_at=moment, files=("a.db", "a.db-wal")
    )
    lines = str(status).splitlines()
    assert "workers               3 (1 on this machine, 2 elsewhere)" in lines
    assert "rate               12.3 rows/s in the last minute, at most 5 rows/s" in lines
    assert f"ends at    {moment} at this rate" in lines
    assert "files      a.db and a.db-wal belong together; `cpaas campaign backup` copies them" in lines
