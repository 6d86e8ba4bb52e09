"""Damaged tables, archives and results files: each is read whole or refused by a sentence that names it.

``run(seed, seconds)`` tries as many as there is time for. A failure names its kind, seed and number;
``attempt(kind, seed, number, folder)`` does it again.
"""

import csv
import gzip
import io
import json
import multiprocessing
import random
import re
import tempfile
import time
from collections import Counter
from contextlib import contextmanager, nullcontext
from datetime import date
from pathlib import Path
from unittest import mock

from tests.adversary import archives, results_files
from tests.adversary.damage import damaged_bytes, damaged_text, refusal

from textspace.datasets import read
from textspace.tables import Block, _blocks, _frame_rows, _frames, _text, read_blocks, write_blocks

CELLS = [
    "corn", "a, b", 'she said "no"', "line\nbreak", "tab\there", "", " ", "0", "-1", "naïve €5", "𝒳", "\0",
    "x" * 300, '"', "''", "a\r\nb", "=1+1", "null", "\\", "\u2028", '"corn', 'wheat"', "[1, 2]",
]  # fmt: skip


def attempt(kind, seed, number, folder):
    """Make one damaged file and read it; an AssertionError says what went wrong, and how to see it again."""
    rng = random.Random(f"{kind} {seed} {number}")
    with _told(f"attempt({kind!r}, {seed}, {number}, folder)"):
        KINDS[kind](Path(folder), rng)


@contextmanager
def _told(call):
    try:
        yield
    except BaseException as error:  # a panic of compiled code is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        raise AssertionError(f"{call}: {type(error).__name__}: {error}") from error


def run(seed, seconds):
    """Try damaged files until the time is up.

    They are tried in a process of their own, as polars ends it where a damaged page asks for more memory than
    there is; most Parquet and Arrow files are not read apart here, as textspace does.

    Prints what is read wrongly, how many were tried, by their kind, and how many of them ended the process.
    """
    tried, n_findings, n_ended, end = Counter(), 0, 0, time.monotonic() + seconds
    context = multiprocessing.get_context("spawn")
    while (left := end - time.monotonic()) > 0:
        reader, writer = context.Pipe(duplex=False)
        process = context.Process(target=_try_all, args=(seed, Counter(tried), left, writer))
        process.start()
        writer.close()
        kind = None
        try:
            while True:
                kind, failure = reader.recv()
                if failure is None:
                    tried[kind] += 1
                else:
                    print(failure, flush=True)
                    n_findings += 1
        except EOFError:
            process.join()
        finally:
            process.kill()
        assert kind or not process.exitcode, "the process that tries files does not start"
        if process.exitcode and kind in ("parquet", "arrow"):
            n_ended += 1
        elif process.exitcode:
            print(f"attempt({kind!r}, {seed}, {tried[kind] - 1}, folder) ended the process", flush=True)
            n_findings += 1
    print(f"damaged files that were tried: {dict(tried)}; {n_ended} ended a process, {n_findings} findings")
    return sum(tried.values()), n_findings


def _try_all(seed, tried, seconds, pipe):
    """Try damaged files, of each kind from a number on; tell of each before it is tried, and of a failure."""
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            for kind in KINDS:
                pipe.send((kind, None))
                try:
                    attempt(kind, seed, tried[kind], folder)
                except AssertionError as error:
                    pipe.send((kind, str(error)))
                tried[kind] += 1


# Tables of text.


def _delimited(rows, delimiter):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return file.getvalue()


def _text_table(suffix, folder, rng):
    rows = [[rng.choice(CELLS) for _ in range(3)] for _ in range(rng.randrange(1, 30))]
    names = ["text", "label", "id"]
    if suffix == ".jsonl":
        content = "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)
    elif suffix == ".json":
        objects = [dict(zip(names, row, strict=True)) for row in rows]
        content = json.dumps(objects, indent=rng.choice([None, 1]))
    elif suffix == ".txt":
        content = "".join(f"{row[0]}\n" for row in rows)
    else:
        content = _delimited([names, *rows], "," if suffix == ".csv" else "\t")
    path = folder / f"rows{suffix}"
    path.write_bytes(damaged_text(content.encode(), rng))
    found, dialect, notes = [], None, ()
    small = mock.patch.object(_blocks, "BLOCK_ROWS", rng.choice([1, 3, 2000]))
    chunks = mock.patch.object(_text, "CHUNK", rng.choice([7, 1000, 1 << 16]))
    with small, chunks, refusal(path) as refused:
        for block in read_blocks(path):
            dialect, notes = block.dialect, block.notes
            columns = [block.column(name) for name in block.names]
            assert {len(column) for column in columns} == {block.n_rows}
            found += [dict(zip(block.names, values, strict=True)) for values in zip(*columns, strict=True)]
    encoding = _assumed(notes)
    if any("as if its name ended in .tsv" in note for note in notes):  # lines with as many tabs each
        suffix = ".tsv"
    expected = EXPECTED[suffix](path.read_bytes(), encoding, dialect)
    if refused:
        assert expected is None or suffix == ".tsv", f"it was refused, but is whole: {refused}"
    elif suffix == ".tsv" and expected is None:
        _check_letters(found, path, encoding)
    else:
        assert _filled(found) == _filled(expected), f"{len(found)} rows came of {expected and len(expected)}"
    _read_as_documents(path)


