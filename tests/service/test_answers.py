import gc
import json
import subprocess
import sys
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


_FIRST_CLIENT = """
import gc, sys
from textspace._compiled import Compiled
from textspace.models import load
from textspace.service._answers import Answers

def loaded():
    found = [each for each in gc.get_objects() if isinstance(each, Compiled) and each._dispatcher]
    return {each.__qualname__: len(each._dispatcher.signatures) for each in found}

answers = Answers(load(sys.argv[1]))
before = loaded()
answers.predict([(["corn"], 3, None), (["rye", "a ship at sea, " * 100], 1, None)])
assert before and loaded() == before, (before, loaded())
"""


def test_what_is_compiled_is_loaded_before_the_first_client(tmp_path):
    texts = [f"{word} and {other}" for word in ("corn", "sea", "bean") for other in ("rye", "oats", "ships")]
    model = TextClassifier().fit(texts, [label for label in "abc" for _ in range(3)])
    save(model, tmp_path / "model.textspace")
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_CLIENT, tmp_path / "model.textspace"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
