"""The outcomes of a campaign as an Arrow stream, which other libraries read, and as an Arrow file."""

import stat
import subprocess
import sys

import pytest
from campaign_cases import create, journal, people

import cpaas

pa = pytest.importorskip("pyarrow")

NAMES = ["row", "outcome", "reason", "message_id", "recipients", "attempts", "delivery", "line"]


@pytest.fixture
def campaign(sandbox, client, journal):
    rows = [*people(3), {"phone": "x", "name": "bad"}, people(1)[0]]
    campaign = create(journal, rows)
    campaign.run(client)
    return campaign


def rows_of(campaign):
    """The rows with lists of recipients, as tables have them."""
    return [{**row, "recipients": list(row["recipients"])} for row in campaign.rows()]


def test_a_campaign_is_a_table(campaign):
    table = pa.table(campaign)
    assert table.column_names == NAMES
    assert table.to_pylist() == rows_of(campaign)
    assert [row["outcome"] for row in table.to_pylist()] == ["accepted"] * 3 + ["invalid", "duplicate"]
    assert table["message_id"].null_count == 2
    assert table["row"].to_pylist() == [1, 2, 3, 4, 5]
    # Each stream begins at the first row.
    assert pa.table(campaign) == table


def test_other_libraries_read_a_campaign(campaign):
    expected = rows_of(campaign)
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(campaign).to_dicts() == expected
    duckdb = pytest.importorskip("duckdb")
    counts = duckdb.from_arrow(pa.RecordBatchReader.from_stream(campaign))
    counts = counts.aggregate("outcome, count(*) as n").order("outcome").fetchall()
    assert counts == [("accepted", 3), ("duplicate", 1), ("invalid", 1)]
    pandas = pytest.importorskip("pandas")
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert list(pandas.DataFrame.from_arrow(campaign)["outcome"]) == [row["outcome"] for row in expected]


def test_the_stream_has_one_batch_for_each_chunk(journal):
    campaign = create(journal, 10_000)
    sizes = [batch.num_rows for batch in pa.RecordBatchReader.from_stream(campaign)]
    assert sum(sizes) == 10_000
    assert len(sizes) > 1
    assert pa.table(campaign)["row"].to_pylist() == list(range(1, 10_001))
    assert set(pa.table(campaign)["outcome"].to_pylist()) == {"pending"}


def test_a_stream_may_be_dropped_before_its_end(journal):
    campaign = create(journal, 10_000)
    reader = pa.RecordBatchReader.from_stream(campaign)
    assert reader.read_next_batch().num_rows > 0
    del reader, campaign


def test_an_unknown_campaign_is_an_exception(journal):
    create(journal, 1)
    with pytest.raises(cpaas.Error):
        pa.table(cpaas.Campaign(journal, "other"))


def test_export_writes_an_arrow_file(campaign, tmp_path):
    for name, settings in (("out.arrow", {}), ("out.feather", {}), ("out.bin", {"format": "arrow"})):
        file = tmp_path / name
        assert campaign.export(file, **settings) == 5
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        with pa.ipc.open_file(file) as reader:
            assert reader.read_all() == pa.table(campaign)
    with pytest.raises(ValueError, match='format must be "csv", "jsonl" or "arrow"'):
        campaign.export(tmp_path / "out.txt", format="parquet")


def command(*arguments, code=""):
    script = f"{code}\nimport sys, cpaas.__main__\nsys.exit(cpaas.__main__.main())"
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_the_command_writes_an_arrow_file_and_needs_pyarrow(campaign, journal, tmp_path):
    file = tmp_path / "out.arrow"
    arguments = ("campaign", "export", "autumn", "--journal", journal, "--output", file)
    done = command(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with pa.ipc.open_file(file) as reader:
        assert reader.read_all() == pa.table(campaign)
    file.unlink()
    done = command(*arguments, code="import sys\nsys.modules['pyarrow'] = None")
    assert done.returncode != 0
    assert "pip install pyarrow" in done.stderr
    assert "Traceback" not in done.stderr
    assert not file.exists()
