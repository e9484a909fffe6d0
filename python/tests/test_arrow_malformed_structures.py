"""Structures of the C Data Interface with null pointers, negative counts or released parts, and malformed streams, raise an exception."""

import ctypes

import pytest
from c_data_interface import (
    KEPT,
    RELEASE_ARRAY,
    RELEASE_SCHEMA,
    Array,
    Exported,
    Schema,
    array,
    capsule,
    i32,
    i64,
    schema,
)

from cpaas import arrow


def text():
    return array(2, None, i32(0, 1, 2), b"ab")


def column(**changes):
    """A column of text in which members of the array are replaced."""
    found = text()
    for name, value in changes.items():
        setattr(found, name, value)
    return Exported(schema(b"u"), found)


def changed(found, **changes):
    """A structure in which members are replaced."""
    for name, value in changes.items():
        setattr(found, name, value)
    return found


def table(child=None, length=2, **changes):
    """A table of one column in which members of the array of structs are replaced."""
    parent = changed(array(length, None, children=[child or text()]), **changes)
    return Exported(schema(b"+s", schema(b"u")), parent)


NO_BUFFERS = ctypes.POINTER(ctypes.c_void_p)()
NO_ARRAYS = ctypes.POINTER(ctypes.POINTER(Array))()
NO_SCHEMAS = ctypes.POINTER(ctypes.POINTER(Schema))()
NO_ARRAY = (ctypes.POINTER(Array) * 1)()
NO_SCHEMA = (ctypes.POINTER(Schema) * 1)()


def null_child(kind, none):
    return ctypes.cast(none, ctypes.POINTER(ctypes.POINTER(kind)))


def dictionary(**changes):
    values = schema(b"u")
    keys = changed(array(2, None, b"\0\1", dictionary=text()), **changes)
    return Exported(schema(b"c", dictionary=values), keys)


def lists(items, offsets=(0, 1, 2), **changes):
    found = changed(array(2, None, i32(*offsets), children=[items]), **changes)
    return Exported(
        schema(b"+s", schema(b"+l", schema(b"u"))),
        array(2, None, children=[found]),
    )


ARRAYS = {
    "no buffers": lambda: column(buffers=NO_BUFFERS),
    "negative number of buffers": lambda: column(n_buffers=-1),
    "too many buffers": lambda: column(n_buffers=2**40),
    "no validity and no buffers": lambda: column(n_buffers=0),
    "text with a negative number of children": lambda: column(n_children=-1),
    "smallest length": lambda: column(length=-(2**63)),
    "greatest length": lambda: column(length=2**63 - 1),
    "greatest offset": lambda: column(offset=2**63 - 1),
    "greatest length and offset": lambda: column(length=2**48, offset=2**48),
    "released": lambda: column(release=RELEASE_ARRAY()),
    "null instead of the children": lambda: table(children=NO_ARRAYS),
    "null child": lambda: table(children=null_child(Array, NO_ARRAY)),
    "negative number of children": lambda: table(n_children=-1),
    "too few children": lambda: table(n_children=0),
    "too many children": lambda: table(n_children=2**40),
    "released child": lambda: table(changed(text(), release=RELEASE_ARRAY())),
    "child without buffers": lambda: table(changed(text(), buffers=NO_BUFFERS)),
    "child with another layout": lambda: table(array(2, None, i64(0, 1, 2))),
    "short child": lambda: table(length=3),
    "no dictionary": lambda: dictionary(dictionary=ctypes.POINTER(Array)()),
    "released dictionary": lambda: dictionary(
        dictionary=ctypes.pointer(changed(text(), release=RELEASE_ARRAY()))
    ),
    "dictionary without buffers": lambda: dictionary(
        dictionary=ctypes.pointer(changed(text(), buffers=NO_BUFFERS))
    ),
    "schema with null instead of its children": lambda: Exported(
        changed(schema(b"+s", schema(b"u")), children=NO_SCHEMAS), array(2, None, children=[text()])
    ),
    "schema with a null child": lambda: Exported(
        changed(schema(b"+s", schema(b"u")), children=null_child(Schema, NO_SCHEMA)),
        array(2, None, children=[text()]),
    ),
    "schema with a negative number of children": lambda: Exported(
        changed(schema(b"+s", schema(b"u")), n_children=-1), array(2, None, children=[text()])
    ),
    "schema with too many children": lambda: Exported(
        changed(schema(b"+s", schema(b"u")), n_children=2**40), array(2, None, children=[text()])
    ),
    "schema with a released child": lambda: Exported(
        schema(b"+s", changed(schema(b"u"), release=RELEASE_SCHEMA())), array(2, None, children=[text()])
    ),
    "schema with negative metadata": lambda: Exported(changed(schema(b"u"), metadata=i32(-1)), text()),
    "schema of a union": lambda: Exported(schema(b"+us:0", schema(b"u")), array(2, None, children=[text()])),
    "lists of negative size": lambda: Exported(
        schema(b"+w:-1", schema(b"u")), array(2, None, children=[text()])
    ),
    "lists of the greatest size": lambda: Exported(
        schema(b"+s", schema(b"+w:2147483647", schema(b"u"))),
        array(2**40, None, children=[array(2**40, None, children=[text()])]),
    ),
    "list without children": lambda: lists(text(), n_children=0),
    "list with a null child": lambda: lists(text(), children=null_child(Array, NO_ARRAY)),
    "list with a released child": lambda: lists(changed(text(), release=RELEASE_ARRAY())),
}


