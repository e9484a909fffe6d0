"""The functions for `mapInArrow`, in a local Spark."""

import json
import os
import random
import sys

import pytest

import cpaas

pyspark = pytest.importorskip("pyspark")
from pyspark.sql import SparkSession  # noqa: E402

import cpaas.spark  # noqa: E402

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


def report(row):
    found = cpaas.validate(
        "sms.send", {name: value for name, value in zip(MEMBERS, row) if value is not None}
    )
    first = found.errors[0] if found.errors else None
    names = ("code", "pointer", "message")
    return {"ok": found.ok, **{name: first and getattr(first, name) for name in names}}


def test_segments(frame):
    empty = dict.fromkeys(("encoding", "count", "units", "remaining"))
    found = added(frame, cpaas.spark.segments("text"))
    assert found == [
        empty if text is None else cpaas.count_segments([text])[0].to_dict() for _, _, text, _ in ROWS
    ]


def test_random_texts_are_equal_to_the_scalar_function(spark):
    numbers = random.Random(4711)
    texts = ["".join(numbers.choices("ab€я[\U0001f600", k=numbers.randrange(300))) for _ in range(3000)]
    frame = spark.createDataFrame(list(enumerate(texts)), ["id", "text"]).repartition(4)
    counts = cpaas.count_segments(texts)
    assert added(frame, cpaas.spark.segments("text")) == [count.to_dict() for count in counts]


def test_validate(frame):
    expected = [report(row) for row in ROWS]
    assert added(frame, cpaas.spark.validate("sms.send", columns=MEMBERS)) == expected
    columns = {name: name for name in MEMBERS}
    found = added(frame, cpaas.spark.validate("sms.send", columns=columns, problems=True, prefix="sms_"))
    assert [row["sms_ok"] for row in found] == [row["ok"] for row in expected]
    assert found[0]["sms_problems"] == []
    assert found[1]["sms_problems"][0]["code"] == expected[1]["code"]
    schema = (
        "`from` string, `to` string, `text` string, ok boolean, code string, pointer string, message string"
    )
    (first, *_) = frame.drop("id").mapInArrow(cpaas.spark.validate("sms.send"), schema).collect()
    assert first.ok


def test_the_other_functions(frame):
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
    with pytest.raises(Exception, match=r"must be members of sms\.send, got `id`"):
        frame.mapInArrow(step, step.schema(frame)).collect()
