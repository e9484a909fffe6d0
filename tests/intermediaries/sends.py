"""Sends through proxies, and compares what the clients report with the ledger of the sandbox. tests/nightly/intermediaries calls it.

    sends.py run SANDBOX DRIVERS [--sends N] [--proxy NAME]… [--language NAME]… [--variant TEXT] [--record]
    sends.py table      prints the tables of the documentation from results.tsv, and compares them with the pages

N is the number of sends for each proxy and language, spread evenly over the variants of the proxy. `--record` replaces the rows of these cells in
results.tsv.
"""
import argparse
import collections
import contextlib
import datetime
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from typing import Any, NamedTuple

import proxies
from proxies import Variant, free_port

HERE = pathlib.Path(__file__).parent
RESULTS = HERE / "results.tsv"
PAGES = HERE.parent.parent / "docs"
# The drivers whose client speaks HTTP/2: Rust with the feature `http2`.
HTTP_2 = ("rust",)
ENCRYPTED = ("tls", "tunnel")
LANGUAGES = {"rust": "Rust", "python": "Python", "c": "C", "javascript": "JavaScript"}
# Calls at once, and the seconds that each of them waits after a failure, so that not all calls are made while a proxy is down.
AT_ONCE, PAUSE = 16, 0.05
# Seconds of one attempt and of one call.
ATTEMPT, DEADLINE = 3, 10

# Faults of the provider behind the proxy, with their probabilities. `latency` exceeds the short timeouts of the proxies.
FAULTS: dict[str, float] = {
    "latency": 0.01, "hang": 0.003, "close-after-read": 0.02, "reset-after-read": 0.02, "close-before-read": 0.01, "truncated-head": 0.005,
    "truncated-body": 0.01, "accept-then-5xx": 0.01, "accept-then-429": 0.005, "duplicate-answer": 0.01,
}


class Call(NamedTuple):
    """One call: what was reported, and what happened."""

    report: str
    # As the client states, if it does.
    attempts: int | None
    # Requests of the client in the log of the proxy.
    logged: int
    # How often each recipient is in the ledger.
    sent: tuple[int, ...]

    @property
    def is_lost(self) -> bool:
        """Reported as accepted, but not sent.

        >>> [Call("accepted", 1, 1, sent).is_lost for sent in ((1,), (0,), (1, 1, 0))]
        [False, True, True]
        >>> Call("unknown", 1, 1, (0,)).is_lost
        False
        """
        return self.report == "accepted" and min(self.sent) == 0

    @property
    def is_wrongly_rejected(self) -> bool:
        """Reported as not processed, but sent.

        >>> [Call(report, 1, 1, (1,)).is_wrongly_rejected for report in ("accepted", "unknown", "rejected", "not sent", "invalid")]
        [False, False, True, True, True]
        """
        return self.report not in ("accepted", "unknown") and max(self.sent) > 0

    def sender_of_second(self, proxy_was_killed: bool) -> str:
        """Who sent the message again, if it was sent more than once. A proxy that is killed does not log what it was forwarding; then the
        client must state that it made one attempt.

        >>> Call("accepted", 1, 1, (1,)).sender_of_second(False)
        ''
        >>> [Call("unknown", attempts, logged, (2,)).sender_of_second(False) for attempts, logged in ((1, 1), (2, 1), (None, 1), (1, 2))]
        ['proxy', 'proxy', 'proxy', 'client']
        >>> [Call("unknown", attempts, logged, (2,)).sender_of_second(True) for attempts, logged in ((1, 0), (2, 1), (None, 1), (1, 2))]
        ['proxy', 'client', 'client', 'client']
        """
        if max(self.sent) < 2:
            return ""
        one_request = self.attempts == 1 and self.logged <= 1 if proxy_was_killed else self.logged == 1
        return "proxy" if one_request else "client"


class Cell(NamedTuple):
    """The counts of a variant and a language."""

    proxy: str
    variant: str
    language: str
    sends: int
    accepted: int
    rejected: int
    not_sent: int
    unknown: int
    lost: int
    twice: int
    repeated_by_proxy: int
    wrongly_rejected: int
    faults: int
    kills: int
    seconds: int


class Run(NamedTuple):
    """What happened during a cell, before it is judged."""

    variant: Variant
    language: str
    recipients: dict[str, list[str]]
    reports: dict[str, tuple[str, int | None, str]]
    logged: collections.Counter[str]
    # The versions of HTTP that the proxy received.
    protocols: set[str]
    hits: int
    kills: int
    seconds: float


