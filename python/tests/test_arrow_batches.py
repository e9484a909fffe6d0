"""Batches through the Arrow protocols: validation, requests and templates, compared with the scalar functions."""

import decimal
import json

import pytest
from conftest import VECTORS

import cpaas

pa = pytest.importorskip("pyarrow")
from scalar_results import report as scalar_report  # noqa: E402
from scalar_results import without_nulls  # noqa: E402
from support.columns import REQUESTS, rows  # noqa: E402

from cpaas import arrow  # noqa: E402


def test_validate_returns_what_the_scalar_function_returns():
    expected = [scalar_report("sms.send", row) for row in REQUESTS.to_pylist()]
    assert rows(arrow.validate("sms.send", REQUESTS)) == expected
    assert [row["ok"] for row in expected] == [True, False, False, False]
    assert rows(arrow.validate("sms.send", REQUESTS.to_struct_array())) == expected


def test_validate_lists_all_problems_on_request():
    found = rows(arrow.validate("sms.send", REQUESTS, problems=True))
    for row, request in zip(found, REQUESTS.to_pylist()):
        report = cpaas.validate("sms.send", without_nulls(request))
        problems = [*report.errors, *report.warnings]
        names = ("code", "pointer", "severity", "message")
        assert row["problems"] == [{name: getattr(one, name) for name in names} for one in problems]
        assert row["ok"] == report.ok
    assert len(found[2]["problems"]) > 1


