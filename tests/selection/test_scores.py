"""Scores of terms, against scikit-learn's and against their definitions."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import feature_selection
from sklearn.preprocessing import LabelBinarizer

from textspace.selection import (
    SCORES,
    chi2,
    document_frequency,
    information_gain,
    mutual_information,
    uniform,
    weighted,
)


@pytest.fixture
def documents():
    """Give 90 documents of 3 classes over 30 terms; the first terms go with the classes."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 90)
    X = rng.random((90, 30)) * (rng.random((90, 30)) < 0.2)
    X[np.arange(90), y] += rng.random(90)
    X[:, 29] = 0
    X[:, 28] = 1
    return sparse.csr_array(X), np.array(["corn", "earn", "ship"])[y]


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.filterwarnings("ignore:.*rank:UserWarning")
@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse_equals_dense_in_any_precision(name, container, documents):
    X, y = documents
    scores = SCORES[name](X.toarray(), y)
    assert scores.shape == (30,)
    assert np.all(scores >= 0)
    np.testing.assert_allclose(SCORES[name](container(X), y), scores, atol=1e-12)
    np.testing.assert_allclose(SCORES[name](X.astype(np.float32), y), scores, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", sorted(set(SCORES) - {"uniform", "subspace"}))
def test_a_term_that_never_occurs_scores_zero(name, documents):
    assert SCORES[name](*documents)[29] == 0


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.filterwarnings("ignore:.*rank:UserWarning")
def test_entries_that_are_held_twice_or_are_zero(name, documents):
    X, y = documents
    halves = sparse.csr_array(
        (np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), 2 * X.indptr), shape=X.shape
    )
    np.testing.assert_allclose(SCORES[name](halves, y), SCORES[name](X, y), atol=1e-12)
    zeros = X.copy()
    zeros.data[::7] = 0
    np.testing.assert_allclose(SCORES[name](zeros, y), SCORES[name](zeros.toarray(), y), atol=1e-12)


def test_weighted_uniform_and_document_frequency(documents):
    X, _ = documents
    np.testing.assert_allclose(weighted(X), np.linalg.norm(X.toarray(), axis=0) ** 2)
    np.testing.assert_array_equal(document_frequency(-X), np.count_nonzero(X.toarray(), axis=0))
    np.testing.assert_array_equal(uniform(X), 1)


def test_chi2_is_that_of_scikit_learn(documents):
    X, y = documents
    X = X[:, :29]
    np.testing.assert_allclose(chi2(X, y), feature_selection.chi2(X, y)[0], atol=1e-12)
    np.testing.assert_allclose(chi2(X, y == "earn"), feature_selection.chi2(X, y == "earn")[0], atol=1e-12)


def test_mutual_information_is_that_of_scikit_learn(documents):
    X, y = documents
    presence = (X.toarray() != 0).astype(int)
    expected = feature_selection.mutual_info_classif(presence, y, discrete_features=True)
    np.testing.assert_allclose(mutual_information(X, y), expected, atol=1e-12)


def test_information_gain_of_a_class_is_its_mutual_information(documents):
    X, y = documents
    presence = (X.toarray() != 0).astype(int)
    expected = [
        feature_selection.mutual_info_classif(presence, y == label, discrete_features=True)
        for label in np.unique(y)
    ]
    gains = information_gain(X, y, aggregate=None)
    np.testing.assert_allclose(gains, expected, atol=1e-12)
    np.testing.assert_allclose(information_gain(X, y), np.max(expected, axis=0), atol=1e-12)
    np.testing.assert_allclose(information_gain(X, y, aggregate="sum"), np.sum(expected, axis=0), atol=1e-12)


def test_with_two_classes_gain_and_mutual_information_are_one(documents):
    X, y = documents
    np.testing.assert_allclose(
        information_gain(X, y == "earn"), mutual_information(X, y == "earn"), atol=1e-12
    )


@pytest.mark.parametrize("score", [information_gain, chi2, mutual_information])
def test_indicators_of_single_classes_equal_labels(score, documents):
    X, y = documents
    indicators = LabelBinarizer().fit_transform(y)
    np.testing.assert_allclose(score(X, indicators), score(X, y))
    np.testing.assert_allclose(score(X, sparse.csr_array(indicators)), score(X, y))


def test_documents_of_several_classes(documents):
    X, y = documents
    indicators = np.column_stack([y == "corn", y != "ship"]).astype(int)
    gains = information_gain(X, indicators, aggregate=None)
    np.testing.assert_allclose(gains[0], information_gain(X, y == "corn"))
    np.testing.assert_allclose(gains[1], information_gain(X, y != "ship"))
    # "corn" is both, "earn" the second and "ship" none: the sets of classes are the three labels
    np.testing.assert_allclose(mutual_information(X, indicators), mutual_information(X, y))


@pytest.mark.parametrize("score", [information_gain, chi2, mutual_information])
def test_one_class_only_is_refused(score, documents):
    X, y = documents
    with pytest.raises(ValueError, match="only one class"):
        score(X, np.full_like(y, "corn"))
    with pytest.raises(ValueError, match="only one class"):
        score(X, np.tile([1, 0], (90, 1)))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        score(X, y[:-1])
    with pytest.raises(ValueError, match="Unknown label type"):
        score(X, np.linspace(0, 1, 90))


def test_bad_arguments_are_refused(documents):
    X, y = documents
    with pytest.raises(ValueError, match=r"Negative values in data.*smallest entry of X is -"):
        chi2(-X, y)
    with pytest.raises(ValueError, match="aggregate"):
        information_gain(X, y, aggregate="mean")
