"""The functions for `mapInArrow`, in a local Spark."""

import json
import os
import sys

import pytest

pyspark = pytest.importorskip("pyspark")
hypothesis = pytest.importorskip("hypothesis")
import random_columns  # noqa: E402
import scalar_results  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

import cpaas.spark  # noqa: E402

# Each example is a job of Spark, which takes about a second.
few_examples = hypothesis.settings(max_examples=8, deadline=None, derandomize=True)

ROWS = [("Acme", "306912345678", "*hi*", 1), (None, "x", None, 2), ("A" * 12, None, "я" * 71, 3)]
MEMBERS = ["from", "to", "text"]


@pytest.fixture(scope="module")
def spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def frame(spark):
    return spark.createDataFrame(ROWS, [*MEMBERS, "id"])


def added(frame, step):
    """The rows of the added columns, in the order of the frame."""
    result = frame.mapInArrow(step, step.schema(frame))
    assert result.columns[: len(frame.columns)] == frame.columns
    rows = sorted((row.asDict(recursive=True) for row in result.collect()), key=lambda row: row["id"])
    return [{name: row[name] for name in result.columns[len(frame.columns) :]} for row in rows]


def test_segments_appends_its_columns(frame):
    assert added(frame, cpaas.spark.segments("text")) == columns(
        scalar_results.segments([text for _, _, text, _ in ROWS])
    )


def columns(results):
    """Results as added columns: a null result is a row of nulls."""
    names = next(result for result in results if result is not None)
    return [dict.fromkeys(names) if result is None else result for result in results]


def random_frame(spark, texts):
    return spark.createDataFrame(list(enumerate(texts)), "id int, text string").repartition(2)


@few_examples
@hypothesis.given(values=random_columns.texts.filter(any))
def test_functions_of_random_texts_return_what_the_scalar_functions_return(spark, values):
    frame = random_frame(spark, values)
    assert added(frame, cpaas.spark.segments("text")) == columns(scalar_results.segments(values))
    found = added(frame, cpaas.spark.parse_markup("text", "Html", prefix="m_"))
    found = [{name.removeprefix("m_"): value for name, value in row.items()} for row in found]
    assert found == columns(scalar_results.markup(values, "Html"))
    found = added(frame, cpaas.spark.estimate("text", "0.0075"))
    assert [row["total"] for row in found] == scalar_results.totals(values, "0.0075")


@few_examples
@hypothesis.given(values=random_columns.numbers.filter(any))
def test_checks_of_random_numbers_return_what_the_scalar_function_returns(spark, values):
    found = added(random_frame(spark, values), cpaas.spark.check_numbers("text"))
    assert found == columns(scalar_results.checks(values))


@few_examples
@hypothesis.given(values=random_columns.requests)
def test_reports_of_random_requests_are_those_of_the_scalar_function(spark, values):
    rows = [(*(row[name] for name in MEMBERS), index) for index, row in enumerate(values)]
    frame = spark.createDataFrame(rows, "`from` string, `to` string, `text` string, id int")
    found = added(frame, cpaas.spark.validate("sms.send", columns=MEMBERS))
    assert found == scalar_results.reports("sms.send", values)


def test_validate_appends_the_first_error_or_all_problems(frame):
    expected = scalar_results.reports("sms.send", [dict(zip(MEMBERS, row)) for row in ROWS])
    assert added(frame, cpaas.spark.validate("sms.send", columns=MEMBERS)) == expected
    mapping = {name: name for name in MEMBERS}
    found = added(frame, cpaas.spark.validate("sms.send", columns=mapping, problems=True, prefix="sms_"))
    assert [row["sms_ok"] for row in found] == [row["ok"] for row in expected]
    assert found[0]["sms_problems"] == []
    assert found[1]["sms_problems"][0]["code"] == expected[1]["code"]
    schema = (
        "`from` string, `to` string, `text` string, ok boolean, code string, pointer string, message string"
    )
    (first, *_) = frame.drop("id").mapInArrow(cpaas.spark.validate("sms.send"), schema).collect()
    assert first.ok


