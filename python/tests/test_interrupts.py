"""A signal at any point of a call: its exception leaves that call, which reports its outcome, and nothing more is sent."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.interrupt_at import InterruptAt

import cpaas

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}
CHILD = Path(__file__).with_name("interrupted_calls.py")
HAS_NOTES = sys.version_info >= (3, 11)

CONFIGS = {
    "plain": {"imports": [], "hooks": False, "logs": False},
    "logging": {"imports": ["logging"], "hooks": False, "logs": False},
    "asyncio": {"imports": ["asyncio"], "hooks": False, "logs": False},
    "hooks": {"imports": [], "hooks": True, "logs": False},
    "logging and hooks": {"imports": ["logging", "asyncio"], "hooks": True, "logs": False},
    "logs and hooks": {"imports": ["logging"], "hooks": True, "logs": True},
}
POINTS = 80  # of each configuration: 480 points
EXCEPTIONS = ("KeyboardInterrupt", "TimeoutError", "SystemExit")


def check(result, requests, config, exception):
    """Checks the result of a loop that a signal interrupted. `requests` is the number of messages that the server received."""
    assert result["error"] == exception, result
    assert requests - result["calls"] in (0, 1), result
    # Between two calls, Python runs the signal handler in the frame of the loop.
    is_in_call = result["frames"] != ["send_until_interrupted", "send", "interrupt"]
    if requests > result["calls"] and is_in_call and HAS_NOTES:
        assert [note for note in result["notes"] if "sms.send was abandoned" in note], result
    if config["hooks"]:
        # A signal may interrupt a hook before it counts its event, and a call that is not sent has an outcome too.
        uncounted = int("count" in result["frames"])
        assert -uncounted <= result["on_outcome"] - requests <= 1, result
        assert -uncounted <= result["on_request"] - requests <= 1, result
        assert result["on_response"] <= requests, result


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_a_signal_at_any_point_of_a_call_is_raised_and_reported(wire, config):
    accepted = wire.script
    armed = []

    def script(request):
        data = accepted(request)
        if armed:
            delay = armed.pop()

            def kill():
                threading.Event().wait(delay)
                child.send_signal(signal.SIGINT)

            if delay is None:
                child.send_signal(signal.SIGINT)
            else:
                threading.Thread(target=kill).start()
        return data

    wire.script = script
    child = subprocess.Popen(
        [sys.executable, CHILD, wire.url, json.dumps(config)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        assert child.stdout.readline() == "ready\n"
        # A handler of `logging` does not raise an Exception that interrupts it, only others.
        exceptions = EXCEPTIONS[::2] if config["logs"] else EXCEPTIONS
        for point in range(POINTS):
            is_timer = point % 2 == 1
            exception = exceptions[point // 2 % len(exceptions)]
            # From before the first byte of a request until after the next one.
            delay = None if point == 0 else point * 0.00005
            if not is_timer:
                armed.append(delay)
            # The server may read the interrupted request of the point before after this one has begun.
            text = f"Point {point}"
            line = {"exception": exception, "delay": delay if is_timer else None, "text": text}
            child.stdin.write(json.dumps(line) + "\n")
            child.stdin.flush()
            result = json.loads(child.stdout.readline())
            sent = sum(request.json["text"] == text for request in wire.requests)
            check(result, sent, config, exception)
        child.stdin.close()
    assert child.returncode == 0


class Interrupted(Exception):
    """An exception of a signal handler."""


def raise_interrupted(number, frame):
    raise Interrupted


@pytest.fixture
def alarm():
    """SIGALRM raises `Interrupted`."""
    before = signal.signal(signal.SIGALRM, raise_interrupted)
    yield
    signal.signal(signal.SIGALRM, before)


NOTES = {"on_request": "nothing was sent", "on_response": "accepted", "on_outcome": "accepted"}


@pytest.mark.parametrize("name", NOTES)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGALRM])
def test_a_signal_in_a_hook_is_raised_after_all_hooks_were_called(wire, alarm, name, number):
    outcomes = []

    def hook(event):
        signal.raise_signal(number)

    hooks = {"on_outcome": outcomes.append}
    if name == "on_outcome":
        hooks["on_outcome"] = lambda event: (outcomes.append(event), hook(event))
    else:
        hooks[name] = hook
    with wire.client(**hooks) as client:
        with pytest.raises(KeyboardInterrupt if number == signal.SIGINT else Interrupted) as caught:
            client.sms.send(**SMS)
    assert len(wire.requests) == (name != "on_request")
    assert [event.outcome for event in outcomes] == ["abandoned" if name == "on_request" else "accepted"]
    if HAS_NOTES:
        [note] = caught.value.__notes__
        assert note.startswith("cpaas: sms.send was abandoned")
        assert NOTES[name] in note


@pytest.mark.parametrize("name", NOTES)
def test_sys_exit_in_a_hook_ends_the_program(wire, name):
    with wire.client(**{name: lambda event: sys.exit(3)}) as client, pytest.raises(SystemExit):
        client.sms.send(**SMS)


def test_a_signal_after_a_rejection_is_raised_with_the_rejection_as_its_context(wire):
    from conftest import http_response

    wire.script = lambda _: http_response({"responseCode": 401, "responseText": "key"}, status=401)
    with wire.client(on_outcome=lambda _: signal.raise_signal(signal.SIGINT)) as client:
        with pytest.raises(KeyboardInterrupt) as caught:
            client.sms.send(**SMS)
    assert isinstance(caught.value.__context__, cpaas.Unauthorized)


CALLS = {
    "method": lambda client, _: client.sms.send(**SMS),
    "call": lambda client, _: client.call("sms.send", {"from": "Acme", "to": SMS["to"], "text": "Hi"}),
    "call_raw": lambda client, _: client.call_raw("POST", "sms", "/sms", body={"to": SMS["to"]}),
    "send_once": lambda client, path: client.send_once("key", "sms.send", journal=path / "once.db", **SMS),
    "send_many": lambda client, _: client.sms.send_many([SMS], 1),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_signal_while_the_response_arrives_interrupts_each_way_to_call(wire, tmp_path, call):
    accepted = wire.script
    outcomes = []

    def script(request):
        os.kill(os.getpid(), signal.SIGINT)
        return accepted(request)

    wire.script = script
    with wire.client(on_outcome=outcomes.append) as client:
        with pytest.raises(KeyboardInterrupt) as caught:
            call(client, tmp_path)
            pytest.fail("the interrupt was lost")
    assert len(wire.requests) == len(outcomes) == 1
    if HAS_NOTES:
        assert any(note.startswith("cpaas: ") for note in caught.value.__notes__)


@pytest.mark.parametrize("name", ["method", "call", "call_raw"])
def test_an_interrupt_at_each_step_of_the_python_code_reports_the_call(wire, tmp_path, name):
    """Once with each step: the exception has a note exactly if the message was sent."""
    outcomes = []
    with wire.client(on_outcome=outcomes.append) as client:
        CALLS[name](client, tmp_path)
        for step in range(1, 1000):
            outcomes.clear()
            before = len(wire.requests)
            trace = InterruptAt(step)
            notes = None
            sys.settrace(trace)
            try:
                CALLS[name](client, tmp_path)
            except KeyboardInterrupt as error:
                notes = getattr(error, "__notes__", [])
            finally:
                sys.settrace(None)
            sent = len(wire.requests) - before
            assert sent == len(outcomes), step
            if trace.rest > 0:
                break
            assert notes is not None, f"the interrupt at step {step} was lost"
            if HAS_NOTES:
                assert len(notes) == sent, step
    assert 3 < step < 999


def test_an_interrupt_at_each_step_of_send_many_has_the_results(wire):
    with wire.client() as client:
        for step in range(1, 3000):
            before = len(wire.requests)
            trace = InterruptAt(step)
            results = None
            sys.settrace(trace)
            try:
                results = client.sms.send_many([SMS, SMS], 2)
            except KeyboardInterrupt as error:
                results = getattr(error, "results", None)
            finally:
                sys.settrace(None)
            sent = len(wire.requests) - before
            assert sent == sum(map(bool, results or ())), step
            if trace.rest > 0:
                break
    assert 3 < step < 2999


class Interrupting:
    """An argument whose code a signal interrupts."""

    def __init__(self, number):
        self.number = number

    def __getattr__(self, name):
        signal.raise_signal(self.number)
        raise AttributeError(name)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGALRM])
@pytest.mark.parametrize("name", ["text", "timeout"])
def test_a_signal_while_an_argument_is_read_is_raised(wire, alarm, name, number):
    with wire.client() as client:
        with pytest.raises(KeyboardInterrupt if number == signal.SIGINT else Interrupted):
            client.sms.send(**{**SMS, name: Interrupting(number)})
    assert wire.requests == []


def run_campaign(sandbox, client, path):
    """Only the first run sends a row."""
    journal = path / "campaign.db"
    if not journal.exists():
        template = {"from": "Acme", "to": "{{ to }}", "text": "Hi"}
        cpaas.Campaign.create(journal, "sms.send", [{"to": SMS["to"]}], template).close()
    with cpaas.Campaign.open(journal) as campaign:
        campaign.run(client, on_progress=str)
        assert [row["outcome"] for row in campaign.rows()] == ["accepted"]


SANDBOX_CALLS = {
    "pages": lambda sandbox, client, _: list(client.call("otp.search", {"pageSize": 1})),
    "next_page": lambda sandbox, client, _: client.call("otp.search", {"pageSize": 1}).next_page(),
    "control": lambda sandbox, client, _: (sandbox.messages(), sandbox.ledger(), sandbox.overview()),
    "close": lambda sandbox, client, _: client.with_options(timeout=3).close(),
    "validate": lambda sandbox, client, _: client.validate("sms.send", {"to": SMS["to"]}),
    "campaign": run_campaign,
}


@pytest.mark.parametrize("name", SANDBOX_CALLS)
def test_an_interrupt_at_each_step_is_never_lost(sandbox, client, tmp_path, name):
    for n in range(2):
        client.otp.send(service="login", from_="Acme", to=f"30691234567{n}", body="{code}")
    SANDBOX_CALLS[name](sandbox, client, tmp_path)
    for step in range(1, 3000):
        trace = InterruptAt(step)
        is_raised = False
        sys.settrace(trace)
        try:
            SANDBOX_CALLS[name](sandbox, client, tmp_path)
        except KeyboardInterrupt:
            is_raised = True
        finally:
            sys.settrace(None)
        if trace.rest > 0:
            break
        assert is_raised, f"the interrupt at step {step} was lost"
    assert 3 < step < 2999
