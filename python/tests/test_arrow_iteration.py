"""Iteration over the rows of an Arrow result."""

import threading
import zoneinfo

import pytest

pa = pytest.importorskip("pyarrow")

from cpaas import arrow  # noqa: E402


def appended(column):
    return arrow.segments(pa.table({"caller": column, "text": ["a"] * len(column)}), "text", append=True)


def test_rows_are_read_in_blocks(monkeypatch):
    created = []

    class Zone:
        def __new__(cls, name):
            created.append(name)
            return zone(name)

    zone = zoneinfo.ZoneInfo
    monkeypatch.setattr(zoneinfo, "ZoneInfo", Zone)
    result = appended(pa.array(range(2_500), pa.timestamp("s", "Europe/Athens")))
    assert list(result) == result.to_pylist()
    # A reader needs its zone once: three blocks, and the whole chunk.
    assert len(created) == 4


def test_a_row_without_python_values_raises_at_its_place():
    result = appended(pa.array([1_000, 1, 2_000], pa.timestamp("ns")))
    iterator = iter(result)
    assert next(iterator)["caller"].microsecond == 1
    with pytest.raises(ValueError, match="nanoseconds"):
        next(iterator)
    assert next(iterator)["caller"].microsecond == 2
    with pytest.raises(StopIteration):
        next(iterator)
    first = iter(appended(pa.array([1], pa.timestamp("ns"))))
    with pytest.raises(ValueError, match="nanoseconds"):
        next(first)
    with pytest.raises(StopIteration):
        next(first)


@pytest.mark.parametrize("count", [0, 1, 999, 1_000, 1_001, 3_000])
def test_blocks_end_at_chunks(count):
    column = pa.chunked_array(
        [pa.array(range(count), pa.int64()), pa.array([], pa.int64()), pa.array([-1, -2])]
    )
    assert [row["caller"] for row in appended(column)] == [*range(count), -1, -2]


def test_threads_share_an_iterator():
    iterator = iter(appended(pa.array(range(20_000))))
    rows = [[] for _ in range(4)]

    def read(found):
        for row in iterator:
            found.append(row["caller"])

    threads = [threading.Thread(target=read, args=(found,)) for found in rows]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(row for found in rows for row in found) == [*range(20_000)]
