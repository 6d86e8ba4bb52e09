import io
import random
import sys

import pytest

from textspace.tables import _text, read_text
from textspace.tables._text import open_lines


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "cp1252", "shift_jis", "utf-7"])
@pytest.mark.parametrize("newline", ["", "\n"])
@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 1000])
def test_lines_are_those_of_python(tmp_path, monkeypatch, encoding, newline, chunk):
    """Line breaks and letters of several bytes may lie across two chunks."""
    monkeypatch.setattr(_text, "CHUNK", chunk)
    draw = random.Random(0)
    letters = [
        "a",
        "bc",
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        {"cp1252": "é€", "shift_jis": "日本"}.get(encoding, "é€𝄞"),
    ]
    for _ in range(20):
        text = "".join(draw.choices(letters, k=draw.randrange(30)))
        (tmp_path / "text").write_bytes(text.encode(encoding))
        with open(tmp_path / "text", encoding=encoding, newline=newline) as file:
            expected = file.readlines()
        with open_lines(tmp_path / "text", encoding, newline=newline) as lines:
            assert list(lines) == expected
            assert lines.share in (1, None)
            assert lines.n_characters == len(text)
        assert read_text(tmp_path / "text", encoding) == text


@pytest.mark.parametrize("chunk", [1, 5, 1000])
@pytest.mark.parametrize(
    ("content", "encoding", "said"),
    [
        (b"one\ntwo\ncaf\xe9\nfour", "utf-8", "line 3: byte 0xe9 at position 11 is not utf-8"),
        (b"one\ntwo\ncaf\xc3", "utf-8", "line 3: byte 0xc3 at position 11 is not utf-8"),
        (b"one\n\n\x81", "cp1252", "line 3: byte 0x81 at position 5 is not cp1252"),
        ("one\ntwo".encode("utf-16-le") + b"\x00", "utf-16-le", "line 2: byte 0x00 at position 14"),
        ("one".encode("utf-16-be"), "utf-16", r"is not utf-16 \(.*BOM\): say"),
    ],
)
def test_a_byte_that_cannot_be_read_is_named(tmp_path, monkeypatch, content, encoding, said, chunk):
    monkeypatch.setattr(_text, "CHUNK", chunk)
    (tmp_path / "mail.txt").write_bytes(content)
    with pytest.raises(ValueError, match=rf"mail\.txt.* {said}"):
        read_text(tmp_path / "mail.txt", encoding)


@pytest.mark.parametrize("marks", ["\ufeff", 3 * "\ufeff"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_byte_order_marks_are_skipped(tmp_path, encoding, marks):
    """Programs that join files or mark them again leave several."""
    (tmp_path / "mail.txt").write_bytes(f"{marks}café".encode(encoding))
    assert read_text(tmp_path / "mail.txt", encoding) == "café"


@pytest.mark.parametrize("encoding", ["utf-9", "hex"])
def test_what_is_no_encoding(tmp_path, encoding):
    (tmp_path / "mail.txt").write_text("text")
    with pytest.raises(ValueError, match=f"there is no encoding '{encoding}'"):
        read_text(tmp_path / "mail.txt", encoding)


def test_the_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("naïve\n€5".encode("cp1252"))))
    assert read_text("-", "cp1252") == "naïve\n€5"


def test_what_is_at_hand_is_given_before_more_is_waited_for():
    """A pipe gives its lines as they come."""

    chunks = [b"one\ntwo\n", b"three\n"]

    class Pipe(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            chunk = chunks.pop(0)  # an IndexError if more is asked for
            buffer[: len(chunk)] = chunk
            return len(chunk)

    lines = iter(_text.Lines(io.BufferedReader(Pipe()), "pipe", "utf-8", "\n"))
    assert next(lines) == "one\n"
    assert chunks == [b"three\n"]
