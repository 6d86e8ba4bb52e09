"""Local LSI, against its papers' steps done one after the other."""

import numpy as np
import pytest
from scipy import sparse

from textspace.linear import LSI, LocalLSI, LocalRelevanceWeightedLSI


@pytest.fixture
def documents():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], [14, 10, 6])
    X = rng.random((30, 20)) * (rng.random((30, 20)) < 0.3)
    X[np.arange(30), y] += 1
    return X, y


def leading(X, k):
    """Give the projection onto the leading right singular vectors."""
    vectors = np.linalg.svd(X)[2][:k]
    return vectors.T @ vectors


def of_class(space, label):
    own = space.components_[space.component_classes_ == label]
    return own.T @ own


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_by_class_it_is_lsi_of_each_class(container, documents):
    X, y = documents
    space = LocalLSI(3, region="class").fit(container(X), y)
    assert list(space.component_classes_) == [0] * 3 + [1] * 3 + [2] * 3
    for label in range(3):
        np.testing.assert_allclose(of_class(space, label), leading(X[y == label], 3), atol=1e-8)


def cosines_with_class(X, y, label):
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    centre = sum(unit[row] for row in range(len(y)) if y[row] == label)
    return [row @ centre / np.linalg.norm(centre) for row in unit]


def test_hard_negatives_are_the_nearest_of_other_classes(documents):
    X, y = documents
    space = LocalLSI(4, region="negatives", size=1.5).fit(X, y)
    for label, n_negatives in ((0, 7), (1, 5), (2, 3)):
        near = cosines_with_class(X, y, label)
        others = sorted((row for row in range(30) if y[row] != label), key=lambda row: -near[row])
        region = [row for row in range(30) if y[row] == label] + others[:n_negatives]
        np.testing.assert_allclose(of_class(space, label), leading(X[region], 4), atol=1e-8)


def test_the_nearest_may_leave_out_documents_of_the_class(documents):
    X, y = documents
    X[0] = 0
    X[0, 19] = 1  # of the first class, but unlike it
    space = LocalLSI(4, region="nearest", size=1.0).fit(X, y)
    near = cosines_with_class(X, y, 0)
    region = sorted(range(30), key=lambda row: -near[row])[:14]
    assert 0 not in region
    np.testing.assert_allclose(of_class(space, 0), leading(X[region], 4), atol=1e-8)


def test_the_region_of_everything_is_lsi(documents):
    X, y = documents
    space = LocalLSI(4, size=100.0).fit(X, y)
    for label in range(3):
        np.testing.assert_allclose(of_class(space, label), leading(X, 4), atol=1e-8)


def test_a_class_of_empty_documents_has_no_direction(documents):
    X, y = documents
    X[y == 2] = 0
    space = LocalLSI(3, region="class").fit(X, y)
    assert set(space.component_classes_) == {0, 1}
    with pytest.raises(ValueError, match="every entry of X is zero"):
        space.fit(np.zeros_like(X), y)


def lrw_lsi(X, y, new, label, *, k, size, a, b, alpha):
    """Give coordinates of new documents in the space of a class, step by step."""
    # 1. an initial classifier gives each document its relevancy score
    signs = np.where(y == label, 1.0, -1.0)
    centred = X - X.mean(axis=0)
    w = np.linalg.solve(centred.T @ centred + alpha * np.eye(X.shape[1]), centred.T @ (signs - signs.mean()))
    score = lambda x: x @ w + signs.mean() - X.mean(axis=0) @ w  # noqa: E731
    weigh = lambda x: x / (1 + np.exp(-a * (score(x) + b)))  # noqa: E731
    # 2., 3. each document is weighted; the most relevant make the region
    order = sorted(range(len(X)), key=lambda row: -score(X[row]))
    region = np.array([weigh(X[row]) for row in order[: int(np.ceil(size * np.sum(y == label)))]])
    # 4. truncated decomposition; 5. weighted documents are folded in
    vectors = np.linalg.svd(region)[2][:k]
    return np.array([vectors @ weigh(x) for x in new])


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_relevance_weighted_lsi_step_by_step(container, documents):
    X, y = documents
    new = np.random.default_rng(5).random((7, 20))
    settings = {"size": 1.7, "alpha": 0.5}
    space = LocalRelevanceWeightedLSI(3, slope=4.0, shift=0.3, **settings).fit(container(X), y)
    found = space.transform(container(new))
    for label in range(3):
        expected = lrw_lsi(X, y, new, label, k=3, a=4.0, b=0.3, **settings)
        own = found[:, space.component_classes_ == label]
        np.testing.assert_allclose(own @ own.T, expected @ expected.T, atol=1e-8)


def test_where_all_are_relevant_alike_it_is_lsi(documents):
    X, y = documents
    space = LocalRelevanceWeightedLSI(4, size=100.0, shift=1e6).fit(X, y)
    lsi = LSI(4).fit_transform(X)
    for label in range(3):
        own = space.transform(X)[:, space.component_classes_ == label]
        np.testing.assert_allclose(own @ own.T, lsi @ lsi.T, atol=1e-8)
