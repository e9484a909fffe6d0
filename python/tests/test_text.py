"""Segments, prices, markup and validation."""

import decimal
import json
import pickle

import pytest

import cpaas


def test_segments_counts_parts_and_checks_its_options():
    found = cpaas.segments("it’s here")
    assert (found.encoding, found.count, found.units, found.remaining) == ("ucs2", 1, 9, 61)
    assert cpaas.segments("a" * 161, reference_bits=16).parts[0].units == 152
    with pytest.raises(cpaas.TextError, match="split must be"):
        cpaas.segments("x", split="word")
    assert cpaas.segments("x", languages=()) == cpaas.segments("x")
    with pytest.raises(
        cpaas.TextError, match='languages must be "auto" or a list of these codes: tr, es, pt'
    ) as caught:
        cpaas.segments("x", languages=["xx"])
    assert caught.value.code == "text.options"


def test_national_language_tables_save_parts():
    text = "ışık " * 30
    assert (cpaas.segments(text).encoding, cpaas.segments(text).count) == ("ucs2", 3)
    for languages in (["tr"], ("es", "tr"), "auto"):
        found = cpaas.segments(text, languages=languages)
        assert (found.encoding, found.count, found.locking_shift, found.single_shift) == (
            "gsm7",
            1,
            "tr",
            None,
        )
        assert (found.saved, found.remaining, found.parts[0].text) == (2, 5, text)
        assert cpaas.count_segments([text, "я"], languages=languages).counts == [1, 1]
        price = cpaas.estimate(text, "0.05", languages=languages)
        assert (price.count, price.locking_shift, price.single_shift) == (1, "tr", None)
        assert cpaas.annotate(text, languages=languages)["causes"] == ()
    assert cpaas.annotate(text)["languages"] == {"lockingShift": "tr", "count": 1, "saved": 2}
    with pytest.raises(cpaas.TextError):
        cpaas.count_segments(["a"], languages=["xx"])


def test_transliteration_replaces_characters_and_saves_parts():
    found = cpaas.transliterate("“ż” я")
    assert (found.text, found.kept) == ('"z" я', ("я",))
    assert [(one["from"], one["to"]) for one in found.replacements] == [("“", '"'), ("ż", "z"), ("”", '"')]
    text = "ż" * 80
    assert cpaas.segments(text).count == 2
    parts = cpaas.segments(text, transliterate="auto")
    assert (parts.count, parts.text, parts.parts[0].text, len(parts.replacements)) == (
        1,
        "z" * 80,
        "z" * 80,
        80,
    )
    assert cpaas.segments("ż", transliterate="auto") == cpaas.segments("ż")
    assert cpaas.segments("ż", transliterate=True).encoding == "gsm7"
    assert cpaas.estimate(text, "0.05", transliterate="auto").count == 1
    assert pickle.loads(pickle.dumps(parts)) == parts


def test_many_texts_are_counted_in_one_call():
    found = cpaas.count_segments(["a" * 161, "Γεια σου 👋", ""])
    assert found.counts == [2, 1, 1]
    assert found.units == [161, 11, 0]
    assert found.encodings == ["gsm7", "ucs2", "gsm7"]
    assert found.total == 4
    assert len(found) == 3
    assert found[0] == cpaas.SegmentCount("gsm7", 2, 161, 145)
    assert found[-1].encoding == "gsm7"
    assert [count.count for count in found] == [2, 1, 1]
    assert cpaas.count_segments(text for text in ("a", "b")).total == 2
    with pytest.raises(IndexError):
        found[3]
    with pytest.raises(ValueError, match=r"texts\[1\] must be str, got "):
        cpaas.count_segments(["a", b"b"])
    with pytest.raises(ValueError, match=r"texts\[0\] must be valid Unicode, got a lone surrogate"):
        cpaas.count_segments(["\ud83d"])


