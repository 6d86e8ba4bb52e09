import csv
import io
import itertools
import json
import os
import subprocess
import sys
import textwrap

import polars
import pytest

from textspace.datasets import _stream
from textspace.datasets._stream import kind_of, read_blocks
from textspace.datasets._stream_write import write_blocks

ROWS = [
    {"id": "1", "text": "Corn prices rose", "note": "plain"},
    {"id": "2", "text": "A tanker, laden; ran\taground", "note": 'she said "no"\nand left'},
    {"id": "3", "text": "", "note": "naïve café €5"},
    {"id": "4", "text": "line\r\nbreaks\rof all kinds", "note": " spaces "},
]
SUFFIXES = [".csv", ".tsv", ".jsonl", ".parquet"]


def write_file(path, rows):
    """Write rows by other means than those that are tested."""
    if path.suffix == ".parquet":
        polars.DataFrame(rows).write_parquet(path)
    elif path.suffix in (".jsonl", ".ndjson"):
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    else:
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0], delimiter="," if path.suffix == ".csv" else "\t")
            writer.writeheader()
            writer.writerows(rows)
    return path


def rows_of(blocks):
    rows = []
    for block in blocks:
        columns = [block.column(name) for name in block.names]
        assert all(len(column) == block.n_rows for column in columns)
        rows += [dict(zip(block.names, values, strict=True)) for values in zip(*columns, strict=True)]
    return rows


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(_stream, "BLOCK_ROWS", 3)


# What is read is what was written.


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_reads_what_others_write(tmp_path, suffix, small_blocks):
    path = write_file(tmp_path / f"rows{suffix}", ROWS)
    blocks = list(read_blocks(path))
    assert rows_of(blocks) == ROWS
    assert [block.n_rows for block in blocks] == [3, 1]
    assert blocks[-1].share == 1


@pytest.mark.parametrize("source", SUFFIXES)
@pytest.mark.parametrize("target", SUFFIXES)
def test_writes_what_it_reads_with_more_columns(tmp_path, source, target, small_blocks):
    blocks = read_blocks(write_file(tmp_path / f"rows{source}", ROWS))
    numbers = itertools.count()

    def labelled():
        for block in blocks:
            labels = [f"class {next(numbers)}" for _ in range(block.n_rows)]
            yield block.with_columns({"label": labels, "share": [0.5] * block.n_rows})

    write_blocks(labelled(), tmp_path / f"out{target}")
    found = rows_of(read_blocks(tmp_path / f"out{target}"))
    share = 0.5 if target in (".jsonl", ".parquet") else "0.5"
    assert found == [row | {"label": f"class {n}", "share": share} for n, row in enumerate(ROWS)]


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


def test_lines_are_texts(tmp_path, monkeypatch, capsys):
    (tmp_path / "mails.txt").write_bytes('one\r\n\nthree, "quoted"\nlast é'.encode())
    texts = ["one", "", 'three, "quoted"', "last é"]
    assert rows_of(read_blocks(tmp_path / "mails.txt")) == [{"text": text} for text in texts]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((tmp_path / "mails.txt").read_bytes())))
    write_blocks(read_blocks("-"), "-", kind="lines")
    assert list(csv.reader(io.StringIO(capsys.readouterr().out), delimiter="\t")) == [
        ["text"],
        *([text] if text else [""] for text in texts),
    ]


@pytest.mark.parametrize("delimiter", list(",;\t|"))
def test_delimiter_of_the_first_row(tmp_path, delimiter):
    (tmp_path / "rows.csv").write_text(f"\n\nid{delimiter}text\n1{delimiter}corn\n")
    [block] = read_blocks(tmp_path / "rows.csv")
    assert rows_of([block]) == [{"id": "1", "text": "corn"}]
    assert block.where(0) == "row 1 (line 4)"


def test_tabs_without_quoting(tmp_path):
    (tmp_path / "rows.tsv").write_text('text\tlabel\n"hello\tx\nbye"\ty\n')
    assert rows_of(read_blocks(tmp_path / "rows.tsv")) == [
        {"text": '"hello', "label": "x"},
        {"text": 'bye"', "label": "y"},
    ]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".txt"])
