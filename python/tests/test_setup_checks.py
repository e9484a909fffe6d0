"""Mistakes that are found when a client, a run or a campaign is set up, and not later."""

import subprocess
import sys
from unittest import mock

import pytest

import cpaas


@pytest.mark.parametrize("name", ["on_outcome", "on_request", "on_response"])
@pytest.mark.parametrize("hook", [lambda: None, lambda one, two: None])
def test_a_hook_must_accept_the_event(name, hook):
    with pytest.raises(
        cpaas.InvalidType, match=f"{name} must be a function that can be called with one argument"
    ):
        cpaas.Client(sms_url="http://127.0.0.1:9", read_environment=False, **{name: hook})


@pytest.mark.parametrize(
    "hook", [print, mock.Mock(), lambda *events: None, lambda event, more=None: None, [].append]
)
def test_hooks_that_accept_one_argument_are_accepted(hook):
    with cpaas.Client(sms_url="http://127.0.0.1:9", read_environment=False, on_outcome=hook) as client:
        assert not client.closed


@pytest.fixture
def journal(tmp_path):
    path = tmp_path / "c.db"
    rows = [{"phone": "306912345678"}, {"phone": "306912345679"}]
    template = {"from": "Acme", "to": "{{ phone }}", "text": "Hi"}
    cpaas.Campaign.create(path, "sms.send", rows, template, name="autumn")
    return path


def run(journal, *arguments):
    command = [sys.executable, "-m", "cpaas", "campaign", *arguments, "--journal", str(journal)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_setting_of_the_campaign_is_not_one_of_a_run(journal):
    ended = run(journal, "run", "autumn", "--rate", "5")
    assert ended.returncode == 2
    assert "--rate is a setting of the campaign: cpaas campaign set NAME --rate …" in ended.stderr


def test_a_missing_campaign_names_those_of_the_journal(journal):
    ended = run(journal, "status", "autum")
    assert ended.stderr == "cpaas: no campaign with this name is in the journal; it has autumn\n"
    with pytest.raises(cpaas.CampaignError, match="it has autumn") as caught:
        cpaas.Campaign.open(journal, "autum")
    assert caught.value.reason == "no_campaign"


def test_a_row_that_does_not_exist_is_an_error(journal):
    ended = run(journal, "resolve", "autumn", "--as", "accepted", "--row", "9")
    assert ended.returncode != 0
    assert "rows must be numbers from 1 to 2, got 9" in ended.stderr
    campaign = cpaas.Campaign.open(journal)
    with pytest.raises(cpaas.CampaignError, match="rows must be numbers from 1 to 2, got 0"):
        campaign.test_messages("306999999999", rows=[0])


def test_a_test_without_an_address_names_the_setting(journal):
    ended = run(journal, "test", "autumn", "--to", "306999999999")
    assert ended.returncode != 0
    assert "not_sent config: " in ended.stdout
    assert "CPAAS_SMS_URL" in ended.stdout
    with cpaas.Client(read_environment=False) as client:
        (message,) = cpaas.Campaign.open(journal).test(client, "306999999999")
    assert (message.outcome, message.reason) == ("not_sent", "config")
    assert "sms_url" in message.message
    ended = run(journal, "run", "autumn")
    assert "`cpaas campaign test`" in ended.stderr


@pytest.mark.parametrize(
    ("filters", "expected"), [({"status": "Deliverd"}, "delivered"), ({"channel": "sm"}, "sms")]
)
def test_an_unknown_filter_of_the_sandbox_is_an_error(sandbox, filters, expected):
    (name,) = filters
    with pytest.raises(cpaas.Invalid, match=f"`{name}` must be one of .*{expected}"):
        sandbox.messages(**filters)


def test_the_folder_of_the_composer_must_exist(tmp_path):
    with pytest.raises(OSError, match=r"^composer must be a folder that exists, got .*/nope"):
        cpaas.Sandbox(composer=str(tmp_path / "nope"))
    ended = subprocess.run(
        [sys.executable, "-m", "cpaas", "sandbox", "--port", "0", "--composer", "/nope"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode != 0
    assert "--composer must be a folder that exists, got /nope" in ended.stderr


def test_a_port_in_use_is_named(sandbox):
    port = sandbox.url.rpartition(":")[2]
    with pytest.raises(OSError, match=f"cannot listen: 127.0.0.1:{port}: "):
        cpaas.Sandbox(port=int(port))


def test_the_name_of_a_file_is_not_the_data_of_a_call():
    command = [sys.executable, "-m", "cpaas", "call", "sms.send", "--data", "missing.json"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 9
    assert "--data must be a JSON object, @ and the name of a file" in ended.stderr


def test_braces_around_the_code_of_a_passcode_are_a_problem():
    passcode = {"service": "login", "from": "Acme", "to": "306912345678", "body": "Your code is {{code}}"}
    report = cpaas.validate("otp.send", passcode)
    assert [problem.code for problem in report.warnings] == ["otp.body.code_braces"]
