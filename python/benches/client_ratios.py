"""Runs the clients against one loopback server, and prints the ratios between them.

    client_ratios.py RUST WHEEL_BYTES

RUST is the binary of `tests/benches/call.rs`: the server, and our Rust client. Instructions are counted in user space by
cachegrind; the instructions of one call are the difference between a long and a short run, divided by the difference in calls.
Times are medians of interleaved runs. The server runs on one core, the client on another.
"""

import contextlib
import os
import re
import subprocess
import sys

from print_target import print_target

RUST = sys.argv[1]
CORES = sorted(os.sched_getaffinity(0))


def instructions(command, **environment):
    environment = {**os.environ, **environment, "PYTHONHASHSEED": "0"}
    grind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run(grind + command, env=environment, capture_output=True, text=True, check=True)
    return int(re.search(r"I\s+refs:\s+([\d,]+)", done.stderr).group(1).replace(",", ""))


def each(kind, url, few=100, many=600):
    def run(calls):
        if kind == "rust":
            return instructions([RUST], CPAAS_COUNT=f"ours,{calls}", CPAAS_URL=url)
        return instructions([sys.executable, "clients.py", kind, url, str(calls)])

    return (run(many) - run(few)) / (many - few)


def cpu(kind, url, calls=3000):
    command = [sys.executable, "clients.py", kind, url, str(calls), "64"]
    pin = ["taskset", "-c", str(CORES[-1])]
    # The exit code is not checked, because some clients abort at interpreter exit, after they have printed the result.
    done = subprocess.run(pin + command, capture_output=True, text=True, check=False)
    return float(done.stdout)


@contextlib.contextmanager
def server():
    command = ["taskset", "-c", str(CORES[0]), RUST]
    child = subprocess.Popen(
        command, env={**os.environ, "CPAAS_SERVE": "1"}, stdout=subprocess.PIPE, text=True
    )
    try:
        yield child.stdout.readline().strip()
    finally:
        child.kill()


def calls(url):
    rust, ours = each("rust", url), each("cpaas", url)
    requests, twilio = each("requests", url), each("twilio", url)
    print(f"instructions of a sync send: {ours:,.0f}; our Rust client {rust:,.0f}")
    print_target("  of our Rust client", ours / rust, "times", 1.3)
    print(
        f"  {ours - rust:,.0f} more than our Rust client; requests {requests:,.0f}: ours is 1/{requests / ours:.1f} of it"
    )
    print_target(f"  of twilio ({twilio:,.0f}), 1/{twilio / ours:.1f}", ours / twilio, "times", 1 / 36)


def in_flight(url):
    kinds = ("cpaas_async", "pyreqwest_async", "aiohttp_async")
    runs = [[cpu(kind, url) for kind in kinds] for _ in range(5)]
    ours, pyreqwest, aiohttp = (sorted(column)[2] for column in zip(*runs, strict=True))
    print(f"CPU of a send with asyncio, 64 in flight: {ours:.1f} us")
    print_target(f"  of pyreqwest ({pyreqwest:.1f} us)", ours / pyreqwest, "times", 1)
    print_target(f"  of aiohttp ({aiohttp:.1f} us)", ours / aiohttp, "times", 0.45)


def imports():
    def run(code):
        return instructions([sys.executable, "-c", code])

    empty = run("import sys")
    ours, theirs = run("import cpaas; cpaas.Client") - empty, run("import twilio.rest") - empty
    print_target(
        f"import: {ours / 1e6:.2f} million instructions, of twilio.rest", 100 * ours / theirs, "%", 15
    )
    code = "import time; t = time.process_time(); import cpaas; cpaas.Client; print((time.process_time() - t) * 1e3)"
    times = sorted(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(15))
    print_target("import, CPU, median of 15", times[7], "ms", 25)
    code = "import cpaas, resource; c = cpaas.Client({}); c.close(); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    for name, setting in (("", ""), (" for an https address", "sms_url='https://sms.example'")):
        found = int(subprocess.check_output([sys.executable, "-c", code.format(setting)]))
        print_target(f"resident after import and Client(){name}", found * 1024 / 1e6, "MB", 24)


print_target("the wheel", int(sys.argv[2]) / 1e6, "MB", 9)
with server() as url:
    calls(url)
    in_flight(url)
imports()
subprocess.run([sys.executable, "text_and_validation_rates.py"], check=True)
