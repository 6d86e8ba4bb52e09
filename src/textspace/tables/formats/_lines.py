"""Plain text: one text a line, in the column "text"; in fastText's form each with its labels before it.

Such files have no room for other columns: they are not written.
"""

import itertools

from textspace.tables._blocks import Block, batched
from textspace.tables._format import Format
from textspace.tables._text import open_lines

LABEL = "__label__"
SEPARATOR = ";"  # between the labels of one text


def read(path, how):
    """Yield the blocks of a file of lines; an empty line is an empty text."""
    with open_lines(path, how.encoding) as lines:
        rows = iter(lines)
        first = list(itertools.islice(rows, 1))
        labelled = bool(first) and first[0].startswith(LABEL)
        make = _labelled if labelled else _plain
        n_before = 0
        for batch in batched(itertools.chain(first, rows), lines):
            yield make([line.rstrip("\r\n") for line in batch], n_before, lines)
            n_before += len(batch)
        if not n_before:
            raise ValueError(f"{lines.name} is empty: give one text a line")


def _plain(texts, n_before, lines):
    return _block({"text": texts}, n_before, lines, lines.notes)


def _labelled(rows, n_before, lines):
    """Part each line into labels and text; a line without a label is a text without one."""
    labels, texts = [], []
    for row in rows:
        own = []
        while row.startswith(LABEL):
            label, _, row = row.partition(" ")
            own.append(label.removeprefix(LABEL))
        labels.append(SEPARATOR.join(own))
        texts.append(row)
    note = f"The labels are those that fastText reads, after {LABEL}."
    return _block({"text": texts, "label": labels}, n_before, lines, (*lines.notes, note))


def _block(columns, n_before, lines, notes):
    return Block(
        list(columns),
        len(columns["text"]),
        column=columns.__getitem__,
        where=lambda position: f"line {n_before + position + 1}",
        notes=notes,
        share=lines.share,
    )


FORMAT = Format("lines", (".txt", ".txt.gz"), read)
