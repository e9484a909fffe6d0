"""The command `cpaas validate` reports the problems of the vectors, in their order, with the settings of the environment."""

import json

import pytest
from conftest import VECTORS, vectors
from support.vector_files import expand

from cpaas._cli.main import main

FILES = sorted(path.name for path in (VECTORS / "problems").glob("*.json"))
INVALID = 9


def reported(capsys, operation, text, folder):
    """The exit code, and the problems of a request."""
    file = folder / "request.json"
    file.write_text(text, encoding="utf-8")
    code = main(["validate", "--json", operation, str(file)])
    report = json.loads(capsys.readouterr().out)
    problems = [*report["errors"], *report["warnings"]]
    return code, [{name: problem[name] for name in ("pointer", "code", "severity")} for problem in problems]


def expected(case):
    is_valid = all(problem["severity"] != "error" for problem in case["expect"])
    return 0 if is_valid else INVALID, case["expect"]


@pytest.mark.parametrize("file", FILES)
def test_requests_have_the_problems_of_the_vectors(file, capsys, tmp_path):
    cases = vectors(f"problems/{file}")["cases"]
    cases = [case for case in cases if "operation" in case and "expect" in case]
    for case in cases:
        text = case["text"] if "text" in case else json.dumps(expand(case["request"]))
        if "\ud800" <= max(text, default="") <= "\udfff":
            continue  # not a text that a file can contain
        assert reported(capsys, case["operation"], text, tmp_path) == expected(case), case["id"]


def test_the_settings_of_the_environment_have_the_results_of_the_vectors(capsys, tmp_path, monkeypatch):
    cases = [case for case in vectors("recipients.json")["cases"] if "validation" not in case["config"]]
    assert len(cases) > 70
    for case in cases:
        with monkeypatch.context() as environment:
            for name, value in case["config"].items():
                text = value if isinstance(value, str) else json.dumps(value)
                environment.setenv(f"CPAAS_{name.upper()}", text)
            found = reported(capsys, case["operation"], json.dumps(case["request"]), tmp_path)
        assert found == expected(case), case["id"]
