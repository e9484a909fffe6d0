"""What the Python drivers share: the protocol of a driver, and what HTTP says about a response.

A driver is a program `DRIVER MODE SECONDS`. MODE is `recommended` or `retries-off`; SECONDS is the time limit of one attempt. It reads the
address of a provider a line, makes one call with a new client, and writes one line: the number of the line that it read (from 1), the report,
and the value or the error, separated by tabs.
"""
import os
import sys
import traceback
from collections.abc import Callable, Iterator

MODE, SECONDS = (*sys.argv[1:], "recommended", "10")[:2]
RETRIES = MODE == "recommended"
TIMEOUT = int(SECONDS)
TO, TEXT = "306912345678", "Hello"

# What a client prints goes to the standard error, so that only reports are on the standard output of the process.
REPORTS = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
os.dup2(2, 1)

# The errors which state that no connection was made.
UNCONNECTED = {
    "ConnectError", "ConnectTimeout", "ConnectTimeoutError", "ConnectionRefusedError", "EndpointConnectionError", "NameResolutionError",
    "NewConnectionError",
}


def by_status(status: int) -> str:
    """What HTTP says about a response with this status: a redirect that was not followed and a 4xx refuse the request. After 408, 499,
    5xx and a 2xx that could not be read, the request may have been processed."""
    return "rejected" if 300 <= status < 500 and status not in (408, 499) else "unknown"


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, its causes, and the reason that urllib3 keeps. An error that was being handled (`__context__`) is not a cause: it can be
    about another attempt, before one whose response was lost.

    >>> def call(direct):
    ...     try:
    ...         raise ConnectionRefusedError("the first host")
    ...     except OSError as error:
    ...         raise RuntimeError("failed") from (error if direct else None)
    >>> for direct in (True, False):
    ...     try:
    ...         call(direct)
    ...     except RuntimeError as error:
    ...         print([type(cause).__name__ for cause in causes(error)])
    ['RuntimeError', 'ConnectionRefusedError']
    ['RuntimeError']
    """
    while error is not None:
        yield error
        reasons = [getattr(arg, "reason", arg) for arg in error.args]
        yield from (reason for reason in reasons if isinstance(reason, BaseException))
        error = error.__cause__


def run(call: Callable[[str], object], report: Callable[[Exception], str | None]) -> None:
    """Makes the calls. `report` returns what the error says, or None if it says nothing about the message."""
    print("ready", file=REPORTS, flush=True)
    for number, line in enumerate(sys.stdin, 1):
        try:
            told, detail = "accepted", repr(call(line.strip()))
        except Exception as error:
            if "-v" in sys.argv:
                traceback.print_exc()
            unconnected = any(type(cause).__name__ in UNCONNECTED for cause in causes(error))
            told = report(error) or ("not sent" if unconnected else "unknown")
            detail = f"{type(error).__name__}: {error}"
        print(number, told, " ".join(detail.split())[:200], sep="\t", file=REPORTS, flush=True)


def without_tls(session) -> None:
    """Sends what a session of requests sends to https:// without TLS, with the same adapter and its retries."""
    adapter = session.adapters["https://"]
    send = adapter.send

    def plain(request, **options):
        request.url = request.url.replace("https://", "http://", 1)
        return send(request, **options)

    adapter.send = plain
