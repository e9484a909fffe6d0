"""Compares the parts of SMS texts with two packages of npm: the test data of split-sms, and sms-segments-calculator on the texts of that test
data, of `tests/vectors/segments*.json` and at the limits of parts, since its package contains no tests.

Run by public_data. Prints the counts, and exits with 1 after a difference without a known cause.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

VECTORS = pathlib.Path(__file__).parents[1] / "vectors"
CALCULATOR = """
const { SegmentedMessage } = require(process.argv[1]);
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map(text => {
  const found = new SegmentedMessage(text);
  return [found.encodingName, found.segments.length, found.messageSize];
})));
"""
ENCODINGS = {"GSM-7": ("gsm7", 7), "UCS-2": ("ucs2", 16)}


def case(name, text, encoding, parts):
    """Returns a case for `cases segments` with parts, each a text and its units."""
    rows, start, start16 = [], 0, 0
    for content, units in parts:
        end, end16 = start + len(content.encode()), start16 + len(content.encode("utf-16-le")) // 2
        rows.append([start, end, start16, end16, units])
        start, start16 = end, end16
    return {"id": name, "text": text, "encoding": encoding, "parts": rows, "units": sum(units for _, units in parts)}


def split_sms(folder):
    for file, encoding, size in [("gsm", "gsm7", 1), ("unicode", "ucs2", 2)]:
        for entry in json.loads((folder / f"test/testdata/{file}.test.json").read_text()):
            parts = [(part["content"], part["bytes"] // size) for part in entry["parts"]]
            yield case(f"split-sms: {entry['description']}", entry["message"], encoding, parts)


def texts_at_limits():
    """Texts of one character, repeated up to and over the limits of one, two and three parts."""
    for character in ("a", "€", "à", "ж", "😜", "👨‍👩‍👧", "🇫🇷"):
        units = len(character.encode("utf-16-le")) // 2
        for limit in (70, 134, 160, 201, 306, 459):
            for count in range(limit // units - 2, limit // units + 3):
                yield character * count
                yield "{" + character * count


def calculator(folder, texts):
    out = subprocess.run(["node", "-e", CALCULATOR, folder], input=json.dumps(texts), capture_output=True, text=True, check=True).stdout
    for text, (name, count, bits) in zip(texts, json.loads(out), strict=True):
        encoding, size = ENCODINGS[name]
        yield {"id": f"calculator: {text!r}", "text": text, "options": {"split": "grapheme"}, "encoding": encoding, "units": bits // size, "segments": count}


def cause(case):
    """Returns why a case may differ, or None."""
    text = case["text"]
    if case["id"].startswith("split-sms") and (not text or (case["encoding"] == "gsm7" and not text.isascii())):
        return "split-sms calls the splitter of one alphabet with a text of the other"
    if re.search("[\u0300-\u036f]{66}", text):
        return "a grapheme cluster is longer than a part; the calculator does not divide it"
    if "\r\n" in text:
        return "CR LF is one grapheme cluster, which the calculator divides"
    if case.get("segments", 0) > 255:
        return "more than 255 parts cannot be numbered"
    return None


def main(cases_program, modules):
    modules = pathlib.Path(modules)
    suite = list(split_sms(modules / "split-sms"))
    texts = [case["text"] for case in suite] + list(texts_at_limits())
    for name in ("segments", "segments_more"):
        texts += [case["text"] for case in json.loads((VECTORS / f"{name}.json").read_text())["cases"]]
    cases = suite + list(calculator(str(modules / "sms-segments-calculator"), list(dict.fromkeys(texts))))
    out = subprocess.run([cases_program, "segments"], input=json.dumps(cases), capture_output=True, text=True).stdout
    lines = out.splitlines()
    agreeing, _, total = lines.pop().partition("/")
    assert int(total) == len(cases), out[-300:]
    by_id, explained, different = {case["id"]: case for case in cases}, collections.Counter(), []
    for line in filter(None, lines):
        name, _ = json.JSONDecoder().raw_decode(line)
        why = cause(by_id[name])
        explained[why] += why is not None
        different += [] if why else [f"DIFFERENT {line}"]
    del explained[None]
    print("\n".join(different), end="\n" if different else "")
    for why, count in sorted(explained.items()):
        print(f"  {count} explained: {why}")
    print(f"{total} cases, {agreeing} agree, {explained.total()} explained")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
