"""Prices in several currencies: the plan of a campaign has a sum for each, and its status has no spend."""

import pytest

import cpaas

TEMPLATE = {"from": "Acme", "to": "{{ phone }}", "text": "Hi"}
PRICES = "prefix,price,currency\n30,0.05,EUR\n306,0.0375,EUR\n44,0.04,GBP\n1,0.01,USD\n"
ROWS = [{"phone": phone} for phone in ("306900000001", "302101234567", "447400123456", "4915112345678")]


def shares(found):
    return {name: (share.rows, share.parts, share.price, share.currency) for name, share in found.items()}


def test_a_plan_has_a_sum_for_each_currency():
    plan = cpaas.plan("sms.send", ROWS, TEMPLATE, prices=PRICES)
    assert shares(plan.by_currency) == {"EUR": (2, 2, "0.0875", "EUR"), "GBP": (1, 1, "0.04", "GBP")}
    assert (plan.total.price, plan.total.currency, plan.currency) == (None, None, None)
    assert plan.by_encoding["gsm7"].price is None
    assert (plan.by_prefix["44"].price, plan.by_prefix["44"].currency) == ("0.04", "GBP")
    lines = str(plan).splitlines()
    assert "4 parts, 0.0875 EUR + 0.04 GBP" in lines
    assert "  +306: 1 rows, 1 parts, 0.0375 EUR" in lines
    assert "  no price: 1 rows, 1 parts" in lines
    one = cpaas.plan("sms.send", ROWS[2:3], TEMPLATE, prices=PRICES)
    assert (one.total.price, one.currency) == ("0.04", "GBP")


def test_a_maximum_spend_requires_prices_in_one_currency(tmp_path):
    message = "the maximum spend requires prices in one currency, because it is one amount"
    with pytest.raises(cpaas.CampaignError, match=message):
        cpaas.plan("sms.send", ROWS, TEMPLATE, prices=PRICES, max_spend="5")
    with pytest.raises(cpaas.CampaignError, match=message):
        cpaas.Campaign.create(
            tmp_path / "j.db", "sms.send", ROWS, TEMPLATE, name="c", prices=PRICES, max_spend="5"
        )


def test_a_campaign_with_several_currencies_has_no_spend(tmp_path):
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        campaign = cpaas.Campaign.create(
            tmp_path / "j.db", "sms.send", ROWS, TEMPLATE, name="c", prices=PRICES
        )
        campaign.run(client)
        status = campaign.status()
        assert (status.accepted, status.spend, status.currency) == (4, None, None)
        assert "spend      several currencies" in str(status)
        without = campaign.plan()
        assert (without.total.price, without.total.parts, without.by_currency) == (None, 4, {})
        assert "4 parts, prices in several currencies" in str(without)
        assert shares(campaign.plan(prices=PRICES).by_currency) == {
            "EUR": (2, 2, "0.0875", "EUR"),
            "GBP": (1, 1, "0.04", "GBP"),
        }
        assert campaign.plan(prices="prefix,price,currency\n3,0.01,EUR\n4,0.02,EUR\n").total.price == "0.06"
