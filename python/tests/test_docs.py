"""Runs every code block of docs/python.md and docs/recipes.md."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.entry_points import has_plugin_entry_point

import cpaas

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = Path(os.environ.get("CPAAS_GUIDE", DOCS / "python.md"))
PAGES = [GUIDE, DOCS / "recipes.md"]
BLOCKS = [
    block
    for page in PAGES
    for block in re.findall(r"^```(python|console)\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M)
]


@pytest.fixture(scope="module")
def environment():
    with cpaas.Sandbox() as sandbox:
        yield {**os.environ, **sandbox.environment}


def run(command, environment, **options):
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=600, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_there_are_blocks():
    assert len(BLOCKS) >= 12


@pytest.mark.parametrize(
    "code", [code for kind, code in BLOCKS if kind == "python" and "def test_" not in code]
)
def test_python_blocks_run(code, environment):
    run([sys.executable, "-c", code], environment)


@pytest.mark.parametrize("code", [code for kind, code in BLOCKS if kind == "python" and "def test_" in code])
def test_blocks_that_are_tests_pass(code, environment, tmp_path):
    (tmp_path / "test_block.py").write_text(code)
    plugin = [] if has_plugin_entry_point() else ["-p", "cpaas.pytest_plugin"]
    count = code.count("def test_")
    assert f"{count} passed" in run([sys.executable, "-m", "pytest", *plugin, "."], environment, cwd=tmp_path)


@pytest.mark.parametrize(
    "line", [line[2:] for kind, code in BLOCKS if kind == "console" for line in code.splitlines()]
)
def test_commands_succeed(line, environment):
    assert line.startswith("cpaas ")
    line = f"{sys.executable} -m {line}"
    assert run(["bash", "-c", line], environment)
