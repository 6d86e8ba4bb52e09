"""Locality preserving projections, against dense generalised eigenvectors."""

import numpy as np
import pytest
from scipy import linalg, sparse
from scipy.linalg import subspace_angles
from sklearn.metrics.pairwise import cosine_similarity

from textspace.linear import LPP


@pytest.fixture
def documents():
    rng = np.random.default_rng(0)
    y = np.arange(150) % 3
    X = rng.random((150, 40)) + 1.5 * np.eye(40)[y]
    return X, y


def reference(X, y, n_components, n_neighbors):
    """Least generalised eigenvectors of X' (D - W) X and X' D X; y says who may be tied."""
    cosines = cosine_similarity(X)
    scores = np.where((y[:, None] == y) & ~np.eye(len(y), dtype=bool), cosines, -np.inf)
    near = np.zeros_like(scores, dtype=bool)
    np.put_along_axis(near, np.argsort(-scores, axis=1)[:, :n_neighbors], True, axis=1)
    W = np.where(near | near.T, cosines, 0)
    D = np.diag(W.sum(axis=1))
    values, vectors = linalg.eigh(X.T @ (D - W) @ X, X.T @ D @ X)
    return values[:n_components], vectors[:, :n_components]


@pytest.mark.parametrize("supervised", [False, True])
def test_same_space_as_the_dense_problem(documents, supervised):
    X, y = documents
    fitted = LPP(8, n_neighbors=6, supervised=supervised).fit(X, y)
    values, vectors = reference(X, y if supervised else np.zeros_like(y), 8, 6)
    np.testing.assert_allclose(fitted.eigenvalues_, values, atol=1e-5)
    assert np.cos(subspace_angles(fitted.components_.T, vectors).max()) > 0.9999
    assert np.all(np.diff(fitted.eigenvalues_) >= 0)


def test_labels_do_not_matter_unless_asked_for(documents):
    X, y = documents
    without = LPP(3).fit(X)
    np.testing.assert_array_equal(LPP(3).fit(X, y).components_, without.components_)
    supervised = LPP(3, supervised=True)
    assert not np.allclose(supervised.fit(X, y).components_, without.components_, atol=1e-3)
    with pytest.raises(ValueError, match="requires y"):
        LPP(3, supervised=True).fit(X)


def test_heat_weights_find_a_planted_chain():
    """Documents along an arc: their order is the coordinate that changes least between neighbours."""
    rng = np.random.default_rng(0)
    angle = np.sort(rng.uniform(0, np.pi / 2, 200))
    X = np.column_stack([np.cos(angle), np.sin(angle), rng.standard_normal((200, 6)) * 0.05])
    fitted = LPP(2, n_neighbors=8, weights="heat").fit(X)
    assert np.linalg.norm(fitted.components_[:, :2]) == pytest.approx(np.sqrt(2), abs=0.01)


def test_bad_arguments_are_refused(documents):
    X = documents[0]
    for name in ("n_components", "n_neighbors", "n_latent"):
        with pytest.raises(ValueError, match=f"'{name}' parameter of LPP must be an int"):
            LPP(**{name: 0}).fit(X)
    with pytest.raises(ValueError, match="'weights' parameter of LPP must be a str among"):
        LPP(weights="flat").fit(X)
    with pytest.raises(ValueError, match="nothing to preserve"):
        LPP().fit(np.eye(5))


def test_capped_with_a_warning(documents):
    with pytest.warns(UserWarning, match="the latent space has 40 dimensions"):
        fitted = LPP(100).fit(documents[0])
    assert fitted.components_.shape == (40, 40)


def test_empty_documents_are_no_trouble(documents):
    X = documents[0].copy()
    X[5] = 0
    fitted = LPP(4).fit(sparse.csr_array(X))
    np.testing.assert_array_equal(fitted.transform(X)[5], 0)


def test_reuters_figures(nearest_in):
    lpp = LPP(random_state=0)
    truth, predicted = nearest_in(lpp)
    assert np.mean(predicted == truth) >= 0.84
    assert lpp.components_.dtype == np.float32
