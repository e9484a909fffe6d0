"""A task of a data engineer in each engine, on data as it is: nulls, several notations, a filter, a join and a group-by.

The newest order of each customer who did not opt out gets a message. Each area needs the number of messages, of those with two parts
or more, of invalid numbers, and the total price. The expected figures come from a loop with `phonenumbers`, not from this library.
"""

import os
import random
import re
from decimal import Decimal

import pytest

phonenumbers = pytest.importorskip("phonenumbers")
pa = pytest.importorskip("pyarrow")

from support.sms_parts import parts  # noqa: E402

from cpaas import arrow  # noqa: E402

PRICES = "prefix,price,currency\n30,0.0450,EUR\n3069,0.0375,EUR\n44,0.0600,EUR\n447,0.0500,EUR\n"
NUMBERS = [
    lambda n: f"30691{n:07}",
    lambda n: f"+30 691 {n:07}",
    lambda n: f"0030 691 {n:07}",
    lambda n: f"00 30 691-{n:07}",
    lambda n: f"+44 (0)7400 {n % 1_000_000:06}",
    lambda n: f"0044 (0) 7400 {n % 1_000_000:06}",
    lambda n: f"44 7400-{n % 1_000_000:06}",
    lambda n: f"+30 210 123 {n % 10_000:04}",
    lambda n: f"00302101{n % 1_000_000:06}",
    lambda n: "unknown",
    lambda n: "",
    lambda n: f"+30 11 {n % 1_000_000:06}",
    lambda n: "+44 7400",
    lambda n: None,
]
TEXTS = [
    lambda n: f"Order {n} has shipped.",
    lambda n: f"Order {n} has shipped. " + "Thank you! " * (n % 40),
    lambda n: f"Καλημέρα, η παραγγελία {n} έχει σταλεί. " + "Ευχαριστούμε! " * (n % 9),
    lambda n: f"Order {n} 🎉 " + "🎉" * (n % 80),
    lambda n: "{€}[~]" * (n % 60),
    lambda n: "",
    lambda n: None,
]
TEAMS = {1: "north", 2: "south", 3: "east", 4: None}
CUSTOMERS = int(os.environ.get("CPAAS_CUSTOMERS", "4_000"))


