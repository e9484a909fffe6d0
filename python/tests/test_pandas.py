"""The accessors of pandas: results with the caller's index, and nullable types."""

import traceback
from decimal import Decimal

import pytest

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")

import cpaas  # noqa: E402
import cpaas.pandas  # noqa: E402

PRICES = {"30": "0.05", "3069": "0.0375"}
ROWS = 1_000


@pytest.fixture
def frame():
    """Rows whose values follow from the column `n`. Every seventh has no text, every fifth no number, every third a wrong one."""
    return pd.DataFrame(
        {
            "n": range(ROWS),
            "text": [None if n % 7 == 0 else "x" * n for n in range(ROWS)],
            "number": [None if n % 5 == 0 else f"30691{n:07}" if n % 3 else "unknown" for n in range(ROWS)],
        }
    )


INDEXES = {
    "filtered": lambda frame: frame[frame["n"] % 2 == 1],
    "sorted": lambda frame: frame.sort_values("n", ascending=False),
    "duplicate": lambda frame: frame.set_axis([n % 10 for n in range(ROWS)]),
    "multi": lambda frame: frame.set_index([frame["n"] % 3, frame["n"].astype(str) + "x"]).sort_index(),
    "strings": lambda frame: frame.set_axis([f"row {n}" for n in range(ROWS)]),
    "empty": lambda frame: frame[frame["n"] < 0],
}


def units(n):
    return pd.NA if n % 7 == 0 else n


def is_valid(n):
    return pd.NA if n % 5 == 0 else bool(n % 3)


def same(found, expected):
    return [(one is pd.NA and other is pd.NA) or one == other for one, other in zip(found, expected)] == [
        True
    ] * len(expected) and len(found) == len(expected)


@pytest.mark.parametrize("name", INDEXES)
def test_results_have_the_index_and_the_rows_of_the_caller(frame, name):
    frame = INDEXES[name](frame)
    numbers = [int(n) for n in frame["n"]]
    for found in (frame["text"].cpaas.segments(), frame.cpaas.segments("text")):
        assert found.index.equals(frame.index)
        assert found.index.names == frame.index.names
        assert same([*found["units"]], [units(n) for n in numbers])
    for found in (frame["number"].cpaas.check_numbers(), frame.cpaas.check_numbers("number")):
        assert found.index.equals(frame.index)
        assert same([*found["valid"]], [is_valid(n) for n in numbers])
    # Without duplicates, an assignment aligns the rows by the index.
    if frame.index.is_unique:
        frame = frame.assign(units=frame["text"].cpaas.segments()["units"])
        assert same([*frame["units"]], [units(n) for n in numbers])
    assert (frame["number"].cpaas.check_numbers()["valid"] == False).sum() == sum(  # noqa: E712
        is_valid(n) is not pd.NA and not is_valid(n) for n in numbers
    )


@pytest.mark.parametrize("name", INDEXES)
def test_append_keeps_the_columns_of_the_caller(frame, name):
    frame = INDEXES[name](frame)
    found = frame.cpaas.estimate(PRICES, text="text", to="number", append=True, prefix="sms_")
    assert [*found.columns][:3] == ["n", "text", "number"]
    assert found.index.equals(frame.index)
    pd.testing.assert_frame_equal(found[["n", "text", "number"]], frame)
    for n, parts, total in zip(found["n"], found["sms_count"], found["sms_total"]):
        has_price = n % 7 and is_valid(n) is True
        assert (total is pd.NA) or total == parts * Decimal("0.0375")
        assert (total is not pd.NA) == bool(has_price)


