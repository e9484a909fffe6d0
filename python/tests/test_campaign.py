"""Campaigns: `cpaas.Campaign` and `cpaas.plan` against the sandbox."""

import asyncio
import json
import os
import pickle
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections import Counter
from decimal import Decimal

import pytest

import cpaas

TEMPLATE = {"from": "Acme", "to": "{{ phone }}", "text": "Hi {{ name }}"}
PRICES = [
    {"prefix": "30", "price": "0.05", "currency": "EUR"},
    {"prefix": "3069", "price": "0.0375", "currency": "EUR"},
]
STATES = (
    "accepted",
    "rejected",
    "invalid",
    "suppressed",
    "duplicate",
    "unknown",
    "pending",
    "in_flight",
    "cancelled",
)


def phone(number):
    return f"3069{number:08}"


def people(count):
    return [{"phone": phone(number), "name": f"N{number}"} for number in range(count)]


def assert_adds_up(status):
    assert sum(getattr(status, state) for state in STATES) == status.rows, status


@pytest.fixture
def sandbox():
    with cpaas.Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def client(sandbox):
    with sandbox.client() as client:
        yield client


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "autumn.db"


def create(journal, rows=5, **settings):
    rows = people(rows) if isinstance(rows, int) else rows
    return cpaas.Campaign.create(journal, "sms.send", rows, settings.pop("template", TEMPLATE), **settings)


def sent(sandbox):
    """How many messages each recipient received."""
    return Counter(entry["to"] for entry in sandbox.ledger())


def test_every_row_is_sent_once(sandbox, client, journal):
    campaign = create(journal, (row for row in people(300)))
    assert (campaign.name, campaign.status().state) == ("autumn", "created")
    status = campaign.run(client)
    assert (status.state, status.accepted, status.rows, status.attempts) == ("done", 300, 300, 300)
    assert sent(sandbox) == {phone(number): 1 for number in range(300)}
    assert campaign.run(client) == status, "a second run sends nothing"
    assert len(sandbox.ledger()) == 300
    assert stat.S_IMODE(os.stat(journal).st_mode) == 0o600


class Frame:
    """A data frame as polars has it."""

    def iter_rows(self, named):
        assert named
        return iter(people(3))


def csv_file(path):
    path = path / "people.csv"
    path.write_text("\ufeffphone;name\n" + "".join(f'{row["phone"]};"{row["name"]}"\n' for row in people(3)))
    return path


def json_file(path):
    path = path / "people.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in people(3)))
    return str(path)


@pytest.mark.parametrize(
    "rows", [csv_file, json_file, lambda _: people(3), lambda _: iter(people(3)), lambda _: Frame()]
)
def test_rows_are_files_iterables_or_frames(rows, sandbox, client, journal, tmp_path):
    create(journal, rows(tmp_path)).run(client)
    assert [message.text for message in sandbox.messages()] == ["Hi N0", "Hi N1", "Hi N2"]


def test_rows_that_are_no_mappings_are_type_errors(journal):
    with pytest.raises(TypeError, match="row 2: must be a mapping of columns to values, got list"):
        create(journal, [people(1)[0], ["x"]])
    with pytest.raises(
        TypeError, match="rows: must be the path of a file or an iterable of mappings, got int"
    ):
        cpaas.plan("sms.send", 3, TEMPLATE)

    def broken():
        yield from people(3)
        raise LookupError("the database is gone")

    with pytest.raises(LookupError, match="the database is gone"):
        create(journal, broken())
    create(journal, 3)  # the creation that failed is replaced


