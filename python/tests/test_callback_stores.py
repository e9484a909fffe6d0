"""The stores of docs/callbacks.md with Redis, PostgreSQL and SQLite. `CALLBACK_TEST_STORES` names those that must not be skipped."""

import concurrent.futures
import os
import socket
import sqlite3
import stat
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import callback_stores
import pytest
from callback_adapters import ADAPTERS, RECEIVER, report

from cpaas import callbacks

REQUIRED = os.environ.get("CALLBACK_TEST_STORES", "").split()
NAMES = ["RedisStore", "PostgresStore", "SqliteStore"]
SERVERS = ["RedisStore", "PostgresStore"]


@pytest.fixture(scope="module")
def redis_address(tmp_path_factory):
    with callback_stores.redis_server(tmp_path_factory.mktemp("redis")) as address:
        yield address


@pytest.fixture
def address(request, redis_address, tmp_path):
    """The address of an empty store."""
    name = request.param
    if name == "SqliteStore":
        return str(tmp_path / "callbacks.db")
    module = {"RedisStore": "redis", "PostgresStore": "psycopg"}[name]
    found = {"RedisStore": redis_address, "PostgresStore": os.environ.get("CALLBACK_TEST_POSTGRES")}[name]
    if found is None and name not in REQUIRED:
        pytest.skip("no server")
    driver = __import__(module) if name in REQUIRED else pytest.importorskip(module)
    assert found is not None, f"{name} needs its server"
    if name == "RedisStore":
        with driver.Redis.from_url(found) as client:
            client.flushall()
    else:
        found = found.replace("postgres://", "postgresql://")
        with driver.connect(found, autocommit=True) as connection:
            connection.execute("DROP TABLE IF EXISTS callbacks, totals")
    return found


@pytest.fixture
def store(request, address):
    return callback_stores.store(request.node.callspec.params["address"], address)


def stores(names=NAMES):
    return pytest.mark.parametrize("address", names, indirect=True)


def wait_until_ended(store, key):
    """Waits until the lease or the retention of a key has ended, and frees it."""
    while store.claim(key, "w" * 32, 1)[0] != "new":
        time.sleep(0.01)
    store.free(key, "w" * 32)


def state(answer):
    return answer[0]


@stores()
def test_a_store_has_three_states(store):
    assert store.claim("k", "t1", 90) == ("new", 0)
    assert store.claim("k", "t1", 60) == ("new", 0)
    name, left = store.claim("k", "t2", 90)
    assert (name, 0 < left <= 60) == ("busy", True)
    store.free("k", "t2")
    assert state(store.claim("k", "t2", 90)) == "busy"
    store.free("k", "t1")
    assert store.claim("k", "t2", 90) == ("new", 0)
    store.done("k", "t1", 90)  # also without the lease
    store.done("k", "t1", 90)
    store.free("k", "t1")
    store.free("k", "t2")
    assert store.claim("k", "t3", 90) == ("done", 0)
    assert store.claim("other", "t3", 90) == ("new", 0)


@stores()
def test_processes_that_start_at_once_create_the_store(request, address):
    name = request.node.callspec.params["address"]

    def start(token):
        barrier.wait()
        return state(callback_stores.store(name, address).claim("k", token, 90))

    barrier = threading.Barrier(8)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(start, [f"t{number}" for number in range(8)]))
    assert sorted(found) == ["busy"] * 7 + ["new"]


@stores()
def test_a_lease_and_a_retention_end(store):
    store.claim("lease", "t1", 1)
    wait_until_ended(store, "lease")
    store.claim("lease", "t2", 1)
    store.free("lease", "t1")
    assert state(store.claim("lease", "t3", 1)) == "busy"
    store.done("retention", "t1", 1)
    wait_until_ended(store, "retention")
    assert state(store.claim("retention", "t2", 1)) == "new"


@stores()
def test_one_of_eight_claims_wins(store):
    keys = [f"k{number}" for number in range(250)]

    def claims(lease):
        def run(token):
            barrier.wait()
            return [state(store.claim(key, token, lease)) for key in keys]

        barrier = threading.Barrier(8)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            found = list(pool.map(run, [f"{lease}-{number}" for number in range(8)]))
        return [sorted(states) for states in zip(*found)]

    assert claims(3600) == [["busy"] * 7 + ["new"]] * len(keys)
    for key in keys:
        store.done(key, "x", 1)
    wait_until_ended(store, keys[-1])
    assert claims(3601) == [["busy"] * 7 + ["new"]] * len(keys)  # after the end of a retention


@stores()
def test_an_adapter_runs_each_event_once(store):
    calls = []

    def handle(event):
        calls.append(event)
        if len(calls) == 1:
            raise LookupError("the database is not reachable")
        assert request(report())[0] == 503

    request = ADAPTERS["wsgi"](handle, callbacks.Duplicates(store=store))
    assert [request(report())[0] for _ in range(3)] == [500, 200, 200]
    assert len(calls) == 2


