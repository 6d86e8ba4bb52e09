import hashlib
import json
from datetime import UTC, datetime

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from textspace import __version__
from textspace.evaluation import evaluate
from textspace.models import TextClassifier, card_text, data_digest, load, make_card, save
from textspace.text import VectorSpace

TREE = {"grain": "land", "metal": "land", "ship": "sea"}


@pytest.fixture(scope="module")
def card(corpus, others):
    model = TextClassifier("svm", tree=TREE).fit(corpus.texts, corpus.labels, unlabelled=others.texts)
    model.evaluation_ = evaluate(model, others.texts, others.labels)
    return make_card(model, corpus, unlabelled=others.texts)


def test_figures_are_those_of_the_model_and_its_data(card, corpus, others):
    assert (card["format"], card["textspace"]) == (2, __version__)
    assert card["versions"]["numpy"] == np.__version__
    assert card["versions"].keys() >= {"python", "scipy", "scikit-learn"}
    age = datetime.now(UTC) - datetime.fromisoformat(card["created"])
    assert 0 <= age.total_seconds() < 600
    assert (card["method"]["name"], card["method"]["title"]) == ("svm", "Linear SVM")
    assert card["method"]["settings"].keys() == {"C"}
    assert card["text"] == {
        "terms": "words",
        "languages": ["en"],
        "stem": "auto",
        "stop_words": "auto",
        "scheme": "tfidf",
    }
    data = card["data"]
    assert data["name"] == "made-up"
    assert (data["n_labelled"], data["n_unlabelled"]) == (len(corpus), len(others))
    assert data["classes"] == {"grain": 14, "metal": 12, "ship": 10}
    assert data["n_terms"] == VectorSpace().fit_transform([*corpus.texts, *others.texts]).shape[1]
    assert card["scores"]["source"] == "test documents"
    assert card["scores"]["n_documents"] == len(others)
    assert card["tree"] == {"land": None, "grain": "land", "metal": "land", "sea": None, "ship": "sea"}
    assert json.loads(json.dumps(card)) == card


def test_the_hash_tells_data_apart(corpus):
    texts, labels = list(corpus.texts), corpus.labels.tolist()
    digest = data_digest(texts, labels)
    assert digest == data_digest(tuple(texts), np.array(labels))
    changed = [
        (texts[::-1], labels),
        (texts, labels[::-1]),
        ([*texts[:-1], texts[-1] + " "], labels),
        ([*texts, ""], [*labels, ""]),
    ]
    assert digest not in [data_digest(*other) for other in changed]
    by_hand = hashlib.sha256()
    for text, label in zip(texts, labels, strict=True):
        for each in (text.encode(), label.encode()):
            by_hand.update(len(each).to_bytes(8, "little") + each)
    assert digest == by_hand.hexdigest()


def test_the_hash_of_counts_does_not_depend_on_how_they_are_stored():
    counts = sparse.csr_array(np.array([[0, 2, 1], [1, 0, 0]]))
    labels = ["a", "b"]
    unsorted = sparse.csr_array(([1, 2, 1], [2, 1, 0], [0, 2, 3]), shape=(2, 3))
    expected = data_digest(["1:2 2:1", "0:1"], labels)
    for other in (counts, counts.astype(np.float32), counts.tocsc(), unsorted, sparse.csr_matrix(counts)):
        assert data_digest(other, labels) == expected


def test_a_card_without_the_data(model, corpus):
    card = make_card(model)
    assert card["method"]["name"] == "auto"
    described = {
        "stems": "words and pairs of adjacent words",
        "words": "words as they are written and pairs of adjacent words",
        "letters": "n-grams of 2 to 5 letters",
    }
    assert card["text"]["terms"] == "; ".join(described[name] for name in card["method"]["alphabets"])
    assert (card["data"]["sha256"], card["data"]["n_unlabelled"], card["scores"]) == (None, None, None)
    assert card["data"]["classes"] == {"grain": 14, "metal": 12, "ship": 10}  # its neighbours tell
    assert "not been evaluated" in " ".join(card["limits"])
    assert "not recorded" in card_text(card)


def test_counts_leave_no_alphabet_out(model, corpus, tmp_path):
    read = make_card(model)["method"]
    assert {*read["alphabets"], *read["left_out"]} == {"stems", "words", "letters"}
    counts = CountVectorizer().fit_transform(corpus.texts)
    save(TextClassifier().fit(counts, corpus.labels), tmp_path / "counts.textspace")
    read = make_card(load(tmp_path / "counts.textspace"))["method"]
    assert (read["alphabets"], read["left_out"]) == (["stems"], [])


