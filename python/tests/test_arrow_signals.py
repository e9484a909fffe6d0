"""Ctrl-C ends a long function of columns within a second."""

import os
import signal
import threading
import time

import pytest

pa = pytest.importorskip("pyarrow")

from cpaas import arrow  # noqa: E402

# Each takes a minute or more without a signal.
COLUMN = pa.chunked_array([pa.array(["+30 691 234 5678"] * 65_536)] * 60)
TEXTS = pa.chunked_array([pa.array(["*a* " * 250] * 65_536)] * 20)
TABLE = pa.table({"from": ["Acme"] * 65_536, "to": ["306912345678"] * 65_536, "text": ["a" * 2_000] * 65_536})
REPORT = pa.table({"code": ["sms.to.not_digits", None] * 32_768})
SLOW = "{% for n in range(300) %}{{ text | length }}{% endfor %}"
CALLS = {
    "check_numbers": lambda threads: arrow.check_numbers(COLUMN, threads=threads),
    "estimate": lambda threads: arrow.estimate(pa.chunked_array(TEXTS.chunks * 20), "0.05", threads=threads),
    "parse_markup": lambda threads: arrow.parse_markup(TEXTS, threads=threads),
    "render": lambda threads: arrow.render(SLOW, TABLE, threads=threads),
    "requests": lambda threads: arrow.requests("sms.send", pa.concat_tables([TABLE] * 200), threads=threads),
    "segments": lambda threads: arrow.segments(pa.chunked_array(TEXTS.chunks * 20), threads=threads),
    "summary": lambda _: arrow.summary(pa.concat_tables([REPORT] * 20_000)),
    "validate": lambda threads: arrow.validate(
        "sms.send", pa.concat_tables([TABLE] * 20), problems=True, threads=threads
    ),
}


@pytest.mark.parametrize("threads", [1, 2, None])
@pytest.mark.parametrize("name", CALLS)
def test_an_interrupt_ends_a_function_within_a_second(name, threads):
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, interrupt)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            CALLS[name](threads)
    finally:
        timer.cancel()
        timer.join()
    assert time.monotonic() - sent[0] < 1


def test_the_exception_of_a_signal_handler_leaves_the_function():
    def handler(number, frame):
        raise TimeoutError("too slow")

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(TimeoutError, match="too slow"):
            CALLS["render"](None)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(arrow.segments(pa.array(["a"]))) == 1
