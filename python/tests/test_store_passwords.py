"""Suppression lists and guards in a client: the passwords of their addresses, pickles, and databases that are opened once."""

import copy
import os
import pickle

import pytest

import cpaas
from cpaas import _cpaas, _guard, _suppression

# The forms in which tokio-postgres finds a password.
WITH_PASSWORD = [
    "postgres://u:s3cr3t@h/db",
    "postgresql://u:s3cr3t@h/db",
    "postgres://u:pa/s3cr3t@h/db",
    "postgres://u:pa?s3cr3t@h/db",
    "postgres://h/db?user=u&password=s3cr3t",
    "postgres://h/db?user=u&pass%77ord=s3cr3t",
]
WITHOUT_PASSWORD = [
    "postgres://u@h/db?sslmode=disable",
    "stopped?password=x.db",
    "sqlite:///tmp/u:p@h.db",
]


@pytest.fixture(autouse=True)
def opened(monkeypatch):
    """The addresses that were opened. Nothing is connected."""
    found = []

    class Database:
        place = "postgres://u@h/db"

        def __init__(self, url):
            found.append(url)

        def is_suppressed(self, number):
            return False

    def guard(*settings):
        found.append(settings[-1])
        return _cpaas.NativeGuard(*settings[:-1], None)

    monkeypatch.setattr(_suppression, "SuppressionDatabase", Database)
    monkeypatch.setattr(_guard, "NativeGuard", guard)
    return found


# The forms in which a client gets an address.
FORMS = {
    "text": lambda url: {"suppression": url},
    "list": lambda url: {"suppression": cpaas.SuppressionList(url)},
    "guard": lambda url: {"guard": cpaas.Guard(store=url)},
}


def client(**settings):
    return cpaas.Client(sms_url="http://127.0.0.1:9", sms_key="k", **settings)


@pytest.mark.parametrize("url", WITH_PASSWORD)
@pytest.mark.parametrize("form", FORMS)
def test_a_password_is_pickled_only_with_pickle_secrets(form, url, opened):
    with client(**FORMS[form](url)) as secretive, pytest.raises(TypeError, match="password") as caught:
        pickle.dumps(secretive)
    assert "s3cr3t" not in str(caught.value)
    with client(**FORMS[form](url), pickle_secrets=True) as candid:
        before = len(opened)
        data = pickle.dumps(candid)
        assert b"s3cr3t" in data
        with pickle.loads(data) as back:
            assert opened[before:] == [url]
            # A copy of a copy too.
            assert b"s3cr3t" in pickle.dumps(back)
        with copy.copy(candid) as twin:
            assert b"s3cr3t" in pickle.dumps(twin)
        assert len(opened) == before + 1


@pytest.mark.parametrize("url", WITH_PASSWORD)
@pytest.mark.parametrize("store", [cpaas.SuppressionList, lambda url: cpaas.Guard(store=url)])
def test_a_store_alone_is_not_pickled_with_a_password(store, url):
    with pytest.raises(
        TypeError, match="cannot be pickled, because its address contains a password"
    ) as caught:
        pickle.dumps(store(url))
    assert "s3cr3t" not in str(caught.value)


@pytest.mark.parametrize("url", WITHOUT_PASSWORD)
@pytest.mark.parametrize("form", FORMS)
def test_an_address_without_a_password_is_pickled(form, url, opened, monkeypatch):
    monkeypatch.setattr("os.path.exists", lambda path: True)  # as if the lists existed
    expected = url if "://" in url else os.path.abspath(url)
    with client(**FORMS[form](url)) as given, pickle.loads(pickle.dumps(given)):
        assert opened == [expected] * 2


def test_with_options_uses_the_database_that_is_open(opened):
    with client(suppression="postgres://u@h/a", guard=cpaas.Guard(store="postgres://u@h/b")) as given:
        assert sorted(opened) == ["postgres://u@h/a", "postgres://u@h/b"]
        changed = given.with_options(timeout=3).with_options(deadline=4)
        assert len(opened) == 2
        assert changed._suppression is given._suppression
        given.with_options(suppression="postgres://u@h/c")
        assert opened[2:] == ["postgres://u@h/c"]
        assert given.with_options(suppression=None)._suppression is None


def test_the_limits_of_a_guard_may_be_an_iterator():
    limits = [(1, 60), (2, 3600)]
    guard = cpaas.Guard(recipient_limits=iter(limits))
    assert repr(guard) == repr(cpaas.Guard(recipient_limits=limits))
    with pytest.raises(cpaas.InvalidType, match="a setting of the guard has a wrong type"):
        cpaas.Guard(recipient_limits=5)
