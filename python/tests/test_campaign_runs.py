"""Campaigns: runs that are interrupted, killed, shared or awaited, and the outcome of each row."""

import asyncio
import dataclasses
import json
import os
import pickle
import signal
import sqlite3
import stat
import subprocess
import sys
import threading

import pytest
from campaign_cases import assert_adds_up, create, journal, people, phone, sent

import cpaas


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


def test_ctrl_c_finishes_the_rows_in_progress(sandbox, client, journal):
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
    assert seen[-1].state == "done", "the end is reported too"


def test_a_run_with_an_async_client_is_awaited(sandbox, journal):
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
    halts = []
    with sandbox.client(sms_key="wrong") as client, pytest.raises(cpaas.CampaignError, match="the key"):
        campaign.run(client, on_halt=halts.append)
    assert [status.reason for status in halts] == ["setup"]
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
        assert campaign.retry("setup", older_than=3600) == 0
        assert campaign.retry("setup", dry_run=True) == campaign.retry("setup") == 3
        assert campaign.run(client).accepted == 50
    with pytest.raises(cpaas.CampaignError, match="must be `setup`"):
        campaign.retry("unknown")


def test_a_finished_campaign_is_exported_and_purged(sandbox, client, journal, tmp_path):
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
    assert lines[0] == "row,outcome,reason,message_id,recipients,attempts,delivery,line"
    assert lines[1] == f"1,accepted,,{ids[phone(0)]},{phone(0)},1,,"
    assert stat.S_IMODE(os.stat(tmp_path / "out.csv").st_mode) == 0o600
    assert campaign.export(tmp_path / "out.jsonl") == 3
    assert [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()] == rows
    # The rate is known from a moment of the run on, which a slow machine reaches here.
    before = {**campaign.status().to_dict(), "rate_last_minute": None}
    campaign.purge()
    assert {**campaign.status().to_dict(), "rate_last_minute": None} == before
    campaign.close()
    for path in journal.parent.glob("autumn.db*"):
        assert phone(0).encode() not in path.read_bytes()
    with pytest.raises(cpaas.CampaignError, match="was purged"):
        list(campaign.rows())


def lost(sandbox, client, journal, count):
    """A campaign of which each row was accepted and each response was lost."""
    sandbox.fault("reset-after-read")
    campaign = create(journal, count)
    status = campaign.run(client)
    sandbox.clear_faults()
    assert (status.unknown, status.state) == (count, "done")
    return campaign


def test_unknown_rows_are_resolved(sandbox, client, journal):
    campaign = lost(sandbox, client, journal, 4)
    assert campaign.run(client).unknown == 4, "unknown rows are not sent again"
    assert campaign.resolve("accepted", rows=[2]).resolved == 1
    assert campaign.status().accepted == 1
    assert campaign.resolve("not-sent").resolved == 0, "the rows were claimed less than six minutes ago"
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


def as_a_log_of_requests(references, path):
    path.write_text(
        json.dumps([{"url": f"/hooks?reference={reference}&msgid=m"} for reference in references])
    )
    return path


def as_lines(references, path):
    path.write_text("\n".join(references))
    return path


@pytest.mark.parametrize(
    "form",
    [
        lambda it, _: it,
        as_objects,
        as_mappings,
        as_csv,
        as_json_lines,
        as_a_log_of_requests,
        as_lines,
    ],
)
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


def test_reports_without_a_reference_are_counted(journal, tmp_path):
    path = tmp_path / "reports.jsonl"
    path.write_text('{"msgid": "m-1"}\n{"reference": "of-another-system"}\n')
    found = create(journal, 1).resolve(reports=path)
    assert (found.without_reference, found.foreign) == (1, 1)
    path.write_text('{"reference": "a"}\nno json\n')
    with pytest.raises(cpaas.CampaignError, match="line 2: each delivery report must be a JSON object"):
        create(journal, 1, name="other").resolve(reports=path)


def test_a_report_of_a_row_that_no_worker_claimed_halts(client, journal):
    campaign = create(journal, 3)
    with sqlite3.connect(journal) as database:
        (identity,) = database.execute("SELECT id FROM campaigns").fetchone()
    database.close()
    assert campaign.resolve(reports=[f"{identity}-1-1"]).impossible == 1
    with pytest.raises(cpaas.CampaignError, match="the journal has lost commits"):
        campaign.run(client)


def test_templates_of_nested_members_are_rendered(sandbox, client, journal):
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
    # The rate of the last minute depends on the moment.
    first, second = (dataclasses.replace(one.status(), rate_last_minute=None) for one in (copy, campaign))
    assert first == second
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
    environment = {**os.environ, **sandbox.environment}
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
