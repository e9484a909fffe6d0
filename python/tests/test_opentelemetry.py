"""`cpaas.contrib.opentelemetry` with the SDK of OpenTelemetry and an exporter in memory."""

import asyncio
import subprocess
import sys
import threading

import pytest
from conftest import http_response
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

import cpaas
from cpaas.contrib.opentelemetry import instrument, uninstrument

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}


@pytest.fixture
def exporter():
    return InMemorySpanExporter()


@pytest.fixture
def provider(exporter):
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider


@pytest.fixture
def client(wire, provider):
    with wire.client() as client:
        instrument(client, tracer_provider=provider)
        yield client


def test_a_call_has_one_span(wire, client, exporter):
    client.sms.send(**SMS)
    [span] = exporter.get_finished_spans()
    port = wire.server.server_address[1]
    assert (span.name, span.kind) == ("POST /sms", SpanKind.CLIENT)
    assert dict(span.attributes) == {
        "http.request.method": "POST",
        "server.address": "127.0.0.1",
        "server.port": port,
        "url.full": f"http://127.0.0.1:{port}/sms",
        "http.response.status_code": 200,
        "cpaas.operation": "sms.send",
        "cpaas.outcome": "accepted",
        "cpaas.attempts": 1,
        "cpaas.sent": "yes",
    }
    assert span.status.status_code is StatusCode.UNSET
    assert 0 < span.end_time - span.start_time < 60e9
    assert span.instrumentation_scope.name == "cpaas"


def test_a_rejection_is_an_error_with_the_status(wire, client, exporter):
    wire.script = lambda _: http_response({"responseCode": 904, "responseText": "no"}, status=404)
    with pytest.raises(cpaas.Rejected):
        client.sms.send(**SMS)
    [span] = exporter.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert span.attributes["error.type"] == "404"
    assert span.attributes["http.response.status_code"] == 404
    assert span.attributes["cpaas.outcome"] == "rejected"


def test_a_lost_response_is_an_error_with_the_reason(wire, client, exporter):
    wire.script = lambda _: None
    with pytest.raises(cpaas.OutcomeUnknown) as caught:
        client.sms.send(**SMS)
    [span] = exporter.get_finished_spans()
    assert span.attributes["error.type"] == caught.value.reason
    assert "http.response.status_code" not in span.attributes
    assert (span.attributes["cpaas.outcome"], span.attributes["cpaas.sent"]) == ("unknown", "maybe")


def test_an_invalid_call_has_a_span_without_a_request(client, exporter):
    with pytest.raises(cpaas.Invalid):
        client.sms.send(from_="", to="", text="")
    [span] = exporter.get_finished_spans()
    assert span.name == "sms.send"
    assert span.attributes["error.type"] == "validation"
    assert span.attributes["cpaas.attempts"] == 0


def test_a_retried_call_has_one_span(wire, provider, exporter):
    accepted = wire.script

    def script(request):
        if len(wire.requests) == 1:
            return http_response(
                {"responseCode": 499, "responseText": "x"}, status=429, headers=[("retry-after", "0")]
            )
        return accepted(request)

    wire.script = script
    with wire.client(max_attempts=3) as client:
        instrument(client, tracer_provider=provider)
        client.sms.send(**SMS)
    [span] = exporter.get_finished_spans()
    assert (span.attributes["cpaas.attempts"], span.attributes["http.request.resend_count"]) == (2, 1)
    assert span.attributes["http.response.status_code"] == 200
    assert span.status.status_code is StatusCode.UNSET


def test_the_parent_is_the_current_span(client, provider, exporter):
    with provider.get_tracer("app").start_as_current_span("request") as parent:
        client.sms.send(**SMS)
    child, _ = exporter.get_finished_spans()
    assert child.parent.span_id == parent.get_span_context().span_id


def test_the_parent_under_asyncio_is_that_of_the_calling_task(wire, provider, exporter):
    tracer = provider.get_tracer("app")

    async def one(client, number):
        with tracer.start_as_current_span(f"task {number}"):
            await client.sms.send(**SMS)

    async def main():
        async with wire.async_client() as client:
            instrument(client, tracer_provider=provider)
            await asyncio.gather(*(one(client, number) for number in range(5)))

    asyncio.run(main())
    spans = exporter.get_finished_spans()
    parents = {span.context.span_id for span in spans if span.name.startswith("task")}
    calls = [span for span in spans if span.name == "POST /sms"]
    assert {span.parent.span_id for span in calls} == parents
    assert len(calls) == len(parents) == 5


def test_a_cancelled_call_has_a_span(wire, provider, exporter):
    cancelled = threading.Event()
    wire.script = lambda _: http_response({}) if cancelled.wait(10) else None

    async def main():
        async with wire.async_client() as client:
            instrument(client, tracer_provider=provider)
            task = asyncio.create_task(client.sms.send(**SMS))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    cancelled.set()
    [span] = exporter.get_finished_spans()
    assert span.attributes["cpaas.outcome"] == "abandoned"
    assert span.status.status_code is StatusCode.ERROR


def test_spans_contain_no_secret(wire, provider, exporter):
    wire.script = lambda _: http_response({})
    with wire.client() as client:
        instrument(client, tracer_provider=provider)
        for call in (
            lambda: client.webhooks.messenger_c.info(bot_id="12345:secret"),
            lambda: client.lookup(msisdn="306912345678"),
            lambda: client.call_raw("GET", "messenger_c", "/12345:secret/x", query={"q": "secret"}),
            lambda: client.sms.send(**SMS, extra_headers={"X-A": "secret"}),
        ):
            try:
                call()
            except cpaas.Error:
                pass
    spans = exporter.get_finished_spans()
    assert len(spans) == 4
    text = "".join(span.to_json() for span in spans)
    assert not any(word in text for word in ("secret", "306912345678"))


def test_uninstrument_removes_only_the_hooks_of_instrument(wire, provider, exporter):
    seen = []
    with wire.client(on_outcome=seen.append) as client:
        sms = client.sms  # groups that exist already are instrumented too
        instrument(client, tracer_provider=provider)
        instrument(client, tracer_provider=provider)
        sms.send(**SMS)
        client.with_options(timeout=5).sms.send(**SMS)
        assert len(exporter.get_finished_spans()) == 2
        uninstrument(client)
        uninstrument(client)
        sms.send(**SMS)
    assert len(exporter.get_finished_spans()) == 2
    assert len(seen) == 3


def test_the_global_provider_is_the_default(wire):
    with wire.client() as client:
        instrument(client)
        assert client.sms.send(**SMS).id == "m-1"


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
    [span] = exporter.get_finished_spans()
    assert (span.attributes["cpaas.outcome"], span.attributes["cpaas.reason"]) == (
        "not_verified",
        "not_verified",
    )
    assert span.attributes["error.type"] == ("400" if status == 400 else "not_verified")
    assert span.status.status_code is StatusCode.ERROR
