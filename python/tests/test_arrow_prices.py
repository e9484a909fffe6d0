"""Prices of columns: numbers in all notations, numbers without a price, and several currencies."""

import collections
import decimal

import pytest
from conftest import vectors

import cpaas

pa = pytest.importorskip("pyarrow")
from support.columns import rows  # noqa: E402

from cpaas import arrow  # noqa: E402

TABLE = "prefix,price,currency\n0,9,EUR\n30,0.05,EUR\n306,0.0375,EUR\n44,0.09,EUR\n447,0.04,EUR\n"


def test_a_number_has_one_answer_in_all_functions():
    """The form, the check and the price of each notation are those of its canonical form."""
    cases = [case for case in vectors("numbers.json")["cases"] if "region" not in case]
    column = pa.array([case["number"] for case in cases])
    texts = pa.array(["Hi"] * len(cases))
    forms = rows(arrow.normalize_numbers(column))
    checks = rows(arrow.check_numbers(column))
    prices = rows(arrow.estimate(texts, TABLE, to=column))
    assert forms == [case.get("form") for case in cases]
    for form, check, price in zip(forms, checks, prices, strict=True):
        if form is None:
            assert (check["valid"], price["total"], price["unpriced"]) == (False, None, "not_a_number")
            continue
        assert cpaas.check_number(form).valid == check["valid"], form
        if check["valid"] and form.startswith(("30", "44")):
            assert (price["unpriced"], price["prefix"]) == (None, form[: len(price["prefix"])])
        else:
            assert price["total"] is None
            assert price["unpriced"] == ("no_prefix" if check["valid"] else "invalid"), form


def test_numbers_without_a_price_have_a_reason():
    numbers = {
        "0030 691 234 5678": ("306", "0.0375", None),
        "+44 (0)7400 123456": ("447", "0.04", None),
        "691 234 5678": (None, None, "not_a_number"),
        "": (None, None, "not_a_number"),
        None: (None, None, "missing"),
        "306012345678": (None, None, "invalid"),
        "+12015550123": (None, None, "no_prefix"),
    }
    texts = pa.array(["Hi"] * len(numbers))
    found = rows(arrow.estimate(texts, TABLE, to=pa.array(list(numbers))))
    expected = [
        (prefix, price and decimal.Decimal(price), reason) for prefix, price, reason in numbers.values()
    ]
    assert [(row["prefix"], row["total"], row["unpriced"]) for row in found] == expected
    counts = collections.Counter(row["unpriced"] for row in found)
    assert counts == {None: 2, "not_a_number": 2, "missing": 1, "invalid": 1, "no_prefix": 1}


def test_one_price_for_all_numbers_is_only_that_of_valid_numbers():
    numbers = pa.array(["0030 691 234 5678", "691 234 5678", None, "306012345678"])
    found = rows(arrow.estimate(pa.array(["Hi"] * 4), "0.05", to=numbers))
    assert [row["unpriced"] for row in found] == [None, "not_a_number", "missing", "invalid"]
    assert [row["total"] for row in found] == [decimal.Decimal("0.05"), None, None, None]
    without = rows(arrow.estimate(pa.array(["Hi", None]), "0.05"))
    assert (without[0]["total"], without[0]["unpriced"], without[1]) == (decimal.Decimal("0.05"), None, None)


def test_more_than_255_parts_have_a_price_of_a_part_and_no_total():
    (found,) = rows(arrow.estimate(pa.array(["x" * 40_000]), TABLE, to=pa.array(["306912345678"])))
    assert (found["price_per_part"], found["total"]) == (decimal.Decimal("0.0375"), None)


CURRENCIES = "prefix,price,currency\n30,0.05,EUR\n44,0.04,GBP\n"
NUMBERS = ["306912345678", "+44 7400 123456", "447400123457", "+12015550123", None]
SUMS = {"EUR": decimal.Decimal("0.05"), "GBP": decimal.Decimal("0.08"), None: None}


def test_each_row_has_the_currency_of_its_price():
    found = rows(arrow.estimate(pa.array(["Hi"] * 5), CURRENCIES, to=pa.array(NUMBERS)))
    price = decimal.Decimal
    expected = [
        (price("0.05"), "EUR"),
        (price("0.04"), "GBP"),
        (price("0.04"), "GBP"),
        (None, None),
        (None, None),
    ]
    assert [(row["total"], row["currency"]) for row in found] == expected
    sums = cpaas.estimate("Hi", prices=CURRENCIES, to=NUMBERS[:3])
    assert {name: share["total"] for name, share in sums.by_currency.items()} == {
        name: total for name, total in SUMS.items() if name
    }
    assert (sums.total, sums.currency, sums.price_per_part) == (None, None, None)
    assert sums.by_prefix["44"]["currency"] == "GBP"
    assert sums.by_currency["GBP"] == {"recipients": 2, "parts": 2, "total": price("0.08")}


def test_a_query_is_a_table_of_prices():
    duckdb = pytest.importorskip("duckdb")
    pl = pytest.importorskip("polars")
    expected = rows(arrow.estimate(pa.array(["Hi"] * 5), CURRENCIES, to=pa.array(NUMBERS)))
    lines = [line.split(",") for line in CURRENCIES.splitlines()]
    frame = pl.LazyFrame(lines[1:], schema=lines[0], orient="row")
    relation = duckdb.from_arrow(frame.collect().to_arrow())
    for prices in (frame, relation):
        assert rows(arrow.estimate(pa.array(["Hi"] * 5), prices, to=pa.array(NUMBERS))) == expected


def test_queries_sum_by_currency():
    duckdb = pytest.importorskip("duckdb")
    pl = pytest.importorskip("polars")
    table = pa.table({"text": ["Hi"] * 5, "number": NUMBERS})
    connection = duckdb.connect()
    arrow.register(connection)
    connection.register("messages", table)
    query = f"""
        select currency, sum(total) from (
            select unnest(cpaas_estimate(text, '{CURRENCIES}', number)) from messages
        ) group by currency
    """
    assert dict(connection.execute(query).fetchall()) == SUMS
    import cpaas.polars  # noqa: F401 (registers the namespace)

    priced = pl.DataFrame(table).select(pl.col("text").cpaas.estimate(CURRENCIES, to="number").alias("sms"))
    sums = priced.unnest("sms").group_by("currency").agg(pl.col("total").sum()).rows()
    assert dict(sums) == {**SUMS, None: 0}
