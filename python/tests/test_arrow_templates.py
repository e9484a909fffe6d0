"""Templates over columns: nulls, unknown names, duplicate columns, single braces, times and decimals."""

import datetime
import decimal
import warnings

import pytest

import cpaas

pa = pytest.importorskip("pyarrow")
from support.columns import rows  # noqa: E402

from cpaas import arrow  # noqa: E402

TABLE = pa.table({"name": ["Ann", None], "city": [None, "Rome"], "age": [7, None]})


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{% if name %}Hi {{ name }}{% else %}Hi you{% endif %}", ["Hi Ann", "Hi you"]),
        ("{{ name or city }}", ["Ann", "Rome"]),
        ("{{ name and city }}", [None, None]),
        ("{{ name | default('you') }}", ["Ann", "you"]),
        ("{{ name }}", ["Ann", None]),
        ("{{ name | upper }}", ["ANN", None]),
        ("{{ name[:2] }}", ["An", None]),
        ("{% if age > 5 %}a{% endif %}", ["a", None]),
        ("Hi", ["Hi", "Hi"]),
    ],
)
def test_a_null_is_false_has_a_default_and_makes_the_row_null_when_printed(template, expected):
    assert rows(arrow.render(template, TABLE)) == expected


def test_nulls_in_structs_and_lists():
    batch = pa.table({"a": [{"city": None, "lines": ["x", None]}, {"city": "Rome", "lines": ["y"]}]})
    assert rows(arrow.render("{{ a.city }}", batch)) == [None, "Rome"]
    assert rows(arrow.render("{{ a.city or '-' }}", batch)) == ["-", "Rome"]
    with pytest.raises(ValueError, match=r"template: row 2: the template uses an undefined value"):
        arrow.render("{{ a.town }}", batch)


def test_a_null_does_not_hide_another_error():
    with pytest.raises(ValueError, match=r"template: row 1: the template failed in `age\[0:2\]`: a value of"):
        arrow.render("{{ city | default('') }}{{ age[0:2] }}", TABLE)
    for template, unknown in [
        ("{{ name | upcase }}", "filter `upcase`"),
        ("{% if name is empty %}{% endif %}", "test `empty`"),
        ("{{ upper(name) }}", "function `upper`"),
    ]:
        for table in (TABLE, TABLE.slice(0, 0)):
            with pytest.raises(ValueError, match=f"template: .* unknown {unknown} in line 1"):
                arrow.render(template, table)
    with pytest.raises(ValueError, match="needs the columns `town`, which are missing"):
        arrow.render("{% if town %}a{% endif %}", TABLE)


def test_columns_with_other_names_and_the_variable_row():
    batch = pa.table({"First Name": ["Ann", None], "x": [1, 2]})
    assert rows(arrow.render("{{ first_name | default('-') }}", batch)) == ["Ann", "-"]
    assert rows(arrow.render("{{ row['First Name'] }}", batch)) == ["Ann", None]


