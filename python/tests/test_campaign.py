"""Campaigns: rows, plan, creation and settings of `cpaas.Campaign`, against the sandbox."""

import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from decimal import Decimal

import pytest
from campaign_cases import PRICES, TEMPLATE, assert_adds_up, create, journal, people, phone, sent

import cpaas


def test_every_row_is_sent_once(sandbox, client, journal):
    campaign = create(journal, (row for row in people(300)))
    assert (campaign.name, campaign.status().state) == ("autumn", "created")
    status = campaign.run(client)
    assert (status.state, status.accepted, status.rows, status.attempts) == ("done", 300, 300, 300)
    assert sent(sandbox) == {phone(number): 1 for number in range(300)}
    # The rate depends on how long the run took.
    again, status = (found.replace(rate_last_minute=None) for found in (campaign.run(client), status))
    assert again == status, "a second run sends nothing"
    assert len(sandbox.ledger()) == 300
    assert stat.S_IMODE(os.stat(journal).st_mode) == 0o600


class Frame:
    """A data frame with the method of polars."""

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
    assert sorted(message.text for message in sandbox.messages()) == ["Hi N0", "Hi N1", "Hi N2"]


def test_rows_that_are_not_mappings_are_type_errors(journal):
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


def test_a_plan_has_counts_prices_and_problems(journal, tmp_path):
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
    share = {"rows": 1, "parts": 2, "price": "0.1", "currency": "EUR"}
    assert json.loads(plan.to_json())["by_prefix"]["30"] == share
    # A created campaign has the same plan.
    campaign = create(journal, rows, prices=PRICES, suppress=["306900000004"], rate=2)
    later = campaign.plan(prices=PRICES)
    without = {"problems": (), "problem_groups": ()}  # a journal keeps no messages
    assert later.replace(**without) == plan.replace(**without)
    assert [(group.code, group.count, group.rows) for group in plan.problem_groups] == [
        ("sms.to.not_digits", 1, (5,)),
        ("TEMPLATE", 1, (6,)),
    ]
    assert [(group.code, group.rows) for group in later.problem_groups] == [
        (group.code, group.rows) for group in plan.problem_groups
    ]
    assert [problem.code for problem in later.problems] == [problem.code for problem in plan.problems]
    assert campaign.plan(rate=4).duration == 1.0


def test_a_plan_has_each_warning_once(journal):
    template = {**TEMPLATE, "txet": "Hi", "sms": {"text": "{{ name }}"}}
    plan = cpaas.plan("sms.send", people(3), template)
    assert (plan.valid, plan.problem_count) == (3, 0)
    assert [(one.row, one.pointer, one.code) for one in plan.warnings] == [
        (1, "/sms", "msg.field.unknown"),
        (1, "/txet", "msg.field.unknown"),
    ]
    assert "warning: row 1, /txet: unknown field; sent as it is [msg.field.unknown]" in str(plan).splitlines()
    assert plan.to_dict()["warnings"][1]["pointer"] == "/txet"
    assert create(journal, 3, template=template).plan().warnings == plan.warnings


def test_a_plan_has_one_line_for_each_code():
    rows = [*people(2), *({"phone": "+" + phone(n), "name": "x"} for n in range(1_005))]
    rows.append({"phone": phone(3)})
    plan = cpaas.plan("sms.send", rows, TEMPLATE)
    many, one = plan.problem_groups
    assert (many.code, many.count, many.rows, many.pointer) == ("sms.to.not_digits", 1_005, (3, 4, 5), "/to")
    lines = str(plan).splitlines()
    assert [line for line in lines if "sms.to.not_digits" in line] == [
        f"1,005 problems (rows 3, 4, 5, …), /to: {many.message} [sms.to.not_digits]"
    ]
    assert f"row 1,008, /text: {one.message} [TEMPLATE]" in lines
    assert len(lines) < 15
    assert json.loads(plan.to_json())["problem_groups"][0]["rows"] == [3, 4, 5]
    assert len(plan.problems) == 1_000


def test_a_template_normalizes_numbers(journal):
    rows = [
        {"phone": "691 234 5678", "name": "a"},
        {"phone": "+44 20 7946 0018", "name": "b"},
        {"phone": "x", "name": "c"},
    ]
    template = {**TEMPLATE, "to": "{{ phone | normalize_number('GR') }}"}
    plan = cpaas.plan("sms.send", rows, template)
    assert [sample["to"] for sample in plan.samples] == ["306912345678", "442079460018"]
    (problem,) = plan.problems
    assert (problem.row, problem.pointer, problem.code) == (3, "/to", "TEMPLATE")
    assert problem.message.startswith("normalize_number: must ")


def test_none_counts_as_a_missing_value():
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