@pytest.fixture(scope="module")
def tables():
    values = random.Random(7)
    customers = [
        {
            "customer": n,
            "team": values.choice([*TEAMS, 5, None]),  # team 5 is in no area
            "number": values.choice(NUMBERS)(n),
            "opted_out": values.choice([True, False, False, None]),
        }
        for n in range(CUSTOMERS)
    ]
    orders = [
        {
            "order_id": n,
            "customer": values.randrange(CUSTOMERS + CUSTOMERS // 20),
            "text": values.choice(TEXTS)(n),
        }
        for n in range(CUSTOMERS * 5 // 2)
    ]
    teams = [{"team": team, "area": area} for team, area in TEAMS.items()]
    values.shuffle(customers)
    values.shuffle(orders)
    return {
        "customers": pa.Table.from_pylist(customers),
        "orders": pa.Table.from_pylist(orders),
        "teams": pa.Table.from_pylist(teams),
    }


def parsed(number):
    """A valid number in the form that is sent, or None. A number with separators needs a plus sign or `00`."""
    if re.search(r"[\s-]", number) and not number.startswith(("+", "00")):
        return None
    text = re.sub(r"[\s-]", "", number)
    text = "+" + text[2:] if text.startswith("00") else text if text.startswith("+") else "+" + text
    try:
        found = phonenumbers.parse(text, None)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_valid_number(found):
        return None
    return phonenumbers.format_number(found, phonenumbers.PhoneNumberFormat.E164).removeprefix("+")


@pytest.fixture(scope="module")
def expected(tables):
    prices = {"30": "0.0450", "3069": "0.0375", "44": "0.0600", "447": "0.0500"}
    newest = {}
    for order in tables["orders"].to_pylist():
        if order["order_id"] >= newest.get(order["customer"], order)["order_id"]:
            newest[order["customer"]] = order
    areas = {}
    for customer in tables["customers"].to_pylist():
        order, area = newest.get(customer["customer"]), TEAMS.get(customer["team"])
        if order is None or area is None or customer["opted_out"]:
            continue
        found = areas.setdefault(area, [0, 0, 0, Decimal(0)])
        count = None if order["text"] is None else parts(order["text"])
        number = None if customer["number"] is None else parsed(customer["number"])
        found[0] += 1
        found[1] += (count or 0) >= 2
        found[2] += customer["number"] is not None and number is None
        if count is not None and number is not None:
            prefix = max((prefix for prefix in prices if number.startswith(prefix)), key=len)
            found[3] += count * Decimal(prices[prefix])
    result = {area: tuple(found) for area, found in areas.items()}
    assert len(result) == 3
    assert all(min(found) > 0 for found in result.values())
    return result


def by_polars(tables, run):
    pl = pytest.importorskip("polars")
    import cpaas.polars  # noqa: F401 (registers the namespace)

    customers, orders, teams = (pl.DataFrame(table) for table in tables.values())
    if run != "eager":
        customers, orders, teams = customers.lazy(), orders.lazy(), teams.lazy()
    newest = orders.group_by("customer").agg(pl.col("text").sort_by("order_id").last())
    messages = (
        customers.filter(pl.col("opted_out").fill_null(value=False).not_())
        .join(teams.filter(pl.col("area").is_not_null()), on="team")
        .join(newest, on="customer")
    )
    checked = messages.with_columns(
        check=pl.col("number").cpaas.check_numbers(),
        sms=pl.col("text").cpaas.estimate(PRICES, to="number"),
    )
    result = checked.group_by("area").agg(
        pl.len(),
        (pl.col("sms").struct.field("count") >= 2).sum().alias("long"),
        (~pl.col("check").struct.field("valid")).sum().alias("bad"),
        pl.col("sms").struct.field("total").sum().alias("total"),
    )
    if run != "eager":
        result = result.collect(engine={"lazy": "in-memory", "streaming": "streaming"}[run])
    return result.rows()


def by_polars_tables(tables):
    """A lazy frame is the table of a one-table call."""
    pl = pytest.importorskip("polars")
    customers, orders, teams = (pl.LazyFrame(table) for table in tables.values())
    newest = orders.group_by("customer").agg(pl.col("text").sort_by("order_id").last())
    messages = (
        customers.filter(pl.col("opted_out").fill_null(value=False).not_())
        .join(teams.filter(pl.col("area").is_not_null()), on="team")
        .join(newest, on="customer")
    )
    priced = arrow.estimate(messages, PRICES, text="text", to="number", append=True, prefix="sms_")
    checked = pl.DataFrame(arrow.check_numbers(priced, "number", append=True, prefix="check_"))
    return (
        checked.group_by("area")
        .agg(
            pl.len(),
            (pl.col("sms_count") >= 2).sum(),
            (~pl.col("check_valid")).sum(),
            pl.col("sms_total").sum(),
        )
        .rows()
    )


MESSAGES = """
    select * from customers
    join (select * from teams where area is not null) using (team)
    join (select customer, arg_max_null(text, order_id) as text from orders group by customer) using (customer)
    where opted_out is null or not opted_out
"""


def by_duckdb_relation(tables):
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.execute("set threads = 4")
    for name, table in tables.items():
        connection.register(name, table)
    messages = connection.sql(MESSAGES)
    priced = arrow.estimate(messages, PRICES, text="text", to="number", append=True, prefix="sms_")
    checked = arrow.check_numbers(priced, "number", append=True, prefix="check_")  # noqa: F841 (the query names it)
    return connection.sql("""
        select area, count(*), count(*) filter (sms_count >= 2), count(*) filter (not check_valid), sum(sms_total)
        from checked group by area
    """).fetchall()


def by_duckdb_sql(tables):
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    for name, table in tables.items():
        connection.register(name, table)
    arrow.register(connection)
    return connection.execute(
        f"""
        select area, count(*), count(*) filter (cpaas_segments(text)."count" >= 2),
            count(*) filter (not cpaas_check_numbers(number)."valid"),
            sum(cpaas_estimate(text, '{PRICES}', number).total)
        from ({MESSAGES}) group by area
        """
    ).fetchall()


def by_pandas(tables):
    pd = pytest.importorskip("pandas")
    import cpaas.pandas  # noqa: F401 (registers the accessors)

    customers, orders, teams = (table.to_pandas() for table in tables.values())
    newest = orders.sort_values("order_id").groupby("customer").tail(1)
    messages = customers[~customers["opted_out"].astype("boolean").fillna(value=False)]
    messages = messages.merge(teams.dropna(), on="team").merge(newest, on="customer")
    messages = messages.sort_values("number")  # the index is no range any more
    messages["valid"] = messages["number"].cpaas.check_numbers()["valid"]
    messages = messages.cpaas.estimate(PRICES, text="text", to="number", append=True)
    assert messages["valid"].dtype == "boolean"
    rows = []
    for area, group in messages.groupby("area"):
        total = group["total"].dropna().sum()
        rows.append((area, len(group), int((group["count"] >= 2).sum()), int((~group["valid"]).sum()), total))
    assert pd.notna(rows[0][4])
    return rows


def by_pyarrow(tables):
    import pyarrow.compute as pc

    newest = tables["orders"].group_by("customer").aggregate([("order_id", "max")])
    newest = newest.rename_columns(["customer", "order_id"]).join(
        tables["orders"], ["customer", "order_id"], join_type="inner"
    )
    customers = tables["customers"].filter(pc.invert(pc.coalesce(pc.field("opted_out"), False)))
    teams = tables["teams"].filter(pc.is_valid(pc.field("area")))
    messages = customers.join(teams, "team", join_type="inner").join(newest, "customer", join_type="inner")
    priced = arrow.estimate(messages, PRICES, text="text", to="number", append=True, prefix="sms_")
    checked = pa.table(arrow.check_numbers(priced, "number", append=True, prefix="check_"))
    checked = checked.append_column("long", pc.cast(pc.greater_equal(checked["sms_count"], 2), pa.int64()))
    checked = checked.append_column("bad", pc.cast(pc.invert(checked["check_valid"]), pa.int64()))
    groups = checked.group_by("area").aggregate(
        [("customer", "count"), ("long", "sum"), ("bad", "sum"), ("sms_total", "sum")]
    )
    return [tuple(row.values()) for row in groups.to_pylist()]


ENGINES = {
    "polars eager": lambda tables: by_polars(tables, "eager"),
    "polars lazy": lambda tables: by_polars(tables, "lazy"),
    "polars streaming": lambda tables: by_polars(tables, "streaming"),
    "polars tables": by_polars_tables,
    "duckdb relation": by_duckdb_relation,
    "duckdb sql": by_duckdb_sql,
    "pandas": by_pandas,
    "pyarrow": by_pyarrow,
}


@pytest.mark.parametrize("engine", ENGINES)
def test_each_engine_returns_the_figures_of_an_independent_loop(engine, tables, expected):
    found = ENGINES[engine](tables)
    assert {area: (rows, long, bad, total) for area, rows, long, bad, total in found} == expected


def by_spark(spark, tables):
    import pyspark.sql.functions as F
    from pyspark.sql import Window

    import cpaas.spark

    def frame(name, types):
        return spark.createDataFrame([tuple(row.values()) for row in tables[name].to_pylist()], types)

    customers = frame("customers", "customer long, team long, number string, opted_out boolean")
    orders = frame("orders", "order_id long, customer long, text string")
    teams = frame("teams", "team long, area string")
    newest = Window.partitionBy("customer").orderBy(F.desc("order_id"))
    newest = orders.withColumn("rank", F.row_number().over(newest)).filter("rank = 1").drop("rank")
    messages = (
        customers.filter("not coalesce(opted_out, false)")
        .join(teams.dropna(), "team")
        .join(newest, "customer")
    )
    steps = [
        cpaas.spark.check_numbers("number", prefix="check_"),
        cpaas.spark.estimate("text", PRICES, to="number", prefix="sms_"),
    ]
    for step in steps:
        messages = messages.mapInArrow(step, step.schema(messages))
    return messages.groupBy("area").agg(
        F.count("*"),
        F.expr("count_if(sms_count >= 2)"),
        F.expr("count_if(not check_valid)"),
        F.sum("sms_total").cast("decimal(38, 9)"),
    )


def test_spark_returns_the_figures_of_an_independent_loop(tables, expected):
    pytest.importorskip("pyspark")
    import sys

    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        found = by_spark(spark, tables).collect()
    finally:
        spark.stop()
    assert {area: (rows, long, bad, total) for area, rows, long, bad, total in found} == expected
