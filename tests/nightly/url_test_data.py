"""Compares the rule for URLs with `urltestdata.json` of web-platform-tests, as the crate `url` contains it.

Run by public_data. Two kinds of cases: each input without a base, which must be refused if the URL Standard refuses it or if its scheme is
not http or https; and each resolved http or https URL (`href`). What only the standard accepts must have one of the causes of
docs/specification.md (URLs). Prints the counts, and exits with 1 after another difference.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

CODE = "business_chat.image.file_url.invalid"


def case(name, url):
    image = {"fileUrl": url, "altText": "Red shoe"}
    request = {"trafficAccountId": "0f8fad5b-d9cb-469f-a165-70867728950e", "destination": "306912345678"}
    # A report that cannot be true makes `cases` print the real one.
    return {"id": name, "operation": "messages.send", "request": request | {"business_chat": {"image": image, "fallback": "f"}}, "report": "?"}


def reasons(cases_program, urls):
    """Returns for each URL the reason of its refusal, `other` if there is none, or None if it is accepted."""
    cases = [case(str(index), url) for index, url in enumerate(urls)]
    out = subprocess.run([cases_program, "problems"], input=json.dumps({"cases": cases}), capture_output=True, text=True).stdout
    lines = out.splitlines()
    assert lines.pop() == f"0/{len(urls)}", out[-300:]
    found = [None] * len(urls)
    for line in lines:
        name, _, report = line.partition(": report: expected ?, got ")
        errors = json.loads(report)["errors"]
        assert all(error["code"] == CODE for error in errors), line
        found[int(json.loads(name))] = errors[0].get("params", {}).get("reason", "other") if errors else None
    return found


def authority(url):
    return re.split(r"[/\\?#]", re.sub(r"^\w+:[/\\]*", "", url.strip()), maxsplit=1)[0]


def cause(url, reason):
    """Returns the row of docs/specification.md (URLs) that explains why a URL of the standard is refused."""
    host = authority(url).rpartition("@")[2]
    name = re.sub(r":\d*$", "", host)
    if any(character.isspace() or not character.isprintable() for character in url):
        return "white space"
    if "must start with" in reason and re.match(r"https?:", url, re.I) and not re.match(r"https?://", url, re.I):
        return "slashes"
    if "\\" in url or ("must have a host" in reason and re.match(r"https?:///", url, re.I)):
        return "slashes"
    if "Punycode" in reason and not name.isascii():
        return "not ASCII"
    if "from 1 to 65535" in reason and re.search(r":0*$", host):
        return "port"
    if "domain name or an IP address" not in reason:
        return None
    if "%" in name:
        return "percent"
    if "" in name.removesuffix(".").split("."):
        return "empty label"
    if re.fullmatch(r"(\w+\.)*(\d+|0[xX][0-9a-fA-F]*)\.?", name):
        return "IPv4 address"
    if re.search(r"[^\w.-]", name, re.ASCII):
        return "sign"
    return "not ASCII" if re.search(r"(^|\.)xn--", name, re.I) else None


def is_web(entry):
    return entry.get("protocol") in ("http:", "https:")


def main(cases_program, file):
    entries = [entry for entry in json.loads(pathlib.Path(file).read_text(encoding="utf-8")) if isinstance(entry, dict)]
    texts = [(entry["input"], entry) for entry in entries if entry.get("base") is None]
    texts += [(entry["href"], entry) for entry in entries if is_web(entry)]
    explained, different = collections.Counter(), []
    for (text, entry), reason in zip(texts, reasons(cases_program, [text for text, _ in texts])):
        if reason is None and not is_web(entry):
            different.append(f"accepted, but not by the standard: {text!r}")
        elif reason is None and entry["hostname"].lower() not in text.lower():
            different.append(f"accepted with another host than {entry['hostname']}: {text!r}")
        elif reason is not None and is_web(entry):
            row = cause(text, reason)
            explained[row] += 1
            if row is None:
                different.append(f"refused ({reason}): {text!r}")
    print(*(f"DIFFERENT {line}" for line in different), sep="\n", end="\n" if different else "")
    del explained[None]
    for row, count in sorted(explained.items()):
        print(f"  {count} explained: {row}")
    print(f"{len(texts)} cases, {len(texts) - len(different) - explained.total()} agree, {explained.total()} explained")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
