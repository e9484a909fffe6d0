"""Runs wrong and unusual drivers, and checks that the judge stops or counts what they do. `tests/nightly/conformance` calls it.

    wrong_drivers.py SERVER
"""
import asyncio
import os
import pathlib
import sys
import tempfile
import tomllib

import cells

HEAD = """
import os, threading, time, urllib.request
import driver

def post(url):
    with urllib.request.urlopen(urllib.request.Request(url, b"{}", method="POST"), timeout=10) as response:
        return response.read()

def ignore_errors(url, seconds):
    time.sleep(seconds)
    try:
        post(url)
    except OSError:
        pass

def call(url):
"""
SEND = "    return post(url + '/sms')\n"
RUN = "driver.run(call, lambda error: None)\n"

# The end of each driver, and the counts of requests and messages of both cells, or the beginning of the error.
CASES = {
    "the client prints": ("    print('Retrying')\n    os.write(1, b'1\\taccepted\\tM1\\n')\n" + SEND + RUN, [(1, 1), (1, 1)]),
    "a token": ("    ignore_errors(url + '/token', 0)\n" + SEND + RUN, [(2, 1), (2, 1)]),
    "a send after the report": (
        "    threading.Thread(target=ignore_errors, args=(url + '/sms', 0.3)).start()\n" + SEND + RUN,
        [(2, 2), (2, 2)],
    ),
    "a line that is not a report": ("    driver.REPORTS.write('Retrying\\n')\n" + SEND + RUN, "expected the report of call 1, got 'Retrying'"),
    "two reports": ("    driver.REPORTS.write('1\\taccepted\\tM1\\n')\n" + SEND + RUN, "expected the report of call 2, got '1\\t"),
    "an unknown report": (SEND + "driver.run(call, lambda error: 'Rejected')\n", "wrong, recommended, 503: the driver reported 'Rejected'"),
    "no request": ("    return 'M1'\n" + RUN, "wrong, recommended, response: no request arrived"),
    "another path": ("    return post(url + '/other')\n" + RUN, "wrong, recommended, response: no request arrived"),
    "a success is not accepted": ("    post(url + '/sms')\n    raise ValueError\n" + RUN, "wrong, recommended, response: the message must be"),
}


async def run(server_path: str, driver: pathlib.Path) -> list[cells.Cell]:
    """The cells `response` and `503` of this driver."""
    server = cells.Server(server_path)
    await server.start()
    peers = tomllib.loads((cells.HERE / "peers.toml").read_text())
    peers["wrong"] = {"command": [sys.executable, str(driver)], "answers": "cpaas"}
    kit = cells.Kit(peers, server, ["response", "503"], driver.parent, asyncio.Semaphore(1))
    return await cells.run_peer(kit, "wrong", "recommended")


def result(server_path: str, driver: pathlib.Path) -> list[tuple[int, int]] | str:
    """The counts of requests and messages, or the error that ends the run."""
    try:
        return [(cell.requests, cell.sent) for cell in asyncio.run(run(server_path, driver))]
    except cells.Stop as error:
        return str(error)


def main(server_path: str) -> int:
    """Runs the drivers, and returns how many were not judged as expected."""
    # One process, so that its second call follows the first, and time for a late send on a busy machine.
    cells.DRIVERS, cells.AFTER_REPORT = 1, 2
    os.environ["PYTHONPATH"] = str(cells.HERE / "drivers")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (end, expected) in CASES.items():
            driver = pathlib.Path(folder) / "wrong.py"
            driver.write_text(HEAD + end)
            found = result(server_path, driver)
            if not (expected in found if isinstance(found, str) and isinstance(expected, str) else found == expected):
                wrong += 1
                print(f"{name}: expected {expected!r}, got {found!r}")
    print(f"{len(CASES) - wrong} drivers judged as expected, {wrong} not")
    return wrong


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
