import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import (
    average_precision_score,
    confusion_matrix,
    f1_score,
    precision_recall_curve,
    roc_auc_score,
)

from textspace.evaluation import OUT_OF_FOLD, Evaluation, calibration_error, evaluate
from textspace.models import TextClassifier


@pytest.fixture(scope="module")
def evaluation(model, others):
    return evaluate(model, others.texts, others.labels)


def test_predictions_are_those_of_the_model(evaluation, model, others):
    shares = model.predict_proba(others.texts)
    assert evaluation.classes == model.classes_.tolist()
    names = np.array(evaluation.classes)
    assert names[evaluation.truth].tolist() == others.labels.tolist()
    assert names[evaluation.predicted].tolist() == model.predict(others.texts).tolist()
    np.testing.assert_allclose(evaluation.confidence, shares.max(axis=1), atol=1e-6)
    for row, three in enumerate(evaluation.top):
        expected = sorted(shares[row], reverse=True)[:3]
        np.testing.assert_allclose([share for _, share in three], expected, atol=1e-6)
        np.testing.assert_allclose(shares[row, [c for c, _ in three]], expected, atol=1e-6)


@pytest.fixture(scope="module")
def noisy(model, others):
    """An evaluation of probabilities that are often wrong."""
    shares = np.random.default_rng(0).dirichlet([0.5] * 3, size=len(others))
    return evaluate(model, others.texts, others.labels, probabilities=shares), shares


def test_scores_match_scikit_learn(noisy, others):
    evaluation, shares = noisy
    answers = np.array(evaluation.classes)[shares.argmax(axis=1)]
    found = evaluation.scores
    assert found["micro_f1"] == pytest.approx(f1_score(others.labels, answers, average="micro"))
    assert found["macro_f1"] == pytest.approx(f1_score(others.labels, answers, average="macro"))
    assert found["auc"] == pytest.approx(roc_auc_score(others.labels, shares, multi_class="ovr"))
    assert found["calibration_error"] == calibration_error(evaluation.confidence, answers == others.labels)
    assert found["n_documents"] == len(others)
    np.testing.assert_array_equal(evaluation.confusion(), confusion_matrix(others.labels, answers))
    by_class = f1_score(others.labels, answers, average=None)
    np.testing.assert_allclose(evaluation.per_class()["f1"], by_class)
    assert evaluation.per_class()["classes"].tolist() == evaluation.classes
    accuracy = (answers == others.labels).mean()
    assert evaluation.reject_curve()["accuracy"][-1] == pytest.approx(accuracy)
    bins = evaluation.reliability()
    assert sum(one["accuracy"] * one["n_documents"] for one in bins) == pytest.approx(accuracy * len(others))


@pytest.mark.parametrize("digits", [1, 8], ids=["ties", "no ties"])
def test_thresholds_match_scikit_learn(model, digits):
    rng = np.random.default_rng(digits)
    codes = rng.choice(4, 200, p=[0.8, 0.15, 0.05, 0.0]) % 3
    labels = model.classes_[codes]
    labels[::9] = "other"  # is of no class, but has probabilities
    shares = rng.dirichlet([0.5] * 3, size=200) + 0.3 * (codes[:, None] == np.arange(3))
    shares = (shares / shares.sum(axis=1, keepdims=True)).round(digits)
    evaluation = evaluate(model, ["text"] * 200, labels, probabilities=shares)
    found = evaluation.per_class()
    for c, each in enumerate(evaluation.thresholds):
        inside, share = labels == model.classes_[c], shares[:, c]
        assert each["average_precision"] == pytest.approx(average_precision_score(inside, share))
        precision, recall, thresholds = precision_recall_curve(inside, share)
        f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
        assert each["threshold_f1"] == pytest.approx(f1.max())
        assert each["threshold"] in thresholds[np.isclose(f1[:-1], f1.max())]
        assert each["threshold_f1"] == pytest.approx(f1_score(inside, share >= each["threshold"]))
        assert found["threshold"][c] == each["threshold"]


def test_a_class_without_a_document_has_no_threshold(model):
    evaluation = evaluate(model, ["corn", "wheat"], ["grain", "grain"])
    assert evaluation.thresholds[1:] == [dict.fromkeys(evaluation.thresholds[0])] * 2
    assert np.isnan(evaluation.per_class()["threshold"]).tolist() == [False, True, True]
    assert evaluation.rarer_class is None


