"""The stores that a client consults before it sends: suppressed numbers, and the guard against pumping."""

import asyncio
import os
import pickle
import subprocess
import sys
import threading

import pytest

import cpaas

NUMBER = "306912345678"


@pytest.fixture
def stopped(tmp_path):
    return cpaas.SuppressionList(tmp_path / "stopped.db")


def send(client, to=NUMBER):
    return client.sms.send(from_="Acme", to=to, text="Hi")


def test_nothing_is_sent_to_a_suppressed_number(sandbox, stopped):
    assert stopped.add("+30 691 234 5678")
    assert not stopped.add(NUMBER)
    with sandbox.client(suppression=stopped) as client:
        with pytest.raises(cpaas.Invalid) as caught:
            send(client)
        assert [(problem.pointer, problem.code) for problem in caught.value.problems] == [
            ("/to", "suppressed")
        ]
        assert NUMBER not in str(caught.value)
        with pytest.raises(cpaas.Invalid):
            client.sms.send_bulk(from_="Acme", to=["306912345679", NUMBER], text="Hi")
        assert not sandbox.ledger()
        client.otp.send(service="login", from_="Acme", to=NUMBER, body="{code}")
        send(client.with_options(suppression=None))
        with pytest.raises(cpaas.Invalid):
            send(client.with_options(timeout=5))
        assert stopped.remove(NUMBER)
        send(client)
    assert len(sandbox.ledger()) == 3


def test_a_path_is_enough_and_survives_pickling(sandbox, tmp_path, stopped):
    stopped.add(NUMBER)
    with sandbox.client(suppression=tmp_path / "stopped.db", pickle_secrets=True) as client:
        with pickle.loads(pickle.dumps(client)) as copy, pytest.raises(cpaas.Invalid):
            send(copy)


def test_async_clients_consult_the_store_too(sandbox, stopped):
    stopped.add(NUMBER)

    async def run():
        async with sandbox.async_client(suppression=stopped) as client:
            with pytest.raises(cpaas.Invalid) as caught:
                await send(client)
            return caught.value.problems[0].code

    assert asyncio.run(run()) == "suppressed"


class Store:
    def __init__(self, answer):
        self.answer = answer
        self.asked = []

    def is_suppressed(self, number):
        self.asked.append((number, threading.current_thread()))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (True, "suppressed"),
        (RuntimeError("the password"), "suppression.unavailable"),
        ("yes", "suppression.unavailable"),
        (None, "suppression.unavailable"),
    ],
)
def test_an_object_can_be_the_store_and_its_failures_send_nothing(sandbox, answer, code):
    store = Store(answer)
    with sandbox.client(suppression=store) as client:
        with pytest.raises(cpaas.Invalid) as caught:
            send(client, "306912345678")
        assert caught.value.problems[0].code == code
        assert "password" not in str(caught.value)
    assert [number for number, _ in store.asked] == [NUMBER]
    assert not sandbox.ledger()


class WrongSignature:
    def is_suppressed(self):
        return False


@pytest.mark.parametrize(
    ("store", "kind", "text"),
    [
        (Store(ValueError(f"no row for {NUMBER}")), ValueError, f"no row for {NUMBER}"),
        (Store(None), TypeError, "is_suppressed must return a bool or an int, got None"),
        (WrongSignature(), TypeError, "takes 1 positional argument but 2 were given"),
    ],
)
def test_the_exception_of_a_store_is_the_cause(sandbox, caplog, store, kind, text):
    with sandbox.client(suppression=store) as client, pytest.raises(cpaas.Invalid) as caught:
        send(client)
    assert type(caught.value.__cause__) is kind
    assert text in str(caught.value.__cause__)
    lines = [record.getMessage() for record in caplog.records if record.name == "cpaas"]
    assert f"sms.send: the suppression store raised {kind.__name__}; nothing was sent" in lines
    assert not any(NUMBER in line for line in lines)

    async def run():
        async with sandbox.async_client(suppression=store) as client:
            with pytest.raises(cpaas.Invalid) as caught:
                await send(client)
            return caught.value.__cause__

    assert type(asyncio.run(run())) is kind


@pytest.mark.parametrize("answer", [False, 0])
def test_an_object_that_allows_a_number_sends(sandbox, answer):
    with sandbox.client(suppression=Store(answer)) as client:
        assert send(client).id


