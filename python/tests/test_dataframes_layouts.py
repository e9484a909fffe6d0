"""The task of docs/dataframes.md on tables in all layouts of Arrow, pandas, Polars, DuckDB and Spark, against an independent count.

The numbers are in national and international notations, with a column of regions; the prices are in two currencies. The expected
figures come from a loop with `phonenumbers`.
"""

import datetime
import itertools
import os
import random
import sys
from decimal import Decimal

import pytest

phonenumbers = pytest.importorskip("phonenumbers")
pa = pytest.importorskip("pyarrow")

from support.sms_parts import parts  # noqa: E402

from cpaas import arrow  # noqa: E402

ROWS = int(os.environ.get("CPAAS_CUSTOMERS", "2_000"))
REGIONS = ["BR", "DE", "ES", "IN", "US"]
PRICES = {
    "1": ("0.0079", "USD"),
    "34": ("0.0480", "EUR"),
    "49": ("0.0750", "EUR"),
    "4915": ("0.0690", "EUR"),
    "55": ("0.0190", "USD"),
}
CSV = "prefix,price,currency\n" + "".join(f"{prefix},{','.join(price)}\n" for prefix, price in PRICES.items())
FORMATS = phonenumbers.PhoneNumberFormat
NOTATIONS = {
    "plus": lambda number: phonenumbers.format_number(number, FORMATS.E164),
    "spaces": lambda number: phonenumbers.format_number(number, FORMATS.INTERNATIONAL),
    "link": lambda number: phonenumbers.format_number(number, FORMATS.RFC3966),
    "zeros": lambda number: "00" + phonenumbers.format_number(number, FORMATS.E164)[1:],
    "full stops": lambda number: (
        "\t" + phonenumbers.format_number(number, FORMATS.INTERNATIONAL).replace(" ", ".") + "\n"
    ),
    "long": lambda number: phonenumbers.format_number(number, FORMATS.E164) + "0000",
    "national": lambda number: phonenumbers.format_number(number, FORMATS.NATIONAL),
}
TEXTS = [
    "Ihre Bestellung {} ist unterwegs. ",
    "Tu pedido {} ha salido; gracias, señor. ",
    "注文{}を発送しました。",
    "Order {} 👩‍👩‍👧‍👦 ",
    "€{}^[]~ ",
    "naïve façade {} — “quote” ",
]


def row(n, values):
    region = values.choice([*REGIONS, None])
    if region is None:
        number = values.choice([None, "", "  ", "n/a", "12", "+", "0049"])
    else:
        number = phonenumbers.example_number_for_type(region, phonenumbers.PhoneNumberType.MOBILE)
        number.national_number = number.national_number // 10_000 * 10_000 + values.randrange(10_000)
        number = values.choice([*NOTATIONS.values(), lambda _: None])(number)
    text = values.choice([None, "", *TEXTS])
    return {
        "key": n,
        "region": region,
        "number": number,
        "text": text and text.format(n) * values.choice([1, 2, 9]),
        "group": values.choice(["gold", "silver", None]),
        "is_out": values.choice([True, False, None]),
        "at": datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(minutes=n),
        "amount": values.choice([1.5, float("nan"), None]),
    }


def table():
    values = random.Random(11)
    return pa.Table.from_pylist([row(n, values) for n in range(ROWS)])


TABLE = table()


def parsed(number, region):
    text = number.strip()
    text = "+" + text[2:] if text.startswith("00") else text
    try:
        return phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return None


def count(use_regions):
    """By group: the number of rows, of texts with two parts or more, of invalid numbers, and the total in each currency."""
    groups = {}
    for one in TABLE.to_pylist():
        if one["is_out"]:
            continue
        found = groups.setdefault(one["group"], [0, 0, 0, Decimal(0), Decimal(0)])
        size = parts(one["text"]) if one["text"] is not None else 0
        found[0] += 1
        found[1] += size >= 2
        if one["number"] is None:
            continue
        number = parsed(one["number"], one["region"] if use_regions else None)
        if number is None or not phonenumbers.is_valid_number(number):
            found[2] += 1
            continue
        digits = phonenumbers.format_number(number, FORMATS.E164)[1:]
        prefix = max((prefix for prefix in PRICES if digits.startswith(prefix)), key=len, default=None)
        if prefix:
            price, currency = PRICES[prefix]
            found[3 if currency == "EUR" else 4] += size * Decimal(price)
    return {group: tuple(found) for group, found in groups.items()}


EXPECTED = count(False)
BAD_WITH_REGIONS = sum(found[2] for found in count(True).values())


def test_the_sample_has_each_case():
    assert EXPECTED.keys() == {"gold", "silver", None}
    assert all(min(found) > 0 for found in EXPECTED.values())
    assert 0 < BAD_WITH_REGIONS < sum(found[2] for found in EXPECTED.values())


