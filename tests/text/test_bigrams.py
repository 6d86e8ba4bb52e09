"""Pairs of adjacent words against scikit-learn, against the definition, and their place in memory."""

import re
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
import Stemmer
from sklearn.base import clone
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer, TfidfVectorizer

from textspace.text import VectorSpace, _counts, _reading
from textspace.text._bigrams import DROPPED, UNKNOWN, Pairs, find_pair, repeated_pairs


def analyze(text):
    """Give words and pairs of words as scikit-learn would with these tokens."""
    stem = Stemmer.Stemmer("porter").stemWord
    words = [stem(word) for word in re.findall("[a-z]{2,}", text.lower()) if word not in ENGLISH_STOP_WORDS]
    return [*words, *(f"{first} {second}" for first, second in pairwise(words))]


def random_texts(seed, n_texts=60):
    """Texts in which pairs recur, parted by stop words, single letters and digits, or not at all."""
    rng = np.random.default_rng(seed)
    words = np.array(["apple", "pie", "pies", "the", "x", "7", "banana", "bread", "of", "Baked", "baking"])
    rare = np.array([f"rare{letter}" for letter in "abcdefghijklmnopqrst"])
    texts = []
    for n_words in rng.integers(0, 25, size=n_texts):
        chosen = np.where(rng.random(n_words) < 0.2, rng.choice(rare, n_words), rng.choice(words, n_words))
        texts.append(rng.choice([" ", ", ", "-"]).join(chosen))
    return [*texts, "", "apple"]


def expected_terms(texts, *, min_df=1, max_df=1.0):
    """Words within the bounds, then pairs of those in two documents or more, by scikit-learn's counts."""
    peer = CountVectorizer(analyzer=analyze, min_df=min_df, max_df=max_df).fit(texts)
    often = CountVectorizer(analyzer=analyze, min_df=2).fit(texts).vocabulary_
    words = [term for term in sorted(peer.vocabulary_) if " " not in term]
    pairs = [
        term for term in peer.vocabulary_ if " " in term and term in often and set(term.split()) <= set(words)
    ]
    return words + sorted(pairs, key=str.split)


def assert_same_bits(first, second):
    assert first.shape == second.shape
    for name in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


@pytest.mark.parametrize(("min_df", "max_df"), [(1, 1.0), (2, 0.5), (3, 1.0), (0.05, 50)])
@pytest.mark.parametrize("seed", range(3))
def test_counts_are_those_of_scikit_learn(seed, min_df, max_df):
    train, test = random_texts(seed), random_texts(seed + 100)
    terms = expected_terms(train, min_df=min_df, max_df=max_df)
    space = VectorSpace(scheme="tf", dtype=np.float64, bigrams=True, min_df=min_df, max_df=max_df).fit(train)
    assert space.get_feature_names_out().tolist() == terms
    assert space.n_words_ == sum(" " not in term for term in terms) < len(terms)
    for texts in (train, test):
        counts = CountVectorizer(analyzer=analyze, vocabulary=terms).transform(texts).toarray()
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        np.testing.assert_allclose(
            space.transform(texts).toarray(), counts / np.maximum(lengths, 1), atol=1e-15
        )


@pytest.mark.parametrize(
    ("scheme", "settings"),
    [("tf", {"use_idf": False}), ("tfidf", {}), ("ltc", {"sublinear_tf": True})],
)
def test_real_texts_equal_scikit_learn(scheme, settings, corpus_or_skip):
    corpus = corpus_or_skip("reuters-r52")
    train, test = corpus.train.texts[:1500], corpus.test.texts[:300]
    # The peer's own n-grams: with its bound of two documents on words as well, the columns are the same.
    stems, test_stems = (
        [" ".join(term for term in analyze(text) if " " not in term) for text in texts]
        for texts in (train, test)
    )
    peer = TfidfVectorizer(
        ngram_range=(1, 2), min_df=2, token_pattern=r"\S+", lowercase=False, smooth_idf=False, **settings
    ).fit(stems)
    if scheme != "tf":
        peer.idf_ = peer.idf_ - 1  # scikit-learn's is log(n / df) + 1
    space = VectorSpace(scheme=scheme, min_df=2, bigrams=True)
    rows = space.fit_transform(train)
    terms = space.get_feature_names_out()
    assert set(terms) == peer.vocabulary_.keys()
    columns = [peer.vocabulary_[term] for term in terms]
    assert abs(rows - peer.transform(stems)[:, columns]).max() < 1e-6
    assert abs(space.transform(test) - peer.transform(test_stems)[:, columns]).max() < 1e-6


@pytest.mark.parametrize("scheme", ["tfidf", "tf", "ltc"])
def test_fit_then_transform_equals_fit_transform(scheme):
    texts = random_texts(0)
    space = VectorSpace(scheme=scheme, bigrams=True, max_df=0.7)
    assert_same_bits(space.fit_transform(texts), clone(space).fit(texts).transform(texts))


