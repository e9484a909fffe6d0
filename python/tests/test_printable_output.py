"""Names that a caller chose do not change a log or a terminal: no message, log line or output of the command contains a control
character, a separator of lines or an invisible formatting character, and each message has a maximum length."""

import json
import logging
import pickle
import subprocess
import sys
import traceback
import unicodedata

import pytest
from conftest import http_response

import cpaas
from cpaas import _hooks, arrow
from cpaas._campaign import files as _files

NAMES = [
    "\n\x1b[31m\u2028\u202e",
    "x" * 10_000,
    "a\r\x08\x7f\x9b31m\u2066/~" + "\u200by" * 5_000,
    "\ufeff" + "é" * 10_000 + "\x85\u2029\U000e0041",
    "\ud800\n",
]
SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}
# Longer than a message of the maximum length with its operation.
LONGEST = 2_500


def check(text, longest=LONGEST, lines=False):
    bad = [
        c
        for c in text
        if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and not (lines and c == "\n")
    ]
    assert not bad, ascii(text[:300])
    assert len(text) <= longest, f"{len(text)} characters: {text[:300]}"


def errors_of(function, *arguments, **keywords):
    """Calls a function, and checks its error or its result."""
    try:
        result = function(*arguments, **keywords)
    except (cpaas.Error, TypeError, ValueError, AttributeError) as error:
        check(str(error))
        check(traceback.format_exception_only(error)[-1].rstrip("\n"))
        check("".join(traceback.format_exception(error)), longest=100_000, lines=True)
        for problem in getattr(error, "problems", ()):
            check(str(problem))
            check(repr(problem))
        if isinstance(error, cpaas.Error):
            check(str(pickle.loads(pickle.dumps(error))))
        return 1
    for problem in getattr(result, "warnings", ()):
        check(str(problem))
        check(repr(problem))
    return 0


@pytest.mark.parametrize("name", ["x" * 100_000, "missing\x1b[31m/\u202ename"], ids=["long", "control"])
def test_an_error_of_a_file_names_its_path_in_a_printable_form(name, tmp_path):
    """A text of prices without a line break is a path."""
    path = str(tmp_path / name)
    for call in (
        lambda: cpaas.estimate("Hi", prices=name, to="306912345678"),
        lambda: arrow.estimate(["Hi"], name + ".csv", ["306912345678"]),
        lambda: _files.read_recipients(path),
        lambda: _files.read_reports(path),
        lambda: _files.is_json(path),
    ):
        with pytest.raises(OSError) as error:
            call()
        check(str(error.value))


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_errors_are_printable(wire, name, tmp_path, monkeypatch):
    failed = 0
    with wire.client() as client:
        send = client.sms.send
        failed += errors_of(send, **SMS, **{name: 1})
        failed += errors_of(send, **SMS, extra={name: object()})
        errors_of(send, **SMS, extra={name: {name: 1}})
        errors_of(send, **SMS, reference=name)
        failed += errors_of(send, **SMS, headers={name: "v"})
        failed += errors_of(send, **SMS, headers={"x" * 10_000: "\n"})
        failed += errors_of(send, **SMS, headers={"a": name + "\n"})
        failed += errors_of(client.call, name, {})
        errors_of(client.call, "sms.send", {name: 1})
        failed += errors_of(client.call, "sms.send", {"extra": name, name: {1: 2}})
        failed += errors_of(
            client.messages.send_failover, destination="306912345678", channels={name: {}}, failover={}
        )
        failed += errors_of(
            client.messages.send, destination="306912345678", messenger_b={"type": "promotional", name: 1}
        )
        errors_of(client.call_raw, "GET", "sms", f"/{name}", query={name: name})
        failed += errors_of(client.with_options, **{name: 1})
        for result in (*client.sms.send_many([{**SMS, name: 1}]), *client.sms.send_many([{name: 1}])):
            check(str(result.error))
            check(repr(result))
        failed += errors_of(lambda: [*client.sms.send_many([SMS], **{name: 1})])
    failed += errors_of(cpaas.Client, **{name: 1})
    failed += errors_of(cpaas.Client, channel_names={name: 1})
    errors_of(cpaas.Client, channel_names={name: name})
    failed += errors_of(cpaas.Error, "x", **{name: 1})
    errors_of(cpaas.validate, name, {})
    errors_of(cpaas.validate, "sms.send", {name: 1})
    failed += errors_of(cpaas.segments, "Hi", **{name: 1})
    errors_of(cpaas.template_segments, "Hi {{ x }}", {name: name})
    errors_of(cpaas.estimate, "Hi", name)
    errors_of(cpaas.parse_markup, "a", name)
    errors_of(cpaas.Sandbox, **{name: 1})
    errors_of(cpaas.callbacks.Receiver, **{name: 1})
    errors_of(cpaas.callbacks.Template, f"https://a.example/?{{{name}}}")
    journal = tmp_path / "journal"
    for template in (
        {name: "{{ x }}"},
        {"text": "{{ x }}", "to": "{{ " + name.strip("\n") + " }}"},
        {"text": "{{ (( }}", name: "{{ (( }}"},
    ):
        rows = [{"x": "1", name: "2"}]
        try:
            campaign = cpaas.Campaign.create(str(journal), "sms.send", rows, template, name=name)
        except cpaas.Error as error:
            check(str(error))
            continue
        plan = campaign.plan()
        for text in (
            repr(campaign),
            *str(campaign.status()).splitlines(),
            *str(plan).splitlines(),
            *map(str, plan.problems),
        ):
            check(text)
    assert failed >= 12


