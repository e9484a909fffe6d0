"""Measures `cpaas.arrow` over columns: beside the function for lists, a library of PyPI in a Python UDF, pydantic and Polars.

`frames.py [MILLIONS [KERNEL_LOG]]`: KERNEL_LOG is the output of `cargo bench -p cpaas --bench text`, whose texts are those of
`core/benches/corpora.rs`; the corpora here have the same languages and lengths. Each figure of memory is that of a new process.
"""

import random
import re
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pyarrow as pa
import pydantic
import smsutil

import cpaas.polars  # noqa: F401 (registers the namespace)
from cpaas import arrow

WORDS = {
    "English": "your table is ready please call us again order 1042 was shipped track it today",
    "marked": "your [table] {is} ready ~ 12€ ^up a|b C:\\new order",
    "accented": "você está não coração próxima às código válido até amanhã",
    "German": "für größe schöne Grüße aus Köln über straße ihr code läuft",
    "Greek": "γειά σου κόσμε το τραπέζι είναι έτοιμο κωδικός λήγει",
    "Russian": "ваш заказ готов код истекает через десять минут пожалуйста",
    "Chinese": "您的 订单 已发货 验证码 十分钟 内有效 谢谢",
    "emoji": "your order 👋 shipped 🎉 track it 🚚 today",
}
ROWS = 100_000


def texts(words):
    numbers = random.Random(4711)
    words = words.split()
    found = []
    for _ in range(ROWS):
        text = ""
        while len(text) < 200:
            text += numbers.choice(words) + " "
        found.append(text[: numbers.randrange(20, 200)])
    return found


def rate(rows, call, rounds=3):
    best = 0.0
    for _ in range(rounds):
        begun = time.perf_counter()
        call()
        best = max(best, rows / (time.perf_counter() - begun))
    return best / 1e6


def kernel(log):
    """The rates of the Rust kernel by corpus, in million texts a second."""
    rates = {}
    for line in Path(log).read_text(encoding="utf-8").splitlines() if log else ():
        found = re.match(r"(\w+)\s+(\d+)\s+[\d.]+\s+(\d+) \(", line)
        if found:
            rates[found[1]] = (int(found[2]), int(found[3]) / 1e3)
    return rates


def main():
    millions = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    rates = kernel(sys.argv[2] if len(sys.argv) > 2 else None)
    for name, (size, found) in rates.items():
        print(f"Rust kernel, one thread, {name}, {size} bytes: {found:.1f} million texts a second")
    lists = {name: texts(words) for name, words in WORDS.items()}
    chunks = [pa.array(found) for found in lists.values()]
    repeats = round(millions * 1e6 / ROWS / len(chunks))
    columns = pa.chunked_array(chunks * repeats)
    print(
        f"{len(columns) / 1e6:.1f} million texts of {len(chunks)} corpora, {columns.nbytes / len(columns):.0f} bytes each"
    )
    for name, chunk in zip(lists, chunks):
        big = pa.chunked_array([chunk] * 10)
        one = rate(len(big), lambda: arrow.segments(big, threads=1))
        print(f"segments, one thread, {name}: {one:.1f} million rows a second")
    for threads in (1, None):
        found = rate(len(columns), lambda: arrow.segments(columns, threads=threads), 2)
        print(f"segments, threads={threads}: {found:.1f} million rows a second")
    memory(millions)
    mixed = pl.Series([text for found in lists.values() for text in found[:2000]])
    frame = mixed.to_frame("text")
    udf = pl.col("text").map_elements(lambda text: len(smsutil.split(text).parts), return_dtype=pl.Int64)
    slow = rate(len(frame), lambda: frame.select(udf), 1)
    fast = rate(len(frame), lambda: frame.select(pl.col("text").cpaas.segments(threads=1)))
    print(
        f"Polars: segments {fast:.2f}, a UDF over smsutil {slow:.4f} million rows a second: {fast / slow:.0f} times"
    )
    marks = ["it’s", "“here”", "–", "order…"]
    marked = pa.array([text[:150] + " " + marks[n % len(marks)] for n, text in enumerate(lists["English"])])
    validation(columns, chunks[0], marked)


MEMORY = """
import re, sys
from pathlib import Path
import pyarrow as pa
from cpaas import arrow

chunk = pa.array([f"your order {n} has shipped" for n in range(100_000)])
count, mode = int(sys.argv[1]) // len(chunk), sys.argv[2]
batches = lambda: (pa.record_batch({"text": pa.concat_arrays([chunk])}) for _ in range(count))
arrow.segments(next(batches()))
# Not ru_maxrss, which begins with the peak of the process that started this one.
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


def memory(millions):
    """The memory of a stream, whose chunks are made while it is read: one call for each batch, and one call for all."""
    for mode, rows in (("batches", 10 * millions), ("stream", millions), ("stream", 10 * millions)):
        command = [sys.executable, "-c", MEMORY, str(round(rows * 1e6)), mode]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        call = "a call for each batch" if mode == "batches" else "one call for a stream"
        print(f"memory, {call}: {done.stdout.strip()}")


class Message(pydantic.BaseModel):
    from_: str = pydantic.Field(alias="from", min_length=1, max_length=16)
    to: str = pydantic.Field(pattern=r"^[0-9]{7,15}$")
    text: str = pydantic.Field(min_length=1, max_length=2000)


def validation(columns, plain, marked):
    for name, chunk in (("GSM-7", plain), ("typographic marks", marked), ("eight corpora", None)):
        texts = columns if chunk is None else pa.chunked_array([chunk] * 10)
        validated(name, texts)


def validated(name, columns):
    rows = len(columns)
    to = pa.array([f"3069{n:08d}" for n in range(ROWS)])
    sender = pa.array(["Acme"] * ROWS)
    chunks = [to] * (rows // ROWS), [sender] * (rows // ROWS)
    table = pa.table(
        {"from": pa.chunked_array(chunks[1]), "to": pa.chunked_array(chunks[0]), "text": columns}
    )
    for threads in (1, None):
        found = rate(rows, lambda: arrow.validate("sms.send", table, threads=threads), 1)
        print(
            f"validate sms.send, {name}, {rows / 1e6:.1f} million, threads={threads}: {found:.2f} million rows a second"
        )
        if threads == 1:
            ours = found
    some = table.slice(0, ROWS).to_pylist()
    found = rate(len(some), lambda: [Message.model_validate(row) for row in some])
    print(
        f"pydantic, {name}, dicts that exist already: {found:.2f} million rows a second; validate: {ours / found:.1f} times"
    )
    frame = pl.from_arrow(table)
    checks = [
        pl.col("from").str.len_chars().is_between(1, 16),
        pl.col("to").str.contains(r"^[0-9]{7,15}$"),
        pl.col("text").str.len_chars().is_between(1, 2000),
    ]
    found = rate(rows, lambda: frame.select(pl.all_horizontal(checks)))
    print(f"Polars expressions of the lengths only, {name}: {found:.2f} million rows a second")


main()