def test_other_data_than_it_was_fitted_on_is_noticed(model, others):
    with pytest.raises(ValueError, match="24 documents have a label, but the model was fitted on 36"):
        make_card(model, others)


def test_sentences_follow_from_the_figures(corpus, others):
    few = corpus.subset(np.flatnonzero((corpus.labels != "ship") | (np.cumsum(corpus.labels == "ship") <= 4)))
    model = TextClassifier("rlsc", stem=None, stop_words=None).fit(few.texts, few.labels)
    sure = np.full((len(others), 3), 0.005)
    sure[:, 0] = 0.99  # "grain", whatever it is
    labels = np.where(np.arange(len(others)) < 2, "tin", others.labels)
    model.evaluation_ = evaluate(model, others.texts, labels, probabilities=sure)
    said = " ".join(make_card(model, few)["limits"])
    assert 'Fewer than 10 training documents: "ship".' in said
    assert 'F1 below 0.5: "metal", "ship".' in said
    assert "off by 0." in said
    assert '2 documents of the evaluation have labels that it does not know: "tin".' in said
    assert f"the beginnings of {len(few)} of them, 24 documents of the evaluation." in said
    assert "English" not in said


def test_shares_that_are_not_those_of_the_labels_are_said(corpus, others):
    model = TextClassifier("rlsc", shares={"ship": 0.6}).fit(corpus.texts, corpus.labels)
    card = make_card(model, corpus)
    assert card["shares"]["source"] == "given"
    assert card["shares"]["assumed"] == pytest.approx(
        {"grain": 14 / 65, "metal": 12 / 65, "ship": 0.6}, abs=1e-6
    )
    assert "given: ship 60.0 %, grain 21.5 %, metal 18.5 %" in card_text(card)
    assert "It assumes shares of the classes that were given, not those of its labels." in card["limits"]
    held_out = model.out_of_fold_proba_
    model.evaluation_ = evaluate(
        model, corpus.texts, corpus.labels, probabilities=held_out, source="out-of-fold training documents"
    )
    assert "Its scores are of documents with the shares of the labels" in " ".join(make_card(model)["limits"])
    plain = make_card(TextClassifier("rlsc").fit(corpus.texts, corpus.labels))
    assert plain["shares"]["source"] == "labels"
    assert "assumed to be those of the labels" in card_text(plain)
    many_ships = [
        text for text, label in zip(others.texts, others.labels, strict=True) if label == "ship"
    ] * 20
    found = TextClassifier().fit(corpus.texts, corpus.labels, unlabelled=many_ships)
    assert make_card(found)["shares"]["source"] == "unlabelled documents"
    assert "estimated on the unlabelled documents: ship" in card_text(make_card(found))


def test_a_card_tells_whether_texts_are_in_the_file(corpus):
    model = TextClassifier("rlsc").fit(corpus.texts, corpus.labels)
    model.training_ = model.training_._replace(excerpts=[""] * len(corpus))
    assert make_card(model)["limits"][-1] == "Its file holds terms of the training documents."


def test_text_for_the_terminal(card):
    shown = card_text(card)
    assert "Linear SVM (C=" in shown
    assert "36 labelled documents, 24 unlabelled, 3 classes" in shown
    assert "grain 14, metal 12, ship 10" in shown
    assert "(24 test documents)" in shown
    assert card["data"]["sha256"] in shown
    assert all(sentence in shown for sentence in card["limits"])


def test_many_classes_are_not_all_listed():
    words = [first + second for first in "abcdefghij" for second in "uvwxyz"]
    texts, labels = [f"{word} corn" for word in words * 3], [f"class {word}" for word in words * 3]
    model = TextClassifier("rlsc").fit(texts, labels)
    card = make_card(model)
    assert len(card["data"]["classes"]) == 60
    assert "and 40 more" in card_text(card)
    assert 'training documents: "class au"' in " ".join(card["limits"])
    assert "and 55 more" in " ".join(card["limits"])


@pytest.mark.filterwarnings("ignore:.*components")
def test_a_space_of_letters(corpus):
    card = make_card(TextClassifier("hosvd").fit(corpus.texts, corpus.labels), corpus)
    assert card["text"] == {"terms": "letter trigrams"}
    assert card["data"]["n_terms"] == 27**3
    assert "letter trigrams" in card_text(card)
