"""`cpaas mcp`: the rules of the operator hold, whatever the agent and other programs do."""

import asyncio
import json
import os
import sqlite3
import time
from contextlib import closing

import pytest

pytest.importorskip("mcp_types", reason="the MCP SDK is not installed")

from mcp_clients import Raw, connected, live

import cpaas
from cpaas._cli.main import main

SMS = {"from": "Acme", "to": "306912345678", "text": "Your table is ready"}
TEMPLATE = {"from": "Acme", "to": "{{ phone }}", "text": "Hi {{ name }}"}
PRICES = "prefix,price,currency\n30,0.05,EUR\n"


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "agent.db"


@pytest.fixture
def prices(tmp_path):
    file = tmp_path / "prices.csv"
    file.write_text(PRICES)
    return str(file)


def people(count):
    return [{"phone": f"3069123456{n:02}", "name": f"Guest {n}"} for n in range(count)]


def calls(sandbox, journal, *steps, switches=(), more=None):
    """Calls tools of a live server, each a name and its arguments, and returns the records."""

    async def run():
        given, variables = live(sandbox, journal, *switches)
        async with connected(given, {**variables, **(more or {})}) as client:
            return [(await client.call_tool(name, arguments)).structured_content for name, arguments in steps]

    return asyncio.run(run())


def problems(record):
    return [(problem["pointer"], problem["code"]) for problem in record.get("problems", ())]


def created(name, template, operation="sms.send", rows=None, **more):
    arguments = {
        "name": name,
        "operation": operation,
        "rows": rows or people(2),
        "template": template,
        **more,
    }
    return "campaign_create", arguments


# The sender.


@pytest.mark.parametrize(
    ("operation", "template", "place"),
    [
        ("sms.send", {**TEMPLATE, "from": "Evil"}, "/template/from"),
        ("sms.send", {**TEMPLATE, "from": "{{ name }}"}, "/template/from"),
        ("sms.send", {**TEMPLATE, "destination": "1", "sms": {"sender": "Acme"}}, None),
        (
            "otp.send",
            {"service": "s", "from": "Evil", "to": "{{ phone }}", "body": "{code}"},
            "/template/from",
        ),
        (
            "messages.send",
            {"from": "Acme", "destination": "{{ phone }}", "sms": {"sender": "Evil", "text": "x"}},
            "/template/from",
        ),
        (
            "messages.send",
            {"destination": "{{ phone }}", "sms": {"sender": "Evil", "text": "x"}},
            "/template/sms/sender",
        ),
        ("messages.send", {"destination": "{{ phone }}", "sms": "Acme"}, "/template/sms/sender"),
        ("messages.send", {"destination": "{{ phone }}"}, "/template/sms/sender"),
        (
            "messages.send",
            {"destination": "{{ phone }}", "messenger_a": {"sender": "Acme"}},
            "/template/messenger_a",
        ),
    ],
)
def test_a_campaign_with_another_sender_is_refused(sandbox, journal, operation, template, place):
    (record,) = calls(sandbox, journal, created("x", template, operation), switches=("--sender", "Acme"))
    assert record["outcome"] == "invalid"
    (found,) = problems(record)
    assert found[1] == "argument.enum"
    if place is not None:
        assert found[0] == place


def test_a_campaign_with_the_prescribed_sender_is_sent(sandbox, journal):
    message = {"destination": "{{ phone }}", "sms": {"sender": "Acme", "text": "x"}}
    results = calls(
        sandbox,
        journal,
        created("sms", TEMPLATE),
        ("campaign_run", {"name": "sms"}),
        created("message", message, "messages.send"),
        ("campaign_run", {"name": "message"}),
        switches=("--sender", "Acme"),
    )
    assert [record["outcome"] for record in results] == ["ok"] * 4, results
    assert [results[1]["result"]["accepted"], results[3]["result"]["accepted"]] == [2, 2], results