def _assumed(notes):
    """Give the encoding that a note says; UTF-8 if none does."""
    said = [re.search(r"was read as (?!a table)([\w-]+)", note) for note in notes]
    return next((match[1] for match in said if match), "utf-8")


def _filled(rows):
    """Leave out what is None: a column that a block does not have is None in a table."""
    return rows and [{name: value for name, value in row.items() if value is not None} for row in rows]


def _check_letters(found, path, encoding):
    """Assert that a file with quotation marks gave every letter, but for those that lay it out."""

    def letters(text):
        return re.sub(r'[\s"]', "", text)

    names = [name for name in found[0] if not name.startswith("column ")]
    table = "".join([*names, *(cell for row in found for cell in row.values())])
    assert letters(table) == letters(_decoded(path.read_bytes(), encoding)), "letters are lost"


def _read_as_documents(path):
    with refusal(path):
        corpus = read(path)
        assert len(corpus.texts) == len(corpus.labels)


def _decoded(content, encoding):
    try:
        return content.decode(encoding).lstrip("\ufeff")
    except UnicodeDecodeError:
        return None


def _expected_csv(content, encoding, dialect):
    """Read with the csv module all at once; None if that is not a table."""
    text = _decoded(content, encoding)
    if text is None:
        return None
    delimiter = dialect.delimiter if dialect else max(",;\t|", key=_first_line(text).count)
    limit = csv.field_size_limit(1 << 28)
    try:
        rows = [
            row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) if row
        ]
    except csv.Error:
        return None
    finally:
        csv.field_size_limit(limit)
    return _as_dicts([row for row in rows if row])


def _first_line(text):
    """Give the lines up to the first that is not blank."""
    lines = io.StringIO(text, newline="").readlines()
    taken = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    return "".join(lines[: taken + 1])


def _as_dicts(rows):
    names = [name.strip() for name in rows[0]] if rows else []
    if not any(names):
        return None
    names = [name or f"column {number}" for number, name in enumerate(names, start=1)]
    rows = [_fitted(row, names) for row in rows]
    whole = len(set(names)) == len(names) and len(rows) > 1
    if not whole or any(len(row) != len(names) for row in rows):
        return None
    return [dict(zip(names, row, strict=True)) for row in rows[1:]]


def _fitted(row, names):
    """Leave out empty cells at the end that no column has, and put in those of columns without a name."""
    while len(row) > len(names) and not row[-1]:
        row = row[:-1]
    nameless = [f"column {number}" for number in range(len(row) + 1, len(names) + 1)]
    return [*row, *[""] * len(nameless)] if names[len(row) :] == nameless else row


def _expected_tsv(content, encoding, _):
    """Split at tabs; None for a file with quotation marks, which has rules of its own."""
    text = _decoded(content, encoding)
    if text is None or '"' in text:
        return None
    lines = [line.rstrip("\r\n") for line in io.StringIO(text, newline="").readlines()]
    return _as_dicts([line.split("\t") for line in lines if line])


def _expected_json(content, encoding, _):
    """Read an array at once, or an object a line."""
    text = _decoded(content, encoding)
    if not text or not text.strip():
        return None
    if text.lstrip().startswith("{"):
        return _expected_jsonl(content, encoding, _)
    try:
        rows = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    return rows if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows) else None


def _expected_jsonl(content, encoding, _):
    text = _decoded(content, encoding)
    if not text or not text.strip():
        return None
    try:
        rows = [json.loads(line, object_pairs_hook=_once) for line in text.split("\n") if line.strip()]
    except (ValueError, RecursionError):
        return None
    return rows if all(isinstance(row, dict) for row in rows) else None


def _once(pairs):
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError
    return dict(pairs)


def _expected_lines(content, encoding, _):
    text = _decoded(content, encoding)
    return [{"text": line.rstrip("\r\n")} for line in io.StringIO(text, newline="\n")] if text else None


EXPECTED = {
    ".csv": _expected_csv,
    ".tsv": _expected_tsv,
    ".json": _expected_json,
    ".jsonl": _expected_jsonl,
    ".txt": _expected_lines,
}


# Files of bytes: all rows come, or it is said that they do not.


