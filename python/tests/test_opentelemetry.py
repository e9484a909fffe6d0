"""`cpaas.contrib.opentelemetry` with the SDK of OpenTelemetry, an exporter and a reader in memory."""

import asyncio
import re
import subprocess
import sys
import threading
import time

import pytest
from campaign_cases import create, people
from conftest import http_response
from opentelemetry import baggage, context
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF
from opentelemetry.trace import SpanKind, StatusCode

import cpaas
from cpaas.contrib.opentelemetry import instrument, uninstrument

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}
THROTTLED = {"responseCode": 499, "responseText": "slow"}


@pytest.fixture
def exporter():
    return InMemorySpanExporter()


@pytest.fixture
def provider(exporter):
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider


@pytest.fixture
def reader():
    return InMemoryMetricReader()


@pytest.fixture
def providers(provider, reader):
    return {
        "tracer_provider": provider,
        "meter_provider": MeterProvider([reader], shutdown_on_exit=False),
    }


@pytest.fixture
def client(wire, providers):
    with wire.client() as client:
        instrument(client, **providers)
        yield client


def throttle_first_request(wire):
    """Makes the server respond with 429 to the first request."""
    accepted = wire.script

    def script(request):
        first = len(wire.requests) == 1
        return http_response(THROTTLED, 429, [("retry-after", "0")]) if first else accepted(request)

    wire.script = script


def split(exporter):
    """The spans of calls, and those of requests, in the order of their start."""
    spans = sorted(exporter.get_finished_spans(), key=lambda span: span.start_time)
    of_cpaas = [span for span in spans if span.instrumentation_scope.name == "cpaas"]
    calls = [span for span in of_cpaas if span.kind is SpanKind.INTERNAL]
    return calls, [span for span in of_cpaas if span.kind is SpanKind.CLIENT]


def traceparent(span):
    context = span.get_span_context()
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"


def points(reader):
    data = reader.get_metrics_data()
    found = [metric for r in data.resource_metrics for s in r.scope_metrics for metric in s.metrics]
    [metric] = found
    return metric, list(metric.data.data_points)


def test_a_call_has_a_span_and_its_request_has_one(wire, client, exporter):
    sent = client.sms.send(**SMS)
    [call], [request] = split(exporter)
    port = wire.server.server_address[1]
    assert (call.name, call.kind, call.parent) == ("sms.send", SpanKind.INTERNAL, None)
    assert dict(call.attributes) == {
        "cpaas.operation": "sms.send",
        "cpaas.call_id": sent.call_id,
        "cpaas.outcome": "accepted",
        "cpaas.attempts": 1,
        "cpaas.sent": "yes",
    }
    assert (request.name, request.kind) == ("POST /sms", SpanKind.CLIENT)
    assert request.parent.span_id == call.context.span_id
    assert dict(request.attributes) == {
        "http.request.method": "POST",
        "server.address": "127.0.0.1",
        "server.port": port,
        "url.full": f"http://127.0.0.1:{port}/sms",
        "url.template": "/sms",
        "http.response.status_code": 200,
        "network.protocol.version": "1.1",
        "cpaas.operation": "sms.send",
        "cpaas.call_id": sent.call_id,
    }
    for span in (call, request):
        assert span.status.status_code is StatusCode.UNSET
        assert span.instrumentation_scope.name == "cpaas"
        assert span.instrumentation_scope.schema_url == "https://opentelemetry.io/schemas/1.23.1"
    assert call.start_time <= request.start_time < request.end_time <= call.end_time
    assert [it.headers["traceparent"] for it in wire.requests] == [traceparent(request)]


def test_the_span_begins_before_the_request(wire, client, exporter):
    began = []
    accepted = wire.script

    def script(request):
        began.append(time.time_ns())
        return accepted(request)

    wire.script = script
    client.sms.send(**SMS)
    _, [request] = split(exporter)
    assert request.start_time < began[0] < request.end_time


