import re
import struct

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


def test_length_that_ends_the_reading_process_is_a_sentence(tmp_path):
    path = tmp_path / "rows.arrow"
    polars.DataFrame({"text": ["a text of more than twelve letters"] * 50}).write_ipc(
        path, compression="zstd"
    )
    # before what zstd has packed stands how long it was
    lengths = re.compile(rb".{8}(?=\x28\xb5\x2f\xfd)", re.DOTALL)
    path.write_bytes(lengths.sub(struct.pack("<q", 1 << 61), path.read_bytes()))
    with pytest.raises(ValueError, match=r"rows\.arrow is damaged .*ends the program that reads it"):
        list(read_blocks(path))


def test_rows_without_columns_are_refused(tmp_path):
    polars.DataFrame(height=3).write_ipc(tmp_path / "rows.arrow")
    with pytest.raises(ValueError, match=r"rows\.arrow is damaged .*3 rows are declared, but no columns"):
        list(read_blocks(tmp_path / "rows.arrow"))


def test_more_rows_than_a_file_has_room_for_are_refused(tmp_path):
    path = tmp_path / "rows.arrow"
    polars.DataFrame({"text": [None] * 3}).write_ipc(path)  # nulls take no bytes, however many are declared
    path.write_bytes(path.read_bytes().replace(struct.pack("<q", 3), struct.pack("<q", 1 << 31)))
    with pytest.raises(ValueError, match=r"rows\.arrow is refused: it unpacks to more than"):
        next(read_blocks(path))
