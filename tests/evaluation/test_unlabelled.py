"""What unlabelled documents gain, by cross-validation and in a comparison."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import binomtest, ttest_rel
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.svm import LinearSVC

from textspace.classify import EMNaiveBayes, LabelledOnly, SelfTraining
from textspace.evaluation import Comparison, resampled_t_test, scores, unlabelled_gain
from textspace.linear import LSI
from textspace.text import VectorSpace
from textspace.tuning import fold_splits


def documents(n_samples=2000, n_labelled=200, seed=0):
    """Give counts of 400 terms in documents of two topics that share all of them, and labels of the first."""
    rng = np.random.default_rng(seed)
    topics = np.arange(n_samples) % 2
    shares = np.repeat([[2, 1], [1, 2]], 200, axis=1) / 600
    X = sparse.csr_array(rng.multinomial(20, shares[topics]))
    labels = np.array(["corn", "wheat"])[topics]
    return X, np.where(np.arange(n_samples) < n_labelled, labels, "")


@pytest.mark.parametrize(
    "estimator",
    [
        EMNaiveBayes(),
        SelfTraining(MultinomialNB()),
        make_pipeline(VectorSpace("tf"), LSI(2, random_state=0), LabelledOnly(LinearSVC())),
    ],
    ids=["EM", "self-training", "space"],
)
def test_planted_topics_are_found_with_unlabelled_documents(estimator):
    gain = unlabelled_gain(estimator, *documents())
    assert gain.difference > 0.05
    assert gain.p_value < 0.05
    assert gain.n_helped > gain.n_harmed
    assert (gain.n_tested, gain.n_unlabelled) == (200, 1800)


def test_numbers_equal_a_cross_validation_by_hand():
    X, y = documents()
    known = np.flatnonzero(y != "")
    other = np.flatnonzero(y == "")
    without, having = np.full((2, len(y)), "?????")
    for train, test in fold_splits(y[known], 4, random_state=3):
        without[known[test]] = (
            MultinomialNB(alpha=0.01).fit(X[known[train]], y[known[train]]).predict(X[known[test]])
        )
        rows = np.concatenate([known[train], other])
        having[known[test]] = EMNaiveBayes().fit(X[rows], y[rows]).predict(X[known[test]])
    gain = unlabelled_gain(EMNaiveBayes(), X, y, cv=4, random_state=3)
    truth, without, having = y[known], without[known], having[known]
    assert gain.scores_without == scores(truth, without)
    assert gain.scores_with == scores(truth, having)
    assert gain.difference == pytest.approx(np.mean(having == truth) - np.mean(without == truth))
    assert gain.n_helped - gain.n_harmed == np.sum(having == truth) - np.sum(without == truth)
    assert gain.p_value == pytest.approx(binomtest(gain.n_helped, gain.n_helped + gain.n_harmed).pvalue)


def test_a_classifier_that_passes_over_them_gains_nothing():
    gain = unlabelled_gain(LabelledOnly(LinearSVC(random_state=0)), *documents())
    assert gain.difference == 0
    assert (gain.n_helped, gain.n_harmed, gain.p_value) == (0, 0, 1)


def test_harm_is_seen():
    rng = np.random.default_rng(0)
    labelled = rng.multinomial(10, np.repeat([[0.7, 0.3], [0.3, 0.7]], [100, 100], axis=0))
    labelled = np.hstack([labelled, rng.multinomial(20, [0.5, 0.5], size=200)])
    # two heaps of documents that have nothing to do with the classes
    others = np.hstack([np.full((1000, 2), 5), np.repeat([[90, 10], [10, 90]], 500, axis=0)])
    y = np.repeat(["corn", "wheat", ""], [100, 100, 1000])
    gain = unlabelled_gain(EMNaiveBayes(), np.vstack([labelled, others]), y)
    assert gain.difference < -0.02
    assert gain.p_value < 0.05


def test_texts():
    texts = ["corn maize", "ship sea", "maize corn", "sea ship", "maize crop", "sea vessel"] * 4
    labels = ["grain", "ship", "grain", "ship", "", ""] * 4
    nearest = LabelledOnly(KNeighborsClassifier(1))
    gain = unlabelled_gain(make_pipeline(VectorSpace(), LSI(2), nearest), texts, labels, cv=4)
    assert gain.scores_with["micro_f1"] == gain.scores_without["micro_f1"] == 1
    assert str(gain) == (
        "micro F1 1.000 without and 1.000 with 8 unlabelled documents; "
        "of 16 held out, 0 right only with them, 0 only without (p = 1)"
    )


@pytest.mark.parametrize("mark", [-1, None, np.nan])
def test_every_mark_and_kind_of_label_gives_the_same(mark):
    X, y = documents()
    numbers = [len(label) if label else mark for label in y]
    assert unlabelled_gain(EMNaiveBayes(), X, numbers) == unlabelled_gain(EMNaiveBayes(), X, y)


@pytest.mark.filterwarnings("ignore:y contains no unlabeled samples")
def test_scikit_learns_estimators():
    X, y = documents()
    numbers = np.array([len(label) if label else -1 for label in y])
    assert unlabelled_gain(SelfTrainingClassifier(MultinomialNB()), X, numbers).difference > 0.05


def test_bad_input_is_named():
    X, y = documents()
    with pytest.raises(ValueError, match="a label in every row"):
        unlabelled_gain(EMNaiveBayes(), X[y != ""], y[y != ""])
    with pytest.raises(ValueError, match="LinearSVC takes unlabelled rows for a class of their own"):
        unlabelled_gain(LinearSVC(), X, y)
    with pytest.raises(ValueError, match="y has no label"):
        unlabelled_gain(EMNaiveBayes(), X, np.full(len(y), ""))
    with pytest.raises(ValueError, match="folds is 1"):
        unlabelled_gain(EMNaiveBayes(), X, y, cv=1)


def comparison(n_splits, shares, n_test=200, n_train=300):
    """Make a comparison in which a method, and its twin without unlabelled documents, have shares right."""
    rng = np.random.default_rng(0)
    truth = rng.integers(3, size=(n_splits, n_test))
    runs = []
    for repeat in range(n_splits):
        for method, share in shares.items():
            wrong = rng.random(n_test) > share
            predicted = (truth[repeat] + wrong) % 3
            found = {
                "predicted": predicted.tolist(),
                "scores": scores(truth[repeat], predicted),
                "error": None,
            }
            runs.append({"method": method, "repeat": repeat} | found)
    methods = {method: {"title": method.upper()} for method in shares}
    corpus = {"n_test": n_test, "n_train": n_train}
    return Comparison(corpus, {}, {}, methods, truth.tolist(), runs)


def test_twins_in_one_split():
    shares = {"a": 0.7, "a-labelled": 0.8, "b": 0.9, "b-labelled": 0.6, "svm": 0.95}
    found = comparison(1, shares)
    assert [gain["method"] for gain in found.unlabelled_gains()] == ["b", "a"]
    truth = np.array(found.truth[0])
    for gain in found.unlabelled_gains():
        having, without = (
            (np.array(found.runs_of(name)[0]["predicted"]) == truth).astype(int)
            for name in (gain["method"], f"{gain['method']}-labelled")
        )
        assert gain["title"] == gain["method"].upper()
        assert (gain["with"], gain["without"]) == pytest.approx((having.mean(), without.mean()))
        assert gain["difference"] == pytest.approx(having.mean() - without.mean())
        assert gain["interval"] == pytest.approx(tuple(ttest_rel(having, without).confidence_interval()))
        helped, harmed = np.sum(having > without), np.sum(having < without)
        assert (gain["n_helped"], gain["n_harmed"]) == (helped, harmed)
        assert gain["p_value"] == pytest.approx(binomtest(helped, helped + harmed).pvalue)
    assert found.unlabelled_gains()[0]["mark"] == ">>"


def test_twins_over_splits_have_an_interval_that_agrees_with_the_test():
    found = comparison(6, {"a": 0.8, "a-labelled": 0.78})
    [gain] = found.unlabelled_gains()
    having, without = (
        np.array([run["scores"]["micro_f1"] for run in found.runs_of(name)]) for name in found.methods
    )
    assert gain["difference"] == pytest.approx(np.mean(having - without))
    test = resampled_t_test(having - without, 200 / 300)
    assert (gain["p_value"], gain["mark"]) == (test.p_value, test.mark)
    for end in gain["interval"]:
        assert resampled_t_test(having - without - end, 200 / 300).p_value == pytest.approx(0.05)


def test_twins_without_predictions_or_with_failures():
    found = comparison(4, {"a": 0.8, "a-labelled": 0.7})
    [gain] = found.unlabelled_gains()
    blank = replace(found, runs=[run | {"predicted": None} for run in found.runs])
    assert blank.unlabelled_gains() == [gain | {"n_helped": None, "n_harmed": None}]
    failed = [run | ({"error": "no"} if run["method"] == "a" else {}) for run in found.runs]
    assert replace(found, runs=failed).unlabelled_gains() == []
    # Only the splits in which both finished are compared.
    one = [
        run | ({"error": "no"} if (run["method"], run["repeat"]) == ("a", 0) else {}) for run in found.runs
    ]
    [rest] = replace(found, runs=one).unlabelled_gains()
    later = [run["scores"]["micro_f1"] for run in found.runs_of("a-labelled")[1:]]
    assert rest["without"] == pytest.approx(np.mean(later))
