"""Shared by the tests of campaigns: rows, fixtures and the ledger of the sandbox."""

import json
import os
import subprocess
import sys
import time
from collections import Counter

import pytest

import cpaas

TEMPLATE = {"from": "Acme", "to": "{{ phone }}", "text": "Hi {{ name }}"}
PRICES = [
    {"prefix": "30", "price": "0.05", "currency": "EUR"},
    {"prefix": "3069", "price": "0.0375", "currency": "EUR"},
]
STATES = (
    "accepted",
    "rejected",
    "invalid",
    "suppressed",
    "duplicate",
    "unknown",
    "pending",
    "in_flight",
    "cancelled",
)


def phone(number):
    return f"3069{number:08}"


def people(count):
    return [{"phone": phone(number), "name": f"N{number}"} for number in range(count)]


def assert_adds_up(status):
    assert sum(getattr(status, state) for state in STATES) == status.rows, status


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "autumn.db"


def create(journal, rows=5, **settings):
    rows = people(rows) if isinstance(rows, int) else rows
    return cpaas.Campaign.create(journal, "sms.send", rows, settings.pop("template", TEMPLATE), **settings)


def sent(sandbox):
    """How many messages each recipient received."""
    return Counter(entry["to"] for entry in sandbox.ledger())


SETS = ["--set", "from=Acme", "--set", "to={{phone}}", "--set", "text=Hi {{name}}"]


class Command:
    """Runs `cpaas campaign` in a folder, with the sandbox in the environment."""

    def __init__(self, sandbox, folder):
        self.sandbox = sandbox
        self.folder = folder
        names = sandbox.environment
        self.environment = {**os.environ, **names}

    def start(self, *arguments, **options):
        command = [sys.executable, "-m", "cpaas", "campaign", *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
        return subprocess.Popen(command, cwd=self.folder, env=self.environment, **pipes)

    def __call__(self, *arguments, **options):
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=300)
        return process.returncode, out, err

    def json(self, *arguments, code=0):
        found, out, err = self(*arguments, "--json")
        assert (found, err) == (code, ""), (out, err)
        return json.loads(out)

    def people(self, count, name="people.csv", more=""):
        lines = "".join(f"{phone(number)},N{number}\n" for number in range(count))
        (self.folder / name).write_text(f"phone,name\n{lines}{more}")
        return name

    def create(self, count, *more, name="autumn"):
        file = self.people(count)
        return self.json("create", name, file, "--journal", "j.db", "--op", "sms.send", *SETS, *more)

    def status(self, code=0):
        status = self.json("status", "autumn", "--journal", "j.db", code=code)
        assert sum(status[state] for state in STATES) == status["rows"], status
        return status

    def until(self, attempts):
        """Waits until this number of rows was claimed."""
        campaign = cpaas.Campaign.open(self.folder / "j.db")
        while campaign.status().attempts < attempts:
            time.sleep(0.01)

    def sent(self):
        return Counter(entry["to"] for entry in self.sandbox.ledger())


@pytest.fixture
def command(sandbox, tmp_path):
    return Command(sandbox, tmp_path)