def test_prices_are_decimals():
    found = cpaas.estimate("я" * 71, decimal.Decimal("0.0075"))
    assert (found.total, found.count) == (decimal.Decimal("0.0150"), 2)
    with pytest.raises(cpaas.TextError):
        cpaas.estimate("x", "cheap")


def test_estimate_uses_the_price_of_the_longest_prefix_of_each_number(tmp_path):
    csv = "prefix,price,currency\n30,0.05,EUR\n3069,0.0375,EUR\n"
    path = tmp_path / "prices.csv"
    path.write_text(csv)
    rows = [
        {"prefix": "30", "price": "0.05", "currency": "EUR"},
        {"prefix": 3069, "price": "0.0375", "currency": "EUR"},
    ]
    to = ["+30 690 000 0001", "306900000002", "302100000001"]
    for prices in (csv, path, str(path), rows):
        found = cpaas.estimate("я" * 71, prices=prices, to=to)
        assert (found.total, found.currency, found.recipients) == (decimal.Decimal("0.2500"), "EUR", 3)
        assert found.price_per_part is None
        expected = {"recipients": 2, "parts": 4, "price_per_part": decimal.Decimal("0.0375")}
        assert found.by_prefix["3069"] == {**expected, "total": decimal.Decimal("0.15"), "currency": "EUR"}
    assert cpaas.estimate("x", prices=csv, to="306900000001").price_per_part == decimal.Decimal("0.0375")
    with pytest.raises(cpaas.TextError) as caught:
        cpaas.estimate("x", prices=csv, to="447000000001")
    assert caught.value.code == "text.no_price"
    with pytest.raises(TypeError):
        cpaas.estimate("x", "1", prices=csv, to="1")
    with pytest.raises(TypeError):
        cpaas.estimate("x", prices=csv)


def test_check_sender_and_check_number_return_the_kind():
    assert (cpaas.check_sender("Acme").kind, cpaas.check_sender("Acme").length) == ("alphanumeric", 4)
    assert cpaas.check_sender("54321").kind == "short_code"
    assert cpaas.check_number("+30 691 234 5678") == cpaas.NumberCheck(
        valid=True, possible=True, region="GR", type="mobile"
    )
    assert not cpaas.check_number("12").valid


def test_a_report_is_truthy_without_errors():
    good = cpaas.validate("sms.send", {"from": "Acme", "to": "306912345678", "text": "Hi"})
    assert good
    assert (good.ok, len(good), list(good)) == (True, 0, [])
    bad = cpaas.validate("sms.send", b'{"from":"Acme"}')
    assert not bad
    assert [problem.code for problem in bad] == ["sms.to.required", "sms.text.required"]
    assert pickle.loads(pickle.dumps(bad.errors)) == bad.errors
    with pytest.raises(ValueError, match=r"did you mean `sms\.send`"):
        cpaas.validate("sms.sent", {})


def test_problems_show_no_input_in_str_and_repr():
    report = cpaas.validate("sms.send", {"from": "Acme", "to": "306912345678", "text": "it’s"})
    report = (
        report
        if len(report)
        else cpaas.validate("sms.send", {"from": "Acme Incorporated", "to": "3069 12345678", "text": "x"})
    )
    for problem in report:
        assert "Incorporated" not in repr(problem) + str(problem)


def test_markup_is_parsed_and_escaped():
    found = cpaas.parse_markup("*bold* and [link](https://a.example)", "MarkdownV2")
    assert found.text == "bold and link"
    assert [entity["type"] for entity in found.entities] == ["Bold", "TextUrl"]
    assert cpaas.parse_markup(cpaas.escape_markup("a*b_c.d")).text == "a*b_c.d"
    with pytest.raises(cpaas.MarkupError, match="did you mean `MarkdownV2`"):
        cpaas.parse_markup("x", "markdownv2")
    with pytest.raises(cpaas.MarkupError) as caught:
        cpaas.parse_markup("*b")
    back = pickle.loads(pickle.dumps(caught.value))
    assert (back.offset, back.kind, back.fix) == (
        0,
        "unclosed_entity",
        {"start": 0, "end": 1, "insert": "\\*"},
    )