def test_names_of_columns_must_differ():
    twice = pa.table([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    for call in (
        lambda: arrow.render("{{ text }}", twice),
        lambda: arrow.validate("sms.send", twice),
        lambda: arrow.requests("sms.send", twice),
        lambda: arrow.rows(twice),
        lambda: cpaas.plan("sms.send", twice, {"to": "{{ text }}"}),
    ):
        with pytest.raises(ValueError, match="the names of columns must differ, got `text` twice"):
            call()


def test_columns_in_single_braces_are_warned_of(tmp_path):
    with pytest.warns(UserWarning, match=r"template, /text: .*`name`"):
        assert rows(arrow.render("Hi {name}", TABLE)) == ["Hi {name}", "Hi {name}"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        arrow.render("Hi {town} {{ name }}", TABLE)
        arrow.render({"body": "{code}"}, pa.table({"code": ["1"]}))
        arrow.render({"body": "{code}"}, pa.table({"name": ["1"]}))
    table = pa.table({"phone": ["306912345678"], "name": ["Ann"]})
    template = {"from": "Acme", "to": "{{ phone }}", "text": "Hi {name}"}
    with pytest.warns(UserWarning, match=r"template, /text: .*`name`"):
        cpaas.Campaign.create(tmp_path / "c.db", "sms.send", table, template, name="c")
    plan = cpaas.plan("sms.send", table, template)
    assert [(one.row, one.code, one.pointer) for one in plan.warnings] == [(1, "SINGLE_BRACES", "/text")]


def column(array):
    """What a template prints for each value of a column."""
    return rows(arrow.render("{{ x }}", pa.table({"x": array})))


def test_times_have_the_offset_of_their_zone():
    winter, summer = 1_767_225_600, 1_782_864_000  # 2026-01-01T00:00Z and 2026-07-01T00:00Z
    for zone, expected in {
        "Europe/Athens": ["2026-01-01T02:00:00+02:00", "2026-07-01T03:00:00+03:00"],
        "America/New_York": ["2025-12-31T19:00:00-05:00", "2026-06-30T20:00:00-04:00"],
        "+05:30": ["2026-01-01T05:30:00+05:30", "2026-07-01T05:30:00+05:30"],
        "-0930": ["2025-12-31T14:30:00-09:30", "2026-06-30T14:30:00-09:30"],
        "UTC": ["2026-01-01T00:00:00Z", "2026-07-01T00:00:00Z"],
        None: ["2026-01-01T00:00:00", "2026-07-01T00:00:00"],
    }.items():
        for unit, factor in (("s", 1), ("ms", 1000), ("us", 10**6), ("ns", 10**9)):
            values = pa.array([winter * factor, summer * factor], pa.int64())
            assert column(values.cast(pa.timestamp(unit, zone))) == expected
    with pytest.raises(ValueError, match="row 1: the time zone of the column must be known"):
        column(pa.array([0], pa.timestamp("s", "Mars/Olympus")))


def test_the_filter_date():
    at = pa.array([1_767_225_600], pa.timestamp("s", "Europe/Athens"))
    batch = pa.table({"at": at, "day": pa.array([datetime.date(2026, 3, 1)])})
    template = "{{ at | date('%d %B %Y, %H:%M') }}; {{ day | date('%A') }}"
    assert rows(arrow.render(template, batch)) == ["01 January 2026, 02:00; Sunday"]
    with pytest.raises(ValueError, match="template: row 1: date: the format must have"):
        arrow.render("{{ day | date('%H') }}", batch)


def test_numbers_have_their_shortest_form():
    assert column(pa.array([0.1, 3.14, 1e10, 16777216.0, -0.5], pa.float32())) == [
        "0.1",
        "3.14",
        "10000000000.0",
        "16777216",
        "-0.5",
    ]
    assert column(pa.array([0.1, 1 / 3], pa.float64())) == ["0.1", "0.3333333333333333"]


def test_a_rounded_float_is_not_a_phone_number():
    # A float of 32 bits has 24 bits of an integer: 306912345678 became 306912346112, the number of another person.
    rounded = pa.table({"phone": pa.array([306912345678.0], pa.float32())})
    exact = pa.table({"phone": pa.array([306912345678.0, None], pa.float64())})
    template = {"from": "Acme", "to": "{{ phone }}", "text": "x"}
    for region in (None, "international", "GR"):
        plan = cpaas.plan("sms.send", rounded, template, normalize=region)
        assert (plan.valid, [problem.code for problem in plan.problems]) == (0, ["NUMBER"]), region
    assert [sample["to"] for sample in cpaas.plan("sms.send", exact, template).samples] == ["306912345678"]
    request = rounded.append_column("from", [["Acme"]]).append_column("text", [["x"]])
    with pytest.raises(cpaas.InvalidType, match="lost in floats"):
        arrow.validate("sms.send", request.rename_columns(["to", "from", "text"]))
    assert rows(arrow.render("{{ phone }}", rounded)) == ["306912330000.0"]


def test_times_of_day_durations_dates_and_decimals():
    time = datetime.time(18, 5, 1, 250_000)
    assert column(pa.array([time], pa.time64("us"))) == ["18:05:01.25"]
    assert column(pa.array([65_101], pa.time32("s"))) == ["18:05:01"]
    assert column(pa.array([datetime.timedelta(hours=26, seconds=5)], pa.duration("s"))) == ["PT26H5S"]
    assert column(pa.array([-1_500], pa.int64()).cast(pa.duration("ms"))) == ["-PT1.5S"]
    assert column(pa.array([datetime.date(1969, 12, 31)], pa.date64())) == ["1969-12-31"]
    for kind in (pa.decimal32(7, 3), pa.decimal64(15, 3), pa.decimal128(30, 3), pa.decimal256(60, 3)):
        values = [decimal.Decimal("1.250"), decimal.Decimal("-0.005"), decimal.Decimal(0)]
        assert column(pa.array(values, kind)) == ["1.250", "-0.005", "0.000"]
    large = decimal.Decimal("9" * 60 + ".125")
    assert column(pa.array([large], pa.decimal256(70, 3))) == [str(large)]
    with pytest.raises(ValueError, match="row 1: must be a time of one day"):
        column(pa.array([86_400], pa.int32()).cast(pa.time32("s")))


def test_a_campaign_renders_the_same_values(tmp_path):
    at = pa.array([1_767_225_600], pa.timestamp("s", "Europe/Athens"))
    table = pa.table(
        {
            "phone": ["306912345678"],
            "at": at,
            "price": pa.array([0.1], pa.float32()),
            "name": pa.nulls(1, pa.string()),
        }
    )
    text = "{{ at }} {{ price }} {{ at | date('%B') }} {% if name %}a{% else %}b{% endif %}"
    template = {"from": "Acme", "to": "{{ phone }}", "text": text}
    plan = cpaas.plan("sms.send", table, template)
    assert [sample["text"] for sample in plan.samples] == ["2026-01-01T02:00:00+02:00 0.1 January b"]
    plan = cpaas.plan("sms.send", table, {**template, "text": "Hi {{ name }}"})
    assert (plan.invalid, plan.problems[0].code) == (1, "TEMPLATE")
