"""The table of the attributes of `Received` in docs/python.md."""

import pathlib
import re

from cpaas.callbacks._receiver import MEMBERS

GUIDE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


def rows():
    text = GUIDE.read_text(encoding="utf-8")
    table = text[text.index("| `kind` | Attributes |") :].partition("\n\n")[0]
    return {
        cells[0]: set(cells[1:]) for line in table.splitlines()[2:] if (cells := re.findall(r"`(\w+)`", line))
    }


def test_every_attribute_is_in_the_table_and_exists():
    named = set().union(*rows().values())
    assert named - MEMBERS - {"rate_decimal", "timestamp_datetime"} == set()
    # These are explained below the table.
    assert MEMBERS - named == {"from", "extra", "raw"}


def test_every_kind_has_a_row():
    assert set(rows()) == {
        "sms_report",
        "chat_report",
        "inbound_sms",
        "messenger_b",
        "messenger_c",
        "business_chat",
        "unknown",
    }
