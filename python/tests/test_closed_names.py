"""Reasons and other closed sets of names, at run time."""

import pickle
import sqlite3
import typing

import pytest

import cpaas
from cpaas import callbacks, types
from cpaas._campaign.records import HALTED


def test_a_reason_that_this_version_does_not_know_is_other():
    record = {
        "outcome": "rejected",
        "sent": "yes",
        "reason": "quota",
        "operation": "sms.send",
        "message": "rejected",
        "processed": "no",
        "retryable": False,
        "attempts": 1,
    }
    error = cpaas._errors.from_record(record)
    assert (error.reason, error.reason_name) == ("other", "quota")
    again = pickle.loads(pickle.dumps(error))
    assert (again.reason, again.reason_name) == ("other", "quota")
    # A reason of another kind of error is not one of a call.
    assert cpaas.NotSent("no", reason="disk_full").reason == "other"


def test_a_stored_reason_of_a_newer_version_is_other(tmp_path):
    journal = tmp_path / "once.db"
    arguments = {"journal": journal, "from_": "Acme", "to": "306912345678", "text": "Hi"}
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        sandbox.fault("close-after-read", op="sms.send")
        with pytest.raises(cpaas.OutcomeUnknown) as caught:
            client.send_once("key-1", "sms.send", **arguments)
        assert caught.value.reason in typing.get_args(types.Reason)
        with sqlite3.connect(journal) as connection:
            text = f'"reason":"{caught.value.reason}"'
            changed = connection.execute(
                "UPDATE outcomes SET detail = replace(detail, ?, ?)", (text, '"reason":"quota"')
            )
            assert changed.rowcount == 1
        with pytest.raises(cpaas.OutcomeUnknown) as caught:
            client.send_once("key-1", "sms.send", **arguments)
    assert (caught.value.reason, caught.value.reason_name) == ("other", "quota")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (cpaas.Invalid("x"), "validation"),
        (cpaas.Rejected("x"), "http"),
        (cpaas.NotSentTimeout("x"), "timeout"),
        (cpaas.ClientClosed("x"), "closed"),
        (cpaas.NotSent("x", reason="dns"), "dns"),
        (cpaas.CampaignError("x", reason="copied"), "copied"),
        (cpaas.Error("x"), None),
        (callbacks.CallbackRejected("expired"), "expired"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_reason_is_read_only_and_survives_a_pickle(error, reason):
    assert (error.reason, error.reason_name) == (reason, reason)
    assert pickle.loads(pickle.dumps(error)).reason == reason
    with pytest.raises(AttributeError):
        error.reason = "http"


def test_every_name_that_the_package_uses_is_in_its_type():
    assert set(HALTED) == set(typing.get_args(types.StopReason))
    assert {"halted", "no_campaign", "source"} <= set(typing.get_args(types.CampaignReason))
    assert {"closed", "interrupted", "other"} <= set(typing.get_args(types.Reason))
    counts = cpaas.CampaignStatus._names[4:13]
    assert counts == typing.get_args(types.RowOutcome)


def test_text_and_markup_errors_have_a_code_of_their_type():
    with pytest.raises(cpaas.TextError) as text:
        cpaas.segments("€" * 5, encoding="gsm7", split="word")
    assert text.value.code == "text.options"
    with pytest.raises(cpaas.TextError) as text:
        cpaas.segments("д", encoding="gsm7")
    assert text.value.code == "text.not_gsm7"
    with pytest.raises(cpaas.MarkupError) as markup:
        cpaas.parse_markup("<b>x", "Html")
    assert markup.value.kind == "unclosed_tag"
    for error, types_of_code in (
        (text.value.code, types.TextErrorCode),
        (markup.value.kind, types.MarkupErrorKind),
    ):
        assert error in typing.get_args(types_of_code)
    assert (cpaas.TextError("x").code, cpaas.MarkupError("x").kind) == (None, None)
