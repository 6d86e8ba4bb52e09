import polars
import pytest

from textspace.tables import read_blocks, read_table, write_blocks

FRAME = polars.DataFrame({"text": ["corn", None, "oats"], "n": [1, 2, 3]})


@pytest.mark.parametrize("suffix", [".arrow", ".feather"])
@pytest.mark.parametrize("write", ["write_ipc", "write_ipc_stream"])
def test_files_and_streams(tmp_path, suffix, write, small_blocks):
    path = tmp_path / f"rows{suffix}"
    getattr(FRAME, write)(path)
    table = read_table(path)
    assert (table.column("text"), table.column("n")) == (["corn", None, "oats"], [1, 2, 3])


def test_types_are_kept(tmp_path):
    FRAME.write_ipc(tmp_path / "rows.arrow")
    write_blocks(read_blocks(tmp_path / "rows.arrow"), tmp_path / "out.feather")
    assert polars.read_ipc(tmp_path / "out.feather").equals(FRAME)


@pytest.mark.parametrize("content", [b"", b"text,label", b"ARROW1\0\0", b"FEA1" + bytes(40)])
def test_damaged(tmp_path, content):
    (tmp_path / "rows.arrow").write_bytes(content)
    with pytest.raises(ValueError, match=r"rows\.arrow is damaged or no Arrow file"):
        next(read_blocks(tmp_path / "rows.arrow"))
