"""The view of Django and `ATOMIC_REQUESTS`: the transaction of the handler ends before its event is recorded as done."""

import subprocess
import sys

import pytest

pytest.importorskip("django")

PROGRAM = """
import sys, django
from django.conf import settings
kind, atomic = sys.argv[1], sys.argv[2] == "atomic"
database = {"ENGINE": "django.db.backends.sqlite3", "ATOMIC_REQUESTS": atomic}
settings.configure(
    ROOT_URLCONF="__main__", ALLOWED_HOSTS=["*"], SECRET_KEY="x",
    DATABASES={"default": {**database, "NAME": "one.db"}, "other": {**database, "NAME": "two.db"}},
)
django.setup()
from asgiref.sync import sync_to_async
from django.db import connections, transaction
from django.test import AsyncClient, Client
from django.urls import path
from cpaas import callbacks
from cpaas.contrib.django import view
from callback_adapters import RECEIVER, LeaseStore, report

for alias in ("default", "other"):
    with connections[alias].cursor() as cursor:
        cursor.execute("CREATE TABLE parents (id INTEGER PRIMARY KEY)")
        cursor.execute("CREATE TABLE rows (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)")

calls = []

def write(parent):
    with connections["other"].cursor() as cursor:
        cursor.execute("INSERT INTO rows VALUES (%s)", [parent])

def function(event):
    calls.append([connections[alias].in_atomic_block for alias in ("default", "other")])
    write(5)
    if len(calls) == 1:
        raise LookupError
    if len(calls) == 2:
        write(7)  # the commit fails
    with connections["other"].cursor() as cursor:
        cursor.execute("INSERT OR IGNORE INTO parents VALUES (5)")

async def coroutine(event):
    calls.append(None)
    await sync_to_async(write)(None)

store = LeaseStore()
handler = function if kind == "function" else coroutine
urlpatterns = [path("hooks", view(RECEIVER, handler, duplicates=callbacks.Duplicates(store=store)))]
found = []
for _ in range(4):
    if kind == "function":
        response = Client(raise_request_exception=False).get(report())
    else:
        import asyncio
        response = asyncio.run(AsyncClient(raise_request_exception=False).get(report()))
    found.append((response.status_code, store.states()))
print(found)
print(calls)
with connections["other"].cursor() as cursor:
    cursor.execute("SELECT count(*) FROM rows")
    print(cursor.fetchone()[0])
"""


def run(folder, *arguments):
    from pathlib import Path

    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n{PROGRAM}"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_commit_that_fails_is_a_failed_handler(tmp_path):
    found, calls, rows = run(tmp_path, "function", "atomic")
    assert found == "[(500, []), (500, []), (200, ['done']), (200, ['done'])]"
    assert calls == "[[True, True], [True, True], [True, True]]"
    assert rows == "1"


def test_without_atomic_requests_the_handler_runs_in_no_transaction(tmp_path):
    _, calls, _ = run(tmp_path, "function", "plain")
    assert calls.startswith("[[False, False]")


def test_a_coroutine_is_allowed_with_atomic_requests(tmp_path):
    found, calls, rows = run(tmp_path, "coroutine", "atomic")
    assert found == "[(200, ['done']), (200, ['done']), (200, ['done']), (200, ['done'])]"
    assert calls == "[None]"
    assert rows == "1"
