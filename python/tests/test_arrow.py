"""Columns and tables through the Arrow protocols, compared with the scalar functions."""

import decimal
import subprocess
import sys
import threading
import time

import pytest

import cpaas

pa = pytest.importorskip("pyarrow")
import scalar_results  # noqa: E402
from scalar_results import without_nulls  # noqa: E402
from support.columns import NUMBERS, REQUESTS, TEXTS, rows  # noqa: E402

from cpaas import arrow  # noqa: E402

LAYOUTS = {
    "utf8": pa.array(TEXTS),
    "large_utf8": pa.array(TEXTS, pa.large_string()),
    "utf8_view": pa.array(TEXTS, pa.string_view()),
    "dictionary": pa.array(TEXTS).dictionary_encode(),
    "dictionary of int8": pa.array(TEXTS).dictionary_encode().cast(pa.dictionary(pa.int8(), pa.string())),
    "dictionary of large_utf8": pa.array(TEXTS, pa.large_string()).dictionary_encode(),
    "slice": pa.array(["cut", None, *TEXTS, "cut"])[2:-1],
    "slice of views": pa.array(["cut", *TEXTS, "cut"], pa.string_view())[1:-1],
    "slice of a dictionary": pa.array(["cut", *TEXTS]).dictionary_encode()[1:],
    "chunks": pa.chunked_array([TEXTS[:2], [], TEXTS[2:3], TEXTS[3:]], pa.string()),
    "table": pa.table({"text": TEXTS}),
    "slice of a table": pa.table({"text": ["cut", *TEXTS, "cut"]}).slice(1, len(TEXTS)),
    "slice of a batch": pa.record_batch({"text": ["cut", *TEXTS, "cut"]}).slice(1, len(TEXTS)),
    "slice of a struct": pa.array([{"text": text} for text in ["cut", *TEXTS]])[1:],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_segments_accepts_each_layout(layout):
    assert rows(arrow.segments(LAYOUTS[layout])) == scalar_results.segments(TEXTS)


def test_the_members_of_a_null_are_null():
    result = pa.array(arrow.segments(pa.array(["a", None])))
    assert result.null_count == 1
    assert [field.null_count for field in result.flatten()] == [1, 1, 1, 1]
    assert pa.array(result.field(0)).to_pylist() == ["gsm7", None]


def test_a_null_row_of_a_struct_is_null():
    column = pa.array([{"text": "a"}, None, {"text": None}])
    assert rows(arrow.segments(column)) == scalar_results.segments(["a", None, None])


def test_columns_of_nulls_and_empty_columns_are_accepted():
    assert rows(arrow.segments(pa.nulls(3))) == [None] * 3
    for empty in (pa.array([], pa.string()), pa.chunked_array([], pa.string()), pa.nulls(0)):
        result = arrow.segments(empty)
        assert rows(result) == []
        assert pa.array(result).type.field("count").type == pa.int32()
    assert rows(arrow.validate("sms.send", REQUESTS.slice(0, 0))) == []
    assert rows(arrow.render("Hi", REQUESTS.slice(0, 0))) == []


def test_more_than_255_parts_are_counted_and_have_no_price():
    column = pa.array(["x" * 40_000])
    assert rows(arrow.segments(column)) == scalar_results.segments(column.to_pylist())
    (found,) = rows(arrow.estimate(column, "1"))
    assert found["count"] == 262
    assert found["total"] is None


def test_check_numbers_returns_what_the_scalar_function_returns():
    assert rows(arrow.check_numbers(pa.array(NUMBERS))) == scalar_results.checks(NUMBERS)


@pytest.mark.parametrize("mode", ["Default", "Markdown", "Html", "MarkdownV2"])
def test_parse_markup_returns_what_the_scalar_function_returns(mode):
    texts = ["*bold* text", "1.5", None, "<b>x</b>", "  trimmed ", ""]
    expected = scalar_results.markup(texts, mode)
    assert rows(arrow.parse_markup(pa.array(texts), mode)) == expected
    assert expected[0]["ok"]


def test_an_unknown_mode_of_markup_is_an_error():
    with pytest.raises(ValueError, match='mode must be "Default", "Markdown", "Html" or "MarkdownV2"'):
        arrow.parse_markup(pa.array(["a"]), "html")


def test_estimate_with_one_price_equals_the_scalar_function():
    for price in ("0.0075", decimal.Decimal("0.0075")):
        for text, found in zip(TEXTS, rows(arrow.estimate(pa.array(TEXTS), price))):
            if text is None:
                assert found is None
                continue
            expected = cpaas.estimate(text, price)
            assert (found["count"], found["encoding"]) == (expected.count, expected.encoding)
            assert (found["price_per_part"], found["total"]) == (expected.price_per_part, expected.total)


def test_estimate_uses_the_price_of_the_longest_prefix(tmp_path):
    csv = "prefix,price,currency\n30,0.05,EUR\n306,0.0375,EUR\n"
    file = tmp_path / "prices.csv"
    file.write_text(csv)
    texts = pa.array(["x" * 161, "hi", "hi", "hi", None])
    to = pa.chunked_array([["306912345678", "+30 210 123 4567"], ["4420", None, "306912345678"]])
    table = pa.table({"prefix": ["30", "306"], "price": ["0.05", "0.0375"], "currency": ["EUR", "EUR"]})
    for prices in (csv, file, str(file), table, table.to_pylist()):
        found = rows(arrow.estimate(texts, prices, to=to))
        totals = [row and (row["prefix"], row["total"], row["currency"]) for row in found]
        price = decimal.Decimal
        assert totals == [
            ("306", price("0.075"), "EUR"),
            ("30", price("0.05"), "EUR"),
            (None, None, None),
            (None, None, None),
            None,
        ]
        assert [row and row["count"] for row in found] == [2, 1, 1, 1, None]
    mapping = {"30": "0.05", "306": decimal.Decimal("0.0375")}
    assert [row and row["total"] for row in rows(arrow.estimate(texts, mapping, to=to))] == [
        row and row["total"] for row in found
    ]


@pytest.mark.parametrize(
    ("prices", "error", "message"),
    [
        ("abc", ValueError, "decimal number"),
        ("0.0000000001", ValueError, "nine decimals"),
        (1.5, TypeError, "prices must be a Decimal, a str, a mapping, an iterable"),
        ({"30": 0.5}, TypeError, "a price must be a Decimal or a str, got float"),
        ({"x": "0.5"}, ValueError, "line 2: the prefix must be digits"),
        ([("30", "1")], TypeError, "each item of prices must be a mapping, got tuple"),
        (
            [{"prefix": "30", "price": "1"}],
            ValueError,
            "each item of prices must have prefix, price and currency",
        ),
        (
            [{"prefix": "30", "price": 0.5, "currency": "EUR"}],
            TypeError,
            "a price must be a Decimal or a str",
        ),
        ({}, None, ""),
    ],
)
def test_invalid_prices_are_errors(prices, error, message):
    column = pa.array(["a"])
    if error is None:
        assert rows(arrow.estimate(column, prices, to=column))[0]["total"] is None
        return
    with pytest.raises(error, match=message):
        arrow.estimate(column, prices, to=column)


@pytest.mark.parametrize("form", ["text", "file", "file with a BOM", "mapping", "rows"])
def test_prices_by_prefix_mean_the_same_for_a_column_as_for_one_text(form, tmp_path):
    csv = "prefix,price,currency\n30,0.05,EUR\n306,0.00001,EUR\n"
    file = tmp_path / "prices.csv"
    file.write_text(csv, encoding="utf-8-sig" if "BOM" in form else "utf-8")
    price = decimal.Decimal("1E-5")
    prices = {
        "text": csv,
        "mapping": {"30": "0.05", "306": price},
        "rows": [
            {"prefix": "30", "price": "0.05", "currency": "EUR"},
            {"prefix": "306", "price": price, "currency": "EUR"},
        ],
    }.get(form, file)
    (found,) = rows(arrow.estimate(pa.array(["hi"]), prices, to=pa.array(["306912345678"])))
    expected = cpaas.estimate("hi", prices=prices, to="306912345678")
    assert (found["total"], found["currency"] or None) == (expected.total, expected.currency or None)
    assert expected.total == price


def test_a_float_is_not_a_price():
    for prices in ({"30": 0.5}, [{"prefix": "30", "price": 0.5, "currency": "EUR"}]):
        with pytest.raises(cpaas.InvalidType, match="a price must be a Decimal or a str, got float"):
            cpaas.estimate("hi", prices=prices, to="306912345678")


def test_prices_by_prefix_need_numbers():
    with pytest.raises(TypeError, match="`to` must be the column of numbers"):
        arrow.estimate(pa.array(["a"]), {"30": "1"})
    with pytest.raises(ValueError, match="`column` and `to` must have the same number of rows"):
        arrow.estimate(pa.array(["a"]), {"30": "1"}, to=pa.array(["30", "30"]))


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([1]), "column: must be utf8, large_utf8, utf8_view or a dictionary of these, got int64"),
        (pa.array([b"a"]), "got binary"),
        (pa.array([["a"]]), "got a list of utf8"),
        (pa.array([1]).dictionary_encode(), "got a dictionary of int64"),
        (REQUESTS, "got a table with the columns from, to, text, test"),
        (["a"], "column: must have the method __arrow_c_stream__ or __arrow_c_array__, .* got list"),
    ],
)
def test_invalid_columns_are_errors(column, message):
    for function in (arrow.segments, arrow.check_numbers, arrow.parse_markup):
        with pytest.raises(TypeError, match=message):
            function(column)


