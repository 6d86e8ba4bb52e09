import copy
from dataclasses import asdict

import numpy as np
import pytest

from textspace.evaluation import MultilabelEvaluation, evaluate, multilabel_scores


class Sayings:
    """A model that says of each text the probabilities that stand in it."""

    several_ = True
    classes_ = np.array(["corn", "grain", "ship"])

    def predict_proba(self, texts):
        return np.array([[float(word) for word in text.split()] for text in texts])

    def decide(self, probabilities):
        return [tuple(self.classes_[row > 0.5]) for row in probabilities]


TEXTS = [".9 .8 .1", ".2 .3 .7", ".6 .1 .2", ".0 .1 .0", ".7 .6 .4"]
LABELS = [["corn", "grain"], ["ship", "tin"], ["grain"], [], None]


@pytest.fixture
def evaluation():
    return evaluate(Sayings(), TEXTS, LABELS)


def test_what_a_model_said(evaluation):
    assert evaluation.truth == [[0, 1], [2], [1], []]
    assert evaluation.predicted == [[0, 1], [2], [0], []]
    assert evaluation.n_unknown == [0, 1, 0, 0]
    assert evaluation.unknown_labels == {"tin": 1}
    assert evaluation.top[1] == [[2, 0.7], [1, 0.3], [0, 0.2]]
    assert evaluation.texts == TEXTS[:4]
    assert evaluation.scores["n_documents"] == 4
    truth = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 0, 0], [0, 0, 0, 0]])
    probabilities = np.hstack([Sayings().predict_proba(TEXTS[:4]), np.zeros((4, 1))])
    wanted = multilabel_scores(truth, probabilities > 0.5, probabilities)
    assert {name: evaluation.scores[name] for name in wanted} == wanted
    assert evaluation.per_label()["support"].tolist() == [1, 2, 1]
    # of grain .8, .3, .1 and .1, the first and one of the last two are right
    assert evaluation.per_label()["average_precision"].tolist() == [1.0, 0.75, 1.0]


def test_what_comes_together_and_what_is_confused(evaluation):
    assert evaluation.confusions() == [{"missed": 1, "given": 0, "documents": 1}]
    assert evaluation.together() == [{"first": 0, "second": 1, "documents": 1, "found": 1, "given": 1}]
    assert evaluation.cardinality() == [
        {"labels": 0, "true": 1, "predicted": 1},
        {"labels": 1, "true": 1, "predicted": 2},
        {"labels": 2, "true": 2, "predicted": 1},
    ]


def test_one_threshold_for_all_labels(evaluation):
    [half] = [point for point in evaluation.curve if point["threshold"] == 0.5]
    assert half["micro_precision"] == pytest.approx(3 / 4)  # .9, .8 and .7 are right, .6 is not
    assert half["micro_recall"] == pytest.approx(3 / 5)
    assert half["micro_f1"] == pytest.approx(evaluation.scores["micro_f1"])
    assert evaluation.curve[-1]["micro_f1"] == 0


def test_given_probabilities_are_scored_in_place_of_the_models_own():
    flat = np.full((5, 3), 0.2)
    for given in (flat, flat[:4]):
        assert evaluate(Sayings(), TEXTS, LABELS, probabilities=given).predicted == [[], [], [], []]
    with pytest.raises(ValueError, match=r"shape \(3, 3\), but there are 4 documents with labels"):
        evaluate(Sayings(), TEXTS, LABELS, probabilities=flat[:3])


def test_a_file_gives_the_same_evaluation(evaluation, tmp_path):
    evaluation.save(tmp_path / "found.json")
    assert MultilabelEvaluation.load(tmp_path / "found.json") == evaluation


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"truth": [[0, 0], [2], [1], []]}, "truth or predicted holds labels"),
        ({"predicted": [[3], [2], [0], []]}, "truth or predicted holds labels"),
        ({"predicted": [[1]]}, "not there for each of 4 documents"),
        ({"top": [[[0, 2.0]], [], [], []]}, "top does not hold pairs"),
        ({"rows": [3, 2, 1, 0]}, "rows are not the places"),
        ({"scores": {"micro_f1": 1.0}}, "scores lacks macro_f1"),
        ({"reliability": [{"low": 0}]}, r"reliability\[0\] lacks high"),
        ({"thresholds": []}, None),
        ({"thresholds": [{"average_precision": 1, "threshold": 1, "threshold_f1": 1}]}, "thresholds are not"),
        ({"format": "other"}, "no evaluation saved by textspace"),
        ({"version": 2}, "version 2 of the format"),
    ],
)
def test_a_file_that_was_changed(evaluation, change, said):
    content = copy.deepcopy(asdict(evaluation)) | change
    if said is None:
        assert not MultilabelEvaluation.from_dict(content).thresholds
        return
    with pytest.raises(ValueError, match=said):
        MultilabelEvaluation.from_dict(content)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([["corn"]], "there are 5 texts, but 1 lists of labels"),
        ([None] * 5, "no document has a list of labels"),
        ([["corn"], "corn", None, None, None], "document 2 has the single label 'corn'"),
    ],
)
def test_labels_that_cannot_be_scored(labels, said):
    with pytest.raises(ValueError, match=said):
        evaluate(Sayings(), TEXTS, labels)


def test_lists_are_not_for_a_model_of_single_labels():
    model = Sayings()
    model.several_ = False
    with pytest.raises(ValueError, match="the model gives one label a document"):
        evaluate(model, TEXTS, LABELS)
