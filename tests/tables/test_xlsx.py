import datetime
import os
import time
import zipfile
from dataclasses import replace

import openpyxl
import pytest

from textspace.tables import _packed, read_blocks, read_table, write_blocks


@pytest.fixture
def book(tmp_path):
    """Give a function that writes sheets, by their names, with another library than that which is tested."""

    def write(name="rows.xlsx", merged=(), **sheets):
        file = openpyxl.Workbook()
        file.remove(file.active)
        for title, rows in sheets.items():
            sheet = file.create_sheet(title)
            for row in rows:
                sheet.append(row)
            for cells in merged:
                sheet.merge_cells(cells)
        file.save(tmp_path / name)
        return tmp_path / name

    return write


def test_cells_keep_their_types(book, rows_of, small_blocks):
    day = datetime.date(2024, 1, 2)
    rows = [["text", "n", "share", "day"], ["corn", 1, 0.5, day], [None] * 4, ["404", 2, 1.5, None]]
    blocks = list(read_blocks(book(Data=rows)))
    assert rows_of(blocks) == [
        {"text": "corn", "n": 1, "share": 0.5, "day": day},
        {"text": "404", "n": 2, "share": 1.5, "day": None},
    ]
    assert blocks[0].where(1) == "row 2 (row 4 of the sheet)"


def test_a_sheet_by_its_name(book):
    path = book(Empty=[], Data=[["text"], ["corn"]], More=[["text"], ["wheat"]])
    table = read_table(path)
    assert table.column("text") == ["corn"]
    assert "'Data' was read: name another with sheet= (--sheet)" in table.notes[0]
    assert read_table(path, sheet="More").column("text") == ["wheat"]
    with pytest.raises(ValueError, match="no sheet 'Mor': its sheets are 'Empty', 'Data', 'More'"):
        read_table(path, sheet="Mor")
    with pytest.raises(ValueError, match="sheet 'Empty' has no rows"):
        read_table(path, sheet="Empty")


def test_merged_cells_are_filled(book):
    rows = [["label", "text"], ["grain", "corn"], [None, "wheat"], [None, "oats"], ["ship", "port"]]
    table = read_table(book(merged=["A2:A4"], Data=rows))
    assert table.column("label") == ["grain", "grain", "grain", "ship"]


def test_formulas_without_a_value_are_said(book):
    table = read_table(book(Data=[["text", "n"], ["corn", "=1+1"]]))
    assert table.column("n") == [None]
    assert "such as that of cell B2, were read as empty cells: save the workbook" in table.notes[0]


def test_a_title_above_the_header_is_refused(book):
    path = book(Data=[["Export 2024", None, None], ["id", "text", "label"], [1, "corn", "x"]])
    table = read_table(path)
    assert table.names == ["Export 2024", "column 2", "column 3"]


def test_what_is_written_is_read(tmp_path, book):
    rows = [["text", "n"], ["=1+1", 1], ["https://example.org", 2], ["'quoted", 3], ["line\nbreak", 4]]
    path = book(Data=[rows[0]] + [["x", row[1]] for row in rows[1:]])
    texts = [row[0] for row in rows[1:]]
    blocks = (block.with_columns({"more": texts}) for block in read_blocks(path))
    write_blocks(blocks, tmp_path / "out.xlsx")
    again = read_table(tmp_path / "out.xlsx", sheet="Data")
    assert again.column("more") == texts
    assert openpyxl.load_workbook(tmp_path / "out.xlsx").active["C2"].data_type == "s"


def test_a_text_too_long_for_a_cell_is_named(tmp_path):
    (tmp_path / "rows.csv").write_text("text\nshort\n" + "x" * 40_000 + "\n")
    with pytest.raises(ValueError, match=r"row 2 \(line 3\), column 'text': a cell .* 32767 characters"):
        write_blocks(read_blocks(tmp_path / "rows.csv"), tmp_path / "out.xlsx")
    assert not (tmp_path / "out.xlsx").exists()


def test_a_bomb_is_refused(tmp_path, book, monkeypatch):
    monkeypatch.setattr(_packed, "SLACK", 10_000)
    path = book(Data=[["text"], ["corn"]])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/zeros", bytes(10_000_000))
    with pytest.raises(ValueError, match="is refused: it unpacks to more than 200 times its size"):
        next(read_blocks(path))


@pytest.mark.parametrize("content", [b"", b"text,label\n", b"\xd0\xcf\x11\xe0" + bytes(600), b"PK\x03\x04"])
def test_what_is_no_workbook(tmp_path, content):
    (tmp_path / "rows.xlsx").write_bytes(content)
    with pytest.raises(ValueError, match=r"damaged, protected by a password or no \.xlsx workbook"):
        next(read_blocks(tmp_path / "rows.xlsx"))


