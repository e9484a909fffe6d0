"""A campaign and a key belong to the provider with which they began."""

import pytest
from campaign_cases import create, journal, phone

import cpaas


def send(client, journal, **options):
    return client.send_once(
        "order-17", "sms.send", journal=journal, from_="Acme", to=phone(1), text="Ready", **options
    )


def test_a_key_of_a_sandbox_is_refused_by_another_provider(sandbox, client, journal):
    sent = send(client, journal)
    with cpaas.Sandbox() as other, other.client() as wrong:
        with pytest.raises(
            cpaas.CampaignError, match="must continue with the provider that it began with"
        ) as caught:
            send(wrong, journal)
        assert caught.value.reason == "other_provider"
        assert send(wrong, journal, any_provider=True) == sent
        assert other.ledger() == ()
    assert send(client, journal, any_provider=True) == sent


def test_a_campaign_of_a_sandbox_is_refused_by_another_provider(sandbox, client, journal):
    campaign = create(journal, 20)
    campaign.run(client, limit=5)
    with cpaas.Sandbox() as other, other.client() as wrong:
        with pytest.raises(cpaas.CampaignError) as caught:
            campaign.run(wrong)
        assert (caught.value.reason, other.ledger()) == ("other_provider", ())
        assert campaign.run(wrong, any_provider=True).accepted == 20
        assert len(other.ledger()) == 15


def test_a_finished_campaign_stays_done(client, journal):
    campaign = create(journal, 3)
    campaign.run(client)
    campaign.cancel()
    campaign.pause()
    assert campaign.status().state == "done"
