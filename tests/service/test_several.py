"""A model of several labels behind the service."""

import json

import numpy as np
import pytest
from fastapi.testclient import TestClient

from textspace.datasets import open_training_data
from textspace.models import TextClassifier
from textspace.service import create_app

WORDS = {
    "grain": "corn wheat harvest barley",
    "ship": "port cargo vessel tanker",
    "money": "bank rate bond loan",
}


@pytest.fixture(scope="module")
def several():
    rng = np.random.default_rng(0)
    texts, labels = [], []
    for number in range(48):
        chosen = rng.choice(list(WORDS), number % 4, replace=False).tolist()
        words = [word for label in chosen for word in rng.choice(WORDS[label].split(), 2, replace=False)]
        texts.append(" ".join(["today the", *words]))
        labels.append(chosen)
    return TextClassifier(quick=True).fit(texts, labels)


@pytest.fixture
def client(several, tmp_path):
    with TestClient(create_app(model=several, corrections=tmp_path / "right.jsonl")) as client:
        yield client


def test_all_labels_are_answered(client):
    [first, none] = client.post("/predict", json={"texts": ["corn harvest vessel port", "the"]}).json()[
        "predictions"
    ]
    assert set(first["labels"]) == {"grain", "ship"}
    assert first["label"] == first["labels"][0] == first["probabilities"][0]["label"]
    assert sum(each["probability"] for each in first["probabilities"]) > 1.2  # each has its own
    assert none["labels"] == []
    assert none["label"] == ""
    [all_three] = client.post("/predict", json={"text": "corn", "min_confidence": 0}).json()["predictions"]
    assert len(all_three["labels"]) == 3
    assert client.get("/model").json()["several"] is True


def test_an_answer_is_no_longer_than_was_promised(several):
    from textspace.service._answers import Answers

    answers = Answers(several)
    [[prediction]] = answers.predict([(["corn harvest vessel port bank loan"], 3, 0.0)])
    assert len(prediction.json) <= answers.most_bytes(1, 3)


def test_each_label_can_be_explained(client):
    for label in ("grain", "ship"):
        why = client.post("/explain", json={"text": "corn harvest vessel port", "label": label}).json()
        total = why["constant"] + why["rest"] + sum(term["contribution"] for term in why["terms"])
        assert total == pytest.approx(why["score"], abs=1e-6)
        assert all(isinstance(near["label"], list) for near in why["neighbors"])


def test_corrections_hold_lists_and_are_learned_from(client, tmp_path):
    sent = {"text": "corn by vessel", "labels": ["ship", "grain", "ship"]}
    answer = client.post("/corrections", json=sent)
    assert answer.status_code == 201
    assert answer.json()["label"] == ["ship", "grain"]
    assert client.post("/corrections", json={"text": "nothing", "labels": []}).status_code == 201
    [line, _] = (tmp_path / "right.jsonl").read_text().splitlines()
    assert json.loads(line)["label"] == ["ship", "grain"]
    (tmp_path / "tickets.csv").write_text("text,tags\ncorn by vessel,grain\nbank,money;ship\nnothing,ship\n")
    data = open_training_data(
        str(tmp_path / "tickets.csv"), several=";", corrections=tmp_path / "right.jsonl"
    )
    assert data.labels == [("ship", "grain"), ("money", "ship"), ()]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"text": "corn", "label": "grain"}, "give 'labels', a list"),
        ({"text": "corn", "labels": ["\n"]}, "on one line, known or new"),
        ({"text": "corn"}, "give either 'label'"),
        ({"text": "corn", "labels": "grain"}, "labels"),
    ],
)
def test_corrections_that_do_not_fit(client, sent, said):
    answer = client.post("/corrections", json=sent)
    assert answer.status_code == 422
    assert said in answer.json()["error"]