def test_a_part_whose_name_is_no_utf8(book):
    path = book(Data=[["text"], ["corn"]])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/\u00e4", b"")
    path.write_bytes(path.read_bytes().replace("xl/\u00e4".encode(), b"xl/\x8d\x8d"))
    with pytest.raises(ValueError, match="is damaged") as caught:
        next(read_blocks(path))
    assert type(caught.value) is ValueError


def with_sheet(path, change):
    """Change the XML of the first sheet of a workbook."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, change(content) if name == sheet else content)
    return path


@pytest.mark.parametrize(
    "cells",
    [
        "<c r='XFD1048576'><v>1</v></c>",
        "<c s='1' r='XFD1048576'><v>1</v></c>",
        "<c x='>' r='XFD1048576'><v>1</v></c>",
        "<c r='XFC1048576'/><c><is><t>corn</t></is></c>",
        16383 * "<c/>" + "<c><v>1</v></c>",
    ],
)
def test_a_cell_far_away_takes_no_room(book, cells):
    path = book(Data=[["text"], ["corn"]])
    cells = f"<row r='1048576'>{cells}</row></sheetData>"
    with_sheet(path, lambda content: content.replace("</sheetData>", cells))
    with pytest.raises(ValueError, match=r"is refused: few of its cells .* row 1048576 and column 16384"):
        read_table(path)


@pytest.mark.parametrize("cells", ["", "<c r='XFD1048576' s='0'/>", "<c r='XFD1048576' s='0'></c>"])
def test_empty_rows_and_cells_to_the_end_of_a_sheet_do_no_harm(book, cells):
    path = book(Data=[[f"column {n}" for n in range(30)], ["corn"]])
    cells = f"<row r='1048576' ht='12.8'>{cells}</row></sheetData>"
    with_sheet(path, lambda content: content.replace("</sheetData>", cells))
    assert read_table(path).column("column 0") == ["corn"]


def test_a_day_out_of_all_bounds_is_damage(book):
    path = book(Data=[["text", "day"], ["corn", datetime.date(2024, 1, 2)]])
    with_sheet(path, lambda content: content.replace("<v>45293</v>", "<v>-1e300</v>"))
    with pytest.raises(ValueError, match=r"rows\.xlsx is damaged"):
        read_table(path)


def test_ranges_that_overlap_take_no_time(book):
    ranges = "<mergeCells>" + 20_000 * '<mergeCell ref="A1:A1048576"/>' + "</mergeCells>"
    path = book(Data=[["text"], *([f"corn {n}"] for n in range(3000))])
    with_sheet(path, lambda content: content.replace("</sheetData>", "</sheetData>" + ranges))
    start = time.process_time()
    assert read_table(path).n_rows == 3000
    assert time.process_time() - start < 10


@pytest.mark.parametrize("name", ["a:b/c", "'quoted'", "x" * 40, "[]"])
def test_a_sheet_whose_name_excel_does_not_take(tmp_path, book, name):
    path = book(Data=[["text"], ["corn"]])
    [block] = read_blocks(path)
    write_blocks([replace(block, dialect=replace(block.dialect, sheet=name))], tmp_path / "out.xlsx")
    assert read_table(tmp_path / "out.xlsx").column("text") == ["corn"]


def test_no_digit_and_no_column_is_lost(tmp_path):
    numbers = [1234567890123456789, -(10**400), 999_999_999_999_999]
    (tmp_path / "rows.jsonl").write_text("".join(f'{{"id": {number}}}\n' for number in numbers))
    write_blocks(read_blocks(tmp_path / "rows.jsonl"), tmp_path / "out.xlsx")
    found = read_table(tmp_path / "out.xlsx").column("id")
    assert found == [str(numbers[0]), str(numbers[1]), numbers[2]]
    (tmp_path / "wide.csv").write_text(",".join(map(str, range(16_385))) + "\n" + "x," * 16_384 + "x\n")
    with pytest.raises(ValueError, match="no room for more than 16384 columns: write to a file that ends in"):
        write_blocks(read_blocks(tmp_path / "wide.csv"), tmp_path / "wide.xlsx")
    (tmp_path / "long.csv").write_text(f"text,{'x' * 40_000}\ncorn,y\n")
    with pytest.raises(ValueError, match="a name of a column has more than 32767 letters"):
        write_blocks(read_blocks(tmp_path / "long.csv"), tmp_path / "long.xlsx")


def test_half_of_a_surrogate_pair_in_a_name(tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"\\ud800": "corn"}\n')
    write_blocks(read_blocks(tmp_path / "rows.jsonl"), tmp_path / "out.xlsx")
    assert read_table(tmp_path / "out.xlsx").names == ["?"]


def test_a_name_that_is_no_utf8(tmp_path, book):
    path = book(Data=[["text"], ["corn"]]).rename(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.xlsx"))
    assert read_table(path).column("text") == ["corn"]