@stores(SERVERS)
def test_a_server_that_is_down_or_hangs_is_503(store, address):
    request = ADAPTERS["wsgi"](print, callbacks.Duplicates(store=store))
    with socket.create_server(("127.0.0.1", 0)) as listener:  # accepts connections and never responds
        port = listener.getsockname()[1]
        hanging = redirected(store, address, port)
        request = ADAPTERS["wsgi"](print, callbacks.Duplicates(store=hanging))
        start = time.monotonic()
        assert request(report()) == (503, "5")
        # About 2 seconds: the retries that the Redis client makes by default take 9.
        assert time.monotonic() - start < 6
    assert request(report()) == (503, "5")  # nobody listens


def redirected(store, address, port):
    """The same store at another port."""
    parts = urlsplit(address)
    moved = parts._replace(
        netloc=parts.netloc.replace(f":{parts.port}", f":{port}").replace("localhost", "127.0.0.1")
    )
    if "client" in vars(store):
        return type(store)(moved.geturl())
    other = type(store).__new__(type(store))
    other.address, other.threads = moved.geturl(), threading.local()
    return other


@stores(SERVERS)
@pytest.mark.parametrize("command", ["claim", "done", "free"])
def test_a_lost_reply_loses_no_event(store, address, command):
    parts = urlsplit(address)
    proxy = callback_stores.Proxy("127.0.0.1", parts.port)
    behind = redirected(store, address, proxy.port)
    calls = []

    class Drops:
        """Loses the reply of one command."""

        def __getattr__(self, name):
            if name == command and not proxy.dropped:
                proxy.drop()
            return getattr(behind, name)

    def handle(event):
        calls.append(event)
        if command == "free" and len(calls) == 1:
            raise LookupError("the database is not reachable")

    behind.claim("warm", "t", 90)  # opens the connection
    filter = callbacks.Duplicates(store=behind)
    filter._leases = Drops()
    request = ADAPTERS["wsgi"](handle, filter)
    assert request(report())[0] == (500 if command == "free" else 200)
    assert proxy.dropped == 1
    assert request(report()) == (200, None)
    assert len(calls) == (2 if command == "free" else 1)


@stores(["SqliteStore"])
def test_only_its_owner_can_access_the_file_of_sqlite(store, address):
    umask = os.umask(0)
    try:
        path = Path(address).with_name("it's new.db")
        behind = callback_stores.store("SqliteStore", path)
        behind.claim("k", "t", 90)
    finally:
        os.umask(umask)
    files = [path, Path(f"{path}-wal"), Path(f"{path}-shm")]
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600] * 3
    for file in files:
        for wide in (0o640, 0o604, 0o666, 0o601):
            file.chmod(wide)
            with pytest.raises(PermissionError, match=f"got the mode {wide:04o}; run `chmod 600 ") as refused:
                callback_stores.store("SqliteStore", path)
            assert stat.S_IMODE(file.stat().st_mode) == wide
            subprocess.run(str(refused.value).split("`")[1], shell=True, check=True)
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = callback_stores.store("SqliteStore", path)
    assert state(again.claim("k", "other", 90)) == "busy", "the lease is kept"


@stores(["SqliteStore"])
def test_the_file_of_sqlite_is_not_created_through_a_link(store, address):
    target = Path(address).with_name("target.db")
    link = Path(address).with_name("link.db")
    link.symlink_to(target)
    with pytest.raises(FileNotFoundError):
        callback_stores.store("SqliteStore", link)
    assert not target.exists()


@stores(["SqliteStore"])
def test_the_file_of_sqlite_keeps_its_mode(store, address):
    with sqlite3.connect(address) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


@stores(["PostgresStore"])
def test_a_claim_does_not_wait_for_the_transaction_of_another_connection(store, address):
    import psycopg

    store.claim("k", "t1", 90)
    with psycopg.connect(address) as connection:
        connection.execute("UPDATE callbacks SET token = token WHERE key = 'k'")  # locks the row
        with pytest.raises((TimeoutError, psycopg.OperationalError)):
            store.claim("k", "t2", 90)
        connection.rollback()
    assert state(store.claim("k", "t2", 90)) == "busy"


@stores(["PostgresStore"])
def test_the_recipe_does_the_work_exactly_once(store, address):
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE TABLE totals (delivered int)")
        connection.execute("INSERT INTO totals VALUES (0)")
    handle = callback_stores.recipe(address)
    request = ADAPTERS["wsgi"](handle, callbacks.Duplicates(store=store))
    assert [request(report()) for _ in range(2)] == [(200, None)] * 2
    # Runs after the end of a lease: eight at once, of an event that is done and of one that is not.
    for url in (report(), report("m-2")):
        event = RECEIVER.receive("GET", url)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(handle, [event] * 8))
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT delivered FROM totals").fetchone() == (2,)
    assert state(store.claim(RECEIVER.receive("GET", report("m-2")).key, "t", 90)) == "done"
