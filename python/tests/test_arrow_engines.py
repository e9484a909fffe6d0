"""The functions of `cpaas.arrow` in each engine: the results for random columns equal those of the scalar functions."""

import gc
import json

import pytest

import cpaas

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
duckdb = pytest.importorskip("duckdb")
pd = pytest.importorskip("pandas")
nanoarrow = pytest.importorskip("nanoarrow")
datafusion = pytest.importorskip("datafusion")
hypothesis = pytest.importorskip("hypothesis")
import random_columns  # noqa: E402
from scalar_results import checks, markup, reports, segments, totals, without_nulls  # noqa: E402

import cpaas.polars  # noqa: E402, F401 (registers the namespace)
from cpaas import arrow  # noqa: E402

hypothesis.settings.register_profile("arrow", max_examples=60, deadline=None, derandomize=True)
hypothesis.settings.load_profile("arrow")


def in_pyarrow(function, values):
    return pa.array(function(pa.array(values, pa.string()))).to_pylist()


def in_pyarrow_views(function, values):
    return pa.array(function(pa.array(values, pa.string_view()))).to_pylist()


def in_pyarrow_dictionaries(function, values):
    return pa.chunked_array(function(pa.array(values, pa.large_string()).dictionary_encode())).to_pylist()


def in_polars(function, values):
    return pl.Series("x", function(pl.Series(values, dtype=pl.String))).to_list()


def in_polars_categories(function, values):
    return pl.Series("x", function(pl.Series(values, dtype=pl.Categorical))).to_list()


def in_pandas(function, values):
    return pa.array(function(pd.Series(values, dtype="str"))).to_pylist()


def in_pandas_frames(function, values):
    frame = pd.DataFrame({"text": pd.Series(values, dtype=object)}).set_axis(range(5, 5 + len(values)))
    return pa.array(function(frame)).to_pylist()


def in_nanoarrow(function, values):
    array = nanoarrow.Array(function(nanoarrow.Array(values, nanoarrow.string())))
    return array.to_pylist()


def in_datafusion(function, values):
    table = pa.table({"text": pa.array(values, pa.string())})
    return pa.array(function(datafusion.SessionContext().from_arrow(table))).to_pylist()


def in_duckdb(function, values):
    connection = duckdb.connect()
    connection.register(
        "messages", pa.table({"n": range(len(values)), "text": pa.array(values, pa.string())})
    )
    relation = connection.sql("select text from messages order by n")
    return pa.array(function(relation)).to_pylist()


ENGINES = [
    in_pyarrow,
    in_pyarrow_views,
    in_pyarrow_dictionaries,
    in_polars,
    in_polars_categories,
    in_pandas,
    in_pandas_frames,
    in_nanoarrow,
    in_datafusion,
    in_duckdb,
]


@pytest.mark.parametrize("engine", ENGINES)
@hypothesis.given(values=random_columns.texts)
def test_segments_of_random_texts_equal_the_scalar_function(engine, values):
    assert engine(arrow.segments, values) == segments(values)


@pytest.mark.parametrize("engine", ENGINES)
@hypothesis.given(values=random_columns.numbers)
def test_checks_of_random_numbers_equal_the_scalar_function(engine, values):
    assert engine(arrow.check_numbers, values) == checks(values)


@pytest.mark.parametrize("engine", ENGINES)
@hypothesis.given(values=random_columns.texts)
def test_totals_of_random_texts_equal_the_scalar_function(engine, values):
    found = engine(lambda column: arrow.estimate(column, "0.0075"), values)
    assert [row and row["total"] for row in found] == totals(values, "0.0075")


@pytest.mark.parametrize("mode", ["Default", "Markdown", "Html", "MarkdownV2"])
@pytest.mark.parametrize("engine", ENGINES)
@hypothesis.settings(max_examples=20)
@hypothesis.given(values=random_columns.texts)
def test_markup_of_random_texts_equals_the_scalar_function(engine, mode, values):
    assert engine(lambda column: arrow.parse_markup(column, mode), values) == markup(values, mode)


