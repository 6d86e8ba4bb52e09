import io

import numpy as np
import pytest
from scipy.sparse import random_array
from sklearn.datasets import dump_svmlight_file

from textspace.datasets._vectors import read_vectors


def read(*lines, n_terms=9):
    return read_vectors(lines, "some/vectors.dat", n_terms=n_terms, read_label=int)


@pytest.mark.parametrize("seed", range(5))
def test_reads_what_scikit_learn_writes(seed):
    rng = np.random.default_rng(seed)
    X = random_array((20, 30), density=0.2, rng=rng, format="csr")
    y = rng.integers(-5, 5, 20)
    file = io.BytesIO()
    dump_svmlight_file(X, y, file, zero_based=False, comment="made for a test")
    labels, vectors = read(*file.getvalue().decode().split("\n"), n_terms=30)
    assert labels == y.tolist()
    assert vectors.format == "csr"
    assert vectors.dtype == np.float32
    assert vectors.indices.dtype == np.int32
    assert vectors.has_canonical_format
    np.testing.assert_array_equal(vectors.toarray(), X.toarray().astype(np.float32))


def test_comments_blank_lines_order_and_zeros():
    labels, vectors = read("# head", "", "+1 3:2 1:1.5 # a comment 5:5", "  ", "-1 ", "2 9:0 8:1e-3\r\n")
    assert labels == [1, -1, 2]
    expected = np.zeros((3, 9), dtype=np.float32)
    expected[[0, 0, 2], [0, 2, 7]] = [1.5, 2, 1e-3]
    np.testing.assert_array_equal(vectors.toarray(), expected)
    assert vectors.nnz == 3


def test_no_lines():
    labels, vectors = read("# nothing")
    assert labels == []
    assert vectors.shape == (0, 9)


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("x 1:1", 1, "expected a label, found 'x'"),
        ("+1 1:1 2", 8, "found '2'"),
        ("+1 1:1  2:x", 9, "found '2:x'"),
        ("+1 a:1", 4, "found 'a:1'"),
        ("+1 1:2:3", 4, "found '1:2:3'"),
        ("+1 qid:1 1:2", 4, "found 'qid:1'"),
        ("+1 0:1", 4, "a term from 1 to 9 .*found '0:1'"),
        ("+1 9:1\t10:1", 8, "a term from 1 to 9 .*found '10:1'"),
        ("+1 -1:1", 4, "found '-1:1'"),
        ("+1 1:-1", 4, "a value of 0 or more, found '1:-1'"),
        ("+1 1:nan", 4, "found '1:nan'"),
        ("+1 1:inf", 4, "found '1:inf'"),
        ("+1 1:1e39", 4, "found '1:1e39'"),
        ("+1 2:1 3:1 2:1", 12, "each term once in a line, found '2:1'"),
        (f"+1 {'9' * 5000}:1", 4, f"found '{'9' * 40}...': "),
    ],
)
def test_malformed_line_names_file_line_and_column(line, column, message):
    with pytest.raises(
        ValueError, match=rf"^some/vectors\.dat, line 3, column {column}: .*{message}.*get it"
    ):
        read("# head", "1 1:1", line, "1 1:1")
