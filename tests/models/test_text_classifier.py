import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit, softmax
from sklearn.base import clone
from sklearn.metrics import get_scorer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline

from textspace.classify import adjusted, estimate_shares
from textspace.datasets import load
from textspace.methods import METHODS
from textspace.models import TextClassifier
from textspace.text import VectorSpace
from textspace.tree import LabelTree

TREE = {"corn": "grain", "wheat": "grain", "ship": "trade", "dlr": "trade"}


@pytest.fixture(scope="module")
def demo():
    return load("demo")


@pytest.fixture(scope="module", params=["auto", "svm", "lda", "nb"])
def fitted(request, demo):
    return TextClassifier(request.param).fit(demo.train.texts, demo.train.labels)


def test_texts_in_labels_and_probabilities_out(fitted, demo):
    shares = fitted.predict_proba(demo.test.texts)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-6)
    labels = fitted.predict(demo.test.texts)
    np.testing.assert_array_equal(labels, fitted.classes_[shares.argmax(axis=1)])
    assert np.mean(labels == demo.test.labels) > 0.7
    assert fitted.score(demo.test.texts, demo.test.labels) == np.mean(labels == demo.test.labels)


def test_scores_are_the_logarithms_of_probabilities_about_zero(fitted, demo):
    scores = fitted.decision_function(demo.test.texts[:20])
    np.testing.assert_allclose(scores.mean(axis=1), 0, atol=1e-5)
    np.testing.assert_allclose(softmax(scores, axis=1), fitted.predict_proba(demo.test.texts[:20]), rtol=1e-5)


TWO = [
    "corn crop",
    "ripe corn",
    "wheat crop",
    "a corn field",
    "ship in port",
    "a ship at sea",
    "sea port",
    "old ships",
]
GOODS = ["grain"] * 4 + ["ship"] * 4


@pytest.mark.parametrize("method", ["auto", "svm", "nb"])
def test_two_classes_have_one_decision_value_for_the_second(method):
    model = TextClassifier(method).fit(TWO, GOODS)
    values = model.decision_function(TWO)
    assert values.shape == (8,)
    np.testing.assert_allclose(expit(values), model.predict_proba(TWO)[:, 1], rtol=1e-5)
    np.testing.assert_array_equal(model.predict(TWO), model.classes_[(values > 0).astype(int)])


def test_scikit_learn_ranks_and_combines_text_classifiers(demo):
    three = np.isin(demo.labels, np.unique(demo.labels)[:3])
    texts, labels = [demo.texts[row] for row in np.flatnonzero(three)], np.asarray(demo.labels)[three]
    combined = OneVsRestClassifier(TextClassifier("svm")).fit(texts, labels)
    assert np.mean(combined.predict(texts) == labels) > 0.95
    model = TextClassifier("svm").fit(TWO, GOODS)
    assert get_scorer("roc_auc")(model, TWO, GOODS) == 1.0


def test_held_out_probabilities_foretell_the_test_score(fitted, demo):
    assert fitted.out_of_fold_proba_.shape == (len(demo.train), len(fitted.classes_))
    held_out = np.mean(fitted.classes_[fitted.out_of_fold_proba_.argmax(axis=1)] == demo.train.labels)
    assert held_out == pytest.approx(fitted.score(demo.test.texts, demo.test.labels), abs=0.12)


def test_a_method_of_the_catalogue_is_that_method(demo):
    model = TextClassifier("svm").fit(demo.train.texts, demo.train.labels)
    alone = make_pipeline(VectorSpace(), METHODS["svm"].build().set_params(**model.settings_, random_state=0))
    alone.fit(demo.train.texts, demo.train.labels)
    np.testing.assert_array_equal(model.predict(demo.test.texts), alone.predict(demo.test.texts))


@pytest.mark.parametrize("method", ["auto", "svm", "nb", "lsi"])
def test_no_confidence_asks_for_less_than_the_tree_gives(method):
    texts = ["corn crop", "corn yield", "wheat crop", "wheat field", "ship port", "ship sea", "dlr rate"] * 3
    labels = ["corn", "corn", "wheat", "wheat", "ship", "ship", "dlr"] * 3
    model = TextClassifier(method, tree=TREE).fit(texts, labels)
    probe = ["corn", "crop", "field of crop", "port", "rate", "nothing known here"]
    shares = model.predict_proba(probe)
    for confidence in (0.0, 0.5, 0.9, 1.0):
        for label, row in zip(model.predict(probe, min_confidence=confidence), shares, strict=True):
            best = model.classes_[row.argmax()]
            ways = [best, *LabelTree(TREE).ancestors(best)]
            mass = [row[np.isin(model.classes_, LabelTree(TREE).leaves_below(node))].sum() for node in ways]
            expected = next((n for n, m in zip(ways, mass, strict=True) if m >= confidence), "")
            assert label == expected


