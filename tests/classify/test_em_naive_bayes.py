"""EM naive Bayes, against scikit-learn's naive Bayes and a slow reference."""

import pickle
import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.naive_bayes import MultinomialNB
from sklearn.preprocessing import normalize

from textspace.classify import EMNaiveBayes
from textspace.text import VectorSpace


def documents(n_samples=120, n_labelled=30, n_classes=3, n_features=40, length=15, seed=0):
    """Give counts of terms, some of which a topic has more often, and labels of the first documents."""
    rng = np.random.default_rng(seed)
    topics = np.arange(n_samples) % n_classes
    shares = 1 + 2.0 * (np.arange(n_features) % n_classes == np.arange(n_classes)[:, None])
    X = rng.multinomial(length, (shares / shares.sum(axis=1, keepdims=True))[topics]).astype(float)
    labels = np.array([f"topic {topic}" for topic in topics])
    y = np.where(np.arange(n_samples) < n_labelled, labels, "")
    return X, y, labels


def penalised_log_likelihood(model, X, y):
    """Sum up document by document what EM must not decrease."""
    total = model.alpha * model.feature_log_prob_.sum()
    for row, label in zip(X, y, strict=True):
        values = model.class_log_prior_ + model.feature_log_prob_ @ row
        if label:
            total += values[list(model.classes_).index(label)]
        else:
            total += model.weight * logsumexp(values)
    return total


@pytest.mark.parametrize("alpha", [0.01, 1.0])
@pytest.mark.parametrize("weigh", [np.asarray, normalize, sparse.csr_matrix, sparse.csr_array])
def test_without_weight_equals_multinomial_naive_bayes(weigh, alpha):
    X, y, _ = documents()
    X = weigh(X)
    ours = EMNaiveBayes(alpha, weight=0).fit(X, y)
    theirs = MultinomialNB(alpha=alpha).fit(X[y != ""], y[y != ""])
    np.testing.assert_array_equal(ours.class_log_prior_, theirs.class_log_prior_)
    np.testing.assert_allclose(ours.feature_log_prob_, theirs.feature_log_prob_, rtol=1e-14)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-13)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-10)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.n_iter_ == 1


def test_without_unlabelled_documents_equals_multinomial_naive_bayes():
    X, _, labels = documents()
    ours = EMNaiveBayes(0.1).fit(X, labels)
    theirs = MultinomialNB(alpha=0.1).fit(X, labels)
    np.testing.assert_allclose(ours.feature_log_prob_, theirs.feature_log_prob_, rtol=1e-14)
    assert len(ours.log_likelihood_) == 1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weight", [0.1, 1.0])
@pytest.mark.parametrize("alpha", [0.01, 1.0])
@pytest.mark.parametrize("weigh", [np.asarray, lambda X: sparse.csr_array(normalize(X))])
def test_log_likelihood_never_falls(weigh, alpha, weight, seed):
    X, y, _ = documents(seed=seed)
    trace = EMNaiveBayes(alpha, weight=weight, tol=1e-12, max_iter=300).fit(weigh(X), y).log_likelihood_
    assert len(trace) > 3
    assert np.all(np.diff(trace) >= -1e-12 * np.abs(trace[1:]))
    assert trace[-1] > trace[0]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("n_rounds", [2, 5])
def test_trace_is_the_penalised_log_likelihood(n_rounds):
    X, y, _ = documents()
    model = EMNaiveBayes(0.3, weight=0.4, max_iter=n_rounds, tol=0).fit(X, y)
    assert len(model.log_likelihood_) == model.n_iter_ == n_rounds
    assert model.log_likelihood_[-1] == pytest.approx(penalised_log_likelihood(model, X, y), rel=1e-12)
    first = EMNaiveBayes(0.3, weight=0).fit(X, y).set_params(weight=0.4)
    assert model.log_likelihood_[0] == pytest.approx(penalised_log_likelihood(first, X, y), rel=1e-12)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_rounds_equal_naive_bayes_with_documents_that_count_for_every_class():
    X, y, _ = documents()
    known, X_other = y != "", X[y == ""]
    theirs = MultinomialNB(alpha=0.3).fit(X[known], y[known])
    for _ in range(3):
        shares = theirs.predict_proba(X_other)
        weights = np.concatenate([np.ones(known.sum()), 0.4 * shares.ravel()])
        repeated = np.repeat(X_other, 3, axis=0)
        labels = np.concatenate([y[known], np.tile(theirs.classes_, len(X_other))])
        theirs = MultinomialNB(alpha=0.3).fit(np.vstack([X[known], repeated]), labels, sample_weight=weights)
    ours = EMNaiveBayes(0.3, weight=0.4, max_iter=4, tol=0).fit(X, y)
    np.testing.assert_allclose(ours.feature_log_prob_, theirs.feature_log_prob_, rtol=1e-10)
    np.testing.assert_allclose(ours.class_log_prior_, theirs.class_log_prior_, rtol=1e-10)