def judged(run: Run, ledger: collections.Counter[str]) -> tuple[Cell, list[str]]:
    """The counts of a cell, and what is wrong with it."""
    counts: collections.Counter[str] = collections.Counter()
    wrong = []
    for reference, recipients in run.recipients.items():
        report, attempts, detail = run.reports.get(reference, ("nothing", None, ""))
        call = Call(report, attempts, run.logged[reference], tuple(ledger[to] for to in recipients))
        sender = call.sender_of_second(run.variant.killed == "proxy")
        counts[report] += 1
        counts["lost"] += call.is_lost
        counts["wrongly rejected"] += call.is_wrongly_rejected
        counts[f"twice by {sender}"] += 1
        if call.is_lost or call.is_wrongly_rejected or sender == "client" or report == "nothing":
            wrong.append(f"{reference}: {call} {detail}")
    told = ("accepted", "rejected", "not sent", "unknown")
    if sum(counts[name] for name in told) != len(run.recipients):
        wrong.append(f"reports: {dict(counts)}")
    if not counts["accepted"]:
        wrong.append("no call was accepted")
    repeated = counts["twice by proxy"]
    if bool(repeated) != bool(run.variant.stopped_by):
        wrong.append(f"the proxy repeated {repeated} requests; `stopped_by` of the variant is {run.variant.stopped_by!r}")
    if run.variant.faults and not run.hits:
        wrong.append("no fault occurred")
    if run.variant.killed and not run.kills:
        wrong.append("nothing was killed")
    if run.variant.mode in ENCRYPTED and (run.protocols == {"HTTP/2.0"}) != (run.language in HTTP_2):
        wrong.append(f"the client spoke {run.protocols}")
    status = str(run.variant.rejects)
    if run.variant.rejects and not any(report == "rejected" and status in detail for report, _, detail in run.reports.values()):
        wrong.append(f"the proxy rejected nothing with {status}")
    figures = [counts[name] for name in (*told, "lost", "twice by client", "twice by proxy", "wrongly rejected")]
    figures += [run.hits, run.kills, round(run.seconds)]
    return Cell(run.variant.proxy, run.variant.name, run.language, len(run.recipients), *figures), wrong


class Service:
    """A program that listens on a port of loopback, with all its processes."""

    def __init__(self, command: list[str], port: int, log: pathlib.Path) -> None:
        self.command, self.port, self.log = command, port, log
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                                            cwd=self.log.parent)
        end = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 5):
                return
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"{self.command[0]} does not start:\n{self.log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.02)

    def kill(self, number: int = signal.SIGKILL) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)
        self.process.wait()

    def stop(self) -> None:
        """Lets the program write its log, and then kills what remains of it."""
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(3)
        self.kill()


class Killer(threading.Thread):
    """Kills services and starts them again until it is stopped."""

    def __init__(self, services: list[Service], seed: int) -> None:
        super().__init__(daemon=True)
        self.services, self.random = services, random.Random(seed)
        self.kills, self.ended = 0, threading.Event()

    def run(self) -> None:
        while not self.ended.wait(self.random.uniform(0.3, 1)):
            victim = self.random.choice(self.services)
            victim.kill()
            time.sleep(self.random.uniform(0, 0.1))
            victim.start()
            self.kills += 1

    def end(self) -> int:
        self.ended.set()
        self.join()
        return self.kills


class Sandbox:
    """The process of a sandbox."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen([program, "--port", "0", "--seed", "7"], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        ready = next(json.loads(line) for line in self.process.stdout if line.startswith("{"))
        self.url, self.key = ready["url"], ready["config"]["sms_key"]
        self.port = int(self.url.rsplit(":", 1)[1])

    def control(self, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/_sandbox/{path}", data, method="GET" if data is None else "PUT")
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as response:
            return json.load(response)

    def set_faults(self, seed: int) -> None:
        kinds = enumerate(FAULTS.items())
        rules = [
            {"kind": kind, "probability": share, "seed": seed + number, "ms": int(SHORT_MS * 1.5)} | ({"status": 503} if "5xx" in kind else {})
            for number, (kind, share) in kinds
        ]
        self.control("faults", {"rules": rules})

    def hits(self) -> int:
        return sum(rule["hits"] for rule in self.control("faults")["rules"])

    def ledger(self) -> collections.Counter[str]:
        """How often each recipient is in the ledger."""
        sent: collections.Counter[str] = collections.Counter()
        entries: list[Any] = [{}]
        position = 0
        while entries:
            entries = self.control(f"ledger?from={position}&limit=20000")["entries"]
            sent.update(entry["to"] for entry in entries)
            position += len(entries)
        return sent


SHORT_MS = proxies.SHORT * 1000


def drivers(folder: pathlib.Path) -> dict[str, list[str]]:
    """The command of each driver; the bash script puts the programs into the folder."""
    source = HERE / "drivers"
    return {
        "rust": [str(folder / "intermediaries_sends")],
        "python": [str(folder / "python/bin/python"), str(source / "sends.py")],
        "c": [str(folder / "sends_c")],
        "javascript": ["node", str(source / "sends.mjs")],
    }


def skipped(variant: Variant, language: str) -> str:
    """Why a language cannot use a variant."""
    return "the client for Node has no setting `proxy`" if variant.mode in ("forward", "tunnel") and language == "javascript" else ""


def environment(**settings: str) -> dict[str, str]:
    """The environment of a driver: these settings, and no proxy of the environment."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CPAAS_") and not name.lower().endswith("_proxy")}
    return kept | {f"CPAAS_{name.upper()}": value for name, value in settings.items()}


