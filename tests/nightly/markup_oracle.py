"""Compares the markup parser with the reference implementation, on random characters and on texts from a grammar.

`tests/run nightly` runs this script. It requires the package `tdjson` (Python >= 3.10; `pip install tdjson`), whose `td_execute`
returns synchronously and needs no account and no network. Usage:

    cargo build -p cpaas-tests --bin markup_stream
    python tests/nightly/markup_oracle.py [--count 1000000] [--seed 1] [--stream target/debug/markup_stream] [--vectors FILE…]

Compares the parsed text and its entities, or the error message. Compares the text as sent too, unless it contains Markdown that the
reference would parse a second time. Prints counts and at most 20 differences; exits with 1 if there is a difference.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys

import tdjson

PARSE_MODES = {
    "Markdown": {"@type": "textParseModeMarkdown", "version": 1},
    "MarkdownV2": {"@type": "textParseModeMarkdown", "version": 2},
    "Html": {"@type": "textParseModeHTML"},
}
PREFIX = "Can't parse entities: "
PRECISION = {"dateTimePartPrecisionNone": 0, "dateTimePartPrecisionShort": 1, "dateTimePartPrecisionLong": 2}


def execute(request):
    return json.loads(tdjson.td_execute(json.dumps(request).encode()))


def reference(mode, text):
    return execute({"@type": "parseTextEntities", "text": text, "parse_mode": PARSE_MODES[mode]})


def date_view(kind):
    """Returns the flags of a date that the reference reports."""
    shown = kind.get("formatting_type")
    if shown is None:
        return 0
    if shown["@type"] == "dateTimeFormattingTypeRelative":
        return 1
    time, date = (PRECISION[shown[part]["@type"]] for part in ("time_precision", "date_precision"))
    return (0, 2, 4)[time] | (0, 8, 16)[date] | (32 if shown["show_day_of_week"] else 0)


def visible_flags(flags):
    if flags & 2:
        flags &= ~4
    if flags & 8:
        flags &= ~16
    return flags


def theirs(entity):
    kind = dict(entity["type"])
    name = kind.pop("@type").removeprefix("textEntityType")
    extra = next((kind[key] for key in ("url", "user_id", "custom_emoji_id", "language") if key in kind), None)
    if name == "DateTime":
        name, extra = "FormattedDate", (kind["unix_time"], date_view(kind))
    return entity["offset"], entity["length"], name, extra


def ours(entity):
    extra = next((entity[key] for key in ("url", "user_id", "emoji_id", "language") if key in entity), None)
    if "unix" in entity:
        extra = (entity["unix"], visible_flags(entity["date_flags"]))
    return entity["offset"], entity["length"], entity["type"], extra


def order_free(entities):
    """Returns the entities sorted, because the reference returns entities of equal range and rank in no stable order."""
    return sorted(entities, key=repr)


RANKS = ["BlockQuote", "ExpandableBlockQuote", "PreCode", "Pre", "Code", "FormattedDate", "TextUrl", "MentionName",
         "Bold", "Italic", "Underline", "Strikethrough", "Spoiler", "CustomEmoji"]
RANK = {name: index for index, name in enumerate(RANKS)} | {"ExpandableBlockQuote": 0, "MentionName": 6}


def is_sorted(entities):
    keys = [(offset, -length, RANK[name]) for offset, length, name, _ in entities]
    return keys == sorted(keys)


class Grammar:
    """Generates random markup of one mode: nested entities, quotes, links, and syntax errors."""

    WORDS = ["a", "b c", "x", " ", "\n", "é", "ß", "🏟", "👍🏽", "e\u0301", "\u200e", "\u200f", "\u202e", "\u0333", "\r",
             "\r\n", "\n\r", "\t", "\0", "\x0b", "\x7f", "\u2028", "0", "Z9", "snake_case", "日本", "\ufeff", "\\", "/", "'", '"', "\x01",
             "\U0010fffd", "\uffff", ";", ":", "@", "%", "&"]
    URLS = ["a.b", "http://a.b", "HTTPS://User:Pw@Ex.Com:8080/P?q=1#f", "example", "", "a.b:0", "a.b:65536", "a.b:00443/x",
            "a.b:", "http://[::1]/", "http://[1:2::3.4.5.6]:80", "http://[::g]/", "[::1]", "//a.b", "ftp://a.b", "mailto:x@y.z",
            "javascript:1", "tg:user?id=5", "TG://USER/?ID=7", "tg://user?id=0", "tg://user?id=1099511627775",
            "tg://user?id=1099511627776", "tg://user?a=1&id=9#z", "tg://user?id=-1", "tg://user?id=05", "tg://user?id", "tg://users?id=1",
            "tg://resolve?domain=x", "tg:x/Y z", "tg:", "tg://x:80", "tg://a@b", "tg:http://a", "ton://transfer/x", "tonsite://a.b/c", "ton:a.b",
            "tg://emoji?id=5", "tg://emoji?id=0", "tg:emoji/?x=1&id=-9223372036854775808", "tg://emoji?id=9223372036854775808",
            "TG://EMOJI?ID=3", "tg://emoji?id=05", "tg://emoji", "tg://emojis?id=1", "tg://time?unix=1700000000", "tg://time?unix=0",
            "tg://time?unix=5&format=dT", "tg://time?unix=5&format=r", "tg://time?unix=5&format=rt", "tg://time?unix=5&format=q",
            "tg://time?unix=5&format=", "TG://TIME?UNIX=5&FORMAT=D", "tg://time?format=t&unix=2147483648", "tg://time?unix=2147483647#x",
            "tg://time?unix=-5", "tg://time?unix=0&unix=3", "tg://time?unix=x&unix=3", "tg://time?unix=3&format=q&format=t", "tg://emoji?id=x&id=3", "TG://Emoji?ID=3", "tg://Time/?unix=3&FORMAT=q", "tg://time?unix=5&unix=6&format=t&format=d", "a%41.b", "a%4.b", "a%.b", "é.b/é", "a.b/%20 x\ty", "a.b/x ", "a b.c",
            "a\nb.c", "_.b", "a..", "..", ".", "-.x", "a.b?x", "a.b#y", "@a.b", "x@y@a.b", "a:b@c.d", "a/b@c.d", "http:/a.b", "http:a.b", "http://", "a.b/\x01\x7f",
            "a.b\\", "t.me/x", "user:80@a.b:9", "a.b:8a", "a.b:+8", "a.b:-8", "a]:80.b", "[a.b", "a.b:4294967297"]

    SCHEMES = ["", "", "", "http://", "https://", "HTTPS://", "http:", "https:/", "//", "ftp://", "mailto:", "tel:", "sms:", "tg:", "tg://", "TG://",
               "ton:", "ton://", "tonsite:", "tonsite://", "Tonsite:", "file:///", "data:", "ws://", "http+a://", "a.b://", "1://", "://", ":", "\u00e9://"]
    USERS = ["", "", "", "", "u@", "u:p@", ":@", "@", "u@v@", "%41@", "%4@", "\u00e9:\u00e9@", "a/b@", "a?b@", "[u]@", "u:p:q@"]
    HOSTS = ["a.b", "A.B", "localhost", "x", "", ".", "..", "a.", ".a", "a..b", "xn--e1afmkfd.xn--p1ai", "\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
             "\u4f8b.\u6d4b\u8bd5", "\uff41.\uff42", "a\u3002b", "a\u00ad.b", "\U0001f3df.b", "1.2.3.4", "256.1.1.1", "0x7f.1", "a_b.c", "-a.b", "a-.b", "a%2eb", "a%2Eb.c",
             "a,b.c", "a;b.c", "(a).b", "'a'.b", "*.b", "~.b", "a+b.c", "a&b.c", "a=b.c", "$!.b", "a\"b.c", "a<b.c", "a^b.c", "a`b.c", "a|b.c", "{a}.b", "a b.c",
             "resolve", "user", "emoji", "join-chat", "transfer", "t.me", "x" * 300 + ".y"]
    PORTS = ["", "", "", "", ":", ":0", ":1", ":80", ":080", ":000443", ":65535", ":65536", ":99999999999", ":8a", ":-1", ":+1", ": 1", ":\u0661", ":1:2"]
    PATHS = ["", "", "/", "//", "/a", "/a/b", "/a b", "/a\tb", "/a ", "/\x01", "/\u00e9", "/%41", "/%4", "/\u200e", "/a]", "/[a]", "/a\"b", "/\\a", "/a@b", "/a:b", "/.", "/..", "/a.", "/a,", "/a!", "/a?"]
    QUERIES = ["", "", "", "?", "?a=b", "??", "?a b", "?\u00e9", "?id=5", "?id=5&id=6", "?a@b", "? "]
    FRAGMENTS = ["", "", "", "#", "#a", "##", "#a b", "#\u00e9", "#/?", "#a@b", "# ", "\n", "\x0b", "\r"]

    def __init__(self, rng):
        self.rng = rng

    def ipv6(self):
        """Returns a valid or almost valid IPv6 address."""
        groups = ["%x" % self.rng.randrange(1 << self.rng.choice((1, 4, 16, 16, 20))) for _ in range(self.rng.choice((0, 1, 2, 3, 6, 7, 8, 8, 9)))]
        if self.rng.random() < 0.2:
            groups.append(".".join(str(self.rng.choice((0, 1, 10, 255, 256, "01", ""))) for _ in range(self.rng.choice((3, 4, 4, 4, 4, 5)))))
        for _ in range(self.rng.choice((0, 0, 1, 1, 1, 2))):
            groups.insert(self.rng.randrange(len(groups) + 1), "")
        text = self.pick("", "", "", ":") + ":".join(groups) + self.pick("", "", "", ":", "%eth0", "%25e", ".")
        return self.pick("[", "[", "[", "[", "") + text.upper() if self.rng.random() < 0.2 else "[" + text + self.pick("]", "]", "]", "]", "]", "", "]]", "].a")

    def url(self):
        """Returns a URL from the list, or one composed of random parts."""
        if self.rng.random() < 0.5:
            return self.rng.choice(self.URLS)
        host = self.ipv6() if self.rng.random() < 0.15 else self.rng.choice(self.HOSTS)
        parts = (self.SCHEMES, self.USERS, [host], self.PORTS, self.PATHS, self.QUERIES, self.FRAGMENTS)
        url = "".join(self.rng.choice(part) for part in parts)
        return self.spoil(url) if self.rng.random() < 0.1 else url

    def pick(self, *items):
        return self.rng.choice(items)

    def word(self):
        return self.rng.choice(self.WORDS)

    def many(self, part, depth):
        return "".join(part(depth) for _ in range(self.rng.choice((0, 1, 1, 2, 2, 3, 4))))

    def spoil(self, text):
        """Changes a text at random: cuts it, or removes, repeats or inserts a character."""
        while text and self.rng.random() < 0.25:
            at = self.rng.randrange(len(text))
            text = self.pick(text[:at], text[:at] + text[at + 1:], text[:at] + text[at] + text[at:], text[:at] + self.word() + text[at:])
        return text

    def legacy(self, depth=0):
        mark = self.pick("_", "*", "`", "```", "[")
        body = "".join(self.word() for _ in range(self.rng.randrange(4)))
        if mark == "[":
            return f"[{body}]" + self.pick("", f"({self.url()})", f"({self.url()}", " (a.b)")
        head = self.pick("", "py", "c\n", "\n", "\r\n", "\n\r", "\n\n", " ") if mark == "```" else ""
        return self.pick(mark + head + body + mark, body, "\\" + self.pick(mark[0], "a", "\\", "]"), body + mark)

    def v2(self, depth=0):
        kind = self.rng.randrange(15)
        if depth > 4 or kind < 3:
            return self.pick(self.word(), self.word(), "\\" + self.pick(*"_*[]()~`>#+-=|{}.!\\a\n\ré"), "\n", "\n>")
        inner = self.many(self.v2, depth + 1)
        if kind < 8:
            mark = self.pick("*", "_", "__", "~", "||")
            return mark + inner + mark
        if kind == 8:
            return "`" + self.word() + self.pick("\n", ">", "*", "\\`", "") + "`"
        if kind == 9:
            return "```" + self.pick("", "py", "c\n", "\n", "\r\n", "\n\r", "\n\n", " ") + self.word() + self.pick("\n", "`", "\\`", ">", "") + "```"
        if kind == 10:
            url = self.url()
            return f"[{inner}]" + self.pick("", f"({url})", f"({url})", f"({url}", "(" + re.sub(r"([)\\])", r"\\\1", url) + ")")
        if kind == 11:
            urls = [url for url in self.URLS if "emoji" in url or "time" in url]
            return f"![{inner}]" + self.pick("", f"({self.url()})", *(f"({self.rng.choice(urls)})" for _ in range(8)))
        quote = ">" + inner + self.pick("", "||", "||\r", "\n>", "\n>" + self.word(), "\n", "\n", "||\n", "||\r\n", "\n**", "||\n**")
        return self.pick("", "", "\n", "**", "\n**") + quote

    TAGS = ["b", "strong", "i", "em", "s", "strike", "del", "u", "ins", "tg-spoiler", "tg-emoji", "tg-time", "span", "pre", "code",
            "blockquote", "a", "B", "Pre", "br", "p", ""]
    REFERENCES = ["&lt;", "&gt", "&amp;", "&quot;", "&nbsp;", "&ltx;", "&lt5", "&LT;", "&#65;", "&#65", "&#x41;", "&#X41;", "&#x;", "&#0;", "&#00000065;",
                  "&#0000065;", "&#x1F44D;", "&#x10FFFE;", "&#x10FFFF;", "&#1114110;", "&#1114111;", "&#99999999;", "&#xFFFFFF;", "&#13;", "&", "&;", "&#", "&apos;", "&#10;", "&#x0A"]

    def attribute(self):
        value = self.pick(self.url(), self.url(), "language-c", "language-", "c", "tg-spoiler", "tg-x", "5", "0", "-7", "05", "dt", "r", "Tw", "q", "Wd",
                          "9223372036854775807", "9223372036854775808", "2147483648", "", *self.REFERENCES)
        name = self.pick("href", "class", "emoji-id", "unix", "format", "expandable", "x", "HREF", "", "a/b", "é")
        quote = self.pick('"', '"', '"', "'", "")
        space = self.pick(" ", " ", " ", "", "\n", "\t", "\0", "/", "\x0c")
        return space + name + self.pick("=", "=", "=", " = ", "", "==") + quote + value.replace(quote or "\0", "") + quote

    FITTING = {
        "a": [' href="{}"', " href='{}'"], "code": [' class="language-c"', " class=language-x", ' class="x"'], "span": [' class="tg-spoiler"', " class=tg-spoiler"],
        "tg-emoji": [' emoji-id="5"', ' emoji-id="-9"', ' emoji-id=""'], "blockquote": [" expandable", ' expandable="false"', ""],
        "tg-time": [' unix="5"', ' unix="5" format="dt"', ' unix=7 format="{}"', ' unix="x"', ' unix="-1"', ' format="Wd" unix="3"', ' unix="5" format="r"', ' unix="5x"', ' unix="-4294967291"', ' unix=99999999999'],
    }

    def html(self, depth=0):
        kind = self.rng.randrange(12)
        if depth > 4 or kind < 3:
            return self.pick(self.word(), self.word(), self.rng.choice(self.REFERENCES), ">")
        if kind == 3:
            code = f'<code class="{self.pick("language-c", "language-", "x")}">{self.word()}</code>'
            return self.pick(f"<pre>{code}</pre>", f'<code class="language-{self.word()}"><pre>{self.word()}</pre></code>'.replace('&"', "&").replace('"">', '">'))
        tag = self.rng.choice(self.TAGS[:17] if self.rng.random() < 0.97 else self.TAGS)
        attributes = self.pick(*self.FITTING.get(tag, [""])).replace("{}", self.pick(self.url(), "tD", "w"))
        if self.rng.random() < 0.12:
            attributes += "".join(self.attribute() for _ in range(self.rng.choice((1, 1, 2))))
        close = tag if self.rng.random() < 0.97 else self.pick("", tag.upper(), self.rng.choice(self.TAGS))
        inner = self.many(self.html, depth + 1)
        return f"<{tag}{attributes}{self.pick('', '', '', ' ')}>{inner}</{close}{self.pick('', '', '', ' ', chr(10))}>"

    ALPHABETS = {
        "Markdown": list("_*`[]()\\ \nab.:/\r") + ["```", "é", "🏟", "\0", "](a.b)", "](tg:user?id=1)"],
        "MarkdownV2": list("_*[]()~`>|!\\\n\r ab.") + ["__", "||", "```", ">", "\n>", "||\n", "**", "![", "](a.b)", "](tg://emoji?id=1)", "é", "🏟", "\0", "-"],
        "Html": list("<>/&;=\"' \nabi#x1\0-") + ["<b>", "</b>", "<a href=", "</a>", "<pre>", "</pre>", "<code>", "</code>", "&lt;", "&#", "é", "🏟", "<i", "</", "<code class=\"language-", "\">"],
    }

    def random(self, mode):
        return "".join(self.rng.choice(self.ALPHABETS[mode]) for _ in range(self.rng.randrange(1, 16)))

    def text(self, mode):
        if self.rng.random() < 0.3:
            return self.random(mode)
        part = {"Markdown": self.legacy, "MarkdownV2": self.v2, "Html": self.html}[mode]
        text = "".join(part() for _ in range(self.rng.randrange(1, 5)))
        return self.spoil(text) if self.rng.random() < 0.4 else text


SURROGATE = re.compile(r"&#(x[dD][89a-fA-F][0-9a-fA-F]{2}|0*5(5[3-9]|[67])\d+)")
LIGHT = re.compile(r"\*\*|__|~~|\|\||```|`|\]\(|tg://")


LABEL_LINK = re.compile(r"\](?!\()")
LINKS = ("TextUrl", "MentionName")
REMOVED = re.compile("[\r\u2028-\u202e\u0333\u033f\u030a]")


def without_label_links(mode, text, entities):
    """Returns the entities without links, if the text has a label without a URL. The reference's legacy mode overwrites such a
    label while it reads the label as a URL: `[example.com]` links to `xample.comm`. Our parser links to the label, as documented."""
    if mode == "Markdown" and LABEL_LINK.search(text):
        return [entity for entity in entities if entity[2] not in LINKS]
    return entities


def joined(entities):
    """Returns the entities that are not styles, and the characters that each style covers.

    The synchronous call may divide a style differently after it removes characters.
    """
    styles, rest = {}, []
    for offset, length, name, extra in sorted(entities, key=repr):
        if RANK[name] < RANK["Bold"] or name == "CustomEmoji":
            rest.append((offset, length, name, extra))
        else:
            styles.setdefault(name, set()).update(range(offset, offset + length))
    return rest, styles


def compare(mode, text, answer):
    """Returns the difference or None, and the kind of comparison."""
    if mode == "Html" and SURROGATE.search(text) and "<" in text:
        return None, "skipped: the reference aborts on a surrogate in an attribute"
    if mode == "Markdown" and not text.isascii() and LABEL_LINK.search(text):
        return None, "skipped: the reference aborts if it overwrites part of a character (see without_label_links)"
    their, our = reference(mode, text), json.loads(answer)
    if their["@type"] == "error" or "error" in our:
        one = their.get("message", "no error").removeprefix(PREFIX)
        two = our["error"]["message"] if "error" in our else "no error"
        return ((one, two) if one != two else None), "error"
    one, two = [theirs(entity) for entity in their["entities"]], [ours(entity) for entity in our["entities"]]
    one, two = (without_label_links(mode, text, entities) for entities in (one, two))
    if their["text"] != our["text"] or order_free(one) != order_free(two) or (mode != "Markdown" and not is_sorted(two)):
        return ((their["text"], one), (our["text"], two)), "parsed"
    if mode == "Markdown" and one != two:
        return ((their["text"], one), (our["text"], two)), "parsed"
    if mode == "Markdown" and LABEL_LINK.search(text):
        return None, "parsed, except links"
    ranks = {(offset, length, RANK[name]) for offset, length, name, _ in one}
    if len(ranks) < len(one) or LIGHT.search(their["text"]):
        return None, "parsed"
    return compare_sent(their, our), "parsed and sent"


def trim(text, entities):
    """Trims a cleaned text, as the reference does before it sends the text; its synchronous call does not trim."""
    kept = text.rstrip(" \n")
    end = len(kept.encode("utf-16-le")) // 2
    entities = [(offset, min(length, end - offset), name, extra) for offset, length, name, extra in entities if offset < end]
    first = min((entity[0] for entity in entities), default=end)
    cut = min(len(kept) - len(kept.lstrip(" \n")), first)
    return kept[cut:], [(offset - cut, length, name, extra) for offset, length, name, extra in entities]


def compare_sent(their, our):
    cleaned = execute({"@type": "parseMarkdown", "text": {k: their[k] for k in ("@type", "text", "entities")}})
    if cleaned["@type"] == "error":  # a URL that is invalid after cleaning: our parser drops the link
        return None if cleaned["message"].startswith("Entity URL") else (cleaned["message"], our["sent"])
    text, entities = trim(cleaned["text"], [theirs(entity) for entity in cleaned["entities"]])
    two = [ours(entity) for entity in our["sent"]["entities"]]
    lengths = (len(text), len(text.encode("utf-16-le")) // 2)
    view = joined if REMOVED.search(their["text"]) else order_free
    if text != our["sent"]["text"] or view(entities) != view(two) or lengths != (our["sent"]["length"], our["sent"]["utf16"]):
        return ("sent", text, entities), (our["sent"]["text"], two)
    return None


def compare_batch(stream, batch, counts):
    """Yields the differences of a batch of pairs of mode and text, and counts the kinds of comparison."""
    lines = "".join(json.dumps(pair) + "\n" for pair in batch).encode()
    answers = subprocess.run([stream], input=lines, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    assert len(answers) == len(batch)
    for (mode, text), answer in zip(batch, answers):
        difference, what = compare(mode, text, answer)
        counts[mode, what] += 1
        if difference:
            yield mode, repr(text), *difference


def compare_vectors(stream, files):
    """Compares the cases of `tests/vectors/markup*.json`, and prints the counts for public_data."""
    cases = [case for file in files for case in json.loads(pathlib.Path(file).read_text(encoding="utf-8"))["cases"]]
    batch = [(case["mode"], case["input"]) for case in cases if case["mode"] in PARSE_MODES]
    counts = collections.Counter()
    differences = list(compare_batch(stream, batch, counts))
    for difference in differences:
        print(*difference, sep="\n    ")
    explained = sum(count for (_, what), count in counts.items() if what.startswith("skipped") or what.endswith("except links"))
    print(f"  {explained} explained: the reference overwrites a label without a URL; the text is compared, the links are not")
    print(f"{len(batch)} cases, {len(batch) - explained - len(differences)} agree, {explained} explained")
    return bool(differences)


def main():
    root = os.path.join(os.path.dirname(__file__), "..", "..")
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(root, "target"))
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--count", type=int, default=1_000_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", type=int, default=20)
    arguments.add_argument("--stream", default=os.path.join(target, "debug", "markup_stream"))
    arguments.add_argument("--vectors", nargs="*", help="compare the cases of these files instead of random texts")
    options = arguments.parse_args()
    execute({"@type": "setLogVerbosityLevel", "new_verbosity_level": 0})
    if options.vectors:
        sys.exit(compare_vectors(options.stream, options.vectors))
    grammar = Grammar(random.Random(options.seed))
    counts, differing, done = collections.Counter(), 0, 0
    while done < options.count:
        modes = [("MarkdownV2", "Html", "Markdown")[index % 3] for index in range(min(30_000, options.count - done))]
        batch = [(mode, grammar.text(mode)) for mode in modes]
        for difference in compare_batch(options.stream, batch, counts):
            differing += 1
            if differing <= options.show:
                print(*difference, sep="\n    ", flush=True)
        done += len(batch)
    for key, count in sorted(counts.items()):
        print(*key, count)
    print(f"{done} compared, {differing} differences")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
