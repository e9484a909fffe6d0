"""The lines of a file: the plan, the export and the notes of a creation name them beside the rows."""

import csv
import io

from campaign_cases import SETS, command, create, journal

import cpaas

# The third row begins in line 6: a name with a line break and an empty line are above it.
CSV = 'phone,name\n306900000001,"Ann\n(a friend)"\nx,Bad\n\n+30,Ben\n306900000002,Eva\n'


def test_the_command_names_the_line_of_an_invalid_row(command):
    (command.folder / "people.csv").write_text(CSV)
    plan = ("plan", "people.csv", "--op", "sms.send", *SETS)
    assert "2 problems (rows 2 (line 4), 3 (line 6)), /to: " in command(*plan)[1]
    found = command.json(*plan)
    assert (found["problems"][0]["row"], found["problems"][0]["line"]) == (2, 4)
    assert found["problem_groups"][0]["lines"] == [4, 6]
    _, _, err = command("create", "autumn", "people.csv", "--op", "sms.send", *SETS, "--journal", "j.db")
    assert "2 rows are invalid: " in err
    assert "; rows 2 (line 4), 3 (line 6); " in err
    _, out, _ = command("export", "autumn", "--journal", "j.db", "--outcome", "invalid")
    assert [row["line"] for row in csv.DictReader(io.StringIO(out))] == ["4", "6"]
    rows = command("export", "autumn", "--journal", "j.db", "--json")[1].splitlines()
    assert ['"line": 2' in rows[0], '"line": 7' in rows[3]] == [True, True]


def test_a_key_and_a_line_are_named_together(tmp_path):
    file = tmp_path / "people.csv"
    file.write_text(CSV)
    plan = cpaas.plan("sms.send", file, {"from": "Acme", "to": "{{ phone }}", "text": "Hi"}, id="name")
    assert str(plan.problems[0]).startswith("row 2 (line 4, Bad), /to: ")
    assert plan.problem_groups[0].lines == (4, 6)


def test_rows_of_an_iterable_have_no_line(journal):
    campaign = create(journal, 1)
    assert [row["line"] for row in campaign.rows()] == [None]
    plan = cpaas.plan("sms.send", [{"phone": "x"}], {"from": "Acme", "to": "{{ phone }}", "text": "Hi"})
    assert (plan.problems[0].line, plan.problem_groups[0].lines) == (None, ())
    assert str(plan.problems[0]).startswith("row 1, /to: ")
