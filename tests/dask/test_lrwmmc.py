"""DaskLRWMMC with a given graph, with one region and with several, against LRWMMC in memory."""

import numpy as np
import pytest
from scipy import linalg

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

from textspace.dask import DaskLRWMMC
from textspace.dask._clusters import learn_clusters, two_nearest
from textspace.dask._graph import _deal_clusters
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


def test_one_region_is_exact(client, documents, cut, in_memory):
    X, y = documents
    space = DaskLRWMMC(8, n_neighbors=3, random_state=0, client=client).fit(cut(X), cut(y))
    np.testing.assert_allclose(space.eigenvalues_, in_memory.eigenvalues_, rtol=1e-4)
    assert smallest_cosine(space.components_, in_memory.components_) >= 0.999
    assert (space.recall_, space.n_regions_) == (1.0, 1)
    local = space.to_local()
    assert isinstance(local, LRWMMC)
    np.testing.assert_allclose(local.transform(X), space.transform(cut(X)).compute(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("n_regions", "symmetrize"), [(5, "or"), ("auto", "average")])
def test_regions_give_the_graph_of_their_definition(
    client, documents, codes, cut, monkeypatch, n_regions, symmetrize
):
    monkeypatch.setattr("textspace.dask._graph._CLUSTER_SIZE", 70)
    X, y = documents
    space = DaskLRWMMC(
        6, n_neighbors=3, n_regions=n_regions, symmetrize=symmetrize, tol=1e-4, random_state=0, client=client
    ).fit(cut(X), y)
    n_regions = 2 if n_regions == "auto" else n_regions  # there are two workers of one thread
    regions = two_nearest_regions(X, n_clusters=9, n_regions=n_regions)
    graph = graph_within(regions, X, codes, n_neighbors=3, symmetrize=symmetrize)
    expected = linalg.eigvalsh(X.T @ (graph @ X.toarray()))[::-1][:6]
    np.testing.assert_allclose(space.eigenvalues_, expected, rtol=1e-6)
    assert space.n_regions_ == len(np.unique(regions)) > n_regions - 2
    assert 0.4 < space.recall_ < 1


def two_nearest_regions(X, *, n_clusters, n_regions):
    """The regions of the two nearest clusters of each document; a region is a row of clusters."""
    generator = np.random.RandomState(0)
    generator.choice(X.shape[0], X.shape[0], replace=False)
    nearest = two_nearest(X, learn_clusters(X, n_clusters=n_clusters, random_state=generator))
    sizes = np.bincount(nearest[:, 0])
    share_before = (np.cumsum(sizes) - sizes / 2) / X.shape[0]
    return np.floor(share_before * n_regions).astype(int)[nearest]


def graph_within(regions, X, codes, *, n_neighbors, symmetrize):
    """The graph of documents that look for neighbours in the region of their nearest cluster."""
    cosines = (X @ X.T).toarray()  # the rows have unit length
    lists = [], [], [], []
    for row, (home, _) in enumerate(regions):
        candidates = np.flatnonzero((regions == home).any(axis=1) & (np.arange(len(codes)) != row))
        for side, same in ((0, True), (2, False)):
            near = candidates[(codes[candidates] == codes[row]) == same]
            near = near[np.argsort(-cosines[row, near], kind="stable")][:n_neighbors]
            missing = n_neighbors - len(near)
            lists[side].append(np.append(near, np.full(missing, -1)))
            lists[side + 1].append(np.append(cosines[row, near], np.full(missing, -np.inf)))
    return relevance_graph(ClassNeighbors(*map(np.array, lists)), symmetrize=symmetrize)


@pytest.mark.parametrize("sizes", [[0, 70, 0, 20, 10, 0], [5, 1, 1, 1, 0], [30, 30, 30, 30, 30, 30], [9]])
@pytest.mark.parametrize("n_regions", [1, 3, 8])
def test_regions_are_rows_of_clusters_with_documents(sizes, n_regions):
    sizes = np.array(sizes)
    regions = _deal_clusters(sizes, n_regions)
    assert (np.diff(regions) >= 0).all()
    assert 1 <= regions[-1] + 1 <= min(n_regions, np.sum(sizes > 0))
    assert (np.bincount(regions, weights=sizes) > 0).all()


def test_regions_have_about_as_many_documents():
    assert _deal_clusters(np.full(6, 30), 3).tolist() == [0, 0, 1, 1, 2, 2]
    assert _deal_clusters(np.array([60, 20, 20, 50]), 3).tolist() == [0, 1, 1, 2]


def test_recall_falls_with_the_number_of_regions(client, documents, cut):
    X, y = documents
    recall = [
        DaskLRWMMC(2, n_regions=n_regions, tol=0.1, random_state=0, client=client).fit(cut(X), y).recall_
        for n_regions in (3, 9)
    ]
    assert 1 > recall[0] > recall[1] > 0


def test_n_regions_is_checked(client, documents, cut):
    with pytest.raises(ValueError, match="'n_regions' parameter of DaskLRWMMC must be"):
        DaskLRWMMC(n_regions=0, client=client).fit(cut(documents[0]), documents[1])


def test_a_graph_of_another_size_is_refused(client, documents, codes, cut):
    X, y = documents
    graph = relevance_graph(class_neighbors(X[:50], codes[:50], n_neighbors=3))
    with pytest.raises(ValueError, match=r"the graph has the shape \(50, 50\), but there are 600"):
        DaskLRWMMC(client=client).fit(cut(X), y, graph=graph)
