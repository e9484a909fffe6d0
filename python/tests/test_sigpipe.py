"""A server that resets its connections must not end a program whose SIGPIPE has the default action."""

import contextlib
import json
import signal
import socket
import socketserver
import ssl
import struct
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from conftest import Request, http_response

PHASES = ["before", "in_request", "during", "after", "idle"]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificate")
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    command += ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    command += [
        "-addext",
        "basicConstraints=critical,CA:FALSE",
        "-keyout",
        folder / "key.pem",
        "-out",
        folder / "cert.pem",
    ]
    subprocess.run(command, check=True, capture_output=True)
    return folder


class ResettingServer:
    """Answers `sms.send` and resets the connection in a phase of the exchange: with RST, or with FIN and then RST."""

    def __init__(self, phase, fin, certificate):
        context = None
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
        self.resets = 0
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                self.raw = self.request
                with contextlib.suppress(OSError):
                    if context:
                        self.request = context.wrap_socket(self.raw, server_side=True)
                    self.serve(self.request.makefile("rb"))
                with contextlib.suppress(OSError):
                    self.reset(self.request)

            def serve(self, file):
                if phase == "in_request":
                    file.read(300)
                    return
                request = Request.read(file)
                if request is None or phase == "before":
                    return
                body = {
                    "id": f"m-{time.monotonic_ns()}",
                    "timestamp": "t",
                    "responseCode": 0,
                    "to": request.json["to"],
                }
                data = http_response(body)
                self.request.sendall(data[:-20] if phase == "during" else data)
                if phase == "idle":
                    time.sleep(0.05)

            def reset(self, connection):
                if fin:
                    socket.socket.shutdown(connection, socket.SHUT_WR)
                    time.sleep(0.02)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
                outer.resets += 1

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True
            request_queue_size = 128

            def shutdown_request(self, request):
                request.close()

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http{'s' if certificate else ''}://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


PROGRAM = """
    import asyncio, contextlib, json, signal, sys, time
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    import cpaas

    way, settings, large = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3] == "large"
    sms = {"from_": "Acme", "to": "306912345678", "text": "Hi"}
    extra = {"padding": "x" * 600_000} if large else {}

    def send(client):
        with contextlib.suppress(cpaas.Error):
            client.sms.send(**sms, extra=extra)

    async def asynchronous():
        async with cpaas.AsyncClient(**settings) as client:
            for _ in range(3):
                with contextlib.suppress(cpaas.Error):
                    await client.sms.send(**sms, extra=extra)
                await asyncio.sleep(0.12)

    if way == "asyncio":
        asyncio.run(asynchronous())
    elif way == "send_many":
        with cpaas.Client(**settings) as client:
            for _ in range(2):
                list(client.sms.send_many([{**sms, "extra": extra} for _ in range(8)], concurrency=4))
                time.sleep(0.12)
    elif way == "sync":
        with cpaas.Client(**settings) as client:
            for _ in range(3):
                send(client)
                time.sleep(0.12)
    elif way == "close":
        client = cpaas.Client(**settings)
        send(client)
        time.sleep(0.12)
        client.close()
        cpaas.Client(**settings).close()
    elif way == "exit":
        client = cpaas.Client(**settings)
        send(client)
        time.sleep(0.12)
    elif way == "handler":
        caught = []
        signal.signal(signal.SIGPIPE, lambda *_: caught.append(1))
        with cpaas.Client(**settings) as client:
            send(client)
            time.sleep(0.12)
            send(client)
        assert caught == []
        assert signal.SIGPIPE not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
        signal.raise_signal(signal.SIGPIPE)
        assert caught == [1]
    elif way == "pending":
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPIPE])
        with cpaas.Client(**settings) as client:
            send(client)
        assert signal.SIGPIPE not in signal.sigpending()
        signal.raise_signal(signal.SIGPIPE)
        with cpaas.Client(**settings) as client:
            send(client)
        assert signal.SIGPIPE in signal.sigpending()
    print("done", end="")
"""
WAYS = ["sync", "asyncio", "send_many", "close", "exit", "handler", "pending"]


@pytest.mark.parametrize("fin", [False, True], ids=["rst", "fin_and_rst"])
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_reset_does_not_end_the_program(certificate, scheme, phase, fin):
    server = ResettingServer(phase, fin, certificate if scheme == "https" else None)
    settings = {
        "sms_url": server.url,
        "sms_key": "key-secret",
        "max_attempts": 1,
        "ca_bundle": str(certificate / "cert.pem"),
    }
    arguments = [json.dumps(settings), "large" if phase == "in_request" else "small"]
    running = [
        (
            way,
            subprocess.Popen(
                [sys.executable, "-c", textwrap.dedent(PROGRAM), way, *arguments],
                stdout=-1,
                stderr=-1,
                text=True,
            ),
        )
        for way in WAYS
    ]
    ends = {way: (*program.communicate(timeout=120), program.returncode) for way, program in running}
    server.close()
    assert server.resets >= len(WAYS)
    assert ends == dict.fromkeys(WAYS, ("done", "", 0)), f"{-signal.SIGPIPE} is SIGPIPE"