@pytest.mark.slow
def test_blocks_and_processes_change_nothing(monkeypatch):
    texts = random_texts(1)
    expected = VectorSpace(bigrams=True).fit_transform(texts)
    monkeypatch.setattr(_reading, "_BLOCK_BYTES", 100)
    assert_same_bits(VectorSpace(bigrams=True).fit_transform(texts), expected)
    monkeypatch.setattr(_counts, "_CHARACTERS_PER_PROCESS", 500)
    space = VectorSpace(bigrams=True, n_jobs=2)
    assert_same_bits(space.fit_transform(texts), expected)
    assert_same_bits(space.transform(iter(texts)), expected)


def test_words_that_are_left_out_separate_their_neighbours_and_stop_words_do_not():
    texts = ["apple of a 7 pie", "apple pie", "apple unknownword pie", "bread", "pie. Apple"]
    space = VectorSpace(stem=None, bigrams=True, min_df=2, scheme="tf")
    X = space.fit_transform(texts)
    assert space.get_feature_names_out().tolist() == ["apple", "pie", "apple pie"]
    assert (X.toarray()[:, 2] > 0).tolist() == [True, True, False, False, False]
    assert space.transform(["apple neverseen pie", "pie apple"]).toarray()[:, 2].tolist() == [0, 0]


def test_a_pair_never_spans_two_documents():
    space = VectorSpace(stem=None, bigrams=True).fit(
        ["ends alpha", "beta starts", "ends alpha", "beta starts"]
    )
    assert space.get_feature_names_out()[space.n_words_ :].tolist() == ["beta starts", "ends alpha"]


def test_a_pair_of_one_document_has_no_column_however_often_it_stands_there():
    space = VectorSpace(bigrams=True).fit(["red car red car red car", "red", "car"])
    assert space.get_feature_names_out().tolist() == ["car", "red"]


@pytest.mark.parametrize("max_terms", [1, 5, 20, 40, 60, 1000])
def test_max_terms_keeps_the_most_frequent_words_and_pairs(max_terms):
    texts = random_texts(2)
    everything = VectorSpace(scheme="tf", bigrams=True)
    frequencies = np.bincount(everything.fit_transform(texts).indices)
    names = everything.get_feature_names_out()
    ranked = sorted(range(len(names)), key=lambda column: (-frequencies[column], column))
    space = VectorSpace(scheme="tf", bigrams=True, max_terms=max_terms)
    X = space.fit_transform(texts)
    kept = space.get_feature_names_out().tolist()
    assert kept == names[sorted(ranked[:max_terms])].tolist()
    assert all(word in kept for term in kept for word in term.split())
    assert X.shape[1] == len(kept) == min(max_terms, len(names))
    assert_same_bits(X, space.transform(texts))


def test_counts_have_no_pairs():
    counts = sp.csr_array(np.array([[1, 1, 0], [1, 1, 2]]))
    space = VectorSpace(bigrams=True)
    assert_same_bits(space.fit_transform(counts), VectorSpace().fit_transform(counts))
    assert space.n_words_ == 3


def test_without_pairs_every_column_is_a_word():
    space = VectorSpace().fit(random_texts(3))
    assert space.n_words_ == len(space.vocabulary_) == len(space.get_feature_names_out())


def test_no_pair_recurs():
    space = VectorSpace(bigrams=True).fit(["apple pie", "banana bread"])
    assert space.get_feature_names_out().tolist() == ["appl", "banana", "bread", "pie"]
    assert space.transform(["apple pie"]).nnz == 2


@pytest.mark.parametrize("seed", range(3))
def test_pairs_are_found_where_they_are(seed):
    rng = np.random.default_rng(seed)
    n_words = 30
    codes = np.flatnonzero(rng.random(n_words**2) < 0.3)
    pairs = Pairs.from_codes(codes, n_words)
    np.testing.assert_array_equal(pairs.codes, codes)
    np.testing.assert_array_equal(pairs.firsts, codes // n_words)
    positions = {divmod(int(code), n_words): position for position, code in enumerate(codes)}
    for first in range(n_words):
        for second in range(n_words):
            assert find_pair(first, second, *pairs) == positions.get((first, second), -1)


def test_codes_do_not_overflow_with_many_words():
    n_words = 100_000  # its square does not fit in 32 bits
    columns = np.array([99_998, 99_999, DROPPED, 0, UNKNOWN, 0, 99_999, 0], np.int32)
    pairs = repeated_pairs([(columns, np.array([len(columns)]))] * 2, n_words)
    assert list(zip(pairs.firsts, pairs.seconds, strict=True)) == [(0, 99_999), (99_998, 99_999), (99_999, 0)]


def test_damaged_codes_lead_nowhere():
    # A stored model may have been tampered with; the compiled search does not check bounds.
    codes = np.array([7, -(2**40), 2**62, 3, 2**62, -1, 0])
    pairs = Pairs.from_codes(codes, 5)
    assert pairs.starts.min() >= 0
    assert pairs.starts.max() <= len(pairs.seconds) == len(codes)
    assert all(find_pair(first, second, *pairs) < len(codes) for first in range(5) for second in range(5))