def test_two_documents_of_half_the_weight_are_one():
    X, y, _ = documents()
    once = EMNaiveBayes(weight=1.0).fit(X, y)
    other = y == ""
    twice = EMNaiveBayes(weight=0.5).fit(np.vstack([X, X[other]]), np.concatenate([y, y[other]]))
    np.testing.assert_allclose(twice.feature_log_prob_, once.feature_log_prob_, rtol=1e-9)
    np.testing.assert_allclose(twice.log_likelihood_, once.log_likelihood_, rtol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_unlabelled_documents_of_two_topics_help(seed):
    X, y, labels = documents(2000, 6, n_classes=2, n_features=200, length=20, seed=seed)
    X_new, y_new = X[1000:], labels[1000:]
    without, having = (
        EMNaiveBayes(weight=weight).fit(X[:1000], y[:1000]).score(X_new, y_new) for weight in (0.0, 1.0)
    )
    ideal = MultinomialNB().fit(X[:1000], labels[:1000]).score(X_new, y_new)
    assert having > without + 0.05
    assert having > ideal - 0.02


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array])
def test_sparse_equals_dense(container):
    X, y, _ = documents()
    dense, ours = EMNaiveBayes().fit(X, y), EMNaiveBayes().fit(container(X), y)
    np.testing.assert_allclose(ours.feature_log_prob_, dense.feature_log_prob_, rtol=1e-10)
    np.testing.assert_allclose(ours.predict_proba(container(X)), dense.predict_proba(X), rtol=1e-8)


def test_sparse_documents_stay_sparse():
    X = sparse.random_array((4000, 20000), density=5e-4, rng=np.random.default_rng(0), format="csr")
    y = np.where(np.arange(4000) < 100, np.arange(4000) % 2, -1)
    tracemalloc.start()
    EMNaiveBayes(tol=1e-3).fit(X, y).predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4000 * 20000 * 8 / 50


def test_single_precision_gives_the_same():
    X, y, _ = documents()
    X = normalize(X).astype(np.float32)
    single, double = EMNaiveBayes().fit(X, y), EMNaiveBayes().fit(X.astype(np.float64), y)
    np.testing.assert_array_equal(single.log_likelihood_, double.log_likelihood_)


@pytest.mark.parametrize("mark", [-1, None, np.nan])
def test_every_mark_of_an_unlabelled_row_gives_the_same(mark):
    X, y, _ = documents()
    words = EMNaiveBayes().fit(X, y)
    ours = EMNaiveBayes().fit(X, [int(label[-1]) if label else mark for label in y])
    np.testing.assert_array_equal(ours.classes_, [0, 1, 2])
    np.testing.assert_array_equal(ours.feature_log_prob_, words.feature_log_prob_)


def test_order_of_documents_does_not_matter():
    X, y, _ = documents()
    order = np.random.default_rng(1).permutation(len(y))
    np.testing.assert_allclose(
        EMNaiveBayes().fit(X[order], y[order]).feature_log_prob_,
        EMNaiveBayes().fit(X, y).feature_log_prob_,
        rtol=1e-9,
    )


def test_minus_one_and_one_are_two_classes_openly():
    X, _, labels = documents(n_classes=2)
    with pytest.warns(UserWarning, match="both are taken as classes"):
        model = EMNaiveBayes().fit(X, np.where(labels == "topic 0", -1, 1))
    np.testing.assert_array_equal(model.classes_, [-1, 1])


def test_stopping_early_is_reported():
    X, y, _ = documents()
    with pytest.warns(ConvergenceWarning, match="max_iter=2 rounds"):
        model = EMNaiveBayes(max_iter=2, tol=0).fit(X, y)
    assert model.n_iter_ == 2


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha": 0}, "'alpha' .* Got 0"),
        ({"weight": -0.1}, "'weight' .* Got -0.1"),
        ({"weight": 2}, "'weight' .* Got 2"),
        ({"max_iter": 1}, "'max_iter' .* Got 1"),
        ({"tol": -1}, "'tol' .* Got -1"),
    ],
)
def test_bad_settings_are_named(settings, message):
    X, y, _ = documents()
    with pytest.raises(ValueError, match=message):
        EMNaiveBayes(**settings).fit(X, y)


def test_bad_labels_and_documents_are_named():
    X, y, labels = documents()
    with pytest.raises(ValueError, match="y has no label"):
        EMNaiveBayes().fit(X, np.full(len(y), ""))
    with pytest.raises(ValueError, match="only one class"):
        EMNaiveBayes().fit(X, np.where(labels == "topic 0", labels, ""))
    with pytest.raises(ValueError, match="different ways"):
        EMNaiveBayes().fit(X, ["", None, *labels[2:]])
    with pytest.raises(ValueError, match="Negative values"):
        EMNaiveBayes().fit(-X, y)


def test_clone_and_pickle():
    X, y, _ = documents()
    fitted = EMNaiveBayes(weight=0.3).fit(X, y)
    assert clone(fitted).get_params() == fitted.get_params()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X), fitted.predict(X))


def test_newsgroups(corpus_or_skip):
    corpus = corpus_or_skip("20newsgroups")
    chosen = np.isin(corpus.labels, ["sci.space", "rec.autos", "talk.politics.guns", "comp.graphics"])
    corpus = corpus.subset(chosen)
    space = VectorSpace("ltc").fit(corpus.train.texts)
    X, X_new = space.transform(corpus.train.texts), space.transform(corpus.test.texts)
    y = corpus.train.labels.copy()
    few = np.concatenate([np.flatnonzero(y == label)[:10] for label in np.unique(y)])
    y[np.setdiff1d(np.arange(len(y)), few)] = ""
    without, having = (
        EMNaiveBayes(weight=weight).fit(X, y).score(X_new, corpus.test.labels) for weight in (0, 1)
    )
    assert having > without + 0.02
