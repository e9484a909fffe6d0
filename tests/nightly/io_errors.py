"""Runs campaigns while libfiu makes the system calls under SQLite fail, and compares the ledger of the sandbox with the journal.

    fiu-run -x python io_errors.py worker …     one run of a campaign, under failing calls (started by the next)
    python io_errors.py [ROUNDS]                 all calls and errors; default: 5 campaigns for each

Run by libfiu. For each call and error, campaigns are created and run by processes whose calls of this kind fail at random, until a run ends
without an error or ten runs have failed. Then a process without libfiu finishes the campaign. No process may crash, each error must be a
`CampaignError`, no message may be sent twice, and each row must have a true outcome.
"""
import collections
import ctypes
import errno
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import cpaas

ROWS = 300
RUNS = 10
TEMPLATE = {"from": "Acme", "to": "{{ phone }}", "text": "Hi {{ name }}"}
# The calls of SQLite, and of the library's own files, with the probability of a failure: rare calls fail more often.
CALLS = [
    ("posix/io/rw/pwrite", errno.EIO, 0.01), ("posix/io/rw/pwrite", errno.ENOSPC, 0.01),
    ("posix/io/rw/pread", errno.EIO, 0.02),
    ("posix/io/sync/fsync", errno.EIO, 0.1), ("posix/io/sync/fsync", errno.ENOSPC, 0.1),
    ("posix/io/rw/ftruncate", errno.EIO, 0.3), ("posix/io/rw/ftruncate", errno.ENOSPC, 0.3),
    ("posix/io/oc/open", errno.EIO, 0.15), ("posix/io/oc/open", errno.ENOSPC, 0.15), ("posix/io/oc/open", errno.EMFILE, 0.15),
    ("posix/io/rw/read", errno.EIO, 0.02),
    ("posix/mm/mmap", errno.ENOMEM, 0.3),
]
CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_uint)
)


def phone(number):
    return f"3069{number:08}"


def worker(action, journal, call, error, probability, seed):
    """Creates or runs the campaign, and prints how it ended and how many calls failed."""
    rng, failed = random.Random(int(seed)), 0

    @CALLBACK
    def decide(_name, _failnum, _failinfo, _flags):
        nonlocal failed
        is_failure = rng.random() < float(probability)
        failed += is_failure
        return is_failure

    fiu = ctypes.CDLL("libfiu.so.0")
    fiu.fiu_enable_external.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint, CALLBACK]
    client, rows = cpaas.Client(), [{"phone": phone(number), "name": f"N{number}"} for number in range(ROWS)]
    with tempfile.TemporaryDirectory() as folder:
        # Imports what Python loads later, whose errors would not be those of the library.
        cpaas.Campaign.create(pathlib.Path(folder) / "journal.db", "sms.send", rows[:1], TEMPLATE).close()
    assert fiu.fiu_enable_external(call.encode(), 1, int(error), 0, decide) == 0
    try:
        if action == "create":
            cpaas.Campaign.create(journal, "sms.send", rows, TEMPLATE)
            end = "done"
        else:
            end = cpaas.Campaign.open(journal).run(client, concurrency=16).state
    except cpaas.CampaignError as problem:
        end = f"CampaignError: {problem}"
    fiu.fiu_disable(call.encode())
    print(json.dumps({"end": end, "failed": failed}), flush=True)
    # Objects that were left open are not what is tested.
    os._exit(0)


def start(environment, action, journal, call, error, probability, seed):
    """Returns how a worker ended, and how many of its calls failed."""
    command = ["fiu-run", "-x", sys.executable, __file__, "worker", action, str(journal), call, str(error), str(probability), str(seed)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode != 0 or not done.stdout.strip():
        return f"CRASH {done.returncode}: {done.stderr[-300:]}", 0
    found = json.loads(done.stdout.splitlines()[-1])
    return found["end"], found["failed"]


def campaign(folder, call, error, probability, seed, ends):
    """Runs one campaign, counts how its processes ended, and returns the failed calls, and the differences from the ledger."""
    journal, failures, differences = folder / "journal.db", 0, []
    with cpaas.Sandbox() as sandbox:
        environment = os.environ | dict(sandbox.environment) | {"XDG_STATE_HOME": str(folder / "state")}
        for action in ("create", "run"):
            for attempt in range(RUNS):
                end, failed = start(environment, action, journal, call, error, probability, seed * 100 + attempt)
                failures += failed
                ends[action, end if end in ("done", "halted") else end[:160].replace(str(folder), "…")] += 1
                if end.startswith("CRASH"):
                    differences.append(end)
                if end == "done" or (action == "create" and "already" in end):
                    break
            else:
                if action == "create":
                    start(environment, action, journal, call, error, 0, seed)
        os.environ["XDG_STATE_HOME"] = str(folder / "state")
        opened = cpaas.Campaign.open(journal)
        if opened.status().state == "halted":
            opened.resume()
        with sandbox.client() as client:
            status = opened.run(client)
        sent = collections.Counter(entry["to"] for entry in sandbox.ledger())
        twice = sum(count > 1 for count in sent.values())
        rows = list(opened.rows())
        outcomes = collections.Counter(row["outcome"] for row in rows)
        false = sum(row["outcome"] == "accepted" and row["recipients"][0] not in sent for row in rows)
        if twice or false or len(rows) != ROWS or set(outcomes) - {"accepted", "unknown"} or status.state != "done":
            differences.append(f"{twice} sent twice, {false} wrongly accepted, {dict(outcomes)}, {status.state}")
        opened.close()
    return failures, differences, outcomes


def main(rounds="5", only=""):
    began, total, bad = time.monotonic(), collections.Counter(), 0
    for call, error, probability in CALLS:
        if only not in call:
            continue
        ends, failures, outcomes, differences = collections.Counter(), 0, collections.Counter(), []
        for seed in range(int(rounds)):
            with tempfile.TemporaryDirectory() as folder:
                failed, different, found = campaign(pathlib.Path(folder), call, error, probability, seed, ends)
            failures, outcomes = failures + failed, outcomes + found
            differences += different
        named = sum(count for (_, end), count in ends.items() if end.startswith("CampaignError"))
        print(
            f"{call} {errno.errorcode[error]}: {failures} failed calls in {sum(ends.values())} processes, {named} ended with a CampaignError, "
            f"{outcomes['accepted']} rows accepted, {outcomes['unknown']} unknown, {len(differences)} differences", flush=True
        )
        for (action, end), count in sorted(ends.items()):
            print(f"    {count} {action}: {end}")
        print(*(f"    DIFFERENT {difference}" for difference in differences), sep="\n", end="\n" if differences else "")
        if not failures:
            print("    DIFFERENT no call failed")
        bad += len(differences) + (not failures)
        total += collections.Counter(failures=failures, processes=sum(ends.values()), named=named)
    print(f"{dict(total)}, {bad} differences, {time.monotonic() - began:.0f} s")
    return bool(bad)


if __name__ == "__main__":
    if sys.argv[1:2] == ["worker"]:
        worker(*sys.argv[2:])
    sys.exit(main(*sys.argv[1:]))
