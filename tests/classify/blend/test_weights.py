"""Weights of documents in the blend: a document of weight 2 is the same as two of them in one fold."""

import numpy as np
import pytest

from textspace._folds import deal_folds, fold_rows
from textspace.classify import SubspaceBlend, calibrate
from textspace.datasets import load
from textspace.models import TextClassifier
from textspace.text import VectorSpace


@pytest.fixture(scope="module")
def demo():
    corpus = load("demo").train
    rows = np.flatnonzero(np.isin(corpus.labels, ["shipping", "banking", "cooking", "energy"]))
    return [corpus.texts[row] for row in rows], np.array(corpus.labels)[rows]


class InGivenFolds(SubspaceBlend):
    """The blend whose folds are told it."""

    def _folds(self, y):
        return fold_rows(self.given)


def fit_in_folds(X, y, folds, **settings):
    blend = InGivenFolds(n_folds=2)
    blend.given = folds
    return blend.fit(X, y, **settings)


def test_a_weight_of_two_is_two_documents(demo):
    texts, y = demo
    X = VectorSpace().fit_transform(texts)
    rng = np.random.default_rng(0)
    y = np.where(rng.random(len(y)) < 0.3, rng.permutation(y), y)  # so that answers are not all sure
    folds = deal_folds(2, y, n_samples=len(y))
    times = rng.integers(1, 4, len(y))
    rows = np.repeat(np.arange(len(y)), times)
    weighted = fit_in_folds(X, y, folds, sample_weight=times)
    repeated = fit_in_folds(X[rows], y[rows], folds[rows])
    alike = fit_in_folds(X, y, folds)
    assert [own[:3] for own in weighted.kept_] == [own[:3] for own in repeated.kept_]
    np.testing.assert_allclose(weighted.calibration_.factors, repeated.calibration_.factors, rtol=0.02)
    found, expected = weighted.predict_proba(X), repeated.predict_proba(X)
    np.testing.assert_allclose(found, expected, atol=0.01)  # the regressions stop at a twentieth
    assert np.abs(alike.predict_proba(X) - expected).max() > 0.05
    first = np.cumsum(times) - times
    np.testing.assert_allclose(weighted.out_of_fold_, repeated.out_of_fold_[first], atol=0.05)
    assert np.abs(alike.out_of_fold_ - weighted.out_of_fold_).max() > 0.3


def test_calibration_counts_documents_by_their_weights():
    rng = np.random.default_rng(0)
    y, times = rng.integers(0, 3, 200), rng.integers(1, 5, 200)
    scores = [rng.normal(size=(200, 3)) + 2 * np.eye(3)[y] for _ in range(2)]
    rows = np.repeat(np.arange(200), times)
    found = calibrate(scores, y, sample_weight=times.astype(float))
    expected = calibrate([score[rows] for score in scores], y[rows])
    np.testing.assert_allclose(found.factors, expected.factors, rtol=1e-3)
    np.testing.assert_allclose(found.bias, expected.bias, atol=1e-3)


def test_documents_of_weight_zero_are_not_there(demo):
    texts, y = demo
    kept = np.random.default_rng(0).random(len(y)) < 0.7
    found = TextClassifier(quick=True).fit(texts, y, sample_weight=kept)
    expected = TextClassifier(quick=True).fit([t for t, own in zip(texts, kept, strict=True) if own], y[kept])
    np.testing.assert_allclose(found.predict_proba(texts), expected.predict_proba(texts), atol=1e-6)
    assert found.n_labelled_ == kept.sum()


def test_balanced_classes_count_the_same(demo):
    texts, y = demo
    rare = (y == "shipping") & (np.cumsum(y == "shipping") > 6)
    texts, y = [text for text, out in zip(texts, rare, strict=True) if not out], y[~rare]
    balanced = TextClassifier(quick=True, class_weight="balanced").fit(texts, y)
    by_hand = TextClassifier(quick=True).fit(
        texts, y, sample_weight=[len(y) / (len(set(y)) * np.sum(y == label)) for label in y]
    )
    asked = ["a quiet text of nothing in particular", *texts[:20]]
    np.testing.assert_allclose(balanced.predict_proba(asked), by_hand.predict_proba(asked), atol=1e-9)
    np.testing.assert_allclose(balanced.class_shares_, 1 / len(set(y)))
    plain = TextClassifier(quick=True).fit(texts, y)
    place = plain.classes_.tolist().index("shipping")
    assert balanced.predict_proba(asked)[0, place] > plain.predict_proba(asked)[0, place]


def test_weights_count_beside_unlabelled_documents(demo):
    texts, y = demo
    X = VectorSpace().fit_transform(texts)
    y = np.where(np.arange(len(y)) % 2, y, "")
    weights = np.where(y == "energy", 5.0, 1.0)
    found = SubspaceBlend(n_folds=2, random_state=0).fit(X, y, weights)
    plain = SubspaceBlend(n_folds=2, random_state=0).fit(X, y)
    place = found.classes_.tolist().index("energy")
    assert found.predict_proba(X)[:, place].mean() > plain.predict_proba(X)[:, place].mean()


@pytest.mark.parametrize(
    ("method", "weights", "message"),
    [
        ("auto", np.ones(1), "one weight for each text"),
        ("auto", -np.ones(80), "[Nn]egative"),
        ("rlsc", np.ones(80), "not with the method 'rlsc'"),
    ],
)
def test_weights_that_cannot_be_used_are_refused(demo, method, weights, message):
    texts, y = demo
    assert len(texts) == 80
    with pytest.raises(ValueError, match=message):
        TextClassifier(method).fit(texts, y, sample_weight=weights)


def test_a_class_of_no_weight_is_refused(demo):
    texts, y = demo
    with pytest.raises(ValueError, match="weight 0"):
        SubspaceBlend().fit(VectorSpace().fit_transform(texts), y, y != "energy")
