"""The caller's key of a row: in the problems of `validate`, in those of a plan, and with the outcomes of a campaign."""

import pytest

import cpaas

TEMPLATE = {"from": "Acme", "to": "{{ phone }}", "text": "{{ text }}"}
ROWS = [
    {"customer": "c1", "phone": "306900000001", "text": "Hi"},
    {"customer": 7, "phone": "letters", "text": "Hi"},
    {"customer": None, "phone": "+306900000003", "text": "Hi"},
    {"customer": "c4", "phone": "306900000004", "text": ""},
    {"customer": "c5", "phone": "x", "text": "Hi"},
    {"customer": "c6", "phone": "y", "text": "Hi"},
]


def test_the_problems_of_a_plan_have_the_keys_of_their_rows():
    plan = cpaas.plan("sms.send", ROWS, TEMPLATE, id="customer")
    assert [(problem.row, problem.id) for problem in plan.problems] == [
        (2, 7),
        (3, None),
        (4, "c4"),
        (5, "c5"),
        (6, "c6"),
    ]
    groups = {group.code: (group.count, group.rows, group.ids) for group in plan.problem_groups}
    assert groups == {
        "sms.to.not_digits": (4, (2, 3, 5), (7, None, "c5")),
        "sms.text.required": (1, (4,), ("c4",)),
    }
    assert "4 problems (rows 2 (7), 3, 5 (c5), …), /to:" in str(plan)
    assert "row 4 (c4), /text:" in str(plan)
    assert "c5" not in repr(plan.problems)
    assert "c5" not in repr(plan.problem_groups)
    assert plan.to_dict()["problem_groups"][0]["ids"] == [7, None, "c5"]


def test_without_a_key_a_plan_has_none():
    plan = cpaas.plan("sms.send", ROWS, TEMPLATE)
    assert {problem.id for problem in plan.problems} == {None}
    assert {group.ids for group in plan.problem_groups} == {()}


def test_a_key_may_have_the_name_of_a_column_of_exports_and_may_be_kept():
    rows = [{"row": "r1", "phone": "x", "text": "Hi"}]
    assert cpaas.plan("sms.send", rows, TEMPLATE, id="row").problems[0].id == "r1"
    plan = cpaas.plan("sms.send", ROWS[4:], TEMPLATE, id="customer", keep=["customer"])
    assert (plan.problems[0].id, plan.problems[0].kept) == ("c5", {"customer": "c5"})


def test_a_column_that_does_not_exist_is_an_error(tmp_path):
    file = tmp_path / "people.csv"
    file.write_text("phone,text\n306900000001,Hi\n")
    for rows in (ROWS, file):
        with pytest.raises(cpaas.CampaignError, match=r"^id: expected the column `client`, got the columns "):
            cpaas.plan("sms.send", rows, TEMPLATE, id="client")
    with pytest.raises(TypeError, match="id must be str, got int"):
        cpaas.plan("sms.send", ROWS, TEMPLATE, id=1)


def test_a_warning_has_the_key_of_its_row():
    plan = cpaas.plan("sms.send", ROWS[:1], {**TEMPLATE, "txet": "Hi"}, id="customer")
    assert [(warning.row, warning.id) for warning in plan.warnings] == [(1, "c1")]


def test_a_key_joins_reports_plans_and_outcomes(tmp_path):
    pa = pytest.importorskip("pyarrow")
    rows = [{**row, "customer": f"k{n}"} for n, row in enumerate(ROWS)]
    table = pa.Table.from_pylist(rows)
    messages = pa.table(
        {
            "customer": table["customer"],
            "from": pa.array(["Acme"] * len(rows)),
            "to": table["phone"],
            "text": table["text"],
        }
    )
    report = pa.table(cpaas.arrow.validate("sms.send", messages, id="customer")).to_pylist()
    invalid = {row["customer"] for row in report if not row["ok"]}
    plan = cpaas.plan("sms.send", table, TEMPLATE, id="customer")
    assert {problem.id for problem in plan.problems} == invalid == {"k1", "k2", "k3", "k4", "k5"}
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        campaign = cpaas.Campaign.create(
            tmp_path / "j.db", "sms.send", table, TEMPLATE, name="c", keep=["customer"]
        )
        campaign.run(client)
        outcomes = pa.table(campaign).to_pylist()
    assert {row["customer"] for row in outcomes if row["outcome"] == "invalid"} == invalid
    assert {row["customer"] for row in outcomes if row["outcome"] == "accepted"} == {"k0"}
