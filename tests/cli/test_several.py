import csv
import json

import numpy as np
import pytest

from textspace.cli._several import cell_of, label_list_columns

ROWS = [
    ("the corn harvest rose", "grain;corn"),
    ("wheat harvest fell", "grain"),
    ("corn went by ship", "corn;ship"),
    ("a tanker at sea", "ship"),
    ("more corn and wheat", "grain;corn;corn"),
    ("nothing to report", "[]"),
    ("nobody knows", ""),
]


@pytest.fixture
def tickets(tmp_path):
    with open(tmp_path / "tickets.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "tags"), *ROWS])
    return tmp_path / "tickets.csv"


def test_check_asks_how_labels_are_to_be_read(run, tickets):
    for verb in ("check", "train"):
        outcome = run(verb, "tickets.csv")
        assert outcome.code == 1
        assert "labels look like lists separated by ';': add --several ';' or --several none" in outcome.err


def test_check_counts_labels(run, tickets):
    outcome = run("check", "tickets.csv", "--several", ";", "--json")
    found = json.loads(outcome.out)
    assert found["classes"] == {"corn": 3, "grain": 3, "ship": 2}
    assert (found["documents"], found["labelled"]) == (7, 6)
    assert len(json.loads(run("check", "tickets.csv", "--several", "none", "--json").out)["classes"]) == 6


def test_check_reads_columns_of_yes_and_no(run, tmp_path):
    (tmp_path / "t.csv").write_text("text,grain,ship\nCorn rose high,1,0\nA ship sank here,0,1\n")
    for options in (["--several", "columns"], ["--label", "grain", "--label", "ship"]):
        found = json.loads(run("check", "t.csv", *options, "--json").out)
        assert found["classes"] == {"grain": 1, "ship": 1}


def test_train_says_that_there_is_nothing_to_learn(run, tmp_path):
    (tmp_path / "t.csv").write_text("text,label\nCorn rose high,[]\nA ship sank here,[]\n")
    outcome = run("train", "t.csv", "--several", ";")
    assert outcome.code == 1
    assert "all 2 documents of t.csv are without labels" in outcome.err


def test_known_corpora_say_themselves_how_many_labels_they_have(run):
    outcome = run("train", "demo", "--several", ";")
    assert outcome.code == 2
    assert "--several are for your own files" in outcome.err


def test_select_needs_no_labels_or_one_each(run, tickets):
    outcome = run("select", "tickets.csv", "--several", ";", "--score", "chi2")
    assert outcome.code == 1
    assert "has several labels a document: choose a score that needs no labels" in outcome.err


class Sayings:
    """A model that says of each text the probabilities that stand in it."""

    several_ = True
    classes_ = np.array(["a;b", "corn", "grain"])

    def predict_proba(self, texts):
        return np.array([[float(word) for word in text.split()] for text in texts])

    def decide(self, probabilities):
        order = np.argsort(-probabilities, axis=1)
        return [
            tuple(self.classes_[own[row[own] > 0.5]]) for own, row in zip(order, probabilities, strict=True)
        ]


TEXTS = [".1 .7 .9", " ", ".6 .1 .2", ".1 .2 .3"]


def test_labels_come_by_falling_probability():
    found = label_list_columns(Sayings(), TEXTS)
    assert found["labels"] == ["grain;corn", "", '["a;b"]', "[]"]
    assert found["confidence"] == ["0.9;0.7", "", "0.6", ""]
    found = label_list_columns(Sayings(), TEXTS, as_lists=True)
    assert found["labels"] == [["grain", "corn"], None, ["a;b"], []]
    assert found["confidence"] == [[0.9, 0.7], None, [0.6], []]


def test_a_threshold_takes_the_place_of_the_models_decision():
    found = label_list_columns(Sayings(), TEXTS, threshold=0.15, as_lists=True)
    assert found["labels"] == [["grain", "corn"], None, ["a;b", "grain"], ["grain", "corn"]]


def test_the_most_probable_labels_come_in_any_case():
    found = label_list_columns(Sayings(), TEXTS, top=2)
    assert found["label_1"] == ["grain", "", "a;b", "grain"]
    assert found["label_2"] == ["corn", "", "grain", "corn"]
    assert found["confidence_2"] == [0.7, None, 0.2, 0.2]
    assert len(label_list_columns(Sayings(), TEXTS, top=9)) == 2 + 2 * 3
    assert label_list_columns(Sayings(), [""], top=1)["label_1"] == [""]


@pytest.mark.parametrize("labels", [["grain", "corn"], [], ["a;b", "c"], ["[x", "y"], [" a"]])
def test_a_cell_is_read_as_it_was_written(tmp_path, labels):
    from textspace.datasets import read

    with open(tmp_path / "t.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "labels"), ("corn", cell_of(labels)), ("ship", "x;y")])
    assert read(tmp_path / "t.csv", several=";").labels[0] == tuple(labels)
