"""Several labels a document by any classifier: probabilities, thresholds and what terms add."""

import numpy as np
import pytest
from scipy import sparse
from scipy.special import logit
from sklearn.metrics import f1_score, pairwise_distances
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from textspace.classify import RLSC, CalibratedMethod, NearestDocuments, OneAgainstRest
from textspace.classify._label_values import label_folds, nearness_to_labels
from textspace.linear import ClassCentroids


def documents(n=300, n_labels=5, seed=0):
    """Give unit rows in which each label has terms of its own, and their labels, of which some have none."""
    rng = np.random.default_rng(seed)
    Y = rng.random((n, n_labels)) < np.linspace(0.5, 0.05, n_labels)
    X = rng.random((n, 40)) * (rng.random((n, 40)) < 0.05)
    for label in range(n_labels):
        own = 5 * label + rng.integers(0, 5, (n, 2))
        X[np.arange(n)[:, None], own] += rng.random((n, 2)) * Y[:, [label]]
    X[:, 39] += 0.1
    return sparse.csr_array(X / np.linalg.norm(X, axis=1, keepdims=True)), Y.astype(int)


METHODS = [
    OneAgainstRest(LinearSVC(random_state=0)),
    RLSC(lambdas=1.0),
    make_pipeline(ClassCentroids(), NearestDocuments()),
    make_pipeline(ClassCentroids(), NearestDocuments(metric="cosine")),
    NearestDocuments(metric="cosine"),
]


@pytest.mark.parametrize("estimator", METHODS, ids=str)
def test_probabilities_are_right_on_average_and_terms_add_up(estimator):
    X, Y = documents(500)
    model = CalibratedMethod(estimator, n_folds=3).fit(X[:400], Y[:400])
    shares = model.predict_proba(X[400:])
    assert abs(shares.mean() - Y[400:].mean()) < 0.06
    assert f1_score(Y[400:], model.predict(X[400:]), average="micro") > 0.55
    np.testing.assert_array_equal(model.predict(X[400:]) == 1, shares > model.thresholds_)
    contributions, constant = model.contributions(X[[450]])
    np.testing.assert_allclose(contributions.sum(axis=0) + constant, logit(shares[50]), atol=1e-6)


def test_thresholds_find_more_of_a_rare_label_than_the_sign():
    X, Y = documents(500)
    plain = OneAgainstRest(LinearSVC(random_state=0)).fit(X[:400], Y[:400])
    calibrated = CalibratedMethod(plain, n_folds=3).fit(X[:400], Y[:400])
    signs, decided = plain.predict(X[400:]), calibrated.predict(X[400:])
    truth = Y[400:]
    assert f1_score(truth, decided, average="macro") > f1_score(
        truth, signs, average="macro", zero_division=0
    )


def test_every_document_gets_a_label_where_all_have_one():
    X, Y = documents()
    Y[Y.sum(axis=1) == 0, 0] = 1
    model = CalibratedMethod(RLSC(lambdas=1.0), n_folds=3).fit(X, Y)
    assert model.at_least_one_
    assert model.predict(X).any(axis=1).all()


def test_held_out_logits_are_of_classifiers_that_have_not_seen_the_documents():
    X, Y = documents(200)
    model = CalibratedMethod(RLSC(lambdas=0.01), n_folds=4).fit(X, Y)
    truth = sparse.csr_array(Y).astype(np.float32)
    train, test = label_folds(truth, 4)[0]
    values = RLSC(lambdas=0.01).fit(X[train], Y[train]).decision_function(X[test])
    own, lag = model.calibration_.weights
    expected = own * values + lag * (values - values.max(axis=1, keepdims=True)) + model.calibration_.bias
    np.testing.assert_allclose(model.out_of_fold_[test], expected, atol=1e-4)


def test_refitting_for_one_label_forgets_the_thresholds():
    X, Y = documents(100)
    model = CalibratedMethod(RLSC(lambdas=1.0), n_folds=2).fit(X, Y)
    model.fit(X, Y[:, 0])
    assert model.thresholds_ is None
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
@pytest.mark.parametrize("form", [sparse.csr_array, lambda X: X.toarray()])
def test_nearness_is_that_to_the_nearest_document_of_each_label(metric, form):
    X, Y = documents(90)
    Y[:, 4] = 0
    X = X * 2.0
    truth = sparse.csr_array(Y).astype(np.float32)[:70]
    found = nearness_to_labels(form(X[:70]), truth, form(X[70:]), metric)
    for label in range(4):
        far = pairwise_distances(X[70:], X[:70][Y[:70, label] == 1], metric=metric).min(axis=1)
        if metric == "cosine":
            expected = 1 - far
        else:
            expected = (np.asarray(X[70:].power(2).sum(axis=1)).ravel() - far**2) / 2
        np.testing.assert_allclose(found[:, label], expected, atol=1e-6)
    assert (found[:, 4] <= found[:, :4].min(axis=1)).all()


def test_what_cannot_be_learned():
    X, Y = documents(20)
    with pytest.raises(ValueError, match="3 documents, too few to hold some out"):
        CalibratedMethod(RLSC()).fit(X[:3], np.ones((3, 2), dtype=int))
    with pytest.raises(ValueError, match="X has 20 rows and y 19"):
        CalibratedMethod(RLSC()).fit(X, Y[:19])
    Y[3, 1] = 2
    with pytest.raises(ValueError, match="Y holds 2 in row 3, column 1"):
        CalibratedMethod(RLSC()).fit(X, Y)
