"""HOSVD, and the products with tensors that all projections of tensors share."""

from math import prod

import numpy as np
import pytest
from scipy import sparse

from textspace.linear import LSI
from textspace.tensor import HOSVD, _products


def tensors(X, shape):
    """Give documents as an array of shape (n_samples, *shape), by the definition of the columns."""
    dense = np.zeros((X.shape[0], *shape))
    for column in range(X.shape[1]):
        dense[:, *np.unravel_index(column, shape, order="F")] = X[:, column]
    return dense


def random_documents(n_features, n_samples=30, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((n_samples, n_features)) * (rng.random((n_samples, n_features)) < 0.4)


@pytest.mark.parametrize("shape", [(12,), (4, 6), (3, 4, 5), (2, 3, 2, 3)])
def test_factors_are_singular_vectors_of_the_flattened_corpus(shape):
    X = random_documents(prod(shape))
    hosvd = HOSVD(shape, ranks=2).fit(X)
    for mode, factor in enumerate(hosvd.factors_):
        flat = np.moveaxis(tensors(X, shape), mode + 1, 0).reshape(shape[mode], -1)
        expected = np.linalg.svd(flat, full_matrices=False)[0][:, :2]
        np.testing.assert_allclose(np.abs(factor), np.abs(expected), atol=1e-10)
        assert np.all(factor[np.argmax(np.abs(factor), axis=0), [0, 1]] > 0)


def test_one_mode_is_latent_semantic_indexing():
    X = random_documents(20)
    hosvd, lsi = HOSVD((20,), ranks=5).fit(X), LSI(n_components=5).fit(X)
    np.testing.assert_allclose(hosvd.factors_[0].T, lsi.components_, atol=1e-8)
    np.testing.assert_allclose(hosvd.transform(X), lsi.transform(X), atol=1e-8)


def test_transform_projects_every_mode():
    X = random_documents(60)
    hosvd = HOSVD((3, 4, 5), ranks=(2, 3, 4)).fit(X)
    projected = np.einsum("nijk,ia,jb,kc->nabc", tensors(X, (3, 4, 5)), *hosvd.factors_)
    np.testing.assert_allclose(tensors(hosvd.transform(X), (2, 3, 4)), projected, atol=1e-12)


def test_full_ranks_keep_all_inner_products():
    X = random_documents(60)
    coordinates = HOSVD((3, 4, 5), ranks=(3, 4, 5)).fit_transform(X)
    np.testing.assert_allclose(coordinates @ coordinates.T, X @ X.T, atol=1e-12)


def test_the_strongest_directions_keep_more_than_others():
    X = random_documents(60)
    kept = np.linalg.norm(HOSVD((3, 4, 5), ranks=2).fit_transform(X))
    rng = np.random.default_rng(0)
    for _ in range(20):
        others = [np.linalg.qr(rng.standard_normal((size, 2)))[0] for size in (3, 4, 5)]
        assert np.linalg.norm(_products.project(X, (3, 4, 5), others)) < kept


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("shape", [(3, 4, 5), (None, 7), (4, None, 2)])
def test_sparse_equals_dense(container, shape):
    X = random_documents(60)
    dense, hosvd = HOSVD(shape, ranks=2).fit(X), HOSVD(shape, ranks=2).fit(container(X))
    for one, other in zip(hosvd.factors_, dense.factors_, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-10)
    np.testing.assert_allclose(hosvd.transform(container(X)), dense.transform(X), atol=1e-10)


def test_blocks_change_nothing(monkeypatch):
    X = sparse.csr_array(random_documents(60))
    whole = HOSVD((3, 4, 5), ranks=2).fit(X)
    monkeypatch.setattr(_products, "_BLOCK", 64)
    blocks = HOSVD((3, 4, 5), ranks=2).fit(X)
    np.testing.assert_allclose(blocks.transform(X), whole.transform(X), atol=1e-10)


def test_missing_columns_are_zeros():
    X = random_documents(26)
    padded = np.hstack([X, np.zeros((30, 2))])
    folded, full = HOSVD((None, 4), ranks=3).fit(X), HOSVD((7, 4), ranks=3).fit(padded)
    assert folded.tensor_shape_ == (7, 4)
    np.testing.assert_allclose(folded.transform(X), full.transform(padded), atol=1e-12)


def test_letter_trigrams_need_no_shape():
    X = sparse.random_array((40, 27**3), density=0.01, rng=np.random.default_rng(0), format="csr")
    hosvd = HOSVD(ranks=5).fit(X)
    assert hosvd.tensor_shape_ == (27, 27, 27)
    assert hosvd.transform(X).shape == (40, 125)
    assert hosvd.get_feature_names_out()[-1] == "hosvd124"


def test_float32_stays_float32():
    X = random_documents(60).astype(np.float32)
    hosvd = HOSVD((3, 4, 5), ranks=2).fit(X)
    assert {factor.dtype for factor in hosvd.factors_} == {hosvd.transform(X).dtype} == {np.dtype(np.float32)}
    np.testing.assert_allclose(
        hosvd.transform(X), HOSVD((3, 4, 5), ranks=2).fit_transform(X.astype(float)), atol=1e-5
    )


def test_empty_documents_are_zeros():
    X = random_documents(60)
    X[[0, 7]] = 0
    projected = HOSVD((3, 4, 5), ranks=2).fit_transform(sparse.csr_array(X))
    assert not projected[[0, 7]].any()
    assert projected[1:7].any(axis=1).all()


def test_a_mode_of_size_one_changes_nothing():
    X = random_documents(20)
    plain, longer = HOSVD((4, 5), ranks=2).fit(X), HOSVD((4, 1, 5), ranks=(2, 1, 2)).fit(X)
    np.testing.assert_allclose(longer.transform(X), plain.transform(X), atol=1e-12)


def test_ranks_above_the_sizes_are_capped_with_a_warning():
    X = random_documents(20)
    with pytest.warns(UserWarning, match=r"more components than .* shape \(4, 5\) have: \(4, 5\) are kept"):
        hosvd = HOSVD((4, 5), ranks=6).fit(X)
    assert [factor.shape for factor in hosvd.factors_] == [(4, 4), (5, 5)]


@pytest.mark.parametrize("ranks", [0, (2, 0), (2, 2, 2), (2,), 2.5, (2, 2.5), True, "two", None])
def test_bad_ranks_are_named(ranks):
    with pytest.raises(ValueError, match=r"ranks must be|'ranks' parameter"):
        HOSVD((4, 5), ranks=ranks).fit(random_documents(20))


def test_a_shape_that_does_not_match_is_refused():
    with pytest.raises(ValueError, match=r"\(4, 6\) has 24 entries, .* 20 columns"):
        HOSVD((4, 6), ranks=2).fit(random_documents(20))


@pytest.mark.slow
def test_nothing_dense_is_formed():
    """Documents whose dense form would need 32 GB are no trouble."""
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 200**3, (1000, 20))
    X = sparse.csr_array(
        (np.ones(20_000, dtype=np.float32), columns.ravel(), np.arange(0, 20_001, 20)), (1000, 200**3)
    )
    assert HOSVD((200, 200, 200), ranks=3).fit_transform(X).shape == (1000, 27)
