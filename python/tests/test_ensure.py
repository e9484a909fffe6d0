"""`limits.ensure` and `workflows.ensure`: create or update, with lost responses and several callers."""

import asyncio
import threading

import pytest

import cpaas

LIMIT = {
    "name": "per_ip",
    "description": "Per address",
    "buckets": [{"name": "hour", "max": 5, "interval": 60}],
}
WORKFLOW = {
    "name": "login",
    "description": "SMS, then a call",
    "channels": [{"channel": "sms", "interval": 30}, {"channel": "voice", "interval": 60}],
}


def ensure_limit(sandbox, **changes):
    with sandbox.client(max_attempts=1) as client:
        return client.otp.limits.ensure(**{**LIMIT, **changes})


def ensure_limit_async(sandbox, **changes):
    async def run():
        async with sandbox.async_client(max_attempts=1) as client:
            return await client.otp.limits.ensure(**{**LIMIT, **changes})

    return asyncio.run(run())


def ensure_workflow(sandbox, **changes):
    with sandbox.client(max_attempts=1) as client:
        return client.otp.workflows.ensure(**{**WORKFLOW, **changes})


def ensure_workflow_async(sandbox, **changes):
    async def run():
        async with sandbox.async_client(max_attempts=1) as client:
            return await client.otp.workflows.ensure(**{**WORKFLOW, **changes})

    return asyncio.run(run())


limits = pytest.mark.parametrize("ensure", [ensure_limit, ensure_limit_async])
workflows = pytest.mark.parametrize("ensure", [ensure_workflow, ensure_workflow_async])
both = pytest.mark.parametrize(
    ("ensure", "group"),
    [
        (ensure_limit, "limits"),
        (ensure_limit_async, "limits"),
        (ensure_workflow, "workflows"),
        (ensure_workflow_async, "workflows"),
    ],
)


def records(sandbox, group):
    with sandbox.client() as client:
        return list(getattr(client.otp, group).list())


def calls(sandbox, operation):
    return [one for one in sandbox.requests(limit=1000)["requests"] if one["operation"] == operation]


@both
def test_a_second_call_changes_nothing(cpaas_sandbox, ensure, group):
    first = ensure(cpaas_sandbox)
    assert first.sid
    assert ensure(cpaas_sandbox).sid == first.sid
    assert [record.sid for record in records(cpaas_sandbox, group)] == [first.sid]
    assert calls(cpaas_sandbox, f"otp.{group}.update") == []


@limits
def test_a_limit_with_other_buckets_or_description_is_changed(cpaas_sandbox, ensure):
    first = ensure(cpaas_sandbox)
    buckets = [{"name": "day", "max": "9", "interval": "3600"}]
    assert ensure(cpaas_sandbox, buckets=buckets).sid == first.sid
    assert ensure(cpaas_sandbox, buckets=buckets, description="Other").sid == first.sid
    (record,) = records(cpaas_sandbox, "limits")
    assert record.description == "Other"
    assert [(bucket.name, str(bucket.max)) for bucket in record.buckets] == [("day", "9")]
    # Numbers and their text are the same.
    count = len(calls(cpaas_sandbox, "otp.limits.update"))
    ensure(cpaas_sandbox, buckets=[{"name": "day", "max": 9, "interval": 3600}], description="Other")
    ensure(cpaas_sandbox, buckets='[{"name": "day", "max": 9, "interval": 3600}]', description="Other")
    assert len(calls(cpaas_sandbox, "otp.limits.update")) == count == 2


@workflows
def test_a_workflow_gets_its_description_and_never_other_channels(cpaas_sandbox, ensure):
    first = ensure(cpaas_sandbox)
    assert ensure(cpaas_sandbox, description="Other").sid == first.sid
    assert ensure(cpaas_sandbox, description=None).sid == first.sid
    with pytest.raises(cpaas.Invalid, match="can only append channels") as caught:
        ensure(cpaas_sandbox, channels=WORKFLOW["channels"][:1])
    assert caught.value.operation == "otp.workflows.update"
    (record,) = records(cpaas_sandbox, "workflows")
    assert (record.description, len(record.channels)) == ("Other", 2)


@both
@pytest.mark.parametrize("fault", ["close-after-read", "reset-before-read", "truncated-body"])
def test_a_lost_response_to_the_create(cpaas_sandbox, ensure, group, fault):
    cpaas_sandbox.fault(fault, op=f"otp.{group}.create", nth=1)
    if fault == "reset-before-read":  # the provider did not process it, which nothing proves
        with pytest.raises(cpaas.OutcomeUnknown) as caught:
            ensure(cpaas_sandbox)
        assert caught.value.operation == f"otp.{group}.create"
    first = ensure(cpaas_sandbox)
    assert [record.sid for record in records(cpaas_sandbox, group)] == [first.sid]


