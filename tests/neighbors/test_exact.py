import numba
import numpy as np
import pytest
from scipy import sparse

from textspace.neighbors import class_neighbors


def cosines(X):
    dense = X.toarray() if sparse.issparse(X) else X
    lengths = np.linalg.norm(dense, axis=1, keepdims=True)
    unit = np.divide(dense, lengths, where=lengths > 0, out=np.zeros_like(dense))
    return unit @ unit.T


@pytest.fixture(params=["sparse", "dense", "negative"])
def documents(request):
    # small counts: equal cosines, empty rows and duplicates are frequent
    rng = np.random.default_rng(3)
    X = rng.poisson(0.25, size=(90, 12)).astype(float)
    X[7] = 0
    X[11] = X[12]
    if request.param == "negative":
        X = rng.integers(-2, 3, size=(90, 12)).astype(float)
    y = np.repeat([0, 1, 2, 3, 4], [50, 20, 17, 2, 1])
    return (sparse.csr_array(X) if request.param == "sparse" else X), rng.permutation(y)


@pytest.mark.parametrize("n_neighbors", [1, 3, 25])
def test_same_as_sorting_all_pairs(documents, n_neighbors):
    X, y = documents
    found = class_neighbors(X, y, n_neighbors=n_neighbors)
    for i, cosine in enumerate(cosines(X)):
        others = np.arange(len(y)) != i
        for allowed, indices, relevance in [
            (others & (y == y[i]), found.within_indices[i], found.within_relevance[i]),
            (y != y[i], found.between_indices[i], found.between_relevance[i]),
        ]:
            n_found = min(n_neighbors, allowed.sum())
            best = np.sort(cosine[allowed])[::-1][:n_found]
            np.testing.assert_allclose(relevance[:n_found], best, atol=1e-12)
            np.testing.assert_allclose(cosine[indices[:n_found]], best, atol=1e-12)
            assert allowed[indices[:n_found]].all()
            assert len(set(indices[:n_found])) == n_found
            assert (indices[n_found:] == -1).all()


@pytest.mark.parametrize("form", [sparse.csr_array, np.array])
def test_of_equals_the_lower_index_comes_first(form):
    X = form(np.tile([[3.0, 4.0], [4.0, 3.0]], (5, 1)))
    found = class_neighbors(X, np.zeros(10, dtype=int), n_neighbors=3)
    assert found.within_indices[:4].tolist() == [[2, 4, 6], [3, 5, 7], [0, 4, 6], [1, 5, 7]]


def test_threads_change_nothing(documents, monkeypatch):
    X, y = documents
    results = []
    for n_threads in (1, 2, 5):
        monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", n_threads)
        results.append(class_neighbors(X, y, n_neighbors=6))
    for other in results[1:]:
        for first, second in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(first, second)


def test_dense_blocks_change_nothing(documents, monkeypatch):
    X, y = documents
    dense = X.toarray() if sparse.issparse(X) else X
    whole = class_neighbors(dense, y, n_neighbors=6)
    monkeypatch.setattr("textspace.neighbors._exact._DENSE_CHUNK", 500)
    blocks = class_neighbors(dense, y, n_neighbors=6)
    np.testing.assert_array_equal(whole.within_indices, blocks.within_indices)
    np.testing.assert_array_equal(whole.between_indices, blocks.between_indices)


def test_small_classes_have_fewer_neighbors():
    X = np.eye(6) + 0.1
    found = class_neighbors(X, np.array([0, 0, 0, 1, 1, 2]), n_neighbors=3)
    assert (found.within_indices >= 0).sum(axis=1).tolist() == [2, 2, 2, 1, 1, 0]
    assert (found.between_indices >= 0).sum(axis=1).tolist() == [3, 3, 3, 3, 3, 3]


def test_single_precision_stays():
    X = sparse.random_array((30, 40), density=0.2, format="csr", dtype=np.float32, rng=0)
    found = class_neighbors(X, np.arange(30) % 3, n_neighbors=2)
    assert found.within_relevance.dtype == np.float32
