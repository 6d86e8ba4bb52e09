"""Sprinkled LSI, against the decomposition of documents with their terms written out."""

import numpy as np
import pytest
from scipy import sparse

from textspace.linear import LSI, SprinkledLSI


@pytest.fixture
def documents():
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1, 2], [9, 7, 5])
    X = rng.random((21, 15)) * (rng.random((21, 15)) < 0.4)
    X[np.arange(21), y] += 0.7
    return X, y


def written_out(X, y, counts, weight, k):
    """Append columns of ones for each class, decompose, take them away; give inner products of documents."""
    columns = [weight * (y == label) for label, count in enumerate(counts) for _ in range(count)]
    vectors = np.linalg.svd(np.column_stack([X, *columns]))[2][:k, : X.shape[1]]
    return X @ np.linalg.pinv(vectors) @ vectors @ X.T


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_terms_of_classes_are_added_and_taken_away(container, documents):
    X, y = documents
    space = SprinkledLSI(4, n_terms=5, weight=0.3).fit(container(X), y)
    coordinates = space.transform(container(X))
    np.testing.assert_allclose(coordinates @ coordinates.T, written_out(X, y, [5, 5, 5], 0.3, 4), atol=1e-8)


def test_a_term_weighs_as_much_as_a_word_does(documents):
    X, y = documents
    own = SprinkledLSI(4, n_terms=3).fit(X, y).transform(X)
    weight = np.sqrt(np.mean(X[X > 0] ** 2))
    np.testing.assert_allclose(own @ own.T, written_out(X, y, [3, 3, 3], weight, 4), atol=1e-8)


def test_classes_that_are_confused_get_more_terms():
    # of the first class one in four is nearest to the second, of the others none is wrong
    X = np.array(
        [[1, 0, 0], [1, 0.1, 0], [1, 0.2, 0], [0.1, 1, 0], [0, 1, 0], [0, 1, 0.1], [0, 0, 1], [0.1, 0, 1]]
    )
    y = np.array([0, 0, 0, 0, 1, 1, 2, 2])
    space = SprinkledLSI(2, n_terms=6, weight=0.5, adaptive=True).fit(X, y)
    # the one that is alone among the second class draws its neighbour there over too
    nearest = [max((j for j in range(8) if j != i), key=lambda j: cosine(X[i], X[j])) for i in range(8)]
    confusion = np.zeros((3, 3))
    for row, near in enumerate(nearest):
        if y[row] != y[near]:
            confusion[y[row], y[near]] += 1 / np.sum(y == y[row])
    shares = confusion.sum(axis=0) + confusion.sum(axis=1)
    np.testing.assert_allclose(space.n_sprinkled_, 18 * shares / shares.sum())
    assert space.n_sprinkled_[2] == 0 < space.n_sprinkled_[0]


def cosine(one, other):
    return one @ other / np.linalg.norm(one) / np.linalg.norm(other)


def test_without_confusion_adaptive_changes_nothing():
    y = np.repeat([0, 1], 3)
    X = np.eye(2)[y] + 0.01 * np.random.default_rng(0).random((6, 2))
    plain = SprinkledLSI(2).fit(X, y).transform(X)
    np.testing.assert_allclose(SprinkledLSI(2, adaptive=True).fit(X, y).transform(X), plain)


def test_next_to_no_weight_is_lsi(documents):
    X, y = documents
    own = SprinkledLSI(4, weight=1e-9).fit(X, y).transform(X)
    lsi = LSI(4).fit_transform(X)
    np.testing.assert_allclose(own @ own.T, lsi @ lsi.T, atol=1e-8)


def test_nothing_to_decompose_is_refused():
    with pytest.raises(ValueError, match="every entry of X is zero"):
        SprinkledLSI().fit(np.zeros((4, 3)), [0, 0, 1, 1])


def test_singular_vectors_of_added_terms_alone_are_left_out():
    """Between two classes of the same words and sizes there is nothing but rounding."""
    X, y = np.ones((8, 6)), np.repeat([0, 1], 4)
    with pytest.warns(UserWarning, match="keeps 1 of the 3 components"):
        space = SprinkledLSI(3, n_terms=3).fit(X, y)
    np.testing.assert_allclose(space.components_, np.full((1, 6), 1 / np.sqrt(6)))


def test_added_terms_that_leave_no_direction_are_named():
    X = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    with pytest.raises(ValueError, match="Lower weight or n_terms"):
        SprinkledLSI(1, weight=10.0).fit(X, [0, 1, 1, 1])