def test_encodings(tmp_path, encoding, suffix):
    content = {".csv": "text\nnaïve €5\n", ".jsonl": '{"text": "naïve €5"}\n', ".txt": "naïve €5\n"}[suffix]
    (tmp_path / f"rows{suffix}").write_bytes(content.encode(encoding))
    given = "utf-8" if encoding == "utf-8-sig" else encoding
    assert rows_of(read_blocks(tmp_path / f"rows{suffix}", encoding=given)) == [{"text": "naïve €5"}]


def test_blocks_are_small_if_rows_are_long(tmp_path, monkeypatch):
    monkeypatch.setattr(_stream, "BLOCK_CHARACTERS", 1000)
    rows = [{"text": "x" * n} for n in (100, 5000, 10, 10, 990, 10)]
    blocks = read_blocks(write_file(tmp_path / "rows.jsonl", rows))
    assert [block.n_rows for block in blocks] == [2, 3, 1]


def test_rows_are_counted_through(tmp_path, small_blocks):
    (tmp_path / "rows.csv").write_text('text\n"two\nlines"\n\nb\nc\nd\n')
    assert [block.where(0) for block in read_blocks(tmp_path / "rows.csv")] == [
        "row 1 (line 2)",
        "row 4 (line 7)",
    ]


def test_a_new_key_of_json(tmp_path, small_blocks):
    rows = [{"text": "a"}] * 3 + [{"text": "b", "extra": 1}]
    path = write_file(tmp_path / "rows.jsonl", rows)
    write_blocks(read_blocks(path), tmp_path / "out.jsonl")
    assert rows_of(read_blocks(tmp_path / "out.jsonl")) == rows
    for name in ("out.csv", "out.parquet"):
        with pytest.raises(ValueError, match=r"from line 4 on there is a column 'extra'.*\.jsonl"):
            write_blocks(read_blocks(path), tmp_path / name)
        assert not (tmp_path / name).exists()


def test_a_column_cannot_come_twice(tmp_path):
    [block] = read_blocks(write_file(tmp_path / "rows.csv", ROWS))
    with pytest.raises(ValueError, match="already has a column 'note'"):
        block.with_columns({"note": ["x"] * 4})


# What cannot be read is named.


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("rows.csv", b"", "is empty"),
        ("rows.csv", b"\n \n", "is empty"),
        ("rows.tsv", b"", "is empty"),
        ("rows.jsonl", b"\n\n", "is empty"),
        ("rows.txt", b"", "is empty"),
        ("rows.csv", b"text,label\n", "has no rows below its header"),
        ("rows.csv", b"text,text\na,b\n", "names the column 'text' more than once"),
        ("rows.csv", b"text,id\na,1\nb\n", r"row 2 \(line 3\): 1 cells where the first row names 2"),
        ("rows.csv", b'text,id\na,1\n"b,2\nc,3\n', "line 3: .*check the quotation marks"),
        ("rows.csv", b"text\nplain\ncaf\xe9\n", "line 3: byte 0xe9 is not utf-8: say the file's --encoding"),
        ("rows.jsonl", b'{"text": "caf\xe9"}', "line 1: byte 0xe9 is not utf-8"),
        ("rows.txt", b"a\nb\xff\n", "line 2: byte 0xff is not utf-8"),
        ("rows.jsonl", b'{"text": "a"}\n{"text"', "line 2: not valid JSON"),
        ("rows.jsonl", b"[" * 100_000, "line 1: not valid JSON"),
        ("rows.jsonl", b"[1]\n", "line 1: expected a JSON object"),
        ("rows.parquet", b"PAR1 but not really", "is damaged or no Parquet file"),
        ("rows.docx", b"x", "is of no known kind: give a file that ends in .csv"),
    ],
)
def test_bad_files(tmp_path, name, content, sentence):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=sentence) as error:
        list(read_blocks(tmp_path / name))
    assert name in str(error.value)