def test_rows_iterates_over_a_stream():
    reader = pa.RecordBatchReader.from_batches(REQUESTS.schema, iter(REQUESTS.to_batches(2)))
    found = arrow.rows(reader)
    assert found.columns == ["from", "to", "text", "test"]
    assert list(found) == [without_nulls(row) for row in REQUESTS.to_pylist()]
    with pytest.raises(TypeError, match="rows: column `raw`"):
        arrow.rows(pa.table({"raw": [b"a"]}))


def test_a_stream_is_read_once_and_its_error_is_reported():
    schema = pa.schema({"text": pa.string()})
    reader = pa.RecordBatchReader.from_batches(schema, iter([pa.record_batch({"text": ["a"]})]))
    assert rows(arrow.segments(reader)) == scalar_results.segments(["a"])

    def failing():
        yield pa.record_batch({"text": ["a"]})
        raise RuntimeError("disk failed")

    with pytest.raises(ValueError, match=r"the Arrow stream failed: .*disk failed"):
        arrow.segments(pa.RecordBatchReader.from_batches(schema, failing()))


@pytest.mark.parametrize("threads", [None, 1, 2, 7])
def test_many_rows_in_many_chunks_keep_their_order(threads):
    texts = [None if n % 97 == 0 else "x" * (n % 200) for n in range(200_000)]
    column = pa.chunked_array([texts[:1], texts[1:70_001], texts[70_001:]], pa.string())
    result = arrow.segments(column, threads=threads)
    assert result.num_chunks > 3
    units = pa.chunked_array(result).combine_chunks()
    units = pa.concat_arrays(units.chunks) if isinstance(units, pa.ChunkedArray) else units
    expected = [None if text is None else len(text) for text in texts]
    assert units.field("units").to_pylist() == expected
    assert pa.array(result).field("units").to_pylist() == expected