class AsyncStore:
    async def is_suppressed(self, number):
        return False


class AsyncCallable:
    class Method:
        async def __call__(self, number):
            return False

    is_suppressed = Method()


@pytest.mark.parametrize("store", [AsyncStore(), AsyncCallable()])
def test_a_coroutine_function_cannot_be_the_store(store):
    with pytest.raises(cpaas.InvalidType, match="is_suppressed of suppression must be a plain function"):
        cpaas.Client(sms_url="http://127.0.0.1:9", suppression=store)


def test_a_text_that_is_not_a_number_is_not_in_the_list(stopped):
    assert "54321" not in stopped
    assert not stopped.is_suppressed("Acme")
    assert not stopped.remove("54321")
    with pytest.raises(cpaas.Invalid, match="number must"):
        stopped.add("54321")


def test_a_journal_is_not_a_suppression_list(tmp_path):
    path = tmp_path / "journal.db"
    template = {"from": "Acme", "to": "{{ phone }}", "text": "Hi"}
    cpaas.Campaign.create(str(path), "sms.send", [{"phone": NUMBER}], template)
    before = path.read_bytes()
    with pytest.raises(cpaas.Invalid, match="suppression store"):
        cpaas.SuppressionList(path)
    assert path.read_bytes() == before


def test_only_the_owner_can_read_the_list(tmp_path, stopped):
    stopped.add(NUMBER)
    assert (tmp_path / "stopped.db").stat().st_mode & 0o777 == 0o600
    (tmp_path / "stopped.db").chmod(0o644)
    with pytest.raises(cpaas.Invalid, match="chmod 600"):
        cpaas.SuppressionList(tmp_path / "stopped.db")


def test_a_refusal_of_a_store_uses_no_key_of_send_once(sandbox, stopped, tmp_path):
    stopped.add(NUMBER)
    journal = str(tmp_path / "once.db")
    with sandbox.client(suppression=stopped) as client:

        def once():
            return client.send_once(
                "order-1", "sms.send", journal=journal, from_="Acme", to=NUMBER, text="Hi"
            )

        for _ in range(2):
            with pytest.raises(cpaas.Invalid) as caught:
                once()
            assert caught.value.problems[0].code == "suppressed"
        stopped.remove(NUMBER)
        assert once().id
    assert len(sandbox.ledger()) == 1


def test_send_once_uses_the_settings_of_the_client(sandbox, tmp_path):
    def once(client):
        journal = str(tmp_path / "once.db")
        return client.send_once(
            "order-1", "sms.send", journal=journal, from_="Acme", to="691 234 5678", text="Hi"
        )

    with (
        sandbox.client(normalize="GR", allow_countries=["IT"]) as abroad,
        pytest.raises(cpaas.Invalid) as caught,
    ):
        once(abroad)
    assert caught.value.problems[0].code == "policy.country"
    with sandbox.client(normalize="GR") as client:
        assert once(client).id


@pytest.mark.parametrize("store", [5, object(), b"path"])
def test_other_stores_are_an_error(store):
    with pytest.raises(cpaas.InvalidType, match="suppression must be a path or an object"):
        cpaas.Client(sms_url="http://127.0.0.1:9", suppression=store)


