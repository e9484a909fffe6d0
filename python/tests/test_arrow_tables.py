"""Functions of a table and the names of its columns: the rows of the result belong to the rows of the table."""

import decimal

import pytest

import cpaas

pa = pytest.importorskip("pyarrow")
import scalar_results  # noqa: E402
from support.columns import NUMBERS, TEXTS, rows  # noqa: E402

from cpaas import arrow  # noqa: E402

PRICES = {"30": "0.05", "306": "0.0375", "44": "0.06"}
TABLE = pa.table({"id": range(7), "text": TEXTS, "number": NUMBERS})


def test_a_function_accepts_a_table_and_the_name_of_its_column():
    assert rows(arrow.segments(TABLE, "text")) == scalar_results.segments(TEXTS)
    assert rows(arrow.check_numbers(TABLE, "number")) == rows(arrow.check_numbers(TABLE["number"]))
    assert rows(arrow.normalize_numbers(TABLE, number="number")) == rows(
        arrow.normalize_numbers(TABLE["number"])
    )
    assert rows(arrow.parse_markup(TABLE, "Html", text="text")) == scalar_results.markup(TEXTS, "Html")
    expected = rows(arrow.estimate(TABLE["text"], PRICES, to=TABLE["number"]))
    assert expected[0]["total"] == decimal.Decimal("0.0375")
    for table in (TABLE, TABLE.to_reader(2), TABLE.to_batches()[0], TABLE.to_struct_array()):
        assert rows(arrow.estimate(table, PRICES, text="text", to="number")) == expected
    assert rows(arrow.estimate(TABLE, "0.0075", text="text")) == rows(arrow.estimate(TABLE["text"], "0.0075"))


def test_append_returns_the_table_with_the_result():
    expected = [
        {**own, **{f"sms_{name}": value for name, value in (found or dict.fromkeys(MEMBERS)).items()}}
        for own, found in zip(TABLE.to_pylist(), rows(arrow.estimate(TABLE, PRICES, "number", text="text")))
    ]
    for table in (TABLE, TABLE.to_reader(2), pa.chunked_array([TABLE.to_struct_array().combine_chunks()])):
        found = pa.table(arrow.estimate(table, PRICES, text="text", to="number", append=True, prefix="sms_"))
        assert found.to_pylist() == expected
    found = arrow.normalize_numbers(TABLE, number="number", append=True)
    assert pa.table(found).column_names == ["id", "text", "number", "normalized"]
    assert [row["normalized"] for row in found] == rows(arrow.normalize_numbers(TABLE["number"]))
    sms = pa.table({"from": ["A", "A"], "to": ["306912345678", "x"], "text": ["a", "b"]})
    found = pa.table(arrow.validate("sms.send", sms, append=True)).to_pylist()
    assert [(row["to"], row["ok"]) for row in found] == [("306912345678", True), ("x", False)]
    assert pa.table(arrow.requests("sms.send", sms, append=True)).column_names[-1] == "request"
    assert pa.table(arrow.render("{{ to }}", sms, append=True))["rendered"].to_pylist() == [
        "306912345678",
        "x",
    ]


MEMBERS = [field.name for field in pa.array(arrow.estimate(TABLE, PRICES, "number", text="text")).type]


def test_the_columns_of_a_slice_and_of_a_null_row_are_appended():
    cut = pa.concat_tables([TABLE, TABLE]).slice(3, 8)
    found = pa.table(arrow.segments(cut, "text", append=True)).to_pylist()
    expected = scalar_results.segments(cut["text"].to_pylist())
    assert [row["id"] for row in found] == cut["id"].to_pylist()
    assert [row["units"] for row in found] == [count and count["units"] for count in expected]
    structs = pa.array([{"id": 1, "text": "a"}, None, {"id": 3, "text": "b"}])
    found = pa.table(arrow.segments(structs, "text", append=True)).to_pylist()
    assert [(row["id"], row["count"]) for row in found] == [(1, 1), (None, None), (3, 1)]
    assert len(arrow.segments(TABLE.slice(0, 0), "text", append=True)) == 0


