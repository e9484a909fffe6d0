"""Runs the cells of the conformance kit, judges them, and prints the table of docs/reliability.md. `run` calls it.

    cells.py run SERVER PEERS_FOLDER [NAME…]   runs the cells, and compares them with results.tsv
    cells.py record SERVER PEERS_FOLDER NAME…  as run, and replaces the rows of these peers in results.tsv
    cells.py table                             prints the table from results.tsv, and compares it with docs/reliability.md
"""
import asyncio
import collections
import datetime
import json
import pathlib
import sys
import tomllib
from typing import Any, NamedTuple

HERE = pathlib.Path(__file__).parent
RESULTS = HERE / "results.tsv"
PAGE = HERE.parent.parent / "docs" / "reliability.md"
MODES = {"recommended": "recommended", "retries-off": "retries off"}
# The time limit of one attempt in seconds, which is below each limit of the behaviors that respond, and the time limit of a cell.
ATTEMPT, CELL = 10, 600
# Drivers of one peer, and drivers at once.
DRIVERS, AT_ONCE = 3, 12
# The seconds after a report in which a client can still send.
AFTER_REPORT = 0.05
# What a driver can report, and the report of one that returns nothing in time.
REPORTS, NO_REPORT = ("accepted", "not sent", "rejected", "unknown"), "none"
# Whether the client writes the request before it detects that the connection is closed differs from run to run. Nothing is sent.
UNREAD, UNREAD_REPORT = "accept then close", "not sent or unknown"


class Stop(Exception):
    """The server, a driver or an entry in peers.toml is wrong, so that nothing can be judged."""


class Cell(NamedTuple):
    """What happened to one call."""

    peer: str
    mode: str
    behavior: str
    requests: int
    sent: int
    report: str

    @property
    def truth(self) -> str:
        """Whether the report agrees with the ledger; `unknown` states nothing.

        >>> [Cell("p", "m", "b", 1, sent, "accepted").truth for sent in (0, 1, 2)]
        ['false', 'true', 'true']
        >>> [Cell("p", "m", "b", 1, sent, report).truth for report in ("rejected", "not sent") for sent in (0, 1)]
        ['true', 'false', 'true', 'false']
        >>> [Cell("p", "m", "b", 1, 1, report).truth for report in ("unknown", NO_REPORT)]
        ['unknown', 'false']
        """
        if self.report in ("unknown", UNREAD_REPORT):
            return "unknown"
        expected = {"accepted": self.sent > 0, "rejected": self.sent == 0, "not sent": self.sent == 0}
        return "true" if expected.get(self.report) else "false"

    def flaw(self, attempts: int) -> str:
        """Why the driver or the entry in peers.toml is wrong, or an empty string. `attempts` counts the requests that are messages.

        >>> def flaw(behavior, report, attempts, sent=0):
        ...     return Cell("p", "m", behavior, 1, sent, report).flaw(attempts)
        >>> [flaw("503", report, 1) for report in (*REPORTS, NO_REPORT)] + [flaw("response", "accepted", 1, 1)]
        ['', '', '', '', '', '']
        >>> flaw("503", "Rejected", 1)
        "the driver reported 'Rejected', which is not one of accepted, not sent, rejected, unknown"
        >>> flaw("503", "not sent", 0)
        'no request arrived that is the `request` of the provider in peers.toml'
        >>> [flaw("refuse", "not sent", 0), flaw("accept then close", UNREAD_REPORT, 0)]
        ['', '']
        >>> {flaw("response", report, 1, sent) for report, sent in (("unknown", 1), ("accepted", 0), (NO_REPORT, 1))}
        {'the message must be sent and reported as accepted'}
        """
        if self.report not in (*REPORTS, NO_REPORT, UNREAD_REPORT):
            return f"the driver reported {self.report!r}, which is not one of {', '.join(REPORTS)}"
        if not attempts and self.behavior not in ("refuse", UNREAD):
            return "no request arrived that is the `request` of the provider in peers.toml"
        if self.behavior == "response" and (self.report, self.sent > 0) != ("accepted", True):
            return "the message must be sent and reported as accepted"
        return ""


def read(text: str) -> list[Cell]:
    """The cells of a file such as results.tsv."""
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [Cell(peer, mode, behavior, int(requests), int(sent), report) for peer, mode, behavior, requests, sent, report, _ in rows[1:]]


def write(cells: list[Cell], date: str) -> str:
    """The text of results.tsv."""
    rows = ["\t".join((*Cell._fields, "is"))]
    rows += ["\t".join((*map(str, cell), cell.truth)) for cell in cells]
    return "\n".join([f"# {date}", *rows, ""])


