import shutil

import numpy as np
import pytest
from tests.static_models import VECTORS, write_model

from textspace.datasets import TrainingData, load
from textspace.models import TextClassifier, card_text, make_card, save, train
from textspace.models import load as load_model
from textspace.report import write_model_report

pytest.importorskip("tokenizers", reason="static embeddings need the extra 'static'")

# No word of a class stands in two documents: terms say nothing of what is held out.
TEXTS = ["the corn", "some wheat", "crop today", "a ship", "at sea today", "some port"]
LABELS = ["grain", "grain", "grain", "ship", "ship", "ship"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("static") / "tiny-static")


@pytest.fixture(scope="module")
def fitted(folder):
    return TextClassifier(embeddings=folder).fit(TEXTS, LABELS)


@pytest.fixture(scope="module")
def useless(folder):
    """A model of texts of which the embedding knows hardly a word."""
    demo = load("demo").train
    return TextClassifier(embeddings=folder).fit(demo.texts, demo.labels)


def test_words_that_only_the_embedding_knows_are_understood(fitted):
    assert fitted.embedding_["kept"]
    assert fitted.predict(["maize", "vessel"]).tolist() == ["grain", "ship"]
    assert fitted.predict_proba(["maize"]).max() > 0.8


@pytest.mark.parametrize(
    "text",
    [
        "maize and corn",
        "The HARVEST, of maize; maize\n(and) vessel!",
        "corn ,",
        "qqq",
        "",
        "ship qqq port " * 30,
    ],
    ids=["short", "punctuation", "comma", "unknown", "empty", "long"],
)
@pytest.mark.parametrize("label", ["grain", "ship"])
def test_words_add_up_to_the_score(fitted, text, label):
    why = fitted.explain(text, label)
    assert why.constant + sum(term.contribution for term in why.terms) == pytest.approx(why.score, abs=1e-6)
    few = fitted.explain(text, label, n_terms=1)
    assert few.constant + few.rest + sum(term.contribution for term in few.terms) == pytest.approx(
        why.score, abs=1e-6
    )
    [ahead] = fitted.decision_function([text])  # how much "ship" is ahead of "grain"
    assert why.score == pytest.approx(ahead / 2 if label == "ship" else -ahead / 2, abs=1e-4)


def test_what_the_embedding_adds_stands_at_its_words(fitted):
    text = "A (Harvest): maize, vessel; harvest qqq!"
    terms = fitted.explain(text, "grain").terms
    found = {term.term: term for term in terms if term.term.endswith("(embedding)")}
    assert set(found) == {f"{word} (embedding)" for word in ("harvest", "maize", "vessel")}
    assert found["harvest (embedding)"].spans == [(3, 10), (28, 35)]
    assert found["maize (embedding)"].spans == [(13, 18)]
    assert found["maize (embedding)"].contribution > 0 > found["vessel (embedding)"].contribution


def test_a_word_adds_what_its_vector_is_worth(fitted):
    """The score is linear in the vectors of the words once the length of their sum is fixed."""
    text = "maize vessel wheat"
    found = {term.term: term.contribution for term in fitted.explain(text, "grain").terms}
    blend, total = fitted.model_, sum(np.array(VECTORS[word]) for word in text.split())
    unit = np.zeros((3, fitted.space_.n_terms_ + 3))
    for row, word in enumerate(text.split()):
        unit[row, -3:] = np.array(VECTORS[word]) / np.linalg.norm(total)
    values = blend.embedding_.class_scores(unit[:, -3:]) - blend.embedding_.class_scores(np.zeros((1, 3)))
    own = blend.calibration_.factors[1] * (values[:, 0] - values.mean(axis=1))
    for word, value in zip(text.split(), own, strict=True):
        assert found[f"{word} (embedding)"] == pytest.approx(value, abs=1e-5)


def test_a_model_file_leaves_the_vectors_in_their_folder(fitted, folder, tmp_path):
    path = tmp_path / "goods.textspace"
    save(fitted, path)
    assert b"tiny-static" not in path.read_bytes()
    with pytest.raises(ValueError, match="say in which folder it lies"):
        load_model(path)
    copy = shutil.copytree(folder, tmp_path / "copy")
    again = load_model(path, embeddings=copy)
    np.testing.assert_array_equal(again.predict_proba(["maize"]), fitted.predict_proba(["maize"]))
    assert again.explain("maize and corn").terms == fitted.explain("maize and corn").terms
    assert again.embedding_ == fitted.embedding_ == make_card(again)["embeddings"]
    write_model(copy, embeddings=np.ones((len(VECTORS), 3), dtype=np.float32))
    with pytest.raises(ValueError, match="another encoder"):
        load_model(path, embeddings=copy)
    shutil.rmtree(copy)
    with pytest.raises(FileNotFoundError, match=f"in {copy}"):
        load_model(path, embeddings=copy)


def test_an_embedding_that_adds_nothing_is_left_out(useless, tmp_path):
    demo = load("demo")
    gain = useless.embedding_
    assert not gain["kept"]
    assert gain["log_loss_with"] >= gain["log_loss_without"]
    save(useless, tmp_path / "demo.textspace")
    again = load_model(tmp_path / "demo.textspace")
    alone = TextClassifier().fit(demo.train.texts, demo.train.labels)
    np.testing.assert_array_equal(again.predict_proba(demo.test.texts), alone.predict_proba(demo.test.texts))
    np.testing.assert_array_equal(useless.out_of_fold_proba_, alone.out_of_fold_proba_)
    assert "The embedding was left out" in card_text(again.card_)


def test_one_document_a_class_cannot_tell_what_an_embedding_is_worth(folder):
    model = TextClassifier(embeddings=folder).fit(["corn", "ship"], ["grain", "ship"])
    assert model.embedding_["kept"]
    assert model.embedding_["accuracy_with"] is None
    assert model.predict(["maize", "vessel"]).tolist() == ["grain", "ship"]
    assert "not known" in card_text(make_card(model))


def test_the_card_says_what_was_gained(fitted):
    found = make_card(fitted, TEXTS, LABELS)["embeddings"]
    assert found["sha256"] == fitted.space_.fingerprint_
    assert 0 <= found["accuracy_without"] <= found["accuracy_with"] <= 1
    assert found["log_loss_with"] < found["log_loss_without"]
    assert "The embedding changed the accuracy" in card_text(make_card(fitted))


def test_a_report_of_a_model_with_an_embedding(folder, tmp_path):
    model, _ = train(TrainingData("goods", TEXTS, LABELS), embeddings=folder)
    write_model_report(model, tmp_path / "report.html")
    assert "The embedding changed the accuracy" in (tmp_path / "report.html").read_text()


def test_a_second_fit_forgets_the_embedding(folder):
    model = TextClassifier(embeddings=folder).fit(TEXTS, LABELS)
    assert model.set_params(embeddings=None).fit(TEXTS, LABELS).embedding_ is None