def test_a_campaign_of_another_program_with_another_sender_is_not_run(sandbox, journal):
    rows = [{"phone": "306912345678", "sender": "Acme"}, {"phone": "306912345679", "sender": "Evil"}]
    own = [{"phone": "306912345678", "sender": "Acme"}, {"phone": "nobody", "sender": "Acme"}]
    template = {**TEMPLATE, "from": "{{ sender }}", "text": "x"}
    chat = {"destination": "{{ phone }}", "messenger_a": {"text": "x"}}
    for name, operation, given, request in (
        ("evil", "sms.send", rows, template),
        ("own", "sms.send", own, template),
        ("chat", "messages.send", rows, chat),
    ):
        with cpaas.Campaign.create(journal, operation, given, request, name=name):
            pass
    names = ("evil", "evil", "own", "chat")
    evil, again, own, chat = calls(
        sandbox,
        journal,
        *(("campaign_run", {"name": name}) for name in names),
        switches=("--sender", "Acme"),
    )
    for record in (evil, again, chat):
        assert problems(record) == [("/name", "argument.enum")]
        assert "Evil" not in json.dumps(record)
    assert own["result"]["accepted"] == 1
    assert len(sandbox.ledger()) == 1


# The price.


@pytest.mark.parametrize(
    "table", ["prefix,price,currency\n30,0.05,EUR\n44,0.04,USD\n", "prefix,price,currency\n"]
)
def test_a_price_limit_needs_prices_in_one_currency(capsys, tmp_path, table):
    (tmp_path / "p.csv").write_text(table)
    assert main(["mcp", "--max-price", "5", "--prices", str(tmp_path / "p.csv")]) == 1
    out, errors = capsys.readouterr()
    assert (out, errors) == ("", "cpaas: --max-price needs --prices with one currency\n")


def test_a_price_limit_refuses_campaigns_whose_price_is_unknown(sandbox, journal, prices):
    call = {"service": "s", "from": "Acme", "to": "{{ phone }}", "body": "{code}", "channel": "call"}
    chat = {"destination": "{{ phone }}", "messenger_a": {"text": "x"}}
    results = calls(
        sandbox,
        journal,
        created("call", call, "otp.send"),
        ("campaign_run", {"name": "call"}),
        created("chat", chat, "messages.send"),
        ("campaign_run", {"name": "chat"}),
        created("sms", TEMPLATE, rows=[*people(2), *people(2)]),
        ("campaign_run", {"name": "sms"}),
        ("budget", {}),
        switches=("--max-price", "5", "--prices", prices),
    )
    for number in (1, 3):
        assert problems(results[number]) == [("/name", "budget.price")]
        assert "must be a campaign of SMS" in results[number]["problems"][0]["message"]
    assert results[5]["result"]["accepted"] == 2
    assert results[6]["result"]["price"]["used"] in ("0.1", "0.10")
    assert len(sandbox.ledger()) == 2


# The notation of numbers.


def test_campaigns_read_numbers_as_the_setting_of_the_client_says(sandbox, journal, prices):
    national = [{"phone": "6912345678", "name": "Ann"}]
    key = {"idempotencyKey": "k"}
    results = calls(
        sandbox,
        journal,
        created("x", TEMPLATE, rows=national),
        ("campaign_run", {"name": "x"}),
        ("campaign_plan", {"rows": national, "template": TEMPLATE}),
        ("sms_send", {**key, **SMS, "to": "6912345678"}),
        ("budget", {}),
        switches=("--max-price", "5", "--prices", prices),
        more={"CPAAS_NORMALIZE": "GR"},
    )
    assert [record["outcome"] for record in results[:4]] == ["ok", "ok", "ok", "accepted"], results
    assert results[2]["result"]["valid"] == 1
    assert results[4]["result"]["price"]["used"] in ("0.1", "0.10")
    assert [entry["to"] for entry in sandbox.ledger()] == ["306912345678"] * 2


# The end of a run.


class Status:
    waiting = None


def test_the_end_of_a_run_is_raised_once(monkeypatch):
    from cpaas._mcp import tools

    raised = []

    class Campaign:
        def run(self, client, *, on_progress, **more):
            for _ in range(3):
                try:
                    on_progress(Status())
                except tools._Stopped:
                    raised.append(True)

    class Session:
        client = None

        class ending:
            @staticmethod
            def is_set():
                return True

    tools._run_rows(Session, Campaign(), 10, time.monotonic() + 60)
    assert raised == [True]


