import io

import pytest

from textspace.tables import read_table, write_blocks
from textspace.tables._encodings import find_encoding

GERMAN = "Die Straße führt über die Brücke, schön müde gähnt er. Zürich ist groß und kalt. " * 3
FRENCH = "Le café est fermé à l’été — « voilà » ça coûte 5 € au marché, dit le garçon de l’hôtel. " * 3
PLAIN = "The port of a great city, where ships lie and wheat is sold. " * 5
TOLD = [
    ("utf-8", PLAIN, "utf-8"),
    ("utf-8", FRENCH, "utf-8"),
    ("utf-8-sig", GERMAN, "utf-8-sig"),
    ("utf-16", GERMAN, "utf-16"),
    ("utf-16-le", PLAIN, "utf-16-le"),
    ("utf-16-be", GERMAN, "utf-16-be"),
    ("utf-32", GERMAN, "utf-32"),
    ("latin-1", GERMAN, "latin-1"),
    ("cp1252", FRENCH, "cp1252"),
    ("cp1252", PLAIN + "“quoted” – 5 €", "cp1252"),
]


@pytest.mark.parametrize(("encoding", "text", "expected"), TOLD)
def test_encodings_are_told_apart(encoding, text, expected):
    found, note = find_encoding(io.BytesIO(text.encode(encoding)), "mails.csv")
    assert found == expected
    assert text.encode(encoding).decode(found).removeprefix("\ufeff") == text
    assert bool(note) == (expected not in ("utf-8", "utf-8-sig"))


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1251", "Пшеница и кукуруза, порт и корабль. " * 5),
        ("koi8-r", "Пшеница и кукуруза, порт и корабль. " * 5),
        ("shift_jis", "小麦とトウモロコシの価格が上がった。" * 5),
        ("gb18030", "小麦和玉米的价格上涨了。" * 5),
        ("euc-kr", "밀과 옥수수 가격이 올랐다. " * 5),
        ("iso8859-7", "Το σιτάρι και το καλαμπόκι. " * 5),
        ("cp1250", "Zażółć gęślą jaźń, święto, źdźbło trawy, książka. " * 5),
        ("mac_roman", "Die Straße führt über die Brücke, schön müde gähnt er. " * 5),
    ],
)
def test_what_is_not_western_is_asked_about(encoding, text):
    with pytest.raises(ValueError, match=r"mails\.csv is not utf-8, nor .* Western .* \(--encoding\)"):
        find_encoding(io.BytesIO(text.encode(encoding)), "mails.csv")


def test_damaged_utf_8_is_not_taken_for_another(tmp_path):
    """One bad byte must not turn all accents into two signs each."""
    path = tmp_path / "rows.csv"
    path.write_bytes(b"text\n" + (GERMAN + "\n").encode() * 20 + b"bad \xe9\n")
    with pytest.raises(ValueError, match=r"line 22: byte 0xe9 at position .* is not utf-8"):
        read_table(path)


def test_the_first_bad_byte_may_come_late(tmp_path, monkeypatch):
    monkeypatch.setattr("textspace.tables._encodings.CHUNK", 1000)
    path = tmp_path / "rows.csv"
    path.write_bytes(b"text\n" + b"plain text\n" * 5000 + "café\n".encode("latin-1"))
    table = read_table(path)
    assert table.column("text")[-1] == "café"
    assert "read as latin-1" in table.notes[0]


LAYOUTS = [
    ("utf-8", ",", "\n", False, True),
    ("utf-8-sig", ";", "\r\n", False, True),
    ("utf-16", "\t", "\r\n", False, True),
    ("cp1252", ";", "\r\n", True, True),
    ("latin-1", "|", "\n", False, False),
]


@pytest.mark.parametrize(("encoding", "delimiter", "newline", "quoted", "header"), LAYOUTS)
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_a_file_is_written_as_it_was_read(tmp_path, encoding, delimiter, newline, quoted, header, suffix):
    import gzip

    from textspace.tables import read_blocks

    def cells(*values):
        return delimiter.join(f'"{value}"' if quoted else value for value in values) + newline

    euro = "5 €" if encoding not in ("latin-1",) else "5"
    content = (cells("id", "text") if header else "") + cells("1", f"Brücke {euro}") + cells("2", "schön")
    data = content.encode(encoding)
    pack = gzip.compress if suffix.endswith(".gz") else bytes
    unpack = gzip.decompress if suffix.endswith(".gz") else bytes
    (tmp_path / f"rows{suffix}").write_bytes(pack(data))
    header = None if header else False
    write_blocks(read_blocks(tmp_path / f"rows{suffix}", header=header), tmp_path / f"out{suffix}")
    assert unpack((tmp_path / f"out{suffix}").read_bytes()) == data


def test_a_letter_that_the_encoding_lacks_is_said(tmp_path):
    from textspace.tables import read_blocks

    (tmp_path / "rows.csv").write_bytes("text\nschön\n".encode("latin-1"))
    blocks = (block.with_columns({"label": ["日本"]}) for block in read_blocks(tmp_path / "rows.csv"))
    with pytest.raises(ValueError, match=r"out\.csv: '日' cannot be written in latin-1"):
        write_blocks(blocks, tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