def certificates(folder: pathlib.Path) -> None:
    """An authority `mitmproxy-ca.pem`, which mitmproxy uses too, and its certificate for loopback."""
    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    key = ["-newkey", "rsa:2048", "-nodes", "-keyout"]
    openssl("req", "-x509", *key, "ca.key", "-days", "2", "-subj", "/CN=cpaas tests", "-out", "ca.crt",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    openssl("req", *key, "server.key", "-subj", "/CN=localhost", "-out", "server.csr")
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names",
            "-out", "server.crt")
    read = {name: (folder / name).read_text() for name in ("ca.key", "ca.crt", "server.key", "server.crt")}
    (folder / "mitmproxy-ca.pem").write_text(read["ca.key"] + read["ca.crt"])
    (folder / "server.pem").write_text(read["server.crt"] + read["server.key"])


class Bench:
    """A sandbox, and the sends that are made to it through one proxy in one language."""

    def __init__(self, sandbox: Sandbox, commands: dict[str, list[str]], mitmdump: str) -> None:
        self.sandbox, self.commands, self.mitmdump = sandbox, commands, mitmdump
        self.next_recipient = 30_690_000_000_000
        self.cells = 0

    def calls(self, count: int, bulk: int) -> dict[str, list[str]]:
        """The recipients of each call by its reference; every fourth one is a bulk message."""
        made = {}
        for number in range(count):
            size = bulk if number % 4 == 1 else 1
            made[f"{self.cells}-{number}"] = [str(self.next_recipient + recipient) for recipient in range(size)]
            self.next_recipient += size
        return made

    def tls_provider(self, folder: pathlib.Path, upstreams: list[int]) -> Service:
        """The provider with TLS, in a folder of its own."""
        own = pathlib.Path(shutil.copytree(folder, folder / "provider", ignore=shutil.ignore_patterns("*.log")))
        port = free_port()
        return Service(proxies.command(proxies.TLS_PROVIDER, own, port, upstreams, self.mitmdump), port, own / "output.log")

    def run(self, variant: Variant, language: str, count: int, **settings: str) -> Run:
        """Makes the calls of a cell. The ledger is read later, because a proxy may still be forwarding."""
        self.cells += 1
        recipients = self.calls(count, variant.bulk)
        if variant.faults:
            self.sandbox.set_faults(self.cells * 100)
        with contextlib.ExitStack() as stack:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cpaas-proxy.")))
            folder.chmod(0o777)  # squid runs as another user
            if variant.mode in ENCRYPTED or variant.http2_behind:
                certificates(folder)
            upstreams = [self.sandbox.port] * variant.upstreams
            relays = []
            if variant.killed == "upstream" or variant.closes:
                upstreams = [free_port() for _ in upstreams]
                for port in upstreams:
                    command = [sys.executable, str(HERE / "relay.py"), str(port), str(self.sandbox.port), *["close"][: variant.closes]]
                    relays.append(Service(command, port, folder / "relay.log"))
                    stack.callback(relays[-1].kill)
            port = free_port()
            proxy = Service(proxies.command(variant, folder, port, upstreams, self.mitmdump), port, folder / "output.log")
            stack.callback(proxy.kill)
            scheme = "https" if variant.mode == "tls" else "http"
            urls = {"sms_url": f"{scheme}://localhost:{port}"}
            if variant.mode == "forward":
                urls = {"sms_url": f"http://127.0.0.1:{upstreams[0]}", "proxy": f"http://127.0.0.1:{port}"}
            witness = folder
            if variant.mode == "tunnel":
                provider = self.tls_provider(folder, upstreams)
                stack.callback(provider.kill)
                urls = {"sms_url": f"https://localhost:{provider.port}", "proxy": f"http://127.0.0.1:{port}"}
                # Squid does not see the requests in the tunnel.
                witness = folder if variant.proxy == "mitmproxy" else provider.log.parent
            if variant.mode in ENCRYPTED:
                urls["ca_bundle"] = str(folder / "ca.crt")
            settings = urls | {"sms_key": self.sandbox.key, "timeout": str(ATTEMPT), "deadline": str(DEADLINE)} | settings
            killer = Killer(relays or [proxy], self.cells) if variant.killed else None
            started = time.monotonic()
            if killer:
                killer.start()
            ended = subprocess.run(
                [*self.commands[language], str(AT_ONCE), str(PAUSE)], env=environment(**settings), text=True, capture_output=True, timeout=1800,
                input="".join(f"{','.join(to)}\t{reference}\n" for reference, to in recipients.items()),
            )
            seconds = time.monotonic() - started
            kills = killer.end() if killer else 0
            proxy.stop()
            if ended.returncode:
                raise SystemExit(f"the driver of {language} failed: {ended.stderr[-2000:]}")
            requests = list(logged_requests(witness))
        logged, protocols = collections.Counter(reference for reference, _ in requests), {protocol for _, protocol in requests}
        hits = self.sandbox.hits()
        self.sandbox.control("faults", {"rules": []})
        return Run(variant, language, recipients, dict(reports(ended.stdout)), logged, protocols, hits, kills, seconds)


