"""Summaries of reports that are not as `validate` returns them, and of many codes."""

import json
import time

import pytest

pa = pytest.importorskip("pyarrow")

from cpaas import arrow  # noqa: E402

SMS = pa.table({"from": ["Acme"] * 3, "to": ["306912345678", "x", ""], "text": ["a"] * 3})
PROBLEM = {"code": "sms.to.not_digits", "severity": "error"}
WITHOUT = "must be a list of structs, got {}; without it, the first error of each row is counted"


def test_problems_as_json_text_are_an_error_and_the_first_errors_are_counted_without_them():
    report = pa.table(arrow.validate("sms.send", SMS, problems=True).table())
    text = pa.array([json.dumps(problems) for problems in report["problems"].to_pylist()])
    written = report.drop_columns(["problems"]).append_column("problems", text)
    with pytest.raises(TypeError, match="report: column `problems` " + WITHOUT.format("utf8")):
        arrow.summary(written)
    found = arrow.summary(written.drop_columns(["problems"])).to_pylist()
    assert sum(row["count"] for row in found) == 2


@pytest.mark.parametrize(
    ("problems", "message"),
    [
        (pa.array([["x"]]), WITHOUT.format("a list of utf8")),
        (pa.array([PROBLEM]), WITHOUT.format("a struct of .*")),
        (
            pa.array([[PROBLEM]], pa.list_(pa.struct({"code": pa.string()}), 1)),
            WITHOUT.format("a list of .*"),
        ),
        (pa.array([[{"message": "x"}]]), "must contain structs with the member `code`"),
        (pa.array([[{"code": 7}]]), "member `code` of column `problems` must be text, got int64"),
        (pa.array([[{**PROBLEM, "severity": 1}]]), "member `severity` of column `problems` must be text"),
    ],
)
def test_problems_of_another_type_are_an_error(problems, message):
    with pytest.raises(TypeError, match=message):
        arrow.summary(pa.table({"code": ["sms.to.not_digits"], "problems": problems}))


def test_problems_that_are_all_empty_may_have_no_type():
    report = pa.table({"code": pa.array([None] * 2, pa.string()), "problems": pa.array([[], []])})
    assert report["problems"].type == pa.list_(pa.null())
    assert arrow.summary(report).to_pylist() == []


@pytest.mark.parametrize("name", ["code", "count", "rows", "pointer", "message"])
def test_the_id_must_not_have_the_name_of_another_column(name):
    report = pa.table(
        {"code": ["a"], "count": ["1"], "rows": ["2"], "pointer": ["/to"], "message": ["x"], "key": ["k"]}
    )
    assert arrow.summary(report, id="key").to_pylist()[0]["key"] == ["k"]
    with pytest.raises(ValueError, match=f"id: must not be `{name}`, which is a column of the summary"):
        arrow.summary(report, id=name)
    renamed = report.rename_columns([f"sms_{column}" for column in report.column_names])
    assert arrow.summary(renamed, id=f"sms_{name}", prefix="sms_").to_pylist()[0]["code"] == "a"


def test_warnings_and_information_are_not_errors():
    texts = ["a" * 300, "Hi"]
    table = pa.table({"from": ["Acme"] * 2, "to": ["306912345678", "x"], "text": texts})
    report = arrow.validate("sms.send", table, problems=True)
    severities = {problem["severity"] for row in report for problem in row["problems"]}
    assert severities == {"info", "error"}
    assert [(row["code"], row["count"]) for row in arrow.summary(report)] == [("sms.to.not_digits", 1)]
    problems = [[{"code": "a", "severity": "warning"}, {"code": "b", "severity": None}, {"code": "c"}]]
    found = arrow.summary(pa.table({"code": ["a"], "problems": problems}))
    assert [row["code"] for row in found] == ["b", "c"]


def test_each_reason_of_a_code_has_a_group_of_its_own():
    # As the groups of a plan: messages that differ in their figures only belong together.
    messages = ["at most 5, got 12", "at most 5, got 1,300", "got no characters", None, "got no characters"]
    report = pa.table({"code": ["a"] * 5, "message": messages})
    found = [(row["code"], row["message"], row["rows"]) for row in arrow.summary(report)]
    assert found == [
        ("a", "at most 5, got 12", [1, 2]),
        ("a", "got no characters", [3, 5]),
        ("a", None, [4]),
    ]
    # One error of each row is in the groups, so that their counts have the sum of all errors.
    assert sum(row["count"] for row in arrow.summary(report)) == 5


def test_many_codes_take_linear_time():
    codes = [f"code.{n}" for n in range(100_000)]
    started = time.monotonic()
    found = arrow.summary(pa.table({"code": codes * 2}))
    assert time.monotonic() - started < 10
    assert pa.table(found.table())["code"].to_pylist() == codes
    assert set(pa.table(found.table())["count"].to_pylist()) == {2}


def test_many_messages_take_linear_time():
    letters = "abcdefghij"
    messages = ["".join(letters[int(digit)] for digit in f"{n:06}") for n in range(100_000)]
    started = time.monotonic()
    found = arrow.summary(pa.table({"code": ["code"] * 200_000, "message": messages * 2}))
    assert time.monotonic() - started < 10
    assert pa.table(found.table())["message"].to_pylist() == messages
