"""The Python scripts of docs/migration-twilio.md: the one after the move runs against the sandbox, the one before it compiles."""

import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Queue

import pytest

import cpaas

PAGE = Path(__file__).parents[2] / "docs" / "migration-twilio.md"
BEFORE, AFTER = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)
NUMBER = "+306912345678"


@pytest.fixture
def requests():
    """The requests to the server at `requests.url`, as method, URL, headers and body."""
    requests = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.put((self.command, self.path, dict(self.headers), b""))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *arguments):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        requests.url = f"http://127.0.0.1:{server.server_port}/hooks"
        yield requests
        server.shutdown()
        thread.join()


@pytest.fixture
def settings(sandbox, requests):
    secret = "thirty-two bytes that are random"
    return {**sandbox.environment, "SHOP_HOOK": requests.url, "SHOP_CALLBACK_SECRET": secret}


@pytest.fixture
def script(settings, monkeypatch):
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    script = {"__name__": "script"}
    exec(AFTER, script)
    yield script
    script["client"].close()


def functions(code):
    return re.findall(r"^def (\w+)", code, re.M)


def test_the_scripts_have_the_same_functions_and_about_sixty_lines():
    compile(BEFORE, str(PAGE), "exec")
    assert functions(BEFORE) == functions(AFTER) != []
    for code in (BEFORE, AFTER):
        assert 50 <= len(code.splitlines()) <= 70


def test_a_reminder_is_sent_and_its_report_is_authentic(script, sandbox, requests):
    sent = script["remind"](NUMBER, "7")
    message = sandbox.wait_for(to=NUMBER[1:])
    assert (message.id, message.text) == (sent, "Your table is ready (booking 7)")
    method, url, headers, body = requests.get(timeout=60)
    reported = script["report"](method, url, headers, body)
    assert reported[0] == sent
    assert reported[1].lower() in ("sent", "delivered")
    assert script["report"](method, url.replace("token=v1", "token=v2"), headers, body) is None
    assert script["report"](method, "/hooks?msgid=1&status=delivered&reference=7", headers, body) is None


def test_only_an_invalid_number_is_none(script, sandbox, monkeypatch):
    assert script["remind_all"]({"7": NUMBER, "8": "nobody"}) == {"7": sandbox.messages()[0].id, "8": None}
    sandbox.fault("close-after-read", op="sms.send")
    with pytest.raises(cpaas.OutcomeUnknown):
        script["remind"](NUMBER, "9")
    monkeypatch.delenv("CPAAS_SMS_URL")
    monkeypatch.setitem(script, "client", cpaas.Client(normalize="international"))
    with pytest.raises(cpaas.Invalid):
        script["remind"](NUMBER, "9")


def test_only_the_right_passcode_logs_in(script, sandbox):
    login = script["start_login"](NUMBER)
    code = sandbox.wait_for(to=NUMBER[1:]).otp
    assert not script["finish_login"](login, f"{(int(code) + 1) % 1000000:06}")
    assert script["finish_login"](login, code)


def test_the_country_of_a_number_is_looked_up(script):
    assert script["country"](NUMBER)


def test_the_script_runs_as_a_program(settings):
    done = subprocess.run(
        [sys.executable, "-c", AFTER],
        env=settings,
        input="wrong\n",
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\{'7': '.+', '8': '.+'\}\nPasscode: False\n", done.stdout)
