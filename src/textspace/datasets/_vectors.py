"""Documents as vectors in the SVM-light form: a line a document, first its label, then term:value pairs."""

import re
from array import array

import numpy as np
from scipy.sparse import csr_array

LARGEST_VALUE = float(np.finfo(np.float32).max)
LONGEST_QUOTE = 40


def read_vectors(lines, where, *, n_terms, read_label):
    """Read the labels and the vectors (a float32 csr_array) of lines like ``+1 1:2 4:1``.

    The file counts the terms from 1. What follows a "#" is a comment; lines without anything else are
    skipped. ``read_label`` makes a label of the first field of a line, and raises KeyError or ValueError if
    it is none. A ValueError names the file (`where`), the line and the column of the first wrong character.

    >>> lines = ["# a comment", "+1 1:2 4:1", "-1 2:0.5"]
    >>> labels, vectors = read_vectors(lines, "vectors.dat", n_terms=4, read_label=int)
    >>> labels, vectors.toarray().tolist()
    ([1, -1], [[2.0, 0.0, 0.0, 1.0], [0.0, 0.5, 0.0, 0.0]])
    """
    labels, columns, values, ends = [], array("i"), array("f"), array("i", [0])
    for row, line in enumerate(lines, start=1):
        fields = line.partition("#")[0].split()
        if not fields:
            continue
        try:
            labels.append(read_label(fields[0]))
        except (KeyError, ValueError):
            raise malformed(where, row, line, 0, "a label") from None
        found = {}
        for position, field in enumerate(fields[1:], start=1):
            term, _, value = field.partition(":")
            try:
                column, value = int(term), float(value)
            except ValueError:
                column = 0
            if not (0 < column <= n_terms and 0 <= value <= LARGEST_VALUE):
                expected = f"term:value with a term from 1 to {n_terms} and a value of 0 or more"
                raise malformed(where, row, line, position, expected)
            if column in found:
                raise malformed(where, row, line, position, "each term once in a line")
            found[column] = value
        columns.extend(found)
        values.extend(found.values())
        ends.append(len(columns))
    columns = np.array(columns, dtype=np.int32) - 1
    values = np.array(values, dtype=np.float32)
    vectors = csr_array((values, columns, np.array(ends, dtype=np.int32)), shape=(len(labels), n_terms))
    vectors.sort_indices()
    vectors.eliminate_zeros()
    return labels, vectors


def malformed(where, row, line, position, expected):
    """Make the error for a field that is not as expected; past the last field, for what is missing there."""
    fields = [*re.finditer(r"\S+", line)]
    if position < len(fields):
        column, field = fields[position].start() + 1, fields[position].group()
        found = repr(field if len(field) <= LONGEST_QUOTE else f"{field[:LONGEST_QUOTE]}...")
    else:
        column, found = len(line.rstrip()) + 1, "nothing"
    return ValueError(
        f"{where}, line {row}, column {column}: expected {expected}, found {found}: "
        "the file is damaged or of another form: get it again"
    )
