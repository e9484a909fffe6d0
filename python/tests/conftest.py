"""Shared by the tests: the vectors, a server with literal responses (`wire`), a sandbox and its client."""

import contextlib
import itertools
import json
import os
import socketserver
import threading
from pathlib import Path
from socket import SHUT_RDWR

import pytest

import cpaas

VECTORS = Path(os.environ.get("CPAAS_VECTORS", Path(__file__).parents[2] / "tests" / "vectors"))


def vectors(name):
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def http_response(body, status=200, headers=()):
    """Returns an HTTP response as bytes."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} X", f"content-length: {len(data)}", "content-type: application/json"]
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


class Wire:
    """An HTTP server. It sends the bytes that `script` returns for a request, and closes the connection if they are None or
    contain `connection: close`."""

    def __init__(self):
        numbers = itertools.count(1)
        self.script = lambda request: http_response(
            {"id": f"m-{next(numbers)}", "timestamp": "t", "responseCode": 0, "to": request.json["to"]}
        )
        self.requests = []
        self.connections = 0
        self.sockets = []
        wire = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                wire.connections += 1
                wire.sockets.append(self.connection)
                try:
                    while request := Request.read(self.rfile):
                        wire.requests.append(request)
                        data = wire.script(request)
                        if data is None:
                            return
                        self.wfile.write(data)
                        if b"connection: close" in data:
                            return
                except OSError:
                    return

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True
            request_queue_size = 128

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close_connections(self):
        """Closes all open connections."""
        for socket in self.sockets:
            with contextlib.suppress(OSError):
                socket.shutdown(SHUT_RDWR)
        self.sockets.clear()

    def settings(self, **more):
        urls = ("otp_url", "sms_url", "lookup_url", "messaging_url", "messenger_b_url", "messenger_c_url")
        keys = {"account_sid": "AC1", "api_key": "key-secret", "sms_key": "sms-secret", "max_attempts": 1}
        account = {"traffic_account_id": "0f8fad5b-d9cb-469f-a165-70867728950e"}
        return {**dict.fromkeys(urls, self.url), **keys, **account, **more}

    def client(self, **more):
        return cpaas.Client(**self.settings(**more))

    def async_client(self, **more):
        return cpaas.AsyncClient(**self.settings(**more))


class Request:
    @classmethod
    def read(cls, file):
        line = file.readline()
        if not line:
            return None
        request = cls()
        request.method, request.path, _ = line.decode().split()
        request.headers = {}
        while line := file.readline().strip():
            name, value = line.decode().split(":", 1)
            request.headers[name.lower()] = value.strip()
        request.body = file.read(int(request.headers.get("content-length", 0)))
        return request

    @property
    def json(self):
        return json.loads(self.body)


@pytest.fixture
def wire():
    wire = Wire()
    yield wire
    wire.server.shutdown()
    wire.server.server_close()


@pytest.fixture
def sandbox():
    with cpaas.Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def client(sandbox):
    with sandbox.client() as client:
        yield client


@pytest.fixture(autouse=True, scope="session")
def _state_folder(tmp_path_factory):
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True)
def _no_environment():
    # Not by `monkeypatch`: pytest-run-parallel runs no test with it in parallel.
    names = [name for name in os.environ if name.startswith("CPAAS_") and name != "CPAAS_VECTORS"]
    removed = {name: os.environ.pop(name) for name in names}
    yield
    os.environ.update(removed)