def test_plan(journal, tmp_path):
    rows = [
        *people(3),
        {"phone": phone(0), "name": "again"},
        {"phone": "x", "name": "y"},
        {"phone": phone(9)},
    ]
    rows += [{"phone": "302100000001", "name": "γ" * 71}, {"phone": phone(4), "name": "no"}]
    plan = cpaas.plan("sms.send", rows, TEMPLATE, prices=PRICES, suppress=["+30 69 0000 0004"], rate=2)
    assert (plan.rows, plan.valid, plan.invalid, plan.duplicate, plan.suppressed) == (8, 4, 2, 1, 1)
    assert [(problem.row, problem.pointer, problem.code) for problem in plan.problems] == [
        (5, "/to", "sms.to.not_digits"),
        (6, "/text", "TEMPLATE"),
    ]
    assert "the row must have the column `name`" in str(plan.problems[1])
    assert (plan.total.parts, plan.total.price, plan.currency) == (5, "0.2125", "EUR")
    assert (plan.by_prefix["3069"].rows, plan.by_prefix["3069"].price) == (3, "0.1125")
    assert (plan.by_prefix["30"].parts, plan.by_prefix["30"].price) == (2, "0.1")
    assert {name: share.rows for name, share in plan.by_encoding.items()} == {"gsm7": 3, "ucs2": 1}
    assert (plan.duration, plan.reports_settle, plan.digest) == (2.0, True, None)
    assert "5 parts, 0.2125 EUR" in str(plan)
    assert json.loads(plan.to_json())["by_prefix"]["30"] == {"rows": 1, "parts": 2, "price": "0.1"}
    # A created campaign has the same plan.
    campaign = create(journal, rows, prices=PRICES, suppress=["306900000004"], rate=2)
    later = campaign.plan(prices=PRICES)
    assert later.replace(problems=()) == plan.replace(problems=())
    assert [problem.code for problem in later.problems] == [problem.code for problem in plan.problems]
    assert campaign.plan(rate=4).duration == 1.0


def test_none_is_no_value():
    rows = [{"phone": phone(0), "name": None}, {"phone": phone(1), "name": "Ann"}]
    plan = cpaas.plan("sms.send", rows, TEMPLATE)
    assert (plan.valid, plan.problems[0].row, plan.problems[0].code) == (1, 1, "TEMPLATE")
    greeting = {**TEMPLATE, "text": "Hi {{ name | default('you') }}"}
    assert cpaas.plan("sms.send", rows, greeting).valid == 2


def test_a_file_that_changed_since_the_plan_creates_nothing(journal, tmp_path):
    path = csv_file(tmp_path)
    digest = cpaas.plan("sms.send", path, TEMPLATE).digest
    path.write_text(path.read_text() + "306900000009;late\n")
    with pytest.raises(cpaas.CampaignError, match="it changed since") as caught:
        create(journal, path, digest=digest)
    assert (caught.value.reason, caught.value.outcome) == ("source", "invalid")
    create(journal, path, digest=cpaas.plan("sms.send", path, TEMPLATE).digest)
    assert cpaas.Campaign.open(journal).status().rows == 4


def test_wrong_templates_and_settings_are_named(journal, tmp_path):
    path = csv_file(tmp_path)

    def message(**settings):
        with pytest.raises(cpaas.CampaignError) as caught:
            create(journal, path, **settings)
        assert caught.value.outcome == "invalid"
        return str(caught.value)

    wrong = {**TEMPLATE, "text": "Hi {{ nme }}"}
    assert message(template=wrong) == "the template uses `nme`; the columns are phone, name"
    assert "/text must be a valid template" in message(template={**TEMPLATE, "text": "{{ name"})
    assert "must not set `reference`" in message(template={**TEMPLATE, "reference": "x"})
    assert "09:00-20:00" in message(window="9 to 5")
    assert "Europe/Athens" in message(time_zone="Mars/Olympus")
    assert "a maximal spend requires prices" in message(max_spend="5")
    assert "the rate must be between" in message(rate=0)
    assert "duplicates must be" in message(duplicates="drop")
    assert "prices, line 2" in message(prices=[{"prefix": "x", "price": "1", "currency": "EUR"}])
    with pytest.raises(cpaas.CampaignError, match="the operation must be a known one"):
        cpaas.Campaign.create(journal, "sms.sent", path, TEMPLATE)
    with pytest.raises(ValueError, match="max_parts"):
        create(journal, path, max_parts=0)
    with pytest.raises(cpaas.CampaignError, match="No such file"):
        create(journal, tmp_path / "nothing.csv")
    path.write_bytes(b"phone;name\n306900000001;\xe9\n")
    assert "line 2, column 2: the file must be UTF-8" in message()