def test_no_column_is_an_object(frame):
    sms = pd.DataFrame({"from": ["Acme"], "to": ["306912345678"], "text": [None]})
    results = [
        frame["text"].cpaas.segments(),
        frame["number"].cpaas.check_numbers(),
        frame["text"].cpaas.parse_markup("Html"),
        frame["text"].cpaas.estimate(PRICES, to=frame["number"]),
        sms.cpaas.validate("sms.send", problems=True),
        frame["number"].cpaas.normalize_numbers("GR").to_frame(),
        frame.cpaas.normalize_numbers("number").to_frame(),
        sms.cpaas.requests("sms.send").to_frame(),
        sms.cpaas.render("{{ to }}").to_frame(),
    ]
    for result in results:
        assert "object" not in {str(dtype) for dtype in result.dtypes}, result.dtypes
    assert results[1]["valid"].dtype == "boolean"
    assert results[3]["total"].sum() == sum(
        (-(-n // 153) if n > 160 else 1) * Decimal("0.0375")
        for n in range(1, ROWS)
        if n % 7 and is_valid(n) is True
    )
    # `~` of a nullable boolean leaves out what is missing.
    bad = frame[~results[1]["valid"]]
    assert [*bad["n"]] == [n for n in range(ROWS) if is_valid(n) is not pd.NA and not is_valid(n)]


def test_series_have_names_and_other_functions_work(frame):
    cut = frame[frame["n"] % 2 == 1].set_axis([*"ab"] * 250)
    normalized = cut["number"].cpaas.normalize_numbers()
    assert normalized.name == "number"
    assert normalized.index.equals(cut.index)
    assert [*normalized.dropna()][:2] == ["306910000001", "306910000007"]
    national = cut.assign(number="691 234 5678", region=["GR", None] * 250)
    forms = national.cpaas.normalize_numbers("number", region="region")
    assert forms.index.equals(cut.index)
    assert (forms.name, [*forms.isna()][:2], forms.iloc[0]) == ("normalized", [False, True], "306912345678")
    markup = pd.Series(["<b>x</b>", "<b>", None], index=[3, 3, 1]).cpaas.parse_markup("Html")
    assert [*markup.index] == [3, 3, 1]
    assert markup["ok"].iloc[0]
    assert not markup["ok"].iloc[1]
    assert markup["ok"].isna().iloc[2]
    sms = pd.DataFrame(
        {"key": [1, 2], "from": ["A", "A"], "to": ["306912345678", "x"], "text": ["a", "b"]}, index=[9, 9]
    )
    report = sms.cpaas.validate("sms.send", id="key")
    assert [*report["key"]] == [1, 2]
    assert [*report.index] == [9, 9]
    assert [*report["ok"]] == [True, False]
    requests = sms.drop(columns="key").cpaas.requests("sms.send")
    assert [*requests.index] == [9, 9]
    assert [*sms.cpaas.render("{{ key }}: {{ to }}")] == ["1: 306912345678", "2: x"]
    assert [*sms.drop(columns="key").cpaas.validate("sms.send", append=True).columns][-4:] == [
        "ok",
        "code",
        "pointer",
        "message",
    ]


def test_series_with_other_indexes_are_refused(frame):
    other = frame["number"].sort_values()
    with pytest.raises(ValueError, match="column and `to` must have the same index"):
        frame["text"].cpaas.estimate(PRICES, to=other)
    with pytest.raises(ValueError, match="column and `to` must have the same index"):
        cpaas.arrow.estimate(frame["text"], PRICES, to=other)


def test_mistakes_are_named(frame):
    with pytest.raises(ValueError, match="the table must have the column `txt`; did you mean `text`"):
        frame.cpaas.segments("txt")
    with pytest.raises(ValueError, match="the table already has a column `count`; `prefix` renames"):
        frame.assign(count=1).cpaas.segments("text", append=True)
    with pytest.raises(TypeError, match="cast to text where the numbers are read"):
        frame["n"].cpaas.check_numbers()
    with pytest.raises(TypeError, match=r"use pd\.concat"):
        cpaas.arrow.segments([frame["text"]])
    twice = pd.concat([frame[["text"]], frame[["text"]]], axis=1)
    with pytest.raises(ValueError, match="the names of columns must differ, got `text` twice"):
        twice.cpaas.segments("text")


def test_objects_of_several_types_are_named_without_their_values():
    numbers = [306912345678, "+306912345679", None]
    series = pd.Series(numbers, dtype=object)
    frame = pd.DataFrame({"text": ["a", "b", "c"], "number": series})
    advice = r"must have values of one type, got objects of several; convert it, as with `astype\(\"str\"\)`"
    for call, named in (
        (lambda: series.cpaas.check_numbers(), "column: the column"),
        (lambda: frame.cpaas.check_numbers("number"), "column: column `number`"),
        (lambda: cpaas.arrow.segments(frame, "text", append=True), "column: column `number`"),
        (lambda: cpaas.arrow.render("{{ text }}", frame), "batch: column `number`"),
        (lambda: cpaas.arrow.rows(frame), "rows: column `number`"),
    ):
        with pytest.raises(TypeError, match=f"{named} {advice}") as found:
            call()
        assert "30691" not in "".join(traceback.format_exception(found.value))
        assert found.value.__context__ is None
    assert [*frame.cpaas.segments("text")["count"]] == [1, 1, 1]  # the other columns are not read
    assert [*frame.cpaas.segments("text", append=True)["number"]] == numbers


def test_categories_are_columns_of_text(frame):
    found = frame["number"].astype("category").cpaas.check_numbers()
    assert same([*found["valid"]], [is_valid(n) for n in range(ROWS)])


def test_validate_appends_with_an_id_that_is_not_a_member():
    frame = pd.DataFrame(
        {"key": [7, 8], "from": ["Acme"] * 2, "to": ["306912345678", "x"], "text": ["a"] * 2}, index=[5, 3]
    )
    found = frame.cpaas.validate("sms.send", id="key", append=True, prefix="is_")
    assert [*found] == [*frame, "is_ok", "is_code", "is_pointer", "is_message"]
    assert [*found["is_ok"]] == [True, False]
    assert found[[*frame]].equals(frame)
    with pytest.raises(ValueError, match="key"):
        frame.cpaas.validate("sms.send", append=True)
    with pytest.raises(ValueError, match="the table already has a column `code`"):
        frame.rename(columns={"key": "code"}).cpaas.validate("sms.send", id="code", append=True)


def test_indexes_arrays_and_subclasses_are_exported_without_their_index():
    class Column(pd.Series):
        @property
        def _constructor(self):
            return Column

    class Table(pd.DataFrame):
        @property
        def _constructor(self):
            return Table

    Column.__module__ = Table.__module__ = "geopandas.geodataframe"
    texts = ["a", None, "€"]
    expected = cpaas.arrow.segments(pa.array(texts)).to_pylist()
    for column in (
        pd.Index(texts, dtype="str"),
        pd.Index(texts, dtype="str", name="text"),
        pd.array(texts, dtype="string"),
        pd.Categorical(texts),
        pd.CategoricalIndex(texts),
        Column(texts, index=[5, 3, 1], dtype="str"),
    ):
        assert cpaas.arrow.segments(column).to_pylist() == expected, type(column)
    table = Table({"text": texts}, index=pd.Index(["x", "y", "z"], name="key"), dtype="str")
    assert pa.table(cpaas.arrow.segments(table, "text", append=True)).column_names[:2] == ["text", "encoding"]
    assert cpaas.arrow.segments(table).to_pylist() == expected
    keys = pd.MultiIndex.from_arrays([texts, [1, 2, 3]], names=["text", "n"])
    assert cpaas.arrow.segments(keys, "text").to_pylist() == expected
    # The columns of an index have no index that could differ.
    numbers = pd.Index(["306912345678", "x", "306912345679"], dtype="str")
    assert len(cpaas.arrow.estimate(pd.Index(texts, dtype="str"), PRICES, numbers)) == 3
    with pytest.raises(ValueError, match="must have the same index"):
        cpaas.arrow.estimate(Column(texts, index=[5, 3, 1], dtype="str"), PRICES, pd.Series(numbers))