@pytest.mark.parametrize("is_async", [False, True])
def test_each_attempt_has_a_span(wire, providers, exporter, reader, is_async):
    throttle_first_request(wire)

    async def main():
        async with wire.async_client(max_attempts=3) as client:
            instrument(client, **providers)
            return await client.sms.send(**SMS)

    if is_async:
        sent = asyncio.run(main())
    else:
        with wire.client(max_attempts=3) as client:
            instrument(client, **providers)
            sent = client.sms.send(**SMS)
    [call], [first, second] = split(exporter)
    assert (call.attributes["cpaas.attempts"], call.attributes["cpaas.call_id"]) == (2, sent.call_id)
    assert (call.status.status_code, second.status.status_code) == (StatusCode.UNSET, StatusCode.UNSET)
    assert (first.status.status_code, first.attributes["error.type"]) == (StatusCode.ERROR, "429")
    assert first.attributes["http.response.status_code"] == 429
    assert "http.request.resend_count" not in first.attributes
    assert second.attributes["http.request.resend_count"] == 1
    assert {span.parent.span_id for span in (first, second)} == {call.context.span_id}
    assert first.end_time <= second.start_time
    assert [it.headers["traceparent"] for it in wire.requests] == [traceparent(first), traceparent(second)]
    _, found = points(reader)
    assert sorted(point.attributes["http.response.status_code"] for point in found) == [200, 429]


def test_the_duration_of_requests_is_measured(wire, client, reader):
    client.sms.send(**SMS)
    client.sms.send(**SMS)
    metric, [point] = points(reader)
    assert (metric.name, metric.unit) == ("http.client.request.duration", "s")
    assert dict(point.attributes) == {
        "http.request.method": "POST",
        "server.address": "127.0.0.1",
        "server.port": wire.server.server_address[1],
        "http.response.status_code": 200,
        "network.protocol.version": "1.1",
    }
    assert point.count == 2
    assert 0 < point.sum < 60
    boundaries = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10)
    assert tuple(point.explicit_bounds) == boundaries


def test_a_rejection_is_an_error_with_the_status(wire, client, exporter):
    wire.script = lambda _: http_response({"responseCode": 904, "responseText": "no"}, status=404)
    with pytest.raises(cpaas.Rejected) as caught:
        client.sms.send(**SMS)
    [call], [request] = split(exporter)
    assert call.status.status_code is request.status.status_code is StatusCode.ERROR
    assert (request.attributes["error.type"], request.attributes["http.response.status_code"]) == ("404", 404)
    assert (call.attributes["error.type"], call.attributes["cpaas.outcome"]) == ("http", "rejected")
    assert call.attributes["cpaas.call_id"] == caught.value.call_id


def test_a_rejection_with_the_status_200_is_an_error_of_the_call_only(wire, client, exporter):
    wire.script = lambda _: http_response({"responseCode": 904, "responseText": "no"})
    with pytest.raises(cpaas.Rejected):
        client.sms.send(**SMS)
    [call], [request] = split(exporter)
    assert (call.status.status_code, request.status.status_code) == (StatusCode.ERROR, StatusCode.UNSET)
    assert "error.type" not in request.attributes


def test_a_lost_response_is_an_error_with_the_reason(wire, client, exporter, reader):
    wire.script = lambda _: None
    with pytest.raises(cpaas.OutcomeUnknown) as caught:
        client.sms.send(**SMS)
    [call], [request] = split(exporter)
    assert request.attributes["error.type"] == call.attributes["error.type"] == caught.value.reason
    assert "http.response.status_code" not in request.attributes
    assert (call.attributes["cpaas.outcome"], call.attributes["cpaas.sent"]) == ("unknown", "maybe")
    _, [point] = points(reader)
    assert point.attributes["error.type"] == caught.value.reason


def test_a_request_that_is_not_sent_has_a_span(wire, providers, exporter):
    wire.server.shutdown()
    wire.server.server_close()
    with wire.client(max_attempts=2) as client:
        instrument(client, **providers)
        with pytest.raises(cpaas.NotSent):
            client.sms.send(**SMS)
    [call], requests = split(exporter)
    assert [span.attributes["error.type"] for span in requests] == ["connect", "connect"]
    assert (call.attributes["cpaas.sent"], call.attributes["cpaas.attempts"]) == ("no", 2)