def test_the_rarer_of_two_classes():
    texts = ["corn and wheat", "wheat crop", "corn crop", "a corn field", "sea port", "a ship at sea"]
    model = TextClassifier("rlsc").fit(texts, ["grain"] * 4 + ["ship"] * 2)
    evaluation = evaluate(model, texts, ["grain"] * 4 + ["ship"] * 2)
    assert evaluation.rarer_class == {"class": "ship", **evaluation.thresholds[1]}
    assert evaluate(model, texts[:4], ["grain"] * 4).rarer_class is None
    assert evaluate(model, texts[2:], ["grain"] * 2 + ["ship"] * 2).rarer_class is None  # both as many


def test_labels_that_the_model_does_not_know(model, others):
    labels = others.labels.astype(object)
    labels[:3] = ["tin", "oil", "tin"]
    evaluation = evaluate(model, others.texts, labels)
    assert evaluation.unknown_labels == {"oil": 1, "tin": 2}
    assert evaluation.truth[:3] == [-1, -1, -1]
    assert evaluation.confusion().sum() == len(others) - 3
    answers = model.predict(others.texts)
    assert evaluation.scores["accuracy"] == pytest.approx((answers == labels).mean())
    expected = f1_score(labels.astype(str), answers, average="macro")
    assert evaluation.scores["macro_f1"] == pytest.approx(expected)
    assert {0, 1, 2} <= set(evaluation.rows)


def test_documents_without_a_label_are_left_out(model, corpus):
    kept = np.arange(len(corpus)) % 3 > 0
    expected = evaluate(model, corpus.subset(kept).texts, corpus.labels[kept])
    for mark in ("", None, float("nan")):
        labels = np.where(kept, corpus.labels, "").astype(object)
        labels[~kept] = mark
        assert evaluate(model, corpus.texts, labels) == expected
        shares = model.predict_proba(corpus.texts)
        for given in (shares, shares[kept]):
            assert evaluate(model, corpus.texts, labels, probabilities=given) == expected


def test_out_of_fold_probabilities_of_the_training_documents(model, corpus):
    shares = model.out_of_fold_proba_
    evaluation = evaluate(model, corpus.texts, corpus.labels, probabilities=shares, source=OUT_OF_FOLD)
    assert evaluation.source == "out-of-fold training documents"
    np.testing.assert_array_equal(evaluation.predicted, shares.argmax(axis=1))


def test_errors_are_shown_first_and_texts_are_cut(model):
    rng = np.random.default_rng(0)
    texts = [f"{row} " + "corn " * 1000 for row in range(5000)]
    shares = rng.dirichlet([1] * 3, size=5000)
    truth = rng.integers(3, size=5000)
    few = np.where(rng.random(5000) < 0.98, shares.argmax(axis=1), truth)
    evaluation = evaluate(model, texts, model.classes_[few], probabilities=shares)
    errors = np.flatnonzero(few != shares.argmax(axis=1))
    assert 0 < len(errors) < 2000 == len(evaluation.rows) == len(evaluation.texts)
    assert set(errors) <= set(evaluation.rows)
    assert evaluation.rows == sorted(set(evaluation.rows))
    assert {len(shown) for shown in evaluation.texts} == {2000}
    assert [int(shown.split()[0]) for shown in evaluation.texts] == evaluation.rows
    many = evaluate(model, texts, model.classes_[truth], probabilities=shares)
    wrong = np.flatnonzero(truth != shares.argmax(axis=1))
    assert set(many.rows) <= set(wrong)
    left_out = np.setdiff1d(wrong, many.rows)
    confidence = np.array(many.confidence)
    assert confidence[left_out].max() <= confidence[many.rows].min()


def test_term_counts_have_no_texts_to_show(corpus):
    counts = sparse.csr_array(CountVectorizer().fit_transform(corpus.texts))
    model = TextClassifier("rlsc").fit(counts, corpus.labels)
    labels = corpus.labels.astype(object)
    labels[0] = None
    evaluation = evaluate(model, counts, labels)
    assert (evaluation.texts, evaluation.rows) == ([], [])
    assert evaluation.scores["n_documents"] == len(corpus) - 1