@both
def test_a_lost_response_to_the_update(cpaas_sandbox, ensure, group):
    first = ensure(cpaas_sandbox)
    cpaas_sandbox.fault("close-after-read", op=f"otp.{group}.update", nth=1)
    assert ensure(cpaas_sandbox, description="Other").sid == first.sid
    (record,) = records(cpaas_sandbox, group)
    assert record.description == "Other"


@both
def test_another_caller_creates_the_record_first(cpaas_sandbox, ensure, group, monkeypatch):
    """The list is read before the other caller creates the record."""
    real = cpaas._bulk.ensure._call
    real_async = cpaas._bulk.ensure._call_async
    created = []

    def create():
        if not created:
            created.append(1)
            with cpaas_sandbox.client() as client:
                request = LIMIT if group == "limits" else WORKFLOW
                getattr(client.otp, group).create(**request)

    def call(owner, step, options):
        if step.method == "create":
            create()
        return real(owner, step, options)

    async def call_async(owner, step, options):
        if step.method == "create":
            await asyncio.to_thread(create)
        return await real_async(owner, step, options)

    monkeypatch.setattr(cpaas._bulk.ensure, "_call", call)
    monkeypatch.setattr(cpaas._bulk.ensure, "_call_async", call_async)
    first = ensure(cpaas_sandbox)
    assert [record.sid for record in records(cpaas_sandbox, group)] == [first.sid]


def test_many_callers_at_once_get_one_limit(cpaas_sandbox):
    found, ready = [], threading.Barrier(8)

    def work(client):
        ready.wait()
        found.append(client.otp.limits.ensure(**LIMIT).sid)

    with cpaas_sandbox.client() as client:
        threads = [threading.Thread(target=work, args=(client,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 8
    assert {record.sid for record in records(cpaas_sandbox, "limits")} == set(found)
    assert len(set(found)) == 1


@both
def test_an_error_of_the_list_or_of_the_arguments_is_raised(cpaas_sandbox, ensure, group):
    cpaas_sandbox.fault("status", status=403, op=f"otp.{group}.list")
    with pytest.raises(cpaas.Rejected):
        ensure(cpaas_sandbox)
    cpaas_sandbox.clear_faults()
    with pytest.raises(cpaas.Invalid):
        ensure(cpaas_sandbox, name="")
    with pytest.raises(cpaas.InvalidType):
        ensure(cpaas_sandbox, descripton="x")
    assert records(cpaas_sandbox, group) == []


@limits
def test_a_limit_on_a_later_page_is_found(cpaas_sandbox, ensure):
    with cpaas_sandbox.client() as client:
        for n in range(60):
            client.otp.limits.create(**{**LIMIT, "name": f"limit_{n}"})
    first = ensure(cpaas_sandbox, name="limit_0")
    assert ensure(cpaas_sandbox, name="limit_59").sid != first.sid
    assert len(records(cpaas_sandbox, "limits")) == 60


def test_documented_codes_have_constants_and_the_other_codes_have_none(cpaas_sandbox):
    from cpaas import codes

    with cpaas_sandbox.client() as client:
        client.otp.limits.create(**LIMIT)
        with pytest.raises(cpaas.LimitExists) as caught:
            client.otp.limits.create(**LIMIT)
        assert caught.value.code == codes.LIMIT_EXISTS
    assert sorted(getattr(codes, name) for name in codes.__all__) == [492, 493, 495, 499]
    for name in codes.__all__:
        row = cpaas.provider_code("otp", getattr(codes, name))
        assert row is not None
        assert row.source == "specification"


def test_a_wrong_and_an_expired_passcode_have_a_meaning(cpaas_virtual_sandbox):
    with cpaas_virtual_sandbox.client() as client:
        sent = client.otp.send(service="login", from_="Acme", to="306912345678", body="{code}")
        code = cpaas_virtual_sandbox.wait_for(to="306912345678").text
        wrong = client.otp.verify(service="login", request_id=sent.request_id, code="000000")
        assert (wrong.ok, bool(wrong), wrong.code_meaning) == (
            False,
            False,
            "the passcode is wrong, or the request is invalid",
        )
        cpaas_virtual_sandbox.advance("1d")
        late = client.otp.verify(service="login", request_id=sent.request_id, code=code)
        assert not late.ok
        assert late.code_meaning == "the passcode is expired, cancelled or already used"
        assert cpaas.provider_code("otp", 400).meaning == "the request is invalid"
        with pytest.raises(
            cpaas.Rejected, match=r"code 400: the request is invalid\); correct the request"
        ) as caught:
            client.otp.limits.create(
                name="n", description="d", buckets=[{"name": "h", "max": "five", "interval": 60}]
            )
        assert caught.value.code_meaning == "the request is invalid"
        assert sent.code_meaning is None
        assert cpaas.models.OtpResponse(code=31337).code_meaning is None