def test_names_are_unique_and_journals_must_exist(journal, tmp_path):
    create(journal, 2, name="one")
    with pytest.raises(cpaas.CampaignError, match="already exists") as caught:
        create(journal, 3, name="one")
    assert caught.value.reason == "name_taken"
    assert cpaas.Campaign.open(journal, "one").status().rows == 2
    create(journal, 3, name="two")
    assert [status.name for status in cpaas.Campaign.list(journal)] == ["one", "two"]
    with pytest.raises(cpaas.CampaignError, match="got 2; use `name`"):
        cpaas.Campaign.open(journal)
    with pytest.raises(cpaas.CampaignError, match="no campaign with this name"):
        cpaas.Campaign.open(journal, "three")
    with pytest.raises(cpaas.CampaignError, match="cannot be opened") as caught:
        cpaas.Campaign.open(tmp_path / "other.db", "one")
    assert caught.value.reason == "open"
    assert not (tmp_path / "other.db").exists()


def test_a_journal_of_a_newer_version_is_refused(journal):
    create(journal)
    with sqlite3.connect(journal) as database:
        database.execute("UPDATE meta SET value = '99' WHERE name = 'version'")
    database.close()
    with pytest.raises(cpaas.CampaignError, match="got 99; use a newer version") as caught:
        cpaas.Campaign.open(journal)
    assert caught.value.reason == "newer_version"


def test_a_copy_is_refused_until_it_is_restored(journal, tmp_path):
    create(journal, 4)
    copy = tmp_path / "copy.db"
    for suffix in ("", "-wal"):
        shutil.copy(f"{journal}{suffix}", f"{copy}{suffix}")
    with pytest.raises(cpaas.CampaignError, match="copy or a restored backup") as caught:
        cpaas.Campaign.open(copy)
    assert caught.value.reason == "copied"
    status = cpaas.Campaign.open(copy, restored=True).status()
    assert (status.unknown, status.pending) == (4, 0)
    assert cpaas.Campaign.open(copy).status() == status


def test_a_journal_that_is_lost_ends_the_run(sandbox, client, journal):
    campaign = create(journal, 3000)

    def lose(status):
        for path in journal.parent.glob("autumn.db*"):
            path.unlink(missing_ok=True)

    with pytest.raises(cpaas.CampaignError) as caught:
        campaign.run(client, rate=100, on_progress=lose)
    assert caught.value.reason in ("replaced", "journal", "disk", "open")
    assert "journal" in str(caught.value)
    assert max(sent(sandbox).values()) == 1


FULL = """
import resource, sys, cpaas
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
rows = ({"phone": f"3069{number:08}", "name": str(number ** 9)} for number in range(20_000))
try:
    cpaas.Campaign.create(sys.argv[1], "sms.send", rows, {"from": "A", "to": "{{ phone }}", "text": "{{ name }}"})
except cpaas.CampaignError as error:
    print(error.reason)
"""


def test_a_full_disk_is_reported_and_creates_nothing(journal):
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(journal)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() in ("disk", "disk_full")
    create(journal, 3)
    assert cpaas.Campaign.open(journal).status().rows == 3


def test_suppression_duplicates_parts_and_spend(sandbox, client, journal, tmp_path):
    optouts = tmp_path / "optouts.txt"
    optouts.write_text("+30 6900000001\n\n306900000002,2026-01-01\n")
    rows = [*people(4), people(1)[0], {"phone": phone(7), "name": "x" * 400}]
    campaign = create(journal, rows, suppress=optouts, max_parts=2)
    status = campaign.run(client)
    assert (status.accepted, status.suppressed, status.duplicate, status.invalid) == (2, 2, 1, 1)
    assert_adds_up(status)
    again = create(journal, rows, name="again", duplicates="send").run(client)
    assert (again.accepted, again.duplicate) == (6, 0)
    capped = create(journal, 10, name="capped", prices=PRICES, max_spend=Decimal("0.16"))
    with pytest.raises(cpaas.CampaignError, match="the maximal spend is reached") as caught:
        capped.run(client)
    assert caught.value.reason == "halted"
    status = capped.status()
    assert (status.state, status.reason, status.accepted) == ("halted", "max_spend", 4)
    assert (status.spend, status.currency) == ("0.15", "EUR")
    with pytest.raises(cpaas.CampaignError, match="the campaign halted"):
        capped.run(client)


