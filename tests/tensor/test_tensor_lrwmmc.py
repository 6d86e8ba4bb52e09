"""LRWMMC for tensors."""

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import KNeighborsClassifier

from textspace.datasets import load
from textspace.graphs import relevance_graph
from textspace.linear import LRWMMC
from textspace.neighbors import class_neighbors
from textspace.tensor import HOSVD, TensorLRWMMC, _products
from textspace.text import FoldedTensorSpace, TrigramTensorSpace


@pytest.fixture
def documents():
    """Give sparse rows of 3 classes that stand for tensors of 4 x 5 x 6, and labels."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 90)
    X = rng.random((90, 120)) * (rng.random((90, 120)) < 0.2)
    X[np.arange(90)[:, None], 40 * y[:, None] + rng.integers(0, 40, (90, 6))] += rng.random((90, 6))
    return sparse.csr_array(X), y


def edge_weights(X, y, n_neighbors=5):
    """Give W of eq. 3.7 as a dense matrix."""
    graph = relevance_graph(class_neighbors(X, y, n_neighbors=n_neighbors)).local.toarray()
    return np.diag(np.diag(graph)) - graph


def test_one_mode_is_lrwmmc(documents):
    X, y = documents
    tensor, linear = TensorLRWMMC((120,), ranks=4).fit(X, y), LRWMMC(4).fit(X, y)
    assert subspace_angles(tensor.factors_[0], linear.components_.T).max() < 1e-6
    assert tensor.objective_trace_[-1] == pytest.approx(linear.eigenvalues_.sum(), rel=1e-9)


def test_the_criterion_is_half_of_the_sum_over_pairs(documents):
    X, y = documents
    fitted = TensorLRWMMC((4, 5, 6), ranks=(2, 3, 2)).fit(X, y)
    Z, W = fitted.transform(X), edge_weights(X, y)
    total = sum(W[i, j] * np.sum((Z[i] - Z[j]) ** 2) for i, j in zip(*np.nonzero(W), strict=True))
    assert fitted.objective_trace_[-1] == pytest.approx(total / 2, rel=1e-9)


def test_each_factor_is_the_best_for_the_others(documents):
    """At the end, both factors of matrices are top eigenvectors of the paper's T_k, summed pair by pair."""
    X, y = documents
    fitted = TensorLRWMMC((10, 12), ranks=3, tol=1e-13, max_iter=1000).fit(X, y)
    W = edge_weights(X, y)
    matrices = X.toarray().reshape(90, 12, 10).transpose(0, 2, 1)
    first, second = fitted.factors_
    for factor, projected in (
        (first, matrices @ second),
        (second, matrices.transpose(0, 2, 1) @ first),
    ):
        T = 0
        for i, j in zip(*np.nonzero(W), strict=True):
            difference = projected[i] - projected[j]
            T = T + W[i, j] * difference @ difference.T
        top = np.linalg.eigh(T)[1][:, ::-1][:, :3]
        assert subspace_angles(factor, top).max() < 1e-5


@pytest.mark.parametrize("shape", [(120,), (4, 5, 6), (10, 12), (None, 7), (2, 3, 4, 5)])
@pytest.mark.parametrize("ranks", [1, 2])
def test_the_objective_never_falls(documents, shape, ranks):
    X, y = documents
    fitted = TensorLRWMMC(shape, ranks=ranks, n_neighbors=3, tol=1e-8, max_iter=500).fit(X, y)
    trace = fitted.objective_trace_
    assert len(trace) == 1 + fitted.n_iter_ * len(shape)
    assert np.diff(trace).min() >= -1e-12 * np.abs(trace).max()
    assert trace[-1] > trace[0]


