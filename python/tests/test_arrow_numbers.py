"""Columns of numbers: regions, the canonical form, and the types of the results."""

import pytest
from conftest import vectors

import cpaas

pa = pytest.importorskip("pyarrow")
from support.columns import rows  # noqa: E402

from cpaas import arrow  # noqa: E402

CASES = [case for case in vectors("numbers.json")["cases"] if case.get("reason") != "region"]
NAMES = pa.dictionary(pa.int16(), pa.string())


@pytest.mark.parametrize("case", [case for case in CASES if "check" in case], ids=str)
def test_check_number_with_a_region(case):
    found = cpaas.check_number(case["number"], case.get("region"))
    assert {"region": None, **found.to_dict()} == case["check"]


def test_an_unknown_region_is_an_error():
    for number in ("691 234 5678", "letters"):
        with pytest.raises(ValueError, match="region: the region must be two letters"):
            cpaas.check_number(number, "XX")
    column = pa.array(["691 234 5678"])
    for function in (arrow.check_numbers, arrow.normalize_numbers):
        with pytest.raises(ValueError, match="region: the region must be two letters"):
            function(column, region="Greece")
    regions = pa.array(["GR", None, "", "Greece"])
    for function in (arrow.check_numbers, arrow.normalize_numbers):
        with pytest.raises(ValueError, match="region: row 4: the region must be two letters"):
            function(pa.array(["691 234 5678"] * 4), region=regions)


def test_a_column_of_regions_has_a_region_for_each_row():
    numbers = pa.array([case["number"] for case in CASES])
    regions = pa.array([case.get("region") for case in CASES])
    forms = [case.get("form") for case in CASES]
    assert rows(arrow.normalize_numbers(numbers, region=regions)) == forms
    assert rows(arrow.normalize_numbers(numbers, regions.dictionary_encode())) == forms
    checks = rows(arrow.check_numbers(numbers, region=regions, normalized=True))
    assert [check.pop("normalized") for check in checks] == forms
    for case, check in zip(CASES, checks, strict=True):
        scalar = cpaas.check_number(case["number"], case.get("region"))
        assert {"region": None, **scalar.to_dict()} == check
        if "check" in case:
            assert check == case["check"]
    with pytest.raises(ValueError, match="`column` and `region` must have the same number of rows"):
        arrow.check_numbers(numbers, region=regions[1:])


def test_one_region_applies_to_all_rows():
    numbers = pa.array(["691 234 5678", "+44 20 7946 0018", None, "letters"])
    found = rows(arrow.check_numbers(numbers, region="GR", normalized=True))
    assert [row and row["normalized"] for row in found] == ["306912345678", "442079460018", None, None]
    assert [row and row["valid"] for row in found] == [True, True, None, False]
    assert "normalized" not in rows(arrow.check_numbers(numbers, region="GR"))[0]


def test_results_have_signed_counts_and_dictionaries():
    texts, numbers = pa.array(["Hi", "я"]), pa.array(["306912345678", "1"])
    segments = pa.array(arrow.segments(texts)).type
    assert [segments.field(name).type for name in ("encoding", "count", "units", "remaining")] == [
        NAMES,
        pa.int32(),
        pa.int32(),
        pa.int32(),
    ]
    checks = pa.array(arrow.check_numbers(numbers)).type
    assert (checks.field("region").type, checks.field("type").type) == (NAMES, NAMES)
    assert pa.array(arrow.parse_markup(texts)).type.field("length").type == pa.int32()
    batch = pa.table({"from": ["A"], "to": ["x"], "text": ["Hi"]})
    assert pa.array(arrow.validate("sms.send", batch)).type.field("code").type == NAMES
    prices = pa.array(arrow.estimate(texts, "1", to=numbers)).type
    assert (prices.field("unpriced").type, prices.field("encoding").type) == (NAMES, NAMES)


def test_a_dictionary_has_only_the_names_that_occur():
    texts = pa.chunked_array([["Hi"] * 70_000, ["я", None], ["Hi"]])
    (column,) = {
        tuple(chunk.field("encoding").dictionary.to_pylist())
        for chunk in pa.chunked_array(arrow.segments(texts)).chunks
    }
    assert column == ("gsm7", "ucs2")
    found = pa.array(arrow.segments(pa.array(["Hi", None])))
    assert found.field("encoding").dictionary.to_pylist() == ["gsm7"]
    regions = pa.array(arrow.check_numbers(pa.array(["+44 20 7946 0018", "306912345678", "x"])))
    assert regions.field("region").dictionary.to_pylist() == ["GB", "GR"]
    assert regions.field("type").dictionary.to_pylist() == ["fixed_line", "mobile", "unknown"]
    assert regions.field("region").to_pylist() == ["GB", "GR", None]
    joined = pa.array(arrow.segments(texts))
    assert joined.field("encoding").to_pylist()[-3:] == ["ucs2", None, "gsm7"]


def test_a_result_has_no_nulls_if_the_input_declares_that_it_has_none():
    field = pa.field("text", pa.string(), nullable=False)
    declared = pa.table({"text": ["a", "b"]}, schema=pa.schema([field]))
    required = pa.field(arrow.segments(declared))  # the type by `__arrow_c_schema__`
    assert not required.nullable
    assert not any(member.nullable for member in required.type)
    nullable = pa.field(arrow.segments(pa.array(["a"])))
    assert nullable.nullable
    assert all(member.nullable for member in nullable.type)
    # pyarrow does not check the declaration.
    wrong = pa.table({"text": ["a", None]}, schema=pa.schema([field]))
    assert rows(arrow.segments(wrong))[1] is None
    assert pa.field(arrow.segments(wrong)).nullable
    report = pa.array(
        arrow.validate("sms.send", pa.table({"from": ["A"], "to": ["x"], "text": ["Hi"]}), problems=True)
    )
    item = report.type.field("problems").type.value_field
    assert not item.nullable
    assert not any(member.nullable for member in item.type)


def test_threads_with_many_rows_check_as_one():
    """From 100,000 rows on, each thread reads numbering plans of its own."""
    forms = ("30691{:07}", "+1 20{:08}", "+44 (0)7400 {:06}", "21{:08}", "x{}", "+39 06 {:07}")
    numbers = [forms[n % len(forms)].format(n * 7919 % 1_000_000) for n in range(100_000)]
    column = pa.array(numbers)
    one, two = (arrow.check_numbers(column, region="GR", normalized=True, threads=n) for n in (1, 2))
    assert one == two
    assert 0 < sum(row["valid"] for row in one.to_pylist()) < len(numbers)
