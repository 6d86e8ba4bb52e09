"""Semi-supervised LRWMMC, against the eigenproblem written out and against LRWMMC."""

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles

from textspace.graphs import Graph, affinity, normalized_laplacian
from textspace.linear import LRWMMC, SemiSupervisedLRWMMC
from textspace.linear._ss_lrwmmc import smoothed_graph
from textspace.neighbors import nearest_neighbors


def documents(n_samples=90, n_features=40, n_classes=3, seed=0):
    """Give sparse rows of some classes, and labels of which two in three are missing."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    X = rng.random((n_samples, n_features)) * (rng.random((n_samples, n_features)) < 0.15)
    X[np.arange(n_samples), rng.integers(0, 8, n_samples) + 8 * y] += 1
    return sparse.csr_array(X), np.where(rng.permutation(n_samples) < n_samples // 3, y, -1)


def reference(X, y, *, n_neighbors, smoothness, n_nearest):
    """Write eqs. 3.7, 6.20 and 6.24 out, pair by pair; give eigenvalues and eigenvectors, descending."""
    X = X.toarray()
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    cosines = (X / np.where(lengths > 0, lengths, 1)) @ (X / np.where(lengths > 0, lengths, 1)).T
    n = len(y)
    margins, ties = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        others = [j for j in np.argsort(-cosines[i], kind="stable") if j != i]
        for j in others[:n_nearest]:
            ties[i, j] = ties[j, i] = cosines[i, j]
        if y[i] < 0:
            continue
        for j in [j for j in others if y[j] == y[i]][:n_neighbors]:
            margins[i, j] = margins[j, i] = cosines[i, j] - 1
        for j in [j for j in others if y[j] >= 0 and y[j] != y[i]][:n_neighbors]:
            margins[i, j] = margins[j, i] = cosines[i, j]
    roots = np.sqrt(ties.sum(axis=1))
    L1 = np.diag(margins.sum(axis=1)) - margins
    L2 = np.eye(n) - ties / np.outer(roots, roots)
    values, vectors = np.linalg.eigh(X.T @ (L1 - smoothness * L2) @ X)
    return values[::-1], vectors[:, ::-1]


@pytest.mark.parametrize("solver", ["auto", "lanczos", "qr"])
@pytest.mark.parametrize("smoothness", [4.0**-3, 0.25])
def test_solves_the_eigenproblem_of_the_paper(smoothness, solver):
    X, y = documents()
    settings = {"n_neighbors": 3, "smoothness": smoothness, "n_nearest": 4}
    fitted = SemiSupervisedLRWMMC(3, solver=solver, tol=1e-8, random_state=0, **settings).fit(X, y)
    values, vectors = reference(X, y, **settings)
    np.testing.assert_allclose(fitted.eigenvalues_, values[:3], rtol=1e-8)
    np.testing.assert_allclose(fitted.components_ @ fitted.components_.T, np.eye(3), atol=1e-8)
    assert subspace_angles(fitted.components_.T, vectors[:, :3]).max() < 1e-6


@pytest.mark.parametrize("symmetrize", ["or", "average"])
def test_without_smoothness_equals_lrwmmc_on_labelled_rows(symmetrize):
    X, y = documents()
    ours = SemiSupervisedLRWMMC(4, n_neighbors=4, smoothness=0, symmetrize=symmetrize).fit(X, y)
    theirs = LRWMMC(4, n_neighbors=4, symmetrize=symmetrize).fit(X[y >= 0], y[y >= 0])
    np.testing.assert_array_equal(ours.components_, theirs.components_)
    np.testing.assert_array_equal(ours.eigenvalues_, theirs.eigenvalues_)


def test_a_trace_of_smoothness_is_near_lrwmmc():
    """The way through both graphs leads to the same space where the second one hardly counts."""
    X, y = documents()
    ours = SemiSupervisedLRWMMC(3, smoothness=1e-6).fit(X, y)
    theirs = LRWMMC(3).fit(X[y >= 0], y[y >= 0])
    assert np.cos(subspace_angles(ours.components_.T, theirs.components_.T).max()) > 0.9999


def test_equals_lrwmmc_on_r52(r52):
    X, y, _, _ = r52
    y = np.where(np.random.default_rng(0).permutation(len(y)) < 500, y, "")
    ours = SemiSupervisedLRWMMC(30, smoothness=0).fit(X, y)
    traced = SemiSupervisedLRWMMC(30, smoothness=1e-6, tol=1e-3, random_state=0).fit(X, y)
    theirs = LRWMMC(30).fit(X[y != ""], y[y != ""])
    for space in (ours, traced):
        angles = subspace_angles(space.components_.T.astype(float), theirs.components_.T.astype(float))
        assert np.cos(angles.max()) > 0.9999


def test_like_documents_come_nearer_as_smoothness_grows():
    """The maximum of f - smoothness * g has a smaller g the larger the smoothness is, whatever f."""
    X, y = documents()
    penalty = normalized_laplacian(affinity(*nearest_neighbors(X, n_neighbors=5)))
    apart = []
    for smoothness in (0.0, 0.3, 1.0, 3.0):
        Z = SemiSupervisedLRWMMC(1, smoothness=smoothness).fit(X, y).transform(X)
        apart.append(np.vdot(Z, penalty @ Z))
    assert np.all(np.diff(apart) < -1e-3 * apart[0])


def test_a_graph_over_labelled_rows_is_spread_over_all():
    rng = np.random.default_rng(0)
    labelled = np.array([True, False, True, True, False])
    margins, ties = (np.triu(rng.random((size, size)), 1) for size in (3, 5))
    margins, ties = margins + margins.T, ties + ties.T
    spread = np.zeros((5, 5))
    spread[np.ix_([0, 2, 3], [0, 2, 3])] = margins
    scale = np.sqrt(ties.sum(axis=1))
    graph = smoothed_graph(Graph(sparse.csr_array(margins)), sparse.csr_array(ties), labelled, smoothness=0.7)
    expected = spread - 0.7 * (np.eye(5) - ties / np.outer(scale, scale))
    np.testing.assert_allclose(graph @ np.eye(5), expected, atol=1e-12)


@pytest.mark.parametrize("mark", ["", None, np.nan, -1], ids=str)
def test_every_mark_of_unlabelled_rows_gives_the_same(mark):
    X, y = documents()
    expected = SemiSupervisedLRWMMC(3).fit(X, y)
    words = ["zinc" if code == 0 else "corn" if code == 1 else "gold" if code == 2 else mark for code in y]
    fitted = SemiSupervisedLRWMMC(3).fit(X, words)
    np.testing.assert_allclose(fitted.components_, expected.components_, atol=1e-10)
    assert fitted.classes_.tolist() == ["corn", "gold", "zinc"]


def test_empty_documents_change_nothing():
    X, y = documents()
    padded = sparse.vstack([X, sparse.csr_array((5, X.shape[1]))], format="csr")
    fitted = SemiSupervisedLRWMMC(3).fit(padded, np.append(y, [-1] * 5))
    np.testing.assert_allclose(fitted.components_, SemiSupervisedLRWMMC(3).fit(X, y).components_, atol=1e-8)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.full(90, -1), "no label"),
        (np.where(np.arange(90) < 9, 4, -1), "only one class, '4'"),
        (np.array(["a", "b", None] + [""] * 87, dtype=object), "in different ways"),
    ],
    ids=["none", "one class", "two marks"],
)
def test_labels_that_do_not_serve_are_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        SemiSupervisedLRWMMC().fit(documents()[0], labels)


@pytest.mark.parametrize(("name", "value"), [("smoothness", -1.0), ("n_nearest", 0), ("n_neighbors", 0)])
def test_bad_arguments_are_refused(name, value):
    with pytest.raises(ValueError, match=name):
        SemiSupervisedLRWMMC(**{name: value}).fit(*documents())