def logged_requests(folder: pathlib.Path) -> Iterator[tuple[str, str]]:
    """The reference and the version of HTTP of each request in the log of a proxy; haproxy writes it to its output."""
    for name in ("access.log", "output.log"):
        with contextlib.suppress(FileNotFoundError):
            yield from re.findall(r"^(\d+-\d+) (HTTP/\S+)$", (folder / name).read_text(errors="replace"), re.MULTILINE)


def reports(output: str) -> Iterator[tuple[str, tuple[str, int | None, str]]]:
    """The report, the attempts and the error of each reference."""
    for line in output.splitlines():
        reference, report, attempts, detail = (line.split("\t") + [""] * 4)[:4]
        yield reference, (report, int(attempts) if attempts else None, detail)


def versions(mitmdump: str) -> dict[str, str]:
    """The version of each proxy that is installed."""
    commands = {
        "nginx": [proxies.program("nginx"), "-v"], "haproxy": [proxies.program("haproxy"), "-v"], "squid": [proxies.program("squid"), "-v"],
        "mitmproxy": [mitmdump, "--version"],
    }
    outputs = {name: subprocess.run(command, capture_output=True, text=True) for name, command in commands.items()}
    found = {name: re.search(r"\d+\.\d+(\.\d+)?", output.stdout + output.stderr) for name, output in outputs.items()}
    return {name: match[0] for name, match in found.items() if match}


HEADER = "\t".join(name.replace("_", " ") for name in Cell._fields)


def line(cell: Cell) -> str:
    return "\t".join(map(str, cell))


def recorded() -> tuple[str, list[Cell]]:
    """The date with the versions, and the cells of results.tsv."""
    first, _, *rows = RESULTS.read_text().splitlines()
    cells = []
    for row in rows:
        proxy, variant, language, *counts = row.split("\t")
        cells.append(Cell(proxy, variant, language, *map(int, counts)))
    return first.removeprefix("# "), cells


def record(found: list[Cell], names: str) -> None:
    """Replaces the rows of these cells in results.tsv, in the order of the variants."""
    old = recorded()[1] if RESULTS.exists() else []
    cells = {cell[:3]: cell for cell in [*old, *found]}
    order = [(variant.proxy, variant.name, language) for variant in proxies.VARIANTS for language in LANGUAGES]
    rows = [line(cells[key]) for key in order if key in cells]
    RESULTS.write_text("\n".join([f"# {datetime.date.today()}: {names}", HEADER, *rows, ""]))


