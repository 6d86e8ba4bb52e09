"""DaskLRWMMC with a given graph, with one part and with several, against LRWMMC in memory."""

import numpy as np
import pytest
from scipy import linalg

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

from textspace.dask import DaskLRWMMC
from textspace.dask._cells import learn_cells, two_nearest
from textspace.dask._graph import _deal_cells
from textspace.graphs import relevance_graph
from textspace.linear import LRWMMC
from textspace.neighbors import ClassNeighbors, class_neighbors


def smallest_cosine(first, second):
    return np.cos(linalg.subspace_angles(first.T, second.T)).min()


@pytest.fixture(scope="module")
def codes(documents):
    return np.unique(documents[1], return_inverse=True)[1]


@pytest.fixture(scope="module")
def in_memory(documents):
    return LRWMMC(8, n_neighbors=3).fit(*documents)


def test_with_the_same_graph(client, documents, codes, cut, in_memory):
    X, y = documents
    graph = relevance_graph(class_neighbors(X, codes, n_neighbors=3))
    space = DaskLRWMMC(8, random_state=0, client=client).fit(cut(X), y, graph=graph)
    np.testing.assert_allclose(space.eigenvalues_, in_memory.eigenvalues_, rtol=1e-4)
    assert smallest_cosine(space.components_, in_memory.components_) >= 0.999
    assert space.recall_ is None


def test_one_cell_is_exact(client, documents, cut, in_memory):
    X, y = documents
    space = DaskLRWMMC(8, n_neighbors=3, random_state=0, client=client).fit(cut(X), cut(y))
    np.testing.assert_allclose(space.eigenvalues_, in_memory.eigenvalues_, rtol=1e-4)
    assert smallest_cosine(space.components_, in_memory.components_) >= 0.999
    assert (space.recall_, space.n_parts_) == (1.0, 1)
    local = space.to_local()
    assert isinstance(local, LRWMMC)
    np.testing.assert_allclose(local.transform(X), space.transform(cut(X)).compute(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("symmetrize", ["or", "average"])
@pytest.mark.parametrize("n_parts", [5, "auto"])
def test_parts_give_the_graph_of_their_definition(
    client, documents, codes, cut, monkeypatch, n_parts, symmetrize
):
    monkeypatch.setattr("textspace.dask._graph._CELL", 70)
    X, y = documents
    space = DaskLRWMMC(
        6, n_neighbors=3, n_parts=n_parts, symmetrize=symmetrize, tol=1e-4, random_state=0, client=client
    ).fit(cut(X), y)
    n_parts = 2 if n_parts == "auto" else n_parts  # there are two workers of one thread
    parts = two_nearest_parts(X, n_cells=9, n_parts=n_parts)
    graph = graph_within(parts, X, codes, n_neighbors=3, symmetrize=symmetrize)
    expected = linalg.eigvalsh(X.T @ (graph @ X.toarray()))[::-1][:6]
    np.testing.assert_allclose(space.eigenvalues_, expected, rtol=1e-6)
    assert space.n_parts_ == len(np.unique(parts)) > n_parts - 2
    assert 0.4 < space.recall_ < 1


def two_nearest_parts(X, *, n_cells, n_parts):
    """The parts of the two nearest cells of each document; cells in a row make a part of their size."""
    generator = np.random.RandomState(0)
    generator.choice(X.shape[0], X.shape[0], replace=False)
    nearest = two_nearest(X, learn_cells(X, n_cells=n_cells, random_state=generator))
    sizes = np.bincount(nearest[:, 0])
    share_before = (np.cumsum(sizes) - sizes / 2) / X.shape[0]
    return np.floor(share_before * n_parts).astype(int)[nearest]


def graph_within(parts, X, codes, *, n_neighbors, symmetrize):
    """The graph of documents that look for neighbours in the part of their nearest cell."""
    cosines = (X @ X.T).toarray()  # the rows have unit length
    lists = [], [], [], []
    for row, (home, _) in enumerate(parts):
        candidates = np.flatnonzero((parts == home).any(axis=1) & (np.arange(len(codes)) != row))
        for side, same in ((0, True), (2, False)):
            near = candidates[(codes[candidates] == codes[row]) == same]
            near = near[np.argsort(-cosines[row, near], kind="stable")][:n_neighbors]
            missing = n_neighbors - len(near)
            lists[side].append(np.append(near, np.full(missing, -1)))
            lists[side + 1].append(np.append(cosines[row, near], np.full(missing, -np.inf)))
    return relevance_graph(ClassNeighbors(*map(np.array, lists)), symmetrize=symmetrize)


@pytest.mark.parametrize("sizes", [[0, 70, 0, 20, 10, 0], [5, 1, 1, 1, 0], [30, 30, 30, 30, 30, 30], [9]])
@pytest.mark.parametrize("n_parts", [1, 3, 8])
def test_parts_are_rows_of_cells_with_documents(sizes, n_parts):
    sizes = np.array(sizes)
    parts = _deal_cells(sizes, n_parts)
    assert (np.diff(parts) >= 0).all()
    assert 1 <= parts[-1] + 1 <= min(n_parts, np.sum(sizes > 0))
    assert (np.bincount(parts, weights=sizes) > 0).all()


def test_parts_have_about_as_many_documents():
    assert _deal_cells(np.full(6, 30), 3).tolist() == [0, 0, 1, 1, 2, 2]
    assert _deal_cells(np.array([60, 20, 20, 50]), 3).tolist() == [0, 1, 1, 2]


def test_recall_falls_with_the_number_of_parts(client, documents, cut):
    X, y = documents
    recall = [
        DaskLRWMMC(2, n_parts=n_parts, tol=0.1, random_state=0, client=client).fit(cut(X), y).recall_
        for n_parts in (6, 30)
    ]
    assert 1 > recall[0] > recall[1] > 0


def test_n_parts_is_checked(client, documents, cut):
    with pytest.raises(ValueError, match="n_parts == 0, must be >= 1"):
        DaskLRWMMC(n_parts=0, client=client).fit(cut(documents[0]), documents[1])


def test_a_graph_of_another_size_is_refused(client, documents, codes, cut):
    X, y = documents
    graph = relevance_graph(class_neighbors(X[:50], codes[:50], n_neighbors=3))
    with pytest.raises(ValueError, match=r"the graph has the shape \(50, 50\), but there are 600"):
        DaskLRWMMC(client=client).fit(cut(X), y, graph=graph)
