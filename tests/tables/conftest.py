"""Rows in files, written by other means than those that are tested."""

import csv
import json

import polars
import pytest

from textspace.tables import _blocks, _text


@pytest.fixture
def write_file():
    """Give a function that writes rows to a file."""

    def write(path, rows):
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

    return write


@pytest.fixture
def rows_of():
    """Give a function that puts blocks into rows."""

    def rows_of(blocks):
        rows = []
        for block in blocks:
            columns = [block.column(name) for name in block.names]
            assert all(len(column) == block.n_rows for column in columns)
            rows += [dict(zip(block.names, values, strict=True)) for values in zip(*columns, strict=True)]
        return rows

    return rows_of


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of three rows, from chunks of a few bytes."""
    monkeypatch.setattr(_blocks, "BLOCK_ROWS", 3)
    monkeypatch.setattr(_text, "CHUNK", 7)
