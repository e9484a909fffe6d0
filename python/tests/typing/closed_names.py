"""The types of closed sets of names: checked by mypy --strict and pyright, never run."""

from __future__ import annotations

from typing import Literal

from typing_extensions import assert_never, assert_type

import cpaas
from cpaas import callbacks, models, types


def errors(error: cpaas.Error, rejected: cpaas.Rejected, campaign: cpaas.CampaignError) -> None:
    assert_type(error.sent, Literal["no", "maybe", "yes"])
    assert_type(error.processed, Literal["no", "maybe", "yes"])
    reason: types.Reason | types.CampaignReason | types.RejectionReason | None = error.reason
    of_call: types.Reason | None = rejected.reason
    of_campaign: types.CampaignReason | None = campaign.reason
    name: str | None = error.reason_name
    print(reason, of_call, of_campaign, name)


def heading(problem: cpaas.Problem) -> str:
    severity: types.Severity = problem.severity
    if severity == "error":
        return "must be corrected"
    if severity == "warning":
        return "probably a mistake"
    if severity == "info":
        return "a hint"
    assert_never(severity)


def advise(error: cpaas.TransportError) -> str:
    if error.sent == "no":
        return "try again"
    if error.sent == "maybe":
        return "ask the guest"
    if error.sent == "yes":
        return "sent"
    assert_never(error.sent)


def states(status: cpaas.CampaignStatus) -> bool:
    state: types.CampaignState = status.state
    stopped: types.StopReason | None = status.reason
    return state == "done" and stopped is None


def outcomes(campaign: cpaas.Campaign, message: cpaas.CampaignTestMessage) -> None:
    chosen: list[types.RowOutcome] = ["unknown", "pending"]
    print(list(campaign.rows(outcome=chosen)), list(campaign.rows(outcome="rejected")))
    outcome: types.TestOutcome | None = message.outcome
    print(outcome)


def others(text: cpaas.TextError, markup: cpaas.MarkupError, callback: callbacks.CallbackRejected) -> None:
    code: types.TextErrorCode | None = text.code
    kind: types.MarkupErrorKind | None = markup.kind
    reason: types.RejectionReason | None = callback.reason
    print(code, kind, reason)


def bulk(sent: models.BulkSent) -> list[types.ElementOutcome]:
    return [message.outcome for message in sent.messages]


def events(event: cpaas.Event) -> types.Reason | None:
    return event.reason


def pages(client: cpaas.Client) -> models.OtpRecords | None:
    return client.otp.search().next_page()


async def async_pages(client: cpaas.AsyncClient) -> models.LimitList | None:
    page = await client.otp.limits.list()
    return await page.next_page_async()


def settings() -> cpaas.Client:
    return cpaas.Client(region="frankfurt", validation="strict", sms_format="json", messaging_auth="basic")
