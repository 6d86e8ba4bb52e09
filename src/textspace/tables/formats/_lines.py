"""Plain text: one text a line, in the column "text". It has no room for other columns: it is not written."""

from textspace.tables._blocks import Block, batched
from textspace.tables._format import Format
from textspace.tables._text import open_lines


def read(path, encoding):
    """Yield the blocks of a file of lines; an empty line is an empty text."""
    with open_lines(path, encoding) as lines:
        n_before = 0
        for batch in batched(lines, lines):
            yield _block([line.rstrip("\r\n") for line in batch], n_before, lines.share)
            n_before += len(batch)
        if not n_before:
            raise ValueError(f"{lines.name} is empty: give one text a line")


def _block(texts, n_before, share):
    return Block(
        ["text"],
        len(texts),
        column=lambda name: texts,
        where=lambda position: f"line {n_before + position + 1}",
        share=share,
    )


FORMAT = Format("lines", (".txt",), read)
