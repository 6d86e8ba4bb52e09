import csv

import pytest

from textspace.tables import _text, read_blocks, write_blocks


@pytest.mark.parametrize("delimiter", list(",;\t|"))
def test_delimiter_of_the_first_row(tmp_path, delimiter, rows_of):
    (tmp_path / "rows.csv").write_text(f"\n\nid{delimiter}text\n1{delimiter}corn\n")
    [block] = read_blocks(tmp_path / "rows.csv")
    assert rows_of([block]) == [{"id": "1", "text": "corn"}]
    assert block.where(0) == "row 1 (line 4)"
    note = f"The columns are separated by {delimiter!r}, as in the first row."
    assert block.notes == (() if delimiter == "," else (note,))


def test_rows_are_counted_through(tmp_path, small_blocks):
    (tmp_path / "rows.csv").write_text('text\n"two\nlines"\n\nb\nc\nd\n')
    assert [block.where(0) for block in read_blocks(tmp_path / "rows.csv")] == [
        "row 1 (line 2)",
        "row 4 (line 7)",
    ]


def test_an_open_quotation_mark_is_not_read_to_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr(_text, "LONGEST", 1000)
    (tmp_path / "rows.csv").write_text('text\nfine\n"open\n' + "more words\n" * 1000)
    with pytest.raises(ValueError, match=r"line 3: field larger than field limit \(1000\)"):
        list(read_blocks(tmp_path / "rows.csv"))


def test_the_limit_of_cells_is_put_back(tmp_path, small_blocks, write_file):
    limit = csv.field_size_limit()
    path = write_file(tmp_path / "rows.csv", [{"text": "x" * 200_000}] * 4)
    for block in read_blocks(path):
        assert csv.field_size_limit() == limit
        assert block.column("text")[0] == "x" * 200_000


def test_decimals_are_written_as_the_file_has_them(tmp_path):
    (tmp_path / "rows.csv").write_text("text;price\ncorn, new;3,5\nwheat;-12,25\n")
    blocks = [
        block.with_columns({"confidence": [0.25, None]}) for block in read_blocks(tmp_path / "rows.csv")
    ]
    write_blocks(blocks, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == (
        "text;price;confidence\ncorn, new;3,5;0,25\nwheat;-12,25;\n"
    )


@pytest.mark.parametrize("price", ["3.5", "3", "3,5 kg"])
def test_decimals_are_points_without_a_sign_of_commas(tmp_path, price):
    (tmp_path / "rows.csv").write_text(f"text;price\ncorn;{price}\n")
    [block] = read_blocks(tmp_path / "rows.csv")
    write_blocks([block.with_columns({"confidence": [0.25]})], tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().endswith(";0.25\n")