def test_errors_name_invalid_templates_and_settings(journal, tmp_path):
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
    assert "the maximum spend requires prices" in message(max_spend="5")
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
    assert caught.value.reason == "no_journal"
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
    with pytest.warns(RuntimeWarning, match="its lock file .* is missing"):
        campaign = cpaas.Campaign.open(copy)
    assert campaign.status().pending == 4
    with pytest.raises(cpaas.CampaignError, match="campaign restored --journal") as caught:
        campaign.pause()
    assert caught.value.reason == "copied"
    found = cpaas.Campaign.mark_restored(copy)
    assert (found.campaigns, found.unknown, found.accepts_keys) == (1, 4, False)
    assert found.lost_suppressions == {}
    assert str(found).startswith("4 rows in 1 campaign are unknown now; 0 campaigns whose creation")
    assert str(found).endswith("suppress them again before `resolve` and `run`")
    status = cpaas.Campaign.open(copy).status()
    assert (status.unknown, status.pending) == (4, 0)
    rows = cpaas.Campaign.open(copy).rows()
    assert {(row["outcome"], row["reason"]) for row in rows} == {("unknown", "restored")}


def test_restored_counts_lost_suppressions(journal):
    create(journal, 4).suppress(["306911000001", "306911000002"])
    with sqlite3.connect(journal) as database:
        database.execute("DELETE FROM suppressions")
    database.close()
    found = cpaas.Campaign.mark_restored(journal)
    (name,) = found.lost_suppressions
    assert found.to_dict()["lost_suppressions"] == {name: 2}
    assert f"suppress these again before anything is sent: 2 recipients of {name}\n" in str(found)
    assert cpaas.Campaign.mark_restored(journal).lost_suppressions == {name: 2}
    cpaas.Campaign.open(journal).suppress(["306911000001", "306911000002"])
    assert cpaas.Campaign.mark_restored(journal).lost_suppressions == {}


def test_a_journal_that_was_moved_keeps_its_rows(journal, tmp_path):
    status = create(journal, 4).status()
    copy = tmp_path / "copy.db"
    for suffix in ("", "-wal"):
        shutil.copy(f"{journal}{suffix}", f"{copy}{suffix}")
    assert cpaas.Campaign.mark_moved(copy) is None
    assert cpaas.Campaign.open(copy).status().replace(files=()) == status.replace(files=())


def test_restored_is_not_an_argument(journal):
    create(journal)
    for call in (
        lambda: cpaas.Campaign.open(journal, restored=True),
        lambda: cpaas.Campaign.list(journal, restored=False),
        lambda: cpaas.Campaign.create(journal, "sms.send", [], {}, restored=True),
    ):
        with pytest.raises(TypeError, match="cpaas campaign restored --journal URL"):
            call()


def test_send_once_refuses_new_keys_of_a_restored_journal(client, tmp_path):
    journal = str(tmp_path / "once.db")
    request = {"from_": "Acme", "to": "306900000001", "text": "Hi", "type": "auto"}
    first = client.send_once("a", "sms.send", journal=journal, **request)
    cpaas.Campaign.mark_restored(journal)
    assert client.send_once("a", "sms.send", journal=journal, **request) == first
    with pytest.raises(cpaas.CampaignError, match="--forget-keys") as caught:
        client.send_once("b", "sms.send", journal=journal, **request)
    assert caught.value.reason == "keys_lost"
    assert cpaas.Campaign.mark_restored(journal, forget_keys=True).accepts_keys
    assert client.send_once("b", "sms.send", journal=journal, **request)


def test_a_deleted_journal_ends_the_run(sandbox, client, journal):
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


def test_suppression_duplicates_parts_and_spend_limit_the_sends(sandbox, client, journal, tmp_path):
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
    with pytest.raises(cpaas.CampaignError, match="the maximum spend is reached") as caught:
        capped.run(client)
    assert caught.value.reason == "halted"
    status = capped.status()
    assert (status.state, status.reason, status.accepted) == ("halted", "max_spend", 4)
    assert (status.spend, status.currency) == ("0.15", "EUR")
    with pytest.raises(cpaas.CampaignError, match="the campaign halted"):
        capped.run(client)


def test_a_recipient_suppressed_after_creation_is_not_sent_to(sandbox, client, journal):
    campaign = create(journal, 5)
    campaign.suppress(["+30 6900000003"])
    status = campaign.run(client)
    assert (status.accepted, status.suppressed) == (4, 1)
    assert phone(3) not in sent(sandbox)


def test_a_campaign_can_be_paused_resumed_and_cancelled(sandbox, client, journal):
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


@pytest.mark.parametrize("module", ["pyarrow", "polars", "pandas"])
def test_rows_may_be_a_table_of_another_library(module, journal):
    library = pytest.importorskip(module)
    columns = {name: [row[name] for row in people(3)] for name in ("phone", "name")}
    table = library.table(columns) if module == "pyarrow" else library.DataFrame(columns)
    wrong = {**TEMPLATE, "text": "Hi {{ nme }}"}
    for use in (lambda: cpaas.plan("sms.send", table, wrong), lambda: create(journal, table, template=wrong)):
        with pytest.raises(
            cpaas.CampaignError, match=r"^the template uses `nme`; the columns are phone, name$"
        ):
            use()
    status = create(journal, table).status()
    assert (status.rows, status.pending, status.invalid) == (3, 3, 0)
