"""Copies of clients, and arguments that are not what they seem: lists of opt-outs that are tables, and variables that are no settings."""

from __future__ import annotations

import asyncio
import copy
import warnings
from pathlib import Path
from typing import Any

import pytest

import cpaas


class Suppressing:
    def is_suppressed(self, number: str) -> bool:
        return number == "306912345679"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_of_a_client_keeps_keys_stores_and_hooks(copied: Any) -> None:
    outcomes: list[Any] = []
    with cpaas.Sandbox() as sandbox, sandbox.client(on_outcome=outcomes.append) as client:
        client_copy = copied(client)
        sent = client_copy.sms.send(from_="Acme", to="306912345678", text="Hi")
        assert sent.id
        assert len(outcomes) == 1
        suppressing = sandbox.client(suppression=Suppressing())
        with suppressing, pytest.raises(cpaas.Invalid, match="suppressed"):
            copied(suppressing).sms.send(from_="Acme", to="306912345679", text="Hi")


def test_a_copy_of_an_asynchronous_client_sends() -> None:
    async def run() -> None:
        with cpaas.Sandbox() as sandbox:
            async with sandbox.async_client() as client:
                assert (await copy.copy(client).sms.send(from_="Acme", to="306912345678", text="Hi")).id

    asyncio.run(run())


@pytest.mark.parametrize(
    "table", [{"phone": ["306912345678"]}, [{"phone": "306912345678"}], [["306912345678"]]]
)
@pytest.mark.parametrize("lenient", [False, True])
def test_a_table_is_no_list_of_recipients(tmp_path: Path, table: Any, lenient: bool) -> None:
    request = {"from": "Acme", "to": "{{phone}}", "text": "Hi"}
    with pytest.raises(TypeError, match=r"recipients(\[0\])? must be .*, got (a table|dict|list)"):
        cpaas.Campaign.create(
            str(tmp_path / "j.db"),
            "sms.send",
            [{"phone": "306912345678"}],
            request,
            suppress=table,
            lenient=lenient,
        )


def test_a_data_frame_is_no_list_of_recipients(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"phone": ["306912345678"]})
    request = {"from": "Acme", "to": "{{phone}}", "text": "Hi"}
    for table in (frame, frame.lazy(), frame.to_arrow() if hasattr(frame, "to_arrow") else frame):
        with pytest.raises(TypeError, match="got a table"):
            cpaas.plan("sms.send", [{"phone": "306912345678"}], request, suppress=table)
    plan = cpaas.plan("sms.send", [{"phone": "306912345678"}], request, suppress=frame["phone"])
    assert plan.suppressed == 1


@pytest.mark.parametrize("name", ["SUPPRESSION", "SUPRESSION"])
def test_a_list_in_the_environment_is_reported(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(f"CPAAS_{name}", "/nowhere/stopped.db")
    monkeypatch.setattr("cpaas._base_client._named_variables", set())
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        cpaas.Client(sms_url="http://127.0.0.1:9", sms_key="k").close()
    texts = [str(one.message) for one in found]
    assert texts == [
        f"the environment variable CPAAS_{name} is not a setting; did you mean the argument `suppression` of a client?"
    ]
