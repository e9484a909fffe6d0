"""Typical user code: checked by mypy --strict and pyright, never run."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import polars as pl

import cpaas
from cpaas import callbacks, models, types


def send(client: cpaas.Client) -> str:
    sent: models.Sent = client.sms.send(from_="Acme", to="306912345678", text="Hi", timeout=5)
    length: int | None = sent.text_length
    status: int = sent.response.status if sent.response else 0
    print(length, status, sent.headers.get("date"), [problem.code for problem in sent.warnings])
    return sent.replace(id="1").id


def frames(frame: pl.DataFrame, template: dict[str, str]) -> cpaas.Campaign:
    print(
        cpaas.plan("sms.send", frame, template).total.rows,
        cpaas.plan("sms.send", frame.lazy(), template).total.rows,
    )
    return cpaas.Campaign.create("campaigns.db", "sms.send", frame.lazy(), template)


def chat(client: cpaas.Client) -> models.Message:
    card: types.Card = {
        "title": "Red shoe",
        "media": {"height": "TALL", "contentInfo": {"fileUrl": "https://a.b/c.png"}},
    }
    carousel: types.Carousel = {"cardWidth": "MEDIUM", "cardContents": [card, card]}
    return client.messages.send(destination="306912345678", business_chat={"carouselCard": carousel})


def failover(client: cpaas.Client) -> tuple[str | None, ...]:
    return client.messages.send_failover(
        destination="306912345678",
        channels={
            "messenger_b": {"text": "Hi", "type": "promotional"},
            "sms": {"text": "Hi", "sender": "Acme"},
        },
        failover={"type": "Timeout", "timeoutFailover": {"timeoutInSeconds": 30, "status": "Delivered"}},
    )


def records(client: cpaas.Client) -> list[str]:
    total: int | None = client.otp.search(page_size=10).total
    print(total)
    return [record.sid for record in client.otp.search(status="success") if record.sid is not None]


def bulk(client: cpaas.Client) -> list[str]:
    sent = client.sms.send_bulk(from_="Acme", to=["306912345678", "306912345679"], text="Hi")
    counts: tuple[int, int, int] = (sent.accepted, sent.rejected, sent.missing)
    print(counts, [message.outcome for message in sent.messages])
    return [message.id for message in sent.messages if message.id is not None]


def agree(client: cpaas.Client, asynchronous: cpaas.AsyncClient) -> list[cpaas.Report]:
    request: types.SmsSendBulk = {"from": "Acme", "to": ["306912345678"], "text": "Hi", "type": "auto"}
    print(client.call("sms.send_bulk", request), cpaas.validate("sms.send_bulk", request).ok)
    print(asynchronous.validate("sms.send_bulk", request).ok)
    return client.validate("sms.send_bulk", [request])


def limit(client: cpaas.Client) -> str | None:
    data = client.otp.limits.get(sid="LM1").data
    return None if data is None else data.name


async def later() -> None:
    async with cpaas.AsyncClient(sms_url="https://sms.example", sms_key="key") as client:
        sent = await client.sms.send(from_="Acme", to="306912345678", text="Hi")
        print(sent.id)
        async for record in client.otp.search():
            print(record.status)
        page = await client.otp.limits.list()
        print([limit.name for limit in page.items])
        found = await client.lookup(msisdn=["306912345678"])
        print(found[0].mcc, found.raw)


def handle(error: cpaas.Error) -> None:
    if isinstance(error, cpaas.RateLimited) and error.retry_after is not None:
        print(error.retry_after + 1)
    evidence: str | None = error.evidence
    print(evidence)
    for problem in error.problems:
        print(problem.pointer, problem.argument, problem.params.get("limit"))


def texts() -> None:
    parts = cpaas.segments("it’s here", split="grapheme")
    print(parts.count, [part.text for part in parts.parts], cpaas.count_segments(["a"]).total)
    report = cpaas.validate("sms.send", {"from": "Acme"})
    print(report.ok, [problem.code for problem in report])


def receive() -> None:
    keys = callbacks.Keyring([("k1", b"thirty-two bytes that are random")])
    receiver = callbacks.Receiver(
        audience="shop", public_url="https://shop.example/hooks", delivery_keys=keys
    )

    def handler(event: callbacks.Received) -> None:
        print(event.kind, event.message_id)

    class Leases:
        def claim(self, key: str, token: str, lease: float) -> tuple[str, float]:
            return "new", 0

        def done(self, key: str, token: str, keep: float) -> None: ...

        def free(self, key: str, token: str) -> None: ...

    class AsyncLeases:
        async def claim(self, key: str, token: str, lease: float) -> tuple[str, float]:
            return "busy", lease

        async def done(self, key: str, token: str, keep: float) -> None: ...

        async def free(self, key: str, token: str) -> None: ...

    class TwoStates:
        def swap(self, key: str, present: bool) -> bool:
            return present

    for store in (Leases(), AsyncLeases(), TwoStates()):
        print(callbacks.Duplicates(store=store))
    duplicates = callbacks.Duplicates(
        10, store=AsyncLeases(), lease=timedelta(minutes=1), keep=3600, prefix="shop:"
    )
    print(callbacks.asgi(receiver, handler, duplicates=duplicates))
    print(callbacks.asgi(receiver, handler), callbacks.wsgi(receiver, handler))


def sandbox() -> None:
    with cpaas.Sandbox(seed=7, allow_host=["sandbox.test"]) as one, one.client() as client:
        client.sms.send(from_="Acme", to="306912345678", text="Hi")
        print(one.wait_for(to="306912345678", timeout=timedelta(seconds=5)).otp)
        print(one.events(wait=timedelta(seconds=1)), one.callbacks(wait=timedelta(seconds=1)))


def campaign(client: cpaas.Client) -> None:
    template = {"from": "Acme", "to": "{{ phone }}", "text": "Hi {{ name }}"}
    plan = cpaas.plan("sms.send", "people.csv", template, rate=200)
    print(plan.total.price, [problem.row for problem in plan.problems], plan.by_prefix["30"].parts)
    rows = ({"phone": phone, "name": "Ann"} for phone in ("306912345678",))
    one = cpaas.Campaign.create(
        "autumn.db", "sms.send", rows, template, suppress=["306912345679"], window="09:00-20:00"
    )
    status: cpaas.CampaignStatus = one.run(client, on_progress=lambda status: print(status.pending))
    accepted: int = status.accepted
    print(
        accepted,
        one.resolve("accepted", rows=[1]).resolved,
        [status.name for status in one.list("autumn.db")],
    )
    client.send_once("order-1", "sms.send", journal="once.db", from_="Acme", to="306912345678", text="Hi")


async def awaited(client: cpaas.AsyncClient) -> int:
    status: cpaas.CampaignStatus = await cpaas.Campaign.open("autumn.db").run(
        client, deadline=timedelta(seconds=30)
    )
    await client.send_once(
        "order-1", "sms.send", journal="once.db", from_="Acme", to="306912345678", text="Hi"
    )
    return status.unknown


if __name__ == "__main__":
    asyncio.run(later())


def headers_and_hooks(url: str) -> None:
    def on_request(event: cpaas.RequestEvent) -> None:
        print(event.operation, event.attempt, event.method, event.url, event.call_id)

    def on_response(event: cpaas.ResponseEvent) -> None:
        status: int = event.status
        print(status, event.elapsed)

    with cpaas.Client(sms_url=url, on_request=on_request, on_response=on_response) as client:
        client.sms.send(from_="Acme", to="306912345678", text="Hi", extra_headers={"X-Tenant": "shop-7"})
        status: int = client.call_raw("GET", "sms", "/x", extra_headers={"X-A": "1"}).status
        print(status, client.call("sms.send", {}, extra_headers={"X-A": "1"}))


def values(client: cpaas.Client) -> tuple[datetime | None, Decimal | None, dict[str, Any]]:
    found: models.Records[models.LookupResult] = client.lookup(msisdn="306912345678")
    return found[0].date_datetime, found[0].cost_decimal, found[0].to_dict(by="python")


async def async_values(client: cpaas.AsyncClient) -> models.Records[models.LookupResult]:
    response = await client.call_raw("GET", "sms", "/x", timeout=timedelta(seconds=5))
    body: bytes = response.body
    print(body)
    return await client.lookup(msisdn="306912345678", deadline=timedelta(seconds=5))
