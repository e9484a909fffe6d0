"""The cases of tests/vectors, which the tests of every language run: each result is that of the case."""

import json

import pytest
from conftest import http_response, vectors
from support.vector_files import CONFIG, expand, files, plain, settings

import cpaas
from cpaas import _cpaas, callbacks
from cpaas._generated.metadata import OPERATIONS_BY_ID


def cases(folder):
    return [
        pytest.param(file, case, id=f"{file.get('operation', '')}: {case.get('name', case.get('id'))}")
        for file in files(folder)
        for case in file["cases"]
    ]


def keywords(client, operation, request):
    """Calls the generated method with keyword arguments."""
    wires, names = OPERATIONS_BY_ID[operation][1:3]
    arguments, extra, channels = {}, {}, {}
    for wire, value in request.items():
        if wire in wires:
            arguments[names[wires.index(wire)]] = value
        elif "*" in wires and wire in ("sms", "messenger_a", "messenger_b", "messenger_c", "business_chat"):
            channels[wire] = value
        elif wire == "extra":
            extra.update(value)
        else:
            return client.call(operation, request)
    if channels:
        arguments["channels"] = channels
    method = client
    for name in operation.split("."):
        method = getattr(method, name)
    try:
        return method(**arguments, **({"extra": extra} if extra else {}))
    except TypeError:  # a required argument is missing
        return client.call(operation, request)


@pytest.mark.parametrize(
    "case", vectors("invalid_config.json")["cases"], ids=lambda case: str(case["config"])
)
def test_an_invalid_configuration_is_refused_by_the_name_of_the_setting(case):
    for client in (cpaas.Client, cpaas.AsyncClient):
        with pytest.raises(cpaas.Invalid) as caught:
            client(**{**CONFIG, **case["config"]})
        assert caught.value.reason == "config"
        assert f"`{case['member']}`" in str(caught.value)


@pytest.mark.parametrize(
    "case", vectors("invalid_config.json")["valid"], ids=lambda case: str(case["config"])
)
def test_a_valid_header_name_is_accepted(case):
    cpaas.Client(**{**CONFIG, **case["config"]}).close()


@pytest.mark.parametrize("by_name", [True, False], ids=["call", "method"])
@pytest.mark.parametrize(("file", "case"), cases("requests"))
def test_requests(wire, file, case, by_name):
    expect = case["expect"]
    wire.script = lambda _: None
    with cpaas.Client(**settings(wire, case)) as client:
        with pytest.raises(cpaas.Error) as caught:
            if by_name:
                client.call(file["operation"], case["request"])
            else:
                keywords(client, file["operation"], case["request"])
    if "invalid" in expect:
        errors = [problem for problem in caught.value.problems if problem.severity == "error"]
        assert [{"pointer": p.pointer, "code": p.code} for p in errors] == expect["invalid"]
        assert wire.requests == []
        return
    assert isinstance(caught.value, cpaas.TransportError), caught.value
    request = wire.requests[0]
    assert (request.method, request.path) == (expect["method"], expect["path"])
    for name, value in expect.get("headers", {}).items():
        assert request.headers.get(name.lower()) == value
    for name in expect.get("absent_headers", ()):
        assert name.lower() not in request.headers
    if "body" in expect:
        assert (request.json if request.body else None) == expect["body"]
    if "order" in expect:
        order = [name for name in request.json if name in expect["order"]]
        assert order == expect["order"]


def without_nulls(value):
    """Removes null members: null and absent are both None in Python."""
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize(("file", "case"), cases("responses"))
def test_responses(wire, file, case):
    expect = case["expect"]
    headers = [
        (name, value) for name, value in case.get("headers", {}).items() if name.lower() != "content-length"
    ]
    wire.script = lambda _: http_response(case["body"].encode(), case["status"], headers)
    with cpaas.Client(**settings(wire, case)) as client:
        if "outcome" not in expect:
            found = client.call(file["operation"], file["request"])
            assert without_nulls(plain(found)) == without_nulls(expect["result"])
            assert found.raw == case["body"].encode()
            return
        with pytest.raises(cpaas.Error) as caught:
            client.call(file["operation"], file["request"])
    found = (caught.value.outcome, caught.value.processed, caught.value.retryable)
    assert found == (expect["outcome"], expect["processed"], expect["retryable"])
    for name in ("code", "provider_message"):
        if name in expect:
            assert getattr(caught.value, name) == expect[name]