@pytest.mark.parametrize("is_async", [False, True])
def test_an_invalid_call_has_a_span_without_a_request(wire, providers, exporter, is_async):
    bad = {"from_": "", "to": "", "text": ""}

    async def main():
        async with wire.async_client() as client:
            instrument(client, **providers)
            await client.sms.send(**bad)

    with pytest.raises(cpaas.Invalid) as caught:
        if is_async:
            asyncio.run(main())
        with wire.client() as client:
            instrument(client, **providers)
            client.sms.send(**bad)
    [call], requests = split(exporter)
    assert (call.name, requests) == ("sms.send", [])
    assert (call.attributes["error.type"], call.attributes["cpaas.attempts"]) == ("validation", 0)
    assert call.attributes["cpaas.call_id"] == caught.value.call_id


def test_a_search_in_the_records_has_a_span(wire, providers, exporter):
    wire.script = lambda request: None if request.method == "POST" else http_response({"x": 1}, 500)
    with wire.client() as client:
        instrument(client, **providers)
        with pytest.raises(cpaas.OutcomeUnknown):
            client.otp.cancel(request_id="OTP1")
    [call], [request, *lookups] = split(exporter)
    assert "cpaas.is_lookup" not in request.attributes
    assert lookups
    assert all(span.attributes["cpaas.is_lookup"] for span in lookups)
    assert {span.parent.span_id for span in lookups} == {call.context.span_id}
    assert len(wire.requests) == 1 + len(lookups)


def test_the_parent_is_the_current_span(wire, client, provider, exporter):
    with provider.get_tracer("app").start_as_current_span("request") as parent:
        client.sms.send(**SMS)
    [call], [request] = split(exporter)
    assert call.parent.span_id == parent.get_span_context().span_id
    assert request.context.trace_id == parent.get_span_context().trace_id


def test_64_async_calls_have_the_parent_of_their_task(wire, providers, provider, exporter):
    tracer = provider.get_tracer("app")
    sent = {}

    async def one(client, number):
        with tracer.start_as_current_span(f"task {number}") as span:
            result = await client.sms.send(**{**SMS, "text": f"text {number}"})
            sent[number] = (span.get_span_context(), result.call_id)

    async def main():
        async with wire.async_client() as client:
            instrument(client, **providers)
            await asyncio.gather(*(one(client, number) for number in range(64)))

    asyncio.run(main())
    calls, requests = split(exporter)
    by_call = {span.attributes["cpaas.call_id"]: span for span in calls}
    request_of = {span.attributes["cpaas.call_id"]: span for span in requests}
    header = {it.json["text"]: it.headers["traceparent"] for it in wire.requests}
    assert len(calls) == len(requests) == len(by_call) == len(sent) == 64
    for number, (parent, call_id) in sent.items():
        assert by_call[call_id].parent.span_id == parent.span_id
        assert by_call[call_id].context.trace_id == parent.trace_id
        assert request_of[call_id].parent.span_id == by_call[call_id].context.span_id
        assert header[f"text {number}"] == traceparent(request_of[call_id])


def test_the_calls_of_send_many_have_the_parent_of_their_caller(wire, client, provider, exporter):
    with provider.get_tracer("app").start_as_current_span("bulk") as parent:
        results = client.sms.send_many([SMS] * 40, concurrency=8)
    assert all(results)
    calls, requests = split(exporter)
    assert {span.parent.span_id for span in calls} == {parent.get_span_context().span_id}
    assert len(calls) == len(requests) == 40
    assert {span.parent.span_id for span in requests} == {span.context.span_id for span in calls}


def test_threads_have_the_parent_of_their_own(client, provider, exporter):
    tracer = provider.get_tracer("app")
    parents = {}

    def work(number):
        with tracer.start_as_current_span("thread") as span:
            parents[client.sms.send(**SMS).call_id] = span.get_span_context().span_id

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    calls, _ = split(exporter)
    assert {span.attributes["cpaas.call_id"]: span.parent.span_id for span in calls} == parents


