"""Measures the rate and the memory of `cpaas.arrow`, and compares it with the Rust kernel, smsutil, pydantic and Polars.

    column_rates.py MILLIONS FOLDER KERNEL_LOG

MILLIONS is the number of rows, in millions. FOLDER contains the texts of `core/benches/corpora.rs`: one file for each corpus, one
text in each line. KERNEL_LOG is the output of `cargo bench -p cpaas --bench text`, which counts the same texts. Rates on one thread
are rows per second of processor time; rates on all cores are rows per second of elapsed time. Memory is measured in new processes.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

import phonenumbers
import polars as pl
import pyarrow as pa
import pydantic
import smsutil

import cpaas.polars  # noqa: F401 (registers the namespace)
from cpaas import arrow

MILLIONS, FOLDER, KERNEL_LOG = float(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
CHUNK_ROWS = 100_000


def rate(rows, call, rounds=3, clock=time.process_time):
    """The rate of the best round, in million rows a second."""
    best = 0.0
    for _ in range(rounds):
        begun = clock()
        call()
        best = max(best, rows / (clock() - begun) / 1e6)
    return best


def kernel_rates():
    """The rate of the Rust kernel on one thread by corpus, in million texts a second."""
    row = re.compile(r"^(.+?) +\d+ +[\d.]+ +(\d+) \(", re.MULTILINE)
    return {name: int(found) / 1e3 for name, found in row.findall(KERNEL_LOG.read_text(encoding="utf-8"))}


def chunk(texts):
    return pa.array((texts * (CHUNK_ROWS // len(texts) + 1))[:CHUNK_ROWS])


def main():
    corpora = {
        name: (FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n") for name in kernel_rates()
    }
    chunks = {name: chunk(texts) for name, texts in corpora.items()}
    count_of_chunks = round(MILLIONS * 1e6 / CHUNK_ROWS / len(chunks))
    columns = pa.chunked_array(list(chunks.values()) * count_of_chunks)
    segments_of_each_corpus(chunks)
    segments_of_all(columns)
    memory()
    python_udf(corpora)
    validation(columns, corpora)
    seconds_a_million()


def segments_of_each_corpus(chunks):
    print("Million texts a second on one thread; the last two columns are nanoseconds a text")
    print(f"{'corpus':<12}{'bytes':>6}{'Rust kernel':>14}{'segments':>12}{'added':>8}{'a copy':>8}")
    kernel = kernel_rates()
    for name, chunk in chunks.items():
        column = pa.chunked_array([chunk] * 10)
        ours = rate(len(column), lambda: arrow.segments(column, threads=1))
        parts = [chunk.slice(0, 1), chunk.slice(1)]  # the concatenation of one array is not a copy
        copy = rate(len(chunk), lambda: pa.concat_arrays(parts), 20)
        added = 1e3 / ours - 1e3 / kernel[name]
        size = chunk.nbytes / len(chunk)
        print(f"{name:<12}{size:>6.0f}{kernel[name]:>14.1f}{ours:>12.1f}{added:>8.1f}{1e3 / copy:>8.1f}")
    print(
        "“added” is the time that `segments` needs in addition to the kernel: it reads the texts from memory instead of a cache,\n"
        "checks their UTF-8, and writes 32 bytes for each row. “a copy” is the time to copy the column, which `segments` does not do."
    )


def segments_of_all(columns):
    rows = len(columns)
    print(f"{rows / 1e6:.1f} million texts of all corpora, {columns.nbytes / rows:.0f} bytes each")
    one = rate(rows, lambda: arrow.segments(columns, threads=1), 2)
    print(f"segments, threads=1: {one:.1f} million rows a second")
    every = rate(rows, lambda: arrow.segments(columns), 2, time.perf_counter)
    print(f"segments, all cores: {every:.1f} million rows a second of elapsed time")


MEMORY = """
import re, sys
from pathlib import Path
import pyarrow as pa
from cpaas import arrow

