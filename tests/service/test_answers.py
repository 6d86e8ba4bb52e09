import gc
import json
import weakref

import numpy as np
import pytest

from textspace.models import TextClassifier, load, save
from textspace.service import Limits
from textspace.service._answers import Answers

LABELS = ["café", 'with "quotes"', "half \ud83d a pair", "plain", "\x07"]


@pytest.fixture(scope="module")
def answers():
    """A model whose labels are as odd as labels can be."""
    texts = [f"{word} {other}" for word in ("corn", "sea", "bean", "ship", "gold") for other in "abcd"]
    return Answers(TextClassifier("nb").fit(texts, [label for label in LABELS for _ in "abcd"]))


@pytest.mark.parametrize("top", [1, 2, 5, 10**30])
def test_answer_is_json_no_longer_than_foretold(answers, top):
    texts = ["corn", "sea corn", "zzz"] * 10
    [predictions] = answers.predict([(texts, top, None)])
    written = '{"predictions":[' + ",".join(each.json for each in predictions) + "]}"
    assert len(written.encode("ascii")) <= answers.most_bytes(len(texts), top)
    probabilities = answers.model.predict_proba(texts)
    for each, found, row in zip(predictions, json.loads(written)["predictions"], probabilities, strict=True):
        assert found["label"] == each.label == found["probabilities"][0]["label"]
        assert found["path"] == [each.label]
        listed = [share["probability"] for share in found["probabilities"]]
        assert listed == np.sort(row)[::-1][:top].tolist() or top > 5
        assert len(listed) == min(top, 5)


def test_explanation_and_description_hold_any_label(answers):
    assert json.loads(answers.explain("corn", LABELS[2], 3, 2))["label"] == LABELS[2]
    assert set(json.loads(answers.describe(Limits(), False))["classes"]) == set(LABELS)


def test_a_model_that_was_replaced_goes_without_garbage_collection(model, tmp_path):
    save(model, tmp_path / "model.textspace")
    gc.disable()  # it passes over what is there from the start
    try:
        answers = Answers(load(tmp_path / "model.textspace"))
        gone = weakref.ref(answers.model)
        del answers
        assert gone() is None
    finally:
        gc.enable()
