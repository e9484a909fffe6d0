"""Arrays of the C Data Interface with malformed contents raise an exception or give nulls; they never crash.

The structures are written with ctypes. Lengths of allocations and addresses stay valid, because no consumer can check them.
"""

import ctypes
import pickle
import random
import subprocess
import sys

import pytest
from c_data_interface import (
    BYTES,
    KEPT,
    Exported,
    array,
    i32,
    i64,
    release_array,
    release_schema,
    schema,
    view,
)

from cpaas import arrow


def utf8(length=2, offsets=(0, 1, 2), data=b"ab", code=b"u", **more):
    pack = i64 if code == b"U" else i32
    return Exported(schema(code), array(length, None, pack(*offsets), data, **more))


def views(*values, lengths=(100,), data=b"a" * 100):
    return Exported(schema(b"vu"), array(len(values), None, b"".join(values), data, i64(*lengths)))


def result(column):
    """The texts of a column, through a function that reads each of them."""
    table = Exported(
        schema(b"+s", column.pair[0]), array(column.pair[1].length, None, children=[column.pair[1]])
    )
    return list(arrow.rows(table))


def test_the_builders_make_valid_arrays():
    assert result(utf8()) == [{"x": "a"}, {"x": "b"}]
    assert result(utf8(code=b"U")) == [{"x": "a"}, {"x": "b"}]
    assert result(views(view(3, 0, 0), view(20, 0, 5))) == [{"x": "abc"}, {"x": "a" * 20}]
    assert len(arrow.segments(utf8())) == 2
    assert len(arrow.segments(dictionary(b"c", bytes([0, 1])))) == 2


def dictionary(code, keys, length=2):
    values = utf8()
    found = schema(code, dictionary=values.pair[0])
    return Exported(found, array(length, None, keys, dictionary=values.pair[1]))


UTF8 = "row 2: must be valid UTF-8"
KEY = "row 2: the index in the dictionary is out of range"
MALFORMED = "malformed"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: utf8(data=b"a\xff"), UTF8),
        (lambda: utf8(offsets=(0, 2, 3), data=b"\xc3\xa9\xa9"), UTF8),
        (lambda: utf8(3, (0, 1, 2, 3), "aé".encode()), UTF8),
        (lambda: utf8(3, (0, 1, 2, 3), "aé".encode(), code=b"U"), UTF8),
        (lambda: utf8(3, (0, 2, 1, 2)), UTF8),
        (lambda: utf8(3, (0, 1, -5, 2)), UTF8),
        (lambda: utf8(3, (0, 1, 2**30, 2)), UTF8),
        (lambda: utf8(3, (0, 1, 2**62, 2), code=b"U"), UTF8),
        (lambda: utf8(offsets=(0, 1, -1)), "an offset is negative or too large"),
        (lambda: utf8(offsets=(0, 1, 2**62), code=b"U"), "an offset is negative or too large"),
        (lambda: views(view(3, 0, 0), view(20, 1, 0)), UTF8),
        (lambda: views(view(3, 0, 0), view(20, -1, 0)), UTF8),
        (lambda: views(view(3, 0, 0), view(20, 0, 90)), UTF8),
        (lambda: views(view(3, 0, 0), view(20, 0, -3)), UTF8),
        (lambda: views(view(3, 0, 0), view(-20, 0, 0)), UTF8),
        (lambda: views(view(3, 0, 0), view(20, 0, 0), data=b"\xff" * 100), UTF8),
        (lambda: views(view(3, 0, 0), lengths=(-1,)), "a buffer has an invalid length"),
        (lambda: dictionary(b"c", bytes([0, 2])), KEY),
        (lambda: dictionary(b"c", bytes([0, 255])), KEY),
        (lambda: dictionary(b"l", i64(0, -(2**63))), KEY),
        (lambda: dictionary(b"L", i64(0, -1)), KEY),
        (lambda: utf8(length=-1), "a length is negative or too large"),
        (lambda: utf8(offset=-1), "a length is negative or too large"),
        (lambda: utf8(length=2**62), "a length is negative or too large"),
        (lambda: Exported(schema(b"u"), array(1, None, i32(0, 1))), "the number of buffers"),
        (lambda: Exported(schema(b"u"), array(1)), "the number of buffers"),
        (lambda: Exported(schema(b"vu"), array(1, None, view(1, 0, 0))), "the number of buffers"),
        (lambda: Exported(schema(b"u"), array(1, None, None, b"a")), "the offsets must be an aligned buffer"),
        (lambda: Exported(schema(b"u"), array(1, None, i32(0, 1), None)), MALFORMED),
        (lambda: Exported(schema(b"+s", schema(b"u")), array(1, None)), "the number of children"),
        (
            lambda: Exported(
                schema(b"+s", schema(b"u")), array(2, None, children=[array(1, None, i32(0, 1), b"a")])
            ),
            "a child is shorter than its parent",
        ),
        (
            lambda: Exported(
                schema(b"+s", schema(b"u")),
                array(1, None, children=[array(1, None, i32(0, 1), b"a")], offset=1),
            ),
            "a child is shorter than its parent",
        ),
        (
            lambda: Exported(schema(b"c", dictionary=schema(b"u")), array(1, None, b"\0")),
            "a dictionary has no values",
        ),
        (lambda: Exported(schema(b"?"), array(1, None, b"\0")), MALFORMED),
        (lambda: Exported(schema(b""), array(1, None, b"\0")), MALFORMED),
        (lambda: Exported(schema(b"\xff"), array(1, None, b"\0")), MALFORMED),
        (lambda: Exported(schema(b"u", name=b"\xff"), array(0, None, i32(0), b"")), MALFORMED),
        (lambda: Exported(schema(None), array(1, None, b"\0")), MALFORMED),
        (lambda: Exported(nested(70_000), array(0, None)), "nested too deeply"),
    ],
)
def test_malformed_columns_are_errors(make, message):
    with pytest.raises(ValueError, match=message):
        arrow.segments(make())


