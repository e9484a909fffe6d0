"""Measures the rate of `count_segments` and the time to validate a carousel. Compares the validation with msgspec and pydantic."""

import json
import time
import typing

from print_target import print_target

import cpaas


def best(call, rounds=7):
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return min(times)


def rate(name, target, *rounds):
    """Each round uses new strings, because Python caches the UTF-8 form of a string."""
    rates = []
    for texts in rounds:
        begun = time.perf_counter()
        cpaas.count_segments(texts)
        rates.append(len(texts) / (time.perf_counter() - begun) / 1e6)
    print_target(
        f"count_segments of 100,000, {name}", max(rates), "million texts a second", target, more=True
    )


def texts(form):
    return ([form.format(f"{start}{n}") for n in range(100_000)] for start in range(7))


rate("ASCII", 5, *texts("Your order {} has shipped and will arrive tomorrow"))
rate("Greek", 2, *texts("Η παραγγελία {} έχει σταλεί"))
rate("emoji", 2, *texts("Your order {} has shipped 👋"))

MEDIA = {
    "height": "MEDIUM",
    "contentInfo": {"fileUrl": "https://shop.example/red-shoe.png", "altText": "A red shoe"},
}
REPLIES = [{"reply": {"text": text, "postbackData": text.lower()}} for text in ("Buy", "More")]
CARD = {"title": "Red shoe", "description": "A" * 300, "media": MEDIA, "suggestions": REPLIES}
PAYLOAD = {
    "trafficAccountId": "0f8fad5b-d9cb-469f-a165-70867728950e",
    "destination": "306912345678",
    "business_chat": {
        "carouselCard": {"cardWidth": "MEDIUM", "cardContents": [CARD] * 10},
        "fallback": "Shoes",
    },
}
assert list(cpaas.validate("messages.send", PAYLOAD)) == []
TEXT = json.dumps(PAYLOAD)


def each(call, times=2000):
    return best(lambda: [call() for _ in range(times)]) / times * 1e6


ours, ours_text = (
    each(lambda: cpaas.validate("messages.send", PAYLOAD)),
    each(lambda: cpaas.validate("messages.send", TEXT)),
)
print(
    f"validate a carousel of ten cards ({len(TEXT)} bytes): {ours:.1f} us from a dict, {ours_text:.1f} us from JSON"
)


def peers():
    import msgspec
    import pydantic

    def classes(base):
        Info = type("Info", (base,), {"__annotations__": {"fileUrl": str, "altText": str}})
        Media = type(
            "Media",
            (base,),
            {"__annotations__": {"height": typing.Literal["SHORT", "MEDIUM", "TALL"], "contentInfo": Info}},
        )
        Inner = type("Inner", (base,), {"__annotations__": {"text": str, "postbackData": str}})
        Reply = type("Reply", (base,), {"__annotations__": {"reply": Inner}})
        members = {"title": str, "description": str, "media": Media, "suggestions": list[Reply]}
        Card = type("Card", (base,), {"__annotations__": members})
        Carousel = type(
            "Carousel",
            (base,),
            {"__annotations__": {"cardWidth": typing.Literal["SMALL", "MEDIUM"], "cardContents": list[Card]}},
        )
        Chat = type("Chat", (base,), {"__annotations__": {"carouselCard": Carousel, "fallback": str}})
        members = {"trafficAccountId": str, "destination": str, "business_chat": Chat}
        return type("Message", (base,), {"__annotations__": members, "__module__": __name__})

    decoder = msgspec.json.Decoder(classes(msgspec.Struct))
    model = classes(pydantic.BaseModel)
    print_target("  of msgspec, from JSON", ours_text / each(lambda: decoder.decode(TEXT)), "times", 0.6)
    print_target(
        "  of pydantic, from JSON", ours_text / each(lambda: model.model_validate_json(TEXT)), "times", 0.2
    )
    print_target(
        "  of pydantic, from a dict", ours / each(lambda: model.model_validate(PAYLOAD)), "times", 0.2
    )


peers()
