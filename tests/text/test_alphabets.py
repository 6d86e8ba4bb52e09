"""Alphabets side by side against each of them alone."""

import pickle
import re

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from textspace._saving import saved_types
from textspace.datasets import load
from textspace.models._description import build, describe
from textspace.text import Alphabets, VectorSpace, _counts, _reading

TEXTS = ["The cats sat. Wow!", "a dog sat on the dogs", "Dogs? the dogs 42", "é 👍🏽", ""] * 2


def three_spaces():
    return [
        ("stems", VectorSpace("ltc", bigrams=True)),
        ("words", VectorSpace("ltc", tokens="written", stem=None, stop_words=None, bigrams=True)),
        ("letters", VectorSpace("ltc", letters=(2, 5), min_df=2)),
    ]


@pytest.fixture
def alphabets():
    return Alphabets(three_spaces()).fit(TEXTS)


def test_each_block_is_the_space_alone(alphabets):
    texts = ["Two cats! the dogs", "", *TEXTS]
    rows, fitted = alphabets.transform(iter(texts)), clone(alphabets).fit_transform(TEXTS)
    assert rows.shape[1] == fitted.shape[1] == alphabets.blocks_[-1].stop
    names = alphabets.get_feature_names_out()
    for block, (name, space) in zip(alphabets.blocks_, three_spaces(), strict=True):
        alone = space.fit_transform(TEXTS)
        assert (block.name, block.n_words) == (name, space.n_words_)
        assert (fitted[:, block.start : block.stop] != alone).nnz == 0
        assert (rows[:, block.start : block.stop] != space.transform(texts)).nnz == 0
        assert names[block.start : block.stop].tolist() == space.get_feature_names_out().tolist()
    columns = np.array([len(names) - 1, 0, 7, 0])
    assert alphabets.names_of(columns).tolist() == names[columns].tolist()


MIXED = [
    "The houses of Node.js were read, and all the readers were in them at https://www.example.org/a",
    "Die Häuser der Leser waren nicht so alt wie die Straße, in der sie am 31.05.2024 standen",
    "Les maisons étaient plus grandes que les rues dans lesquelles elles se trouvaient, 5€ 👍🏽 東京",
]


def sharing_spaces(**settings):
    return [
        (
            "stems",
            VectorSpace("ltc", stem="auto", stop_words="auto", tokens="whole", bigrams=True, **settings),
        ),
        ("words", VectorSpace("even", stem=None, stop_words=None, tokens="whole", min_df=2, **settings)),
        ("hashed", VectorSpace(tokens="whole", n_hashed=50, **settings)),
        ("written", VectorSpace(tokens="written", **settings)),
        ("pattern", VectorSpace(token_pattern=r"\w+", **settings)),
    ]


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_spaces_that_share_tokens_are_those_alone(monkeypatch, n_jobs):
    monkeypatch.setattr(_reading, "_BLOCK_BYTES", 2000)
    monkeypatch.setattr(_counts, "_CHARACTERS_PER_PROCESS", 10_000)
    texts = [f"{text} {i % 7}" for i, text in enumerate(MIXED * 100)]
    alphabets = Alphabets(sharing_spaces(n_jobs=n_jobs))
    fitted, rows = alphabets.fit_transform(texts), alphabets.transform(texts[50:])
    assert alphabets.spaces_["stems"].languages_ == ["en", "fr", "de"]
    for block, (name, space) in zip(alphabets.blocks_, sharing_spaces(), strict=True):
        assert (fitted[:, block.start : block.stop] != space.fit_transform(texts)).nnz == 0
        assert (rows[:, block.start : block.stop] != space.transform(iter(texts[50:]))).nnz == 0
        columns = np.arange(space.n_terms_)
        assert alphabets.spaces_[name].names_of(columns).tolist() == space.names_of(columns).tolist()
        assert alphabets.spaces_[name].forms_of(columns).tolist() == space.forms_of(columns).tolist()


@pytest.mark.parametrize("n_jobs", [None, 2])  # few texts are read in one process
def test_texts_are_read_once_by_each_rule(monkeypatch, n_jobs):
    read, split = [], _reading.Reader.split

    def counted(self, texts):
        read.append(texts.count(_reading._CLOSE))  # which ends each text
        return split(self, texts)

    monkeypatch.setattr(_reading.Reader, "split", counted)
    alphabets = Alphabets(sharing_spaces(n_jobs=n_jobs)).fit(MIXED * 100)
    assert sum(read) == 3 * 300  # whole, written, and the pattern
    alphabets.transform(MIXED * 100)
    assert sum(read) == 2 * 3 * 300