def nested(depth):
    found = schema(b"u")
    for _ in range(depth):
        found = schema(b"+s", found)
    return found


def test_a_block_with_valid_bytes_but_a_split_character_is_an_error():
    texts = [b"a"] * 2000 + ["é".encode()]
    offsets = [sum(map(len, texts[:n])) for n in range(len(texts) + 1)]
    offsets[-2] += 1  # splits the last character
    with pytest.raises(ValueError, match="row 2000: must be valid UTF-8"):
        arrow.segments(utf8(len(texts), offsets, b"".join(texts)))


def test_the_bytes_of_a_null_are_not_read():
    column = utf8(3, (0, 1, 2, 3), b"a\xffb", null_count=1)
    buffers = column.pair[1].buffers
    bits = ctypes.create_string_buffer(bytes([0b101]), 1)
    KEPT.append(bits)
    buffers[0] = ctypes.addressof(bits)
    assert len(arrow.segments(column)) == 3


def test_released_structures_are_errors():
    column = utf8()
    assert len(arrow.segments(column)) == 2
    with pytest.raises(ValueError, match="released"):
        arrow.segments(column)


@pytest.mark.parametrize("offsets", [(0, 3), (0, -1), (1, 0), (-1, 1), (0, 2**31 - 1)])
@pytest.mark.parametrize("code", [b"+l", b"+L"])
def test_malformed_lists_are_errors(code, offsets):
    pack = i64 if code == b"+L" else i32
    items = array(2, None, i32(0, 1, 2), b"ab")
    lists = array(1, None, pack(*offsets), children=[items])
    table = Exported(schema(b"+s", schema(code, schema(b"u"))), array(1, None, children=[lists]))
    with pytest.raises(ValueError, match="malformed"):
        list(arrow.rows(table))


def test_a_list_of_nulls_with_a_huge_length_is_an_error():
    lists = array(1, None, i64(0, 2**40), children=[array(2**40, null_count=2**40)])
    table = Exported(schema(b"+s", schema(b"+L", schema(b"n"))), array(1, None, children=[lists]))
    with pytest.raises(ValueError, match="malformed"):
        list(arrow.rows(table))


class Wrong:
    """An object whose protocol returns a wrong value."""

    def __init__(self, value):
        self.value = value

    def __arrow_c_array__(self):
        return self.value


def test_objects_that_break_the_protocol_are_errors():
    column = utf8()
    pair = column.__arrow_c_array__()
    for value in (None, (), (1, 2), pair[:1], (pair[1], pair[0]), 5, list(pair)):
        with pytest.raises((TypeError, ValueError, IndexError)):
            arrow.segments(Wrong(value))

    class Stream:
        def __arrow_c_stream__(self):
            return pair[0]

    with pytest.raises(ValueError):
        arrow.segments(Stream())

    class Failing:
        def __arrow_c_stream__(self):
            raise RuntimeError("no data")

    with pytest.raises(RuntimeError, match="no data"):
        arrow.segments(Failing())


