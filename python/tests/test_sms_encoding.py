"""Encoding and decoding of user data, and the parts of templates."""

import json
import pathlib
import pickle
import random

import pytest

import cpaas

VECTORS = json.loads((pathlib.Path(__file__).parents[2] / "tests/vectors/encode.json").read_text())
NAMES = {"referenceBits": "reference_bits"}


def arguments(case):
    options = {NAMES.get(name, name): value for name, value in case.get("options", {}).items()}
    if "ports" in options:
        options["ports"] = (options["ports"]["destination"], options["ports"]["source"])
    return options


@pytest.mark.parametrize("case", VECTORS["encode"], ids=lambda case: case["id"])
def test_encode_gives_the_octets_of_the_vectors(case):
    if case["id"] == "unknown_option":
        with pytest.raises(TypeError):
            cpaas.encode(case["text"], **arguments(case))
    elif "error" in case:
        with pytest.raises(cpaas.TextError) as caught:
            cpaas.encode(case["text"], **arguments(case))
        assert caught.value.code == case["error"]
    else:
        parts = cpaas.encode(case["text"], **arguments(case))
        assert [part.to_dict() for part in parts] == case["parts"]
        assert all(isinstance(part.udh, bytes) and isinstance(part.ud, bytes) for part in parts)
        if "transliterate" not in case.get("options", {}):
            assert cpaas.decode(parts) == case["text"]
            assert cpaas.decode(reversed(parts)) == case["text"]
            assert pickle.loads(pickle.dumps(parts)) == parts


@pytest.mark.parametrize("case", VECTORS["decode"], ids=lambda case: case["id"])
def test_decode_gives_the_text_of_the_vectors(case):
    if "error" in case:
        with pytest.raises(cpaas.TextError) as caught:
            cpaas.decode(case["parts"])
        assert (caught.value.code, caught.value.part, caught.value.octet) == (
            case["error"],
            case["part"],
            case["octet"],
        )
    else:
        assert cpaas.decode(case["parts"]) == case["text"]


def test_parts_of_another_form_are_invalid():
    for part in ({}, {"ud": 1, "udl": 1}, {"ud": b"", "udl": -1}, {"ud": b"", "udl": "1"}, None, 7, "x"):
        with pytest.raises(cpaas.TextError) as caught:
            cpaas.decode([part])
        assert (caught.value.code, caught.value.part) == ("text.user_data", 0)
    assert cpaas.decode([{"ud": b"\x00", "udl": 1}]) == "@"
    assert cpaas.decode([cpaas.EncodedPart(ud=b"\x00", udl=1)]) == "@"


def test_random_texts_round_trip():
    rng = random.Random(1)
    pools = ["abc@€{ ", "ğışçİ a", "अआकखग०१ a", "яж😀", "ÁÉÍáéíñ€a"]
    for _ in range(500):
        text = "".join(rng.choices(rng.choice(pools), k=rng.randrange(400)))
        for languages in (None, "auto"):
            parts = cpaas.encode(text, languages=languages, reference=rng.randrange(65536))
            assert cpaas.decode(parts) == text


def test_template_segments_are_a_range():
    template = "a" * 150 + "{{ name }}"
    found = cpaas.template_segments(template, fields={"name": (0, 11)})
    assert (found.shortest.count, found.longest.count, found.reason) == (1, 2, "length")
    assert found.fields == ("name",)
    found = cpaas.template_segments(template, fields={"name": ["Eva", "Яна"]})
    assert (found.shortest.encoding, found.longest.encoding, found.reason) == ("gsm7", "ucs2", "encoding")
    found = cpaas.template_segments(template, rows=[{"name": "Al"}, {"name": "b" * 20}])
    assert (found.longest.count, found.rows) == (2, (0, 1))
    for wrong in ({}, {"fields": {}}, {"rows": []}, {"fields": {"name": (5, 1)}}, {"fields": {"name": "x"}}):
        with pytest.raises(cpaas.TextError) as caught:
            cpaas.template_segments(template, **wrong)
        assert caught.value.code == "text.template"
