import shutil
from pathlib import Path

import numpy as np
import pytest

from textspace.datasets import load
from textspace.models import TextClassifier, make_card, save
from textspace.models import load as load_model

pytest.importorskip("onnxruntime", reason="sentence embeddings need the extra 'embed'")

ENCODER = Path(__file__).parents[1] / "text" / "data" / "tiny-encoder"
# No word of a class stands in two documents: terms say nothing of what is held out.
TEXTS = ["the corn", "some wheat", "crop today", "a ship", "at sea today", "some port"]
LABELS = ["grain", "grain", "grain", "ship", "ship", "ship"]


@pytest.fixture(scope="module")
def fitted():
    return TextClassifier(embeddings=ENCODER).fit(TEXTS, LABELS)


def test_words_that_only_the_encoder_knows_are_understood(fitted):
    assert fitted.predict(["maize", "vessel"]).tolist() == ["grain", "ship"]
    assert fitted.predict_proba(["maize"]).max() > 0.7
    alone = TextClassifier().fit(TEXTS, LABELS)
    assert alone.predict_proba(["maize"]).max() < 0.6


def test_an_encoder_that_knows_nothing_of_the_classes_does_little_harm():
    demo = load("demo")
    alone, both = (
        TextClassifier(embeddings=folder).fit(demo.train.texts, demo.train.labels)
        for folder in (None, ENCODER)
    )
    assert (
        both.score(demo.test.texts, demo.test.labels) > alone.score(demo.test.texts, demo.test.labels) - 0.02
    )


def test_terms_and_embedding_add_up_to_the_score(fitted):
    why = fitted.explain("maize and corn")
    [embedding] = [term for term in why.terms if term.term == "(sentence embedding)"]
    assert embedding.contribution > 0
    assert {tuple(term.spans) for term in why.terms if "corn" in term.term} == {((10, 14),)}
    assert why.constant + sum(term.contribution for term in why.terms) == pytest.approx(why.score, abs=1e-6)
    assert why.score == pytest.approx(-fitted.decision_function(["maize and corn"])[0] / 2, abs=1e-4)


def test_a_model_file_leaves_the_encoder_in_its_folder(fitted, tmp_path):
    path = tmp_path / "goods.textspace"
    save(fitted, path)
    assert b"tiny-encoder" not in path.read_bytes()
    with pytest.raises(ValueError, match="say in which folder"):
        load_model(path)
    folder = shutil.copytree(ENCODER, tmp_path / "encoder")
    again = load_model(path, embeddings=folder)
    np.testing.assert_array_equal(again.predict_proba(["maize"]), fitted.predict_proba(["maize"]))
    (folder / "tokenizer.json").write_bytes((ENCODER / "tokenizer.json").read_bytes() + b"\n")
    with pytest.raises(ValueError, match="another encoder"):
        load_model(path, embeddings=folder)


def test_the_card_says_what_was_gained(fitted):
    found = make_card(fitted, TEXTS, LABELS)["embeddings"]
    assert found["sha256"] == fitted.space_.fingerprint_
    assert 0 <= found["accuracy_without"] <= found["accuracy_with"] <= 1
    assert make_card(TextClassifier("nb").fit(TEXTS, LABELS))["embeddings"] is None


def test_embeddings_are_a_score_of_the_blend_only():
    with pytest.raises(ValueError, match="go with the method 'auto'"):
        TextClassifier("svm", embeddings=ENCODER).fit(TEXTS, LABELS)
