"""Results as values: Python objects, iteration, pickles, comparison and `repr`."""

import copy
import datetime
import decimal
import pickle
import zoneinfo

import pytest

pa = pytest.importorskip("pyarrow")
from support.columns import NUMBERS, TEXTS, rows  # noqa: E402

from cpaas import arrow  # noqa: E402

PRICES = "prefix,price,currency\n306,0.0375,EUR\n"
SECRET = "Secret 4711"
TABLE = pa.table({"text": TEXTS, "number": NUMBERS})
SMS = pa.table({"from": ["A", "A"], "to": ["306912345678", "x"], "text": [SECRET, None]})
RESULTS = {
    "segments": lambda: arrow.segments(TABLE, "text"),
    "numbers": lambda: arrow.check_numbers(TABLE, "number"),
    "normalized": lambda: arrow.normalize_numbers(TABLE["number"]),
    "estimate": lambda: arrow.estimate(TABLE, PRICES, text="text", to="number"),
    "markup": lambda: arrow.parse_markup(TABLE["text"], "Html"),
    "report": lambda: arrow.validate("sms.send", SMS),
    "problems": lambda: arrow.validate("sms.send", SMS, problems=True),
    "requests": lambda: arrow.requests("sms.send", SMS),
    "rendered": lambda: arrow.render("{{ to }}", SMS),
    "summary": lambda: arrow.summary(arrow.validate("sms.send", SMS, id="to"), id="to"),
    "appended": lambda: arrow.segments(TABLE, "text", append=True),
    "empty": lambda: arrow.segments(pa.array([], pa.string())),
    "chunks": lambda: arrow.segments(pa.chunked_array([TEXTS, [], TEXTS[:2]])),
}
# Types of the caller's columns.
TYPES = {
    "bool": ([True, None, False], pa.bool_()),
    "int8": ([1, None, -3], pa.int8()),
    "uint64": ([2**64 - 1, None, 0], pa.uint64()),
    "float": ([1.5, None, -0.25], pa.float32()),
    "double": ([1e300, None, 0.1], pa.float64()),
    "large_string": (["a", None, "€"], pa.large_string()),
    "string_view": (["a", None, "a text of more than twelve bytes"], pa.string_view()),
    "binary": ([b"a\xff", None, b""], pa.binary()),
    "large_binary": ([b"a\xff", None, b""], pa.large_binary()),
    "fixed_binary": ([b"ab", None, b"cd"], pa.binary(2)),
    "dictionary": (["a", None, "b"], pa.dictionary(pa.int8(), pa.string())),
    "date": ([datetime.date(2024, 2, 29), None, datetime.date(1, 1, 1)], pa.date32()),
    "time": (
        [datetime.datetime(2024, 2, 29, 1, 2, 3, 456), None, datetime.datetime(1900, 1, 1)],
        pa.timestamp("us"),
    ),
    "seconds": ([datetime.datetime(2024, 2, 29), None, datetime.datetime(1900, 1, 1)], pa.timestamp("s")),
    "zone": (
        [
            datetime.datetime(2024, 7, 1, 12, tzinfo=zoneinfo.ZoneInfo("Europe/Athens")),
            None,
            datetime.datetime(2024, 1, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Athens")),
        ],
        pa.timestamp("ms", "Europe/Athens"),
    ),
    "duration": ([datetime.timedelta(days=-1, seconds=3), None, datetime.timedelta(0)], pa.duration("ms")),
    "decimal": ([decimal.Decimal("-1.50"), None, decimal.Decimal("0.00")], pa.decimal128(10, 2)),
    "list": ([[1, None], None, []], pa.list_(pa.int64())),
    "large_list": ([["a"], None, []], pa.large_list(pa.string())),
    "fixed_list": ([[1, 2], None, [3, None]], pa.list_(pa.int16(), 2)),
    "map": ([[("a", 1)], None, []], pa.map_(pa.string(), pa.int64())),
    "struct": (
        [{"a": 1, "b": None}, None, {"a": None, "b": ["x"]}],
        pa.struct({"a": pa.int64(), "b": pa.list_(pa.string())}),
    ),
    "null": ([None, None, None], pa.null()),
}


def appended(name, cut=slice(None)):
    values, data_type = TYPES[name]
    table = pa.table({"caller": pa.array(values, data_type), "text": ["a", None, "b"]})
    return arrow.segments(table[cut], "text", append=True)


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_as_python_objects_is_that_of_pyarrow(name):
    result = RESULTS[name]()
    assert result.to_pylist() == rows(result)
    assert list(result) == rows(result)
    iterator = iter(result)
    assert iter(iterator) is iterator


@pytest.mark.parametrize("name", TYPES)
def test_columns_of_the_caller_as_python_objects_are_those_of_pyarrow(name):
    for cut in (slice(None), slice(1, 3), slice(2, 3)):
        result = appended(name, cut)
        expected = pa.table(result).to_pylist()
        assert [row["caller"] for row in expected] == TYPES[name][0][cut]
        assert result.to_pylist() == expected
        back = pickle.loads(pickle.dumps(result))
        assert back == result
        # The dictionary of a pickle has only the values that its rows use.
        assert without_dictionary(back) == without_dictionary(result)


def without_dictionary(result):
    table = pa.table(result)
    column = table["caller"]
    if pa.types.is_dictionary(column.type):
        return table.set_column(0, "caller", column.cast(column.type.value_type))
    return table


def test_a_column_without_python_values_is_named():
    table = pa.table({"caller": pa.array([1], pa.time64("ns")), "text": ["a"]})
    with pytest.raises(TypeError, match="has no Python values here: use pyarrow"):
        arrow.segments(table, "text", append=True).to_pylist()
    nanoseconds = pa.table({"caller": pa.array([1], pa.timestamp("ns")), "text": ["a"]})
    with pytest.raises(ValueError, match="a time has nanoseconds, which Python's times lack"):
        arrow.segments(nanoseconds, "text", append=True).to_pylist()


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_restores_a_result(name, protocol):
    result = RESULTS[name]()
    back = pickle.loads(pickle.dumps(result, protocol))
    assert back == result
    assert rows(back) == rows(result)
    assert repr(back) == repr(result)
    assert pa.chunked_array(back).type == pa.chunked_array(result).type
    assert copy.deepcopy(result) == result


def test_a_pickle_of_a_slice_has_only_its_rows():
    table = pa.table({"id": range(100_000), "text": ["a" * 100] * 100_000})
    assert len(pickle.dumps(arrow.segments(table.slice(50_000, 10), "text", append=True))) < 20_000


UNIQUE = [f"{n} is a text of more than twelve bytes" for n in range(20_000)]
SHARED = {
    "string_view": pa.array(UNIQUE, pa.string_view()),
    "binary_view": pa.array([text.encode() for text in UNIQUE], pa.binary_view()),
    "dictionary": pa.array(UNIQUE).dictionary_encode(),
    "dictionary of views": pa.DictionaryArray.from_arrays(
        pa.array(range(20_000), pa.uint16()), pa.array(UNIQUE, pa.string_view())
    ),
    "lists": pa.ListArray.from_arrays(
        pa.array(range(20_001), pa.int32()), pa.array(UNIQUE).dictionary_encode()
    ),
    "structs": pa.StructArray.from_arrays([pa.array(UNIQUE, pa.string_view())], ["text"]),
}


@pytest.mark.parametrize("name", SHARED)
def test_pickles_of_slices_do_not_repeat_the_data_that_they_share(name):
    column = SHARED[name]
    slices = [column.slice(start, 100) for start in range(0, 20_000, 100)]
    result = arrow.segments(
        pa.table({"caller": pa.chunked_array(slices), "text": UNIQUE}), "text", append=True
    )
    assert result.num_chunks >= 200
    data = pickle.dumps(result)
    assert len(data) < 6_000_000
    back = pickle.loads(data)
    assert [row["caller"] for row in pa.table(back).to_pylist()] == column.to_pylist()


@pytest.mark.parametrize(
    "keys", [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64()]
)
def test_a_pickle_keeps_the_used_values_of_a_dictionary_in_their_order(keys):
    dictionary = pa.DictionaryArray.from_arrays(
        pa.array([5, None, 2, 5, 99], keys), pa.array([f"v{n}" if n != 2 else None for n in range(100)])
    )
    table = pa.table({"caller": dictionary, "text": ["a"] * 5})
    back = pa.table(pickle.loads(pickle.dumps(arrow.segments(table, "text", append=True))))
    assert back["caller"].to_pylist() == ["v5", None, None, "v5", "v99"]
    assert back["caller"].type == dictionary.type
    assert back["caller"].chunk(0).dictionary.to_pylist() == [None, "v5", "v99"]
    # A small dictionary keeps its values, such as the categories of pandas.
    few = pa.DictionaryArray.from_arrays(pa.array([1, 1, 1], keys), pa.array(["a", "b"]))
    table = pa.table({"caller": few, "text": ["a"] * 3})
    back = pa.table(pickle.loads(pickle.dumps(arrow.segments(table, "text", append=True))))
    assert back["caller"].chunk(0).dictionary.to_pylist() == ["a", "b"]


def test_a_pickle_of_views_that_share_bytes_or_are_null_is_not_larger_than_their_buffers():
    _, view, text = pa.array(["x" * 1_000], pa.string_view()).buffers()
    views = pa.py_buffer(view.to_pybytes() * 1_000)
    shared = pa.Array.from_buffers(pa.string_view(), 1_000, [None, views, text])
    short = pa.array(["a" * n for n in range(12)] + [None, "b" * 100_000], pa.string_view()).slice(0, 13)
    for column, limit in ((shared, 100_000), (short, 2_000)):
        table = pa.table({"caller": column, "text": ["a"] * len(column)})
        result = arrow.segments(table, "text", append=True)
        data = pickle.dumps(result)
        assert len(data) < limit
        assert pickle.loads(data).to_pylist() == result.to_pylist()


def test_a_damaged_pickle_is_an_error():
    function, (state,) = RESULTS["appended"]().__reduce__()
    field, hidden, chunks = state
    length, nulls, buffers, children = chunks[0]
    for damaged in (
        (length + 100, nulls, buffers, children),
        (length, nulls, buffers, children[:1]),
        (length, nulls, buffers, [(length, None, [b"\xff\xff\xff\x7f" * 8, b"a"], []), *list(children[1:])]),
    ):
        with pytest.raises(ValueError, match="pickle"):
            function((field, hidden, [damaged]))
    with pytest.raises(TypeError):
        function(5)


def test_results_with_the_same_type_and_rows_are_equal():
    one = arrow.segments(pa.array(["a", None]))
    assert (one == arrow.segments(pa.chunked_array([["a"], [None]], pa.string()))) is True
    assert one != arrow.segments(pa.array(["a", "b"]))
    assert one != arrow.segments(pa.array(["a", None, None]))
    assert one != arrow.segments(pa.array(["a", None]), prefix="x")
    assert (one == 5) is False
    assert one != None  # noqa: E711
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@pytest.mark.parametrize("name", RESULTS)
def test_the_repr_shows_no_value_of_a_person(name):
    text = repr(RESULTS[name]())
    for value in [*filter(None, NUMBERS), SECRET, "hello", "я"]:
        assert value == "x" or value == "12" or value not in text


def test_the_repr_shows_counts_prices_and_codes():
    assert (
        repr(arrow.estimate(TABLE, PRICES, text="text", to="number", append=True))
        .splitlines()[1]
        .startswith(
            "  text=… number=… encoding=gsm7 count=1 units=5 remaining=155 price_per_part=0.037500000 total=0.037500000 prefix=306 currency=EUR"
        )
    )
    lines = repr(RESULTS["segments"]()).splitlines()
    assert lines[0] == "<cpaas.arrow.ArrowArray: 7 rows of a struct of encoding, count, units, remaining"
    assert lines[3] == "  null"
    assert lines[4] == "  encoding=gsm7 count=2 units=161 remaining=145"
    assert lines[6:] == ["  …>"]
    assert (
        repr(RESULTS["report"]()).splitlines()[2]
        == "  ok=False code=sms.to.not_digits pointer=/to message=…>"
    )
    # A column of the caller may be a passcode, whatever its name and type.
    table = pa.table({"code": [471100], "count": ["4711"], "text": ["a"]})
    text = repr(arrow.segments(table, "text", append=True, prefix="sms_"))
    assert "4711" not in text
    assert "code=… count=… text=… sms_encoding=gsm7" in text
    assert (
        repr(RESULTS["empty"]())
        == "<cpaas.arrow.ArrowArray: 0 rows of a struct of encoding, count, units, remaining>"
    )
    assert repr(RESULTS["requests"]()) == "<cpaas.arrow.ArrowArray: 2 rows of utf8>"
