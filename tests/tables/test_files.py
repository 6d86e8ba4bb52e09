import itertools
import os
import subprocess
import sys
import textwrap

import polars
import pytest

from textspace.tables import _blocks, _text, read_blocks, read_table, write_blocks

ROWS = [
    {"id": "1", "text": "Corn prices rose", "note": "plain"},
    {"id": "2", "text": "A tanker, laden; ran\taground", "note": 'she said "no"\nand left'},
    {"id": "3", "text": "", "note": "naïve café €5"},
    {"id": "4", "text": "line\r\nbreaks\rof all kinds", "note": " spaces "},
]
SUFFIXES = [".csv", ".tsv", ".jsonl", ".parquet"]


# What is read is what was written.


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_reads_what_others_write(tmp_path, suffix, small_blocks, write_file, rows_of):
    path = write_file(tmp_path / f"rows{suffix}", ROWS)
    blocks = list(read_blocks(path))
    assert rows_of(blocks) == ROWS
    assert [block.n_rows for block in blocks] == [3, 1]
    assert blocks[-1].share == 1


@pytest.mark.parametrize("source", SUFFIXES)
@pytest.mark.parametrize("target", SUFFIXES)
def test_writes_what_it_reads_with_more_columns(tmp_path, source, target, small_blocks, write_file, rows_of):
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


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".txt"])
def test_encodings(tmp_path, encoding, suffix, rows_of):
    content = {".csv": "text\nnaïve €5\n", ".jsonl": '{"text": "naïve €5"}\n', ".txt": "naïve €5\n"}[suffix]
    (tmp_path / f"rows{suffix}").write_bytes(content.encode(encoding))
    given = "utf-8" if encoding == "utf-8-sig" else encoding
    assert rows_of(read_blocks(tmp_path / f"rows{suffix}", encoding=given)) == [{"text": "naïve €5"}]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_blocks_are_small_if_rows_are_long(tmp_path, monkeypatch, suffix, write_file):
    monkeypatch.setattr(_blocks, "BLOCK_CHARACTERS", 1000)
    monkeypatch.setattr(_text, "CHUNK", 10)
    rows = [{"text": "x" * n} for n in (100, 5000, 10, 10, 990, 10)]
    blocks = read_blocks(write_file(tmp_path / f"rows{suffix}", rows))
    assert [block.n_rows for block in blocks] == [2, 3, 1]


def test_a_column_cannot_come_twice(tmp_path, write_file):
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
        (
            "rows.csv",
            b"text\nplain\ncaf\xe9\xc3\xa9\n",
            "line 3: byte 0xe9 at position 14 is not utf-8",
        ),
        ("rows.tsv", b"text\tid\na\t1\nb\t2\t3\n", r"row 2 \(line 3\): 3 cells where the first row names 2"),
        ("rows.tsv", b'text\tid\na\t1\n"b\n', "line 3: .*check the quotation marks"),
        ("rows.tsv", b'text\tid\na\t1\n"b\tc"\td\te\n', r"row 2 \(line 3\): 3 cells"),
        ("rows.jsonl", b'{"text": "caf\xe9\xc3\xa9"}', "line 1: byte 0xe9 at position 13 is not utf-8"),
        (
            "rows.txt",
            b"a\n\xff\xe0\xf8\n",
            "is not utf-8, nor does it look like Western European text: say its",
        ),
        ("rows.jsonl", b'{"text": "a"}\n{"text"', "line 2: not valid JSON"),
        ("rows.jsonl", b"[" * 100_000, "line 1: not valid JSON"),
        ("rows.jsonl", b'{"text": "a", "text": "b"}\n', "line 1: not valid JSON .'text' comes twice"),
        ("rows.jsonl", b"[1]\n", "line 1: expected a JSON object"),
        ("rows.parquet", b"PAR1 but not really", "is damaged or no Parquet file"),
        ("rows.docx", b"x", "cannot be read: put its texts .* give a file that ends in .arrow"),
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


def test_unknown_encoding(tmp_path, write_file):
    with pytest.raises(ValueError, match="there is no encoding 'utf-9'"):
        next(read_blocks(write_file(tmp_path / "rows.csv", ROWS), encoding="utf-9"))


def test_nul_bytes_come_through(tmp_path, write_file, rows_of):
    path = write_file(tmp_path / "rows.csv", [{"text": "a\x00b"}])
    write_blocks(read_blocks(path), tmp_path / "out.csv")
    assert rows_of(read_blocks(tmp_path / "out.csv")) == [{"text": "a\x00b"}]


def test_half_a_surrogate_pair_does_not_stop_the_writing(tmp_path, rows_of):
    (tmp_path / "rows.jsonl").write_text('{"text": "a\\ud800b"}\n')
    write_blocks(read_blocks(tmp_path / "rows.jsonl"), tmp_path / "out.csv")
    assert rows_of(read_blocks(tmp_path / "out.csv")) == [{"text": "a?b"}]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_failure_leaves_the_old_file(tmp_path, suffix, write_file):
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


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measures memory as Linux reports it")
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_memory_does_not_grow_with_the_file(tmp_path, suffix):
    # polars holds some ten thousand rows of Parquet at a time: there must be far more, which are short
    sizes, n_words = ((60_000, 240_000), 10) if suffix == ".parquet" else ((5_000, 30_000), 60)
    code = f"""
        import polars
        from pathlib import Path
        from textspace.tables import read_blocks, write_blocks
        peaks = []
        for n in {sizes}:
            rows = Path({str(tmp_path)!r}, f"rows{{n}}{suffix}")
            write_blocks((b.with_columns({{"label": ["x"] * b.n_rows}}) for b in read_blocks(rows)),
                         rows.with_stem("out"))
            # not ru_maxrss, which begins with the memory of the process that started this one
            peaks.append(int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]))
        print(peaks[1] - peaks[0])
    """
    for n in sizes:
        frame = polars.DataFrame({"id": range(n), "text": [f"{i} some words " * n_words for i in range(n)]})
        path = tmp_path / f"rows{n}{suffix}"
        match suffix:
            case ".parquet":
                frame.write_parquet(path, row_group_size=2_500)
            case ".csv":
                frame.write_csv(path)
            case ".tsv":  # with a mark that is never closed
                path.write_text('id\ttext\n0\t"an open mark\n' + frame.write_csv(None, separator="\t")[8:])
            case _:
                frame.write_ndjson(path)
    out = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    # the larger file is 25 MB larger
    assert int(out.stdout) < 18_000


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_table_is_all_its_blocks(tmp_path, suffix, small_blocks, write_file, rows_of):
    rows = [{"id": str(n), "text": f"text {n}"} for n in range(8)]
    path = write_file(tmp_path / f"rows{suffix}", rows)
    table, blocks = read_table(path), list(read_blocks(path))
    assert len(blocks) == 3
    assert (table.names, table.n_rows) == (["id", "text"], 8)
    assert rows_of([table]) == rows
    assert [table.where(n) for n in range(8)] == [b.where(n) for b in blocks for n in range(b.n_rows)]


def test_formats_that_there_are_not(tmp_path):
    with pytest.raises(ValueError, match="there is no format 'cvs' that can be read: choose from arrow, csv"):
        next(read_blocks(tmp_path / "rows.csv", kind="cvs"))
    for words in ({"path": "out.txt"}, {"path": tmp_path / "out.docx"}):
        with pytest.raises(ValueError, match=r"cannot be written: give a file that ends in \.arrow, .*\.tab"):
            write_blocks(None, **words)
    with pytest.raises(ValueError, match="there is no format 'lines' that can be written: choose from arrow"):
        write_blocks(None, "-", kind="lines")