def test_the_other_functions_append_their_columns(frame):
    first, second, _ = added(frame, cpaas.spark.check_numbers("to"))
    assert (first["region"], second["valid"]) == ("GR", False)
    prices = "prefix,price,currency\n30,0.05,EUR\n"
    first, second, _ = added(frame, cpaas.spark.estimate("text", prices, to="to"))
    assert (str(first["total"]), first["currency"], second["total"]) == ("0.050000000", "EUR", None)
    first, second, _ = added(frame, cpaas.spark.parse_markup("text", prefix="markup_"))
    assert first == {"markup_ok": True, "markup_length": 2, "markup_text": "hi"}
    assert second["markup_ok"] is None
    first, *_ = added(frame, cpaas.spark.requests("sms.send", columns=MEMBERS))
    assert json.loads(first["request"]) == dict(zip(MEMBERS, ROWS[0]))
    found = added(frame, cpaas.spark.render("{{ text }}!", name="shout"))
    assert [row["shout"] for row in found] == ["*hi*!", None, "я" * 71 + "!"]


def test_an_error_names_the_column(frame):
    step = cpaas.spark.validate("sms.send")
    with pytest.raises(ValueError, match=r"must be members of sms\.send, got `id`"):
        step.schema(frame)


@pytest.mark.parametrize(
    ("step", "error", "message"),
    [
        (cpaas.spark.segments("txt"), ValueError, "must have the column `txt`; did you mean `text`"),
        (
            cpaas.spark.estimate("text", {"30": "1"}, to="number"),
            ValueError,
            "must have the column `number`; the columns are from, to, text, id",
        ),
        (
            cpaas.spark.validate("sms.send", columns=["from", "too", "text"]),
            ValueError,
            "`too`; did you mean `to`",
        ),
        (cpaas.spark.requests("sms.send", columns={"from": "frm"}), ValueError, "`frm`; did you mean `from`"),
        (
            cpaas.spark.render("{{ text }}", name="id"),
            ValueError,
            "already has a column `id`; `prefix` renames the added columns",
        ),
        (cpaas.spark.render("{{ tetx }}"), ValueError, "`tetx`, which are missing; did you mean `text`"),
        (cpaas.spark.segments("id"), TypeError, "must be utf8, .*, got int64"),
        (cpaas.spark.validate("sms.send"), ValueError, r"must be members of sms\.send, got `id`"),
    ],
)
def test_errors_of_columns_are_raised_on_the_driver(frame, step, error, message):
    for value in (frame, frame.schema):
        with pytest.raises(error, match=message):
            step.schema(value)


def test_a_data_frame_may_have_columns_of_each_type(spark):
    frame = spark.sql("""
        select 'Hi' text, timestamp '2024-07-01 12:00:00' at, timestamp_ntz '2024-07-01 12:00:00' local, date '2024-07-01' day,
            interval '1' day span, array(timestamp '2024-07-01 12:00:00') times, map('a', 1) ages,
            cast(1.5 as decimal(9, 2)) sum, binary('x') bytes, named_struct('at', timestamp '2024-07-01 12:00:00') nested
    """)
    step = cpaas.spark.segments("text")
    (row,) = frame.mapInArrow(step, step.schema(frame)).collect()
    assert (row["count"], row["day"].year, row["nested"]["at"]) == (1, 2024, row["at"])
    step = cpaas.spark.render("{{ at | date('%H:%M') }} {{ day }} {{ sum }}")
    (row,) = frame.mapInArrow(step, step.schema(frame)).collect()
    assert row["rendered"].endswith(" 2024-07-01 1.50")


def test_columns_that_a_data_frame_has_twice_are_an_error(frame):
    step = cpaas.spark.segments("text")
    with pytest.raises(ValueError, match="has several columns `from`"):
        step.schema(frame.select("from", "from", "text"))
    twice = frame.mapInArrow(step, step.schema(frame))
    with pytest.raises(ValueError, match="already has a column `encoding`"):
        step.schema(twice)
    step = cpaas.spark.segments("text", prefix="second_")
    assert step.schema(twice).names[-1] == "second_remaining"
