"""Ctrl-C ends a function of columns within a second."""

import os
import signal
import threading
import time

import pytest

pa = pytest.importorskip("pyarrow")
from cpaas import arrow  # noqa: E402

# One chunk of many rows: without checks inside of the function, the signal waits for its end.
TEXTS = pa.chunked_array([["Dear customer, your order has shipped. " * 8] * 200_000] * 20)
SLOW = "{% for n in range(300) %}{{ text | upper | length }}{% endfor %}"
FUNCTIONS = {
    "render": lambda threads: arrow.render(SLOW, pa.table({"text": TEXTS}), threads=threads),
    "parse_markup": lambda threads: arrow.parse_markup(TEXTS, threads=threads),
    "validate": lambda threads: arrow.validate(
        "sms.send", pa.table({"from": TEXTS, "to": TEXTS, "text": TEXTS}), problems=True, threads=threads
    ),
}


@pytest.mark.parametrize("threads", [1, 2, None])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_ctrl_c_ends_a_function_within_a_second(name, threads):
    sent = []

    def interrupt():
        time.sleep(0.3)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        FUNCTIONS[name](threads)
        pytest.fail("the function ended before the signal")
    assert time.monotonic() - sent[0] < 1


def test_an_exception_of_another_signal_handler_leaves_the_function():
    def alarm(*_):
        raise TimeoutError("too slow")

    before = signal.signal(signal.SIGALRM, alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(TimeoutError, match="too slow"):
            FUNCTIONS["render"](None)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
