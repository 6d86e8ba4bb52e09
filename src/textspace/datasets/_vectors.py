"""Documents as vectors in the SVM-light form: a line a document, first its label, then term:value pairs."""

import re
from array import array

import numpy as np
from scipy.sparse import csr_array

LARGEST_VALUE = float(np.finfo(np.float32).max)
LONGEST_QUOTE = 40


def read_vectors(lines, where, *, n_terms, read_label):
    """Read vectors of counts or weights.

    Parameters
    ----------
    lines : iterable of str
        The lines of a file. What follows a "#" is a comment; lines without anything else are skipped.
    where : str
        The file, for messages.
    n_terms : int
        Number of terms; the file counts them from 1.
    read_label : callable
        Makes a label of the first cell of a line; raises KeyError or ValueError if that is none.

    Returns
    -------
    labels : list
        What `read_label` gave.
    vectors : csr_array of shape (n_documents, n_terms), float32

    Raises
    ------
    ValueError
        If a line is not of this form, with the file, the line and the column of the first wrong character.

    Examples
    --------
    >>> lines = ["# a comment", "+1 1:2 4:1", "-1 2:0.5"]
    >>> labels, vectors = read_vectors(lines, "vectors.dat", n_terms=4, read_label=int)
    >>> labels, vectors.toarray().tolist()
    ([1, -1], [[2.0, 0.0, 0.0, 1.0], [0.0, 0.5, 0.0, 0.0]])
    """
    labels, columns, values, ends = [], array("i"), array("f"), array("i", [0])
    for row, line in enumerate(lines, start=1):
        cells = line.partition("#")[0].split()
        if not cells:
            continue
        try:
            labels.append(read_label(cells[0]))
        except (KeyError, ValueError):
            raise malformed(where, row, line, 0, "a label") from None
        found = {}
        for position, cell in enumerate(cells[1:], start=1):
            term, _, value = cell.partition(":")
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
    """Make the error for a cell that is not as expected; past the last cell, for what is missing there."""
    cells = [*re.finditer(r"\S+", line)]
    if position < len(cells):
        column, cell = cells[position].start() + 1, cells[position].group()
        found = repr(cell if len(cell) <= LONGEST_QUOTE else f"{cell[:LONGEST_QUOTE]}...")
    else:
        column, found = len(line.rstrip()) + 1, "nothing"
    return ValueError(
        f"{where}, line {row}, column {column}: expected {expected}, found {found}: "
        "the file is damaged or of another form: get it again"
    )