chunk = pa.array([f"your order {n} has shipped" for n in range(100_000)])
count, mode = int(sys.argv[1]) // len(chunk), sys.argv[2]
batches = lambda: (pa.record_batch({"text": pa.concat_arrays([chunk])}) for _ in range(count))
arrow.segments(next(batches()))
# VmHWM, because ru_maxrss starts with the peak of the parent process.
peak = lambda: int(re.search("VmHWM:.*?([0-9]+)", Path("/proc/self/status").read_text())[1]) / 1024
before, rows, kept = peak(), 0, 0
if mode == "batches":
    for batch in batches():
        rows += len(arrow.segments(batch))
else:
    result = arrow.segments(pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches()))
    rows, kept = len(result), pa.chunked_array(result).nbytes / 2**20
print(f"{rows / 1e6:.0f} million texts, {peak() - before:.0f} MiB more at the peak, of which the result is {kept:.0f} MiB")
"""


STREAMING = """
import re, sys, tempfile
from pathlib import Path
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import cpaas.polars

rows = range(100_000)
table = pa.table({"text": [f"your order {n} has shipped" for n in rows], "number": [f"+30 691 {n:07}" for n in rows]})
estimate = pl.col("text").cpaas.estimate({"30": "0.05"}, to="number").struct.field("total").sum()
peak = lambda: int(re.search("VmHWM:.*?([0-9]+)", Path("/proc/self/status").read_text())[1]) / 1024
with tempfile.TemporaryDirectory() as folder:
    file = folder + "/rows.parquet"
    with pa.parquet.ParquetWriter(file, table.schema) as writer:
        for _ in range(int(sys.argv[1]) // len(table)):
            writer.write_table(table)
    before = peak()
    total = pl.scan_parquet(file).select(estimate).collect(engine="streaming").item()
    print(f"{int(sys.argv[1]) / 1e6:.0f} million rows, {peak() - before:.0f} MiB more at the peak, total {total:.2f}")
"""


def memory():
    """Measures the memory of a stream that is generated while it is read, with a call for each batch and with a single call, and of
    a query of Polars in its streaming engine."""
    for mode, rows in (("batches", 10 * MILLIONS), ("stream", MILLIONS), ("stream", 10 * MILLIONS)):
        command = [sys.executable, "-c", MEMORY, str(round(rows * 1e6)), mode]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        call = "a call for each batch" if mode == "batches" else "one call for a stream"
        print(f"memory, {call}: {done.stdout.strip()}")
    for rows in (MILLIONS, 3 * MILLIONS):
        command = [sys.executable, "-c", STREAMING, str(round(rows * 1e6))]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        print(f"memory, estimate in a streaming query of Polars: {done.stdout.strip()}")


def python_udf(corpora):
    texts = pl.Series([text for found in corpora.values() for text in found])
    frame = texts.to_frame("text")
    udf = pl.col("text").map_elements(lambda text: len(smsutil.split(text).parts), return_dtype=pl.Int64)
    slow = rate(len(frame), lambda: frame.select(udf), 1)
    frame = pl.concat([frame] * 10)
    fast = rate(len(frame), lambda: frame.select(pl.col("text").cpaas.segments(threads=1)))
    print(
        f"Polars, million rows a second: segments {fast:.2f}, a Python UDF over smsutil {slow:.4f}: {fast / slow:.0f} times"
    )


class Message(pydantic.BaseModel):
    from_: str = pydantic.Field(alias="from", min_length=1, max_length=16)
    to: str = pydantic.Field(pattern=r"^[0-9]{7,15}$")
    text: str = pydantic.Field(min_length=1, max_length=2000)


LENGTHS = [
    pl.col("from").str.len_chars().is_between(1, 16),
    pl.col("to").str.contains(r"^[0-9]{7,15}$"),
    pl.col("text").str.len_chars().is_between(1, 2000),
]


def validation(columns, corpora):
    print(
        "Million rows of sms.send a second. pydantic and Polars check only lengths and digits; pydantic starts from dicts"
    )
    print(f"{'texts':<20}{'rows':>6}{'validate':>10}{'all cores':>11}{'pydantic':>10}{'Polars':>8}")
    marks = ["it’s", "“here”", "–", "order…"]
    marked = [f"{text[:150]} {marks[n % len(marks)]}" for n, text in enumerate(corpora["ascii"])]
    few = [pa.chunked_array([chunk(texts)] * 10) for texts in (corpora["ascii"], marked)]
    for name, texts in (("ASCII", few[0]), ("typographic marks", few[1]), ("eight corpora", columns)):
        validated(name, texts)


def validated(name, texts):
    rows = len(texts)
    to = pa.array([f"3069{n:08d}" for n in range(CHUNK_ROWS)])
    sender = pa.array(["Acme"] * CHUNK_ROWS)
    count = rows // CHUNK_ROWS
    table = pa.table(
        {"from": pa.chunked_array([sender] * count), "to": pa.chunked_array([to] * count), "text": texts}
    )
    one = rate(rows, lambda: arrow.validate("sms.send", table, threads=1), 1)
    every = rate(rows, lambda: arrow.validate("sms.send", table), 1, time.perf_counter)
    dicts = table.slice(0, CHUNK_ROWS).to_pylist()
    model = rate(len(dicts), lambda: [Message.model_validate(row) for row in dicts])
    frame = pl.from_arrow(table)
    lengths = rate(rows, lambda: frame.select(pl.all_horizontal(LENGTHS)))
    print(f"{name:<20}{rows / 1e6:>5.1f}M{one:>10.2f}{every:>11.2f}{model:>10.2f}{lengths:>8.2f}")


PRICES = "prefix,price,currency\n30,0.0450,EUR\n3069,0.0375,EUR\n44,0.0600,GBP\n447,0.0500,GBP\n"
NOTATIONS = [
    lambda n: f"3069{n % 100_000_000:08}",
    lambda n: f"+30 69{n % 100_000_000:08}",
    lambda n: f"0030 691 {n % 10_000_000:07}",
    lambda n: f"+44 (0)7400 {n % 1_000_000:06}",
    lambda n: f"+1 201-555-{n % 10_000:04}",
    lambda n: f"+44 7400 {n % 1_000_000:06}",
]
TEXTS = ["Your order {} has shipped. ", "Η παραγγελία {} έχει σταλεί. ", "Order {} 🎉 "]


def seconds_a_million():
    """Times of a million customers with numbers in several notations and texts in Latin, Greek and with emoji."""
    rows = range(1_000_000)
    texts = pa.array([TEXTS[n % 3].format(n) * (n % 5) for n in rows])
    numbers = pa.array([NOTATIONS[n % len(NOTATIONS)](n * 7_919) for n in rows])
    sent = arrow.normalize_numbers(numbers)
    table = pa.table({"from": pa.array(["Acme"] * len(rows)), "to": pa.array(sent), "text": texts})
    calls = {
        "segments": lambda threads: arrow.segments(texts, threads=threads),
        "check_numbers": lambda threads: arrow.check_numbers(numbers, threads=threads),
        "normalize_numbers": lambda threads: arrow.normalize_numbers(numbers, threads=threads),
        "validate": lambda threads: arrow.validate("sms.send", table, threads=threads),
        "estimate, one price": lambda threads: arrow.estimate(texts, "0.05", threads=threads),
        "estimate, by number": lambda threads: arrow.estimate(texts, PRICES, to=numbers, threads=threads),
    }
    print(
        "Seconds for a million rows: on all cores; of processor time on one thread, and that divided by check_numbers"
    )
    processor = {name: 1 / rate(len(rows), lambda: call(1)) for name, call in calls.items()}
    for name, call in calls.items():
        elapsed = 1 / rate(len(rows), lambda: call(None), clock=time.perf_counter)
        seconds = processor[name]
        print(f"{name:<22}{elapsed:>8.3f} s{seconds:>8.3f} s{seconds / processor['check_numbers']:>8.2f}")
    few = ["+" + number for number in sent.to_pylist()[:20_000]]
    column = pa.array(few)
    ours = rate(len(few), lambda: arrow.check_numbers(column, threads=1))
    theirs = rate(len(few), lambda: [check_of_phonenumbers(number) for number in few])
    print(f"check_numbers, one thread: {ours / theirs:.1f} times as fast as phonenumbers")


def check_of_phonenumbers(text):
    number = phonenumbers.parse(text)
    return (
        phonenumbers.is_possible_number(number),
        phonenumbers.is_valid_number(number),
        phonenumbers.region_code_for_number(number),
        phonenumbers.number_type(number),
    )


main()
