"""Bound methods of a client in another process."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

import cpaas

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_a_method_of_a_client_runs_in_another_process(sandbox, start):
    context = multiprocessing.get_context(start)
    with sandbox.client(pickle_secrets=True) as client, ProcessPoolExecutor(1, mp_context=context) as workers:
        assert workers.submit(client.sms.send, **SMS).result(60).id
        assert workers.submit(client.otp.limits.list).result(60) is not None
    assert len(sandbox.ledger()) == 1


def test_a_group_is_pickled_as_its_client(sandbox):
    with sandbox.client(pickle_secrets=True) as client:
        for group, path in ((client.sms, "sms"), (client.otp.limits, "otp.limits")):
            again = pickle.loads(pickle.dumps(group))
            assert type(again) is type(group)
            assert again._path == f"client.{path}"
            assert again._client() is not client
        assert copy.copy(client.sms) is client.sms
        other = client.with_options(timeout=3)
        assert pickle.loads(pickle.dumps(other.sms.send))(**SMS).id


def test_a_group_without_its_client_is_not_pickled(sandbox):
    with pytest.raises(
        TypeError, match=r"client\.sms cannot be pickled, because its client does not exist any more"
    ):
        pickle.dumps(cpaas.Client(**sandbox.config).sms)
    with pytest.raises(TypeError, match=r"client\.sms cannot be pickled"):
        pickle.dumps(cpaas.Client.sms)


def test_keys_are_not_pickled_with_a_method(sandbox):
    with sandbox.client() as client:
        assert sandbox.config["sms_key"].encode() not in pickle.dumps(client.sms.send)
