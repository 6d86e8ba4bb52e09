import gzip

import pytest

from textspace.tables import _packed, read_blocks, read_table


def test_a_bomb_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(_packed, "SLACK", 10_000)
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(b"text\n" + b"a" * 3_000_000))
    with pytest.raises(ValueError, match=r"rows\.csv\.gz is refused: it unpacks to more than 200 times"):
        next(read_blocks(path))


@pytest.mark.parametrize("kept", [0.5, 0.9])
def test_half_a_file_is_damaged_and_not_shorter(tmp_path, kept):
    whole = gzip.compress(b"text\n" + b"".join(b"corn %d\n" % n for n in range(1000)))
    (tmp_path / "rows.csv.gz").write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(ValueError, match="damaged or no gzip file"):
        read_table(tmp_path / "rows.csv.gz", encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.csv.gz", "text,label\ncorn,x\n"),
        ("rows.TSV.GZ", "text\tlabel\ncorn\tx\n"),
        ("rows.jsonl.gz", '{"text": "corn", "label": "x"}\n'),
        ("rows.json.gz", '[{"text": "corn", "label": "x"}]'),
        ("rows.txt.gz", "__label__x corn\n"),
    ],
)
def test_text_formats_may_be_packed(tmp_path, name, content):
    (tmp_path / name).write_bytes(gzip.compress(content.encode()))
    table = read_table(tmp_path / name)
    assert (table.column("text"), table.column("label")) == (["corn"], ["x"])
