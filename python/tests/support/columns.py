"""Columns of the tests of `cpaas.arrow`, and the rows of a result."""

import pyarrow as pa

TEXTS = ["hello", "я" * 71, None, "x" * 161, "", "€" * 80, "\U0001f600"]
NUMBERS = ["306912345678", None, "+30 691 234 5678", "12", "", "442079460000", "x"]
REQUESTS = pa.table(
    {
        "from": ["Acme", None, "A" * 12, "Acme"],
        "to": ["306912345678", "306912345678", "x", None],
        "text": ["hi", "hi", "", "hi"],
        "test": [True, None, False, None],
    }
)


def rows(result):
    """The rows of a result, by both protocols."""
    found = pa.array(result).to_pylist()
    assert pa.chunked_array(result).to_pylist() == found
    assert len(result) == len(found)
    return found
