"""Runs the clients against one loopback server and prints ratios; instructions are those in user space."""

import os
import re
import shutil
import subprocess
import sys


def instructions(kind, url, calls, **environment):
    command = [sys.executable, "clients.py", kind, url, str(calls)]
    environment = {**os.environ, **environment, "PYTHONHASHSEED": "0"}
    perf = ["perf", "stat", "-x,", "-e", "instructions:u"]
    if shutil.which("perf"):
        done = subprocess.run(perf + command, env=environment, capture_output=True, text=True, check=True)
        found = re.search(r"^(\d+),,instructions:u", done.stderr, re.M)
        if found:
            return int(found.group(1))
    grind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run(grind + command, env=environment, capture_output=True, text=True, check=True)
    return int(re.search(r"I\s+refs:\s+([\d,]+)", done.stderr).group(1).replace(",", ""))


def each(kind, url, few=100, many=600):
    return (instructions(kind, url, many) - instructions(kind, url, few)) / (many - few)


def cpu(kind, url, calls=6000):
    command = [sys.executable, "clients.py", kind, url, str(calls), "64"]
    times = [
        float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(3)
    ]
    return sorted(times)[1]


def main():
    server = subprocess.Popen([sys.executable, "server.py"], stdout=subprocess.PIPE, text=True)
    url = server.stdout.readline().strip()
    try:
        ours = each("cpaas", url)
        print(f"instructions of a sync send: {ours / 1e3:.0f} thousand")
        for kind in ("requests", "twilio"):
            theirs = each(kind, url)
            print(f"  {kind}: {theirs / 1e3:.0f} thousand; ours is 1/{theirs / ours:.1f} of it")
        ours = cpu("cpaas_async", url)
        print(f"CPU of a send with asyncio, 64 in flight: {ours:.1f} us")
        for kind in ("pyreqwest_async", "aiohttp_async"):
            try:
                theirs = cpu(kind, url)
            except subprocess.CalledProcessError:
                print(f"  {kind}: does not run here")
                continue
            print(f"  {kind}: {theirs:.1f} us; ours is {ours / theirs:.2f} of it")
    finally:
        server.kill()
    empty = instructions("", "", 0, BENCH_IMPORT="sys")
    ours = instructions("", "", 0, BENCH_IMPORT="cpaas") - empty
    theirs = instructions("", "", 0, BENCH_IMPORT="twilio.rest") - empty
    print(f"import: {ours / 1e6:.2f} million instructions, {100 * ours / theirs:.2f} % of twilio.rest")
    code = "import cpaas, resource; c = cpaas.Client(); c.close(); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    print(
        f"resident after import and Client(): {subprocess.check_output([sys.executable, '-c', code], text=True).strip()} KiB"
    )
    code = "import time; t = time.process_time(); import cpaas; print((time.process_time() - t) * 1e3)"
    times = sorted(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(15))
    print(f"import: {times[7]:.1f} ms of CPU (median of 15)")
    subprocess.run([sys.executable, "texts.py"], check=True)


main()
