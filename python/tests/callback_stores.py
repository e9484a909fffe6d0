"""The stores of docs/callbacks.md with servers for them. `tests/nightly/callback_kills` uses it too."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

GUIDE = Path(os.environ.get("CALLBACKS_GUIDE", Path(__file__).parents[2] / "docs" / "callbacks.md"))
ADDRESSES = {
    "RedisStore": "redis://localhost:6379",
    "PostgresStore": "postgresql://localhost/shop",
    "SqliteStore": "callbacks.db",
}


def block(contains, replace, by):
    """The names that the block of the page with this text defines, with another address."""
    blocks = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.S | re.M)
    [code] = [each for each in blocks if contains in each]
    assert f'"{replace}"' in code
    found = {}
    exec(code.replace(f'"{replace}"', repr(str(by))), found)
    return found


def store(name, address):
    """A store of the page, at this address."""
    found = block(f"class {name}", ADDRESSES[name], address)
    assert found["duplicates"]._leases is found["duplicates"]._store
    return found["duplicates"]._store


def recipe(address):
    """The handler of the section "Exactly once"."""
    return block("UPDATE totals", ADDRESSES["PostgresStore"], address)["handle"]


@contextlib.contextmanager
def redis_server(folder):
    """Runs a Redis server. Yields its address, or None if it is not installed."""
    program = shutil.which("redis-server")
    if program is None:
        yield None
        return
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while server.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.01)
        assert server.poll() is None, "redis-server did not start"
        yield f"redis://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


class Proxy:
    """Forwards connections to a server. After `drop`, it ends the connection instead of forwarding the next reply."""

    def __init__(self, host, port):
        self.target = (host, port)
        self.dropping = False
        self.dropped = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def drop(self):
        self.dropping = True

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.create_connection(self.target)
                threading.Thread(target=self._forward, args=(client, server, False), daemon=True).start()
                threading.Thread(target=self._forward, args=(server, client, True), daemon=True).start()

    def _forward(self, source, target, is_reply):
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                if is_reply and self.dropping:
                    self.dropping = False
                    self.dropped += 1
                    break
                target.sendall(data)
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