def test_better_than_hosvd_and_random_factors(documents):
    X, y = documents
    fitted = TensorLRWMMC((4, 5, 6), ranks=2).fit(X, y)
    graph = relevance_graph(class_neighbors(X, y, n_neighbors=5))

    def criterion(factors):
        Z = _products.project(X, (4, 5, 6), factors)
        return np.sum(Z * (graph @ Z))

    assert criterion(fitted.factors_) == pytest.approx(fitted.objective_trace_[-1], rel=1e-9)
    assert criterion(HOSVD((4, 5, 6), ranks=2).fit(X).factors_) < criterion(fitted.factors_)
    rng = np.random.default_rng(0)
    for _ in range(20):
        others = [np.linalg.qr(rng.standard_normal((size, 2)))[0] for size in (4, 5, 6)]
        assert criterion(others) < criterion(fitted.factors_)


def test_planted_directions_are_found():
    """Classes differ along one direction of each mode, beneath larger entries that tell nothing."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    tensors = 0.1 * rng.standard_normal((120, 4, 5))
    tensors[:, 0, 0] += 6
    tensors[:, 1, 1] += 3 * rng.standard_normal(120)
    tensors[:, 2, 3] += np.where(y, 1, -1)
    X = tensors.transpose(0, 2, 1).reshape(120, 20)
    fitted = TensorLRWMMC((4, 5), ranks=1, n_neighbors=40).fit(X, y)
    assert fitted.factors_[0][2, 0] > 0.99
    assert fitted.factors_[1][3, 0] > 0.99


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array])
def test_sparse_equals_dense(documents, container):
    X, y = documents
    dense = TensorLRWMMC((4, 5, 6), ranks=2).fit(X.toarray(), y)
    fitted = TensorLRWMMC((4, 5, 6), ranks=2).fit(container(X), y)
    for one, other in zip(fitted.factors_, dense.factors_, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-8)
    np.testing.assert_allclose(fitted.transform(container(X)), dense.transform(X.toarray()), atol=1e-8)


@pytest.mark.slow
def test_blocks_and_threads_change_nothing(documents, monkeypatch):
    X, y = documents
    whole = TensorLRWMMC((4, 5, 6), ranks=3).fit(X, y)
    monkeypatch.setattr(_products, "_BLOCK", 1)
    blocks = TensorLRWMMC((4, 5, 6), ranks=3).fit(X, y)
    np.testing.assert_allclose(blocks.transform(X), whole.transform(X), atol=1e-8)


def test_full_ranks_keep_all_inner_products(documents):
    X, y = documents
    coordinates = TensorLRWMMC((4, 5, 6), ranks=(4, 5, 6)).fit(X, y).transform(X)
    np.testing.assert_allclose(coordinates @ coordinates.T, (X @ X.T).toarray(), atol=1e-12)


def test_float32_stays_float32_and_agrees(documents):
    X, y = documents
    double = TensorLRWMMC((4, 5, 6), ranks=2, tol=1e-6).fit(X, y)
    single = TensorLRWMMC((4, 5, 6), ranks=2, tol=1e-6).fit(X.astype(np.float32), y)
    assert single.transform(X.astype(np.float32)).dtype == np.float32
    assert single.objective_trace_[-1] == pytest.approx(double.objective_trace_[-1], rel=1e-5)
    for one, other in zip(single.factors_, double.factors_, strict=True):
        assert one.dtype == np.float32
        assert subspace_angles(one.astype(float), other).max() < 1e-2


def test_two_fits_are_identical_and_order_does_not_matter(documents):
    X, y = documents
    order = np.random.default_rng(1).permutation(90)
    first, second = (TensorLRWMMC((4, 5, 6), ranks=2).fit(X, y) for _ in range(2))
    shuffled = TensorLRWMMC((4, 5, 6), ranks=2).fit(X[order], np.array(["c", "a", "b"])[y[order]])
    for one, other, third in zip(first.factors_, second.factors_, shuffled.factors_, strict=True):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_allclose(one, third, atol=1e-8)


def test_empty_documents_duplicates_and_a_class_of_one(documents):
    X, y = documents
    X = sparse.vstack([X, sparse.csr_array((3, 120)), X[:5]], format="csr")
    y = np.concatenate([y, [0, 1, 9], y[:5]])
    fitted = TensorLRWMMC((4, 5, 6), ranks=2).fit(X, y)
    projected = fitted.transform(X)
    assert np.isfinite(projected).all()
    assert not projected[90:93].any()


def test_a_mode_of_size_one_changes_nothing(documents):
    X, y = documents
    plain = TensorLRWMMC((10, 12), ranks=3).fit(X, y)
    longer = TensorLRWMMC((10, 1, 12), ranks=(3, 1, 3)).fit(X, y)
    np.testing.assert_allclose(longer.transform(X), plain.transform(X), atol=1e-8)


def test_ranks_above_the_sizes_are_capped_with_a_warning(documents):
    X, y = documents
    with pytest.warns(UserWarning, match=r"components .*: \(4, 5, 5\) are kept"):
        fitted = TensorLRWMMC((4, 5, 6), ranks=(4, 9, 5)).fit(X, y)
    assert [factor.shape for factor in fitted.factors_] == [(4, 4), (5, 5), (6, 5)]


def test_one_class_only_is_refused(documents):
    X, y = documents
    with pytest.raises(ValueError, match="only one class"):
        TensorLRWMMC((4, 5, 6), ranks=2).fit(X, np.zeros_like(y))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tensor_shape": (4, 5, 7)}, r"\(4, 5, 7\) has 140 entries, .* 120 columns"),
        ({"ranks": 0}, "'ranks' parameter"),
        ({"ranks": (2, 2)}, "ranks must be"),
        ({"n_neighbors": 0}, "'n_neighbors' parameter"),
        ({"symmetrize": "and"}, "'symmetrize' parameter"),
        ({"max_iter": 0}, "'max_iter' parameter"),
        ({"tol": -1.0}, "'tol' parameter"),
    ],
)
def test_bad_settings_are_named(documents, settings, message):
    with pytest.raises(ValueError, match=message):
        TensorLRWMMC(**{"tensor_shape": (4, 5, 6), "ranks": 2} | settings).fit(*documents)


def test_too_few_sweeps_warn(documents):
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        fitted = TensorLRWMMC((4, 5, 6), ranks=1, max_iter=1).fit(*documents)
    assert fitted.n_iter_ == 1


@pytest.mark.slow
def test_nothing_dense_is_formed():
    """Documents whose dense form would need 32 GB are no trouble."""
    rng = np.random.default_rng(0)
    y = np.arange(1000) % 4
    columns = rng.integers(0, 200**3, (1000, 20))
    columns[:, :5] = 50 * y[:, None] + rng.integers(0, 50, (1000, 5))
    X = sparse.csr_array(
        (np.ones(20_000, dtype=np.float32), columns.ravel(), np.arange(0, 20_001, 20)), (1000, 200**3)
    )
    fitted = TensorLRWMMC((200, 200, 200), ranks=3, tol=1e-2).fit(X, y)
    assert fitted.transform(X).shape == (1000, 27)


def test_reuters_figures(corpus_or_skip):
    """Small ranks and few rounds, for time."""
    corpus = corpus_or_skip("reuters-r52")
    train, test = corpus.train, corpus.test
    space = TrigramTensorSpace()
    X, new = space.fit_transform(train.texts), space.transform(test.texts)
    scores = []
    for projection in (HOSVD(ranks=4), TensorLRWMMC(ranks=4, tol=1e-2)):
        coordinates = projection.fit(X, train.labels).transform(X)
        nearest = KNeighborsClassifier(1, algorithm="brute").fit(coordinates, train.labels)
        scores.append(nearest.score(projection.transform(new), test.labels))
    assert scores[1] > scores[0] > 0.64
    trace = projection.objective_trace_
    assert np.diff(trace).min() >= -1e-6 * trace[-1]


def test_of_a_folded_space():
    corpus = load("demo")
    space = FoldedTensorSpace((None, 20))
    X, y = space.fit_transform(corpus.train.texts), corpus.train.labels
    fitted = TensorLRWMMC(space.tensor_shape_, ranks=(20, 10)).fit(X, y)
    assert fitted.transform(space.transform(corpus.test.texts)).shape == (120, 200)
    assert fitted.objective_trace_[-1] > fitted.objective_trace_[0]