@pytest.mark.parametrize("kind", ARRAYS)
@pytest.mark.parametrize(
    "function",
    [
        arrow.segments,
        lambda value: list(arrow.rows(value)),
        lambda value: arrow.render("{{ x }}", value),
        lambda value: arrow.requests("sms.send", value),
    ],
    ids=["segments", "rows", "render", "requests"],
)
def test_malformed_structures_are_errors(kind, function):
    made = ARRAYS[kind]()
    if kind == "text with a negative number of children" and function is arrow.segments:
        assert len(function(made)) == 2  # `segments` does not read the number of children
        return
    with pytest.raises((TypeError, ValueError)):
        function(made)


class Stream(ctypes.Structure):
    pass


GET = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.c_void_p)
LAST_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))
RELEASE = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
Stream._fields_ = [
    ("get_schema", GET),
    ("get_next", GET),
    ("get_last_error", LAST_ERROR),
    ("release", RELEASE),
    ("private_data", ctypes.c_void_p),
]


@RELEASE
def release_stream(stream):
    stream.contents.release = RELEASE()


def written(structure):
    """A function that writes a structure to the address that the consumer passes, or nothing for None."""

    def write(stream, out):
        if structure is not None:
            ctypes.memmove(out, ctypes.addressof(structure), ctypes.sizeof(structure))
        return 0

    return GET(write)


def failing(code):
    return GET(lambda stream, out: code)


class Source:
    """An object with the protocol for streams."""

    def __init__(self, **functions):
        defaults = {
            "get_schema": written(schema(b"u")),
            "get_next": written(None),
            "get_last_error": LAST_ERROR(lambda stream: None),
            "release": release_stream,
        }
        self.stream = Stream(**{**defaults, **functions})
        KEPT.append((self, self.stream, defaults, functions))

    def __arrow_c_stream__(self, requested_schema=None):
        return capsule(ctypes.addressof(self.stream), b"arrow_array_stream", None)


def test_an_empty_stream_has_no_rows():
    assert len(arrow.segments(Source())) == 0


REASON = ctypes.create_string_buffer(b"disk \xff on fire")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Source(release=RELEASE()), "the Arrow stream was read already"),
        (lambda: Source(get_schema=GET()), "the Arrow stream was read already"),
        (lambda: Source(get_next=GET()), "the Arrow stream was read already"),
        (lambda: Source(get_schema=failing(5)), "the Arrow stream failed: error 5"),
        (lambda: Source(get_next=failing(22)), "the Arrow stream failed: error 22"),
        (lambda: Source(get_next=failing(22), get_last_error=LAST_ERROR()), "failed: error 22"),
        (
            lambda: Source(
                get_next=failing(22), get_last_error=LAST_ERROR(lambda stream: ctypes.addressof(REASON))
            ),
            "failed: disk � on fire",
        ),
        (lambda: Source(get_schema=written(None)), "the schema is released"),
        (lambda: Source(get_next=written(array(1, None, i32(0, 1)))), "the number of buffers"),
        (lambda: Source(get_next=written(array(-1, None, i32(0, 1), b"a"))), "a length is negative"),
    ],
)
def test_malformed_streams_are_errors(make, message):
    with pytest.raises(ValueError, match=message):
        arrow.segments(make())
