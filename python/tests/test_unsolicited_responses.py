"""A response that no request caused decides about no later call: a rate limit would send its message again."""

import re
import socket
import threading
import time

import pytest

import cpaas

LIMIT = b'{"responseCode":906,"responseText":"slow down"}'


def http(status, body):
    head = f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nretry-after: 1\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


class Provider:
    """Accepts each message. Its first connection also writes a rate limit, at once or after `delay` seconds."""

    def __init__(self, delay):
        self.delay, self.received, self.lock = delay, [], threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        is_first = True
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection, is_first), daemon=True).start()
            is_first = False

    def serve(self, connection, is_first):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        data = b""
        with connection:
            while chunk := connection.recv(65_536):
                data += chunk
                found = re.search(rb'"text":"(\w+)"', data)
                if found is None:
                    continue
                data = b""
                with self.lock:
                    self.received.append(found[1].decode())
                    own = http(200, b'{"id":"m-%d","responseCode":0}' % len(self.received))
                if is_first and self.delay is None:
                    connection.sendall(own + http(429, LIMIT))
                    continue
                connection.sendall(own)
                if is_first:
                    time.sleep(self.delay)
                    connection.sendall(http(429, LIMIT))


@pytest.mark.parametrize("delay", [None, 0, 0.05], ids=["in the same bytes", "at once", "while idle"])
def test_a_rate_limit_that_no_request_caused_sends_nothing_again(delay):
    provider = Provider(delay)
    with cpaas.Client(sms_url=provider.url, sms_key="k", read_environment=False) as client:
        for text in ("first", "second"):
            assert client.sms.send(from_="Acme", to="306912345678", text=text).id
            # Nothing drives the runtime of the library meanwhile.
            time.sleep(0.3)
    provider.listener.close()
    assert provider.received == ["first", "second"]
