"""The documented class hierarchy of the exceptions."""

import pickle
import re

import pytest

import cpaas
from cpaas import callbacks

TREE = {
    cpaas.Error: (Exception,),
    cpaas.Invalid: (cpaas.Error, ValueError),
    cpaas.Rejected: (cpaas.Error,),
    cpaas.Unauthorized: (cpaas.Rejected,),
    cpaas.Forbidden: (cpaas.Rejected,),
    cpaas.RateLimited: (cpaas.Rejected,),
    cpaas.LimitExists: (cpaas.Rejected,),
    cpaas.UnknownLimit: (cpaas.Rejected,),
    cpaas.WorkflowExists: (cpaas.Rejected,),
    cpaas.UnknownWorkflow: (cpaas.Rejected,),
    cpaas.TransportError: (cpaas.Error,),
    cpaas.InvalidType: (cpaas.Invalid, TypeError),
    cpaas.NotSent: (cpaas.TransportError,),
    cpaas.NotSentTimeout: (cpaas.NotSent, TimeoutError),
    cpaas.ClientClosed: (cpaas.NotSent, RuntimeError),
    cpaas.OutcomeUnknown: (cpaas.TransportError,),
    cpaas.OutcomeUnknownTimeout: (cpaas.OutcomeUnknown, TimeoutError),
    cpaas.AcceptedIdUnknown: (cpaas.TransportError,),
    cpaas.AcceptedIdUnknownTimeout: (cpaas.AcceptedIdUnknown, TimeoutError),
    cpaas.MarkupError: (cpaas.Error, ValueError),
    cpaas.TextError: (cpaas.Error, ValueError),
    cpaas.CampaignError: (cpaas.Error,),
    callbacks.CallbackRejected: (cpaas.Error,),
}
RECORD = (
    *("outcome", "sent", "reason", "operation", "message", "status", "code", "provider_message"),
    *(
        "request_id",
        "retry_after_ms",
        "attempts",
        "call_id",
        "reference",
        "problems",
        "processed",
        "retryable",
    ),
)


@pytest.mark.parametrize("cls", TREE, ids=lambda cls: cls.__name__)
def test_each_class_has_its_documented_bases(cls):
    assert cls.__bases__ == TREE[cls]
    assert cls.__doc__


def test_there_is_no_undocumented_class():
    classes = [getattr(cpaas, name) for name in cpaas.__all__]
    errors = {cls for cls in classes if isinstance(cls, type) and issubclass(cls, BaseException)}
    assert errors | {callbacks.CallbackRejected} == set(TREE)


def test_the_docstring_shows_the_hierarchy():
    lines = [line for line in cpaas._errors.__doc__.splitlines() if "── " in line]
    parents, shown = {0: cpaas.Error}, {cpaas.Error}
    for line in lines:
        names, _, also = line.partition("── ")[2].partition(" (")
        depth = line.index("── ") // 4
        for name in names.split(", "):
            cls = getattr(cpaas, name, None) or getattr(callbacks, name)
            assert cls.__bases__[0] is parents[depth - 1]
            assert [base.__name__ for base in cls.__bases__[1:]] == re.findall(r"also an? (\w+)", also)
            parents[depth] = cls
            shown.add(cls)
    assert shown == set(TREE)


def test_timeouts_have_their_own_classes():
    plain = {cpaas.NotSent, cpaas.OutcomeUnknown, cpaas.AcceptedIdUnknown, cpaas.Rejected, cpaas.Invalid}
    assert not any(issubclass(cls, TimeoutError) for cls in plain)


def verify():
    keys = callbacks.Keyring([("k1", b"thirty-two bytes that are random")])
    keys.verify("v1.k1.a.b", "inbound", audience="shop")


def send(sender):
    with cpaas.Client(sms_url="http://127.0.0.1:9", sms_key="k", max_attempts=1) as client:
        client.sms.send(from_=sender, to="306912345678", text="Hi", reference="r-1")


@pytest.mark.parametrize(
    ("call", "cls", "operation"),
    [
        (lambda: cpaas.parse_markup("*b"), cpaas.MarkupError, ""),
        (lambda: cpaas.segments("a" * 50_000), cpaas.TextError, ""),
        (verify, callbacks.CallbackRejected, ""),
        (lambda: cpaas.Client(region="mars"), cpaas.Invalid, ""),
        (lambda: send("Acme"), cpaas.NotSent, "sms.send"),
        (lambda: send(""), cpaas.Invalid, "sms.send"),
    ],
    ids=["markup", "text", "callback", "configuration", "no server", "request"],
)
def test_every_error_has_the_record_and_pickles(call, cls, operation):
    with pytest.raises(cpaas.Error) as caught:
        call()
    error = caught.value
    assert type(error) is cls
    assert all(hasattr(error, name) for name in RECORD)
    assert error.message in str(error)
    assert error.message
    assert (error.operation, error.sent) == (operation, "no")
    assert (error.processed, error.retryable) == ("no", cls is cpaas.NotSent)
    assert error.reference == ("r-1" if operation else None)
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back), vars(back)) == (type(error), str(error), vars(error))
    assert (back.processed, back.retryable) == (error.processed, error.retryable)


EFFECTS = {
    cpaas.Error: ("no", False),
    cpaas.Invalid: ("no", False),
    cpaas.InvalidType: ("no", False),
    cpaas.Rejected: ("no", False),
    cpaas.Unauthorized: ("no", False),
    cpaas.RateLimited: ("no", True),
    cpaas.NotSent: ("no", True),
    cpaas.NotSentTimeout: ("no", True),
    cpaas.ClientClosed: ("no", False),
    cpaas.OutcomeUnknown: ("maybe", False),
    cpaas.OutcomeUnknownTimeout: ("maybe", False),
    cpaas.AcceptedIdUnknown: ("yes", False),
    cpaas.AcceptedIdUnknownTimeout: ("yes", False),
}


@pytest.mark.parametrize("cls", EFFECTS, ids=lambda cls: cls.__name__)
def test_an_exception_of_a_test_has_the_effect_of_its_class(cls):
    error = cls("x")
    assert (error.processed, error.retryable) == EFFECTS[cls]
    given = cls("x", processed="maybe", retryable=True)
    assert (given.processed, given.retryable) == ("maybe", True)
    back = pickle.loads(pickle.dumps(given))
    assert (back.processed, back.retryable) == ("maybe", True)
    for name in ("processed", "retryable"):
        with pytest.raises(AttributeError):
            setattr(error, name, getattr(error, name))