@hypothesis.given(values=random_columns.requests)
def test_functions_of_random_batches_equal_the_scalar_functions(values):
    expected = reports("sms.send", values)
    names = ("from", "to", "text")
    columns = {name: pa.array([row[name] for row in values], pa.string()) for name in names}
    frame = pl.DataFrame(
        {name: pl.Series(column.to_pylist(), dtype=pl.String) for name, column in columns.items()}
    )
    pandas = pd.DataFrame(
        {name: pd.Series(column.to_pylist(), dtype="str") for name, column in columns.items()}
    )
    table = pa.table(columns)
    rows = [without_nulls(row) for row in values]
    in_datafusion = datafusion.SessionContext().from_arrow(table)
    for batch in (table, frame, frame.to_struct("row"), pandas, duckdb.from_arrow(table), in_datafusion):
        assert pa.array(arrow.validate("sms.send", batch)).to_pylist() == expected
        assert [json.loads(text) for text in pa.array(arrow.requests("sms.send", batch)).to_pylist()] == rows
        rendered = pa.array(arrow.render("{{ text }}", batch)).to_pylist()
        assert rendered == [row["text"] for row in values]
    found = frame.select(pl.struct(names).cpaas.validate("sms.send").alias("report"))
    assert found["report"].to_list() == expected


@hypothesis.given(values=random_columns.texts)
def test_polars_expressions_equal_the_scalar_functions(values):
    frame = pl.DataFrame({"text": pl.Series(values, dtype=pl.String)})
    column = pl.col("text").cpaas
    found = frame.select(
        segments=column.segments(),
        price=column.estimate("0.0075"),
        numbers=column.check_numbers(),
        markup=column.parse_markup("Html"),
    )
    assert found["segments"].to_list() == segments(values)
    assert [row and row["total"] for row in found["price"].to_list()] == totals(values, "0.0075")
    assert found["numbers"].to_list() == checks(values)
    assert found["markup"].to_list() == markup(values, "Html")
    for engine in ("in-memory", "streaming"):
        assert frame.lazy().select(s=column.segments()).collect(engine=engine)["s"].to_list() == segments(
            values
        )
    assert frame["text"].cpaas.segments().to_list() == segments(values)


@hypothesis.settings(max_examples=15)
@hypothesis.given(values=random_columns.texts.filter(bool))
def test_duckdb_functions_of_random_texts_equal_the_scalar_functions(values):
    connection = duckdb.connect()
    arrow.register(connection)
    table = pa.table({"n": range(len(values)), "text": pa.array(values, pa.string())})
    connection.register("messages", table)

    def column(sql):
        return [row for (row,) in connection.sql(f"select {sql} from messages order by n").fetchall()]

    assert column("cpaas_segments(text)") == segments(values)
    assert column("cpaas_check_numbers(text)") == checks(values)
    assert column("cpaas_parse_markup(text, 'Html')") == markup(values, "Html")
    assert column("cpaas_estimate(text, '0.0075').total") == totals(values, "0.0075")


@hypothesis.settings(max_examples=15)
@hypothesis.given(values=random_columns.requests)
def test_duckdb_reports_of_random_requests_equal_the_scalar_function(values):
    connection = duckdb.connect()
    arrow.register(connection)
    columns = {name: pa.array([row[name] for row in values], pa.string()) for name in ("from", "to", "text")}
    connection.register("messages", pa.table({"n": range(len(values)), **columns}))
    row = """{'from': "from", 'to': "to", 'text': "text"}"""
    sql = f"select cpaas_validate('sms.send', {row}) from messages order by n"
    assert [report for (report,) in connection.sql(sql).fetchall()] == reports("sms.send", values)