def test_a_late_opt_out_is_not_sent_to(sandbox, client, journal):
    campaign = create(journal, 5)
    campaign.suppress(["+30 6900000003"])
    status = campaign.run(client)
    assert (status.accepted, status.suppressed) == (4, 1)
    assert phone(3) not in sent(sandbox)


def test_pause_resume_and_cancel(sandbox, client, journal):
    campaign = create(journal, 2000)
    status = campaign.run(client, rate=200, on_progress=lambda status: campaign.pause())
    assert status.state == "paused"
    assert 0 < status.accepted < 2000
    assert_adds_up(status)
    assert campaign.run(client).state == "paused", "a paused campaign sends nothing"
    campaign.resume()
    status = campaign.run(client, on_progress=lambda status: campaign.cancel())
    if status.state == "cancelled":
        assert status.cancelled == 2000 - status.accepted
        assert status.pending == 0
    assert_adds_up(status)
    assert max(sent(sandbox).values()) == 1
    with pytest.raises(cpaas.CampaignError, match="must be paused or halted") as caught:
        create(journal, 1, name="other").resume() or campaign.resume()
    assert caught.value.reason == "state"


def test_a_closed_window_sends_nothing(sandbox, client, journal):
    from datetime import datetime, timedelta, timezone

    now = datetime.now(timezone.utc)
    window = "-".join(f"{now + timedelta(hours=hours):%H:%M}" for hours in (2, 3))
    campaign = create(journal, 3, window=window, time_zone="UTC")
    status = campaign.run(client, on_progress=lambda status: campaign.pause())
    assert (status.pending, status.state, sandbox.ledger()) == (3, "paused", ())


def test_the_status_adds_up_at_every_moment(sandbox, client, journal):
    rows = [*people(900), *people(3), {"phone": "x", "name": "y"}]
    campaign = create(journal, rows)
    sandbox.fault("reset-after-read", probability=0.05, seed=3)
    seen, done = [], threading.Event()

    def watch():
        other = cpaas.Campaign.open(journal)
        while not done.is_set():
            seen.append(other.status())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        status = campaign.run(client)
    finally:
        done.set()
        watcher.join()
    for one in [*seen, status]:
        assert_adds_up(one)
    assert any(one.in_flight for one in seen)
    assert (status.state, status.duplicate, status.invalid) == ("done", 3, 1)
    assert status.unknown > 0
    assert status.unknown + status.accepted == 900
    assert max(sent(sandbox).values()) == 1


def test_ctrl_c_finishes_the_rows_under_way(sandbox, client, journal):
    campaign = create(journal, 2000)
    with pytest.raises(KeyboardInterrupt):
        campaign.run(client, rate=300, on_progress=lambda status: signal.raise_signal(signal.SIGINT))
    status = campaign.status()
    assert (status.unknown, status.in_flight) == (0, 0)
    assert 0 < status.accepted < 2000
    assert campaign.run(client, rate=100_000).accepted == 2000
    assert sent(sandbox) == {phone(number): 1 for number in range(2000)}


def test_progress_is_reported_and_its_exception_ends_the_run(sandbox, client, journal):
    campaign = create(journal, 2000)

    def fail(status):
        assert isinstance(status, cpaas.CampaignStatus)
        raise LookupError("stop")

    with pytest.raises(LookupError):
        campaign.run(client, rate=300, on_progress=fail)
    assert (campaign.status().unknown, campaign.status().in_flight) == (0, 0)
    seen = []
    campaign.cancel()
    short = create(journal, 2, name="short")
    short.run(client, on_progress=seen.append)
    assert seen[-1].state == "done", "the end is reported, too"


