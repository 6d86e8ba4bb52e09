import json
import os
import re
import subprocess
import sys
from pathlib import Path

import polars
import pytest

from textspace.tables import read_blocks, write_blocks


def test_parquet_keeps_its_types(tmp_path, small_blocks):
    frame = polars.DataFrame(
        {"text": ["a", "b", "c", "d"], "n": [1, None, 3, 4], "tags": [["x"], [], None, ["y"]]}
    )
    frame = frame.with_columns(polars.Series("on", ["2024-01-01"] * 4).str.to_date())
    frame.write_parquet(tmp_path / "rows.parquet")
    write_blocks(read_blocks(tmp_path / "rows.parquet"), tmp_path / "out.parquet")
    again = polars.read_parquet(tmp_path / "out.parquet")
    assert again.equals(frame)
    assert again.schema == frame.schema
    write_blocks(read_blocks(tmp_path / "rows.parquet"), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().splitlines()[1] == 'a,1,"[""x""]",2024-01-01'


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize("n_before", [1, 150, 3000])
@pytest.mark.parametrize(
    ("before", "late"),
    [
        (None, "filled"),
        ([], [1, 2]),
        ([None], ["filled"]),
        ([{"a": 1}], [{"a": 1, "b": 2}]),
        (0.5, 2**60 + 1),
    ],
)
def test_what_comes_late_in_a_column_is_written_or_refused(tmp_path, ending, n_before, before, late):
    values = [before] * n_before + [late]
    rows = [json.dumps({"text": "corn", "late": value}) for value in values]
    (tmp_path / "rows.jsonl").write_text("\n".join(rows))
    path = tmp_path / f"out.{ending}"
    said = ""
    try:
        write_blocks(read_blocks(tmp_path / "rows.jsonl"), path)
    except ValueError as error:
        said = str(error)
    if said:
        assert re.search(r"out.*cannot be written as .*column 'late'.*: choose \.csv or \.jsonl", said)
        assert not path.exists()
    else:
        read = polars.read_parquet if ending == "parquet" else polars.read_ipc
        assert read(path)["late"].to_list() == values


def test_empty_parquet(tmp_path):
    polars.DataFrame({"text": []}, schema={"text": polars.String}).write_parquet(tmp_path / "rows.parquet")
    with pytest.raises(ValueError, match="has no rows"):
        next(read_blocks(tmp_path / "rows.parquet"))


def test_parquet_needs_files():
    with pytest.raises(ValueError, match="cannot be read from the standard input"):
        next(read_blocks("-", kind="parquet"))
    with pytest.raises(ValueError, match="cannot be written to the standard output"):
        write_blocks([], "-", kind="parquet")


def test_damaged_parquet(tmp_path):
    path = tmp_path / "rows.parquet"
    polars.DataFrame({"text": ["a", "b"], "label": ["x", "y"]}).write_parquet(path)
    whole = path.read_bytes()
    for content in (whole[:-20], b"text,label", b""):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"rows\.parquet is damaged or no Parquet file"):
            next(read_blocks(path))


def test_a_damaged_row_group_does_not_end_the_file_in_silence(tmp_path, rows_of):
    """A thread of polars that panics at a row group only ends the batches."""
    path, said = tmp_path / "rows.parquet", set()
    frame = polars.DataFrame({"text": ["corn"] * 400, "n": [None, *range(399)]})
    frame.write_parquet(path, row_group_size=100, compression="uncompressed")
    whole = path.read_bytes()
    first = whole.index(b"corn")
    for position in range(first + 4, first + 60, 5):  # lengths, numbers of values, and how often they repeat
        path.write_bytes(whole[:position] + b"\0" + whole[position + 1 :])
        try:
            assert len(rows_of(read_blocks(path))) == 400
        except ValueError as error:
            said.add(str(error))
    assert all(sentence.startswith(f"{path} is damaged") for sentence in said)
    assert any("0 rows come where 400 are declared): rows 1 to 400" in sentence for sentence in said)


def test_a_day_that_no_calendar_has_is_named(tmp_path, rows_of):
    """polars panics at the first, and Python refuses the second."""
    for unit in ("ms", "us"):
        frame = polars.DataFrame({"text": ["a", "b"], "day": [0, 2**62 if unit == "us" else 2**60]})
        frame = frame.with_columns(polars.col("day").cast(polars.Datetime(unit)))
        frame.write_parquet(tmp_path / "rows.parquet")
        with pytest.raises(
            ValueError, match=r"rows\.parquet, rows 1 to 2, column 'day': a value cannot be read"
        ):
            rows_of(read_blocks(tmp_path / "rows.parquet"))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit of the size of files")
def test_a_full_disk_names_the_file(tmp_path):
    import resource

    path = tmp_path / "rows.parquet"
    polars.DataFrame({"text": [f"text {number}" for number in range(10_000)]}).write_parquet(path)
    blocks = list(read_blocks(path))
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, old[1]))
    try:
        with pytest.raises(OSError, match=r"File too large: '.*out\.parquet'"):
            write_blocks(blocks, tmp_path / "out.parquet")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert os.listdir(tmp_path) == ["rows.parquet"]


def test_parquet_without_polars_names_the_extra(tmp_path):
    path = tmp_path / "rows.parquet"
    path.touch()
    # A process in which polars cannot be imported, as where it is not installed.
    code = "import sys; sys.modules['polars'] = None; from textspace.tables import read_table; "
    code += f"read_table({str(path)!r})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "rows.parquet needs polars" in run.stderr
    assert "pip install 'textspace[tables]'" in run.stderr


def test_page_that_ends_the_reading_process_is_a_sentence():
    path = Path(__file__).parent / "data" / "aborts.parquet"  # asks for 2**61 bytes
    with pytest.raises(ValueError, match=r"aborts\.parquet is damaged .* rows 1 to 39 cannot be read"):
        list(read_blocks(path))


def test_a_name_that_is_no_utf8(tmp_path):
    polars.DataFrame({"text": ["corn"]}).write_parquet(tmp_path / "rows.parquet")
    path = (tmp_path / "rows.parquet").rename(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.parquet"))
    with pytest.raises(ValueError, match="as its name is not UTF-8: rename it"):
        next(read_blocks(path))


def test_a_number_too_large_is_said(tmp_path):
    (tmp_path / "rows.jsonl").write_text(f'{{"id": {10**400}}}\n')
    with pytest.raises(ValueError, match=r"rows\.parquet cannot be written as Parquet"):
        write_blocks(read_blocks(tmp_path / "rows.jsonl"), tmp_path / "rows.parquet")