def test_a_campaign_is_planned_once_by_a_server(monkeypatch, tmp_path, sandbox):
    from cpaas._mcp import tools
    from cpaas._mcp.budget import Budget, Limits

    planned = []
    plan = cpaas.Campaign.plan
    monkeypatch.setattr(
        cpaas.Campaign, "plan", lambda self, **more: planned.append(True) or plan(self, **more)
    )
    with sandbox.client() as client:
        session = tools.Session(client, f"{tmp_path}/j.db", Budget(f"{tmp_path}/b", Limits(messages=10)))
        named = {tool.name: tool for tool in tools.TOOLS}
        tools.call(session, named["campaign_create"], {"name": "x", "rows": people(3), "template": TEMPLATE})
        for expected in (1, 2, 3):
            found = tools.call(session, named["campaign_run"], {"name": "x", "limit": 1})
            assert found["result"]["accepted"] == expected
    assert planned == [True]


def test_the_time_of_a_run_begins_before_its_plan(monkeypatch, tmp_path, sandbox):
    from cpaas._mcp import tools
    from cpaas._mcp.budget import Budget, Limits

    now = [1000.0]
    ends = []
    plan = cpaas.Campaign.plan

    def slow(self, **more):
        now[0] += 30
        return plan(self, **more)

    monkeypatch.setattr(cpaas.Campaign, "plan", slow)
    monkeypatch.setattr(tools, "monotonic", lambda: now[0])
    monkeypatch.setattr(tools, "_run_rows", lambda session, campaign, limit, end: ends.append(end))
    with sandbox.client() as client:
        session = tools.Session(client, f"{tmp_path}/j.db", Budget(f"{tmp_path}/b", Limits()))
        named = {tool.name: tool for tool in tools.TOOLS}
        tools.call(session, named["campaign_create"], {"name": "x", "rows": people(3), "template": TEMPLATE})
        tools.call(session, named["campaign_run"], {"name": "x"})
    assert ends == [1040.0]


def test_a_run_ends_when_the_client_leaves(sandbox, journal):
    with cpaas.Campaign.create(journal, "sms.send", people(60), TEMPLATE, name="slow", rate=2.0):
        pass
    raw = Raw(*live(sandbox, journal))
    raw.initialize()
    raw.request("tools/call", name="campaign_run", arguments={"name": "slow", "limit": 60})
    until = time.monotonic() + 20
    while not sandbox.ledger():
        assert time.monotonic() < until
        time.sleep(0.01)
    started = time.monotonic()
    code, _, errors = raw.end()
    assert (code, errors) == (0, "")
    assert time.monotonic() - started < 10
    with cpaas.Campaign.open(journal, "slow") as campaign:
        status = campaign.status()
    assert (status.unknown, status.in_flight) == (0, 0)
    assert 0 < status.accepted < 60


# What a record says.


def test_a_taken_name_is_not_a_reason_for_another_name(sandbox, journal):
    first, again = calls(sandbox, journal, created("x", TEMPLATE), created("x", TEMPLATE))
    assert first["outcome"] == "ok"
    assert (again["outcome"], again["reason"], again["processed"]) == ("invalid", "name_taken", "no")
    assert again["next"] == (
        "A campaign with this name exists, perhaps from your first call: read campaign_status; do not use another name."
    )


def test_tools_without_a_key_get_no_advice_about_keys():
    from cpaas._mcp.tools import TOOLS, call

    class Session:
        mode = "live"
        senders = None

        def __init__(self, error):
            self.error = error

        def __getattr__(self, name):
            raise self.error

    arguments = {
        "lookup": {"msisdn": ["306912345678"]},
        "campaign_plan": {"rows": people(1), "template": TEMPLATE},
        "campaign_run": {"name": "x"},
    }
    errors = [
        cpaas.Invalid("x"),
        cpaas.Rejected("x"),
        cpaas.RateLimited("x"),
        cpaas.NotSent("x"),
        cpaas.OutcomeUnknown("x"),
        cpaas.AcceptedIdUnknown("x"),
        cpaas.CampaignError("x", reason="damaged"),
        RuntimeError("x"),
    ]
    for error in errors:
        for tool in TOOLS:
            if tool.name in arguments:
                assert "key" not in call(Session(error), tool, arguments[tool.name])["next"]
                assert "key" not in call(Session(error), tool, {})["next"]
    sent = call(Session(cpaas.NotSent("x")), TOOLS[0], {"idempotencyKey": "k", **SMS})
    assert "same key" in sent["next"]


