"""Very many labels: scores of left-out documents against models without them, answers in little memory."""

import numba
import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score
from sklearn.preprocessing import normalize

from textspace.classify import SeveralLabelsBlend
from textspace.classify.blend._centroids import left_out_means
from textspace.classify.blend._near_label_ridge import learn_near_label_ridge
from textspace.classify.blend._near_labels import find_near_labels, short_sums

from .test_several_labels import make_tagged

MANY = "textspace.classify.blend._several_labels._MANY_PAIRS"


def make_many(n_samples=300, n_labels=40, *, rate=0.05, **options):
    X, Y = make_tagged(n_samples, n_labels, rate=rate, **options)
    return X, sparse.csr_array(Y.astype(np.float32))


@pytest.fixture
def many(monkeypatch):
    monkeypatch.setattr(MANY, 0)


def test_sums_keep_their_largest_terms_in_batches_too(monkeypatch):
    X, truth = make_many()
    monkeypatch.setattr("textspace.classify.blend._near_labels._ENTRIES", 100)
    n_terms = np.arange(1, 41)
    found, expected = short_sums(X, truth, n_terms).toarray(), (truth.T @ X).toarray()
    assert np.all((found == 0) | np.isclose(found, expected))
    np.testing.assert_array_equal((found != 0).sum(axis=1), np.minimum(n_terms, (expected > 0).sum(axis=1)))
    left = np.where(found == 0, expected, 0).max(axis=1)
    assert np.all(left <= np.where(found > 0, found, np.inf).min(axis=1))


def test_near_labels_have_the_largest_cosines_without_the_document():
    X, truth = make_many()
    _, cosines = left_out_means(X, truth)
    near = find_near_labels(X, short_sums(X, truth, np.full(40, 1000)), truth, 7)
    own = near.own_cosines.tocoo()
    np.testing.assert_allclose(own.data, cosines[own.coords], atol=1e-5)
    found = np.take_along_axis(cosines, near.labels, axis=1)
    np.testing.assert_allclose(found, -np.sort(-cosines, axis=1)[:, :7], atol=1e-5)


def test_values_are_those_of_a_regression_without_the_document_on_the_terms_of_the_label():
    X, truth = make_many(80, 5)
    sums = short_sums(X, truth, np.full(5, 30))
    rng = np.random.default_rng(0)
    looked_at = rng.random((5, 80)) < 0.5
    pairs = sparse.csr_array(looked_at.astype(np.float32))
    pairs.data[:] = truth.toarray().T[looked_at]
    table, values = learn_near_label_ridge(X, sums, pairs, 0.7)
    for label in range(5):
        documents, terms = np.flatnonzero(looked_at[label]), sums[[label]].indices
        A, b = X.toarray()[documents][:, terms].astype(float), truth.toarray()[documents, label]
        coef = np.linalg.solve(A.T @ A + 0.7 * np.eye(len(terms)), A.T @ b)
        np.testing.assert_allclose(table[[label]].toarray()[0, terms], coef, atol=1e-4)
        for row in (0, 9):
            others = np.delete(np.arange(len(documents)), row)
            without = np.linalg.solve(
                A[others].T @ A[others] + 0.7 * np.eye(len(terms)), A[others].T @ b[others]
            )
            np.testing.assert_allclose(values[[label]].data[row], A[row] @ without, atol=1e-4)


def test_planted_labels_are_found_and_their_probabilities_are_right(many):
    X, truth = make_many(1500, 12, rate=0.15)
    model = SeveralLabelsBlend().fit(X[:1000], truth[:1000])
    assert sparse.issparse(model.out_of_fold_)
    Y = truth[1000:].toarray()
    assert f1_score(Y, model.predict(X[1000:]).toarray(), average="micro") > 0.85
    probabilities = model.predict_proba(X[1000:])
    likely = probabilities > 0.01
    np.testing.assert_allclose(probabilities[likely].sum(), Y[likely].sum(), rtol=0.1)


def test_answers_are_those_of_all_probabilities(many, monkeypatch):
    X, truth = make_many()
    model = SeveralLabelsBlend().fit(X, truth)
    monkeypatch.setattr("textspace.classify.blend._several_labels._FIRST_FOUND", 2)
    monkeypatch.setattr("textspace.classify.blend._several_labels._BATCH", 60)
    probabilities = model.predict_proba(X)
    given = probabilities > model.thresholds_
    given[np.arange(300), probabilities.argmax(axis=1)] |= ~given.any(axis=1)
    np.testing.assert_array_equal(model.predict(X).toarray(), given)
    own = model.given_labels(X, threshold=0.02).toarray()
    np.testing.assert_allclose(own, np.where(probabilities > 0.02, probabilities, 0), atol=1e-5)
    likely = model.likely_labels(X, 3)
    assert np.all(np.diff(likely.indptr) == 3)
    expected = np.sort(probabilities, axis=1)[:, -3:]
    np.testing.assert_allclose(np.sort(likely.data.reshape(300, 3), axis=1), expected, atol=1e-5)


def test_contributions_of_many_labels_add_up(many):
    X, truth = make_many()
    model = SeveralLabelsBlend(blocks=[("a", 0, X.shape[1], 500)]).fit(X, truth)
    contributions, constant = model.contributions(X[[4]])
    total = contributions.sum(axis=0) + constant
    np.testing.assert_allclose(total, model.decision_function(X[[4]])[0], atol=1e-6)


def test_threads_change_nothing(many, monkeypatch):
    X, truth = make_many()
    found = []
    for n_threads in (1, 2):
        monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", n_threads)
        found.append(SeveralLabelsBlend().fit(X, truth).predict_proba(X))
    np.testing.assert_array_equal(*found)


@pytest.mark.filterwarnings("ignore:.*labels are in no document")
def test_labels_of_no_document_and_of_one_and_documents_of_none_or_all(many):
    X, truth = make_many(empty=True)
    Y = truth.toarray()
    Y[:, 3], Y[:, 5], Y[11], Y[12], Y[20, 5] = 0, 0, 1, 0, 1
    Y[11, [3, 5]] = 0
    X = sparse.vstack([X, sparse.csr_array((1, X.shape[1]), dtype=np.float32)], format="csr")
    Y = np.vstack([Y, Y[:1]])  # a document without terms
    model = SeveralLabelsBlend().fit(X, sparse.csr_array(Y))
    assert np.isfinite(model.out_of_fold_.data).all()
    assert np.isfinite(model.predict_proba(X)).all()
    assert model.predict(X)[:, [3]].sum() == 0
    assert not model.at_least_one_


def test_negative_numbers_and_few_columns_do_no_harm(many):
    rng = np.random.default_rng(0)
    X = normalize(rng.normal(size=(60, 4)).astype(np.float32))
    model = SeveralLabelsBlend().fit(X, (X[:, :3] > 0.3).astype(int))
    assert f1_score(X[:, :3] > 0.3, model.predict(X), average="micro") > 0.6
