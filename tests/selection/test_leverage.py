"""Leverage scores, against dense singular value decompositions."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import TruncatedSVD

from textspace.selection import subspace
from textspace.selection._leverage import leverage_scores


def dense_scores(X, rank):
    """Give squared row norms of the right singular vectors of a dense copy."""
    vectors = np.linalg.svd(X.toarray().astype(float), full_matrices=False)[2][:rank]
    return np.sum(vectors**2, axis=0)


def random_documents(n_samples, n_features, density=0.05):
    """Give documents whose terms are common and rare, as in text."""
    rng = np.random.default_rng(5)
    X = sparse.random_array((n_samples, n_features), density=density, format="csr", rng=rng)
    return sparse.csr_array(X * np.geomspace(3, 0.1, n_features))


@pytest.fixture(scope="module")
def decomposed():
    """Give a matrix whose shorter side is above the limit of the dense way, and its singular vectors."""
    X = random_documents(1050, 1200)
    left, _, right = np.linalg.svd(X.toarray(), full_matrices=False)
    return X, left, right


@pytest.fixture(params=["few documents", "few terms"])
def large(request, decomposed):
    """Give that matrix or its transpose, and its leverage scores of rank 40."""
    X, left, right = decomposed
    if request.param == "few documents":
        return X, np.sum(right[:40] ** 2, axis=0)
    return sparse.csr_array(X.T), np.sum(left[:, :40] ** 2, axis=1)


@pytest.mark.parametrize("shape", [(60, 200), (200, 60)])
@pytest.mark.parametrize("rank", [1, 10, 60])
def test_small_matrices_are_solved_exactly(shape, rank):
    X = random_documents(*shape, density=0.2)
    np.testing.assert_allclose(subspace(X, rank=rank), dense_scores(X, rank), atol=1e-10)
    np.testing.assert_allclose(subspace(X.toarray(), rank=rank), dense_scores(X, rank), atol=1e-10)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_iteration_is_accurate_on_the_largest_scores(large, dtype):
    X, expected = large
    ours = subspace(X.astype(dtype), rank=40, random_state=0)
    largest = np.argsort(-expected)[:200]
    np.testing.assert_allclose(ours[largest], expected[largest], rtol=1e-3)
    assert ours.sum() == pytest.approx(40, rel=1e-5)


def test_exact_on_request(large):
    X, expected = large
    np.testing.assert_allclose(subspace(X, rank=40, exact=True), expected, atol=1e-9)


def test_seed_hardly_matters(large):
    one, other = (subspace(large[0], rank=20, random_state=seed) for seed in (1, 2))
    np.testing.assert_allclose(one, other, atol=1e-4)


def test_agrees_with_truncated_svd_on_text(corpus_or_skip):
    from textspace.text import VectorSpace

    X = VectorSpace(scheme="ltc").fit_transform(corpus_or_skip("reuters-r52").train.texts[:2000])
    svd = TruncatedSVD(50, algorithm="arpack", random_state=0).fit(X.astype(float))
    expected = np.sum(svd.components_**2, axis=0)
    largest = np.argsort(-expected)[:500]
    np.testing.assert_allclose(subspace(X, rank=50)[largest], expected[largest], rtol=2e-2)


def test_all_singular_vectors():
    X = random_documents(50, 80, density=0.2)
    full = subspace(X, rank="rank")
    np.testing.assert_allclose(full, dense_scores(X, 50), atol=1e-10)
    # leverage is the diagonal of the projection on the span of the documents
    np.testing.assert_allclose(full, np.diag(np.linalg.pinv(X.toarray()) @ X.toarray()), atol=1e-9)
    np.testing.assert_allclose(subspace(X, rank=1.0), full, atol=1e-10)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_share_of_the_norm_takes_the_fewest_vectors_that_reach_it(share):
    X = random_documents(50, 80, density=0.2)
    _, n_vectors = leverage_scores(X, rank=share)
    captured = np.cumsum(np.linalg.svd(X.toarray())[1] ** 2) / sparse.linalg.norm(X) ** 2
    assert captured[n_vectors - 1] >= share
    assert n_vectors == 1 or captured[n_vectors - 2] < share


@pytest.mark.slow
def test_share_of_the_norm_by_iteration(large):
    X, _ = large
    scores, n_vectors = leverage_scores(X, rank=0.3, random_state=0)
    exact, expected = leverage_scores(X, rank=0.3, exact=True)
    assert n_vectors == expected < 256  # the first try of the iteration
    largest = np.argsort(-exact)[:200]
    np.testing.assert_allclose(scores[largest], exact[largest], rtol=1e-2)
    # where most vectors are needed, the dense way takes over
    np.testing.assert_allclose(leverage_scores(X, rank=0.8)[0], leverage_scores(X, rank=0.8, exact=True)[0])


def test_rank_above_that_of_the_documents_is_capped():
    distinct = random_documents(7, 40, density=0.3)
    X = sparse.vstack([distinct] * 5, format="csr")
    with pytest.warns(UserWarning, match="documents have rank 7"):
        scores = subspace(X, rank=20)
    assert scores.sum() == pytest.approx(7)
    np.testing.assert_allclose(scores, subspace(X, rank="rank"))


def test_rank_above_that_of_many_documents_is_capped():
    X = sparse.csr_array(np.tile(random_documents(12, 40, density=0.3).toarray(), (100, 40)))
    with pytest.warns(UserWarning, match="documents have rank 12"):
        scores = subspace(X, rank=30, random_state=0)
    assert scores.sum() == pytest.approx(12, rel=1e-4)


def test_columns_and_documents_without_entries():
    X = random_documents(30, 40, density=0.2).tolil()
    X[:, [3, 39]], X[5] = 0, 0
    scores = subspace(X.tocsr(), rank=10)
    assert np.all(scores[[3, 39]] == 0)
    assert np.isfinite(scores).all()
    assert np.all(subspace(sparse.csr_array((4, 6)), rank=2) == 0)


@pytest.mark.parametrize("rank", [0, -1, 0.0, 1.5, "all", None, True])
def test_bad_ranks_are_refused(rank):
    with pytest.raises(ValueError, match="rank"):
        subspace(np.eye(3), rank=rank)
