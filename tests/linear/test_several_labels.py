"""Projections of class means and class spaces, where a document counts for each of its labels."""

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles

from textspace.kernel import SpectralRegressionKDA
from textspace.linear import (
    CLSI,
    DNE,
    LRWMMC,
    LSI,
    MFA,
    ClassCentroids,
    LocalLSI,
    MaximumMarginCriterion,
    SpectralRegressionLDA,
)

ABLE = [ClassCentroids(), MaximumMarginCriterion(2), SpectralRegressionLDA(), CLSI(8)]


@pytest.fixture
def documents():
    rng = np.random.default_rng(0)
    Y = (rng.random((80, 4)) < 0.4).astype(int)
    X = rng.random((80, 24)) * (rng.random((80, 24)) < 0.2) + np.repeat(Y, 6, axis=1) * rng.random((80, 24))
    return X, Y


@pytest.mark.parametrize("projection", ABLE, ids=lambda each: type(each).__name__)
def test_a_document_counts_for_each_of_its_labels(projection, documents):
    X, Y = documents
    several = projection.fit(X, Y).components_
    rows, labels = np.nonzero(Y)  # none of the documents without a label
    order = np.random.default_rng(1).permutation(len(rows))
    copied = projection.fit(X[rows][order], labels[order]).components_
    assert several.shape == copied.shape
    assert subspace_angles(several.T, copied.T).max() < 1e-6
    assert projection.fit(X, Y).classes_.tolist() == [0, 1, 2, 3]


def test_the_centroids_are_means_over_documents_that_have_the_label(documents):
    X, Y = documents
    means = Y.T @ X / Y.sum(axis=0)[:, None]
    assert subspace_angles(ClassCentroids().fit(X, Y).components_.T, means.T).max() < 1e-7


@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csc_matrix])
def test_sparse_indicators_equal_dense_ones(container, documents):
    X, Y = documents
    one = SpectralRegressionLDA().fit(sparse.csr_array(X), container(Y)).transform(X)
    np.testing.assert_allclose(one, SpectralRegressionLDA().fit(X, Y).transform(X), atol=1e-8)


def test_one_label_each_is_the_method_of_single_labels(documents):
    X, Y = documents
    y = Y.argmax(axis=1)
    for projection in (*ABLE, SpectralRegressionKDA()):
        single = projection.fit(X, y).transform(X)
        np.testing.assert_allclose(projection.fit(X, np.eye(4, dtype=int)[y]).transform(X), single, atol=1e-6)


def test_methods_that_ignore_labels_take_any(documents):
    X, Y = documents
    one, other = (LSI(3, random_state=0).fit(X, labels).components_ for labels in (Y, None))
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("projection", [LRWMMC(), DNE(), MFA(), LocalLSI()])
def test_methods_that_need_one_label_name_those_that_do_not(projection, documents):
    with pytest.raises(ValueError, match="each has one label: choose SpectralRegressionLDA, ClassCentroids"):
        projection.fit(*documents)