def test_a_wrong_configuration_is_for_the_person():
    from cpaas._mcp.results import failed

    for error in (cpaas.Invalid("x", reason="config"), cpaas.NotSent("x", reason="config", retryable=False)):
        for has_key in (True, False):
            found = failed(error, has_key=has_key)
            assert found["processed"] == "no"
            assert "tell the person that the configuration must be corrected" in found["next"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Γειά σου é ß 😀", "Γειά σου é ß 😀"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("a\u200bb", "a\\u{200b}b"),
        ("a\u202eb\u2066c", "a\\u{202e}b\\u{2066}c"),
        ("\U000e0041", "\\u{e0041}"),
        ("a\x00\x1bb", "a\\u{0}\\u{1b}b"),
        ("one\ntwo\ufeff", "one\ntwo\\u{feff}"),
    ],
)
def test_invisible_characters_are_shown(text, shown):
    from cpaas._mcp.results import clean

    assert clean(text) == shown
    assert clean({text: [text]}) == {shown.replace("\n", "\\u{a}"): [shown]}


# The budget.


def test_journals_that_share_a_budget_have_keys_of_their_own(sandbox, tmp_path):
    switches = ("--max-messages", "3", "--budget", str(tmp_path / "budget"))
    step = ("sms_send", {"idempotencyKey": "k", **SMS})
    for name, used in (("a.db", 1), ("b.db", 2), ("./a.db", 2)):
        sent, budget = calls(sandbox, f"{tmp_path}/{name}", step, ("budget", {}), switches=switches)
        assert sent["outcome"] == "accepted"
        assert budget["result"]["messages"]["used"] == used
    campaign = [created("x", TEMPLATE), ("campaign_run", {"name": "x"})]
    assert (
        calls(sandbox, tmp_path / "a.db", *campaign, switches=switches)[1]["problems"][0]["code"]
        == "budget.messages"
    )


def test_a_budget_file_that_fails_is_no_error_of_the_journal(sandbox, tmp_path, monkeypatch):
    from cpaas._mcp import budget, tools

    file = tmp_path / "budget"
    send = ({tool.name: tool for tool in tools.TOOLS})["sms_send"]
    monkeypatch.setattr(budget, "_WAIT", 0.1)
    with sandbox.client() as client:
        session = tools.Session(
            client, f"{tmp_path}/j.db", budget.Budget(str(file), budget.Limits(messages=5))
        )
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            locked = tools.call(session, send, {"idempotencyKey": "k", **SMS})
        file.write_bytes(b"not a database " * 1000)
        broken = tools.call(session, send, {"idempotencyKey": "k", **SMS})
    for found, retryable in ((locked, True), (broken, False)):
        assert (found["outcome"], found["processed"], found["retryable"]) == ("not_sent", "no", retryable)
        assert "the file of the budget" in found["next"]
    assert sandbox.ledger() == ()


def test_a_server_with_a_broken_budget_file_does_not_start(capsys, tmp_path):
    file = tmp_path / "budget"
    file.write_bytes(b"not a database " * 1000)
    code = main(["mcp", "--live", "--journal", str(tmp_path / "j.db"), "--budget", str(file)])
    out, errors = capsys.readouterr()
    assert (code, out) == (4, "")
    assert errors.startswith("cpaas: the file of the budget must be readable and writable: ")
    assert errors.count("\n") == 1


def test_the_budget_finds_what_counts_by_its_time(tmp_path):
    from cpaas._mcp.budget import Budget, Limits

    Budget(str(tmp_path / "b"), Limits())
    with closing(sqlite3.connect(tmp_path / "b")) as database:
        plan = database.execute("EXPLAIN QUERY PLAN SELECT messages FROM spent WHERE at > 1").fetchall()
    assert "spent_at" in str(plan)


# The input.


