"""Columns that a template names in another notation than MiniJinja's: a warning at the line of the caller, for every kind of rows."""

import json
import subprocess
import sys
import warnings

import pytest

import cpaas

ROW = {"phone": "306912345678", "name": "Ann"}


def template(text):
    return {"from": "Acme", "to": "{{ phone }}", "text": text}


def csv(folder):
    path = folder / "rows.csv"
    path.write_text("phone,name\n306912345678,Ann\n")
    return path


def json_lines(folder):
    path = folder / "rows.jsonl"
    path.write_text(json.dumps(ROW) + "\n")
    return path


@pytest.mark.parametrize("rows", [csv, json_lines, lambda folder: [ROW], lambda folder: iter([ROW])])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hi {name}", "template, /text: the name of a column must be in double braces"),
        ("Hi [name]", "template, /text contains `[name]`, which is sent as it is"),
        ("Hi %name%", "template, /text contains `%name%`, which is sent as it is"),
    ],
)
def test_a_creation_warns_where_it_is_called(tmp_path, rows, text, expected):
    with pytest.warns(UserWarning, match="^template, /text") as found:
        cpaas.Campaign.create(tmp_path / "c.db", "sms.send", rows(tmp_path), template(text))
    assert [(str(one.message).startswith(expected), one.filename) for one in found] == [(True, __file__)]


def test_cells_without_a_value_are_warned_of(tmp_path):
    rows = [ROW, {**ROW, "phone": "306912345679", "name": "NULL"}]
    with pytest.warns(UserWarning, match="`name`, which the template uses, has a text such as NULL") as found:
        cpaas.Campaign.create(tmp_path / "c.db", "sms.send", rows, template("Hi {{ name }}"))
    assert [one.filename for one in found] == [__file__]


def test_a_campaign_without_a_row_warns_where_it_is_created(tmp_path):
    with pytest.warns(RuntimeWarning, match="no row to send") as found:
        cpaas.Campaign.create(tmp_path / "c.db", "sms.send", [{"name": "Ann"}], template("Hi"))
    assert [one.filename for one in found] == [__file__]


def test_a_template_without_mistakes_warns_of_nothing(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cpaas.Campaign.create(tmp_path / "c.db", "sms.send", [ROW], template("Hi {{ name }} {town} [town]"))


def test_the_command_warns_once(tmp_path):
    arguments = [
        "--op",
        "sms.send",
        "--set",
        "from=A",
        "--set",
        "to={{ phone }}",
        "--set",
        "text=Hi {name} [name]",
    ]
    command = [
        "-m",
        "cpaas",
        "campaign",
        "create",
        "autumn",
        str(csv(tmp_path)),
        "--journal",
        str(tmp_path / "c.db"),
    ]
    ended = subprocess.run([sys.executable, *command, *arguments], capture_output=True, text=True, check=True)
    lines = ended.stderr.splitlines()
    assert [line.partition(": the")[0].partition(" contains")[0] for line in lines] == [
        "cpaas: warning: /text"
    ] * 2


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("rows.json", '[{"phone":"306912345678"}]', "the rows must be CSV, or JSON Lines"),
        ("rows.csv", '[{"phone":"306912345678"}]', "the rows must be CSV, or JSON Lines"),
        ("rows.csv", "mob: 306912345678,Ann\n", "may be values and are not shown"),
        ("rows.csv", "Your code is 4711\n", "may be values and are not shown"),
    ],
)
def test_a_file_without_a_header_is_not_shown(tmp_path, name, text, expected):
    path = tmp_path / name
    path.write_text(text)
    for call in (
        lambda: cpaas.plan("sms.send", path, template("Hi")),
        lambda: cpaas.Campaign.create(tmp_path / "c.db", "sms.send", path, template("Hi")),
    ):
        with pytest.raises(cpaas.CampaignError, match=expected) as caught:
            call()
        assert not any(secret in str(caught.value) for secret in ("6912", "4711", "Ann"))


def test_a_data_frame_without_a_header_is_not_shown():
    pa = pytest.importorskip("pyarrow")
    from cpaas import arrow

    table = pa.table({"306912345678": ["306912345679"], "Ann": ["Eva"]})
    with pytest.raises(ValueError, match="may be values and are not shown") as caught:
        arrow.render("Hi {{ name }}", table)
    assert "6912" not in str(caught.value)
    assert "Ann" not in str(caught.value)