def test_prefix_renames_the_members_of_a_result():
    found = pa.array(arrow.segments(pa.array(["a"]), prefix="sms_"))
    assert [field.name for field in found.type] == ["sms_encoding", "sms_count", "sms_units", "sms_remaining"]
    assert found.to_pylist()[0]["sms_count"] == 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: arrow.segments(TABLE, "txt"),
            ValueError,
            "text: the table must have the column `txt`; did you mean `text`",
        ),
        (lambda: arrow.segments(TABLE, "x" * 9), ValueError, "; the columns are `id`, `text`, `number`"),
        (
            lambda: arrow.estimate(TABLE, PRICES, text="text", to="nummber"),
            ValueError,
            "to: .*did you mean `number`",
        ),
        (
            lambda: arrow.segments(TABLE, "id"),
            TypeError,
            "got int64; cast to text where the numbers are read",
        ),
        (
            lambda: arrow.check_numbers(pa.array([306912345678.0, None])),
            TypeError,
            "got float64; cast to text where the numbers are read",
        ),
        (
            lambda: arrow.segments(TABLE),
            TypeError,
            'got a table with the columns id, text, number; name the column, as in `text="…"`',
        ),
        (
            lambda: arrow.segments(TABLE["text"], append=True),
            TypeError,
            "append needs a table and the name of its column, `text`",
        ),
        (
            lambda: arrow.estimate(TABLE, PRICES, to="number"),
            TypeError,
            "`text` must name the column of text",
        ),
        (
            lambda: arrow.estimate(TABLE, PRICES, TABLE["number"], text="text"),
            TypeError,
            "`to` must name a column of the table",
        ),
        (
            lambda: arrow.segments(TABLE["text"], "text"),
            TypeError,
            "column: must be a table or an array of structs, got utf8",
        ),
        (
            lambda: arrow.segments(arrow.segments(TABLE, "text", append=True), "text", append=True),
            ValueError,
            "the table already has a column `encoding`; `prefix` renames",
        ),
        (lambda: arrow.segments(TABLE, "text", append="yes"), TypeError, "append must be bool, got str"),
        (
            lambda: arrow.estimate(TABLE, "prices", text="text"),
            ValueError,
            "prices must be a decimal number such as .*, the path of a file that ends in .csv",
        ),
        (
            lambda: arrow.render(["Hi"], TABLE),
            TypeError,
            "template must be a str or a mapping whose strings are templates, got list",
        ),
        (
            lambda: arrow.render("Hi {{ nubmer }}", TABLE),
            ValueError,
            "`nubmer`, which are missing; did you mean `number`",
        ),
        (
            lambda: arrow.validate(
                "sms.send", pa.table({"from": ["A"], "to": [306912345678], "text": ["Hi"]})
            ),
            TypeError,
            "column `to` must be utf8, .*, got int64; cast to text where the numbers are read",
        ),
        (
            lambda: arrow.validate("sms.send", pa.table({"form": ["A"]})),
            ValueError,
            r"got `form` \(did you mean `from` for `form`\?\)",
        ),
        (lambda: arrow.segments([TABLE]), TypeError, r"got a list; use pa\.concat_tables"),
        (
            lambda: cpaas.plan("sms.send", TABLE, "Hi {{ text }}"),
            cpaas.Error,
            r"must be an object whose strings are templates, .*got a string",
        ),
    ],
)
def test_a_mistake_is_named_with_its_correction(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_column_that_a_table_has_twice_is_an_error():
    twice = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    with pytest.raises(ValueError, match=r"twice|several columns `text`"):
        arrow.segments(twice, "text")


def test_an_index_of_a_dictionary_that_is_out_of_range_is_named():
    column = pa.DictionaryArray.from_arrays(pa.array([0, 7], pa.int8()), pa.array(["a"]), safe=False)
    with pytest.raises(ValueError, match="column: row 2: the index in the dictionary is out of range"):
        arrow.segments(column)


def test_rows_are_counted_from_1():
    bad = pa.array([b"a", b"b\xff"]).view(pa.string())
    with pytest.raises(ValueError, match="row 2: must be valid UTF-8"):
        arrow.segments(bad)
    with pytest.raises(ValueError, match="row 2: must be valid UTF-8"):
        list(arrow.rows(pa.table({"text": bad})))


def test_ids_pass_through_validate_and_summary():
    table = pa.table(
        {
            "customer": [f"c{n}" for n in range(7)],
            "from": ["Acme"] * 7,
            "to": ["306912345678", "x", None, "y", "z", "306912345678", "w"],
            "text": ["a"] * 6 + [None],
        }
    )
    report = arrow.validate("sms.send", table, id="customer")
    plain = rows(arrow.validate("sms.send", table.drop(["customer"])))
    assert report.to_pylist() == [{"customer": f"c{n}", **row} for n, row in enumerate(plain)]
    expected = {}
    for number, row in enumerate(plain, 1):
        if not row["ok"]:
            group = expected.setdefault(row["code"], {"code": row["code"], "count": 0, "rows": []})
            group["count"] += 1
            group["rows"] = [*group["rows"], number][:3]
    found = arrow.summary(report, id="customer").to_pylist()
    assert [{name: row[name] for name in ("code", "count", "rows")} for row in found] == [*expected.values()]
    assert len(expected) > 1
    assert all(row["customer"] == [f"c{number - 1}" for number in row["rows"]] for row in found)
    with pytest.raises(
        ValueError, match="id: the table must have the column `custmer`; did you mean `customer`"
    ):
        arrow.validate("sms.send", table, id="custmer")
    with pytest.raises(ValueError, match="report: must have the column `code`"):
        arrow.summary(table)
    # A member of the request may be the key.
    keyed = table.rename_columns(["reference", "from", "to", "text"])
    assert [row["reference"] for row in arrow.validate("sms.send", keyed, id="reference")] == table[
        "customer"
    ].to_pylist()


def test_a_summary_is_the_grouping_of_a_plan():
    table = pa.table(
        {
            "number": ["306912345678", "x", "", None, "y", "306912345679"],
            "name": ["A" * 12, "A", "A" * 12, "A", "A", "A"],
        }
    )
    plan = cpaas.plan(
        "sms.send", table, {"from": "{{ name }}", "to": "{{ number }}", "text": "Hi"}, duplicates="send"
    )
    rendered = [
        {"from": row["name"], "to": row["number"], "text": "Hi"}
        for row in table.to_pylist()
        if row["number"] is not None
    ]
    report = arrow.validate("sms.send", pa.Table.from_pylist(rendered), problems=True)
    found = {row["code"]: (row["count"], row["pointer"], row["message"]) for row in arrow.summary(report)}
    groups = {group.code: (group.count, group.pointer, group.message) for group in plan.problem_groups}
    shared = found.keys() & groups.keys()
    assert shared >= {"sms.to.not_digits"}
    assert {code: found[code] for code in shared} == {code: groups[code] for code in shared}
    # The same from another library, whose lists and texts have other layouts.
    polars = pytest.importorskip("polars")
    assert arrow.summary(polars.DataFrame(report.table())).to_pylist() == arrow.summary(report).to_pylist()


def test_outcomes_are_joined_back_by_the_kept_column(sandbox, tmp_path):
    table = pa.table({"customer": ["c1", "c2"], "number": ["306912345678", "x"], "plan": ["gold", "free"]})
    template = {"from": "Acme", "to": "{{ number }}", "text": "Hi"}
    plan = cpaas.plan("sms.send", table, template, keep=["customer"])
    assert [problem.kept for problem in plan.problems] == [{"customer": "c2"}] * len(plan.problems)
    with sandbox.client() as client:
        campaign = cpaas.Campaign.create(
            tmp_path / "campaign.db", "sms.send", table, template, keep=["customer"]
        )
        campaign.run(client)
    outcomes = pa.table(campaign).select(["customer", "outcome"])
    joined = table.join(outcomes, "customer").sort_by("customer")
    assert joined["outcome"].to_pylist() == ["accepted", "invalid"]
    assert joined["plan"].to_pylist() == ["gold", "free"]


def test_rows_of_a_group_by_keep_their_keys():
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.execute("set threads = 4")
    connection.execute("""
        create table messages as select i % 400000 as id, 'x' || repeat('y', (i % 400000) % 200) as text,
            '3069' || lpad((i % 400000)::varchar, 8, '0') as number from range(800000) t(i)
    """)
    grouped = connection.sql(
        "select id, any_value(text) as text, any_value(number) as number from messages group by id"
    )
    found = arrow.estimate(grouped, PRICES, text="text", to="number", append=True, prefix="sms_")  # noqa: F841
    # 40,000 rows do not show it: DuckDB groups them on one thread.
    query = "select count(*), count(distinct id), count(*) filter (sms_units <> 1 + id % 200 or number not like '3069%' || id) from found"
    assert connection.sql(query).fetchall() == [(400_000, 400_000, 0)]
    parts = arrow.segments(grouped, "text")  # noqa: F841 (the query names it)
    assert connection.sql("select count(*), sum(units) from parts").fetchall() == [(400_000, 400_000 * 100.5)]


def test_two_queries_are_refused_and_one_is_accepted():
    duckdb = pytest.importorskip("duckdb")
    pl = pytest.importorskip("polars")
    relation = duckdb.from_arrow(TABLE)
    frame = pl.DataFrame(TABLE).lazy()
    advice = (
        r'Pass one table and the names of its columns: estimate\(table, prices, text="text", to="number"\)'
    )
    for table in (relation, frame):
        with pytest.raises(ValueError, match=advice):
            arrow.estimate(table.select("text"), PRICES, to=table.select("number"))
        assert rows(arrow.segments(table.select("text"))) == scalar_results.segments(TEXTS)
        assert rows(arrow.estimate(table, PRICES, text="text", to="number")) == rows(
            arrow.estimate(TABLE, PRICES, text="text", to="number")
        )
    with pytest.raises(ValueError, match=advice):
        arrow.estimate(relation.select("text"), PRICES, to=frame.select("number"))
    odd = duckdb.sql("""select 'a' as "the ""text", 'b' as "Number" """)
    assert rows(arrow.segments(odd, 'the "text'))[0]["units"] == 1
    with pytest.raises(ValueError, match="did you mean `Number`"):
        arrow.check_numbers(odd, "number")


def test_a_lazy_frame_is_read_batch_by_batch():
    pl = pytest.importorskip("polars")
    frame = pl.LazyFrame({"n": range(200_000)}).with_columns(
        text=pl.col("n").cast(pl.String), unused=1 / pl.col("n")
    )
    assert pl.Series(arrow.segments(frame, "text")).struct.field("units").sum() == sum(
        len(str(n)) for n in range(200_000)
    )
    found = pl.DataFrame(arrow.segments(frame, "text", append=True))
    assert (found["text"].str.len_chars() == found["units"]).all()
    assert found["n"].to_list() == list(range(200_000))
    assert next(iter(arrow.rows(frame.select("n").tail(1)))) == {"n": 199_999}
    assert len(arrow.render("{{ n }}", frame.select("n").head(3))) == 3
    with pytest.raises(TypeError, match=r"use pl\.concat"):
        arrow.segments([frame.collect(), frame.collect()])
    with pytest.raises(TypeError, match=r"batch must be one frame or column, got a list; use pl\.concat"):
        arrow.validate("sms.send", [frame.collect()])


def test_a_lazy_frame_is_the_rows_of_a_campaign():
    pl = pytest.importorskip("polars")
    frame = pl.LazyFrame({"number": ["306912345678", "x"]})
    plan = cpaas.plan("sms.send", frame, {"from": "Acme", "to": "{{ number }}", "text": "Hi"})
    assert (plan.rows, plan.valid) == (2, 1)