@pytest.mark.parametrize(("file", "case"), cases("problems"))
def test_problems(file, case):
    request = case["text"] if "text" in case else expand(case["request"])
    if (
        case.get("operation") == "sms.send_bulk"
        and isinstance(request, dict)
        and isinstance(request.get("to"), list)
    ):
        # In a mapping, `to` may be a list, as in the method. In JSON it is the string that is sent, which the vector expects.
        request = json.dumps(request)
        case = {**case, "text": request}
    if "check" in case:
        found = cpaas.check(case["check"], request)
    else:
        found = cpaas.validate(case["operation"], request)
        if "text" not in case:
            assert list(cpaas.validate(case["operation"], json.dumps(request))) == list(found)
    if "expect" in case:
        keys = ("pointer", "code", "severity")
        assert [{key: getattr(problem, key) for key in keys} for problem in found] == case["expect"]
    if "report" in case:
        report = json.loads(case["report"])
        assert found.ok == report["ok"]
        for problem, record in zip(found, report["errors"] + report["warnings"], strict=True):
            assert json.loads(json.dumps(problem.params)) == record.get("params", {})
            assert (problem.message, problem.fix) == (record["message"], record.get("fix"))


@pytest.mark.parametrize("case", vectors("prices.json")["cases"], ids=lambda case: case["id"])
def test_prices(case):
    prices, to = case["prices"], case["to"]
    if "error" in case:
        with pytest.raises(cpaas.TextError) as caught:
            cpaas.estimate(case["text"], prices=prices, to=to)
        assert (caught.value.code, str(caught.value)) == (case["error"], case["message"])
        return
    found = cpaas.estimate(case["text"], prices=prices, to=to)
    total = None if found.total is None else str(found.total)
    assert (total, found.currency) == (case["total"], case["currency"])
    sums = {currency: str(share["total"]) for currency, share in found.by_currency.items()}
    assert sums == case.get("byCurrency", {case["currency"]: case["total"]})
    assert {prefix: share["recipients"] for prefix, share in found.by_prefix.items()} == case["recipients"]


@pytest.mark.parametrize(
    "case", vectors("segments.json")["cases"] + vectors("segments_more.json")["cases"], ids=lambda c: c["id"]
)
def test_segments(case):
    text, options = case["text"], case.get("options", {})
    if case.get("error") == "text.options":
        assert _cpaas.segments(text, options)["error"] == {"code": case["error"], "message": case["message"]}
        return
    arguments = {"reference_bits": options.get("referenceBits", 8), "encoding": options.get("encoding")}
    arguments["split"] = {"grapheme": "grapheme"}.get(options.get("split"), "code_point")
    if "error" in case:
        with pytest.raises(cpaas.TextError) as caught:
            cpaas.estimate(text, case["price"]) if "price" in case else cpaas.segments(text, **arguments)
        assert (caught.value.code, str(caught.value)) == (case["error"], case["message"])
        return
    if case["segments"] > 255:
        with pytest.raises(cpaas.TextError, match=f"at most 255 parts, got {case['segments']}$"):
            cpaas.segments(text, **arguments)
        assert cpaas.count_segments([text]).counts == [case["segments"]]
        return
    found = cpaas.segments(text, **arguments)
    assert found.encoding == case["encoding"]
    assert (found.count, found.units) in (
        (case["segments"], case["units"]),
        (max(case["segments"], 1), case["units"]),
    )
    assert "".join(part.text for part in found.parts) == text
    assert all(text[part.start : part.end] == part.text for part in found.parts)
    for name, attribute in (
        ("remaining", "remaining"),
        ("byCodePoint", "by_code_point"),
        ("byGrapheme", "by_grapheme"),
    ):
        if name in case:
            assert getattr(found, attribute) == case[name]
    if "parts" in case:
        assert [part.units for part in found.parts] == [part[4] for part in case["parts"]]
        assert [len(part.text.encode()) for part in found.parts] == [
            end - start for start, end, *_ in case["parts"]
        ]
    if "price" in case:
        assert str(cpaas.estimate(text, case["price"]).total) == case["total"]
    for name in ("characters", "causes", "replaced"):
        if name in case:
            assert json.loads(json.dumps(cpaas.annotate(text)[name])) == case[name]
    if not options:
        (count,) = cpaas.count_segments([text])
        assert (count.encoding, count.count, count.units) == (found.encoding, found.count, found.units)


@pytest.mark.parametrize(
    "case", vectors("markup.json")["cases"] + vectors("markup_more.json")["cases"], ids=lambda c: c["id"]
)
def test_markup(case):
    if not case["ok"]:
        with pytest.raises(cpaas.MarkupError) as caught:
            cpaas.parse_markup(case["input"], case["mode"])
        error = caught.value
        assert str(error) == case["error"]
        for name, attribute in (
            ("kind", "kind"),
            ("offset", "offset"),
            ("utf16Offset", "utf16_offset"),
            ("fix", "fix"),
        ):
            if name in case:
                assert getattr(error, attribute) == case[name]
        return
    found = cpaas.parse_markup(case["input"], case["mode"])
    if "text" in case:
        assert found.text == case["text"]
    if case.get("compare") != "text" and "entities" in case:
        assert list(found.entities) == case["entities"]
    for name in ("sent", "findings"):
        if name in case:
            assert json.loads(json.dumps(found.to_dict()[name])) == case[name]