def test_many_texts_have_the_rows_that_a_few_have(alphabets):
    few = [alphabets.transform(TEXTS) for _ in range(30)]
    many = alphabets.transform(TEXTS * 30)  # alphabets are read side by side
    assert many.shape == (300, alphabets.n_terms_)
    assert (many != sp.vstack(few)).nnz == 0


def test_places_of_all_alphabets(alphabets):
    text = "Two CATS! and dogs"
    spans = alphabets.spans(text)
    assert spans == sorted(spans)
    for block in alphabets.blocks_:
        inside = [(start, end, c - block.start) for start, end, c in spans if block.start <= c < block.stop]
        assert inside == alphabets.spaces_[block.name].spans(text) != []
    names = alphabets.get_feature_names_out()
    found = {(text[start:end], names[column]) for start, end, column in spans}
    assert {("CATS", "cat"), ("CATS", "cats"), ("!", "!"), ("dogs", "dog"), ("dogs", "dogs ")} <= found


def test_some_of_the_alphabets(alphabets):
    rows = alphabets.transform(TEXTS)
    stems, _, letters = alphabets.blocks_
    some = alphabets.only(["letters", "stems"])
    assert [block.name for block in some.blocks_] == ["stems", "letters"]
    kept = np.r_[stems.start : stems.stop, letters.start : letters.stop]
    assert (some.transform(TEXTS) != rows[:, kept]).nnz == 0
    assert some.get_feature_names_out().tolist() == alphabets.names_of(kept).tolist()
    assert len(alphabets.blocks_) == 3
    assert (clone(some).fit_transform(TEXTS) != rows[:, kept]).nnz == 0
    for names in (["stems", "runes"], []):
        with pytest.raises(ValueError, match="choose among stems, words, letters"):
            alphabets.only(names)


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["1 2", "2 3"], ["words", "letters"]),
        (["the", "of", "the"], ["words", "letters"]),
        (["---", "...", "---"], ["letters"]),
        (["one", "text"], ["stems", "words"]),
    ],
)
def test_alphabets_without_terms_are_left_out(texts, names):
    alphabets = Alphabets(three_spaces())
    rows = alphabets.fit_transform(texts)
    assert [block.name for block in alphabets.blocks_] == names
    assert alphabets.transform(texts).shape == rows.shape


def test_texts_without_any_term_are_refused():
    with pytest.raises(ValueError, match="No terms remain of 0"):
        Alphabets(three_spaces()).fit(["", " "])
    with pytest.raises(ValueError, match="corpus is empty"):
        Alphabets(three_spaces()).fit([])


def test_counts_have_one_block():
    counts = sp.csr_array(np.array([[1, 0, 2], [1, 3, 0]]))
    alphabets = Alphabets(three_spaces())
    assert (alphabets.fit_transform(counts) != VectorSpace("ltc").fit_transform(counts)).nnz == 0
    assert alphabets.blocks_ == [("stems", 0, 3, 3)]
    with pytest.raises(ValueError, match="fitted on term counts"):
        alphabets.transform(TEXTS)


def test_a_stored_one_gives_the_same_rows(alphabets):
    description, arrays = describe(alphabets, saved_types())
    for again in (
        pickle.loads(pickle.dumps(alphabets)),
        build(description, arrays.__getitem__, saved_types()),
    ):
        assert (again.transform(TEXTS) != alphabets.transform(TEXTS)).nnz == 0
        assert again.blocks_ == alphabets.blocks_
        assert again.spans(TEXTS[0]) == alphabets.spans(TEXTS[0])


@pytest.mark.parametrize(
    ("spaces", "message"),
    [
        ([], "spaces must be a list of pairs"),
        ([VectorSpace()], "spaces must be a list of pairs"),
        ([("words", "tfidf")], "each the name of an alphabet and a VectorSpace"),
        ([("one", VectorSpace()), ("one", VectorSpace())], "two alphabets have the same name"),
        ("words", "'spaces' parameter of Alphabets must be"),
    ],
)
def test_wrong_spaces_are_explained(spaces, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Alphabets(spaces).fit(TEXTS)


def test_bad_texts_are_explained(alphabets):
    with pytest.raises(TypeError, match=r"Alphabets takes a list .* single one: put it in a list"):
        alphabets.transform("one text")
    with pytest.raises(TypeError, match=r"document 1 .* is NoneType"):
        Alphabets(three_spaces()).fit(["fine", None])
    with pytest.raises(NotFittedError):
        Alphabets(three_spaces()).transform(TEXTS)


def test_pipeline_with_a_linear_classifier():
    corpus = load("demo")
    model = make_pipeline(Alphabets(three_spaces()), LinearSVC())
    assert (
        model.fit(corpus.train.texts, corpus.train.labels).score(corpus.test.texts, corpus.test.labels) > 0.8
    )
