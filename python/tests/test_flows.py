"""The flows of C and Python (starred rows of the acceptance table), each against its own sandbox."""

import json
import re
import urllib.request

import pytest
from conftest import vectors

import cpaas

FLOWS = vectors("flows.json")["flows"]
OUTCOMES = {"invalid": cpaas.Invalid, "rejected": cpaas.Rejected, "unknown": cpaas.OutcomeUnknown}


def filled(value, names):
    """Replaces `${name}` and expands repeated strings."""
    if isinstance(value, str):
        return re.sub(r"\$\{(\w+)\}", lambda found: names[found[1]], value)
    if isinstance(value, list):
        return [filled(item, names) for item in value]
    if isinstance(value, dict) and "times" in value:
        return value.get("before", "") + value["repeat"] * value["times"] + value.get("after", "")
    return {name: filled(item, names) for name, item in value.items()} if isinstance(value, dict) else value


def at(document, pointer):
    for part in pointer.split("/")[1:]:
        document = document[int(part)] if isinstance(document, list) else document.get(part)
    return document


def matches(found, expected):
    match expected:
        case {"starts": text}:
            return isinstance(found, str) and found.startswith(text)
        case {"contains": text}:
            return isinstance(found, str) and text in found
        case {"length": length}:
            return len(found) == length
    return found == expected and type(found) is type(expected)


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


def called(client, operation, request, outcome):
    if outcome == "accepted":
        return plain(client.call(operation, request))
    with pytest.raises(OUTCOMES[outcome]) as caught:
        client.call(operation, request)
    error = caught.value
    problems = [{"pointer": problem.pointer} for problem in error.problems or ()]
    return {"status": error.status, "code": error.code, "problems": problems}


def controlled(sandbox, call, body):
    method, path = call.split(" ", 1)
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{sandbox.url}/_sandbox{path}", data, method=method)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def take(sandbox, client, step, names):
    step = {
        **step,
        **{
            part: filled(step[part], names)
            for part in ("request", "body", "control", "expect")
            if part in step
        },
    }
    if "advance" in step:
        result = controlled(sandbox, "POST /clock", {"advance": step["advance"]})
    elif "control" in step:
        result = controlled(sandbox, step["control"], step.get("body"))
    else:
        result = called(client, step["call"], step["request"], step.get("outcome", "accepted"))
    for pointer, expected in step.get("expect", {}).items():
        assert matches(at(result, pointer), expected), (
            f"{step.get('call') or step['control']} {pointer}: {at(result, pointer)}"
        )
    names.update({name: at(result, pointer) for name, pointer in step.get("save", {}).items()})


@pytest.fixture(scope="module")
def target():
    """The server that receives webhooks, because a sandbox does not call itself."""
    with cpaas.Sandbox() as sandbox:
        yield sandbox.url


@pytest.mark.parametrize("flow", FLOWS, ids=[flow["name"] for flow in FLOWS])
def test_flow(flow, target):
    with cpaas.Sandbox(clock="virtual") as sandbox, sandbox.client(**flow.get("config", {})) as client:
        names = {**sandbox.config, "url": sandbox.url, "target": target}
        for step in flow["steps"]:
            for _ in range(step.get("repeat", 1)):
                take(sandbox, client, step, names)
                if "then" in step:
                    take(sandbox, client, step["then"], names)


def test_acc_194_a_fault_applies_to_one_request():
    body = {"from": "Acme", "to": "306900000001", "text": "Hi", "type": "auto"}
    fault = {"X-Sandbox-Fault": "close-after-read"}
    with cpaas.Sandbox() as sandbox, sandbox.client(max_attempts=1) as client:
        with pytest.raises(cpaas.OutcomeUnknown):
            client.call_raw("POST", "sms", "/sms.json", extra_headers=fault, body=body)
        assert client.call_raw("POST", "sms", "/sms.json", body=body).status == 200
        assert [entry["fault"] for entry in sandbox.ledger()] == ["close-after-read", None]