@pytest.mark.parametrize(
    ("written", "lines"), [(b"one\ntwo", ["one", "two"]), (b"one\n", ["one"]), (b"", [])]
)
def test_a_last_line_without_a_line_feed_is_handed_on(written, lines):
    from cpaas._mcp.server import StandardInput

    reading, writing = os.pipe()
    os.write(writing, written)
    os.close(writing)
    ended = []

    async def read():
        return [line async for line in StandardInput(reading, print, lambda: ended.append(True))]

    assert asyncio.run(read()) == lines
    assert ended == [True]
    os.close(reading)


@pytest.mark.parametrize("text", ["\\ud800", "\\uDFFF", "\\ud83d x \\ude00", "\\ude00\\ud83d"])
def test_a_request_with_a_lone_surrogate_gets_an_error(text):
    raw = Raw()
    raw.initialize()
    raw.write(
        b'{"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "segments", "arguments": {"text": "%s"}}}\n'
        % text.encode()
    )
    found = raw.read()
    assert (found["id"], found["error"]["message"]) == (
        "a",
        "a message must be valid Unicode, got a lone surrogate",
    )
    raw.call("segments", text="😀")
    assert raw.read()["result"]["structuredContent"]["result"]["count"] == 1
    assert raw.end()[0] == 0


# The policy of the client.


def test_plan_and_creation_say_how_many_rows_the_client_will_refuse(sandbox, journal):
    rows = [
        {"phone": phone, "name": "x"} for phone in ("306912345678", "4915123456789", "447400123456", "nobody")
    ]
    request = {"rows": rows, "template": TEMPLATE}
    allowed = {"rows": people(2), "template": TEMPLATE}
    plan, stored, run, good = calls(
        sandbox,
        journal,
        ("campaign_plan", request),
        ("campaign_create", {"name": "x", **request}),
        ("campaign_run", {"name": "x"}),
        ("campaign_plan", allowed),
        switches=("--allow-countries", "GR"),
    )
    for record in (plan, stored):
        assert "will refuse them: 2 rows are to other numbers" in record["next"]
    assert (run["result"]["accepted"], run["result"]["invalid"]) == (1, 3)
    assert "refuse" not in good["next"]


@pytest.mark.parametrize("region", ["GR", "international"])
def test_the_types_of_numbers_are_a_policy_too(sandbox, journal, region):
    rows = [{"phone": "+302101234567", "name": "x"}, {"phone": "+306912345678", "name": "x"}]
    (plan,) = calls(
        sandbox,
        journal,
        ("campaign_plan", {"rows": rows, "template": TEMPLATE}),
        more={"CPAAS_ALLOW_TYPES": '["mobile"]', "CPAAS_NORMALIZE": region},
    )
    assert "will refuse them: 1 row is to other numbers" in plan["next"]


def test_a_campaign_has_a_time_zone(sandbox, journal):
    window = {"window": "00:00-23:59", "timeZone": "Europe/Athens"}
    plan, wrong = calls(
        sandbox,
        journal,
        ("campaign_plan", {"rows": people(1), "template": TEMPLATE, **window}),
        ("campaign_plan", {"rows": people(1), "template": TEMPLATE, "time_zone": "Europe/Athens"}),
    )
    assert plan["result"]["time_zone"] == "Europe/Athens"
    assert problems(wrong) == [("/time_zone", "argument.unknown")]


# The outcomes of rows.


def test_outcomes_are_read_from_the_first_row_on(tmp_path, monkeypatch):
    count = 2_500
    rows = ({"phone": f"30691{number:07}", "name": "x"} for number in range(count))
    with cpaas.Campaign.create(tmp_path / "j.db", "sms.send", rows, TEMPLATE, name="x") as campaign:
        size = len(campaign._journal.export("x", 0, None))
        assert 0 < size < count
        for first in (1, 2, size, size + 1, 2 * size, count, count + 1, 10 * count):
            found = [row["row"] for row in campaign.rows(first=first)]
            assert found == [*range(first, count + 1)]
        read = []

        class Journal:
            def close(self):
                native.close()

            def export(self, name, chunk, outcomes):
                read.append(chunk)
                return native.export(name, chunk, outcomes)

        native = campaign._journal
        monkeypatch.setattr(campaign, "_journal", Journal())
        assert next(campaign.rows(first=2 * size + 1, outcome="pending"))["row"] == 2 * size + 1
        assert read == [0, 2]