def mutated(numbers):
    """A valid array in which some numbers are replaced."""
    extreme = [-1, 0, 1, 2, 3, 5, 100, 2**31 - 1, -(2**31), 2**62, -(2**62), 2**40]

    def value(n):
        return numbers.choice(extreme) if numbers.random() < 0.15 else n

    def small(n):
        return max(-(2**31), min(2**31 - 1, value(n)))

    def offset_of_bytes(n):
        # The last offset is the size of the data. No consumer can detect that it is beyond the allocation.
        found = value(n)
        return found if found < BYTES else n

    kind = numbers.choice(["utf8", "large", "views", "dictionary", "struct", "list", "bool", "fixed"])
    text = (
        bytes(numbers.choice(b"ab\xc3\xa9\xe2\x82\xac\xff") for _ in range(8))
        if numbers.random() < 0.5
        else b"abcdefgh"
    )
    # A length beyond the allocation is detected only if it is impossible, such as 2**60.
    length = numbers.choice([3] * 8 + [0, 1, 50, -1, 2**60])
    offset = numbers.choice([0] * 8 + [1, 2, 50, -1, 2**60])
    null_count = numbers.choice([0, -1, 1, 2**40, -5])
    bits = numbers.choice([None, b"\x05", b"\x00"])
    more = {"offset": offset, "null_count": null_count}

    def strings():
        offsets = [max(-(2**31), offset_of_bytes(n)) for n in (0, 2, 4, 6)]
        return array(length, bits, i32(*offsets), text, **more)

    if kind == "utf8":
        return schema(b"u"), strings()
    if kind == "large":
        return schema(b"U"), array(
            length, bits, i64(*[offset_of_bytes(n) for n in (0, 2, 4, 6)]), text, **more
        )
    if kind == "views":
        made = [view(small(numbers.choice([3, 12, 13])), small(0), small(0)) for _ in range(3)]
        return schema(b"vu"), array(
            length, bits, b"".join(made), text * 8, i64(numbers.choice([64, 64, -1])), **more
        )
    if kind == "dictionary":
        code = numbers.choice([b"c", b"C", b"i", b"l", b"L"])
        keys = bytes(numbers.randrange(256) if numbers.random() < 0.3 else 0 for _ in range(24))
        return schema(code, dictionary=schema(b"u")), array(length, bits, keys, dictionary=strings(), **more)
    if kind == "struct":
        return schema(b"+s", schema(b"u")), array(length, bits, children=[strings()], **more)
    if kind == "list":
        lists = array(length, bits, i32(*[small(n) for n in (0, 1, 2, 3)]), children=[strings()], **more)
        return schema(b"+l", schema(b"u")), lists
    if kind == "bool":
        return schema(b"b"), array(length, bits, b"\x05", **more)
    return schema(b"+w:2", schema(b"u")), array(length, bits, children=[strings()], **more)


def fuzz(seed, rounds):
    """Passes malformed arrays to the functions. Returns how many were accepted."""
    numbers = random.Random(seed)
    accepted = 0
    for _ in range(rounds):
        KEPT.clear()
        KEPT.append((release_schema, release_array))
        found, data = mutated(numbers)
        table = numbers.random() < 0.5
        if table:
            rows = numbers.choice([data.length, 0, 1, 3])
            found, data = schema(b"+s", found), array(rows, None, children=[data])
        function = numbers.choice(
            [arrow.segments, arrow.check_numbers, arrow.parse_markup, lambda one: list(arrow.rows(one))]
        )
        if table and numbers.random() < 0.3:
            function = lambda one: arrow.render("{{ x }}", one)  # noqa: E731
        try:
            function(Exported(found, data))
            accepted += 1
        except (TypeError, ValueError):
            pass
    return accepted


def test_random_malformed_arrays_do_not_crash():
    code = "import test_arrow_malformed_contents as t; print(sum(t.fuzz(seed, 1000) for seed in range(8)))"
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code],
        capture_output=True,
        text=True,
        cwd=__file__.rpartition("/")[0],
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "panicked" not in done.stderr
    assert 500 < int(done.stdout) < 7500


@pytest.mark.parametrize(
    "make",
    [
        lambda: utf8(data=b"a\xff"),
        lambda: utf8(3, (0, 1, -5, 2)),
        lambda: utf8(3, (0, 1, 2**30, 2)),
        lambda: utf8(3, (0, 1, 2**62, 2), code=b"U"),
        lambda: views(view(3, 0, 0), view(20, 1, 0)),
        lambda: views(view(3, 0, 0), view(20, 0, 90)),
        lambda: dictionary(b"c", bytes([0, 2])),
        lambda: dictionary(b"L", i64(0, -1)),
    ],
)
def test_malformed_columns_of_an_appended_table_are_errors(make):
    def appended():
        column, text = make(), utf8(3, (0, 1, 2, 2))
        length = column.pair[1].length
        (kind, data), (text_kind, text_data) = column.pair, text.pair
        text_kind.name = b"text"
        table = Exported(schema(b"+s", kind, text_kind), array(length, None, children=[data, text_data]))
        return arrow.segments(table, "text", append=True)

    reads = {
        "to_pylist": lambda: appended().to_pylist(),
        "iteration": lambda: list(appended()),
        "pickle": lambda: pickle.dumps(appended()),
        "equality": lambda: appended() == appended(),
    }
    for name, read in reads.items():
        with pytest.raises(ValueError, match="malformed"):
            read()
            pytest.fail(name)
    assert "x=…" in repr(appended())
