import subprocess
import sys

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


def test_parquet_without_polars_names_the_extra(tmp_path):
    path = tmp_path / "rows.parquet"
    path.touch()
    # A process in which polars cannot be imported, as where it is not installed.
    code = "import sys; sys.modules['polars'] = None; from textspace.tables import read_table; "
    code += f"read_table({str(path)!r})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "rows.parquet needs polars" in run.stderr
    assert "pip install 'textspace[tables]'" in run.stderr