def requests_of_the_vectors():
    for path in sorted((VECTORS / "requests").glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            request = case.get("request")
            if request and "extra" not in json.dumps(request):
                is_invalid = "invalid" in case["expect"]
                yield pytest.param(path.stem, request, is_invalid, id=f"{path.stem}: {case['name']}")


@pytest.mark.parametrize(("operation", "request_members", "is_invalid"), list(requests_of_the_vectors()))
def test_requests_of_the_vectors_have_the_same_reports_in_columns(operation, request_members, is_invalid):
    batch = pa.array([request_members, request_members, None])
    try:
        found = rows(arrow.requests(operation, batch))
    except (TypeError, ValueError):
        assert is_invalid  # a required column is missing, or has another type
        return
    assert [text and json.loads(text) for text in found] == [request_members, request_members, None]
    expected = scalar_report(operation, request_members)
    assert rows(arrow.validate(operation, batch)) == [expected, expected, None]


def test_nested_members_are_checked():
    def batch(sms):
        return pa.array([{"destination": "306912345678", "sms": sms}])

    with pytest.raises(
        ValueError, match=r"must be members of messages.send, got `sms\.txt`; the members are"
    ):
        arrow.validate("messages.send", batch({"sender": "Acme", "txt": "hi"}))
    with pytest.raises(TypeError, match=r"column `sms\.text` must be utf8, .*, got int64"):
        arrow.validate("messages.send", batch({"sender": "Acme", "text": 1}))
    with pytest.raises(TypeError, match=r"column `sms` must be a struct with members of .*, got utf8"):
        arrow.validate("messages.send", batch("hi"))
    absent = batch({"sender": "Acme", "text": None})
    expected = scalar_report("messages.send", {"destination": "306912345678", "sms": {"sender": "Acme"}})
    assert rows(arrow.validate("messages.send", absent)) == [expected]
    assert not expected["ok"]


def test_requests_are_json_without_nulls():
    found = [json.loads(text) for text in rows(arrow.requests("sms.send", REQUESTS))]
    assert found == [without_nulls(row) for row in REQUESTS.to_pylist()]
    struct = pa.array([{"from": "A", "to": "1", "text": 'quote " and \u2028 \\'}, None])
    texts = rows(arrow.requests("sms.send", struct))
    assert json.loads(texts[0])["text"] == 'quote " and \u2028 \\'
    assert texts[1] is None


def test_a_float_column_of_integers_is_valid_for_integers():
    # pandas turns a column of integers with a missing one into floats, and the missing one into NaN.
    batch = pa.table({"page": pa.array([1.0, float("nan"), None, 1.5], pa.float64())})
    found = [json.loads(text) for text in rows(arrow.requests("otp.search", batch))]
    assert found == [{"page": 1}, {}, {}, {"page": 1.5}]
    assert [row["ok"] for row in rows(arrow.validate("otp.search", batch))] == [True, True, True, False]


@pytest.mark.parametrize(
    ("batch", "error", "message"),
    [
        (pa.table({"text": ["a"]}), ValueError, "sms.send needs the columns `from`, `to`, which are missing"),
        (pa.table({"foo": [1], "bar": [1]}), ValueError, "must be members of sms.send, got `foo`, `bar`"),
        (
            pa.table({"from": ["A"], "to": pa.array([306912345678]), "text": ["a"]}),
            TypeError,
            "column `to` must be utf8, large_utf8, utf8_view or a dictionary of these, got int64",
        ),
        (
            pa.table({"from": ["A"], "to": ["1"], "text": ["a"], "test": ["yes"]}),
            TypeError,
            "column `test` must be bool, got utf8",
        ),
        (pa.array(["a"]), TypeError, "batch: must be a table or an array of structs, got utf8"),
        ([{}], TypeError, "batch: must have the method __arrow_c_stream__ or __arrow_c_array__"),
    ],
)
@pytest.mark.parametrize("function", [arrow.validate, arrow.requests])
def test_invalid_batches_are_errors(function, batch, error, message):
    with pytest.raises(error, match=message):
        function("sms.send", batch)


def test_an_unknown_operation_is_an_error():
    with pytest.raises(ValueError, match=r"did you mean `sms\.send`"):
        arrow.validate("sms.sent", REQUESTS)


def test_render_fills_a_template_with_each_row():
    batch = pa.table({"name": ["Ann", None, "Bob"], "due": [5, 6, None], "unused": [{"a": 1}] * 3})
    assert rows(arrow.render("Hi {{ name }}", batch)) == ["Hi Ann", None, "Hi Bob"]
    assert rows(arrow.render("{{ name | default('you') }}: {{ due + 1 }}", batch)) == [
        "Ann: 6",
        "you: 7",
        None,
    ]
    request = {"to": "1", "sms": {"text": "Hi {{ name }}"}}
    found = rows(arrow.render(request, batch))
    assert [text and json.loads(text) for text in found] == [
        {"to": "1", "sms": {"text": "Hi Ann"}},
        None,
        {"to": "1", "sms": {"text": "Hi Bob"}},
    ]


def test_render_accepts_dates_decimals_and_lists():
    import datetime

    batch = pa.table(
        {
            "day": [datetime.date(2026, 2, 3)],
            "at": [datetime.datetime(2026, 2, 3, 4, 5, 6)],
            "total": [decimal.Decimal("-0.050")],
            "items": [[{"sku": "a"}, {"sku": "b"}]],
            "ratio": [0.5],
        }
    )
    template = "{{ day }} {{ at }} {{ total }} {{ items[1].sku }} {{ ratio }}"
    assert rows(arrow.render(template, batch)) == ["2026-02-03 2026-02-03T04:05:06 -0.050 b 0.5"]


def test_a_decimal_of_a_negative_scale_keeps_its_value():
    values = [decimal.Decimal(500), decimal.Decimal(-12_300), decimal.Decimal(0), None]
    batch = pa.table({"total": pa.array(values, pa.decimal128(5, -2))})
    assert rows(arrow.render("{{ total }}", batch))[:3] == ["500", "-12300", "0"]


@pytest.mark.parametrize(
    ("template", "error", "message"),
    [
        ("{{ x }} {{ y }} {{ range(2) }}", ValueError, "the template needs the columns `x`, `y`, which"),
        ("{{ name", ValueError, "must be a valid template"),
        ("{{ name | nothing }}", ValueError, "must be a valid template: unknown filter `nothing` in line 1"),
        ("{{ raw }}", TypeError, "column `raw` must have a type that JSON has, got binary"),
        (["a"], TypeError, "template must be a str or a mapping whose strings are templates, got list"),
    ],
)
def test_invalid_templates_are_errors(template, error, message):
    with pytest.raises(error, match=message):
        arrow.render(template, pa.table({"name": ["Ann"], "raw": [b"a"]}))


def test_unused_columns_may_have_any_type_except_unions():
    batch = pa.table(
        {
            "name": ["Ann"],
            "binary": [b"a"],
            "views": pa.array([b"a" * 20], pa.binary_view()),
            "large": pa.array([b"a"], pa.large_binary()),
            "fixed": pa.array([b"ab"], pa.binary(2)),
            "time": pa.array([1], pa.time64("us")),
            "duration": pa.array([1], pa.duration("us")),
            "half": pa.array([1.5], pa.float16()),
            "wide": pa.array([decimal.Decimal(1)], pa.decimal256(70, 2)),
        }
    )
    assert rows(arrow.render("Hi {{ name }}", batch)) == ["Hi Ann"]
    union = pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array(["a"])])
    with pytest.raises(TypeError, match="columns of unions, list views and run-end encoded values"):
        arrow.render("Hi {{ name }}", pa.table({"name": ["Ann"], "union": union}))


def test_an_operation_or_mode_of_a_wrong_type_is_named():
    table = pa.table({"from": ["A"], "to": ["306912345678"], "text": ["Hi"]})
    for use in (cpaas.arrow.validate, cpaas.arrow.requests):
        with pytest.raises(cpaas.InvalidType, match=r"^operation must be str, got int$"):
            use(5, table)
    with pytest.raises(cpaas.InvalidType, match=r"^mode must be str, got int$"):
        cpaas.arrow.parse_markup(table["text"], 5)
