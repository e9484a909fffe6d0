"""The command `cpaas`."""

import json
import os
import signal
import subprocess
import sys

import pytest

import cpaas


def run(*arguments, environment=None, text=None):
    command = [sys.executable, "-m", "cpaas", *arguments]
    environment = {**os.environ, **(environment or {})}
    done = subprocess.run(
        command, capture_output=True, text=True, input=text, env=environment, timeout=600, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def sandbox():
    with cpaas.Sandbox() as sandbox:
        yield sandbox


def test_segments_prints_the_parts_and_causes():
    code, out, _ = run("segments", "it’s here")
    assert code == 0
    assert out.startswith("ucs2: 1 part, 9 units, 61 remaining\n")
    assert 'forces UCS-2 (once, replacement "\'")' in out
    assert json.loads(run("segments", "it’s here", "--json")[1])["remaining"] == 61


def test_validate_prints_the_problems(tmp_path):
    path = tmp_path / "payload.json"
    path.write_text('{"from":"Acme"}')
    code, out, err = run("validate", "sms.send", str(path))
    assert (code, out) == (9, "invalid: 2 errors\n")
    assert "[sms.to.required]" in err
    assert json.loads(run("validate", "sms.send", str(path), "--json")[1])["errors"][0]["pointer"] == "/to"
    good = '{"from":"Acme","to":"306912345678","text":"Hi"}'
    assert run("validate", "sms.send", "-", text=good)[:2] == (0, "valid\n")


def test_rejections_show_the_message_of_the_provider(sandbox):
    environment = {**sandbox.environment, "CPAAS_SMS_KEY": "wr0ng-key"}
    request = '{"from":"Acme","to":"306912345678","text":"Hi"}'
    code, _, err = run("call", "sms.send", "--data", request, environment=environment)
    assert code == 3
    assert "check `sms_key`" in err
    assert "message of the provider: wrong or missing API key" in err
    code, _, err = run("validate", "sms.send", ".")
    assert (code, err) == (1, "cpaas: .: Is a directory\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_reported():
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "cpaas", "docs", "problems"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "cpaas: No space left on device\n")


def test_call_sends_a_request(sandbox, tmp_path):
    request = '{"from":"Acme","to":"306912345678","text":"Hi"}'
    code, out, _ = run("call", "sms.send", "--data", request, "--json", environment=sandbox.environment)
    assert (code, json.loads(out)["responseCode"]) == (0, 0)
    path = tmp_path / "request.json"
    path.write_text(request)
    code, out, _ = run("call", "sms.send", "--data", f"@{path}", environment=sandbox.environment)
    assert code == 0
    assert "responseCode  0\n" in out
    code, _, err = run("call", "sms.send", "--data", '{"from":"Acme"}', environment=sandbox.environment)
    assert code == 9
    assert "nothing was sent" in err
    wrong = {**sandbox.environment, "CPAAS_SMS_KEY": "wr0ng-key"}
    assert run("call", "sms.send", "--data", request, environment=wrong)[0] == 3
    nobody = {**sandbox.environment, "CPAAS_SMS_URL": "http://127.0.0.1:9", "CPAAS_MAX_ATTEMPTS": "1"}
    code, out, _ = run("call", "sms.send", "--data", request, "--json", environment=nobody)
    assert (code, json.loads(out)["sent"]) == (4, "no")


def test_an_invalid_json_request_is_not_sent(sandbox):
    code, out, err = run("call", "sms.send", "--data", "no json", environment=sandbox.environment)
    assert (code, out) == (9, "")
    assert err.startswith("cpaas: nothing was sent: the request must be JSON: ")
    code, _, err = run("validate", "sms.send", "no-such-file.json")
    assert (code, err) == (1, "cpaas: no-such-file.json: No such file or directory\n")


@pytest.mark.parametrize(
    ("kind", "operation", "request_", "exit_code", "says"),
    [
        (
            "close-after-read",
            "sms.send",
            {"from": "Acme", "to": "306912345678", "text": "Hi"},
            5,
            "may already have been sent",
        ),
        (
            "truncated-body",
            "messages.send",
            {"destination": "306912345678", "sms": {"text": "Hi", "sender": "Acme"}},
            6,
            "do not send again",
        ),
    ],
)
def test_exit_codes_report_the_outcome(sandbox, kind, operation, request_, exit_code, says):
    sandbox.fault(kind, op=operation)
    try:
        data = json.dumps(request_)
        code, _, err = run("call", operation, "--data", data, environment=sandbox.environment)
        assert (code, says in err) == (exit_code, True)
        code, out, _ = run("call", operation, "--data", data, "--json", environment=sandbox.environment)
        assert (code, json.loads(out)["sent"]) == (exit_code, "maybe" if exit_code == 5 else "yes")
    finally:
        sandbox.clear_faults()


def test_nested_and_multiple_results_are_readable(sandbox):
    data = '{"destination":"306912345678","sms":{"text":"Hi","sender":"Acme"}}'
    _, out, _ = run("call", "messages.send", "--data", data, environment=sandbox.environment)
    lines = out.splitlines()
    assert "conversation" in lines
    assert "  participants 2" in lines
    assert "    phoneNumber  306912345678" in lines
    _, out, _ = run("lookup", "306912345678", "306912345679", environment=sandbox.environment)
    assert [block.split()[:2] for block in out.split("\n\n")] == [
        ["msisdn", "306912345678"],
        ["msisdn", "306912345679"],
    ]


def test_a_closed_pipe_is_not_an_error():
    command = f"{sys.executable} -m cpaas docs problems | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.splitlines()[1] in ("0", "141")


def test_otp_sends_and_verifies_and_lookup_prints_each_number(sandbox):
    send = (
        "otp",
        "send",
        "--service",
        "login",
        "--from",
        "Acme",
        "--to",
        "306912345679",
        "--body",
        "{code}",
        "--json",
    )
    code, out, _ = run(*send, environment=sandbox.environment)
    assert code == 0
    given = json.loads(out)["requestID"]
    right = sandbox.wait_for(to="306912345679").otp
    verify = ("otp", "verify", "--service", "login", "--request-id", given, "--code")
    wrong = f"{(int(right) + 1) % 1000000:06}"
    assert run(*verify, wrong, environment=sandbox.environment)[0] == 7
    assert run(*verify, right, environment=sandbox.environment)[0] == 0
    code, out, _ = run("lookup", "306912345678", "306912345679", "--json", environment=sandbox.environment)
    assert [record["msisdn"] for record in json.loads(out)] == ["306912345678", "306912345679"]


def test_docs_prints_the_codes_and_usage_errors_are_exit_code_2():
    assert "sms.to.required (error" in run("docs", "problems")[1]
    assert run()[0] == 2
    assert run("--version")[1] == f"cpaas {cpaas.__version__}\n"
    code, _, err = run("call", "sms.sent")
    assert code == 2
    assert "did you mean `sms.send`" in err
    assert run("call")[0] == 2


def test_json_selects_the_output_of_call_and_has_no_value(sandbox):
    data = '{"from":"Acme","to":"306912345678","text":"Hi"}'
    code, out, _ = run("call", "--json", "sms.send", "--data", data, environment=sandbox.environment)
    assert (code, json.loads(out)["responseCode"]) == (0, 0)
    code, out, _ = run("call", "--json", "sms.send", environment=sandbox.environment)
    record = json.loads(out)
    assert (code, record["outcome"], record["processed"], record["retryable"]) == (9, "invalid", "no", False)
    assert run("call", "sms.send", "--json", data, environment=sandbox.environment)[0] == 2


def test_the_sandbox_runs_until_a_signal():
    command = [sys.executable, "-m", "cpaas", "sandbox", "--seed", "1"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    lines = []
    while not (line := child.stdout.readline()).startswith("{"):
        lines.append(line)
    assert any(line.startswith("CPAAS_SMS_URL=http://127.0.0.1:") for line in lines)
    with cpaas.Client(**json.loads(line)["config"]) as client:
        assert client.sms.send(from_="Acme", to="306912345678", text="Hi").response_code == 0
    child.send_signal(signal.SIGINT)
    assert child.wait(10) == 0
    assert run("sandbox", "--color")[0] == 2


def test_sms_send_sends_and_operations_lists(sandbox):
    given = ("sms", "send", "--from", "Acme", "--to", "306912345670", "--text", "Hi there", "--json")
    code, out, _ = run(*given, environment=sandbox.environment)
    assert (code, json.loads(out)["responseCode"]) == (0, 0)
    assert sandbox.wait_for(to="306912345670").text == "Hi there"
    assert run("sms", "send", "--to", "306912345670")[0] == 2
    code, out, _ = run("operations")
    assert code == 0
    assert {"sms.send", "otp.verify", "messages.send_failover"} <= set(out.split())
    assert json.loads(run("operations", "--json")[1]) == out.split()


def test_problems_name_the_option_that_the_user_typed(sandbox):
    environment = sandbox.environment
    code, _, err = run("sms", "send", "--from", "", "--to", "+30 691", "--text", "", environment=environment)
    assert code == 9
    assert "error: --from: must not be missing or empty [sms.from.required]" in err
    assert "--to: " in err
    assert "--text: " in err
    code, _, err = run("call", "sms.send", "--data", "{}", environment=environment)
    assert (code, "error: /from: must not be missing" in err) == (9, True)


def test_guessed_verbs_work_or_name_the_right_one(sandbox):
    environment = sandbox.environment
    code, _, err = run("send")
    assert (code, "`cpaas sms send` or `cpaas otp send`" in err) == (2, True)
    code, _, err = run("verify", "--code", "1")
    assert (code, "`cpaas otp verify`" in err) == (2, True)
    code, _, err = run("validate", "sms.snd", "-", text="{}")
    assert (code, "did you mean `sms.send`?" in err) == (2, True)
    sms = ("--from", "Acme", "--to", "306912345678", "--text", "Hi")
    code, out, _ = run("sms", "send", *sms, "--test", "--reference", "r", "--json", environment=environment)
    assert (code, json.loads(out)["test"]) == (0, True)
    otp = ("--service", "login", "--from", "Acme", "--to", "306912345678", "--body", "Code {code}")
    code, out, _ = run("otp", "send", *otp, "--json", environment=environment)
    request = json.loads(out)["requestID"]
    passcode = sandbox.wait_for(to="306912345678", contains="Code").otp
    verify = ("otp", "verify", "--service", "login", "--request-id", request, "--code")
    code, _, err = run(*verify, "000000" if passcode != "000000" else "000001", environment=environment)
    assert (code, "wrong, expired, cancelled or already used" in err) == (7, True)
    lost = ("otp", "verify", "--service", "other", "--request-id", request, "--code", passcode)
    code, _, err = run(*lost, environment=environment)
    assert (code, "no passcode has this id and service; check `--request-id`" in err) == (7, True)
    assert run(*verify, passcode, environment=environment)[0] == 0
    code, out, _ = run("operations", "otp.limits")
    assert out.split() == [f"otp.limits.{verb}" for verb in ("create", "update", "delete", "list", "get")]
    assert run("operations", "nope")[0] == 2


@pytest.mark.parametrize("command", [("sms", "send"), ("otp", "send"), ("otp", "verify"), ("operations",)])
def test_help_explains_each_argument(command):
    code, out, _ = run(*command, "--help")
    assert code == 0
    lines = [line for line in out.splitlines() if line.startswith("  --") and not line.startswith("  --json")]
    for line in lines:
        assert len(line.split()) > 2 or out.splitlines()[out.splitlines().index(line) + 1].startswith(
            "     "
        ), line
    assert run()[0] == 2
