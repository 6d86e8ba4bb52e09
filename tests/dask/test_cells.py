"""Cells and neighbours among documents in pieces, against all distances and pairs of cosines."""

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

from textspace.dask._cells import learn_cells, search_part, two_nearest

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
def test_neighbors_are_the_nearest_of_all_pieces(documents, form):
    X, y = documents
    queries = np.flatnonzero(np.arange(900) % 3)
    found = search_part([form(X[:200]), form(X[200:])], y, queries, n_neighbors=3, n_postings=1)
    for i, cosine, *lists in zip(queries, cosines(X)[queries], *found, strict=True):
        others = np.arange(900) != i
        for allowed, indices, relevance in [
            (others & (y == y[i]), *lists[:2]),
            (others & (y != y[i]), *lists[2:]),
        ]:
            np.testing.assert_allclose(relevance, np.sort(cosine[allowed])[::-1][:3])
            np.testing.assert_allclose(relevance, cosine[indices])
            assert allowed[indices].all()


def test_two_nearest_are_the_two_nearest_where_all_coarse_cells_are_probed(documents):
    X = sparse.csr_array(documents[0])
    cells = learn_cells(X, n_cells=9, random_state=np.random.RandomState(0))
    assert len(cells.coarse) == 3
    positions = X @ cells.components.T
    positions /= np.linalg.norm(positions, axis=1, keepdims=True)
    distances = np.linalg.norm(positions[:, None] - cells.fine, axis=2)
    np.testing.assert_array_equal(two_nearest(X, cells), np.argsort(distances, axis=1)[:, :2])


def test_centres_have_unit_length(documents):
    cells = learn_cells(documents[0], n_cells=9, random_state=np.random.RandomState(0))
    for centres in (cells.coarse, cells.fine):
        np.testing.assert_allclose(np.linalg.norm(centres, axis=1), 1)


def test_large_parts_find_most_by_shortened_lists(documents, monkeypatch):
    X, y = sparse.csr_array(documents[0]), documents[1]
    pieces, queries = [X[:200], X[200:]], np.arange(0, 900, 2)
    settings = {"n_neighbors": 3, "n_postings": 900}
    exact = search_part(pieces, y, queries, **settings)
    monkeypatch.setattr("textspace.dask._cells.EXACT", 10)
    found = search_part(pieces, y, queries, **settings)  # no list is longer than it may be
    np.testing.assert_allclose(found.within_relevance, exact.within_relevance)
    fewer = search_part(pieces, y, queries, **settings | {"n_postings": 20})
    assert 0.5 < np.mean(fewer.within_relevance >= exact.within_relevance - 1e-9) < 1
