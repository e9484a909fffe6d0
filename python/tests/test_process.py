"""Threads, forks, signals and interpreter exit."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from conftest import http_response

import cpaas

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}
EXITS = int(os.environ.get("CPAAS_EXITS", "12"))
THREADS, CALLS = 32, int(os.environ.get("CPAAS_THREAD_CALLS", "1000"))


def python(code, *arguments, **options):
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, **options)


def test_threads_share_a_client_and_get_their_own_results():
    wrong = []
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:

        def run(thread):
            for call in range(CALLS):
                to = f"3069{thread:03}{call:05}"
                if client.sms.send(from_="Acme", to=to, text="Hi").to != to:
                    wrong.append(to)

        threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert wrong == []
        assert len({entry["to"] for entry in sandbox.ledger()}) == THREADS * CALLS


def test_a_call_releases_the_interpreter(wire):
    together = threading.Barrier(8)  # no response before all requests have arrived
    sent = []

    def script(_):
        return http_response({"id": f"{together.wait(100)}", "timestamp": "t", "responseCode": 0})

    wire.script = script
    with wire.client(timeout=100, deadline=100) as client:
        threads = [threading.Thread(target=lambda: sent.append(client.sms.send(**SMS).id)) for _ in range(8)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    assert sorted(sent) == [str(number) for number in range(8)]


def send(client, queue):
    queue.put(client.sms.send(**SMS).id)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_child_processes_use_an_inherited_client(wire, method):
    context = multiprocessing.get_context(method)
    with wire.client(pickle_secrets=True) as client:
        client.sms.send(**SMS)
        queue = context.Queue()
        children = [context.Process(target=send, args=(client, queue)) for _ in range(3)]
        [child.start() for child in children]
        assert sorted(queue.get(timeout=300) for _ in children) == ["m-2", "m-3", "m-4"]
        [child.join(300) for child in children]
        assert [child.exitcode for child in children] == [0] * 3
        assert client.sms.send(**SMS).id == "m-5"
    assert {request.headers["x-service-api-key"] for request in wire.requests} == {"sms-secret"}


def test_a_fork_with_a_loop_and_a_sandbox_exits_cleanly():
    done = python("""
        import asyncio, os, cpaas
        sandbox = cpaas.Sandbox()
        client = sandbox.async_client()
        send = lambda: client.sms.send(from_="Acme", to="306912345678", text="Hi")
        async def twice():
            await asyncio.gather(send(), send())
        asyncio.run(twice())
        pid = os.fork()
        if pid == 0:
            asyncio.run(twice())
            os._exit(0)
        assert os.waitpid(pid, 0)[1] == 0
        asyncio.run(twice())
        print(len(sandbox.ledger()))
    """)
    assert (done.returncode, done.stdout.strip()) == (0, "6"), done.stderr


def test_ctrl_c_interrupts_a_call_at_once(wire):
    release = threading.Event()
    wire.script = lambda _: release.wait(300) and None
    code = """
        import sys, cpaas
        client = cpaas.Client(sms_url=sys.argv[1], sms_key="k", timeout=300, deadline=300)
        print("calling", flush=True)
        try:
            client.sms.send(from_="Acme", to="306912345678", text="Hi")
        except KeyboardInterrupt as error:
            print("interrupted", *getattr(error, "__notes__", []), sep="|", flush=True)
    """
    command = [sys.executable, "-c", textwrap.dedent(code), wire.url]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "calling\n"
    while not wire.requests:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    interrupted, *notes = child.stdout.readline().strip().split("|")
    assert interrupted == "interrupted"
    if sys.version_info >= (3, 11):
        assert notes == ["cpaas: sms.send was abandoned; the request may have been sent"]
    assert child.wait(100) == 0
    release.set()


IN_FLIGHT = {
    "asyncio": """
        import asyncio, sys, cpaas
        async def main():
            client = cpaas.AsyncClient(sms_url=sys.argv[1], sms_key="k")
            tasks = [asyncio.ensure_future(client.sms.send(from_="Acme", to="306912345678", text="Hi")) for _ in range(8)]
            await asyncio.sleep(0.02)
        asyncio.run(main())
    """,
    "no cancelling": """
        import asyncio, sys, cpaas
        client = cpaas.AsyncClient(sms_url=sys.argv[1], sms_key="k")
        loop = asyncio.new_event_loop()
        tasks = [loop.create_task(client.sms.send(from_="Acme", to="306912345678", text="Hi")) for _ in range(8)]
        loop.run_until_complete(asyncio.sleep(0.02))
        sys.stderr = None
    """,
    "daemon threads": """
        import sys, threading, time, cpaas
        client = cpaas.Client(sms_url=sys.argv[1], sms_key="k")
        call = lambda: client.sms.send(from_="Acme", to="306912345678", text="Hi")
        for _ in range(8):
            threading.Thread(target=call, daemon=True).start()
        time.sleep(0.05)
    """,
}


@pytest.mark.parametrize("kind", IN_FLIGHT)
def test_a_program_ends_cleanly_with_running_calls(wire, kind):
    delays = iter([0.0, 0.01, 0.02, 0.03, 0.05, 0.1, 5] * EXITS * 8)

    def script(_):
        time.sleep(next(delays))
        return http_response({"id": "1", "timestamp": "t", "responseCode": 0})

    wire.script = script
    for _ in range(EXITS):
        done = python(IN_FLIGHT[kind], wire.url)
        assert done.returncode == 0, done.stderr
        assert "Fatal" not in done.stderr


def test_clients_pickle_by_configuration_without_keys(wire, monkeypatch):
    with wire.client() as client:
        data = pickle.dumps(client)
        assert b"sms-secret" not in data
        assert b"key-secret" not in data
        monkeypatch.setenv("CPAAS_SMS_KEY", "from-environment")
        with pickle.loads(data) as back:
            back.sms.send(**SMS)
        assert wire.requests[-1].headers["x-service-api-key"] == "from-environment"
    with wire.client(pickle_secrets=True) as client, pickle.loads(pickle.dumps(client)) as back:
        back.sms.send(**SMS)
    assert wire.requests[-1].headers["x-service-api-key"] == "sms-secret"


def test_the_calling_thread_drives_sync_calls_and_one_worker_thread_async_calls(wire):
    code = """
        import asyncio, os, sys, cpaas
        threads = lambda: len(os.listdir("/proc/self/task"))
        clients = [cpaas.Client(sms_url=sys.argv[1], sms_key="k") for _ in range(5)]
        for client in clients:
            client.sms.send(from_="Acme", to="306912345678", text="Hi")
        alone = threads()
        async def main():
            for _ in range(5):
                async with cpaas.AsyncClient(sms_url=sys.argv[1], sms_key="k") as client:
                    await client.sms.send(from_="Acme", to="306912345678", text="Hi")
        asyncio.run(main())
        client.sms.send(from_="Acme", to="306912345678", text="Hi")
        print(alone, threads())
    """
    if not os.path.exists("/proc/self/task"):
        pytest.skip("no /proc")
    assert python(code, wire.url).stdout.strip() == "1 2"


def test_a_closed_client_closes_its_connections_without_a_worker_thread(wire):
    code = """
        import os, sys, cpaas
        def connections():
            found = 0
            for name in os.listdir("/proc/self/fd"):
                try:
                    found += os.readlink(f"/proc/self/fd/{name}").startswith("socket")
                except OSError:  # the directory itself
                    pass
            return found
        before = connections()
        client = cpaas.Client(sms_url=sys.argv[1], sms_key="k")
        client.sms.send(from_="Acme", to="306912345678", text="Hi")
        during = connections()
        client.close()
        print(during > before, connections() < during)
    """
    if not os.path.exists("/proc/self/fd"):
        pytest.skip("no /proc")
    done = python(code, wire.url)
    assert done.stdout.strip() == "True True", done.stderr


def test_a_connection_that_the_provider_closed_is_not_reused(wire):
    with wire.client() as client:
        for call in range(1, 21):
            assert client.sms.send(**SMS).id == f"m-{call}"
            wire.close_connections()


@pytest.mark.parametrize("first", ["import cpaas", "pass"])
def test_sub_interpreters_raise_an_import_error(first):
    code = f"""
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        {first}
        trial = "try: import cpaas\\nexcept ImportError as error: print(error, flush=True)\\nelse: print('loaded', flush=True)"
        interpreters.run_string(interpreters.create(), trial)
        import cpaas
        with cpaas.Sandbox() as sandbox, sandbox.client() as client:
            print(client.sms.send(from_="Acme", to="306912345678", text="Hi").response_code)
    """
    done = python(code)
    error, sent = done.stdout.splitlines()
    assert error in (
        "cpaas must be imported in the main interpreter of a process, got a sub-interpreter",
        "module cpaas._cpaas does not support loading in subinterpreters",
    )
    assert (done.returncode, sent, done.stderr) == (0, "0", "")


@pytest.mark.parametrize("work", ["cpaas.segments('Hello')", "cpaas.validate('sms.send', [Slow(to='1')])"])
def test_the_program_exits_while_daemon_threads_run_public_functions(work):
    """An exit unwinds daemon threads: no native frame may be below the Python code of a public function.

    Such a frame ends the process with a message of its own. Two races of CPython 3.10 end also programs without cpaas:
    it frees the lock of the import system while threads wait for it (so the first call is made before the threads start),
    and a thread that gets the GIL after the end of the interpreter reads its freed state (SIGSEGV, 1 of 2,000 programs).
    """
    code = f"""