def test_errors_name_the_arguments():
    for options, words in [
        ({"split": "codePoint"}, 'split must be "code_point" or "grapheme"'),
        ({"reference_bits": 9}, "reference_bits must be 8 or 16"),
    ]:
        with pytest.raises(cpaas.TextError, match=words):
            cpaas.segments("a", **options)
    with pytest.raises(
        TypeError, match=r"texts must be an iterable of str, got str; for one text use cpaas\.segments"
    ):
        cpaas.count_segments("one text")


def test_segments_pickle_with_their_parts():
    found = cpaas.segments("it’s here" * 30)
    assert pickle.loads(pickle.dumps(found)).parts == found.parts
    assert found.replace(remaining=0).parts == found.parts
    assert type(found).from_dict(found.to_dict()).parts == ()


def test_counts_pickle():
    found = cpaas.count_segments(["a" * 161, "Γεια σου 👋", ""])
    back = pickle.loads(pickle.dumps(found))
    assert back == found != cpaas.count_segments([])
    assert (back.counts, back.units, back.encodings) == ([2, 1, 1], [161, 11, 0], ["gsm7", "ucs2", "gsm7"])
    assert back[0] == found[0]


def test_lone_surrogates_are_reported_with_their_position():
    cards = [{"title": "a"}, {"title": "é🙂\ud83d", "a/b~\udc00": {"c": "\udc00"}}]
    request = {"destination": "\ud83d", "business_chat": {"carouselCard": {"cardContents": cards}}}
    report = cpaas.validate("messages.send", request)
    card = "/business_chat/carouselCard/cardContents/1"
    assert [problem.pointer for problem in report.errors] == [
        "/destination",
        f"{card}/title",
        f"{card}/a~1b~0\ufffd",
        f"{card}/a~1b~0\ufffd/c",
    ]
    assert {problem.code for problem in report.errors} == {"json.syntax"}
    message = "must be valid Unicode, got a lone surrogate at index {}: split strings between characters"
    assert report.errors[1].message == "the string " + message.format(2)
    assert report.errors[2].message == "the name " + message.format(4)
    body = json.loads(r'{"from": "Acme", "to": "306912345678", "text": "Hi \ud83d"}')
    assert [problem.pointer for problem in cpaas.validate("sms.send", body).errors] == ["/text"]
    assert [problem.pointer for problem in cpaas.validate("sms.send", "\ud83d").errors] == [""]
    assert cpaas.check("bot_username", {"username": "\ud83dbot"}).errors[0].pointer == "/username"
    with pytest.raises(TypeError):
        cpaas.validate("sms.send", {"text": b"bytes"})


def test_markup_has_attributes():
    found = cpaas.parse_markup("*bold* [x](https://a.b)")
    assert [(e.type, e.offset, e.length, e.url) for e in found.entities] == [
        ("Bold", 0, 4, None),
        ("TextUrl", 5, 1, "https://a.b/"),
    ]
    assert (found.text, found.length, found.sent.length, found.sent.text) == ("bold x", 6, 6, "bold x")
    assert found.sent.entities == found.entities
    assert found.entities[0]["type"] == "Bold"


@pytest.mark.parametrize("languages", [None, "auto", ["tr"]])
@pytest.mark.parametrize("text", ["a" * 40_000, "\u044f" * 20_000, "\u015f" * 60_000])
def test_both_counts_agree_above_255_parts(text, languages):
    (count,) = cpaas.count_segments([text], languages=languages)
    assert count.count > 255
    with pytest.raises(cpaas.TextError, match=f"got {count.count}$"):
        cpaas.segments(text, languages=languages)
    (half,) = cpaas.count_segments([text[: len(text) // 100]], languages=languages)
    assert (count.encoding, count.units) == (half.encoding, half.units * 100)
