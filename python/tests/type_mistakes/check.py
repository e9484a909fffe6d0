"""Checks that mypy and pyright report the lines of mistakes.py with `# error:` and no others.

Usage: check.py BIN, where BIN is the folder of the two type checkers.
"""

import json
import pathlib
import re
import subprocess
import sys

BIN = sys.argv[1]
MISTAKES = pathlib.Path(__file__).with_name("mistakes.py")
LINES = MISTAKES.read_text(encoding="utf-8").splitlines()
EXPECTED = {number for number, line in enumerate(LINES, 1) if "# error:" in line}


def mypy():
    done = subprocess.run([f"{BIN}/mypy", "--strict", MISTAKES], capture_output=True, text=True, check=False)
    return {int(found) for found in re.findall(r"mistakes\.py:(\d+): error", done.stdout)}


def pyright():
    command = [f"{BIN}/pyright", "--outputjson", "--pythonpath", f"{BIN}/python", MISTAKES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)["generalDiagnostics"]
    return {row["range"]["start"]["line"] + 1 for row in found if row["severity"] == "error"}


for name, found in (("mypy", mypy()), ("pyright", pyright())):
    print(
        f"{name}: {len(found & EXPECTED)} of {len(EXPECTED)} mistakes reported, {len(found - EXPECTED)} other lines reported"
    )
    for number in sorted(found ^ EXPECTED):
        print(
            f"  {'not reported' if number in EXPECTED else 'reported without a mistake'}: {number}: {LINES[number - 1]}"
        )
    if found != EXPECTED:
        sys.exit(1)
