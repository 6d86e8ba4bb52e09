"""Latent semantic indexing, against dense singular value decompositions."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles
from sklearn.decomposition import TruncatedSVD

from textspace.linear import LSI


@pytest.fixture
def documents():
    return sparse.random_array((80, 120), density=0.1, format="csr", rng=np.random.default_rng(0))


def test_components_are_the_leading_right_singular_vectors(documents):
    lsi = LSI(n_components=7, random_state=0).fit(documents)
    _, values, vectors = np.linalg.svd(documents.toarray())
    np.testing.assert_allclose(lsi.singular_values_, values[:7])
    np.testing.assert_allclose(np.abs(lsi.components_ @ vectors[:7].T), np.eye(7), atol=1e-9)


def test_agrees_with_truncated_svd(documents):
    ours = LSI(n_components=5, random_state=0).fit_transform(documents)
    theirs = TruncatedSVD(n_components=5, algorithm="arpack", random_state=0).fit_transform(documents)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-9)


def test_no_projection_of_the_same_size_approximates_better(documents):
    lsi = LSI(n_components=6, random_state=0).fit(documents)
    dense = documents.toarray()
    error = np.linalg.norm(dense - lsi.transform(documents) @ lsi.components_)
    assert error == pytest.approx(np.linalg.norm(np.linalg.svd(dense)[1][6:]))


def test_labels_do_not_matter(documents):
    with_labels = LSI(n_components=3, random_state=0).fit(documents, np.arange(80) % 4)
    np.testing.assert_array_equal(
        with_labels.components_, LSI(n_components=3, random_state=0).fit(documents).components_
    )


def test_seed_changes_nothing_but_rounding(documents):
    one, other = (LSI(n_components=4, random_state=seed).fit(documents).components_ for seed in (1, 2))
    np.testing.assert_allclose(one, other, atol=1e-9)


def test_all_components_can_be_had_without_a_warning(documents):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lsi = LSI(n_components=80).fit(documents)
    np.testing.assert_allclose(lsi.transform(documents) @ lsi.components_, documents.toarray(), atol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_components", [10, 200])
def test_capped_at_the_rank_with_a_warning(documents, dtype, n_components):
    distinct = documents[:6].toarray().astype(dtype)
    repeated = sparse.csr_array(np.tile(distinct, (10, 1)))
    with pytest.warns(UserWarning, match=f"keeps 6 of the {n_components} components"):
        lsi = LSI(n_components=n_components, random_state=0).fit(repeated)
    assert lsi.components_.shape == (6, 120)
    assert lsi.components_.dtype == dtype
    assert subspace_angles(lsi.components_.T, distinct.T).max() < 1e-3


def test_bad_arguments_are_refused(documents):
    for n_components in (0, 2.5):
        with pytest.raises(ValueError, match="'n_components' parameter of LSI must be an int"):
            LSI(n_components=n_components).fit(documents)
    with pytest.raises(ValueError, match="every entry of X is zero"):
        LSI(n_components=2).fit(0 * documents)
