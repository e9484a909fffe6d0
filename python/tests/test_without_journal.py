"""A build without the Cargo feature `campaign`, as that for Windows: the package imports, and what needs a journal raises one sentence."""

import asyncio
import contextlib
import io
import sys

import pytest

SENTENCE = (
    "campaigns, send_once, SuppressionList and the store of a Guard must have a journal, which this build of cpaas does not have: "
    "use Linux or macOS, or build it with the Cargo feature `campaign`"
)
# Of the native module, without the feature.
ABSENT = [
    "ArrowOutcomes",
    "CampaignJournal",
    "CampaignRun",
    "CampaignTest",
    "SuppressionDatabase",
    "has_password",
    "plan_rows",
]


@pytest.fixture
def cpaas(monkeypatch):
    """The package, imported again with a native module that lacks these names."""
    import cpaas._cpaas as native

    for name in modules():
        monkeypatch.delitem(sys.modules, name)
    for name in ABSENT:
        monkeypatch.delattr(native, name)
    import cpaas

    yield cpaas
    for name in modules():  # also those that were not imported before
        del sys.modules[name]


def modules():
    return [name for name in sys.modules if name.partition(".")[0] == "cpaas" and name != "cpaas._cpaas"]


def sentence_of(use):
    with pytest.raises(NotImplementedError) as caught:
        use()
    return str(caught.value)


def test_every_public_name_can_be_imported(cpaas):
    for name in cpaas.__all__:
        getattr(cpaas, name)


def test_what_needs_a_journal_raises_the_sentence(cpaas, tmp_path):
    journal, rows = tmp_path / "journal.db", [{"to": "306912345678"}]
    template = {"from": "Acme", "to": "{{ to }}", "text": "Hi"}
    uses = {
        "open": lambda: cpaas.Campaign.open(journal),
        "create": lambda: cpaas.Campaign.create(journal, "sms.send", rows, template),
        "verify": lambda: cpaas.Campaign.verify(journal),
        "plan": lambda: cpaas.plan("sms.send", rows, template),
        "SuppressionList": lambda: cpaas.SuppressionList(tmp_path / "stopped.db"),
        "Guard": lambda: cpaas.Guard(store=tmp_path / "guard.db"),
    }
    assert {name: sentence_of(use) for name, use in uses.items()} == dict.fromkeys(uses, SENTENCE)
    assert list(tmp_path.iterdir()) == []


def test_send_once_raises_the_sentence_and_sends_nothing(cpaas, tmp_path):
    request = {"journal": tmp_path / "journal.db", "from_": "Acme", "to": "306912345678", "text": "Hi"}
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        assert sentence_of(lambda: client.send_once("key", "sms.send", **request)) == SENTENCE

        async def main():
            async with sandbox.async_client() as client:
                await client.send_once("key", "sms.send", **request)

        assert sentence_of(lambda: asyncio.run(main())) == SENTENCE
        assert not sandbox.ledger()


def test_the_command_prints_the_sentence(cpaas, tmp_path):
    from cpaas.__main__ import main

    printed = io.StringIO()
    with contextlib.redirect_stderr(printed):
        assert main(["campaign", "list", "--journal", str(tmp_path / "journal.db")]) == 1
    assert printed.getvalue() == f"cpaas: {SENTENCE}\n"


def test_everything_else_works(cpaas):
    with cpaas.Sandbox() as sandbox, sandbox.client(guard=cpaas.Guard()) as client:
        assert client.sms.send(from_="Acme", to="306912345678", text="Hi").id
        assert len(sandbox.ledger()) == 1
    stopped = type("Stopped", (), {"is_suppressed": staticmethod(lambda number: True)})()
    with cpaas.Client(sms_url="http://127.0.0.1:9", sms_key="k", suppression=stopped) as client:
        with pytest.raises(cpaas.Invalid):
            client.sms.send(from_="Acme", to="306912345678", text="Hi")
    assert cpaas.estimate("Hi", prices="prefix,price,currency\n30,0.05,EUR\n", to="306912345678").total