def test_a_cancelled_call_has_a_span_and_its_request_too(wire, providers, exporter, reader):
    asked, release = threading.Event(), threading.Event()

    def script(_):
        asked.set()
        release.wait(10)

    wire.script = script

    async def main():
        async with wire.async_client() as client:
            instrument(client, **providers)
            task = asyncio.create_task(client.sms.send(**SMS))
            while not asked.is_set():
                await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    release.set()
    [call], [request] = split(exporter)
    assert (call.attributes["cpaas.outcome"], call.attributes["cpaas.sent"]) == ("abandoned", "maybe")
    assert request.attributes["error.type"] == "cancelled"
    assert call.status.status_code is request.status.status_code is StatusCode.ERROR
    assert request.end_time <= call.end_time


def test_a_call_that_is_cancelled_before_it_starts_has_a_span(wire, providers, exporter):
    async def main():
        async with wire.async_client() as client:
            instrument(client, **providers)
            task = asyncio.create_task(client.sms.send(**SMS))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    [call], _ = split(exporter)
    assert (call.attributes["cpaas.outcome"], call.attributes["error.type"]) == ("abandoned", "abandoned")


def test_the_deadline_ends_a_call_whose_event_loop_is_blocked(wire, providers, exporter):
    """The request waits for its span, which the event loop creates."""

    async def main():
        async with wire.async_client(deadline=0.2) as client:
            instrument(client, **providers)
            task = asyncio.create_task(client.sms.send(**SMS))
            await asyncio.sleep(0)
            time.sleep(0.6)
            with pytest.raises(cpaas.NotSentTimeout) as caught:
                await task
            return caught.value

    error = asyncio.run(main())
    assert (error.sent, error.reason, wire.requests) == ("no", "deadline", [])
    [call], _ = split(exporter)
    assert call.attributes["cpaas.outcome"] == "not_sent"


def test_send_once_has_a_span_for_each_call(sandbox, providers, exporter, tmp_path):
    with sandbox.client() as client:
        instrument(client, **providers)
        journal = tmp_path / "once.db"
        first = client.send_once("order-1", "sms.send", journal=journal, **SMS)
        assert client.send_once("order-1", "sms.send", journal=journal, **SMS).id == first.id
    [call], [request] = split(exporter)
    assert call.attributes["cpaas.outcome"] == "accepted"
    [message] = sandbox.messages()
    assert message.traceparent == traceparent(request)


@pytest.mark.parametrize("is_async", [False, True])
def test_the_messages_of_a_campaign_have_spans(sandbox, providers, provider, exporter, tmp_path, is_async):
    campaign = create(tmp_path / "journal.db", people(20))
    hooked = []

    async def main():
        async with sandbox.async_client(on_outcome=hooked.append) as client:
            instrument(client, **providers)
            with provider.get_tracer("app").start_as_current_span("campaign") as parent:
                assert (await campaign.run(client, concurrency=8)).accepted == 20
            return parent

    if is_async:
        parent = asyncio.run(main())
    else:
        with sandbox.client(on_outcome=hooked.append) as client:
            instrument(client, **providers)
            with provider.get_tracer("app").start_as_current_span("campaign") as parent:
                assert campaign.run(client, concurrency=8).accepted == 20
    calls, requests = split(exporter)
    assert len(calls) == len(requests) == 20
    assert {span.parent.span_id for span in calls} == {parent.get_span_context().span_id}
    assert {message.traceparent for message in sandbox.messages()} == set(map(traceparent, requests))
    assert hooked == []


def test_the_inbox_of_the_sandbox_joins_a_message_with_its_call(sandbox, providers, exporter):
    with sandbox.client() as client:
        instrument(client, **providers)
        sent = client.sms.send(**SMS)
    _, [request] = split(exporter)
    [message] = sandbox.messages()
    assert message.traceparent == traceparent(request)
    assert request.attributes["cpaas.call_id"] == sent.call_id


def test_without_a_sampled_span_the_context_is_still_propagated(wire):
    with wire.client() as client:
        instrument(client, tracer_provider=TracerProvider(sampler=ALWAYS_OFF, shutdown_on_exit=False))
        client.sms.send(**SMS)
    assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-0[02]", wire.requests[0].headers["traceparent"])