def run(arguments: argparse.Namespace) -> int:
    folder = pathlib.Path(arguments.drivers).absolute()
    mitmdump = str(folder / "mitmproxy/bin/mitmdump")
    commands, found, failures = drivers(folder), [], 0
    print(HEADER, flush=True)
    for proxy in arguments.proxy or dict.fromkeys(variant.proxy for variant in proxies.VARIANTS):
        for language in arguments.language or LANGUAGES:
            variants = [variant for variant in proxies.VARIANTS if variant.proxy == proxy and arguments.variant in variant.name]
            for variant in variants:
                if reason := skipped(variant, language):
                    print(f"# skipped: {variant.title}, {LANGUAGES[language]}: {reason}", flush=True)
                elif variant.mode in ENCRYPTED and language not in HTTP_2:
                    print(f"# HTTP/1.1 over TLS: {variant.title}, {LANGUAGES[language]}: the client has no HTTP/2", flush=True)
            variants = [variant for variant in variants if not skipped(variant, language)]
            if not variants:
                continue
            sandbox = Sandbox(arguments.sandbox)
            try:
                bench = Bench(sandbox, commands, mitmdump)
                counts = [arguments.sends // len(variants) + (number < arguments.sends % len(variants)) for number in range(len(variants))]
                runs = [bench.run(variant, language, count) for variant, count in zip(variants, counts, strict=True)]
                # With this setting the client itself repeats; a judge that does not see it sees nothing.
                control = bench.run(Variant(proxy, "control"), language, 500, retry_unknown="true")
                time.sleep(2)  # longer than the latency
                ledger = sandbox.ledger()
            finally:
                sandbox.process.kill()
                sandbox.process.wait()
            for made in runs:
                cell, wrong = judged(made, ledger)
                found.append(cell)
                print(line(cell), flush=True)
                for text in wrong[:10]:
                    print(f"# FAIL: {text[:1000]}", flush=True)
                failures += bool(wrong)
            if arguments.record:
                record(found, ", ".join(f"{name} {version}" for name, version in versions(mitmdump).items()))
            if not judged(control, ledger)[0].twice:
                print(f"# FAIL: {proxy}, {language}: the judge did not see the repetitions of `retry_unknown`")
                failures += 1
    print(f"# {sum(cell.sends for cell in found)} sends, {len(found)} cells, {failures} failed")
    return 1 if failures else 0


def clients_table(cells: list[Cell]) -> str:
    """The table of docs/reliability.md: what the clients reported, for each proxy and language."""
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.proxy, cell.language), []).append(cell)
    rows = [
        "| Proxy | Client | Sends | Accepted | Rejected or not sent | Unknown | Lost | Wrongly rejected | Sent twice by the client |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for (proxy, language), group in groups.items():
        total = [sum(column) for column in zip(*(cell[3:] for cell in group))]
        sums = dict(zip(Cell._fields[3:], total))
        shown = [sums["sends"], sums["accepted"], sums["rejected"] + sums["not_sent"]]
        shown += [sums[name] for name in ("unknown", "lost", "wrongly_rejected", "twice")]
        rows.append(f"| {proxy} | {LANGUAGES[language]} | " + " | ".join(f"{figure:,}" for figure in shown) + " |")
    return "\n".join(rows)


def proxies_table(cells: list[Cell]) -> str:
    """The table of docs/proxies.md: the configurations with which a proxy sent a request again, and the defaults."""
    rows = ["| Proxy | Configuration | Calls | Sent again by the proxy | What stops it |", "|---|---|---|---|---|"]
    for variant in proxies.VARIANTS:
        group = [cell for cell in cells if cell[:2] == (variant.proxy, variant.name)]
        if variant.stopped_by or variant.name == "default":
            sends, repeated = (sum(getattr(cell, name) for cell in group) for name in ("sends", "repeated_by_proxy"))
            rows.append(f"| {variant.proxy} | {variant.name} | {sends:,} | {repeated:,} | {variant.stopped_by} |")
    return "\n".join(rows)


def print_tables() -> int:
    """Prints the tables, and compares them with the pages."""
    date, cells = recorded()
    pages = {"reliability.md": clients_table(cells), "proxies.md": proxies_table(cells)}
    missing = 0
    for name, table in pages.items():
        print(f"{date}\n{table}\n")
        lines = (PAGES / name).read_text().splitlines()
        for row in [row for row in [f"Measured on {date}.", *table.splitlines()] if row not in lines]:
            print(f"not in docs/{name}: {row}")
            missing += 1
    return 1 if missing else 0


def main() -> int:
    parser = argparse.ArgumentParser()
    actions = parser.add_subparsers(dest="action", required=True)
    action = actions.add_parser("run")
    action.add_argument("sandbox")
    action.add_argument("drivers")
    action.add_argument("--sends", type=int, default=20_000)
    action.add_argument("--proxy", action="append")
    action.add_argument("--language", action="append", choices=list(LANGUAGES))
    action.add_argument("--variant", default="")
    action.add_argument("--record", action="store_true")
    actions.add_parser("table")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends the services too
    return print_tables() if arguments.action == "table" else run(arguments)


if __name__ == "__main__":
    sys.exit(main())
