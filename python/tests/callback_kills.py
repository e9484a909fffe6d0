"""Kills six workers at random moments while they handle callbacks, and counts the events that were lost.

    callback_kills.py STORE ADDRESS [EVENTS [KILLS_PER_SECOND]]

STORE is a store of docs/callbacks.md, `recipe` (the handler of the section "Exactly once"), `two-states` (the old kind of store,
in Redis, which must lose events: otherwise this test would find nothing) or `rust` (six programs `callback_worker`, axum with
leases in SQLite; the environment variable CALLBACK_WORKER is the path of the program). ADDRESS is that of its server, or a file.
"""

import asyncio
import contextlib
import http.client
import os
import random
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import callback_stores
from callback_adapters import RECEIVER

from cpaas import callbacks

LEASE = 2
WORKERS = ["wsgi", "wsgi", "asgi function", "asgi function", "asgi coroutine", "asgi coroutine"]


class TwoStates:
    """The store of earlier versions of the page."""

    def __init__(self, address):
        import redis

        self.client = redis.Redis.from_url(address)

    def swap(self, key, present):
        if present:
            return self.client.set(key, 1, nx=True, ex=3600) is None
        return bool(self.client.delete(key))


# ---- a worker


def work(kind, name, address, port, log):
    """Serves one port until it is killed."""
    if name == "recipe":
        store, do = callback_stores.store("PostgresStore", address), callback_stores.recipe(address)
    else:
        store, do = (
            TwoStates(address) if name == "two-states" else callback_stores.store(name, address),
            print,
        )
    file = os.open(log, os.O_WRONLY | os.O_APPEND)

    def note(word, event):
        # One write of one line survives `kill -9`.
        os.write(file, f"{word} {event.message_id} {os.getpid()} {time.monotonic()}\n".encode())

    def begin(event):
        note("start", event)
        return random.uniform(0.001, 0.05)

    def end(event):
        if random.random() < 0.05:
            note("fail", event)
            raise LookupError("the database is not reachable")
        if name == "recipe":
            do(event)
        note("end", event)

    def function(event):
        time.sleep(begin(event))
        end(event)

    async def coroutine(event):
        await asyncio.sleep(begin(event))
        if name == "recipe":
            await asyncio.to_thread(end, event)
        else:
            end(event)

    duplicates = callbacks.Duplicates(store=store, lease=LEASE, keep=3600)
    if kind == "wsgi":
        serve_wsgi(callbacks.wsgi(RECEIVER, function, duplicates=duplicates), port)
    else:
        import uvicorn

        handler = coroutine if kind == "asgi coroutine" else function
        app = callbacks.asgi(RECEIVER, handler, duplicates=duplicates)
        uvicorn.run(app, host="127.0.0.1", port=port, log_level="critical", access_log=False)


def serve_wsgi(app, port):
    class Quiet(WSGIRequestHandler):
        def log_message(self, *args):
            pass

        def get_stderr(self):
            return open(os.devnull, "w")

    class Threads(socketserver.ThreadingMixIn, WSGIServer):
        daemon_threads = True
        request_queue_size = 128

    make_server("127.0.0.1", port, app, Threads, Quiet).serve_forever(0.01)


# ---- the provider


class Worker:
    def __init__(self, kind, name, address, log):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        work = [sys.executable, __file__, "work", kind, name]
        if name == "rust":
            work = [os.environ["CALLBACK_WORKER"]]
        self.command = [*work, address, str(self.port), log]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def is_ready(self):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Provider:
    """Repeats each event until a response is 200, and then once more."""

    def __init__(self, workers):
        self.workers = workers
        self.lock = threading.Lock()
        self.responses = {}
        self.answered = {}

    def deliver(self, message_id, url):
        again = True
        while True:
            status, wait = self.request(random.choice(self.workers).port, url)
            now = time.monotonic()
            with self.lock:
                self.responses[status] = self.responses.get(status, 0) + 1
                if status == 200:
                    self.answered.setdefault(message_id, now)
            if status == 200:
                if not again:
                    return
                again = False
            time.sleep(min(wait, 0.2) if status == 503 else 0.02)

    def request(self, port, url):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", url)
            response = connection.getresponse()
            response.read()
            return response.status, float(response.headers.get("retry-after", 0))
        except (OSError, http.client.HTTPException):
            return "none", 0.0
        finally:
            connection.close()


