"""Neighbours among documents that several matrices hold, against all pairs of cosines."""

import numpy as np
import pytest
from scipy import sparse

from textspace.neighbors import query_neighbors

FORMS = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csr_matrix])


@pytest.fixture(scope="module")
def documents():
    """Twelve topics, each with terms of its own beside those of all; topics and classes are not the same."""
    rng = np.random.default_rng(0)
    topics = rng.integers(0, 12, 900)
    rates = np.full((12, 150), 0.05)
    rates[np.arange(120) // 10, np.arange(120)] = 1.0
    X = rng.poisson(rates[topics]) * rng.uniform(0.5, 1, (900, 150))
    return X, (topics + rng.integers(0, 2, 900)) % 4


def cosines(X):
    unit = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)
    return unit @ unit.T


@FORMS
def test_neighbors_are_the_nearest_of_all_matrices(documents, form):
    X, y = documents
    queries = np.flatnonzero(np.arange(900) % 3)
    found = query_neighbors([form(X[:200]), form(X[200:])], y, queries, n_neighbors=3, max_postings=1)
    for i, cosine, *lists in zip(queries, cosines(X)[queries], *found, strict=True):
        others = np.arange(900) != i
        for allowed, indices, relevance in [
            (others & (y == y[i]), *lists[:2]),
            (others & (y != y[i]), *lists[2:]),
        ]:
            np.testing.assert_allclose(relevance, np.sort(cosine[allowed])[::-1][:3])
            np.testing.assert_allclose(relevance, cosine[indices])
            assert allowed[indices].all()


def test_many_documents_find_most_by_shortened_lists(documents, monkeypatch):
    X, y = sparse.csr_array(documents[0]), documents[1]
    matrices, queries = [X[:200], X[200:]], np.arange(0, 900, 2)
    settings = {"n_neighbors": 3, "max_postings": 900}
    exact = query_neighbors(matrices, y, queries, **settings)
    monkeypatch.setattr("textspace.neighbors._queries._EXACT", 10)
    found = query_neighbors(matrices, y, queries, **settings)  # no list is longer than it may be
    np.testing.assert_allclose(found.within_relevance, exact.within_relevance)
    fewer = query_neighbors(matrices, y, queries, **settings | {"max_postings": 20})
    assert 0.5 < np.mean(fewer.within_relevance >= exact.within_relevance - 1e-9) < 1
