"""The expected rows of `cpaas.arrow`, made with the scalar functions: those of one text, number or request."""

import decimal

import cpaas

REPORT = ("ok", "code", "pointer", "message")


def each(function, values):
    """The result of `function` for each value; None for None."""
    return [None if value is None else function(value) for value in values]


def segments(texts):
    counts = iter(cpaas.count_segments([text for text in texts if text is not None]))
    return each(lambda _: next(counts).to_dict(), texts)


def checks(numbers):
    return each(lambda number: {"region": None, **cpaas.check_number(number).to_dict()}, numbers)


def markup(texts, mode):
    def parsed(text):
        try:
            found = cpaas.parse_markup(text, mode)
        except cpaas.MarkupError:
            return {"ok": False, "length": None, "text": None}
        return {"ok": True, "length": found.sent["length"], "text": found.text}

    return each(parsed, texts)


def totals(texts, price):
    """The totals of one price. A text of more than 255 parts has none."""

    def total(text):
        (count,) = cpaas.count_segments([text]).counts
        return decimal.Decimal(price) * count if count <= 255 else None

    return each(total, texts)


def report(operation, row):
    """The expected row of a report: `ok` and the first error of the request without its nulls."""
    found = cpaas.validate(operation, without_nulls(row))
    first = found.errors[0] if found.errors else None
    return {"ok": found.ok, **{name: first and getattr(first, name) for name in REPORT[1:]}}


def reports(operation, rows):
    return each(lambda row: report(operation, row), rows)


def without_nulls(value):
    if isinstance(value, dict):
        return {name: without_nulls(member) for name, member in value.items() if member is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value
