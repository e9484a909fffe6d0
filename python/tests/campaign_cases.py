"""Shared by the tests of campaigns: rows, fixtures and the ledger of the sandbox."""

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
def sandbox():
    with cpaas.Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def client(sandbox):
    with sandbox.client() as client:
        yield client


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "autumn.db"


def create(journal, rows=5, **settings):
    rows = people(rows) if isinstance(rows, int) else rows
    return cpaas.Campaign.create(journal, "sms.send", rows, settings.pop("template", TEMPLATE), **settings)


def sent(sandbox):
    """How many messages each recipient received."""
    return Counter(entry["to"] for entry in sandbox.ledger())
