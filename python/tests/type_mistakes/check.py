"""Checks that mypy and pyright report the lines of user.py with `# wrong:` and no others. Usage: check.py BIN, the folder of the checkers."""

import json
import pathlib
import re
import subprocess
import sys

BIN = sys.argv[1]
USER = pathlib.Path(__file__).with_name("user.py")
LINES = USER.read_text(encoding="utf-8").splitlines()
WRONG = {number for number, line in enumerate(LINES, 1) if "# wrong:" in line}


def mypy():
    done = subprocess.run([f"{BIN}/mypy", "--strict", USER], capture_output=True, text=True, check=False)
    return {int(found) for found in re.findall(r"user\.py:(\d+): error", done.stdout)}


def pyright():
    command = [f"{BIN}/pyright", "--outputjson", "--pythonpath", f"{BIN}/python", USER]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)["generalDiagnostics"]
    return {row["range"]["start"]["line"] + 1 for row in found if row["severity"] == "error"}


for name, found in (("mypy", mypy()), ("pyright", pyright())):
    print(f"{name}: {len(found & WRONG)} of {len(WRONG)} mistakes found, {len(found - WRONG)} false")
    for number in sorted(found ^ WRONG):
        print(f"  {'missed' if number in WRONG else 'false'}: {number}: {LINES[number - 1]}")
    if found != WRONG:
        sys.exit(1)
