"""Runs the programs of docs/callbacks.md; the sandbox calls them while the keys rotate."""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import cpaas
from cpaas import callbacks

PAGE = (Path(__file__).parents[2] / "docs" / "callbacks.md").read_text(encoding="utf-8")
SERVERS = {
    "FastAPI": ["uvicorn", "app:app", "--no-access-log", "--port"],
    "Flask": ["flask", "run", "--port"],
    "Django": ["django", "runserver", "--noreload", "--settings", "app"],
}
STEPS = [["old"], ["old", "new"], ["new", "old"], ["new"]]


def program(title):
    section = re.search(rf"^### {title}.*?(?=^##)", PAGE, re.S | re.M)
    return re.search(r"^```python\n(.*?)^```", section[0], re.S | re.M)[1]


def ring(kids):
    return {
        "keys": [{"kid": kid, "secret": f"the secret of {kid}, thirty-two bytes or more"} for kid in kids]
    }


def free_port():
    """A free port below the ephemeral range, so that no other process gets it."""
    for step in range(8_000):
        port = 11_000 + (os.getpid() * 7 + step) % 8_000
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise OSError("no free port")


class App:
    """Runs a program of the page in its own process."""

    def __init__(self, folder, title):
        self.folder = folder
        (folder / "app.py").write_text(program(title))
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/hooks"
        self.out, self.err = folder / "out", folder / "err"
        self.configure(STEPS[0])
        command = [sys.executable, "-m", *SERVERS[title], str(self.port)]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=self.out.open("wb"), stderr=self.err.open("wb"), env=dict(os.environ)
        )

    def configure(self, kids):
        config = {
            "audience": "shop",
            "public_url": self.url,
            "delivery_keys": {**ring(kids), "longest_lifetime": 259_200},
            "inbound_keys": ring(kids),
        }
        text = json.dumps(config)
        (self.folder / "next").write_text(text)
        (self.folder / "next").rename(self.folder / "callbacks.json")
        self.receiver = callbacks.Receiver.from_json(text)

    def wait(self):
        for _ in range(6_000):
            assert self.process.poll() is None, self.err.read_text()
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.05)
        pytest.fail("the server did not start")

    def printed(self):
        return sorted(self.out.read_text().split("\n"))

    def stop(self):
        self.process.terminate()
        self.process.wait(100)


@pytest.fixture(params=SERVERS)
def app(request, tmp_path):
    pytest.importorskip(request.param.lower())
    if request.param == "FastAPI":
        pytest.importorskip("uvicorn")
    app = App(tmp_path, request.param)
    try:
        app.wait()
        yield app
    finally:
        app.stop()


@pytest.fixture
def sandbox():
    with cpaas.Sandbox(clock="virtual") as sandbox:
        yield sandbox


def signer(sandbox, kids):
    """A client with `callback_keys`: it adds a token to the callback of its messages."""
    return sandbox.client(callback_keys=json.dumps(ring(kids)), callback_audience="shop")


def send(client, app, reference):
    sent = client.sms.send(from_="Acme", to="306912345678", text="Hi", reference=reference, callback=app.url)
    more = client.sms.send_bulk(
        from_="Acme", to="306900000001,306900000002", text="Hi", reference=reference, callback=app.url
    )
    return {sent.id, *(message.id for message in more.messages)}


def register(sandbox, client, app):
    """Registers every URL whose token does not expire, signed by the first key."""
    url = app.receiver.url
    sandbox.account(chat_callback=url("chat_report"), inbound_callback=url("inbound_sms"), two_way=["Acme"])
    assert client.webhooks.messenger_b.set(ta=sandbox.traffic_account_id, url=url("messenger_b")).status == 0


def statuses(sandbox):
    return [attempt["status"] for attempt in sandbox.callbacks()["attempts"]]


def test_keys_rotate_while_the_sandbox_keeps_sending(app, sandbox):
    clients = [signer(sandbox, kids) for kids in STEPS]
    ids = set()
    register(sandbox, clients[0], app)
    for at, kids in enumerate(STEPS):
        if (
            at == 3
        ):  # before the old key is removed: no message is undelivered, and the URLs are registered again
            register(sandbox, clients[2], app)
            sandbox.advance("1h")
        app.configure(kids)
        sandbox.advance("1h")  # the callbacks of the previous step arrive in this one
        for near in clients[max(0, at - 1) : at + 2]:  # processes differ by at most one step
            ids |= send(near, app, f"booking-{at}")
        sandbox.inbound(channel="sms", from_="306900000009", to="Acme", text="Hello")
        chat = clients[at].messages.send(
            traffic_account_id=sandbox.traffic_account_id,
            destination="306912345678",
            messenger_a={"type": "regular", "regular": {"type": "text", "text": "Hi"}},
        )
        assert chat.message_id
    sandbox.advance("1h")
    found = statuses(sandbox)
    assert set(found) == {200}, found
    printed = app.printed()
    assert {line.split()[1] for line in printed if line.startswith("sms_report")} == ids
    assert len([line for line in printed if line.startswith("sms_report")]) == len(ids)
    assert printed.count("inbound_sms") == len(STEPS)
    assert printed.count("messenger_b") == 2  # the test event of each registration
    assert sum(line.startswith("chat_report") for line in printed) >= len(STEPS)

    before = len(found)
    send(clients[0], app, "late")  # the old key is removed
    sandbox.advance("1s")
    assert statuses(sandbox)[before:] == [403, 403, 403]
    assert app.err.read_text().count("callback rejected: unknown_key") == 3
    assert app.printed() == printed