def grouped(rows):
    """The figures of rows of `group`, `is_out`, `count`, `valid`, `total` and `currency`."""
    groups = {}
    for group, is_out, size, valid, total, currency in rows:
        if is_out:
            continue
        found = groups.setdefault(group, [0, 0, 0, Decimal(0), Decimal(0)])
        found[0] += 1
        found[1] += (size or 0) >= 2
        found[2] += valid is False
        if total is not None:
            found[3 if currency == "EUR" else 4] += total
    return {group: tuple(found) for group, found in groups.items()}


def appended(source):
    """The figures and the table of two calls with a table, which `append` their results."""
    priced = arrow.estimate(source, CSV, text="text", to="number", append=True)
    checked = pa.table(arrow.check_numbers(priced, "number", append=True, prefix="check_"))
    names = ["group", "is_out", "count", "check_valid", "total", "currency"]
    return grouped(zip(*(checked[name].to_pylist() for name in names))), checked


def cast(data_type):
    texts = {name: TABLE[name].cast(data_type) for name in ("number", "text", "group")}
    return pa.table({name: texts.get(name, TABLE[name]) for name in TABLE.column_names})


def chunked(source):
    cuts = [0, 0, 1, ROWS // 3, ROWS // 2, ROWS]
    return pa.concat_tables([source.slice(start, end - start) for start, end in itertools.pairwise(cuts)])


LAYOUTS = {
    "utf8": lambda: TABLE,
    "large_utf8": lambda: cast(pa.large_string()),
    "utf8_view": lambda: cast(pa.string_view()),
    "dictionary": lambda: cast(pa.dictionary(pa.int32(), pa.string())),
    "dictionary of large_utf8": lambda: cast(pa.dictionary(pa.int64(), pa.large_string())),
    "chunks": lambda: chunked(TABLE),
    "chunks of views": lambda: chunked(cast(pa.string_view())),
    "slice": lambda: pa.concat_tables([TABLE.slice(0, 13), TABLE]).combine_chunks().slice(13),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_tables_of_arrow(layout):
    source = LAYOUTS[layout]()
    found, checked = appended(source)
    assert found == EXPECTED
    assert checked["key"].to_pylist() == [*range(ROWS)]
    assert checked["at"].to_pylist() == TABLE["at"].to_pylist()
    checked = pa.table(arrow.check_numbers(source, "number", region="region", append=True, prefix="check_"))
    outs, valids = checked["is_out"].to_pylist(), checked["check_valid"].to_pylist()
    bad = sum(valid is False and not out for out, valid in zip(outs, valids))
    assert bad == BAD_WITH_REGIONS
    found, checked = appended(source.slice(0, 0))
    assert (found, checked.num_rows) == ({}, 0)


def polars_frames():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(TABLE)
    texts = ["number", "text", "group"]
    return pl, {
        "plain": frame,
        "categorical": frame.with_columns(pl.col(texts).cast(pl.Categorical)),
        "enum": frame.with_columns(
            pl.col("region").cast(pl.Enum(REGIONS)), pl.col("group").cast(pl.Enum(["gold", "silver"]))
        ),
        "slice": pl.concat([frame.head(7), frame]).slice(7),
        "chunks": pl.concat([frame.head(7), frame.slice(7)], rechunk=False),
    }


@pytest.mark.parametrize("layout", ["plain", "categorical", "enum", "slice", "chunks"])
def test_frames_of_polars(layout):
    pl, frames = polars_frames()
    import cpaas.polars  # noqa: F401 (registers the namespace)

    frame = frames[layout]
    query = frame.lazy().with_columns(
        check=pl.col("number").cpaas.check_numbers(),
        local=pl.col("number").cpaas.check_numbers(region=pl.col("region")),
        price=pl.col("text").cpaas.estimate(CSV, to="number"),
    )
    query = query.filter(pl.col("is_out").fill_null(value=False).not_())
    price, is_bad = pl.col("price").struct.field, ~pl.col("check").struct.field("valid")
    groups = query.group_by("group").agg(
        pl.len(),
        (price("count") >= 2).sum().alias("long"),
        is_bad.sum().alias("bad"),
        price("total").filter(price("currency") == "EUR").sum().alias("EUR"),
        price("total").filter(price("currency") == "USD").sum().alias("USD"),
    )
    for engine in ("in-memory", "streaming"):
        found = groups.collect(engine=engine).rows()
        assert {group: tuple(figures) for group, *figures in found} == EXPECTED
        local = query.select((~pl.col("local").struct.field("valid")).sum()).collect(engine=engine).item()
        assert local == BAD_WITH_REGIONS
    for source in (frame, frame.lazy()):
        found, checked = appended(source)
        assert (found, checked["key"].to_pylist()) == (EXPECTED, [*range(ROWS)])
    assert query.limit(0).collect(engine="streaming").height == 0


@pytest.mark.parametrize("layout", ["table", "enum", "parquet"])
def test_relations_of_duckdb(layout, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.execute("set threads = 4")
    connection.register("source", TABLE)
    file = str(tmp_path / "rows.parquet")
    connection.execute("create type groups as enum ('gold', 'silver')")
    connection.execute('create table enum as select * replace ("group"::groups as "group") from source')
    connection.execute(f"copy source to '{file}'")
    name = {"table": "source", "enum": "enum", "parquet": f"'{file}'"}[layout]
    found, _ = appended(connection.sql(f"from {name}"))
    assert found == EXPECTED
    arrow.register(connection)
    rows = connection.execute(f"""
        select "group", is_out, price."count", valid, price.total, price.currency from (
            select *, cpaas_estimate(text, '{CSV}', number) as price, cpaas_check_numbers(number).valid as valid from {name}
        )
    """).fetchall()
    assert grouped(rows) == EXPECTED
    ((bad,),) = connection.execute(
        f"select count(*) from {name} where is_out is not true and not cpaas_check_numbers(number, region).valid"
    ).fetchall()
    assert bad == BAD_WITH_REGIONS


def pandas_frames():
    pd = pytest.importorskip("pandas")
    frame = TABLE.to_pandas()
    texts = ["number", "text", "group"]
    return {
        "to_pandas": frame,
        "objects with NaN": frame.assign(
            **{name: frame[name].astype(object).where(frame[name].notna(), float("nan")) for name in texts}
        ),
        "types of Arrow": TABLE.to_pandas(types_mapper=pd.ArrowDtype),
        "nullable": frame.convert_dtypes(),
        "categories": frame.astype(dict.fromkeys(texts, "category")),
        "strings of Python": frame.assign(
            number=frame["number"].astype(pd.StringDtype("python")), text=frame["text"].astype("string")
        ),
        "duplicate index": frame.set_axis([n // 3 for n in range(ROWS)]),
        "multi index": frame.set_index(["key", "at"]),
        "shuffled": frame.sample(frac=1, random_state=1),
    }


@pytest.mark.parametrize(
    "layout",
    [
        "to_pandas",
        "objects with NaN",
        "types of Arrow",
        "nullable",
        "categories",
        "strings of Python",
        "duplicate index",
        "multi index",
        "shuffled",
    ],
)
def test_frames_of_pandas(layout):
    pd = pytest.importorskip("pandas")
    import cpaas.pandas  # noqa: F401 (registers the accessors)

    frame = pandas_frames()[layout]
    frame = frame[~frame["is_out"].astype("boolean").fillna(value=False)]
    priced = frame.cpaas.estimate(CSV, text="text", to="number")
    checked = frame["number"].cpaas.check_numbers()
    assert priced.index.equals(frame.index)
    assert checked.index.equals(frame.index)
    rows = pd.concat(
        [frame[["group"]].astype(object), priced[["count", "total", "currency"]], checked[["valid"]]], axis=1
    )
    groups = {}
    for group, found in rows.groupby("group", dropna=False):
        totals = [found["total"][found["currency"] == currency].dropna().sum() for currency in ("EUR", "USD")]
        groups[None if pd.isna(group) else group] = (
            len(found),
            int((found["count"] >= 2).sum()),
            int((~found["valid"]).sum()),
            *totals,
        )
    assert groups == EXPECTED
    local = frame["number"].cpaas.check_numbers(region=frame["region"])["valid"]
    assert int((~local).sum()) == BAD_WITH_REGIONS
    assert frame.head(0).cpaas.check_numbers("number", region="region").shape == (0, 4)


def by_spark(spark):
    import pyspark.sql.functions as F

    import cpaas.spark

    types = (
        "key long, region string, number string, text string, `group` string, is_out boolean, at timestamp"
    )
    rows = [tuple(row.values())[:-1] for row in TABLE.to_pylist()]
    frame = spark.createDataFrame(rows, types).repartition(5).filter("is_out is not true")
    for step in (
        cpaas.spark.estimate("text", CSV, to="number", prefix="sms_"),
        cpaas.spark.check_numbers("number", prefix="check_"),
        cpaas.spark.check_numbers("number", region_column="region", normalized=True, prefix="local_"),
        cpaas.spark.render("{{ key }} {{ at | date('%Y') }}"),
    ):
        frame = frame.mapInArrow(step, step.schema(frame))
    totals = [f"sum(sms_total) filter (where sms_currency = '{currency}')" for currency in ("EUR", "USD")]
    groups = frame.groupBy("group").agg(
        F.count("*"),
        F.expr("count_if(sms_count >= 2)"),
        F.expr("count_if(not check_valid)"),
        *(F.expr(f"cast({total} as decimal(38, 9))") for total in totals),
    )
    bad = frame.filter("not local_valid").count()
    years = frame.filter("not rendered rlike '^[0-9]+ 202[34]$'").count()  # in the zone of the session
    return {group: tuple(found) for group, *found in groups.collect()}, bad, years


def test_frames_of_spark():
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "777").getOrCreate()
    try:
        assert by_spark(spark) == (EXPECTED, BAD_WITH_REGIONS, 0)
    finally:
        spark.stop()