def test_await(sandbox, journal):
    async def main():
        async with sandbox.async_client() as client:
            seen = []
            status = await create(journal, 50).run(client, on_progress=seen.append)
            assert (status.state, status.accepted) == ("done", 50)
            assert seen[-1] == status
            longer = create(journal, 3000, name="longer")
            started = asyncio.Event()
            task = asyncio.create_task(longer.run(client, rate=200, on_progress=lambda _: started.set()))
            await asyncio.wait_for(started.wait(), 60)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            status = longer.status()
            assert (status.unknown, status.in_flight) == (0, 0)
            assert 0 < status.accepted < 3000

    asyncio.run(main())


def test_a_wrong_key_halts_after_three_rows(sandbox, journal):
    campaign = create(journal, 50)
    with sandbox.client(sms_key="wrong") as client, pytest.raises(cpaas.CampaignError, match="the key"):
        campaign.run(client)
    status = campaign.status()
    assert (status.state, status.reason, status.rejected, status.pending) == ("halted", "setup", 3, 47)
    with cpaas.Client(sms_url=sandbox.url) as keyless:
        campaign.resume()
        with pytest.raises(cpaas.CampaignError, match="the key"):
            campaign.run(keyless)
    assert campaign.status().pending == 47, "without a key nothing was sent"
    campaign.resume()
    with sandbox.client() as client:
        assert campaign.run(client).accepted == 47


def test_export_and_purge(sandbox, client, journal, tmp_path):
    campaign = create(journal, [*people(2), {"phone": "x", "name": "secret"}])
    with pytest.raises(cpaas.CampaignError, match="must be done or cancelled"):
        campaign.purge()
    campaign.run(client)
    ids = {message.to: message.id for message in sandbox.messages()}
    rows = [{**row, "recipients": list(row["recipients"])} for row in campaign.rows()]
    assert [row["outcome"] for row in rows] == ["accepted", "accepted", "invalid"]
    assert rows[0]["message_id"] == ids[phone(0)]
    assert rows[2]["reason"] == "/to sms.to.not_digits"
    assert campaign.export(tmp_path / "out.csv") == 3
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0] == "row,outcome,reason,message_id,recipients,attempts"
    assert lines[1] == f"1,accepted,,{ids[phone(0)]},{phone(0)},1"
    assert stat.S_IMODE(os.stat(tmp_path / "out.csv").st_mode) == 0o600
    assert campaign.export(tmp_path / "out.jsonl") == 3
    assert [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()] == rows
    before = campaign.status()
    campaign.purge()
    assert campaign.status() == before
    campaign.close()
    for path in journal.parent.glob("autumn.db*"):
        assert phone(0).encode() not in path.read_bytes()
    with pytest.raises(cpaas.CampaignError, match="was purged"):
        list(campaign.rows())


def lost(sandbox, client, journal, count):
    """A campaign whose every row was accepted, and whose every response was lost."""
    sandbox.fault("reset-after-read")
    campaign = create(journal, count)
    status = campaign.run(client)
    sandbox.clear_faults()
    assert (status.unknown, status.state) == (count, "done")
    return campaign


def test_unknown_rows_are_resolved(sandbox, client, journal):
    campaign = lost(sandbox, client, journal, 4)
    assert campaign.run(client).unknown == 4, "unknown rows are never sent again by themselves"
    assert campaign.resolve("accepted", rows=[2]).resolved == 1
    assert campaign.status().accepted == 1
    assert campaign.resolve("not-sent").resolved == 0, "their permits are too young"
    assert campaign.resolve("accepted").resolved == 3
    status = campaign.status()
    assert (status.accepted, status.unknown) == (4, 0)
    assert_adds_up(status)
    with pytest.raises(TypeError):
        campaign.resolve()
    with pytest.raises(TypeError):
        campaign.resolve("accepted", reports=[])
    with pytest.raises(ValueError, match="accepted"):
        campaign.resolve("sent")


def as_objects(references, path):
    return [type("Report", (), {"reference": reference})() for reference in references]


def as_mappings(references, path):
    return [{"status": "DELIVERED", "claims": {"reference": reference}} for reference in references]


