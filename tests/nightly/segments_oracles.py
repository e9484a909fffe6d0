"""Divides random texts with two other implementations, and compares their parts with ours through `cases segments`.

Run by segments_oracles.sh. Exits with 1 after a difference that is not in KNOWN. Known differences are counted and printed.
"""
import argparse
import json
import random
import subprocess
import sys

import smsutil

BASIC = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCXYZÄÖÑÜ§¿abcxyzäöñüà"
EXTENSION = "\f^{}\\[~]|€"
OTHER = "яçΑ’…\u00a0\u200d\u0301`\t\0漢😀👨🇫🇷\U0010ffff"
KNOWN = {
    "smsutil-escape": "smsutil accepts U+001B as a character of the alphabet; in the standard it is the escape code",
}
SPLIT_SMS = """
const { split } = require("split-sms");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map(text => {
  const found = split(text);
  return [found.characterSet, found.bytes, found.remainingInPart, found.parts.map(part => [part.content, part.bytes])];
})));
"""


def text(rng):
    """Returns a random text of at most 600 characters. One text in ten contains a random scalar value."""
    alphabets = rng.choice(([BASIC], [BASIC, EXTENSION], [BASIC, EXTENSION, OTHER], [OTHER], [BASIC, OTHER]))
    weights = [rng.random() for _ in alphabets]
    characters = [rng.choice(alphabet) for alphabet in rng.choices(alphabets, weights, k=rng.randint(1, 600))]
    if rng.random() < 0.1:
        characters[rng.randrange(len(characters))] = scalar(rng)
    if rng.random() < 0.02:
        characters[rng.randrange(len(characters))] = "\x1b"
    return "".join(characters)


def scalar(rng):
    value = rng.randrange(0x110000 - 0x800)
    return chr(value if value < 0xD800 else value + 0x800)


def case(name, source, encoding, parts, remaining=None):
    """Returns a case for `cases segments`. `parts` are pairs of content and units."""
    rows, start, start16 = [], 0, 0
    for content, units in parts:
        end, end16 = start + len(content.encode()), start16 + len(content.encode("utf-16-le")) // 2
        rows.append([start, end, start16, end16, units])
        start, start16 = end, end16
    made = {"id": name, "text": source, "encoding": encoding, "segments": len(parts), "parts": rows}
    made["units"] = sum(units for _, units in parts)
    return made if remaining is None else made | {"remaining": remaining}


def by_smsutil(index, source):
    found = smsutil.split(source)
    gsm7 = found.encoding == "gsm0338"
    parts = [(part.content, part.bytes // (1 if gsm7 else 2)) for part in found.parts]
    return case(f"smsutil-{index}", source, "gsm7" if gsm7 else "ucs2", parts)


def by_split_sms(texts):
    answer = subprocess.run(["node", "-e", SPLIT_SMS], input=json.dumps(texts), capture_output=True, text=True, check=True)
    for index, (source, found) in enumerate(zip(texts, json.loads(answer.stdout))):
        gsm7 = found[0] == "GSM"
        parts = [(content, size // (1 if gsm7 else 2)) for content, size in found[3]]
        yield case(f"split-sms-{index}", source, "gsm7" if gsm7 else "ucs2", parts, found[2])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", required=True)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    known, differences, compared = dict.fromkeys(KNOWN, 0), 0, 0
    for start in range(0, options.count, 5_000):
        texts = [text(rng) for _ in range(min(5_000, options.count - start))]
        made = list(by_split_sms(texts))
        for index, source in enumerate(texts):
            if "\x1b" in source:
                known["smsutil-escape"] += 1
            else:
                made.append(by_smsutil(index, source))
        report = subprocess.run([options.cases, "segments"], input=json.dumps(made), capture_output=True, text=True)
        lines = report.stdout.splitlines()
        print("\n".join(lines[:-1][:20]), end="\n" if lines[1:] else "")
        right, total = map(int, lines[-1].split("/"))
        compared, differences = compared + total, differences + total - right
    for name, count in known.items():
        print(f"{count} texts skipped: {KNOWN[name]}")
    print(f"{compared} comparisons, {differences} differences")
    sys.exit(1 if differences or not compared else 0)


main()