class Process(NamedTuple):
    """A child process that returns a line for each line."""

    process: asyncio.subprocess.Process
    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader


async def started(*command: str) -> Process:
    """Starts a command in the folder of the drivers."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, cwd=HERE / "drivers")
    assert process.stdin is not None
    assert process.stdout is not None
    return Process(process, process.stdin, process.stdout)


class Server:
    """The program conformance_server, which returns one line for each line."""

    def __init__(self, path: str) -> None:
        self.path, self.lock = path, asyncio.Lock()

    async def start(self) -> None:
        self.process = await started(self.path)

    async def ask(self, **command: Any) -> Any:
        async with self.lock:
            self.process.stdin.write(json.dumps(command).encode() + b"\n")
            response = json.loads(await self.process.stdout.readline())
        if "error" in response:
            raise Stop(f"conformance_server: {response['error']}")
        return response


def parsed(line: str, number: int) -> tuple[str, str]:
    """The report and the detail in a line of a driver about its call with this number.

    >>> parsed("2\\taccepted\\t'M1'\\n", 2)
    ('accepted', "'M1'")
    >>> parsed("1\\taccepted\\t'M1'\\n", 2)
    Traceback (most recent call last):
    ValueError: expected the report of call 2, got "1\\taccepted\\t'M1'"
    >>> parsed("Retrying", 2)
    Traceback (most recent call last):
    ValueError: expected the report of call 2, got 'Retrying'
    """
    found, _, rest = line.strip().partition("\t")
    if found != str(number):
        raise ValueError(f"expected the report of call {number}, got {line.strip()!r}")
    report, _, detail = rest.partition("\t")
    return report, detail


class Driver:
    """A process of a driver, which makes one call for each line."""

    def __init__(self, command: list[str], mode: str) -> None:
        self.command = [*command, mode, str(ATTEMPT)]
        self.process: Process | None = None
        self.calls = 0

    async def start(self) -> Process:
        self.process, self.calls = await started(*self.command), 0
        if (line := await self.process.stdout.readline()) != b"ready\n":
            raise Stop(f"{' '.join(self.command)}: expected the line ready, got {line.decode(errors='replace').strip()!r}")
        return self.process

    async def call(self, url: str) -> tuple[str, str]:
        """The report, and the value or the error. A driver that returns nothing in time is started again."""
        process = self.process or await self.start()
        self.calls += 1
        process.stdin.write(f"{url}\n".encode())
        try:
            line = await asyncio.wait_for(process.stdout.readline(), CELL)
        except asyncio.TimeoutError:
            await self.end()
            return NO_REPORT, "the driver returned nothing in time"
        if not line:
            raise Stop(f"the driver ended during a call: {' '.join(self.command)}")
        try:
            return parsed(line.decode(errors="replace"), self.calls)
        except ValueError as error:
            raise Stop(f"{' '.join(self.command)}: {error}") from error

    async def end(self) -> None:
        if self.process and self.process.process.returncode is None:
            self.process.process.kill()
            await self.process.process.wait()
        self.process = None


def command(peer: dict[str, Any], folder: pathlib.Path) -> list[str]:
    """The command of a driver. Programs are in the folder of the peers, Python is that of its environment."""
    program, *arguments = peer["command"]
    places = {"python": folder / "python/bin/python", "node": "node"}
    return [str(places.get(program, folder / program)), *arguments]


class Kit(NamedTuple):
    """What the cells of all peers share."""

    peers: dict[str, Any]
    server: Server
    behaviors: list[str]
    folder: pathlib.Path
    slots: asyncio.Semaphore


async def run_peer(kit: Kit, name: str, mode: str) -> list[Cell]:
    """The cells of one peer with one mode, in the order of the behaviors."""
    peer, left = kit.peers[name], collections.deque(kit.behaviors)
    answers = kit.peers["answers"][peer["answers"]]
    cells: dict[str, Cell] = {}

    async def work() -> None:
        async with kit.slots:
            driver = Driver(command(peer, kit.folder), mode)
            while left:
                behavior = left.popleft()
                url = (await kit.server.ask(open=behavior, answers=answers))["url"]
                report, detail = await driver.call(url)
                await asyncio.sleep(AFTER_REPORT)
                ledger = await kit.server.ask(close=url)
                if behavior == UNREAD and report in ("not sent", "unknown"):
                    report = UNREAD_REPORT
                cell = Cell(name, mode, behavior, ledger["requests"], ledger["processed"], report)
                cells[behavior] = cell
                if "-v" in sys.argv:
                    print("\t".join((*map(str, cell), cell.truth, detail)), file=sys.stderr)
                if flaw := cell.flaw(ledger["attempts"]):
                    raise Stop(f"{name}, {mode}, {behavior}: {flaw} (detail: {detail})")
            await driver.end()

    await asyncio.gather(*(work() for _ in range(DRIVERS)))
    return [cells[behavior] for behavior in kit.behaviors]


async def run(path: str, folder: pathlib.Path, names: list[str]) -> list[Cell]:
    """The cells of these peers."""
    peers = tomllib.loads((HERE / "peers.toml").read_text())
    server = Server(path)
    await server.start()
    behaviors = [behavior["name"] for behavior in await server.ask(behaviors=True)]
    kit = Kit(peers, server, behaviors, folder, asyncio.Semaphore(AT_ONCE))
    cells = await asyncio.gather(*(run_peer(kit, name, mode) for name in names for mode in MODES))
    return [cell for of_peer in cells for cell in of_peer]


def version(peer: dict[str, Any]) -> str:
    """The version of a peer, from the file that pins it.

    >>> [version({"npm": [package, "other@1.0.0"]}) for package in ("twilio@6.3.1", "@vonage/sms@1.2.0")]
    ['6.3.1', '1.2.0']
    """
    root = HERE.parent.parent
    if packages := peer.get("python"):
        pins = dict(line.split("==") for line in (HERE / "requirements.txt").read_text().splitlines() if "==" in line)
        return ", ".join(pins[package] for package in packages)
    if packages := peer.get("npm"):
        return str(packages[0].rpartition("@")[2])
    if crate := peer.get("crate"):
        found = [package["version"] for package in tomllib.loads((root / "Cargo.lock").read_text())["package"] if package["name"] == crate]
        return str(max(found, key=lambda number: [int(part) for part in number.split(".")]))
    return str(tomllib.loads((root / "Cargo.toml").read_text())["workspace"]["package"]["version"])


def table(cells: list[Cell]) -> str:
    """The table of docs/reliability.md: a row for each peer and mode."""
    peers = tomllib.loads((HERE / "peers.toml").read_text())
    rows = [
        "| Client | Settings | True reports | of these: unknown | False reports, of 48 | of these: after a status of 429 | Sent twice or more, of 1,000 calls | Most messages of one call |",
        "|---|---|---|---|---|---|---|---|",
    ]
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.peer, cell.mode), []).append(cell)
    for (name, mode), group in groups.items():
        peer, size = peers[name], len(group)
        false = [cell for cell in group if cell.truth == "false"]
        unknown = sum(cell.truth == "unknown" for cell in group)
        limited = sum(cell.behavior.startswith("429") for cell in false)
        twice = sum(cell.sent > 1 for cell in group)
        settings = peer["recommended"] if mode == "recommended" else MODES[mode]
        figures = [f"{100 * (size - len(false)) / size:.0f} %", f"{100 * unknown / size:.0f} %", len(false), limited]
        figures += [f"{1000 * twice / size:.0f}", max(cell.sent for cell in group)]
        rows.append(f"| {peer['title']} {version(peer)} | {settings} | " + " | ".join(map(str, figures)) + " |")
    return "\n".join(rows)


def differences(expected: list[Cell], found: list[Cell]) -> list[str]:
    """The cells that differ."""
    keys = {cell[:3]: cell for cell in expected}
    return [f"expected {keys.get(cell[:3])}\nfound    {cell}" for cell in found if keys.get(cell[:3]) != cell]


def main(action: str, *arguments: str) -> int:
    """Runs the action, and returns its exit code."""
    kept = read(RESULTS.read_text()) if RESULTS.exists() else []
    if action == "table":
        text = table(kept)
        print(text)
        missing = [line for line in text.splitlines() if line not in PAGE.read_text().splitlines()]
        print(*(f"not in docs/reliability.md: {line}" for line in missing), sep="\n", end="")
        return bool(missing)
    server, folder, *names = [argument for argument in arguments if argument != "-v"]
    try:
        found = asyncio.run(run(server, pathlib.Path(folder), names))
    except Stop as error:
        print(error, file=sys.stderr)
        return 1
    print(table(found))
    wrong = differences(kept, found)
    if action == "record":
        order = [name for name in tomllib.loads((HERE / "peers.toml").read_text()) if name != "answers"]
        cells = [cell for cell in kept if cell.peer not in names] + found
        cells.sort(key=lambda cell: (order.index(cell.peer), cell.mode))
        RESULTS.write_text(write(cells, datetime.date.today().isoformat()))
        print(f"recorded {len(found)} cells, of which {len(wrong)} differed")
        return 0
    print(*wrong, sep="\n")
    print(f"{len(found) - len(wrong)} cells as in results.tsv, {len(wrong)} others")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