def as_csv(references, path):
    path.write_text("status;reference\n" + "".join(f"FAILED;{reference}\n" for reference in references))
    return path


def as_json_lines(references, path):
    path.write_text("".join(json.dumps({"reference": reference}) + "\n" for reference in references))
    return str(path)


def as_lines(references, path):
    path.write_text("\n".join(references))
    return path


@pytest.mark.parametrize("form", [lambda it, _: it, as_objects, as_mappings, as_csv, as_json_lines, as_lines])
def test_reports_settle_unknown_rows(form, sandbox, journal, tmp_path):
    sandbox.fault("accept-then-5xx")
    campaign = create(journal, 3)
    with sandbox.client(max_attempts=1) as client:
        assert campaign.run(client).unknown == 3
    references = [message.reference for message in sandbox.messages()]
    assert len(references) == 3
    reports = form([*references, references[0], "of-another-system"], tmp_path / "reports")
    found = campaign.resolve(reports=reports)
    assert (found.resolved, found.known, found.foreign, found.impossible) == (3, 1, 1, 0)
    assert campaign.status().accepted == 3


def test_a_report_of_a_row_that_was_never_sent_halts(client, journal):
    campaign = create(journal, 3)
    with sqlite3.connect(journal) as database:
        (identity,) = database.execute("SELECT id FROM campaigns").fetchone()
    database.close()
    assert campaign.resolve(reports=[f"{identity}-1-1"]).impossible == 1
    with pytest.raises(cpaas.CampaignError, match="the journal has lost commits"):
        campaign.run(client)


def test_nested_requests(sandbox, client, journal):
    template = {
        "destination": "{{ phone }}",
        "messenger_b": {"type": "transactional", "text": "Hi {{ name }}", "ttl": 3600},
    }
    campaign = cpaas.Campaign.create(journal, "messages.send", people(2), template)
    assert not campaign.plan().reports_settle
    assert campaign.run(client).accepted == 2


def test_a_campaign_is_shared_by_threads_and_processes(sandbox, client, journal):
    campaign = create(journal, 400)
    threads = [threading.Thread(target=campaign.run, args=(client,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert campaign.status().accepted == 400
    assert sent(sandbox) == {phone(number): 1 for number in range(400)}
    copy = pickle.loads(pickle.dumps(campaign))
    assert copy.status() == campaign.status()
    assert repr(copy) == "<cpaas.Campaign 'autumn'>"
    child = os.fork()
    if not child:
        os._exit(0 if campaign.status().accepted == 400 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert campaign.status().accepted == 400


WORKER = """
import sys, cpaas
with cpaas.Client() as client:
    cpaas.Campaign.open(sys.argv[1]).run(client, concurrency=8)
"""


def test_a_killed_run_is_continued(sandbox, client, journal):
    campaign = create(journal, 1500)
    environment = {**os.environ, **{f"CPAAS_{name.upper()}": value for name, value in sandbox.config.items()}}
    kills = 0
    while campaign.status().pending:
        before = campaign.status().attempts
        worker = subprocess.Popen([sys.executable, "-c", WORKER, str(journal)], env=environment)
        while campaign.status().attempts < before + 300 and worker.poll() is None:
            assert_adds_up(campaign.status())
        kills += worker.poll() is None
        worker.kill()
        worker.wait()
    status = campaign.run(client)
    assert kills > 0
    assert (status.in_flight, status.pending, status.state) == (0, 0, "done")
    assert status.unknown <= kills * (8 + 32)
    assert status.accepted + status.unknown == 1500
    found = sent(sandbox)
    assert max(found.values()) == 1
    assert sum(found.values()) >= status.accepted
    outcomes = {row["recipients"][0]: row["outcome"] for row in campaign.rows()}
    assert all(to in found for to, outcome in outcomes.items() if outcome == "accepted")
    assert all(outcomes[to] in ("accepted", "unknown") for to in found)


def test_import_does_not_load_campaigns():
    code = "import sys, cpaas; cpaas.Client().close(); print([name for name in sys.modules if 'campaign' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
