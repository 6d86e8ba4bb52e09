"""RCV1-v2: news with several topics a document, as term weights.

D. D. Lewis, Y. Yang, T. G. Rose and F. Li, "RCV1: A New Benchmark Collection for Text Categorization
Research" (JMLR 5, 2004), here LYRL2004. The vectors are in SVM-light form with the document's number for a
label; the topics are in a file of lines "topic document 1".
"""

from array import array
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack

from textspace.datasets._archive import damaged, gzip_lines
from textspace.datasets._sources import RCV1_TEST, RCV1_TOPICS, RCV1_TRAIN, locate
from textspace.datasets._vectors import malformed, read_vectors

N_TERMS = 47236
N_TOPICS = 103
N_TRAIN = 23149
N_TEST = 781265


class TopicVectors(NamedTuple):
    """Documents as weights, with any number of topics each.

    `X` has the weights of the terms, `Y` a 1 (uint8) where a document has a topic: csr_arrays with one row a
    document. `topics` are the names of the columns of `Y`, sorted; `documents` the numbers in the collection.
    """

    X: csr_array
    Y: csr_array
    topics: np.ndarray
    documents: np.ndarray


def load_rcv1(split="train", *, data_home=None, download=True):
    """Load RCV1-v2, the vectors and topics of LYRL2004.

    A `Corpus` holds texts or counts with one label each. These documents have several topics each, and their
    vectors are finished: ``(1 + log tf) * idf`` at unit length, which is the scheme "ltc" of `VectorSpace`
    with an idf of the authors. So they come as arrays, for a multi-label classifier.

    Parameters
    ----------
    split : {"train", "test"}, default="train"
        Which documents of the authors' split by date: 23149 or 781265 documents.
    data_home, download
        As for :func:`textspace.datasets.load`.

    Returns
    -------
    TopicVectors
        A named tuple ``X, Y, topics, documents``. X has 47236 columns, Y has 103.

    Raises
    ------
    ValueError
        If `split` is neither, or a file is damaged or not the expected one; the message names the file and,
        if the form of a line is wrong, the line and column.
    FileNotFoundError, ConnectionError
        As for `load`.

    Examples
    --------
    >>> from textspace.datasets import load_rcv1
    >>> X, Y, topics, documents = load_rcv1("train")  # doctest: +SKIP
    >>> X.shape, Y.shape  # doctest: +SKIP
    ((23149, 47236), (23149, 103))
    """
    splits = {"train": ((RCV1_TRAIN,), N_TRAIN), "test": (RCV1_TEST, N_TEST)}
    if split not in splits:
        raise ValueError(f"split={split!r} is not known: use 'train' or 'test'")
    sources, n_documents = splits[split]
    paths = [locate(source, data_home=data_home, download=download) for source in (RCV1_TOPICS, *sources)]
    found = read_rcv1(paths[1:], paths[0])
    if found.X.shape[0] != n_documents:
        reason = f"with {found.X.shape[0]} documents where {n_documents} are expected"
        raise damaged(" and ".join(map(str, paths[1:])), reason)
    if len(found.topics) != N_TOPICS:
        raise damaged(paths[0], f"it gives {len(found.topics)} topics where {N_TOPICS} are expected")
    return found


def read_rcv1(vector_paths, topics_path):
    """Read files of vectors, one after the other, and the topics of their documents."""
    documents, blocks = [], []
    for path in vector_paths:
        numbers, vectors = read_vectors(gzip_lines(path), path, n_terms=N_TERMS, read_label=int)
        documents += numbers
        blocks.append(vectors)
    rows = {number: row for row, number in enumerate(documents)}
    if len(rows) < len(documents):
        repeated = next(number for row, number in enumerate(documents) if rows[number] != row)
        raise damaged(vector_paths[-1], f"document {repeated} comes twice")
    topics, Y = _read_topics(topics_path, rows)
    without = np.flatnonzero(np.diff(Y.indptr) == 0)
    if len(without):
        raise damaged(topics_path, f"it has no topic of document {documents[without[0]]}")
    return TopicVectors(vstack(blocks, format="csr"), Y, topics, np.array(documents))


def _read_topics(path, rows):
    """Read the names of all topics, and which of the documents in `rows` have which."""
    columns, found_rows, found_columns = {}, array("i"), array("i")
    for number, line in enumerate(gzip_lines(path), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) < 2 or not fields[1].isdecimal():
            raise malformed(path, number, line, 1, "the number of a document")
        if fields[2:3] != ["1"]:
            raise malformed(path, number, line, 2, "a 1")
        if len(fields) > 3:
            raise malformed(path, number, line, 3, "nothing more")
        column = columns.setdefault(fields[0], len(columns))
        row = rows.get(int(fields[1]))
        if row is not None:
            found_rows.append(row)
            found_columns.append(column)
    topics = np.array(sorted(columns), dtype=str)
    ranks = np.argsort(np.argsort(list(columns)))  # of the columns in the order of the names
    places = np.array(found_rows, dtype=np.int32), ranks[np.array(found_columns, dtype=np.int32)]
    Y = csr_array((np.ones(len(found_rows), np.uint8), places), shape=(len(rows), len(topics)))
    Y.data[:] = 1  # a line that comes twice was added up
    return topics, Y
