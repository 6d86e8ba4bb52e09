"""Plain text: one text a line, in the column "text"; in fastText's form each with its labels before it.

Lines that all have as many tabs are a table, as Excel saves "Unicode text". Files of texts have no room for
other columns: they are not written.
"""

import itertools
import re
from dataclasses import replace

from textspace.tables._blocks import Block, batched
from textspace.tables._format import Format
from textspace.tables._text import STANDARD, open_lines
from textspace.tables.formats import _tsv

LABEL = "__label__"
SEPARATOR = ";"  # between the labels of one text
LOOKED_AT = 20  # lines, to see whether they are rows of a table
NOTE = "Every line has as many tabs: the file was read as a table, as if its name ended in .tsv."


def read(path, how):
    """Yield the blocks of a file of lines; an empty line is an empty text."""
    with open_lines(path, how.encoding) as lines:
        first = list(itertools.islice(lines, LOOKED_AT))
        if path != STANDARD and _are_rows(first, path):
            for block in _tsv.read(path, replace(how, encoding=lines.encoding)):
                yield replace(block, notes=(NOTE, *lines.notes, *block.notes))
            return
        labelled = bool(first) and first[0].startswith(LABEL)
        make = _labelled if labelled else _plain
        n_before = 0
        for batch in batched(lines.again(first), lines):
            yield make([line.rstrip("\r\n") for line in batch], n_before, lines)
            n_before += len(batch)
        if not n_before:
            raise ValueError(f"{lines.name} is empty: give one text a line")


def _are_rows(first, path):
    """Tell whether the first lines are rows with tabs; say so if they are those of a CSV file."""
    cells = re.split("[,;|]", first[0].strip().lower()) if first else []
    if len(cells) > 1 and {"text", "label"} <= {cell.strip(' "') for cell in cells}:
        raise ValueError(f"{path} begins as a CSV file does: rename it so that it ends in .csv")
    tabs = {line.count("\t") for line in first}
    return len(first) > 1 and len(tabs) == 1 and 0 not in tabs


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
