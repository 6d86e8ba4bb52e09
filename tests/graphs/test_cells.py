"""Neighbours within cells, against all pairs of cosines."""

import numba
import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs

from textspace.graphs import cell_neighbors, class_neighbors, neighbor_recall
from textspace.graphs._cells import learn_cells, search_cells, two_nearest

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


def assert_same(first, second):
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)


@FORMS
def test_one_cell_is_exact(documents, form):
    X, y = documents
    found = cell_neighbors(form(X), y, n_neighbors=4, cell_size=900)
    assert_same(found, class_neighbors(form(X), y, n_neighbors=4))


@FORMS
def test_neighbors_are_the_nearest_at_home_or_guests_in_the_cell(documents, form):
    X, y = documents
    cells = two_nearest(form(X), learn_cells(form(X), n_cells=9, random_state=np.random.RandomState(0)))
    names = np.unique(cells[:, 0])
    found = search_cells(form(X), y, cells, names=names[1:], n_neighbors=3)
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


def test_recall_is_the_share_of_exact_neighbors_that_were_found(documents):
    X, y = documents[0][:180], documents[1][:180]  # so few that all of them are asked about
    found = cell_neighbors(X, y, n_neighbors=4, cell_size=20, random_state=0)
    exact = class_neighbors(X, y, n_neighbors=4)
    hits = [
        len(set(ours[ours >= 0]) & set(theirs))
        for side in ("within_indices", "between_indices")
        for ours, theirs in zip(getattr(found, side), getattr(exact, side), strict=True)
    ]
    share = sum(hits) / (180 * 8)
    assert 0.3 < share < 0.95
    assert neighbor_recall(sparse.csr_array(X), y, found) == pytest.approx(share)
    assert neighbor_recall(X, y, exact) == 1


def test_equally_relevant_documents_are_as_good():
    X, y = np.tile(np.eye(3), (20, 1)), np.repeat([0, 1], 30)
    found = class_neighbors(X, y, n_neighbors=2)
    last = found._replace(within_indices=found.within_indices[:, ::-1])
    assert neighbor_recall(X, y, last) == 1
    others = found._replace(within_relevance=np.zeros_like(found.within_relevance))
    assert neighbor_recall(X, y, others) == 0.5


def test_recall_of_documents_without_neighbors_is_whole():
    X, y = np.eye(1), np.zeros(1, dtype=int)
    assert neighbor_recall(X, y, class_neighbors(X, y, n_neighbors=2)) == 1


def test_recall_grows_with_the_cells(documents):
    X, y = documents
    recall = [
        neighbor_recall(
            X, y, cell_neighbors(X, y, n_neighbors=4, cell_size=size, random_state=0), random_state=0
        )
        for size in (10, 100, 450)
    ]
    assert recall[0] < recall[1] < recall[2] <= 1


def test_seed_decides_and_threads_change_nothing(documents, monkeypatch):
    X, y = sparse.csr_array(documents[0]), documents[1]
    results = []
    for n_threads in (1, 2, 5):
        monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", n_threads)
        results.append(cell_neighbors(X, y, n_neighbors=3, cell_size=80, random_state=3))
    assert_same(results[0], results[1])
    assert_same(results[0], results[2])
    other = cell_neighbors(X, y, n_neighbors=3, cell_size=80, random_state=4)
    assert (other.between_indices != results[0].between_indices).any()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_single_precision_stays(documents, form):
    X, y = documents
    single = cell_neighbors(form(X.astype(np.float32)), y, n_neighbors=3, cell_size=100, random_state=0)
    assert single.within_relevance.dtype == single.between_relevance.dtype == np.float32


def test_a_class_that_lies_apart_finds_its_own():
    # three far groups, one of them a class: its documents see no other class in their cell
    X, groups = make_blobs([100] * 3, centers=20 * np.eye(3), cluster_std=1.0, random_state=0)
    y = (groups == 2).astype(int)
    found = cell_neighbors(X, y, n_neighbors=3, cell_size=100, random_state=0)
    exact = class_neighbors(X, y, n_neighbors=3)
    np.testing.assert_array_equal(found.within_indices[y == 1], exact.within_indices[y == 1])


def test_copies_of_few_documents_and_empty_ones():
    X = sparse.csr_array(np.tile(np.eye(4)[:, :3], (30, 1)))
    y = np.arange(120) // 60
    found = cell_neighbors(X, y, n_neighbors=2, cell_size=10, random_state=0)
    filled = np.arange(120) % 4 < 3
    np.testing.assert_allclose(found.within_relevance[filled], 1)
    assert (found.within_relevance[~filled] <= 0).all()


@pytest.mark.parametrize(("name", "value"), [("n_neighbors", 0), ("cell_size", 0)])
def test_refused(documents, name, value):
    settings = {"n_neighbors": 3, "cell_size": 50, name: value}
    with pytest.raises(ValueError, match=f"{name} must be at least 1, not 0"):
        cell_neighbors(*documents, **settings)