@pytest.mark.parametrize(
    ("texts", "labels", "more", "said"),
    [
        (["corn"], ["grain", "ship"], {}, "there are 1 texts, but 2 labels"),
        (["corn", "ore"], ["", None], {}, "no document has a label"),
        (
            ["corn"],
            ["grain"],
            {"probabilities": np.ones((1, 2))},
            r"shape \(1, 2\), but .* 3 classes",
        ),
        (["corn"], ["grain"], {"probabilities": np.ones((3, 3))}, r"shape \(3, 3\), but there are 1 "),
    ],
)
def test_what_does_not_fit_gets_a_sentence(texts, labels, more, said, model):
    with pytest.raises(ValueError, match=said):
        evaluate(model, texts, labels, **more)


def test_survives_a_round_trip_through_a_file(evaluation, tmp_path):
    curve = [{"n_train": 10, "micro_f1": 0.5, "macro_f1": 0.25}]
    whole = replace(evaluation, learning_curve=curve)
    whole.save(tmp_path / "evaluation.json")
    assert Evaluation.load(tmp_path / "evaluation.json") == whole
    assert json.loads((tmp_path / "evaluation.json").read_text()) == asdict(whole)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other"}, "does not say"),
        ({"version": 2}, "version 2 .* upgrade"),
        ({"truth": [9] * 24}, "truth holds a class that there is not"),
        ({"truth": [0]}, "predicted is not a class for each of 1 documents"),
        ({"predicted": [-1] * 24}, "predicted is not a class for each of 24 documents"),
        ({"confidence": [1.5] * 24}, r"confidence\[0\] should be a number from 0 to 1, but is 1.5"),
        ({"confidence": [float("nan")] * 24}, r"confidence\[0\] should be a number"),
        ({"rows": [100], "texts": ["a"]}, "rows are not the places of the texts"),
        ({"texts": [3] * 24}, r"texts\[0\] should be a text, but is 3"),
        ({"top": [[[7, 0.5]]] * 24}, "top does not hold pairs of a class and its probability"),
        ({"top": [[[]]] * 24}, "top does not hold pairs of a class and its probability"),
        ({"scores": {}}, "damaged: scores lacks accuracy"),
        ({"learning_curve": [3]}, "damaged"),
        ({"thresholds": [{}] * 3}, "damaged"),
        ({"places": [["row 1", "a"]]}, "damaged"),
        ({"places": ["row 1"]}, "damaged"),
        ({"thresholds": [{"average_precision": 1, "threshold": "a", "threshold_f1": 1}] * 3}, "damaged"),
        ({"thresholds": [{"average_precision": 1, "threshold": 1, "threshold_f1": 1}]}, "damaged"),
        ({"top": 3}, "damaged"),
        ({"classes": None}, "damaged"),
        ({"truth": "text"}, "damaged"),
    ],
)
def test_a_forged_or_foreign_file_gets_a_sentence(change, said, evaluation, tmp_path):
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(asdict(evaluation) | change))
    with pytest.raises(ValueError, match=said) as caught:
        Evaluation.load(path)
    assert str(path) in str(caught.value)


def test_a_file_that_lacks_something(evaluation, tmp_path):
    content = asdict(evaluation)
    del content["rows"], content["top"]
    (tmp_path / "short.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match="lacks top, rows"):
        Evaluation.load(tmp_path / "short.json")


def test_a_file_of_an_older_version_has_no_thresholds(evaluation, tmp_path):
    content = asdict(evaluation)
    del content["thresholds"]
    (tmp_path / "old.json").write_text(json.dumps(content))
    old = Evaluation.load(tmp_path / "old.json")
    assert old == replace(evaluation, thresholds=[])
    assert np.isnan(old.per_class()["average_precision"]).all()
    assert old.rarer_class is None


def test_documents_come_as_a_table(model, others):
    pytest.importorskip("pandas")
    found = evaluate(model, others.texts, others.labels)
    frame = found.to_frame()
    assert frame["label"].tolist() == list(others.labels)
    assert frame["right"].mean() == pytest.approx(found.scores["accuracy"])


def test_places_are_those_of_the_documents_that_are_shown(model, others, tmp_path):
    labels = others.labels.astype(object)
    labels[0] = ""  # without a label it is left out, and its place too
    places = [(f"row {row}", f"t-{row}") for row in range(len(others))]
    found = evaluate(model, others.texts, labels, places=places)
    assert found.places == [[f"row {row + 1}", f"t-{row + 1}"] for row in found.rows]
    found.save(tmp_path / "evaluation.json")
    assert Evaluation.load(tmp_path / "evaluation.json").places == found.places
    older = asdict(found)
    del older["places"]
    assert Evaluation.from_dict(older).places == []