def test_missing_files(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.csv does not exist"):
        next(read_blocks(tmp_path / "none.csv"))
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(FileNotFoundError, match=r"folder\.csv is a folder"):
        next(read_blocks(tmp_path / "folder.csv"))


def test_unknown_encoding(tmp_path):
    with pytest.raises(ValueError, match="there is no encoding 'utf-9'"):
        next(read_blocks(write_file(tmp_path / "rows.csv", ROWS), encoding="utf-9"))


def test_empty_parquet(tmp_path):
    polars.DataFrame({"text": []}, schema={"text": polars.String}).write_parquet(tmp_path / "rows.parquet")
    with pytest.raises(ValueError, match="has no rows"):
        next(read_blocks(tmp_path / "rows.parquet"))


def test_an_open_quotation_mark_is_not_read_to_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr(_stream, "LONGEST_CELL", 1000)
    (tmp_path / "rows.csv").write_text('text\nfine\n"open\n' + "more words\n" * 1000)
    with pytest.raises(ValueError, match=r"line 3: field larger than field limit \(1000\)"):
        list(read_blocks(tmp_path / "rows.csv"))


def test_a_line_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(_stream, "LONGEST_CELL", 1000)
    (tmp_path / "rows.txt").write_text("fine\n" + "x" * 1001)
    with pytest.raises(ValueError, match="line 2 has more than 1000 characters"):
        list(read_blocks(tmp_path / "rows.txt"))


def test_the_limit_of_cells_is_put_back(tmp_path, small_blocks):
    limit = csv.field_size_limit()
    path = write_file(tmp_path / "rows.csv", [{"text": "x" * 200_000}] * 4)
    for block in read_blocks(path):
        assert csv.field_size_limit() == limit
        assert block.column("text")[0] == "x" * 200_000


def test_nul_bytes_come_through(tmp_path):
    path = write_file(tmp_path / "rows.csv", [{"text": "a\x00b"}])
    write_blocks(read_blocks(path), tmp_path / "out.csv")
    assert rows_of(read_blocks(tmp_path / "out.csv")) == [{"text": "a\x00b"}]


def test_half_a_surrogate_pair_does_not_stop_the_writing(tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"text": "a\\ud800b"}\n')
    write_blocks(read_blocks(tmp_path / "rows.jsonl"), tmp_path / "out.csv")
    assert rows_of(read_blocks(tmp_path / "out.csv")) == [{"text": "a?b"}]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_failure_leaves_the_old_file(tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    path.write_text("old")
    [block] = read_blocks(write_file(tmp_path / "rows.csv", ROWS))

    def blocks():
        yield block
        raise ValueError("row 5 is bad")

    with pytest.raises(ValueError, match="row 5 is bad"):
        write_blocks(blocks(), path)
    assert path.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == sorted([path.name, "rows.csv"])


def test_parquet_needs_files():
    with pytest.raises(ValueError, match="cannot be read from the standard input"):
        next(read_blocks("-", kind="parquet"))
    with pytest.raises(ValueError, match="cannot be written to the standard output"):
        write_blocks([], "-", kind="parquet")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measures memory as Linux reports it")
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_memory_does_not_grow_with_the_file(tmp_path, suffix):
    code = f"""
        import resource, polars
        from pathlib import Path
        from textspace.datasets._stream import read_blocks
        from textspace.datasets._stream_write import write_blocks
        peaks = []
        for n in (10_000, 50_000):
            rows = Path({str(tmp_path)!r}, f"rows{{n}}{suffix}")
            write_blocks((b.with_columns({{"label": ["x"] * b.n_rows}}) for b in read_blocks(rows)),
                         rows.with_stem("out"))
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        print(peaks[1] - peaks[0])
    """
    for n in (10_000, 50_000):
        frame = polars.DataFrame({"text": [f"{i} some words " * 60 for i in range(n)]})
        path = tmp_path / f"rows{n}{suffix}"
        if suffix == ".parquet":
            frame.write_parquet(path, row_group_size=5_000)
        elif suffix == ".csv":
            frame.write_csv(path)
        else:
            frame.write_ndjson(path)
    out = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    # the larger file is 80 MB larger, in Python 90 MB of text at least
    assert int(out.stdout) < 40_000


def test_kinds():
    assert [kind_of(f"a{suffix}") for suffix in (".csv", ".TAB", ".ndjson", ".txt")] == [
        "csv",
        "tsv",
        "jsonl",
        "lines",
    ]
