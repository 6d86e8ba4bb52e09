import sqlite3
from contextlib import closing

import pytest

from textspace.datasets import read
from textspace.tables import read_table


@pytest.fixture
def address(tmp_path):
    """The address of a database that SQLAlchemy opens."""
    with closing(sqlite3.connect(tmp_path / "mails.db")) as base, base:
        base.execute("CREATE TABLE mails (body TEXT, topic TEXT)")
        base.executemany("INSERT INTO mails VALUES (?, ?)", [(f"corn {n}", "ab"[n % 2]) for n in range(7)])
    return f"sqlite:///{tmp_path}/mails.db"


def test_a_query_and_a_table(address, small_blocks):
    assert read_table(address, query="SELECT body FROM mails WHERE topic = 'a'").n_rows == 4
    corpus = read(address, sheet="mails")
    assert (corpus.name, corpus.texts[6], corpus.labels.tolist()[:2]) == ("mails.db", "corn 6", ["a", "b"])


@pytest.mark.parametrize(
    ("other", "how", "said"),
    [
        (None, {}, r"is a database: say what to read with query= \(--query\)"),
        (None, {"query": "SELECT * FROM absent"}, "cannot be read .*no such table"),
        (None, {"query": "DELETE FROM mails"}, "gives no rows|cannot be read"),
        ("nosuch://user:secret@host/base", {"query": "SELECT 1"}, "cannot be read"),
        ("nosuch://user:secret@host:a/base", {"query": "SELECT 1"}, "cannot be read .*: check the address"),
    ],
)
def test_what_cannot_be_read(address, other, how, said):
    with pytest.raises(ValueError, match=said) as error:
        read_table(other or address, **how)
    assert "secret" not in str(error.value)


def test_a_driver_that_is_missing_is_named():
    with pytest.raises(ImportError, match=r"postgresql://user:\*\*\*@host/base needs a driver"):
        read_table("postgresql://user:secret@host/base", query="SELECT 1")