@pytest.mark.parametrize("case", vectors("intent.json")["cases"], ids=lambda c: c["text"])
def test_inbound_messages_have_the_expected_intent(case):
    assert callbacks.intent(case["text"]) == (case["kind"], case["certainty"])


AUTOFILL = vectors("autofill.json")


@pytest.mark.parametrize("case", AUTOFILL["check"], ids=lambda c: c["name"])
def test_messages_fill_in_what_the_vectors_expect(case):
    found = cpaas.check_autofill(case["message"])
    assert (found.host, found.embedded_host) == (case["host"], case["embeddedHost"])
    assert (found.code, found.app_hash) == (case["code"], case["appHash"])
    assert [problem.code for problem in found.problems] == case["problems"]


@pytest.mark.parametrize("case", AUTOFILL["body"], ids=lambda c: c["name"])
def test_bodies_fill_their_code_in(case):
    names = {"embeddedHost": "embedded_host", "appHash": "app_hash"}
    options = {names.get(name, name): value for name, value in case["options"].items()}
    if "error" in case:
        with pytest.raises(cpaas.TextError) as caught:
            cpaas.autofill_body(case["text"], **options)
        assert caught.value.code == case["error"]
    else:
        assert cpaas.autofill_body(case["text"], **options) == case["body"]


@pytest.mark.parametrize("case", AUTOFILL["appHash"], ids=lambda c: c["name"])
def test_apps_have_the_hash_of_the_documented_commands(case):
    certificate = bytes.fromhex(case["certificate"])
    if "error" in case:
        with pytest.raises(cpaas.TextError) as caught:
            cpaas.app_hash(case["package"], certificate)
        assert caught.value.code == case["error"]
    else:
        assert cpaas.app_hash(case["package"], certificate) == case["hash"]


CALLBACKS = vectors("callbacks.json")


def receiver():
    config = dict(CALLBACKS["config"])
    keyrings = {}
    for name in ("delivery_keys", "inbound_keys"):
        if name in config:
            keys = dict(config.pop(name))
            keyrings[name] = callbacks.Keyring(keys.pop("keys"), **keys)
    return callbacks.Receiver(**config, **keyrings)


@pytest.mark.parametrize("case", CALLBACKS["verify"], ids=lambda c: c["name"])
def test_acc_121_tokens_are_verified(case):
    keys = dict(CALLBACKS["config"]["delivery_keys"])
    keyring = callbacks.Keyring(keys.pop("keys"), **keys)
    bound = {"audience": case["audience"], "reference": case["reference"], "now": case["now"]}
    if case["result"] == "accepted":
        assert keyring.verify(case["token"], case["purpose"], **bound)["purpose"] == case["purpose"]
        return
    with pytest.raises(callbacks.CallbackRejected) as caught:
        keyring.verify(case["token"], case["purpose"], **bound)
    assert caught.value.reason == case["result"]


@pytest.mark.parametrize("case", CALLBACKS["events"], ids=lambda c: c["name"])
def test_callbacks_become_events(case):
    found = receiver().receive(
        case["method"], case["url"], case["headers"], case["body"].encode(), now=CALLBACKS["now"]
    )
    assert json.loads(json.dumps(found.to_dict())) == case["event"]
    assert found.key == case.get("key")
    for name, value in case["event"].items():
        assert json.loads(json.dumps(getattr(found, name))) == value


@pytest.mark.parametrize("case", CALLBACKS["rejections"], ids=lambda c: c["name"])
def test_acc_120_callbacks_are_refused(case):
    with pytest.raises(callbacks.CallbackRejected) as caught:
        receiver().receive(
            case["method"], case["url"], case["headers"], case["body"].encode(), now=CALLBACKS["now"]
        )
    assert (caught.value.reason, caught.value.status) == (case["reason"], 403)


@pytest.mark.parametrize("case", CALLBACKS["templates"], ids=lambda c: c["name"])
def test_templates(case):
    template = callbacks.Template(case["template"], case["place"])
    rendered = template.render(case["values"])
    assert rendered == case["rendered"]
    assert template.unknown == case["unknown"]
    assert (template.read(rendered) == case["values"]) == case["read"]


@pytest.mark.parametrize("case", CALLBACKS["urls"], ids=lambda c: c["name"])
def test_token_urls(case):
    if "error" in case:
        with pytest.raises(ValueError):
            callbacks.token_url(case["url"], case["token"])
    else:
        assert callbacks.token_url(case["url"], case["token"]) == case["result"]


@pytest.mark.parametrize("case", vectors("problem_details.json")["cases"], ids=lambda case: case["name"])
def test_problem_details(case):
    report = cpaas.validate(case["operation"], case["request"])
    details = report.problem_details(**case["members"])
    assert details == case["expect"]
    assert json.loads(json.dumps(details)) == details
