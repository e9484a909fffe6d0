"""Runs the block of docs/mcp.md, and compares its configurations, tools and switches with the command."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp_types", reason="the MCP SDK is not installed")

from cpaas._mcp.tools import TOOLS

PAGE = Path(os.environ.get("CPAAS_MCP_PAGE", Path(__file__).parents[2] / "docs" / "mcp.md")).read_text(
    "utf-8"
)


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.S | re.M)


def test_the_client_runs():
    (code,) = blocks("python")
    # The SDK passes few variables to a server, so the command is that of this Python.
    command = f'command={sys.executable!r}, env={dict(os.environ)!r}, args=["-m", "cpaas", '
    done = subprocess.run(
        [sys.executable, "-c", code.replace('command="cpaas", args=[', command)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['Your table is ready']\n"


def test_the_configurations_of_hosts_have_switches_that_exist():
    shown = subprocess.run(
        [sys.executable, "-m", "cpaas", "mcp", "--help"], capture_output=True, text=True, check=True
    ).stdout
    for block in blocks("json"):
        server = json.loads(block)["mcpServers"]["cpaas"]
        assert (server["command"], server["args"][0]) == ("cpaas", "mcp")
        for argument in server["args"]:
            assert not argument.startswith("--") or f" {argument} " in shown, argument


def test_the_table_has_every_tool_with_its_annotations():
    table = PAGE[PAGE.index("## Tools") : PAGE.index("## Keys")]
    rows = [line.split("|")[1:4] for line in table.splitlines() if line.startswith("| `")]
    described = {name: row[2] for row in rows for name in re.findall("`(.*?)`", row[0])}
    assert set(described) == {tool.name for tool in TOOLS}
    previous = ""
    for tool in TOOLS:
        text = described[tool.name]
        text = previous if "the same" in text else text
        previous = text
        hints = tool.hints
        assert ("read-only" in text.replace("not read-only", "")) == hints.read_only, tool.name
        assert ("destructive" in text) == hints.destructive, tool.name
        if not hints.read_only:
            assert ("idempotent" in text.replace("not idempotent", "")) == hints.idempotent, tool.name
            assert ("open world" in text) == hints.open_world, tool.name
