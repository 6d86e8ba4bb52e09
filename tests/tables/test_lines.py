import csv
import io
import sys

import pytest

from textspace.tables import _text, read_blocks, read_table, write_blocks


def test_lines_are_texts(tmp_path, monkeypatch, capsys, rows_of):
    (tmp_path / "mails.txt").write_bytes('one\r\n\nthree, "quoted"\nlast é'.encode())
    texts = ["one", "", 'three, "quoted"', "last é"]
    assert rows_of(read_blocks(tmp_path / "mails.txt")) == [{"text": text} for text in texts]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((tmp_path / "mails.txt").read_bytes())))
    write_blocks(read_blocks("-"), "-", kind="tsv")
    assert list(csv.reader(io.StringIO(capsys.readouterr().out), delimiter="\t")) == [
        ["text"],
        *([text] if text else [""] for text in texts),
    ]


def test_a_line_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(_text, "LONGEST", 1000)
    (tmp_path / "rows.txt").write_text("fine\n" + "x" * 1001)
    with pytest.raises(ValueError, match="line 2 has more than 1000 characters"):
        list(read_blocks(tmp_path / "rows.txt"))


def test_labels_as_fasttext_has_them(tmp_path, small_blocks):
    path = tmp_path / "rows.txt"
    path.write_text("__label__grain corn rose\n__label__grain __label__ship a cargo of corn\nno label\n")
    table = read_table(path)
    assert table.names == ["text", "label"]
    assert table.column("text") == ["corn rose", "a cargo of corn", "no label"]
    assert table.column("label") == ["grain", "grain;ship", ""]
    assert table.notes == ("The labels are those that fastText reads, after __label__.",)