def test_duckdb_functions_accept_literals_and_structs():
    connection = duckdb.connect()
    arrow.register(connection)

    def one(sql):
        return connection.sql(f"select {sql}").fetchall()[0][0]

    assert one("cpaas_check_numbers('306912345678')") == checks(["306912345678"])[0]
    assert one("cpaas_parse_markup('*a*', 'MarkdownV2')") == {"ok": True, "length": 1, "text": "a"}
    row = "{'from': 'Acme', 'to': '306912345678', 'text': 'hi'}"
    assert one(f"cpaas_validate('sms.send', {row})")["ok"] is True
    assert json.loads(one(f"cpaas_requests('sms.send', {row})")) == {
        "from": "Acme",
        "to": "306912345678",
        "text": "hi",
    }
    assert one(f"cpaas_render('{{{{ text }}}}!', {row})") == "hi!"
    assert str(one("cpaas_estimate('hi', '0.0075')")["total"]) == "0.007500000"
    prices = "prefix,price,currency\n30,0.05,EUR\n"
    assert one(f"cpaas_estimate('hi', '{prices}', '306912345678')")["currency"] == "EUR"
    with pytest.raises(duckdb.Error, match="mode must be a constant"):
        connection.sql("select cpaas_parse_markup(t, t) from (values ('Html'), ('Default')) v(t)").fetchall()
    with pytest.raises(duckdb.Error, match=r"did you mean `sms\.send`"):
        one(f"cpaas_validate('sms.sent', {row})")


def test_functions_of_duckdb_are_registered_once():
    connection = duckdb.connect()
    for handle in (connection, connection, connection.cursor()):
        arrow.register(handle)
    assert connection.sql("select cpaas_segments('a')['count']").fetchall() == [(1,)]
    assert connection.cursor().sql("select cpaas_segments('a')['count']").fetchall() == [(1,)]
    with pytest.raises(TypeError, match="connection must be a connection of DuckDB, got int"):
        arrow.register(5)


def test_a_result_is_a_table_of_duckdb():
    parts = arrow.segments(pa.array(["a" * 161, "b"]))  # noqa: F841 (the query names it)
    assert duckdb.sql('select sum("count") from parts').fetchall() == [(3,)]


def test_other_libraries_read_results():
    result = arrow.segments(pl.Series(["a", None]))
    assert pl.Series("s", result).struct.field("count").to_list() == [1, None]
    assert pl.DataFrame({"s": pl.Series("s", result)}).unnest("s").columns == [
        "encoding",
        "count",
        "units",
        "remaining",
    ]
    assert pa.table({"s": pa.chunked_array(result)}).num_rows == 2
    if hasattr(pd.Series, "from_arrow"):  # pandas 3
        assert pd.Series.from_arrow(result).dropna().iloc[0]["count"] == 1
    assert pa.table(result.table()).to_pandas()["count"].iloc[0] == 1
    assert nanoarrow.Array(result).to_pylist() == segments(["a", None])


def test_polars_expressions_and_series_have_the_same_methods():
    frame = pl.DataFrame({"from": ["Acme"], "to": ["306912345678"], "text": ["*hi*"]})
    row = pl.struct("from", "to", "text").cpaas
    text, to = pl.col("text").cpaas, pl.col("to").cpaas
    found = frame.select(
        segments=text.segments(threads=1),
        numbers=to.check_numbers(),
        markup=text.parse_markup("MarkdownV2"),
        price=text.estimate({"30": "0.05"}, to="to"),
        literal=text.estimate({"30": "0.05"}, to=pl.lit("306912345678")),
        literal_text=pl.lit("*hi*").cpaas.estimate({"30": "0.05"}, to="to"),
        report=row.validate("sms.send"),
        problems=row.validate("sms.send", problems=True),
        request=row.requests("sms.send"),
        rendered=row.render("Hi {{ from }}"),
    ).row(0, named=True)
    assert found["numbers"]["region"] == "GR"
    assert found["markup"] == {"ok": True, "length": 2, "text": "hi"}
    assert found["price"] == found["literal"] == found["literal_text"]
    numbers = pl.DataFrame({"to": ["306912345678", "x", None]})
    for run in (numbers, numbers.lazy()):
        prices = run.select(pl.lit("hi").cpaas.estimate({"30": "0.05"}, to="to").struct.field("unpriced"))
        assert prices.lazy().collect()["unpriced"].to_list() == [None, "not_a_number", "missing"]
    assert str(found["price"]["total"]) == "0.050000000"
    assert found["report"]["ok"]
    assert found["problems"]["problems"] == []
    assert json.loads(found["request"])["to"] == "306912345678"
    assert found["rendered"] == "Hi Acme"
    series = {
        "segments": frame["text"].cpaas.segments(threads=1),
        "numbers": frame["to"].cpaas.check_numbers(),
        "markup": frame["text"].cpaas.parse_markup("MarkdownV2"),
        "price": frame["text"].cpaas.estimate({"30": "0.05"}, to=frame["to"]),
        "report": frame.to_struct("row").cpaas.validate("sms.send"),
        "problems": frame.to_struct("row").cpaas.validate("sms.send", problems=True),
        "request": frame.to_struct("row").cpaas.requests("sms.send"),
        "rendered": frame.to_struct("row").cpaas.render("Hi {{ from }}"),
    }
    assert {name: column[0] for name, column in series.items()} == {name: found[name] for name in series}
    schema = frame.lazy().select(text.segments()).collect_schema()
    assert schema == frame.select(text.segments()).schema


