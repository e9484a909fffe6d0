"""Checks the workflows of .github: each step runs a script of the repository, each action has a digest with its version, the job of the suites runs all
suites of tests/run, and the release builds every artifact. The suite `kit` also checks them against the schema of GitHub.

    tests/kit/check_workflows.py [FOLDER]      by default .github/workflows
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from ruamel.yaml import YAML


def problems(workflow, text):
    for name, job in workflow["jobs"].items():
        for step in job["steps"]:
            if "run" in step:
                for command in step["run"].splitlines():
                    script = command.split()[0]
                    if not (os.path.isfile(script) and os.access(script, os.X_OK)):
                        yield f"{name}: `{command}` must begin with an executable file of the repository"
            else:
                digest = re.search(r"@[0-9a-f]{40}$", step["uses"])
                comment = r"v\d+\.\d+\.\d+$" if digest else "not a digest: "
                if not re.search(f"uses: {re.escape(step['uses'])} # {comment}", text, re.M):
                    yield f"{name}: `{step['uses']}` must have a digest with its version as a comment, or a reason"


def suites(workflow):
    """The suites that the jobs run, and those of tests/run, which has them in one list."""
    found = " ".join(workflow["jobs"]["linux"]["strategy"]["matrix"]["suites"]).split()
    [expected] = re.findall(r"^ {4}suites=\((.*)\)$", Path("tests/run").read_text(), re.M)
    return set(found), set(expected.split())


def artifacts(workflow):
    """The artifacts of the release, and those that tests/release builds; `wheel_native` is that of macOS."""
    found = workflow["jobs"]["linux"]["strategy"]["matrix"]["artifact"]
    listed = subprocess.run(["tests/release", "list"], capture_output=True, text=True, check=True).stdout
    built = [line for line in listed.splitlines() if ":" not in line]
    return set(found), set(built) - {"wheel_native"}


def main(folder=".github/workflows"):
    failed = False
    files = {path.stem: path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.yml"))}
    workflows = {name: YAML(typ="safe").load(text) for name, text in files.items()}
    for name, workflow in workflows.items():
        for problem in problems(workflow, files[name]):
            print(f"{folder}/{name}.yml: {problem}")
            failed = True
    for found, expected in (suites(workflows["tests"]), artifacts(workflows["release"])):
        if found != expected:
            print(f"in a workflow and not in the tests, or the reverse: {sorted(found ^ expected)}")
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
