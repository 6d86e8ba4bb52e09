import json
import re
from collections import Counter

import numpy as np
import pytest

from textspace.datasets import load
from textspace.models import TextClassifier
from textspace.models._explanation import _terms
from textspace.models._shared_words import SharedWords
from textspace.text import Alphabets, VectorSpace

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def demo():
    """Half of the bundled texts."""
    corpus = load("demo")
    return corpus.subset(np.arange(0, len(corpus), 2))


@pytest.fixture(scope="module", params=["auto", "auto, unlabelled", "svm", "lda", "nb", "rlsc", "lsi"])
def fitted(request, demo):
    method, *more = request.param.split(", ")
    unlabelled = demo.test.texts if more else None
    return TextClassifier(method).fit(demo.train.texts, demo.train.labels, unlabelled=unlabelled)


def test_terms_add_up_to_the_score_of_every_class(fitted, demo):
    for text in demo.test.texts[:3]:
        scores = fitted.decision_function([text])[0]
        for label, score in zip(fitted.classes_, scores, strict=True):
            why = fitted.explain(text, label=label)
            assert why.note == ""
            assert why.score == pytest.approx(score, abs=1e-4)  # the model may work in single precision
            total = why.constant + sum(term.contribution for term in why.terms)
            assert total == pytest.approx(why.score, abs=1e-6)


def test_terms_that_are_left_out_are_in_the_rest(fitted, demo):
    whole, short = (fitted.explain(demo.test.texts[0], n_terms=n) for n in (None, 3))
    assert short.terms == whole.terms[:3]
    assert short.rest == pytest.approx(sum(term.contribution for term in whole.terms[3:]))
    sizes = [abs(term.contribution) for term in whole.terms]
    assert sizes == sorted(sizes, reverse=True)


def test_terms_are_shown_where_they_stand(fitted, demo):
    text = demo.test.texts[0]
    for found in fitted.explain(text).terms:
        assert found.spans
        for start, end in found.spans:
            assert found.term.lower() in names_of(text[start:end], fitted.space_)


def names_of(written, space):
    """Give all names that a term may have which is written so."""
    written = written.lower()
    words = " ".join(re.findall(r"\w+", written))
    columns = space.transform([written]).indices
    forms = (form.lower() for form in space.forms_of(columns))
    return {*space.get_feature_names_out()[columns], *forms, words, f"{written} (letters)"}


def test_the_nearest_documents_are_the_nearest(fitted, demo):
    why = fitted.explain(demo.test.texts[1], n_neighbors=4)
    z, Z = fitted.transform([demo.test.texts[1]])[0], fitted.transform(demo.train.texts)
    cosines = Z @ z / np.linalg.norm(Z, axis=1) / np.linalg.norm(z)
    excerpts = [" ".join(text.split())[:240] for text in demo.train.texts]
    words = SharedWords(excerpts).cosines(demo.test.texts[1])
    order = np.argsort(-cosines - words)[:4]
    if words.argmax() not in order:
        order[-1] = words.argmax()  # one of four is near by words alone
    np.testing.assert_allclose([n.similarity for n in why.neighbors], cosines[order], atol=1e-3)
    assert why.neighbors[0].excerpt == excerpts[order[0]]


def test_neighbours_share_words_where_the_space_cannot_tell():
    rng = np.random.default_rng(0)
    plays = ["a long evening with friends and a ball", "the match of the season was lost"]
    texts = [f"{rng.choice(plays)} {rng.integers(100)}" for _ in range(40)] + [
        "she opened the chess tournament"
    ]
    texts += [f"wheat and corn prices {rng.integers(100)}" for _ in range(40)]
    model = TextClassifier().fit(texts, ["play"] * 41 + ["grain"] * 40)
    why = model.explain("a chess game", n_neighbors=3)
    assert "chess" in why.neighbors[0].excerpt


def test_some_neighbours_are_near_by_words_though_the_space_puts_them_far_away():
    rng = np.random.default_rng(0)
    texts = [f"the football match of the season, game {rng.integers(100)}" for _ in range(40)]
    texts += [f"wheat and corn prices {rng.integers(100)}" for _ in range(40)]
    texts += ["wheat and corn prices, said the chess club", "corn prices at the chess tournament"]
    model = TextClassifier().fit(texts, ["play"] * 40 + ["grain"] * 42)
    found = [neighbor.excerpt for neighbor in model.explain("a football match, a chess game").neighbors]
    assert "chess" not in found[0]
    assert sum("chess" in excerpt for excerpt in found) == 2
    assert len(found) == 5


