"""SQLite: the rows of a table or of a query, from a file that is only read."""

import errno
import json
import os
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path

from textspace._files import scratch_folder
from textspace.tables import _blocks
from textspace.tables._blocks import Block, Dialect, laid_out, refuse_new_names
from textspace.tables._delimited import column_names
from textspace.tables._format import Format

_OF_THE_DISK = {sqlite3.SQLITE_FULL: errno.ENOSPC, sqlite3.SQLITE_IOERR: errno.EIO}


def read(path, how):
    """Yield the blocks of a table, which need not be named if there is one only, or of a query."""
    try:
        with closing(sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)) as base:
            base.execute("PRAGMA trusted_schema = OFF")
            [[sound]] = base.execute("PRAGMA quick_check(1)").fetchall()
            if sound != "ok":
                raise _damaged(path, sound)
            query, table = (how.query, None) if how.query else _query(base, path, how.sheet)
            cursor = base.execute(query)
            if cursor.description is None:
                raise ValueError(f"{path}: the query gives no rows: give a SELECT")
            names = column_names([about[0] for about in cursor.description], path)
            yield from cursor_blocks(cursor.fetchmany, names, path, Dialect("sqlite", sheet=table))
    except (sqlite3.Error, sqlite3.Warning, UnicodeDecodeError) as error:
        if how.query and isinstance(error, sqlite3.OperationalError | sqlite3.ProgrammingError):
            raise ValueError(f"{path}: the query cannot be answered ({error}): correct it") from error
        raise _damaged(path, error) from error


def _damaged(path, error):
    return ValueError(f"{path} is damaged or no SQLite database ({error}): make it again")


def _query(base, path, table):
    known = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    tables = [name for (name,) in base.execute(known)]
    if not tables:
        raise ValueError(f"{path} has no tables: give a database that has one")
    if table is None and len(tables) == 1:
        table = tables[0]
    if table not in tables:
        what = "several tables" if table is None else f"no table {table!r}"
        listed = ", ".join(map(repr, tables))
        raise ValueError(f"{path} has {what}: name one with sheet= (--sheet), or give a query=; of {listed}")
    return f"SELECT * FROM {_quoted(table)}", table


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'


def cursor_blocks(fetch, names, path, dialect):
    """Yield blocks of the rows that a function fetches so many at a time."""
    numbers, n_before = {name: number for number, name in enumerate(names)}, 0
    while rows := fetch(_blocks.BLOCK_ROWS):
        yield _block(rows, n_before, names, numbers, dialect)
        n_before += len(rows)
    if not n_before:
        raise ValueError(f"{path} has no rows: name another table, or give another query")


def _block(rows, n_before, names, numbers, dialect):
    return Block(
        names,
        len(rows),
        column=lambda name: [row[numbers[name]] for row in rows],
        where=lambda position: f"row {n_before + position + 1}",
        dialect=dialect,
    )


def write(blocks, path):
    """Write blocks into the one table of a new database, which takes the place of an old one."""
    _refuse_log(path)
    dialect, blocks = laid_out(blocks, Dialect("sqlite"))
    table, names = _quoted(dialect.sheet or "rows"), None
    with _unwritable(path), scratch_folder(Path(path).parent) as folder:
        with closing(sqlite3.connect(folder / "base")) as base, base:
            for block in blocks:
                if names is None:
                    names = block.names
                    base.execute(f"CREATE TABLE {table} ({', '.join(map(_quoted, names))})")
                refuse_new_names(block, names)
                columns = (map(_cell, block.column(name)) for name in names)
                marks = ", ".join("?" * len(names))
                base.executemany(f"INSERT INTO {table} VALUES ({marks})", zip(*columns, strict=True))
        _refuse_log(path)
        os.replace(folder / "base", path)


def _refuse_log(path):
    """Raise a ValueError if changes lie beside an old database, which SQLite would make to the new one."""
    for log in (f"{path}-wal", f"{path}-journal"):
        if os.path.isfile(log) and os.path.getsize(log):
            raise ValueError(
                f"{path} cannot be replaced: {log} holds changes to it, of a program that has it open or was "
                "killed: close that, or write to another file"
            )


@contextmanager
def _unwritable(path):
    """Say why SQLite cannot write a file: the disk is full, or a name or value has no place in it."""
    try:
        yield
    except (sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
        kind = getattr(error, "sqlite_errorcode", 0) & 0xFF  # more bits say more of it
        if kind in _OF_THE_DISK:
            raise OSError(_OF_THE_DISK[kind], os.strerror(_OF_THE_DISK[kind]), str(path)) from error
        raise ValueError(f"{path} cannot be written as SQLite ({error}): choose .csv or .jsonl.") from error


def _cell(value):
    if value is None or isinstance(value, str | int | float | bytes):
        return value
    return (
        json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, dict | list) else str(value)
    )


FORMAT = Format("sqlite", (".sqlite", ".sqlite3", ".db"), read, write, streams=False)