def test_without_a_tree_an_unsure_prediction_is_empty(demo):
    model = TextClassifier("nb").fit(demo.train.texts, demo.train.labels)
    sure = model.predict_proba(demo.test.texts).max(axis=1) >= 0.8
    labels = model.predict(demo.test.texts, min_confidence=0.8)
    np.testing.assert_array_equal(labels == "", ~sure)
    assert 0 < sure.mean() < 1


@pytest.mark.parametrize("method", ["auto", "self-training"])
def test_unlabelled_texts_are_learned_from(method):
    texts = ["corn crop", "corn yield", "ship port", "ship sea"]
    more = [
        "maize corn crop",
        "maize yield",
        "maize corn",
        "vessel ship",
        "vessel port",
        "vessel ship sea",
    ] * 3
    model = TextClassifier(method).fit(texts, ["grain", "grain", "ship", "ship"], unlabelled=more)
    assert model.predict(["maize", "vessel"]).tolist() == ["grain", "ship"]
    assert len(model.training_.labels) == 4
    assert model.out_of_fold_proba_.shape == (4, 2)
    same = TextClassifier(method).fit(texts + more, ["grain", "grain", "ship", "ship"] + [""] * len(more))
    np.testing.assert_allclose(same.predict_proba(["maize"]), model.predict_proba(["maize"]))


def test_shares_that_are_given_change_the_scores_by_their_logarithms(demo):
    shares = {demo.classes[0]: 0.5, demo.classes[3]: 0.02}
    plain = TextClassifier("rlsc").fit(demo.train.texts, demo.train.labels)
    model = TextClassifier("rlsc", shares=shares).fit(demo.train.texts, demo.train.labels)
    np.testing.assert_array_equal(plain.shares_, plain.class_shares_)
    np.testing.assert_allclose(model.shares_[[0, 3]], [0.5, 0.02])
    np.testing.assert_allclose(model.shares_.sum(), 1)
    expected = adjusted(plain.predict_proba(demo.test.texts), plain.shares_, model.shares_)
    np.testing.assert_allclose(model.predict_proba(demo.test.texts), expected, rtol=1e-5)
    np.testing.assert_array_equal(model.out_of_fold_proba_, plain.out_of_fold_proba_)
    why = model.explain(demo.test.texts[0])
    score = model.decision_function(demo.test.texts[:1])[0].max()
    assert why.constant + sum(term.contribution for term in why.terms) == pytest.approx(score, rel=1e-4)
    assert why.probabilities[why.label] == pytest.approx(expected[0].max(), rel=1e-4)


@pytest.fixture(scope="module")
def lopsided():
    """Thirty labels a class, and texts of which nine in ten are of one class; one in five misleads."""
    rng = np.random.default_rng(0)
    words = {"grain": ["corn", "wheat", "crop", "field"], "ship": ["port", "sea", "cargo", "vessel"]}
    common = ["price", "week", "market", "trade", "report", "said"]

    def text(label):
        other = words["ship" if label == "grain" else "grain"]
        own = words[label] if rng.random() < 0.8 else other
        return " ".join([*rng.choice(own, 2), rng.choice(other), *rng.choice(common, 3)])

    labels = ["grain", "ship"] * 30
    truth = ["grain" if rng.random() < 0.9 else "ship" for _ in range(600)]
    return [text(label) for label in labels], labels, [text(label) for label in truth], np.array(truth)


def test_shares_are_estimated_on_unlabelled_texts(lopsided):
    texts, labels, others, _ = lopsided
    alone = TextClassifier().fit(texts, labels)
    model = TextClassifier().fit(texts, labels, unlabelled=others)
    np.testing.assert_array_equal(alone.shares_, [0.5, 0.5])
    assert 0.75 < model.shares_[0] < 0.97
    told = TextClassifier(shares={"grain": 0.6}).fit(texts, labels, unlabelled=others)
    np.testing.assert_allclose(told.shares_, [0.6, 0.4])


def test_adapting_is_estimating_shares_and_assuming_them(lopsided):
    texts, labels, others, truth = lopsided
    model = TextClassifier().fit(texts, labels)
    probabilities = model.predict_proba(others)
    shares = estimate_shares(probabilities, model.shares_, 60)
    np.testing.assert_array_equal(model.shares_among(probabilities), shares)
    expected = adjusted(probabilities, model.shares_, shares)
    np.testing.assert_allclose(model.predict_proba(others, adapt=True), expected)
    adapted = model.predict(others, adapt=True)
    np.testing.assert_array_equal(adapted, model.classes_[expected.argmax(axis=1)])
    assert np.mean(adapted == truth) > np.mean(model.predict(others) == truth)
    np.testing.assert_allclose(model.predict_proba(others[:3], adapt=True), probabilities[:3], rtol=1e-12)
    told = TextClassifier(shares=dict(zip(["grain", "ship"], shares, strict=True))).fit(texts, labels)
    np.testing.assert_allclose(told.predict_proba(others), expected, rtol=1e-5)


