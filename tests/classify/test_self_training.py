"""Self-training: the rule, step by step, and what it gains."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.svm import LinearSVC

from textspace.classify import RLSC, SelfTraining
from textspace.classify._self_training import fit_weighted, take, weight_argument


def documents(n_samples=150, n_labelled=30, n_classes=3, n_features=60, length=12, seed=0):
    """Give unit rows of terms, some of which a topic has more often, and labels of the first documents."""
    rng = np.random.default_rng(seed)
    topics = np.arange(n_samples) % n_classes
    shares = 1 + 3.0 * (np.arange(n_features) % n_classes == np.arange(n_classes)[:, None])
    X = rng.multinomial(length, (shares / shares.sum(axis=1, keepdims=True))[topics]).astype(float)
    labels = np.array([f"topic {topic}" for topic in topics])
    y = np.where(np.arange(n_samples) < n_labelled, labels, "")
    return sparse.csr_array(X / np.linalg.norm(X, axis=1, keepdims=True)), y, labels


ESTIMATORS = pytest.mark.parametrize(
    "estimator",
    [LogisticRegression(C=10), LinearSVC(), RLSC(0.3), MultinomialNB(), KNeighborsClassifier(3)],
    ids=lambda estimator: type(estimator).__name__,
)


@ESTIMATORS
def test_without_unlabelled_documents_equals_the_plain_estimator(estimator):
    X, _, labels = documents()
    ours, plain = SelfTraining(estimator).fit(X, labels), clone(estimator).fit(X, labels)
    np.testing.assert_array_equal(ours.predict(X), plain.predict(X))
    assert ours.history_ == []
    np.testing.assert_array_equal(ours.labels_, labels)


def test_without_calibration_probabilities_are_the_estimators():
    X, _, labels = documents()
    ours = SelfTraining(LogisticRegression(), cv=None).fit(X, labels)
    plain = LogisticRegression().fit(X, labels)
    np.testing.assert_allclose(ours.predict_proba(X), plain.predict_proba(X))
    np.testing.assert_allclose(ours.predict_log_proba(X), np.log(plain.predict_proba(X)))


def test_rounds_follow_the_rule():
    X, y, _ = documents()
    known, other = y != "", np.flatnonzero(y == "")
    first = last = LogisticRegression(C=10).fit(X[known], y[known])
    for _ in range(2):
        shares = last.predict_proba(X[other])
        answers, confidence = shares.argmax(axis=1), shares.max(axis=1)
        weights = known.astype(float)
        pseudo = y.copy()
        pseudo[other] = first.classes_[answers]
        for row, answer, sure in zip(other, answers, confidence, strict=True):
            rivals = np.sort(confidence[answers == answer])[::-1]
            if sure >= 0.6 or sure >= rivals[int(np.ceil(0.3 * len(rivals))) - 1]:
                weights[row] = 0.4 * sure
        last = LogisticRegression(C=10).fit(X[weights > 0], pseudo[weights > 0], weights[weights > 0])
    ours = SelfTraining(
        LogisticRegression(C=10), threshold=0.6, quota=0.3, weight=0.4, n_rounds=2, cv=None
    ).fit(X, y)
    np.testing.assert_allclose(ours.weights_, weights)
    np.testing.assert_array_equal(ours.labels_, pseudo)
    np.testing.assert_allclose(ours.estimator_.coef_, last.coef_)
    expected = np.sqrt(first.predict_proba(X) * last.predict_proba(X))
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(ours.predict_proba(X), expected)
    np.testing.assert_array_equal(ours.predict(X), first.classes_[expected.argmax(axis=1)])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("threshold", "quota"), [(0.7, 0.5), (1.0, 0.2), (0.5, 0.0), (1.0, 1.0)])
def test_takes_the_sure_and_the_surest_of_each_class(threshold, quota, seed):
    rng = np.random.default_rng(seed)
    answers, confidence = rng.integers(0, 4, 50), rng.random(50)
    taken = take(answers, confidence, threshold=threshold, quota=quota)
    assert taken[confidence >= threshold].all()
    for label in range(4):
        members = answers == label
        sure = np.sum(members & (confidence >= threshold))
        assert taken[members].sum() == max(sure, np.ceil(quota * members.sum()))
        if 0 < taken[members].sum() < members.sum():
            assert confidence[members & taken].min() >= confidence[members & ~taken].max()


@ESTIMATORS
def test_records_what_happened(estimator):
    X, y, _ = documents()
    model = SelfTraining(estimator, weight=0.3).fit(X, y)
    assert len(model.history_) == 3
    for each in model.history_:
        assert len(each["taken"]) == 3
        assert 0 < each["confidence"] <= 1
    assert model.history_[0]["changed"] == np.sum(y == "")
    known = y != ""
    np.testing.assert_array_equal(model.labels_[known], y[known])
    np.testing.assert_array_equal(model.weights_[known], 1)
    taken = ~known & (model.weights_ > 0)
    assert taken.sum() == model.history_[-1]["taken"].sum()
    assert model.weights_[taken].max() <= 0.3
    assert model.weights_[taken].mean() == pytest.approx(0.3 * model.history_[-1]["confidence"])
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_weights_reach_the_last_step_of_a_pipeline():
    X, _, labels = documents()
    weights = np.random.default_rng(0).random(len(labels))
    scaled = MaxAbsScaler().fit_transform(X)
    expected = LogisticRegression().fit(scaled, labels, sample_weight=weights)
    for depth in (1, 2):
        model = LogisticRegression()
        for _ in range(depth):
            model = make_pipeline(MaxAbsScaler(), model)
        fitted = fit_weighted(model, X, labels, weights)
        np.testing.assert_allclose(fitted.predict_proba(X), expected.predict_proba(scaled))


def test_an_estimator_without_weights_counts_all_alike():
    assert weight_argument(KNeighborsClassifier()) is None
    assert weight_argument(make_pipeline(MaxAbsScaler(), KNeighborsClassifier())) is None
    X, y, _ = documents()
    X = X.toarray()
    model = SelfTraining(LinearDiscriminantAnalysis()).fit(X, y)
    used = model.weights_ > 0
    alone = LinearDiscriminantAnalysis().fit(X[used], model.labels_[used])
    np.testing.assert_allclose(model.estimator_.coef_, alone.coef_)


@pytest.mark.parametrize("estimator", [LogisticRegression(C=10), LinearSVC(), RLSC(0.3), MultinomialNB()])
def test_unlabelled_documents_of_two_topics_help(estimator):
    gains = []
    for seed in range(3):
        X, y, labels = documents(1500, 6, n_classes=2, n_features=200, length=20, seed=seed)
        model = SelfTraining(estimator).fit(X[:1000], y[:1000])
        X_new, y_new = X[1000:], labels[1000:]
        gains.append(model.score(X_new, y_new) - model.initial_estimator_.score(X_new, y_new))
    assert min(gains) > 0
    assert np.mean(gains) > 0.03


def test_a_quota_gives_documents_to_a_class_that_a_threshold_leaves_out():
    rng = np.random.default_rng(0)
    topics = np.arange(300) % 3
    X = rng.normal(size=(300, 3)) * 0.3 + 2 * np.eye(3)[topics]
    X[topics == 2] += [2, 0, -1.5]  # near to topic 0
    y = np.where(np.arange(300) < 30, topics, -1)
    taken = {
        quota: SelfTraining(LogisticRegression(C=0.1), threshold=0.8, quota=quota, n_rounds=1, cv=None)
        .fit(X, y)
        .history_[0]["taken"]
        for quota in (0.0, 0.5)
    }
    assert taken[0.0][2] == 0
    assert taken[0.5][2] > 20


@pytest.mark.parametrize("estimator", [LinearSVC(), RLSC(0.3), MultinomialNB(alpha=1e-3)])
def test_calibrated_confidence_is_about_how_often_it_is_right(estimator):
    X, y, labels = documents(1200, 200)
    for cv, near in [(5, True), (None, False)]:
        model = SelfTraining(estimator, n_rounds=1, cv=cv).fit(X[:200], y[:200])
        confidence = model.predict_proba(X[200:]).max(axis=1).mean()
        right = model.score(X[200:], labels[200:])
        assert (abs(confidence - right) < 0.06) == near
    assert model.temperature_ == 1


def test_two_classes_and_decision_values():
    X, y, labels = documents(n_classes=2)
    model = SelfTraining(LinearSVC()).fit(X, y)
    assert model.predict_proba(X).shape == (150, 2)
    assert model.score(X, labels) > 0.8


def test_a_class_of_one_labelled_document():
    X, y, labels = documents(n_labelled=1)
    y[1:3] = labels[1:3]
    model = SelfTraining(LogisticRegression(C=10)).fit(X, y)  # nothing to calibrate by
    assert model.temperature_ == 1
    assert len(model.history_) == 3


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csc_array, lambda X: X.toarray()])
def test_sparse_equals_dense(container):
    X, y, _ = documents()
    expected, ours = (SelfTraining(RLSC(0.3)).fit(each, y) for each in (X, container(X)))
    np.testing.assert_allclose(ours.predict_proba(container(X)), expected.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("mark", [-1, None, np.nan])
def test_every_mark_of_an_unlabelled_row_gives_the_same(mark):
    X, y, _ = documents()
    words = SelfTraining(RLSC(0.3)).fit(X, y)
    ours = SelfTraining(RLSC(0.3)).fit(X, [int(label[-1]) if label else mark for label in y])
    np.testing.assert_allclose(ours.predict_proba(X), words.predict_proba(X))


def test_nothing_taken_leaves_the_estimator_as_it_was():
    X, y, _ = documents()
    model = SelfTraining(LogisticRegression(), threshold=1.0, quota=0.0, cv=None).fit(X, y)
    assert [each["taken"].sum() for each in model.history_] == [0, 0, 0]
    np.testing.assert_allclose(model.predict_proba(X), model.initial_estimator_.predict_proba(X))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"threshold": 1.1}, "'threshold' .* Got 1.1"),
        ({"quota": -0.1}, "'quota' .* Got -0.1"),
        ({"weight": 0}, "'weight' .* Got 0"),
        ({"n_rounds": 0}, "'n_rounds' .* Got 0"),
        ({"cv": 1}, "'cv' .* Got 1"),
    ],
)
def test_bad_settings_are_named(settings, message):
    X, y, _ = documents()
    with pytest.raises(ValueError, match=message):
        SelfTraining(RLSC(0.3), **settings).fit(X, y)


class Silent(ClassifierMixin, BaseEstimator):
    """A classifier that does not say how sure it is."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(X.shape[0], self.classes_[0])


def test_bad_labels_and_estimators_are_named():
    X, y, labels = documents()
    with pytest.raises(ValueError, match="y has no label"):
        SelfTraining(RLSC(0.3)).fit(X, np.full(len(y), ""))
    with pytest.raises(ValueError, match="only one class"):
        SelfTraining(RLSC(0.3)).fit(X, np.where(labels == "topic 0", labels, ""))
    with pytest.raises(TypeError, match="Silent has neither predict_proba nor decision_function"):
        SelfTraining(Silent()).fit(X, y)


def test_clone_and_pickle():
    X, y, _ = documents()
    fitted = SelfTraining(RLSC(0.3), quota=0.2).fit(X, y)
    assert clone(fitted).quota == 0.2
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X), fitted.predict(X))