def test_a_column_of_regions_is_an_expression():
    number = pl.col("to").cpaas
    for call in (number.check_numbers, number.normalize_numbers):
        with pytest.raises(ValueError, match=r'region must be two letters .*; .* is pl\.col\("country"\)'):
            call(region="country")


@pytest.mark.parametrize("run", ["eager", "streaming"])
def test_no_batch_lives_after_its_expression(run):
    frame = pl.DataFrame({"text": ["Hi"] * 10, "to": ["306912345678"] * 10})
    expressions = [
        pl.col("text").cpaas.segments(),
        pl.col("text").cpaas.estimate({"30": "0.05"}, to="to").alias("price"),
        pl.col("to").cpaas.check_numbers(region=pl.lit("GR")),
    ]

    def series():
        return sum(isinstance(found, pl.Series) for found in gc.get_objects())

    def select():
        if run == "eager":
            frame.select(expressions)
        else:
            frame.lazy().select(expressions).collect(engine="streaming")

    select()
    gc.collect()
    gc.disable()  # what forms cycles would live until a collection
    try:
        before = series()
        for _ in range(5):
            select()
        assert series() <= before
    finally:
        gc.enable()


def test_the_namespace_is_registered_in_any_order_of_imports():
    import subprocess
    import sys

    for first in ("polars, cpaas.arrow", "polars, cpaas.polars", "cpaas.polars, polars"):
        code = f"import {first}; print(polars.Series(['a']).cpaas.segments().struct.field('count')[0])"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "1"


def test_columns_of_nulls_of_each_library_are_accepted():
    # Polars exports nulls with one buffer, other libraries with none.
    for nulls in (pl.Series([None, None]), pa.nulls(2), pd.Series([None, None])):
        assert pa.array(arrow.segments(nulls)).to_pylist() == [None, None]
    assert pl.Series([None]).cpaas.segments().to_list() == [None]
    columns = {"from": ["Acme", "Acme"], "to": [None, None], "text": ["hi", None]}
    expected = reports(
        "sms.send", [{name: column[row] for name, column in columns.items()} for row in range(2)]
    )
    for frame in (pl.DataFrame(columns), pa.table(columns), pd.DataFrame(columns)):
        found = pa.array(arrow.validate("sms.send", frame)).to_pylist()
        assert found == expected
    lists = pl.DataFrame({"n": [1, 2], "items": [[None], [None, None]], "of": [{"a": None}, None]})
    expected = [{"n": 1, "items": (None,), "of": {}}, {"n": 2, "items": (None, None)}]
    assert list(arrow.rows(lists)) == expected
    assert list(arrow.rows(lists[1:])) == expected[1:]


def test_an_unnamed_series_stays_unnamed():
    assert pl.Series(["a"]).cpaas.segments().name == ""
    assert pl.Series("text", ["a"]).cpaas.segments().name == "text"
    assert pl.DataFrame({"text": ["a"]}).select(pl.col("text").cpaas.segments()).columns == ["text"]