def test_a_method_with_one_temperature_for_all_classes_tells_no_shares(lopsided):
    texts, labels, others, _ = lopsided
    model = TextClassifier("svm").fit(texts, labels, unlabelled=others)
    np.testing.assert_array_equal(model.shares_, [0.5, 0.5])
    with pytest.raises(ValueError, match="train with the method 'auto' in place of 'svm'"):
        model.predict(others, adapt=True)


def test_labels_may_be_numbers(demo):
    numbers = np.searchsorted(demo.classes, demo.train.labels) + 9  # 9, 10, 11: another order as text
    model = TextClassifier("rlsc").fit(demo.train.texts, numbers)
    names = TextClassifier("rlsc").fit(demo.train.texts, demo.train.labels)
    predicted = model.predict(demo.test.texts[:50])
    np.testing.assert_array_equal(demo.classes[predicted - 9], names.predict(demo.test.texts[:50]))


@pytest.mark.parametrize("method", ["auto", "rlsc"])
def test_term_counts_in_place_of_texts(method, demo):
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(min_df=2)
    train, test = counter.fit_transform(demo.train.texts), counter.transform(demo.test.texts)
    model = TextClassifier(method).fit(train, demo.train.labels)
    assert np.mean(model.predict(test) == demo.test.labels) > 0.7
    assert sparse.issparse(train)
    assert model.training_.excerpts[3] == "document 3"


def test_a_copy_fits_alike(fitted, demo):
    again = clone(fitted).fit(demo.train.texts, demo.train.labels)
    np.testing.assert_array_equal(
        again.decision_function(demo.test.texts[:10]), fitted.decision_function(demo.test.texts[:10])
    )


@pytest.mark.parametrize(
    ("texts", "labels", "message"),
    [
        (["a b"], ["x", "y"], "1 texts, but 2 labels"),
        (["corn crop", "ship sea"], ["x", "x"], "only one class, 'x'"),
        (["corn crop", "ship sea"], ["", ""], "no label"),
    ],
)
def test_bad_input_is_named(texts, labels, message):
    with pytest.raises(ValueError, match=message):
        TextClassifier().fit(texts, labels)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("ab", "given a single one: put it in a list"),
        (b"ab", "given a single one"),
        (7, "given int: put texts in a list"),
        (np.array([["corn", "crop"], ["ship", "sea"]]), r"ndarray of shape \(2, 2\): join its columns"),
    ],
)
def test_what_is_no_list_of_texts_is_refused(texts, message):
    with pytest.raises(TypeError, match=message):
        TextClassifier("nb").fit(texts, ["x", "y"])
    with pytest.raises(TypeError, match=message):
        TextClassifier("nb").fit(["corn crop", "ship sea"], ["x", "y"], unlabelled=texts)


def test_unknown_settings_are_named(demo):
    with pytest.raises(ValueError, match="there is no method 'forest': choose from lsi"):
        TextClassifier("forest").fit(demo.train.texts, demo.train.labels)
    with pytest.raises(ValueError, match="not in the tree"):
        TextClassifier("nb", tree={"a": "b"}).fit(demo.train.texts, demo.train.labels)
    with pytest.raises(ValueError, match="shares: there is no class 'corm'"):
        TextClassifier("nb", shares={"corm": 0.1}).fit(demo.train.texts, demo.train.labels)
    model = TextClassifier("nb").fit(demo.train.texts, demo.train.labels)
    with pytest.raises(ValueError, match="between 0 and 1"):
        model.predict(demo.test.texts, min_confidence=3)


def test_a_score_needs_a_label_of_each_text(fitted, others):
    labels = np.array(others.labels, dtype=object)
    assert fitted.score(others.texts, labels) == fitted.score(others.texts, others.labels)
    labels[1] = None
    with pytest.raises(ValueError, match="no label in row 1"):
        fitted.score(others.texts, labels)


@pytest.mark.parametrize("count", [-1, 1.5, "3"])
def test_what_is_no_number_of_things_to_list_is_refused(fitted, demo, count):
    with pytest.raises(ValueError, match=r"n_labels=.* must be a whole number, at least 1"):
        fitted.likely_labels(demo.test.texts[:2], n_labels=count)
    with pytest.raises(ValueError, match=r"n_terms=.* must be a whole number, at least 0"):
        fitted.explain(demo.test.texts[0], n_terms=count)
    with pytest.raises(ValueError, match=r"n_neighbors=.* must be a whole number, at least 0"):
        fitted.explain(demo.test.texts[0], n_neighbors=count)


def test_weights_of_zero_throughout_are_refused():
    with pytest.raises(ValueError, match="sample_weight is 0 for all texts"):
        TextClassifier(quick=True).fit(["corn", "ship"] * 3, ["grain", "sea"] * 3, sample_weight=np.zeros(6))
