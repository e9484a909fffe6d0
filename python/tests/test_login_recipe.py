"""The login application of docs/recipes.md, called through its routes."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "recipes.md"


@pytest.fixture
def login(sandbox, monkeypatch):
    """An HTTP client of the application, which sends to the sandbox."""
    testing = pytest.importorskip("fastapi.testclient")
    for name, value in sandbox.environment.items():
        monkeypatch.setenv(name, value)
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)
    [code] = [block for block in blocks if '@app.post("/login/verify")' in block]
    program = {}
    exec(code, program)
    with testing.TestClient(program["app"]) as client:
        yield client


def verify(login, request_id, code):
    return login.post("/login/verify", json={"request_id": request_id, "code": code}).status_code


def test_the_passcode_is_valid_once(login, sandbox):
    sent = login.post("/login", json={"phone": "+30 691 234 5678"})
    assert sent.status_code == 200
    request_id = sent.json()["request_id"]
    code = sandbox.wait_for(to="306912345678").otp
    wrong = f"{(int(code) + 1) % 1000000:06}"
    assert verify(login, request_id, wrong) == 401
    assert verify(login, request_id, code) == 200
    assert verify(login, request_id, code) == 401


@pytest.mark.parametrize("phone", ["", "6912345678", "306912345678", "+30 691 CALL", "+12", 306912345678])
def test_a_number_without_plus_and_country_code_is_422(login, sandbox, phone):
    assert login.post("/login", json={"phone": phone}).status_code == 422
    assert sandbox.messages() == ()


@pytest.mark.parametrize(("request_id", "code"), [("", "123456"), ("OTP1", ""), ("OTP1", " ")])
def test_a_blank_request_id_or_passcode_is_422(login, request_id, code):
    assert verify(login, request_id, code) == 422


def test_a_lost_response_is_502_or_503(login, sandbox):
    sandbox.fault("close-after-read", op="otp.send")
    assert login.post("/login", json={"phone": "+306912345678"}).status_code == 502
    sandbox.fault("close-after-read", op="otp.verify")
    assert verify(login, "OTP1", "123456") == 503


def test_a_rejection_is_503(login, sandbox):
    sandbox.fault("status", status=401, op="otp.send")
    assert login.post("/login", json={"phone": "+306912345678"}).status_code == 503


@pytest.mark.parametrize("body", ['{"phone": NaN}', '{"phone": ["\\ud800"]}', '{"phone": 7}', "[]", "{"])
def test_a_body_of_another_form_is_422(login, body):
    for route in ("/login", "/login/verify"):
        response = login.post(route, content=body, headers={"content-type": "application/json"})
        assert response.status_code == 422


def test_a_verification_that_was_not_sent_asks_to_try_again(login, sandbox):
    sandbox.fault("status", status=429, op="otp.verify")
    response = login.post("/login/verify", json={"request_id": "OTP1", "code": "123456"})
    assert (response.status_code, response.json()["detail"]) == (503, "try again later")
