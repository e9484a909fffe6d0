"""The fixtures of the pytest plugin, used by a test file of a user."""

import subprocess
import sys

from support.entry_points import has_plugin_entry_point

USER = """
import asyncio

first = {}


def test_one(cpaas_session_sandbox, cpaas_client, cpaas_sandbox):
    first["url"] = cpaas_session_sandbox.url
    assert cpaas_sandbox.url != cpaas_session_sandbox.url
    with cpaas_session_sandbox.client() as client:
        client.sms.send(from_="Acme", to="306912345678", text="Hi")


def test_session_sandbox_is_the_same(cpaas_session_sandbox):
    assert cpaas_session_sandbox.url == first["url"]


def test_async_client(cpaas_async_client, cpaas_sandbox):
    async def send():
        return await cpaas_async_client.sms.send(from_="Acme", to="306912345678", text="Hi")

    asyncio.run(send())
    assert len(cpaas_sandbox.ledger()) == 1


def test_virtual_clock(cpaas_virtual_sandbox):
    sandbox = cpaas_virtual_sandbox
    with sandbox.client() as client:
        otp = client.otp.send(service="login", from_="Acme", to="306912345678", body="Your code is {code}")
        code = sandbox.wait_for(to="306912345678", contains="code").otp
        sandbox.advance("2h")
        assert not client.otp.verify(service="login", request_id=otp.request_id, code=code)
"""


def test_the_fixtures_serve_a_test_file_of_a_user(tmp_path):
    (tmp_path / "test_user.py").write_text(USER)
    plugin = [] if has_plugin_entry_point() else ["-p", "cpaas.pytest_plugin"]
    command = [sys.executable, "-W", "error", "-m", "pytest", *plugin, "-p", "no:cacheprovider", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert "4 passed" in done.stdout, done.stdout + done.stderr