def _written_rows(suffix, folder, rng):
    """Write rows by means of the package, damage the file, and read it."""
    path, n_rows = folder / f"whole{suffix}", rng.randrange(1, 60)
    columns = {
        "text": [rng.choice(CELLS).replace("\0", "x") for _ in range(n_rows)],
        "label": [rng.choice(["grain", "ship"]) for _ in range(n_rows)],
        "n": list(range(n_rows)),
    }
    block = Block(list(columns), n_rows, columns.__getitem__, lambda position: f"row {position + 1}")
    write_blocks([block], path)
    path.write_bytes(damaged_bytes(path.read_bytes(), rng))
    found = []
    with mock.patch.object(_blocks, "BLOCK_ROWS", rng.choice([3, 2000])), _mostly_here(rng):
        with refusal(path) as refused:
            for block in read_blocks(path):
                lengths = {len(block.column(name)) for name in block.names}
                assert lengths == {block.n_rows}, f"columns of {lengths} rows, where there are {block.n_rows}"
                found += block.column("n") if "n" in block.names else [None] * block.n_rows
        assert refused or len(found) == n_rows, f"{len(found)} rows came of {n_rows}"
        _read_as_documents(path)


def _mostly_here(rng):
    """Let most files be read by this process: one of its own for each would take a hundred times as long."""
    here = mock.patch.object(_frames, "rows_apart", _frame_rows.rows)
    return here if rng.random() < 0.99 else nullcontext()


def _packed(folder, rng):
    """Pack a table and damage what is packed: its end tells whether all came."""
    path, n_rows = folder / "rows.csv.gz", rng.randrange(1, 60)
    rows = [["text", "label"], *([rng.choice(CELLS), "x"] for _ in range(n_rows))]
    whole = gzip.compress(_delimited(rows, ",").encode(), mtime=0)
    path.write_bytes(damaged_bytes(whole, rng))
    with refusal(path) as refused:
        found = sum(block.n_rows for block in read_blocks(path))
    assert refused or found == n_rows or path.read_bytes().count(whole[:10]) > 1, f"{found} of {n_rows} rows"
    _read_as_documents(path)


# Parquet.


def _parquet_table(folder, rng):
    import polars

    path, n_rows = folder / "rows.parquet", rng.randrange(1, 60)
    columns = {
        "text": [rng.choice(CELLS) for _ in range(n_rows)],
        "label": [rng.choice(["grain", "ship", None]) for _ in range(n_rows)],
        "n": [rng.choice([None, number]) for number in range(n_rows)],
        "share": [rng.random() for _ in range(n_rows)],
        "day": [rng.choice([None, date(2024, 1, 1 + number % 28)]) for number in range(n_rows)],
        "tags": [rng.choice([None, [], ["a"], ["b", None]]) for _ in range(n_rows)],
        "flag": [rng.choice([True, False, None]) for _ in range(n_rows)],
    }
    kept = rng.sample(list(columns), rng.randrange(1, len(columns) + 1))
    frame = polars.DataFrame({name: columns[name] for name in kept}, strict=False)
    if "day" in kept and rng.random() < 0.5:
        frame = frame.with_columns(polars.col("day").cast(polars.Datetime(rng.choice(["ms", "us", "ns"]))))
    compression = rng.choice(["uncompressed", "uncompressed", "zstd", "snappy", "gzip", "lz4"])
    frame.write_parquet(path, row_group_size=rng.choice([5, 20, 1000]), compression=compression)
    whole = path.read_bytes()
    footer = rng.choice([0, 0, len(whole) - int.from_bytes(whole[-8:-4], "little") - 8])
    path.write_bytes(
        whole[:footer] + damaged_bytes(whole[footer:], rng) if footer else damaged_bytes(whole, rng)
    )
    found = 0
    with mock.patch.object(_blocks, "BLOCK_ROWS", rng.choice([3, 2000])), _mostly_here(rng):
        with refusal(path) as refused:
            for block in read_blocks(path):
                assert {len(block.column(name)) for name in block.names} == {block.n_rows}
                found += block.n_rows
        assert refused or found == n_rows, f"{found} rows came of {n_rows}"
        with refusal(path):
            out = folder / rng.choice(["out.csv", "out.jsonl", "out.parquet"])
            out.unlink(missing_ok=True)
            write_blocks(read_blocks(path), out)
            assert sum(block.n_rows for block in read_blocks(out)) == n_rows
    left = [name.name for name in folder.iterdir() if name.name.endswith(".part")]
    assert not left, f"{left} is left"


KINDS = {
    "csv": lambda folder, rng: _text_table(".csv", folder, rng),
    "tsv": lambda folder, rng: _text_table(".tsv", folder, rng),
    "jsonl": lambda folder, rng: _text_table(".jsonl", folder, rng),
    "json": lambda folder, rng: _text_table(".json", folder, rng),
    "lines": lambda folder, rng: _text_table(".txt", folder, rng),
    "packed": _packed,
    "xlsx": lambda folder, rng: _written_rows(".xlsx", folder, rng),
    "arrow": lambda folder, rng: _written_rows(".arrow", folder, rng),
    "sqlite": lambda folder, rng: _written_rows(".sqlite", folder, rng),
    "parquet": _parquet_table,
    "tar": archives.tar,
    "zip": archives.zip_,
    "gzip": archives.gzip_,
    "comparison": results_files.comparison,
    "evaluation": results_files.evaluation,
    "label comparison": results_files.label_comparison,
}
