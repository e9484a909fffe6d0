"""`send_many`, and `validate` with a list of rows."""

import io
import threading

import pytest
from support.many_rows import Terminal, row, sandbox, send_many  # noqa: F401

import cpaas
from cpaas._bulk.send_many import Pace


def test_every_row_has_an_outcome_in_order(send_many, sandbox):
    rows = [row(n) for n in range(40)]
    rows[3] = row(3, to="abc")
    rows[5] = row(5, color="red")
    rows[7] = "not a row"
    rows[9] = {"to": "306912345609"}
    rows[11] = row(11, text=b"bytes")
    rows[13] = {None: ["more"], **row(13)}
    found = send_many("sms", rows, concurrency=7)
    assert [result.index for result in found] == list(range(40))
    assert all(result.row is rows[result.index] for result in found)
    bad = [result.index for result in found if not result]
    assert bad == [3, 5, 7, 9, 11, 13]
    for index in bad:
        assert found[index].outcome == "invalid"
        assert isinstance(found[index].error, cpaas.Invalid)
        assert found[index].result is None
    assert found[0].outcome == "accepted"
    assert found[0].result.to == "306912345600"
    assert len(sandbox.ledger()) == 34
    assert "306912345600" not in repr(found[0])


def test_rows_may_have_the_names_of_the_specification(send_many):
    [accepted, twice] = send_many(
        "sms", [{"from": "Acme", "to": "306912345600", "text": "Hi"}, {**row(1), "from": "Acme"}]
    )
    assert accepted.outcome == "accepted"
    assert twice.outcome == "invalid"


def test_messages_have_send_many_too(send_many):
    rows = iter([{"destination": "306912345600", "sms": {"text": "Hi", "sender": "Acme"}}, {}])
    first, second = send_many("messages", rows)
    assert (first.outcome, second.outcome) == ("accepted", "invalid")
    assert first.result.message_id


def test_a_rejected_row_does_not_stop_the_others(send_many, sandbox):
    sandbox.fault("status", status=403, to="306912345601")
    found = send_many("sms", [row(n) for n in range(3)])
    sandbox.clear_faults()
    assert [result.outcome for result in found] == ["accepted", "rejected", "accepted"]
    assert found[1].error.status == 403


def test_on_result_runs_on_the_calling_thread(send_many):
    seen = []
    send_many(
        "sms", [row(n) for n in range(10)], on_result=lambda r: seen.append((r.index, threading.get_ident()))
    )
    assert sorted(index for index, _ in seen) == list(range(10))
    assert {thread for _, thread in seen} == {threading.get_ident()}


def test_an_exception_of_on_result_stops_the_run(send_many, sandbox):
    def stop(result):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        send_many("sms", [row(n % 100) for n in range(500)], concurrency=2, on_result=stop)
    assert len(sandbox.ledger()) < 500


def test_an_exception_of_the_rows_is_raised_after_the_rows_in_progress(send_many, sandbox):
    def rows():
        yield row(0)
        raise OSError("disk")

    seen = []
    with pytest.raises(OSError, match="disk"):
        send_many("sms", rows(), concurrency=3, on_result=seen.append)
    assert [result.outcome for result in seen] == ["accepted"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"concurrency": 0}, "concurrency must be 1 to 1,000"),
        ({"concurrency": "8"}, "concurrency must be an integer, got str"),
        ({"rate": 0}, "rate must be a number greater than 0"),
        ({"rate": float("nan")}, "rate must be a number greater than 0"),
        ({"rate": "5"}, "rate must be a number of rows a second, got str"),
        ({"on_result": 5}, "on_result must be a function, got int"),
    ],
)
def test_invalid_options_send_nothing(send_many, sandbox, options, expected):
    with pytest.raises(cpaas.Invalid, match=expected):
        send_many("sms", [row(0)], **options)
    assert len(sandbox.ledger()) == 0


@pytest.mark.parametrize("rows", ["text", row(0), 5])
def test_rows_must_be_an_iterable_of_mappings(send_many, rows):
    with pytest.raises(cpaas.Invalid, match="rows must be an iterable of mappings, got"):
        send_many("sms", rows)


def test_no_rows_give_no_results(send_many):
    assert send_many("sms", []) == []


def test_a_rate_spreads_the_starts():
    pace = Pace(4)
    assert [pace.delay(10.0) for _ in range(3)] == [0.0, 0.25, 0.5]
    assert pace.delay(20.0) == 0.0
    assert Pace(None).delay(5.0) == 0.0


def test_progress_is_shown_on_a_terminal_only(send_many):
    terminal, file = Terminal(), io.StringIO()
    send_many("sms", [row(0), row(1, to="abc")], progress=terminal)
    send_many("sms", [row(0)], progress=file)
    assert terminal.getvalue().endswith("\r2/2 rows, 1 not accepted\n")
    assert file.getvalue() == ""


def test_validate_accepts_a_list_of_rows():
    good = {"from": "Acme", "to": "306912345600", "text": "Hi"}
    reports = cpaas.validate("sms.send", [good, {**good, "to": "abc"}, "{", {**good, "text": b"x"}, 5])
    assert [report.ok for report in reports] == [True, False, False, False, False]
    # An empty list is one request of a wrong type, as in the vectors.
    assert not cpaas.validate("sms.send", []).ok
    assert cpaas.validate("sms.send", (good,))[0].ok
    with pytest.raises(cpaas.Invalid, match="operation"):
        cpaas.validate("sms.sand", [good])


def test_validate_of_a_client_accepts_a_list_of_rows(monkeypatch):
    with cpaas.Client(traffic_account_id="0f8fad5b-d9cb-469f-a165-70867728950e") as client:
        rows = [{"destination": "306912345600", "sms": {"text": "Hi", "sender": "Acme"}}]
        assert [report.ok for report in client.validate("messages.send", rows)] == [True]