def test_threads_must_be_positive():
    with pytest.raises(ValueError, match="threads must be 1 or greater, got 0"):
        arrow.segments(pa.array(["a"]), threads=0)
    with pytest.raises(ValueError, match="threads must be 1 or greater, got -1"):
        arrow.segments(pa.array(["a"]), threads=-1)
    assert len(arrow.segments(pa.array(["a"]), threads=2**62)) == 1


def test_threads_1_uses_the_calling_thread_only():
    column = pa.chunked_array([["your order has shipped " * 8] * 300_000])
    before = time.process_time(), time.thread_time()
    arrow.segments(column, threads=1)
    all_threads, this_thread = time.process_time() - before[0], time.thread_time() - before[1]
    assert this_thread >= 0.8 * all_threads


def test_the_interpreter_is_released():
    # The stream waits for a thread that runs only while the interpreter is released.
    started, entered = threading.Event(), threading.Event()

    def other():
        entered.wait(60)
        started.set()

    threading.Thread(target=other, daemon=True).start()

    def batches():
        entered.set()
        assert started.wait(60)
        yield pa.record_batch({"text": ["a"]})

    reader = pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches())
    assert len(arrow.segments(reader)) == 1


def test_the_result_outlives_its_input_and_its_exports():
    result = arrow.requests("sms.send", REQUESTS)
    first, second = pa.array(result), pa.chunked_array(result)
    del result
    assert first.to_pylist() == second.to_pylist()


def test_table_has_the_members_of_the_structs_as_columns():
    table = pa.table(arrow.segments(pa.array(["a", None])).table())
    assert table.to_pylist() == [*scalar_results.segments(["a"]), dict.fromkeys(table.column_names)]
    assert pa.table(arrow.validate("sms.send", REQUESTS, problems=True).table()).num_rows == 4
    with pytest.raises(TypeError, match="expected an array of structs, got utf8"):
        arrow.requests("sms.send", REQUESTS).table()


def test_a_result_is_accepted_as_an_input():
    chain = arrow.segments(arrow.render("Hi {{ from | default('') }}", REQUESTS))
    assert rows(chain)[0]["units"] == len("Hi Acme")


ENGINES = ["pyarrow", "polars", "pandas", "duckdb", "pyspark", "numpy"]


@pytest.mark.parametrize(
    ("module", "not_loaded"),
    [
        ("cpaas", [*ENGINES, "cpaas.arrow", "cpaas.polars", "cpaas.spark"]),
        ("cpaas.arrow", [*ENGINES, "cpaas.polars", "cpaas.spark"]),
    ],
)
def test_import_does_not_load_engines(module, not_loaded):
    code = f"import sys, {module}; print([name for name in sys.modules if name in {not_loaded}])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_duckdb_functions_without_pyarrow_name_the_package():
    code = "import sys; sys.modules['pyarrow'] = None; import cpaas.arrow, types\ntry:\n    cpaas.arrow.register(types.SimpleNamespace(create_function=None))\nexcept ImportError as error:\n    print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install pyarrow" in done.stdout


@pytest.mark.parametrize(
    ("module", "package"), [("polars", "pip install polars"), ("spark", "pip install pyspark pyarrow")]
)
def test_a_missing_engine_is_named(module, package):
    name = {"polars": "polars", "spark": "pyspark"}[module]
    code = f"import sys; sys.modules[{name!r}] = None\ntry:\n    import cpaas.{module}\nexcept ImportError as error:\n    print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert package in done.stdout
