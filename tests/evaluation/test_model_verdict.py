import pytest

from textspace.evaluation._model_verdict import model_verdict


def summary(**changes):
    """A summary of a good model of three classes; only what the verdict reads."""
    rows = [
        {"class": 0, "f1": 0.9, "support": 100, "n_train": 300},
        {"class": 1, "f1": 0.88, "support": 80, "n_train": 200},
        {"class": 2, "f1": 0.86, "support": 20, "n_train": 60},
    ]
    return {
        "method": "Linear SVM",
        "source": "test documents",
        "classes": ["grain", "ship", "tin"],
        "n_documents": 1200,
        "n_wrong": 120,
        "suspects": [],
        "accuracy": 0.9,
        "interval": (0.88, 0.92),
        "scores": [{"key": "micro_f1", "value": 0.9}, {"key": "macro_f1", "value": 0.88}],
        "calibration": {"error": 0.01, "surplus": 0.01},
        "reject": {"steps": [{"refused": 0.1, "min_confidence": 0.52, "accuracy": 0.96}]},
        "per_class": rows,
        "rarer_class": None,
        "confusion": {"pairs": []},
        "learning_curve": [],
        "unknown_labels": {},
        "card": {"method": {"name": "svm"}},
    } | changes


def sentences(**changes):
    verdict = model_verdict(summary(**changes))
    return " ".join([verdict["headline"], *verdict["sentences"], *verdict["advice"]])


def test_the_headline_says_how_good_and_on_what():
    assert "90.0 % of 1,200 test documents (95 % interval 88.0 to 92.0 %)" in sentences()
    assert "of the 1,200 documents of mail.csv" in sentences(source="mail.csv")
    folds = sentences(source="out-of-fold training documents")
    assert "1,200 out-of-fold training documents" in folds
    assert "learned from the others only" in folds


@pytest.mark.parametrize(
    ("error", "surplus", "said"),
    [
        (0.01, 0.0, "at their word: they"),
        (0.04, 0.0, "about right"),
        (0.1, 0.1, "too sure"),
        (0.1, -0.1, "too modest"),
    ],
)
def test_probabilities_are_judged_by_their_error(error, surplus, said):
    assert said in sentences(calibration={"error": error, "surplus": surplus})


def test_refusing_is_said_with_its_limit():
    text = sentences()
    assert "below a probability of 0.52, 96.0 % of the others are right" in text
    assert "refuse" not in sentences(reject={"steps": []})
    assert "refuse" not in sentences(n_wrong=0)


def test_weak_classes_need_enough_documents():
    rows = summary()["per_class"]
    weak = {"class": 2, "f1": 0.3, "support": 20, "n_train": 60}
    assert "weakest on tin (0.30)" in sentences(per_class=[*rows[:2], weak])
    assert "weakest" not in sentences(per_class=[*rows[:2], weak | {"support": 2}])


def test_advice_follows_from_the_numbers():
    assert model_verdict(summary())["advice"] == []
    assert "12 of the 120 errors have a probability of 90 %" in sentences(suspects=range(12))
    pairs = [
        {"truth": 0, "predicted": 1, "count": 7},
        {"truth": 1, "predicted": 0, "count": 5},
        {"truth": 2, "predicted": 0, "count": 1},
    ]
    text = sentences(confusion={"pairs": pairs})
    assert "grain with ship (12)" in text
    assert "tin" not in text
    rows = summary()["per_class"]
    assert "1 of 3 have fewer than 10 training documents, such as tin (4)" in sentences(
        per_class=[*rows[:2], rows[2] | {"n_train": 4}]
    )
    assert "1 document has a label that the model never saw (oats): it counts" in sentences(
        unknown_labels={"oats": 1}
    )


def test_the_learning_curve_tells_whether_more_documents_help():
    points = [{"n_train": n, "micro_f1": score} for n, score in ((100, 0.8), (400, 0.9), (1000, 0.93))]
    said = "More training documents would help: from 400 to 1,000 micro F1 rose by 0.030"
    assert said in sentences(learning_curve=points)
    few = sentences(learning_curve=points, n_documents=200)
    assert "cannot be told: from 400 to 1,000 micro F1 rose by 0.030, which may be chance" in few
    # of folds, a fifth of the documents score the curve
    assert "cannot be told" in sentences(learning_curve=points, source="out-of-fold training documents")
    flat = [*points[:2], {"n_train": 1000, "micro_f1": 0.901}]
    assert "would help little" in sentences(learning_curve=flat, n_documents=8000)
    # that none of 100 documents is wrong does not say that none of 2,000 will be
    perfect = [point | {"micro_f1": 1.0} for point in points]
    assert "cannot be told" in sentences(learning_curve=perfect, n_documents=100)
    assert "would help little" in sentences(learning_curve=perfect, n_documents=2000)
    falling = [points[0] | {"micro_f1": 0.9}, points[1] | {"micro_f1": 0.89}]
    assert "micro F1 fell by 0.010" in sentences(learning_curve=falling, n_documents=200)


def test_the_rarer_of_two_classes_has_a_threshold():
    found = {"class": "spam", "average_precision": 0.8, "threshold": 0.3, "threshold_f1": 0.75}
    said = sentences(rarer_class=found)
    assert "rarer class, spam, the average precision is 0.800; its F1 is highest here, 0.750," in said
    assert "a probability of 0.300 or more" in said
    assert "rarer" not in sentences()


def test_what_a_blend_has_chosen_is_said():
    method = {
        "alphabets": ["letters"],
        "left_out": ["stems", "words"],
        "scorers": [{"scorer": "ridge", "alphabet": "letters", "penalty": 1.0, "gain": 0.0}],
    }
    said = "It reads letters; stems and words as written do not pay and are left out. It scores by ridge regr"
    assert said in sentences(card={"method": method})
    assert "It reads" not in sentences()