@pytest.mark.parametrize("name", NAMES[:4], ids=range(4))
def test_errors_about_columns_are_printable(name):
    pyarrow = pytest.importorskip("pyarrow")
    failed = 0
    for columns in ({name: [1], "text": ["a"]}, {"messenger_b": [{name: 1}]}, {"to": [{name: 1}]}):
        table = pyarrow.table(columns)
        failed += errors_of(arrow.requests, "sms.send", table)
        failed += errors_of(arrow.render, "Hi {{ x }}", table)
        errors_of(arrow.render, json.dumps({name: "{{ x }}"}), table)
        errors_of(arrow.validate, "messages.send", table)
        failed += errors_of(arrow.segments, table)
    assert failed >= 6


@pytest.mark.parametrize("name", NAMES[:4], ids=range(4))
def test_log_lines_and_texts_of_hooks_are_printable(wire, name, caplog):
    _hooks._logged.clear()
    texts = []
    wire.script = lambda request: http_response({}, 503)

    def keep(event):
        texts.extend([str(event), repr(event), getattr(event, "url", "")])

    with (
        caplog.at_level(logging.DEBUG),
        wire.client(on_request=keep, on_response=keep, on_outcome=keep) as client,
    ):
        for keywords in ({"extra": {name: 1}}, {"reference": name}, {"reference": name[:20]}):
            errors_of(client.sms.send, **SMS, **keywords)
        errors_of(client.call, "sms.send", {"from": "Acme", "to": "306912345678", "text": "Hi", name: 1})
        errors_of(client.call_raw, "GET", "sms", "/x", query={name: "v"})
    assert texts
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("cpaas")]
    assert any("unknown field" in line for line in lines)
    for text in texts + lines:
        check(text)


def command(*arguments, input=None, environment=None):
    ended = subprocess.run(
        [sys.executable, "-m", "cpaas", *arguments],
        capture_output=True,
        input=input,
        timeout=120,
        check=False,
        env=environment,
    )
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


@pytest.mark.parametrize("name", NAMES[:4], ids=range(4))
def test_the_output_of_the_command_is_printable(name, tmp_path):
    request = tmp_path / "request.json"
    request.write_text(
        json.dumps({"from": "Acme", "to": "306912345678", "text": "Hi", name: 1, "a": {name: 1}})
    )
    rows = tmp_path / "rows.csv"
    rows.write_text(f'phone,"{name}"\n306912345678,x\n', encoding="utf-8")
    journal = str(tmp_path / "journal")
    campaign = [str(rows), "--op", "sms.send", "--set", "to={{phone}}", "--set", "from=Acme"]
    runs = [
        (name,),
        ("validate", "sms.send", str(request)),
        ("validate", "sms.send", str(request), "--json"),
        ("validate", name, str(request)),
        ("validate", "sms.send", str(tmp_path / name[:50])),
        ("call", name, "--data", "{}"),
        ("call", "sms.send", "--data", "{" + name),
        ("segments", "Hi", f"--{name}"),
        ("segments", "Hi", "--split", name),
        ("operations", name),
        ("docs", name),
        ("sandbox", f"--{name}"),
        ("sandbox", "--port", name),
        ("sandbox", name),
        ("campaign", name),
        ("campaign", "plan", *campaign, "--set", "text={{ missing }}"),
        ("campaign", "plan", *campaign, "--set", f"{name}={{{{ phone }}}}", "--set", "text=Hi"),
        ("campaign", "plan", *campaign, "--set", f"{name}={{{{ (( }}}}"),
        ("campaign", "create", name, *campaign, "--set", "text=Hi", "--journal", journal),
        ("campaign", "status", name, "--journal", journal),
        ("campaign", "status", name, "--journal", journal, "--json"),
        ("campaign", "list", "--journal", journal),
        ("campaign", "list", "--journal", journal, "--json"),
        ("campaign", "status", "other" + name, "--journal", journal),
        ("campaign", "plan", str(tmp_path / name[:50]), "--op", "sms.send"),
        ("campaign", "plan", *campaign, "--template", str(tmp_path / name[:50])),
    ]
    codes = set()
    for arguments in runs:
        code, out, error = command(*arguments)
        codes.add(code)
        check(error, 10_000, lines=True)
        is_json = "--json" in arguments
        check(out, 100_000, lines=True)
        assert not is_json or json.loads(out) is not None
    assert {0, 2} < codes


def test_json_output_keeps_the_names(tmp_path):
    name = "\n\x1b\u2028\u202e\x7f\U000e0041é"
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"from": "Acme", "to": "306912345678", "text": "Hi", name: 1}))
    _, out, _ = command("validate", "sms.send", str(request), "--json")
    assert json.loads(out)["warnings"][0]["pointer"] == f"/{name}"
