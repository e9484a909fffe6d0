"""Runs the blocks of docs/dataframes.md in order. The solutions of the task print the same figures."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = Path(os.environ.get("CPAAS_DATAFRAMES", Path(__file__).parents[2] / "docs" / "dataframes.md"))
BLOCKS = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.S | re.M)

CUSTOMERS = os.environ.get("CPAAS_CUSTOMERS", "2_000")


def engine(code):
    found = re.search(r"^(?:import|from) (polars|duckdb|pandas|pyspark)", code, re.M)
    return found[1] if found else "csv"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("dataframes")
    # The page has 40,000 customers, which take too long with a debug build.
    run(BLOCKS[0].replace("40_000", CUSTOMERS), place)
    return place


def run(code, place):
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env=environment,
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_has_blocks_of_each_engine():
    assert [engine(code) for code in BLOCKS] == [
        "csv",
        "polars",
        "duckdb",
        "duckdb",
        "pandas",
        "pyspark",
        "polars",
        "polars",
        "polars",
    ]


@pytest.mark.parametrize("code", BLOCKS[1:6], ids=engine)
def test_solutions_of_the_task_print_the_same_figures(code, folder):
    pytest.importorskip("pyarrow")
    pytest.importorskip(engine(code))
    # Every thousandth number is invalid and has no price. The expected figures come from the functions of one text or number.
    assert run(code, folder).split()[-3:] == expected(folder)


def expected(folder):
    import csv
    from decimal import Decimal

    import cpaas

    with (folder / "customers.csv").open(newline="", encoding="utf-8") as file:
        customers = list(csv.DictReader(file))
    counts = cpaas.count_segments([row["text"] for row in customers]).counts
    bad = sum(not cpaas.check_number(row["number"]).valid for row in customers)
    total = sum(count for count, row in zip(counts, customers) if row["number"] != "unknown") * Decimal(
        "0.0375"
    )
    return [str(sum(count >= 2 for count in counts)), str(bad), str(total.quantize(Decimal("1e-9")))]


def test_validation_and_templates_print_their_results(folder):
    pytest.importorskip("polars")
    ok, *lines = run(BLOCKS[6], folder).split(maxsplit=1)
    customers = int(CUSTOMERS)
    assert int(ok) == customers - customers // 1000  # every thousandth number is invalid
    assert lines[0].startswith("['sms.to.not_digits']")
    assert '{"from":"Acme","to":"306910000001","text":"Dear Customer 1, your order has shipped."}' in lines[0]


def test_a_summary_names_the_keys_of_its_rows(folder):
    pytest.importorskip("polars")
    numbers = range(0, int(CUSTOMERS), 1000)
    rows, names = [n + 1 for n in numbers][:3], [f"Customer {n}" for n in numbers][:3]
    assert run(BLOCKS[7], folder) == f"sms.to.not_digits {len(numbers)} {rows} {names}\n"


def test_a_campaign_sends_the_rows_of_a_data_frame(folder):
    pytest.importorskip("polars")
    planned, columns, outcomes, invalid = run(BLOCKS[8], folder).splitlines()
    assert planned == "sms.to.not_digits 1 ('Customer 0',)"
    assert (
        columns
        == "['row', 'outcome', 'reason', 'message_id', 'recipients', 'attempts', 'delivery', 'line', 'name']"
    )
    assert outcomes == "[('accepted', 99), ('invalid', 1)]"
    assert invalid == "[('Customer 0', '/to sms.to.not_digits')]"
