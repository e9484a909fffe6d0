"""Settings: values that are not valid, from arguments and from the environment, and variables that resemble a setting."""

import asyncio
import logging
import math
import os
import subprocess
import sys
import warnings
from datetime import timedelta

import pytest

import cpaas
from cpaas import _hooks

SECONDS = "must be a number of seconds greater than 0 and less than 18,446,744,073,709,551,616"
REGIONS = "`region` must be nearest, frankfurt, singapore, hong_kong or united_states"
CLIENTS = [cpaas.Client, cpaas.AsyncClient]


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch):
    for name in list(os.environ):
        if name.startswith("CPAAS_"):
            monkeypatch.delenv(name)


@pytest.mark.parametrize("cls", CLIENTS)
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"timeout": 0}, f"`timeout` {SECONDS}"),
        ({"timeout": -31337.0}, f"`timeout` {SECONDS}"),
        ({"deadline": 1e300}, f"`deadline` {SECONDS}"),
        ({"deadline": 2**64}, f"`deadline` {SECONDS}"),
        ({"connect_timeout": timedelta(0)}, f"`connect_timeout` {SECONDS}"),
        ({"connect_timeout": timedelta(seconds=-1)}, f"`connect_timeout` {SECONDS}"),
        ({"timeout": "31337"}, "`timeout` must be a number of seconds, got a string"),
        ({"max_attempts": 0}, "`max_attempts` must be 1 to 4,294,967,295"),
        ({"max_attempts": -31337}, "`max_attempts` must be 1 to 4,294,967,295"),
        ({"max_attempts": 2**32}, "`max_attempts` must be 1 to 4,294,967,295"),
        ({"max_connections": 0}, "`max_connections` must be 1 to 9,223,372,036,854,775,807"),
        ({"max_connections": 2**63}, "`max_connections` must be 1 to 9,223,372,036,854,775,807"),
        ({"max_response_bytes": -1}, "`max_response_bytes` must be 1 to 9,223,372,036,854,775,807"),
        ({"max_response_bytes": 1.5}, "`max_response_bytes` must be an integer, got a number"),
        ({"callback_lifetime": -1}, "`callback_lifetime` must be 60 to 5,270,400 seconds"),
        ({"callback_lifetime": 2**62}, "`callback_lifetime` must be 60 to 5,270,400 seconds"),
        (
            {"callback_lifetime": 60.5},
            "`callback_lifetime` must be an integer number of seconds, got a number",
        ),
        ({"region": "31337"}, REGIONS),
        ({"region": "Nearest"}, REGIONS),
        ({"validation": ""}, "`validation` must be strict, pedantic, warn or off"),
        ({"messaging_auth": "31337"}, "`messaging_auth` must be header, basic or none"),
        ({"sms_format": "31337"}, "`sms_format` must be json or xml"),
        ({"sms_format": 31337}, "`sms_format` must be a string, got a number"),
    ],
    ids=repr,
)
def test_an_invalid_value_is_refused_without_the_value(cls, settings, message):
    with pytest.raises(cpaas.Invalid) as found:
        cls(**settings)
    assert found.value.message == message
    assert "31337" not in f"{found.value} {found.value!r}"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_must_be_finite(value):
    for setting in ("timeout", "deadline", "connect_timeout"):
        with pytest.raises(ValueError, match=f"{setting}: must be a finite number"):
            cpaas.Client(**{setting: value})


def test_valid_values_are_numbers_and_strings():
    settings = {
        "timeout": 0.25,
        "deadline": timedelta(minutes=1),
        "connect_timeout": 5,
        "max_attempts": 2**32 - 1,
        "max_connections": 2**63 - 1,
        "max_response_bytes": 1,
        "callback_lifetime": timedelta(hours=1),
        "region": "hong_kong",
        "messaging_auth": "none",
        "sms_format": "xml",
        "validation": "pedantic",
        "normalize": "international",
    }
    with cpaas.Client(**settings) as client:
        assert client.settings == settings


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("CPAAS_DEADLINE", "-31337", f"CPAAS_DEADLINE {SECONDS}"),
        ("CPAAS_DEADLINE", "0", f"CPAAS_DEADLINE {SECONDS}"),
        ("CPAAS_DEADLINE", "31337e20", f"CPAAS_DEADLINE {SECONDS}"),
        ("CPAAS_DEADLINE", "nan", "CPAAS_DEADLINE must be a number of seconds"),
        ("CPAAS_DEADLINE", "Infinity", "CPAAS_DEADLINE must be a number of seconds"),
        ("CPAAS_MAX_ATTEMPTS", "0", "CPAAS_MAX_ATTEMPTS must be 1 to 4,294,967,295"),
        ("CPAAS_MAX_ATTEMPTS", "31337.5", "CPAAS_MAX_ATTEMPTS must be an integer"),
        ("CPAAS_REGION", "31337", REGIONS.replace("`region`", "CPAAS_REGION")),
        ("CPAAS_VALIDATION", "31337", "CPAAS_VALIDATION must be strict, pedantic, warn or off"),
    ],
)
def test_an_invalid_variable_is_refused_without_the_value(monkeypatch, name, value, message):
    monkeypatch.setenv(name, value)
    with pytest.raises(cpaas.Invalid) as found:
        cpaas.Client()
    assert found.value.message == message
    assert "31337" not in f"{found.value} {found.value!r}"


