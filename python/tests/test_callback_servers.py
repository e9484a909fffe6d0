"""Clients that disconnect, and workers that are stopped or killed, with uvicorn, hypercorn and gunicorn: no event is lost."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from callback_adapters import report

APP = """
import asyncio, os, pathlib, sys, time
sys.path.insert(0, {tests!r})
import callback_stores
from callback_adapters import RECEIVER
from cpaas import callbacks

here = pathlib.Path(__file__).parent
log = os.open(here / "log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
store = callback_stores.store("SqliteStore", here / "callbacks.db")
duplicates = callbacks.Duplicates(store=store, lease=2)


def function(event):
    os.write(log, b"start\\n")
    while not (here / "go").exists():
        time.sleep(0.01)
    os.write(log, b"end\\n")


async def coroutine(event):
    import anyio

    os.write(log, b"start\\n")
    while not (here / "go").exists():
        await anyio.sleep(0.01)
    os.write(log, b"end\\n")


wsgi = callbacks.wsgi(RECEIVER, function, duplicates=duplicates)
asgi = callbacks.asgi(RECEIVER, function, duplicates=duplicates)
asgi_coroutine = callbacks.asgi(RECEIVER, coroutine, duplicates=duplicates)
"""
UVICORN = ["uvicorn", "--log-level", "critical", "--timeout-graceful-shutdown", "0", "--port"]
HYPERCORN = ["hypercorn", "--graceful-timeout", "0", "--log-level", "critical"]
GUNICORN = ["gunicorn", "--graceful-timeout", "0", "--log-level", "critical"]
SERVERS = {
    "uvicorn, function": (UVICORN, "asgi"),
    "uvicorn, coroutine": (UVICORN, "asgi_coroutine"),
    "hypercorn, function": ([*HYPERCORN, "--bind"], "asgi"),
    "hypercorn, coroutine": ([*HYPERCORN, "--bind"], "asgi_coroutine"),
    "hypercorn on trio, function": ([*HYPERCORN, "-k", "trio", "--bind"], "asgi"),
    "hypercorn on trio, coroutine": ([*HYPERCORN, "-k", "trio", "--bind"], "asgi_coroutine"),
    "gunicorn": ([*GUNICORN, "--bind"], "wsgi"),
    "gunicorn with threads": ([*GUNICORN, "--threads", "4", "--bind"], "wsgi"),
}


class Server:
    def __init__(self, name, folder):
        arguments, application = SERVERS[name]
        pytest.importorskip(arguments[0])
        if "trio" in arguments:
            pytest.importorskip("trio")
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        place = str(self.port) if arguments[0] == "uvicorn" else f"127.0.0.1:{self.port}"
        program = Path(sys.executable).parent / arguments[0]
        self.command = [str(program), *arguments[1:], place, f"app:{application}"]
        self.folder = folder
        (folder / "app.py").write_text(APP.format(tests=str(Path(__file__).parent)))
        self.start()

    def start(self):
        with (self.folder / "errors").open("ab") as errors:
            # A group of its own, because gunicorn has worker processes.
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, stdout=errors, stderr=errors, start_new_session=True
            )
        while self.process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.02)
        pytest.fail((self.folder / "errors").read_text())

    def send(self, number):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)
        self.process.wait()

    def connect(self):
        """Sends the report and does not read the response."""
        client = socket.create_connection(("127.0.0.1", self.port))
        client.sendall(f"GET {report()} HTTP/1.1\r\nHost: shop.example\r\n\r\n".encode())
        return client

    def status(self):
        """The response to the report; 0 if a process that is ending has closed the connection."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.request()
        return 0

    def request(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request("GET", report())
            return connection.getresponse().status

    def log(self):
        return (self.folder / "log").read_text().split() if (self.folder / "log").exists() else []

    def wait_for(self, word):
        while word not in self.log():
            assert self.process.poll() is None, (self.folder / "errors").read_text()
            time.sleep(0.01)

    def until_200(self):
        while (status := self.status()) != 200:
            assert status in (0, 503)
            time.sleep(0.05)


@pytest.fixture(params=SERVERS)
def server(request, tmp_path):
    server = Server(request.param, tmp_path)
    server.name = request.param
    yield server
    server.send(signal.SIGKILL)


def test_a_client_that_disconnects_loses_no_event(server):
    client = server.connect()
    server.wait_for("start")
    client.close()
    (server.folder / "go").touch()
    server.until_200()
    log = server.log()
    assert log.count("end") >= 1
    assert server.status() == 200
    assert server.log() == log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
def test_a_worker_that_ends_during_the_handler_loses_no_event(server, number):
    with server.connect():
        server.wait_for("start")
        if number == signal.SIGTERM and "function" in server.name:
            (server.folder / "go").touch()  # a function cannot be cancelled: the server waits for it
        server.send(number)
    (server.folder / "go").touch()
    server.start()
    server.until_200()
    log = server.log()
    assert log[-1] == "end"
    assert log.count("end") == 1
    assert server.status() == 200
    assert server.log() == log
