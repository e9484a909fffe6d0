"""The Python scripts of docs/migration-twilio.md: those after the move run against the sandbox, the one before it compiles."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
import threading
import types
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Queue

import pytest

import cpaas

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "migration-twilio.md"
TEXT = PAGE.read_text(encoding="utf-8")
BEFORE, AFTER, ROUTE = re.findall(r"^```python\n(.*?)^```", TEXT, re.S | re.M)
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


@pytest.fixture
def route(script, monkeypatch, tmp_path):
    """The program with the route, beside the script."""
    module = types.ModuleType("remind")
    module.__dict__.update(script)
    monkeypatch.setitem(sys.modules, "remind", module)
    monkeypatch.chdir(tmp_path)
    route = {"__name__": "route"}
    exec(ROUTE, route)
    return route


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


def test_an_invalid_text_is_not_an_invalid_number(script, monkeypatch):
    send = script["client"].sms.send
    monkeypatch.setattr(script["client"].sms, "send", lambda **request: send(**{**request, "text": ""}))
    with pytest.raises(cpaas.Invalid) as caught:
        script["remind"](NUMBER, "7")
    found = [(problem.pointer, problem.severity) for problem in caught.value.problems]
    assert found == [("/to", "info"), ("/text", "error")]
    assert caught.value.code is None
    assert script["remind"]("nobody", "7") is None


def test_the_route_accepts_get_and_post_and_the_state_is_stored(script, route, sandbox, requests):
    route["send"](NUMBER, "7")
    browser = route["app"].test_client()
    states = set()
    while not states & {"delivered", "Delivered"}:
        url = requests.get(timeout=60)[1]
        assert browser.get(url).status_code == 200
        rows = route["execute"]("SELECT reference, recipient, id, status FROM messages")
        assert rows[0][:3] == ("7", NUMBER, sandbox.messages()[0].id)
        states.add(rows[0][3])
    assert browser.post(url).status_code not in (405, 500)
    assert browser.get(url.replace("token=v1", "token=v2")).status_code == 403


def test_what_the_page_says_of_calls(script, sandbox):
    client = script["client"]
    message = {"from_": "Acme", "text": "Hi"}
    assert not cpaas.check_number("6912345678").valid
    assert client.sms.send(to="6912345678", **message).id
    with pytest.raises(cpaas.Invalid, match="/reference: must be set when the client signs"):
        client.sms.send(to=NUMBER, callback=script["HOOK"], **message)
    with pytest.raises(TypeError, match="/reference: expected a string, got an integer"):
        script["remind"](NUMBER, 7)
    with pytest.raises(
        cpaas.Rejected, match=r"; validation had found: .*\[sms\.sender\.alnum_too_long\]"
    ) as caught:
        client.sms.send(to=NUMBER, from_="RestaurantAcme", text="Hi")
    assert caught.value.code == 904
    sandbox.fault("status", op="sms.send", status=503)
    with pytest.raises(cpaas.Rejected) as caught:
        client.sms.send(to=NUMBER, **message)
    error = caught.value
    assert (error.outcome, error.retryable, error.attempts) == ("rejected", False, 1)
    with pytest.raises(TypeError, match="unknown argument 'code'"):
        client.otp.send(service="login", from_="Acme", to=NUMBER, body="Your code is {code}", code="1234")
    with pytest.raises(cpaas.Invalid, match="/code: must not be missing"):
        script["finish_login"](script["start_login"](NUMBER), "")
    assert not script["finish_login"]("OTP0", "123456")
    login = script["start_login"](NUMBER)
    assert client.otp.get(sid=login).sid == login
    with pytest.raises(cpaas.Rejected, match=r"; validation had found: .*\[otp\.body\.no_code\]"):
        client.otp.send(service="login", from_="Acme", to=NUMBER, body="Your code is 1234")


def test_the_error_codes_of_the_page_exist():
    table = TEXT.partition("\n## Error codes\n")[2].partition("\n## ")[0]
    names = re.findall(r"`([a-z]\w*(?:\.\w+)+|suppressed)`", table)
    problems = (DOCS / "problems.md").read_text(encoding="utf-8")
    assert len(names) > 6
    assert {name for name in names if f"`{name}`" not in problems} == {"otp.send", "otp.verify"}
    codes = re.findall(r"`(\d{3})`", table)
    known = re.findall(
        r"^\| [a-z_.]+ \| (\d+) \|", (DOCS / "provider-codes.md").read_text(encoding="utf-8"), re.M
    )
    assert len(codes) > 10
    assert set(codes) <= set(known)


def test_only_the_right_passcode_logs_in(script, sandbox):
    login = script["start_login"](NUMBER)
    code = sandbox.wait_for(to=NUMBER[1:]).otp
    assert not script["finish_login"](login, f"{(int(code) + 1) % 1000000:06}")
    assert script["finish_login"](login, code)


def test_the_country_of_a_number_is_looked_up(script):
    assert script["country"](NUMBER) == "GR"
    assert script["country"]("hello") is None


def test_the_country_of_an_unassigned_number_is_none(script, monkeypatch):
    assigned = cpaas.check_number(NUMBER)
    monkeypatch.setattr(cpaas, "check_number", lambda number: assigned)
    assert script["country"]("+999604000001") is None
    assert script["country"]("+999200000001") == "GR"


@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")
def test_the_commands_start_the_sandbox_and_set_its_variables(tmp_path):
    [block] = re.findall(r"^ *```console\n(.*?)^ *```", TEXT, re.S | re.M)
    for page in (DOCS / "javascript.md", DOCS.parent / "wasm" / "README.md"):
        assert f"```console\n{textwrap.dedent(block)}```\n" in page.read_text(encoding="utf-8")
    commands = re.sub(r"^ *\$ ", "", block, flags=re.M).replace("--port 8025", "--port 0")
    assert len(commands.splitlines()) == 3
    program = "import cpaas; print(cpaas.Client().sms.send(from_='Acme', to='306912345678', text='Hi').response_code)"
    shell = f'{commands}"{sys.executable}" -c "{program}"; kill $!'
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CPAAS_")}
    done = subprocess.run(
        [shutil.which("bash") or "sh", "-c", shell],
        cwd=tmp_path,
        env={**environment, "PATH": path},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.stdout == "0\n", done.stderr


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