def test_a_file_that_is_not_a_store_is_invalid(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text("this is a list of names and not a database\n" * 9)
    with pytest.raises(cpaas.Invalid, match="suppression store"):
        cpaas.SuppressionList(path)
    assert path.read_text().startswith("this is a list")


def test_a_campaign_keeps_the_outcome_of_suppressed_rows(sandbox, stopped, tmp_path):
    stopped.add(NUMBER)
    rows = [{"phone": NUMBER}, {"phone": "306912345679"}]
    template = {"from": "Acme", "to": "{{ phone }}", "text": "Hi"}
    campaign = cpaas.Campaign.create(str(tmp_path / "journal.db"), "sms.send", rows, template)
    with sandbox.client(suppression=stopped) as client:
        status = campaign.run(client)
    assert (status.state, status.accepted, status.suppressed) == ("done", 1, 1)
    assert len(sandbox.ledger()) == 1


def passcode(client, to=NUMBER):
    return client.otp.send(service="login", from_="Acme", to=to, body="{code}")


def test_a_guard_limits_the_passcodes_to_a_number_and_shares_its_counters(sandbox):
    guard = cpaas.Guard()
    with sandbox.client(guard=guard) as client, sandbox.client(guard=guard) as other:
        for _ in range(3):
            passcode(client)
        with pytest.raises(cpaas.Invalid) as caught:
            passcode(other)
        assert [(problem.pointer, problem.code) for problem in caught.value.problems] == [
            ("/to", "guard.recipient")
        ]
        assert send(client).id, "sms.send is not guarded"
        passcode(client.with_options(guard=None))
    assert len(sandbox.ledger()) == 5


def test_entered_passcodes_do_not_count_for_a_sequence(sandbox):
    with sandbox.client(guard=cpaas.Guard(max_sequence=2)) as client:
        for n in range(4):
            to = f"30691234567{n}"
            sent = passcode(client, to)
            code = sandbox.wait_for(to=to).otp
            assert client.otp.verify(service="login", request_id=sent.request_id, code=code)
        for n in (4, 5):
            passcode(client, f"30691234567{n}")
        with pytest.raises(cpaas.Invalid) as caught:
            passcode(client, "306912345676")
        assert caught.value.problems[0].code == "guard.sequence"


def test_guards_with_one_store_share_their_counters_and_keep_them(sandbox, tmp_path):
    path = tmp_path / "guard.db"
    for count, to in ((2, NUMBER), (1, NUMBER)):
        with sandbox.client(guard=cpaas.Guard(store=path)) as client:
            for _ in range(count):
                passcode(client, to)
    with sandbox.client(guard=cpaas.Guard(store=f"sqlite://{path}")) as client:
        with pytest.raises(cpaas.Invalid) as caught:
            passcode(client)
    assert caught.value.problems[0].code == "guard.recipient"
    assert path.stat().st_mode & 0o777 == 0o600
    copy = pickle.loads(pickle.dumps(cpaas.Guard(store=path)))
    assert repr(copy) == repr(cpaas.Guard(store=path))
    assert f"store={str(path)!r}" in repr(copy)


ATTACK = """
import sys, cpaas
url, key, account, path, first = sys.argv[1:]
sent = 0
with cpaas.Client(otp_url=url, api_key=key, account_sid=account, guard=cpaas.Guard(store=path)) as client:
    for n in range(int(first), 80, 2):
        try:
            client.otp.send(service="login", from_="Acme", to=f"3069123400{n:02}", body="{code}")
            sent += 1
        except cpaas.Invalid as error:
            assert error.problems[0].code in ("guard.sequence", "guard.range"), error
print(sent)
"""


def test_two_processes_never_exceed_a_limit_together(sandbox, tmp_path):
    settings = sandbox.config
    arguments = [
        *(settings[name] for name in ("otp_url", "api_key", "account_sid")),
        str(tmp_path / "guard.db"),
    ]
    processes = [
        subprocess.Popen([sys.executable, "-c", ATTACK, *arguments, first], stdout=subprocess.PIPE)
        for first in "01"
    ]
    sent = sum(int(process.communicate(timeout=60)[0]) for process in processes)
    assert all(process.returncode == 0 for process in processes)
    assert sent <= 20
    assert len(sandbox.ledger()) == sent


# Locks of a process do not hold within it, so the database is locked by another one.
LOCK = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("sends", [False, True])
def test_a_locked_store_refuses_or_leaves_time_to_send(sandbox, tmp_path, sends):
    path = tmp_path / "guard.db"
    guard = cpaas.Guard(store=path, sends_without_store=sends)
    lock = subprocess.Popen(
        [sys.executable, "-c", LOCK, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with lock, sandbox.client(guard=guard, deadline=2) as client:
        assert lock.stdout.readline() == "locked\n"
        if sends:
            passcode(client)
        else:
            with pytest.raises(cpaas.Error) as caught:
                passcode(client)
            assert caught.value.sent == "no"
        lock.stdin.close()
    assert len(sandbox.ledger()) == sends


def test_a_store_that_fails_refuses_or_sends_by_the_setting(sandbox, tmp_path):
    path = tmp_path / "guard.db"
    refusing, sending = cpaas.Guard(store=path), cpaas.Guard(store=path, sends_without_store=True)
    path.unlink()
    with sandbox.client(guard=refusing) as client, pytest.raises(cpaas.Invalid) as caught:
        passcode(client)
    assert caught.value.problems[0].code == "guard.unavailable"
    with sandbox.client(guard=sending) as client:
        passcode(client)
    assert len(sandbox.ledger()) == 1


@pytest.mark.parametrize("open_store", [cpaas.SuppressionList, lambda url: cpaas.Guard(store=url)])
def test_addresses_that_cannot_be_opened_are_invalid_and_show_no_password(open_store, tmp_path):
    for url in ("postgres://me:secret@127.0.0.1:9/db?sslmode=disable", "mysql://me:secret@127.0.0.1/db", ""):
        with pytest.raises(cpaas.Invalid, match="store cannot be opened") as caught:
            open_store(url)
        assert "secret" not in str(caught.value)
    with pytest.raises(cpaas.InvalidType, match="must be a path or the address of a database, got bytes"):
        open_store(b"guard.db")
    journal = tmp_path / "journal.db"
    cpaas.Campaign.create(
        str(journal), "sms.send", [{"phone": NUMBER}], {"from": "A", "to": "{{ phone }}", "text": "x"}
    )
    with pytest.raises(cpaas.Invalid, match="must be one that it created"):
        open_store(journal)


def test_stores_in_postgres_and_their_passwords(sandbox):
    server = os.environ.get("CAMPAIGN_TEST_POSTGRES")
    if not server:
        pytest.skip("CAMPAIGN_TEST_POSTGRES is not set")
    database = f"py_{os.getpid()}"
    subprocess.run(["psql", f"{server}/postgres", "-qc", f"CREATE DATABASE {database}"], check=True)
    url = f"{server}/{database}".replace("postgres@", "postgres:secret@")
    stopped = cpaas.SuppressionList(url)
    assert stopped.add(NUMBER)
    assert NUMBER in stopped
    assert "secret" not in repr(stopped) + stopped.path + repr(cpaas.Guard(store=url))
    for store in (stopped, cpaas.Guard(store=url)):
        with pytest.raises(TypeError, match="password"):
            pickle.dumps(store)
    with sandbox.client(suppression=url, guard=cpaas.Guard(store=url)) as client:
        with pytest.raises(TypeError, match="password"):
            pickle.dumps(client.with_options(guard=None))
        with pytest.raises(cpaas.Invalid, match="suppressed"):
            send(client)
        for _ in range(3):
            passcode(client)
        pid = os.fork()
        if pid == 0:
            try:
                passcode(client)
            except cpaas.Invalid as error:
                os._exit(0 if error.problems[0].code == "guard.recipient" else 1)
            os._exit(2)
        assert os.waitpid(pid, 0)[1] == 0
        with pytest.raises(cpaas.Invalid, match=r"guard|recipient"):
            passcode(client)


def test_settings_of_a_guard_are_checked():
    with pytest.raises(cpaas.Invalid, match="window"):
        cpaas.Guard(window=-1)
    for settings, message in [
        ({"min_conversion": 20}, "`min_conversion` must be from 0 to 1"),
        ({"min_conversion": float("nan")}, "`min_conversion` must be from 0 to 1"),
        ({"max_sequence": 0}, "`max_sequence` must be 1 or greater"),
        ({"max_sequence": -1}, "a count must be 1 or greater"),
        ({"recipient_limits": [(0, 60)]}, "`recipient_limits` must contain counts of 1 or greater"),
        ({"recipient_limits": [(3, 0)]}, "windows greater than 0"),
        ({"window": 0}, "`window` must be greater than 0"),
        ({"window": float("nan")}, "greater than 0"),
    ]:
        with pytest.raises(cpaas.Invalid, match=message):
            cpaas.Guard(**settings)
    with pytest.raises(cpaas.InvalidType):
        cpaas.Guard(max_prefix="many")
    with pytest.raises(cpaas.InvalidType, match=r"guard must be a cpaas\.Guard, got dict"):
        cpaas.Client(otp_url="http://127.0.0.1:9", guard={})
    assert repr(pickle.loads(pickle.dumps(cpaas.Guard(max_range=7)))) == repr(cpaas.Guard(max_range=7))


def test_limits_of_an_iterator_are_applied(sandbox):
    with sandbox.client(guard=cpaas.Guard(recipient_limits=iter([(1, 60)]))) as client:
        passcode(client)
        with pytest.raises(cpaas.Invalid) as caught:
            passcode(client)
    assert caught.value.problems[0].code == "guard.recipient"
