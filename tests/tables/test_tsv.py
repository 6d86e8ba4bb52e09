import csv
import random

import pytest

from textspace.datasets import read
from textspace.tables import read_blocks, read_table

NOTE = "Quotation marks are read as plain characters where they do not enclose whole cells."


def write(path, content):
    path.write_text(content, encoding="utf-8", newline="")
    return path


def cells(path):
    table = read_table(path)
    return list(zip(*(table.column(name) for name in table.names), strict=True))


def test_tabs_without_quoting(tmp_path):
    path = write(tmp_path / "rows.tsv", 'text\tlabel\n"hello\tx\nbye"\ty\n"a" and "b"\tx\nsay "no"\ty\n')
    assert cells(path) == [('"hello', "x"), ('bye"', "y"), ('"a" and "b"', "x"), ('say "no"', "y")]
    assert read_table(path).notes == (NOTE,)


def test_tabs_with_quoting(tmp_path):
    rows = 'x\t"two\nlines"\ny\t"a ""tab"":\t."\nz\t"whole"\nx\t"one\n\n\ttwo\n"\n'
    path = write(tmp_path / "rows.tsv", f"label\ttext\n{rows}")
    assert cells(path) == [("x", "two\nlines"), ("y", 'a "tab":\t.'), ("z", "whole"), ("x", "one\n\n\ttwo\n")]
    table = read_table(path)
    assert table.notes == ()
    assert [table.where(n) for n in range(4)] == [
        "row 1 (line 2)",
        "row 2 (line 4)",
        "row 3 (line 5)",
        "row 4 (line 6)",
    ]


def test_one_column(tmp_path):
    assert cells(write(tmp_path / "rows.tsv", 'text\n"two\nlines"\n"open\nmore\n')) == [
        ("two\nlines",),
        ('"open',),
        ("more",),
    ]


@pytest.mark.parametrize("row", ['"never closed\tx', '"closed" too soon\tx', 'x\t"never closed'])
@pytest.mark.parametrize("n_before", [0, 1, 1999, 2000, 5000])
def test_a_stray_mark_may_come_late(tmp_path, rows_of, row, n_before):
    """What is read in blocks is what is read as a whole, wherever the first stray mark is."""
    before = "".join(f"corn {n}\tgrain\n" for n in range(n_before))
    path = write(tmp_path / "rows.tsv", f"text\tlabel\n{before}{row}\nlast\tship\n")
    found = rows_of(read_blocks(path))
    assert len(found) == n_before + 2
    assert [tuple(cells.values()) for cells in found[-2:]] == [tuple(row.split("\t")), ("last", "ship")]
    corpus = read(path)
    assert len(corpus) == n_before + 2
    assert NOTE in corpus.notes


def test_rows_that_can_be_read_in_two_ways_are_read_as_those_before(tmp_path):
    either = 'x\t"a\nb\tc"\n'
    assert cells(write(tmp_path / "rows.tsv", f"label\ttext\n{either}")) == [("x", '"a'), ("b", 'c"')]
    path = write(tmp_path / "rows.tsv", f'label\ttext\ny\t"two\nlines"\n{either}')
    assert cells(path) == [("y", "two\nlines"), ("x", "a\nb\tc")]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_breaks_of_all_kinds(tmp_path, ending, small_blocks):
    path = write(tmp_path / "rows.tsv", ending.join(["", "text\tid", '"a"\t1', "", '"b\t2', "c\t3"]))
    assert cells(path) == [("a", "1"), ('"b', "2"), ("c", "3")]


@pytest.mark.parametrize("letters", ['ab"\n\r', 'ab"\t'])
@pytest.mark.parametrize("n_columns", [1, 2, 3])
def test_any_cells_that_are_quoted_as_they_should_be(tmp_path, letters, n_columns, small_blocks):
    draw = random.Random(0)
    for _ in range(60):
        rows = [
            tuple("".join(draw.choices(letters, k=draw.randrange(6))) for _ in range(n_columns))
            for _ in range(draw.randrange(1, 9))
        ]
        with open(tmp_path / "rows.tsv", "w", newline="") as file:
            csv.writer(file, delimiter="\t").writerows([["name1", "name2", "name3"][:n_columns], *rows])
        assert cells(tmp_path / "rows.tsv") == rows


@pytest.mark.parametrize("n_columns", [2, 3])
def test_any_cells_that_are_not_quoted(tmp_path, n_columns, small_blocks):
    draw = random.Random(0)
    for _ in range(60):
        rows = [
            tuple("".join(draw.choices('ab"', k=draw.randrange(1, 6))) for _ in range(n_columns))
            for _ in range(draw.randrange(1, 9))
        ]
        names = ["name1", "name2", "name3"][:n_columns]
        path = write(tmp_path / "rows.tsv", "\n".join(map("\t".join, [names, *rows])))
        found = cells(path)
        assert len(found) == len(rows)
        for cell, written in zip(sum(found, ()), sum(rows, ()), strict=True):
            assert cell == written or f'"{cell.replace(chr(34), chr(34) * 2)}"' == written
