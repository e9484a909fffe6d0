"""The structures of the Arrow C Data Interface, written with ctypes."""

import ctypes
import struct

BYTES = 1 << 16
"""The size of each buffer. A length or offset that is too large for the array is still within its buffer."""


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", RELEASE_SCHEMA),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", RELEASE_ARRAY),
    ("private_data", ctypes.c_void_p),
]


@RELEASE_SCHEMA
def release_schema(schema):
    schema.contents.release = RELEASE_SCHEMA()


@RELEASE_ARRAY
def release_array(array):
    array.contents.release = RELEASE_ARRAY()


capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype = ctypes.py_object
capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

KEPT = []
"""Keeps the structures alive, so that a defective function that reads a released array does not read freed memory."""


def pointers(kind, items):
    array = (ctypes.POINTER(kind) * max(len(items), 1))(*[ctypes.pointer(item) for item in items])
    KEPT.append((array, items))
    return ctypes.cast(array, ctypes.POINTER(ctypes.POINTER(kind)))


def schema(code, *children, name=b"x", dictionary=None):
    found = Schema(format=code, name=name, flags=2, n_children=len(children), release=release_schema)
    found.children = pointers(Schema, children)
    if dictionary is not None:
        found.dictionary = ctypes.pointer(dictionary)
    KEPT.append(found)
    return found


def array(length, *buffers, children=(), dictionary=None, offset=0, null_count=0):
    allocated = [
        None if data is None else ctypes.create_string_buffer(data.ljust(BYTES, b"\0"), BYTES)
        for data in buffers
    ]
    addresses = [None if data is None else ctypes.addressof(data) for data in allocated]
    addresses = (ctypes.c_void_p * max(len(buffers), 1))(*addresses)
    KEPT.append((allocated, addresses))
    found = Array(length=length, null_count=null_count, offset=offset, n_buffers=len(buffers))
    found.buffers = ctypes.cast(addresses, ctypes.POINTER(ctypes.c_void_p))
    found.n_children = len(children)
    found.children = pointers(Array, children)
    if dictionary is not None:
        found.dictionary = ctypes.pointer(dictionary)
    found.release = release_array
    KEPT.append(found)
    return found


class Exported:
    """An object with the protocol for one array."""

    def __init__(self, schema, array):
        self.pair = schema, array
        KEPT.append(self.pair)

    def __arrow_c_array__(self, requested_schema=None):
        found, data = self.pair
        return (
            capsule(ctypes.addressof(found), b"arrow_schema", None),
            capsule(ctypes.addressof(data), b"arrow_array", None),
        )


def i32(*values):
    return struct.pack(f"<{len(values)}i", *values)


def i64(*values):
    return struct.pack(f"<{len(values)}q", *values)


def view(length, buffer, offset):
    """An element of a `utf8_view` array that begins with `abcd`."""
    return struct.pack("<i4sii", length, b"abcd", buffer, offset)
