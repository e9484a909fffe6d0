"""Pickles of stores in a file: they name the same file everywhere, and never create a new, empty one."""

import copy
import os
import pickle
import subprocess
import sys

import pytest

import cpaas

NUMBER = "306912345678"


def send(client):
    return client.sms.send(from_="Acme", to=NUMBER, text="Hi")


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The current folder, where the stores are, and another one."""
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here", tmp_path / "there"


def stopped(path="stopped.db"):
    made = cpaas.SuppressionList(path)
    made.add(NUMBER)
    return made


@pytest.mark.parametrize("place", ["stopped.db", "./sub/../stopped.db", "sqlite://stopped.db"])
def test_a_relative_path_names_the_same_file_in_another_folder(folders, monkeypatch, place):
    os.mkdir("sub")
    pickled = pickle.dumps(stopped(place))
    monkeypatch.chdir(folders[1])
    assert NUMBER in pickle.loads(pickled)
    assert os.listdir() == []


def test_an_open_list_survives_a_change_of_the_folder(folders, monkeypatch):
    made = stopped()
    monkeypatch.chdir(folders[1])
    assert NUMBER in made
    assert NUMBER in copy.copy(made)
    assert NUMBER in copy.deepcopy(made)
    assert made.path == str(folders[0] / "stopped.db")


@pytest.mark.parametrize("given", [stopped, lambda: stopped().path, lambda: stopped() and "stopped.db"])
def test_a_pickled_client_protects_in_another_folder(sandbox, folders, monkeypatch, given):
    with sandbox.client(suppression=given(), pickle_secrets=True) as client:
        pickled = pickle.dumps(client)
    monkeypatch.chdir(folders[1])
    with pickle.loads(pickled) as client, pytest.raises(cpaas.Invalid, match="suppression store contains"):
        send(client)
    assert os.listdir() == []
    assert not sandbox.ledger()


def test_a_list_that_does_not_exist_any_more_is_refused(sandbox, folders):
    made = stopped()
    with sandbox.client(suppression=made, pickle_secrets=True) as client:
        pickles = [pickle.dumps(made), pickle.dumps(client)]
    for name in os.listdir():
        os.unlink(name)
    for pickled in pickles:
        with pytest.raises(
            cpaas.Invalid, match=r"file of the pickled suppression list must exist, got .*/stopped.db"
        ):
            pickle.loads(pickled)
    assert os.listdir() == []


def test_another_process_in_another_folder_gets_the_same_list(folders):
    pickled = pickle.dumps(stopped())
    code = "import pickle, sys; print(sys.argv[1] in pickle.load(sys.stdin.buffer))"
    ended = subprocess.run(
        [sys.executable, "-c", code, NUMBER], input=pickled, cwd=folders[1], capture_output=True, check=True
    )
    assert ended.stdout == b"True\n"
    assert os.listdir(folders[1]) == []


def test_a_guard_names_the_same_file_and_creates_none(sandbox, folders, monkeypatch):
    guard = cpaas.Guard(store="guard.db", recipient_limits=[(1, 60)])
    pickled = pickle.dumps(guard)
    passcode = {"service": "login", "from_": "Acme", "to": NUMBER, "body": "{code}"}
    with sandbox.client(guard=guard) as client:
        client.otp.send(**passcode)
    monkeypatch.chdir(folders[1])
    with sandbox.client(guard=pickle.loads(pickled)) as client, pytest.raises(cpaas.Invalid, match="guard"):
        client.otp.send(**passcode)
    assert os.listdir() == []
    for name in os.listdir(folders[0]):
        os.unlink(folders[0] / name)
    with pytest.raises(cpaas.Invalid, match=r"pickled guard's store must exist, got .*/guard.db"):
        pickle.loads(pickled)
    assert os.listdir(folders[0]) == []


def test_a_file_that_is_named_like_a_number_is_not_printed(folders):
    pickled = pickle.dumps(stopped(f"./{NUMBER}"))
    for name in os.listdir():
        os.unlink(name)
    with pytest.raises(cpaas.Invalid, match="got a number") as caught:
        pickle.loads(pickled)
    assert NUMBER not in str(caught.value)


def test_a_subclass_stays_one():
    # Classes of a pickle must be importable: a local one is copied by `copy`, which uses the same functions.
    class Mine(cpaas.SuppressionList):
        __slots__ = ()

    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        assert type(copy.copy(Mine(f"{folder}/stopped.db"))) is Mine
