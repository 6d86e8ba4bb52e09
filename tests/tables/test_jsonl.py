import json

import pytest

from textspace.tables import read_blocks, read_table, write_blocks


def test_a_new_key_of_json(tmp_path, small_blocks, write_file, rows_of):
    rows = [{"text": "a"}] * 3 + [{"text": "b", "extra": 1}]
    path = write_file(tmp_path / "rows.jsonl", rows)
    write_blocks(read_blocks(path), tmp_path / "out.jsonl")
    assert rows_of(read_blocks(tmp_path / "out.jsonl")) == rows
    for name in ("out.csv", "out.parquet"):
        with pytest.raises(ValueError, match=r"from line 4 on there is a column 'extra'.*\.jsonl"):
            write_blocks(read_blocks(path), tmp_path / name)
        assert not (tmp_path / name).exists()


def test_separators_inside_texts_are_no_line_breaks(tmp_path, rows_of):
    text = "one\u2028two\x85three\x0cfour\rfive"
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"text": text}, ensure_ascii=False).replace("\\r", "\r"), newline="")
    with pytest.raises(ValueError, match="line 1: not valid JSON"):  # a control character must be escaped
        next(read_blocks(path))
    path.write_text(json.dumps({"text": text}, ensure_ascii=False), encoding="utf-8")
    assert rows_of(read_blocks(path)) == [{"text": text}]


def test_a_table_has_all_keys(tmp_path, write_file, small_blocks):
    rows = [{"text": "a"}] * 3 + [{"text": "b", "extra": 1}]
    table = read_table(write_file(tmp_path / "rows.jsonl", rows))
    assert table.names == ["text", "extra"]
    assert table.column("extra") == [None, None, None, 1]
