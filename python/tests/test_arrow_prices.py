"""Prices of columns: numbers in all notations, numbers without a price, and several currencies."""

import collections
import decimal

import pytest
from conftest import vectors

import cpaas

pa = pytest.importorskip("pyarrow")
from test_arrow import rows  # noqa: E402

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


def test_prices_in_several_currencies_have_a_currency_for_each_row():
    csv = "prefix,price,currency\n30,0.05,EUR\n44,0.04,GBP\n"
    numbers = pa.array(["306912345678", "+44 7400 123456", "447400123457", "+12015550123"])
    found = rows(arrow.estimate(pa.array(["Hi"] * 4), csv, to=numbers))
    price = decimal.Decimal
    expected = [(price("0.05"), "EUR"), (price("0.04"), "GBP"), (price("0.04"), "GBP"), (None, None)]
    assert [(row["total"], row["currency"]) for row in found] == expected
    sums = cpaas.estimate("Hi", prices=csv, to=numbers.to_pylist()[:3])
    assert {name: share["total"] for name, share in sums.by_currency.items()} == {
        "EUR": price("0.05"),
        "GBP": price("0.08"),
    }
    assert (sums.total, sums.currency) == (None, None)
    with pytest.raises(cpaas.CampaignError, match="must be in one currency, because its spend is one amount"):
        cpaas.plan("sms.send", [{"to": "306912345678"}], {"from": "A", "to": "{{ to }}", "text": "Hi"}, prices=csv)