def test_the_variable_of_an_argument_is_not_read(monkeypatch):
    monkeypatch.setenv("CPAAS_DEADLINE", "ten")
    cpaas.Client(deadline=5).close()
    with pytest.raises(cpaas.Invalid, match="CPAAS_DEADLINE must be a number of seconds"):
        cpaas.Client(timeout=5)


@pytest.mark.parametrize("cls", CLIENTS)
def test_a_variable_near_to_a_setting_is_a_warning_without_its_value(cls, monkeypatch):
    for number, name in enumerate(
        [
            "CPAAS_SMS_KYE",
            "CPAAS_DEADLNE",
            "CPAAS_SMS_KEY",
            "CPAAS_BOT_ID",
            "CPAAS_JOURNAL",
            "CPAAS_SHOP",
            "SMS_KYE",
        ]
    ):
        monkeypatch.setenv(name, f"s3cr3t-{number}")
    monkeypatch.setattr("cpaas._base_client._named_variables", set())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="CPAAS_DEADLNE"):
            cls()
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        client = cls(sms_url="http://127.0.0.1:9")
        changed = client.with_options(timeout=3)
        again = cls()  # each name is reported once in a process
    assert [str(warning.message) for warning in found] == [
        "the environment variable CPAAS_DEADLNE is not a setting; did you mean CPAAS_DEADLINE?",
        "the environment variable CPAAS_SMS_KYE is not a setting; did you mean CPAAS_SMS_KEY?",
    ]
    assert {(warning.category, warning.filename) for warning in found} == {(UserWarning, __file__)}
    assert "s3cr3t" not in repr([vars(warning) for warning in found])
    assert not changed.closed
    assert not again.closed


def test_the_clients_of_a_sandbox_do_not_warn(monkeypatch):
    monkeypatch.setenv("CPAAS_SMS_KYE", "s3cr3t")

    async def use():
        async with cpaas.Sandbox() as sandbox, sandbox.async_client():
            await sandbox.overview()

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        with cpaas.Sandbox() as sandbox:
            sandbox.client().close()
        asyncio.run(use())
    assert not found


def test_settings_alone_are_no_warning(monkeypatch):
    monkeypatch.setenv("CPAAS_SMS_KEY", "key")
    monkeypatch.setenv("CPAAS_BOT_ID", "bot1:a")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cpaas.Client().close()


def test_the_command_prints_the_warning_as_one_line():
    environment = {**os.environ, "CPAAS_SMS_KYE": "s3cr3t", "CPAAS_MAX_ATTEMPTS": "1"}
    command = [
        sys.executable,
        "-m",
        "cpaas",
        "sms",
        "send",
        "--from",
        "Acme",
        "--to",
        "306912345678",
        "--text",
        "Hi",
    ]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    expected = (
        "cpaas: warning: the environment variable CPAAS_SMS_KYE is not a setting; did you mean CPAAS_SMS_KEY?"
    )
    assert done.stderr.splitlines()[0] == expected
    assert "s3cr3t" not in done.stdout + done.stderr


def test_a_passcode_without_a_code_in_its_text_is_a_warning_that_is_logged_once(caplog):
    _hooks._logged.clear()
    request = {"service": "login", "from_": "Acme", "body": "Your code is 482913"}
    with cpaas.Sandbox() as sandbox, sandbox.client() as client, caplog.at_level(logging.WARNING, "cpaas"):
        for number in range(2):
            with pytest.raises(cpaas.Rejected) as found:  # the sandbox requires `{code}`
                client.otp.send(to=f"30691234567{number}", **request)
            assert [problem.code for problem in found.value.problems] == ["otp.body.no_code"]
        with pytest.raises(cpaas.Invalid) as refused:
            client.otp.send(to="306912345678", **request, validate="pedantic")
    assert [problem.code for problem in refused.value.problems] == ["otp.body.no_code"]
    logged = [record for record in caplog.records if "/body" in record.getMessage()]
    assert [record.levelname for record in logged] == ["WARNING"]
    assert "482913" not in caplog.text
    assert "306912345" not in caplog.text
