import sqlite3
from contextlib import closing

import pytest

from textspace.datasets import read
from textspace.tables import read_blocks, read_table, write_blocks


@pytest.fixture
def base(tmp_path):
    """A database with two tables and a view."""
    path = tmp_path / "mails.sqlite"
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE mails (id INTEGER, body TEXT, topic TEXT)")
        rows = [(1, "corn", "grain"), (2, "wheat", None), (3, "a port", "ship")]
        file.executemany("INSERT INTO mails VALUES (?, ?, ?)", rows)
        file.execute('CREATE TABLE "other ""one""" (text)')
        file.execute("CREATE VIEW seen AS SELECT * FROM mails")
    return path


def test_a_table_and_a_query(base, small_blocks):
    table = read_table(base, sheet="mails")
    assert table.column("body") == ["corn", "wheat", "a port"]
    assert table.column("topic") == ["grain", None, "ship"]
    table = read_table(base, query="SELECT upper(body) AS text FROM mails WHERE id > 1")
    assert table.column("text") == ["WHEAT", "A PORT"]
    assert read(base, sheet="mails").labels.tolist() == ["grain", "", "ship"]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({}, "has several tables: name one with sheet="),
        ({"sheet": "mail"}, "has no table 'mail'"),
        ({"sheet": 'other "one"'}, "has no rows"),
        ({"query": "SELECT * FROM nothing"}, "the query cannot be answered"),
        ({"query": "DROP TABLE mails"}, "the query cannot be answered .*readonly"),
        ({"query": "SELECT id, id FROM mails"}, "names the column 'id' more than once"),
    ],
)
def test_what_cannot_be_read(base, how, said):
    with pytest.raises(ValueError, match=rf"mails\.sqlite.*{said}"):
        read_table(base, **how)
    assert read_table(base, sheet="mails").n_rows == 3


def test_what_is_no_database(tmp_path):
    (tmp_path / "mails.db").write_bytes(b"text,label\n" * 100)
    with pytest.raises(ValueError, match=r"mails\.db is damaged or no SQLite database"):
        read_table(tmp_path / "mails.db")


def test_a_new_database_is_written(base, tmp_path):
    write_blocks(read_blocks(base, sheet="mails"), tmp_path / "out.db")
    again = read_table(tmp_path / "out.db")  # one table, of the same name
    assert (again.names, again.column("id")) == (["id", "body", "topic"], [1, 2, 3])
    assert read_table(tmp_path / "out.db", sheet="mails").n_rows == 3


def test_queries_are_for_databases(tmp_path):
    (tmp_path / "rows.csv").write_text("text\ncorn\n")
    with pytest.raises(ValueError, match=r"no database: leave out query="):
        read_table(tmp_path / "rows.csv", query="SELECT 1")
    with pytest.raises(ValueError, match=r"no sheets: leave out sheet="):
        read_table(tmp_path / "rows.csv", sheet="Data")


def test_changes_beside_an_old_database_are_not_made_to_the_new_one(tmp_path):
    path = tmp_path / "mails.db"
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("CREATE TABLE mails (text)")
        base.executemany("INSERT INTO mails VALUES (?)", [("corn",), ("port",)])
        base.commit()
        assert read_table(path).n_rows == 2
        with pytest.raises(ValueError, match=r"mails\.db cannot be replaced: .*mails\.db-wal holds changes"):
            write_blocks((block.with_columns({"label": ["x", "y"]}) for block in read_blocks(path)), path)
        assert read_table(path).n_rows == 2
    write_blocks((block.with_columns({"label": ["x", "y"]}) for block in read_blocks(path)), path)
    assert read_table(path).column("label") == ["x", "y"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": 100000000000000000000}', "too large"),
        ('{"text": "\\ud800"}', "surrogates"),
        ('{"Text": "a", "text": "b"}', "duplicate column name"),
        ('{"a\\u0000b": 1}', "null character"),
    ],
)
def test_what_has_no_place_in_a_database(tmp_path, line, said):
    (tmp_path / "rows.jsonl").write_text(line)
    with pytest.raises(ValueError, match=rf"out\.db cannot be written as SQLite \(.*{said}.*choose \.csv"):
        write_blocks(read_blocks(tmp_path / "rows.jsonl"), tmp_path / "out.db")
    assert not list(tmp_path.glob("*out*"))


def test_a_full_disk_names_the_database(tmp_path):
    resource = pytest.importorskip("resource")
    (tmp_path / "rows.csv").write_text("text\n" + 2000 * f"{'corn' * 30}\n")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, old[1]))
    try:
        with pytest.raises(OSError, match=r"out\.db'$"):
            write_blocks(read_blocks(tmp_path / "rows.csv"), tmp_path / "out.db")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]
