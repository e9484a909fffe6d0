"""What the Python drivers share: the protocol of a driver, and what HTTP says about a response.

A driver is a program `DRIVER MODE SECONDS`. MODE is `recommended` or `retries-off`; SECONDS is the time limit of one attempt. It reads the
address of a provider a line, makes one call with a new client, and writes one line: the report, a tab, and the value or the error.
"""
import sys
import traceback
from collections.abc import Callable, Iterator

MODE, SECONDS = (*sys.argv[1:], "recommended", "10")[:2]
RETRIES = MODE == "recommended"
TIMEOUT = int(SECONDS)
TO, TEXT = "306912345678", "Hello"

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
    """The error, its causes, and the reason that urllib3 keeps."""
    while error is not None:
        yield error
        reasons = [getattr(arg, "reason", arg) for arg in error.args]
        yield from (reason for reason in reasons if isinstance(reason, BaseException))
        error = error.__cause__ or error.__context__


def run(call: Callable[[str], object], report: Callable[[Exception], str | None]) -> None:
    """Makes the calls. `report` returns what the error says, or None if it says nothing about the message."""
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            told, detail = "accepted", repr(call(line.strip()))
        except Exception as error:
            if "-v" in sys.argv:
                traceback.print_exc()
            unconnected = any(type(cause).__name__ in UNCONNECTED for cause in causes(error))
            told = report(error) or ("not sent" if unconnected else "unknown")
            detail = f"{type(error).__name__}: {error}"
        print(told, " ".join(detail.split())[:200], sep="\t", flush=True)


def without_tls(session) -> None:
    """Sends what a session of requests sends to https:// without TLS, with the same adapter and its retries."""
    adapter = session.adapters["https://"]
    send = adapter.send

    def plain(request, **options):
        request.url = request.url.replace("https://", "http://", 1)
        return send(request, **options)

    adapter.send = plain