import threading, time, cpaas
class Slow(dict):
    def keys(self):
        time.sleep(0.05)
        return super().keys()
def call():
    {work}
def run():
    while True:
        call()
call()
for _ in range(4):
    threading.Thread(target=run, daemon=True).start()
time.sleep(0.1)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    interpreter_races = {-signal.SIGSEGV} if sys.version_info < (3, 11) else set()
    assert done.stderr == ""
    assert done.returncode in {0} | interpreter_races


def test_a_signal_handler_may_call_while_the_first_call_loads_the_classes_of_results():
    code = """
        import faulthandler, signal, sys
        faulthandler.dump_traceback_later(60, exit=True)
        import cpaas

        class Finder:
            def find_spec(self, name, path=None, target=None):
                if name == "cpaas.models":
                    sys.meta_path.remove(self)
                    signal.raise_signal(signal.SIGINT)

        def send():
            return bool(client.sms.send(from_="Acme", to="306912345678", text="Hi").id)

        signal.signal(signal.SIGINT, lambda *_: print("handler", send()))
        with cpaas.Sandbox() as sandbox, sandbox.client() as client:
            sys.meta_path.insert(0, Finder())
            print("call", send())
    """
    assert python(code).stdout.split() == ["handler", "True", "call", "True"]


def test_a_runtime_that_cannot_start_is_not_sent():
    """The signal driver of tokio panics if it finds no file descriptor."""
    code = """
        import os, resource
        import cpaas
        client = cpaas.Client(sms_url="http://127.0.0.1:9", sms_key="k", max_attempts=1)
        opened = len(os.listdir("/proc/self/fd")) - 1
        for limit in range(opened, opened + 8):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
            try:
                client.sms.send(from_="Acme", to="306912345678", text="Hi")
            except BaseException as error:
                print(type(error).__name__, error.sent, error.reason)
    """
    result = python(code)
    lines = set(result.stdout.splitlines())
    assert result.returncode == 0, result.stderr
    assert "NotSent no resources" in lines
    assert lines <= {"NotSent no resources", "NotSent no connect"}