def test_a_notebook_shows_an_explanation_and_gives_it_as_a_table(fitted):
    why = fitted.explain("wheat <b>& corn</b>")
    page = why._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>& corn" not in page
    assert f"{why.probabilities[why.label]:.1%}" in page
    frame = pytest.importorskip("pandas") and why.to_frame()
    assert frame["term"].tolist() == [term.term for term in why.terms]
    assert frame["contribution"].sum() + why.constant == pytest.approx(why.score, abs=1e-5)


def test_probabilities_are_sorted_and_it_is_json(fitted, demo):
    why = fitted.explain(demo.test.texts[2])
    shares = list(why.probabilities.values())
    assert shares == sorted(shares, reverse=True)
    assert why.label == next(iter(why.probabilities)) == fitted.predict([demo.test.texts[2]])[0]
    assert json.loads(json.dumps(why.to_dict()))["terms"][0]["term"] == why.terms[0].term


def test_a_text_without_known_words_has_the_constant_alone(fitted):
    why = fitted.explain("ξξξ ψψ ω")
    assert why.terms == why.neighbors == []
    assert why.score == pytest.approx(why.constant)


@pytest.mark.parametrize("method", ["k-lsi", "nmf"])
def test_scores_that_are_no_sum_say_so(method, demo):
    model = TextClassifier(method).fit(demo.train.texts, demo.train.labels)
    why = model.explain(demo.test.texts[0])
    assert why.terms == []
    assert "no sum over terms" in why.note
    assert why.neighbors


def test_an_unknown_class_is_named(fitted, demo):
    with pytest.raises(ValueError, match="no class 'nonsense': the classifier knows"):
        fitted.explain(demo.test.texts[0], label="nonsense")


def test_what_letters_add_is_added_up_by_word():
    text = "Corn, corn and a cob: «corn» cob"
    space = VectorSpace("tf", letters=(2, 3)).fit([text])
    columns = np.arange(space.n_terms_)
    adds = np.random.default_rng(0).normal(size=len(columns))
    found = {term.term: term for term in _terms(space, text, columns, adds)}
    runs = [f" {run} " for run in text.lower().split()]
    ngrams = [[run[i : i + n] for n in (2, 3) for i in range(len(run) - n + 1)] for run in runs]
    times = Counter(ngram for own in ngrams for ngram in own)
    worth = dict(zip(space.get_feature_names_out(), adds, strict=True))
    expected = Counter()
    for run, own in zip(runs, ngrams, strict=True):
        expected[run.strip(" ,:«»") + " (letters)"] += sum(worth[ngram] / times[ngram] for ngram in own)
    assert {name: term.contribution for name, term in found.items()} == pytest.approx(dict(expected))
    assert sum(term.contribution for term in found.values()) == pytest.approx(adds.sum())
    assert found["corn (letters)"].spans == [(0, 4), (6, 10), (23, 27)]
    assert [text[start:end] for start, end in found["cob (letters)"].spans] == ["cob", "cob"]


def test_punctuation_counts_to_the_word_before_it():
    text = "<b>corn</b> don't ... x"
    space = VectorSpace("tf", letters=(2, 2)).fit([text])
    found = _terms(space, text, np.arange(space.n_terms_), np.ones(space.n_terms_))
    words = [(term.term, [text[start:end] for start, end in term.spans]) for term in found]
    assert words == [
        ("b (letters)", ["b", "b"]),
        ("corn (letters)", ["corn"]),
        ("don't (letters)", ["don't"]),
        ("... (letters)", ["..."]),
        ("x (letters)", ["x"]),
    ]


def test_terms_of_two_alphabets_that_are_written_alike_are_one_row():
    text = "Ships sank. A ship! The ports; ports"
    alphabets = Alphabets(
        [
            ("stems", VectorSpace("tf", bigrams=True)),
            ("words", VectorSpace("tf", tokens="written", stem=None, stop_words=None)),
        ]
    ).fit([text, "ship port, ship port"])
    columns = alphabets.transform([text]).indices
    names = alphabets.names_of(columns).tolist()
    assert names[:4] == ["port", "sank", "ship", "ship port"]
    adds = 2.0 ** np.arange(len(columns))
    found = {term.term: term for term in _terms(alphabets, text, columns, adds)}
    worth = dict(zip(names[4:], adds[4:], strict=True))  # of words
    # the stem "port" is written in one way, "ship" in two
    assert found["ports"].contribution == 1 + worth["ports"]
    assert found["ship"].contribution == 4 + worth["ship"]
    assert found["ships"].contribution == worth["ships"]
    assert [text[start:end] for start, end in found["ship"].spans] == ["Ships", "ship"]
    assert found["ship ports"].contribution == 8
    assert found["!"].contribution == worth["!"]
    assert sum(term.contribution for term in found.values()) == adds.sum()
