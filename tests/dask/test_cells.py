"""Neighbours within cells, against all pairs of cosines."""

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

from textspace.dask._cells import learn_cells, search_cells, two_nearest

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
def test_neighbors_are_the_nearest_at_home_or_guests_in_the_cell(documents, form):
    X, y = documents
    cells = two_nearest(form(X), learn_cells(form(X), n_cells=9, random_state=np.random.RandomState(0)))
    names = np.unique(cells[:, 0])
    found = search_cells([form(X[:200]), form(X[200:])], y, cells, names=names[1:], n_neighbors=3)
    for i, cosine in enumerate(cosines(X)):
        here = (cells == cells[i, 0]).any(axis=1) & (np.arange(900) != i) & (cells[i, 0] != names[0])
        for allowed, indices, relevance in [
            (here & (y == y[i]), found.within_indices[i], found.within_relevance[i]),
            (here & (y != y[i]), found.between_indices[i], found.between_relevance[i]),
        ]:
            n_found = min(3, allowed.sum())
            np.testing.assert_allclose(relevance[:n_found], np.sort(cosine[allowed])[::-1][:n_found])
            np.testing.assert_allclose(relevance[:n_found], cosine[indices[:n_found]])
            assert allowed[indices[:n_found]].all()
            assert (indices[n_found:] == -1).all()


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


def test_large_cells_find_most_by_shortened_lists(documents, monkeypatch):
    X, y = sparse.csr_array(documents[0]), documents[1]
    cells = two_nearest(X, learn_cells(X, n_cells=4, random_state=np.random.RandomState(0)))
    settings = {"names": np.unique(cells), "n_neighbors": 3}
    exact = search_cells([X], y, cells, **settings)
    monkeypatch.setattr("textspace.dask._cells.EXACT", 10)
    found = search_cells([X], y, cells, **settings)  # no list is longer than it may be
    np.testing.assert_allclose(found.within_relevance, exact.within_relevance)
    monkeypatch.setattr("textspace.dask._cells._POSTINGS", 20)
    fewer = search_cells([X], y, cells, **settings)
    assert 0.5 < np.mean(fewer.within_relevance >= exact.within_relevance - 1e-9) < 1
