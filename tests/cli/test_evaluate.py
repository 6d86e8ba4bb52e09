import json

import numpy as np
import pytest

from textspace.datasets import load as load_corpus
from textspace.evaluation import Evaluation
from textspace.models import load


@pytest.fixture
def others(tmp_path):
    """Documents that the model has not seen, one class wrong throughout and one that it does not know."""
    rows = [f"corn wheat field{n},grain" for n in range(6)]
    rows += [f"bank loan street{n},money" for n in range(3)]
    rows += [f"barley and crop sea{n},ship" for n in range(2)]
    rows += ["copper and tin,metal", "zinc,metal", "no label at all,"]
    (tmp_path / "others.csv").write_text("text,label\n" + "\n".join(rows))
    return tmp_path / "others.csv"


def test_scores_classes_and_confusions(run, trained, others):
    outcome = run("evaluate", trained, others)
    assert outcome.code == 0
    accuracy = 9 / 13
    assert f"accuracy {accuracy:.3f}, " in outcome.out
    assert "(13 documents of others.csv)" in outcome.out
    assert "labels that the model has not learned, all counted as errors: 'metal' (2)" in outcome.out
    lines = [line.split() for line in outcome.out.splitlines()]
    assert next(line[0] for line in lines if line and line[0] in ("grain", "money", "ship")) == "ship"
    assert ["ship", "grain", "2"] in lines
    assert "90% accuracy: " in outcome.out


def test_json_is_what_the_model_does(run, trained, others):
    found = json.loads(run("evaluate", trained, others, "--json").out)
    assert found["unknown_labels"] == {"metal": 2}
    assert found["confusions"][0] == {"true": "ship", "predicted": "grain", "documents": 2}
    assert [row["f1"] for row in found["classes"]] == sorted(row["f1"] for row in found["classes"])
    assert sum(row["support"] for row in found["classes"]) == 11
    by_hand = np.mean(
        load(trained).predict(["corn wheat", "bank loan", "barley crop"]) == ["grain", "money", "ship"]
    )
    assert by_hand == pytest.approx(2 / 3)
    assert found["scores"]["n_documents"] == 13


def test_the_reject_line_holds(run, tmp_path):
    run("train", "demo", "--method", "rlsc", "-o", "demo.textspace")
    found = json.loads(run("evaluate", "demo.textspace", "demo", "--json").out)
    corpus, model = load_corpus("demo").test, load(tmp_path / "demo.textspace")
    shares = model.predict_proba(corpus.texts)
    right = model.classes_[shares.argmax(axis=1)] == corpus.labels
    assert found["scores"]["accuracy"] == pytest.approx(np.mean(right))
    for each in found["rejection"]:
        answered = shares.max(axis=1) >= each["min_confidence"] - 1e-6
        assert np.mean(answered) == pytest.approx(each["coverage"])
        assert np.mean(right[answered]) >= each["accuracy"]


def test_the_saved_evaluation_makes_a_report(run, trained, others, tmp_path):
    outcome = run("evaluate", trained, others, "-o", "evaluation.json")
    assert "evaluation: evaluation.json" in outcome.err
    evaluation = Evaluation.load(tmp_path / "evaluation.json")
    assert evaluation.source == "documents of others.csv"
    assert evaluation.scores["n_documents"] == 13


def test_training_documents_are_recognised(run, trained):
    outcome = run("evaluate", trained, trained.with_name("mails.csv"))
    assert "warning: the model was trained on these very documents" in outcome.err
    assert "warning" not in run("evaluate", trained, "demo").err


def test_test_documents_of_a_split(run, trained):
    outcome = run("evaluate", trained, "demo", "--json")
    assert "these are the test documents of demo" in outcome.err
    found = json.loads(outcome.out)
    assert found["scores"]["n_documents"] == sum(found["unknown_labels"].values()) == 120
    assert found["classes"] == []
    text = run("evaluate", trained, "demo").out
    assert "and 2 more" in text
    assert "90% accuracy: not reached" in text


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["absent.textspace", "others.csv"], 1, "there is no model file absent.textspace"),
        (["others.csv", "others.csv"], 1, "others.csv"),
        (["MODEL", "MODEL"], 1, "is a model file: give documents"),
        (["MODEL", "nolabel.csv"], 1, "nolabel.csv has no labelled documents to test on"),
        (["MODEL", "others.csv", "--label", "labl"], 1, "did you mean 'label'?"),
        (["MODEL", "others.csv", "-o", "absent/e.json"], 1, "there is no folder absent"),
        (["MODEL", "demmo"], 2, "Did you mean 'demo'?"),
    ],
)
def test_errors_are_sentences(run, trained, others, tmp_path, words, code, sentence):
    (tmp_path / "nolabel.csv").write_text("id,text\n1,corn rose\n2,wheat fell\n")
    outcome = run("evaluate", *(trained if word == "MODEL" else word for word in words))
    assert (outcome.code, outcome.out) == (code, "")
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err