def count(lines, provider, events):
    """The counts of the log and of the responses."""
    runs, ended = {}, {}
    for word, message_id, pid, moment in map(str.split, lines):
        if word == "start":
            runs.setdefault(message_id, []).append([float(moment), None, pid])
        else:
            run = [run for run in runs[message_id] if run[2] == pid and run[1] is None][-1]
            run[1] = float(moment)
            if word == "end":
                ended.setdefault(message_id, float(moment))
    beside = 0
    for each in runs.values():
        for start, end, _ in each:
            # A run that was killed, or that lasted about as long as its lease, does not exclude another run.
            if end is not None and end - start < LEASE / 2:
                beside += sum(start < other < end for other, _, _ in each)
    return {
        "events": events,
        "runs": sum(map(len, runs.values())),
        "runs that were killed": sum(run[1] is None for each in runs.values() for run in each),
        "events run more than once": sum(len(each) > 1 for each in runs.values()),
        "two runs at once": beside,
        "answered 200": len(provider.answered),
        "answered 200 without a completed handler": sum(
            ended.get(message_id, float("inf")) > moment for message_id, moment in provider.answered.items()
        ),
        "never completed": events - len(ended),
    }


def run(name, address, events=2000, kills_per_second=4.0):
    """Runs the workers and the provider. Returns the counts."""
    urls = {}
    for number in range(events):
        reference = f"booking-{number}"
        url = RECEIVER.url("sms_report", reference).removeprefix("https://shop.example")
        urls[f"m-{number}"] = f"{url}&msgid=m-{number}&status=delivered&reference={reference}"
    deliveries = [*urls.items(), *random.sample([*urls.items()], events // 10)]  # some arrive twice at once
    random.shuffle(deliveries)
    with tempfile.TemporaryDirectory() as folder:
        log = str(Path(folder) / "log")
        Path(log).touch()
        workers = [Worker(kind, name, address, log) for kind in WORKERS]
        provider, kills, stop = Provider(workers), 0, threading.Event()
        try:
            while not all(worker.is_ready() for worker in workers):
                assert all(worker.process.poll() is None for worker in workers), "a worker does not start"
                time.sleep(0.02)

            def kill():
                nonlocal kills
                while not stop.wait(random.uniform(0.5, 1.5) / kills_per_second):
                    worker = random.choice(workers)
                    if worker.is_ready():
                        worker.kill()
                        kills += 1
                        worker.start()

            killer = threading.Thread(target=kill)
            killer.start()
            try:
                with ThreadPoolExecutor(32) as pool:
                    list(pool.map(lambda delivery: provider.deliver(*delivery), deliveries))
            finally:
                stop.set()
                killer.join()
        finally:
            for worker in workers:
                worker.kill()
        counts = count(Path(log).read_text().splitlines(), provider, events)
    return {"kills": kills, **counts, "responses": provider.responses}


def main(name, address, events="2000", kills_per_second="4"):
    if name == "recipe":
        import psycopg

        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP TABLE IF EXISTS callbacks, totals")
            connection.execute("CREATE TABLE totals AS SELECT 0 AS delivered")
    if name == "rust":
        callback_stores.store("SqliteStore", address)  # creates the table
    counts = run(name, address, int(events), float(kills_per_second))
    lost = counts["answered 200 without a completed handler"] + counts["never completed"]
    if name == "recipe":
        # A worker that is killed between its commit and the line `end` has done its work.
        with psycopg.connect(address) as connection:
            [counts["work done"]] = connection.execute("SELECT delivered FROM totals").fetchone()
        del counts["answered 200 without a completed handler"], counts["never completed"]
        lost = abs(counts["work done"] - counts["events"])
    print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in counts.items()), flush=True)
    if name == "two-states":
        return int(lost == 0)
    return int(lost > 0 or counts["two runs at once"] > 0 or counts["answered 200"] != counts["events"])


if __name__ == "__main__":
    if sys.argv[1] == "work":
        work(*sys.argv[2:5], int(sys.argv[5]), sys.argv[6])
    else:
        sys.exit(main(*sys.argv[1:]))
