import sys

import pytest

from textspace.tables import format_of, formats, known_formats

MODULE = """
from textspace.tables import Format

FORMAT = Format({name!r}, {suffixes!r}, read=None)
"""


@pytest.fixture
def add_format(tmp_path, monkeypatch):
    """Give a function that puts one more file beside the formats."""
    (tmp_path / "formats").mkdir()
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path / "formats")])

    def add(module, **fields):
        (tmp_path / "formats" / f"{module}.py").write_text(MODULE.format(**fields))
        # so that it is forgotten again at the end
        monkeypatch.setitem(sys.modules, f"{formats.__name__}.{module}", None)
        monkeypatch.delitem(sys.modules, f"{formats.__name__}.{module}")

    return add


def test_names_and_suffixes_mean_one_format():
    known = known_formats()
    names, suffixes = [each.name for each in known], [suffix for each in known for suffix in each.suffixes]
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)
    assert all(suffix == suffix.lower() and suffix.startswith(".") for suffix in suffixes)


@pytest.mark.parametrize(
    ("path", "name"), [("a.csv", "csv"), ("A.TAB", "tsv"), ("b.c.ndjson", "jsonl"), ("./x/a.txt", "lines")]
)
def test_the_format_of_a_name(path, name):
    assert format_of(path).name == name


@pytest.mark.parametrize("path", ["csv", "acsv", "a.csv.bz2", "a.bmp", "."])
def test_a_name_of_no_format(path):
    with pytest.raises(ValueError, match=r"cannot be read: give a file that ends in \.arrow, .*\.txt"):
        format_of(path)


@pytest.mark.parametrize(
    ("path", "remedy"),
    [("a.docx", "put its texts into a table"), ("a.csv.zip", "unpack it"), ("a.XLS", "save it as .xlsx")],
)
def test_what_people_bring_has_a_remedy(path, remedy):
    with pytest.raises(ValueError, match=f"cannot be read: {remedy}.*; or give a file that ends in"):
        format_of(path)


def test_what_cannot_be_written_is_not_suggested():
    with pytest.raises(
        ValueError, match=r"^a\.txt cannot be written: give a file that ends in \.arrow"
    ) as error:
        format_of("a.txt", to_write=True)
    assert ".txt," not in str(error.value)


def test_a_format_is_found_by_being_there(add_format):
    before = [known.name for known in known_formats()]
    add_format("_a_packed", name="packed", suffixes=(".bz2",))
    add_format("_packed_csv", name="packed csv", suffixes=(".csv.bz2",))
    found = [known.name for known in known_formats()]
    assert sorted(found) == sorted([*before, "packed", "packed csv"])
    assert format_of("a.csv.bz2").name == "packed csv"
    assert format_of("a.bz2").name == "packed"
    with pytest.raises(ValueError, match=r"a\.bz2 cannot be written"):
        format_of("a.bz2", to_write=True)