def test_neither_baggage_nor_tracestate_is_sent(wire, client):
    token = context.attach(baggage.set_baggage("user", "secret-user"))
    try:
        client.sms.send(**SMS)
    finally:
        context.detach(token)
    assert "traceparent" in wire.requests[0].headers
    assert not {"baggage", "tracestate"} & wire.requests[0].headers.keys()


def test_a_traceparent_of_the_caller_is_not_replaced(wire, client):
    own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    client.sms.send(**SMS, extra_headers={"Traceparent": own})
    assert wire.requests[0].headers["traceparent"] == own


def test_spans_and_measurements_contain_no_secret(wire, providers, exporter, reader):
    wire.script = lambda _: http_response({})
    with wire.client() as client:
        instrument(client, **providers)
        for call in (
            lambda: client.webhooks.messenger_c.info(bot_id="12345:secret"),
            lambda: client.lookup(msisdn="306912345678"),
            lambda: client.otp.verify(service="login", request_id="OTPsecret1", code="482913"),
            lambda: client.call_raw("GET", "messenger_c", "/12345:secret/x", query={"q": "secret"}),
            lambda: client.sms.send(**SMS, reference="secret-reference", extra_headers={"X-A": "secret"}),
            lambda: client.sms.send(from_="secret", to="secret", text="secret"),
        ):
            try:
                call()
            except cpaas.Error:
                pass
    calls, requests = split(exporter)
    assert len(calls) == 6
    assert len(requests) >= 5
    shown = [{**span.attributes, "name": span.name, "events": span.events} for span in (*calls, *requests)]
    shown += [dict(point.attributes) for point in points(reader)[1]]
    shown += [span.status.description for span in (*calls, *requests)]
    for values in shown:
        text = str(values).replace("cpaas.call_id", "")
        assert not any(word in text for word in ("secret", "306912345678", "482913")), text
    raw = [span for span in requests if span.attributes["cpaas.operation"] == "raw"]
    assert [(span.name, "url.template" in span.attributes) for span in raw] == [("GET", False)]


def test_uninstrument_removes_only_the_hooks_of_instrument(wire, providers, exporter):
    seen = []
    with wire.client(on_outcome=seen.append) as client:
        sms = client.sms  # groups that exist already are instrumented too
        instrument(client, **providers)
        instrument(client, **providers)
        sms.send(**SMS)
        client.with_options(timeout=5).sms.send(**SMS)
        assert len(split(exporter)[0]) == 2
        uninstrument(client)
        uninstrument(client)
        sms.send(**SMS)
    assert len(split(exporter)[0]) == 2
    assert len(seen) == 3
    assert "traceparent" not in wire.requests[-1].headers


def test_the_global_providers_are_the_default(wire):
    with wire.client() as client:
        instrument(client)
        assert client.sms.send(**SMS).id == "m-1"
    # No SDK is configured, so there is no trace.
    assert "traceparent" not in wire.requests[0].headers


def test_only_a_client_can_be_instrumented():
    with pytest.raises(TypeError, match=r"cpaas\.Client"):
        instrument(object())


def test_without_the_package_the_error_names_it():
    code = """
import sys
sys.modules["opentelemetry"] = None
try:
    import cpaas.contrib.opentelemetry
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        done.stdout == "cpaas.contrib.opentelemetry needs opentelemetry-api: pip install opentelemetry-api\n"
    )


def test_cpaas_does_not_import_opentelemetry():
    code = "import sys, cpaas; cpaas.Client(sms_url='http://127.0.0.1:9', sms_key='k').close(); print('opentelemetry' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("status", [200, 400])
def test_an_invalid_passcode_ends_with_not_verified(wire, client, exporter, status):
    wire.script = lambda _: http_response({"code": 400, "message": "m", "requestID": None}, status)
    assert not client.otp.verify(service="login", request_id="OTP1", code="123456")
    [call], [request] = split(exporter)
    found = (call.attributes["cpaas.outcome"], call.attributes["cpaas.reason"], call.attributes["error.type"])
    assert found == ("not_verified", "not_verified", "not_verified")
    assert request.attributes.get("error.type") == ("400" if status == 400 else None)
    assert call.status.status_code is StatusCode.ERROR
