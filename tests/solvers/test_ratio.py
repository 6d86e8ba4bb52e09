"""Ratio problems, against scipy's generalised eigenvectors of dense matrices."""

import numpy as np
import pytest
from scipy import linalg, sparse
from scipy.linalg import subspace_angles

from textspace.solvers import ratio_directions


def smallest_cosine(first, second):
    return np.cos(subspace_angles(first.T.astype(float), second.T.astype(float)).max())


def random_graphs(n_samples, seed=0):
    """Give two positive definite sparse operators."""
    rng = np.random.default_rng(seed)
    local = sparse.random_array((n_samples, n_samples), density=0.05, format="csr", rng=rng)
    return (local @ local.T).tocsr(), sparse.diags_array(rng.random(n_samples) + 0.5)


def reference(X, numerator, denominator, n_components):
    values, vectors = linalg.eigh(X.T @ (numerator @ X), X.T @ (denominator @ X))
    return values[::-1][:n_components], vectors[:, ::-1][:, :n_components].T


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csr_matrix])
def test_same_space_as_the_dense_problem(form):
    X = np.random.default_rng(1).random((80, 30))
    graphs = random_graphs(80)
    values, vectors = reference(X, *graphs, 6)
    ratios, components = ratio_directions(form(X), *graphs, n_components=6)
    np.testing.assert_allclose(ratios, values, rtol=1e-3)
    np.testing.assert_allclose(components @ components.T, np.eye(6), atol=1e-12)
    for k in range(1, 7):
        assert smallest_cosine(components[:k], vectors[:k]) > 0.99999


def test_fewer_documents_than_terms():
    """Beyond the row space of X there is nothing: the problem in any basis of it is the reference."""
    X = np.random.default_rng(1).random((40, 900))
    graphs = random_graphs(40)
    basis = np.linalg.svd(X, full_matrices=False)[2]
    values, vectors = reference(X @ basis.T, *graphs, 5)
    ratios, components = ratio_directions(sparse.csr_array(X), *graphs, n_components=5)
    np.testing.assert_allclose(ratios, values, rtol=1e-3)
    assert smallest_cosine(components, vectors @ basis) > 0.99999


@pytest.mark.parametrize("n_samples", [300, 1500])  # decomposed at once, and by iteration
def test_latent_space_is_that_of_the_leading_singular_vectors(n_samples):
    rng = np.random.default_rng(2)
    left, right = (np.linalg.qr(rng.standard_normal((size, 60)))[0] for size in (n_samples, 700))
    X = (left * np.where(np.arange(60) < 20, np.linspace(9, 5, 60), 0.5)) @ right.T
    graphs = random_graphs(n_samples)
    basis = right[:, :20].T
    _, vectors = reference(X @ basis.T, *graphs, 8)
    _, components = ratio_directions(X, *graphs, n_components=8, n_latent=20, random_state=0)
    assert smallest_cosine(components, vectors @ basis) > 0.999
    assert np.linalg.norm(components @ basis.T) == pytest.approx(np.sqrt(8), abs=1e-2)


def test_ratio_is_what_it_says():
    X = np.random.default_rng(3).random((60, 20))
    numerator, denominator = random_graphs(60)
    ratios, components = ratio_directions(X, numerator, denominator, n_components=1)
    image = X @ components[0]
    assert image @ (numerator @ image) / (image @ (denominator @ image)) == pytest.approx(ratios[0], rel=1e-4)
    for seed in range(20):
        image = X @ np.random.default_rng(seed).standard_normal(20)
        assert image @ (numerator @ image) < ratios[0] * (image @ (denominator @ image))


def test_singular_denominator_is_regularised():
    X = np.random.default_rng(4).random((30, 50))
    numerator, _ = random_graphs(30)
    denominator = sparse.diags_array(np.repeat([1.0, 0.0], [10, 20]))
    ratios, components = ratio_directions(X, numerator, denominator, n_components=3)
    assert np.all(np.isfinite(components))
    assert np.linalg.norm((X @ components.T)[:10]) < 1e-2 * np.linalg.norm((X @ components.T)[10:])
    assert ratios[0] > 1e3


def test_capped_with_a_warning_and_single_precision():
    X = np.random.default_rng(5).random((30, 4)).astype(np.float32)
    with pytest.warns(UserWarning, match="10 components were asked for, but the latent space has 4"):
        ratios, components = ratio_directions(X, *random_graphs(30), n_components=10)
    assert components.shape == (4, 4)
    assert components.dtype == ratios.dtype == np.float32


@pytest.mark.parametrize("name", ["n_components", "n_latent", "regularization"])
def test_bad_arguments_are_refused(name):
    settings = {"n_components": 1} | {name: 0}
    with pytest.raises(ValueError, match=f"{name} must be"):
        ratio_directions(np.eye(4), sparse.eye_array(4), sparse.eye_array(4), **settings)


def test_nothing_to_divide_by_is_refused():
    with pytest.raises(ValueError, match="no ratio"):
        ratio_directions(np.eye(4), sparse.eye_array(4), 0 * sparse.eye_array(4), n_components=1)
    with pytest.raises(ValueError, match="every entry of X is zero"):
        ratio_directions(np.zeros((4, 900)), sparse.eye_array(4), sparse.eye_array(4), n_components=1)
