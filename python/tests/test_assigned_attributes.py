"""Assignments that would have no effect raise; those that have one still work."""

import functools
from unittest import mock

import pytest

import cpaas

URL = "http://127.0.0.1:9"


@pytest.fixture(params=["Client", "AsyncClient"])
def client(request):
    made = getattr(cpaas, request.param)(sms_url=URL, sms_key="k", read_environment=False)
    yield made
    made._native.close()


@pytest.mark.parametrize(
    "name", ["timeout", "suppression", "guard", "on_outcome", "sms_key", "pickle_secrets"]
)
def test_a_setting_of_a_client_is_not_assigned(client, name):
    with pytest.raises(AttributeError) as caught:
        setattr(client, name, 3)
    expected = f"{type(client).__name__} has no attribute '{name}': it is a setting. "
    assert str(caught.value) == f"{expected}Use client.with_options({name}=…), which returns another client"
    assert name not in vars(client)


def test_a_value_is_not_in_the_message(client):
    with pytest.raises(AttributeError) as caught:
        client.sms_key = "s3cr3t"
    assert "s3cr3t" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "meant"), [("timout", "the setting 'timeout'"), ("mesages", "'messages'"), ("tenant", None)]
)
def test_an_unknown_attribute_of_a_client_is_not_assigned(client, name, meant):
    with pytest.raises(AttributeError, match=f"Client has no attribute '{name}'") as caught:
        setattr(client, name, 3)
    assert ("did you mean" in str(caught.value)) == (meant is not None)
    assert meant is None or f"did you mean {meant}?" in str(caught.value)


@pytest.mark.parametrize("name", ["closed", "settings"])
def test_a_property_is_not_assigned(client, name):
    with pytest.raises(AttributeError):
        setattr(client, name, None)


def test_groups_and_methods_can_be_replaced(client, monkeypatch):
    monkeypatch.setattr(client, "sms", "fake")
    monkeypatch.setattr(client, "call", len)
    assert (client.sms, client.call) == ("fake", len)
    monkeypatch.undo()
    with mock.patch.object(client, "otp") as fake:
        assert client.otp is fake
    assert client.otp is not fake
    assert client.sms != "fake"


def test_a_subclass_has_attributes_of_its_own():
    class Mine(cpaas.Client):
        deadline: float
        timeout = 3

        def __init__(self, tenant, **settings):
            super().__init__(**settings)
            self.tenant = tenant

        @functools.cached_property
        def slow(self):
            return len(self.tenant)

    with Mine("shop", sms_url=URL, read_environment=False) as client:
        client.timeout, client.deadline = 5, 7.0
        client.undeclared = 1
        assert (client.tenant, client.slow, client.timeout, client.deadline) == ("shop", 4, 5, 7.0)
        assert client.with_options(max_attempts=1).tenant == "shop"
        with pytest.raises(AttributeError, match="Mine has no attribute 'suppression': it is a setting"):
            client.suppression = None


def test_a_mock_has_any_setting():
    client = mock.create_autospec(cpaas.Client, instance=True)
    client.sms.send.return_value = 1
    assert client.sms.send(from_="A", to="306912345678", text="x") == 1


@pytest.fixture
def campaign(tmp_path):
    template = {"from": "A", "to": "{{ phone }}", "text": "x"}
    rows = [{"phone": "306912345678"}]
    return cpaas.Campaign.create(tmp_path / "c.db", "sms.send", rows, template, rate=5)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rate", "'rate': it is a setting. Use campaign.set(rate=…)"),
        (
            "prices",
            "'prices': it is a setting. Settings other than those of campaign.set are fixed by Campaign.create",
        ),
        ("raet", "'raet'; did you mean the setting 'rate'? Use campaign.set(rate=…)"),
        ("sttaus", "'sttaus'; did you mean 'status'?"),
        ("xyz", "'xyz'"),
    ],
)
def test_an_attribute_of_a_campaign_is_not_assigned(campaign, name, expected):
    with pytest.raises(AttributeError) as caught:
        setattr(campaign, name, 3)
    assert str(caught.value) == f"Campaign has no attribute {expected}"


def test_the_name_of_a_campaign_is_not_assigned(campaign):
    with pytest.raises(AttributeError):
        campaign.name = "other"


def test_a_subclass_of_campaign_has_attributes_of_its_own(campaign):
    class Mine(cpaas.Campaign):
        pass

    mine = Mine(campaign._url, campaign.name)
    mine.tenant = "shop"
    assert mine.tenant == "shop"
    with pytest.raises(AttributeError, match=r"campaign\.set"):
        mine.rate = 3
