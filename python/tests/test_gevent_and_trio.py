"""A direct call under gevent warns and a call in trio raises. Both messages name a thread pool, with which calls work."""

import subprocess
import sys

import pytest

# The server runs in another process, because gevent replaces the threads of this one.
SERVER = """
import sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        time.sleep(0.3)
        body = b'{"id": "m-1", "timestamp": "t", "responseCode": 0}'
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_): pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
"""

GEVENT = """
from gevent import monkey
monkey.patch_all()
import sys, warnings, gevent, cpaas

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}
client = cpaas.Client(sms_url=sys.argv[1], sms_key="k", accept_repeated_ids=True)
turns = 0

def other():
    global turns
    while True:
        turns += 1
        gevent.sleep(0.001)

background = gevent.spawn(other)
gevent.sleep(0.01)

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    before = turns
    sent = gevent.get_hub().threadpool.apply(client.sms.send, kwds=SMS)
    print("in the pool", sent.id, turns - before > 10, len(caught))
    try:
        gevent.get_hub().threadpool.apply(client.sms.send, kwds={"from_": "", "to": "", "text": ""})
    except cpaas.Invalid as error:
        print(error.outcome)
    before = turns
    client.sms.send(**SMS)
    print("direct", turns - before, caught[0].category.__name__, "threadpool" in str(caught[0].message), caught[0].filename)
    for call in [
        lambda: client.lookup.numbers(msisdn="306912345678"),
        lambda: client.call("sms.convert", {"messageId": "m-1"}),
        lambda: client.call_raw("POST", "sms", "/x"),
    ]:
        with warnings.catch_warnings(record=True) as named:
            warnings.simplefilter("always")
            try:
                call()
            except cpaas.Error:
                pass
            print(str(named[0].message).split("apply(")[1].split(",")[0])
    client.send_once("order-17", "sms.send", journal=sys.argv[2], **SMS)
    print("once", len(caught), caught[-1].filename)
    rows = [{"to": "306912345678"}]
    campaign = cpaas.Campaign.create(sys.argv[2], "sms.send", rows, {"from": "Acme", "to": "{{to}}", "text": "Hi"})
    campaign.run(client)
    print("campaign", len(caught), "campaign.run" in str(caught[-1].message), caught[-1].filename)
"""


@pytest.fixture
def slow_server():
    process = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    process.terminate()
    process.wait()
    process.stdout.close()


def test_greenlets_run_while_a_call_runs_in_the_thread_pool_and_a_direct_call_warns(slow_server, tmp_path):
    pytest.importorskip("gevent")
    done = subprocess.run(
        [sys.executable, "-c", GEVENT, slow_server, tmp_path / "j.db"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == [
        "in the pool m-1 True 0",
        "invalid",
        "direct 0 RuntimeWarning True <string>",
        "client.lookup.numbers",
        "client.call",
        "client.call_raw",
        "once 2 <string>",
        "campaign 3 True <string>",
    ], done.stderr


def test_without_gevent_its_integration_is_not_loaded():
    code = "import sys, cpaas; cpaas.Client(sms_url='http://127.0.0.1:9', sms_key='k').close(); print('gevent' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}


def test_a_call_in_trio_is_an_error_that_names_the_alternative(wire):
    trio = pytest.importorskip("trio")
    client = wire.async_client()

    async def send():
        await client.sms.send(**SMS)

    async def search():
        await client.otp.search(page_size=2)

    async def walk():
        async for _ in client.otp.search(page_size=2):
            pass

    async def raw():
        await client.call_raw("GET", "sms", "/new")

    async def call():
        await client.call("sms.send", {})

    async def many():
        await client.sms.send_many([SMS])

    for use in (send, search, walk, raw, call, many):
        with pytest.raises(RuntimeError, match=r"asyncio event loop, got trio.*trio\.to_thread\.run_sync"):
            trio.run(use)
    assert wire.requests == []
    client._native.close()


def test_a_sync_call_in_a_thread_of_trio_works(wire):
    trio = pytest.importorskip("trio")

    async def main():
        with wire.client() as client:
            return await trio.to_thread.run_sync(lambda: client.sms.send(**SMS))

    assert trio.run(main).id == "m-1"


def test_a_call_without_an_event_loop_is_a_clear_error(wire):
    client = wire.async_client()
    coroutine = client.sms.send(**SMS)
    with pytest.raises(RuntimeError, match="asyncio event loop, got no event loop"):
        coroutine.send(None)
    client._native.close()
