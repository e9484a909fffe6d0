"""Clients of `cpaas mcp` for its tests: that of the SDK, one that loses responses, and one that writes the protocol itself."""

import json
import os
import select
import subprocess
import sys
from contextlib import asynccontextmanager

import anyio
from mcp import Client, StdioServerParameters, stdio_client
from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError, JSONRPCRequest, JSONRPCResponse

COMMAND = [sys.executable, "-m", "cpaas", "mcp"]
LOST = -32099


def live(sandbox, journal, *switches):
    """The switches and the environment of a live server whose provider is a sandbox of the test."""
    environment = sandbox.environment
    return ["--live", "--journal", str(journal), *switches], environment


def environment(more):
    return {**os.environ, **more}


@asynccontextmanager
async def connected(switches=(), more=None, errors=None, lose=0):
    """A client of the SDK. With `lose`, each response of that number to a call of a tool is lost."""
    parameters = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], *switches], env=environment(more or {})
    )
    transport = stdio_client(parameters, errlog=errors or sys.stderr)
    async with Client(losing(transport, lose) if lose else transport, mode="legacy") as client:
        yield client


@asynccontextmanager
async def losing(transport, lose):
    """Replaces each response of the number `lose` with an error of the connection, after the server has sent it."""
    async with transport as (reading, writing):
        passed, read = anyio.create_memory_object_stream(0)
        written, passing = anyio.create_memory_object_stream(0)
        calls, count = set(), 0

        async def send():
            async with passing, writing:
                async for item in passing:
                    if isinstance(item.message, JSONRPCRequest) and item.message.method == "tools/call":
                        calls.add(item.message.id)
                    await writing.send(item)

        async def receive():
            nonlocal count
            async with passed, reading:
                async for item in reading:
                    message = getattr(item, "message", None)
                    if isinstance(message, JSONRPCResponse) and message.id in calls:
                        count += 1
                        if count % lose == 0:
                            error = ErrorData(code=LOST, message="the response is lost")
                            item = SessionMessage(JSONRPCError(jsonrpc="2.0", id=message.id, error=error))
                    await passed.send(item)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(send)
            tasks.start_soon(receive)
            yield read, written
            tasks.cancel_scope.cancel()


class Raw:
    """A server process and the lines of its streams."""

    def __init__(self, switches=(), more=None, command=None):
        self.process = subprocess.Popen(
            [*(command or COMMAND), *switches],
            env=environment(more or {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self.count = 0

    def write(self, line):
        self.process.stdin.write(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, **params):
        """Writes a request and returns its id."""
        self.count += 1
        self.write({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        return self.count

    def read(self):
        assert select.select([self.process.stdout], [], [], 30)[0], "no response"
        return json.loads(self.process.stdout.readline())

    def initialize(self):
        client = {"name": "test", "version": "1"}
        self.request("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=client)
        found = self.read()
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return found["result"]

    def call(self, name, **arguments):
        return self.request("tools/call", name=name, arguments=arguments)

    def end(self, timeout=30):
        """Closes the input and returns the code, the rest of the output, and the errors."""
        out, errors = self.process.communicate(timeout=timeout)
        return self.process.returncode, out.decode(), errors.decode()
