"""N-grams of characters against scikit-learn's, their places, their files, and hard texts."""

import pickle
import re
import time
import unicodedata
from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer

from textspace._saving import saved_types
from textspace.datasets import load
from textspace.text import VectorSpace, _letter_tree, _letters, _reading
from textspace.text._letters import Letters

HARD_TEXTS = [
    "",
    " \t\u3000\n",
    "a",
    "x yy zzz",
    "2024 1 1",
    "Café crème; don't STOP!",
    unicodedata.normalize("NFD", "Café Ångström déjà"),
    "日本語の文章には空白がない。日本語の文章",
    "👍🏽 ok👩\u200d👩\u200d👧 ❤️ 🇫🇷",
    "broken\ud800text \udfff",
    "no\u00a0break\u2003wide\u2028line\x1cfile\x85next",
    "Straße ὁδός",
    "nul\0byte",
]


def random_texts(seed, n_texts=30):
    """Texts of few characters, so that n-grams recur, with every kind of white space."""
    rng = np.random.default_rng(seed)
    pool = [*"aaabbcAB1!  \n\t", "é", "ж", "ह", "日", "本", "👍", "\u00a0", "\u3000", "\x1f", "\x85"]
    return ["".join(rng.choice(pool, size=size)) for size in rng.integers(0, 80, size=n_texts)]


def assert_counts_of_scikit_learn(space, train, test):
    settings = {"min_df": space.min_df, "max_df": space.max_df, "dtype": np.float64}
    peer = CountVectorizer(analyzer="char_wb", ngram_range=space.letters, **settings).fit(train)
    space.fit(train)
    assert space.get_feature_names_out().tolist() == peer.get_feature_names_out().tolist()
    for texts in (train, test):
        counts = peer.transform(texts)
        lengths = np.sqrt(counts.multiply(counts).sum(axis=1)).A1
        expected = sp.diags(1 / np.maximum(lengths, 1)) @ counts
        assert abs(space.transform(texts) - expected).max() < 1e-12


@pytest.mark.parametrize("letters", [(2, 5), (2, 2), (3, 4), (4, 9)])
@pytest.mark.parametrize("seed", range(3))
def test_counts_are_those_of_scikit_learn(seed, letters):
    space = VectorSpace("tf", letters=letters, dtype=np.float64)
    assert_counts_of_scikit_learn(space, random_texts(seed), random_texts(seed + 100))


@pytest.mark.parametrize(("min_df", "max_df"), [(2, 0.5), (0.1, 20), (3, 1.0)])
def test_frequency_bounds_are_those_of_scikit_learn(min_df, max_df):
    space = VectorSpace("tf", letters=(2, 5), dtype=np.float64, min_df=min_df, max_df=max_df)
    assert_counts_of_scikit_learn(space, random_texts(0), random_texts(1))


def test_counts_of_real_texts_are_those_of_scikit_learn(monkeypatch):
    monkeypatch.setattr(_reading, "_BLOCK_BYTES", 20_000)
    corpus = load("demo")
    space = VectorSpace("tf", letters=(2, 5), dtype=np.float64)
    assert_counts_of_scikit_learn(space, corpus.train.texts, corpus.test.texts)


@pytest.mark.parametrize("scheme", ["tf", "tfidf", "ltc"])
def test_fit_then_transform_equals_fit_transform(scheme):
    texts = [*random_texts(0), *HARD_TEXTS]
    space = VectorSpace(scheme, letters=(2, 5), max_terms=200)
    together = space.fit_transform(texts)
    assert together.shape[1] == space.n_words_ == len(space.idf_ if scheme != "tf" else space.vocabulary_)
    assert together.has_canonical_format
    assert (together != space.transform(iter(texts))).nnz == 0
    lengths = np.sqrt(together.multiply(together).sum(axis=1)).A1
    np.testing.assert_allclose(lengths[lengths > 0], 1, atol=1e-6)


def test_max_terms_keeps_the_most_frequent_and_breaks_ties_by_the_alphabet():
    texts = random_texts(3)
    everything = VectorSpace("tf", letters=(2, 5))
    frequencies = np.bincount(everything.fit_transform(texts).indices)
    names = everything.get_feature_names_out()
    ranked = sorted(range(len(names)), key=lambda column: (-frequencies[column], column))
    for max_terms in (1, 17, 300):
        space = VectorSpace("tf", letters=(2, 5), max_terms=max_terms).fit(texts)
        assert space.get_feature_names_out().tolist() == names[sorted(ranked[:max_terms])].tolist()


def test_names_of_some_columns():
    space = VectorSpace(letters=(2, 5)).fit(HARD_TEXTS)
    names = space.get_feature_names_out()
    columns = np.array([5, 0, len(names) - 1, 5])
    assert space.names_of(columns).tolist() == names[columns].tolist()
    assert names.tolist() == sorted(names) == list(space.vocabulary_)
    assert {" a ", " x", "zzz ", "本語の文章", " 👍🏽 "} <= set(names)


@pytest.mark.parametrize("text", HARD_TEXTS)
def test_the_text_at_a_place_is_the_n_gram(text):
    space = VectorSpace("tf", letters=(2, 5)).fit(HARD_TEXTS)
    names = space.get_feature_names_out()
    spans = space.spans(text)
    assert spans == sorted(spans)
    for start, end, column in spans:
        written = re.sub("[\ud800-\udfff]", "\ufffd", _reading.folded(text[start:end]))
        assert names[column].strip(" ") == written
    counts = Counter(column for _, _, column in spans)
    row = space.transform([text]).toarray()[0]
    assert sorted(counts) == np.flatnonzero(row).tolist()
    total = np.sqrt(sum(count**2 for count in counts.values()))
    for column, count in counts.items():
        assert row[column] == pytest.approx(count / total, abs=1e-6)


def test_a_letter_that_becomes_two_is_the_place_of_both():
    space = VectorSpace(letters=(2, 2)).fit(["İx", "y"])
    names = space.get_feature_names_out()
    places = [(start, end, names[column]) for start, end, column in space.spans("İx")]
    assert sorted(places) == [(0, 1, " i"), (0, 1, "i\u0307"), (0, 2, "\u0307x"), (1, 2, "x ")]


def test_places_by_hand():
    space = VectorSpace(letters=(2, 3)).fit(["Cat", "dog"])
    text = "A CAT"
    names = space.get_feature_names_out()
    assert [(text[start:end], names[column]) for start, end, column in space.spans(text)] == [
        ("C", " c"),
        ("CA", " ca"),
        ("CA", "ca"),
        ("CAT", "cat"),
        ("AT", "at"),
        ("AT", "at "),
        ("T", "t "),
    ]


def test_a_run_of_a_million_characters_takes_no_time():
    rng = np.random.default_rng(0)
    run = rng.integers(ord("a"), ord("h"), size=1_000_000, dtype=np.uint8).tobytes().decode()
    space = VectorSpace("tf", letters=(2, 5)).fit(["abc", run[:100]])
    start = time.process_time()
    space = VectorSpace("tf", letters=(2, 5)).fit([run, "é" + run])
    assert space.transform([run]).nnz > 7**5
    assert time.process_time() - start < 20  # some tenths of a second; quadratic time would be hours


@pytest.mark.parametrize("texts", [["", " "], ["\n"]])
def test_texts_of_white_space_have_no_terms(texts):
    with pytest.raises(ValueError, match="No terms remain of 0"):
        VectorSpace(letters=(2, 5)).fit(texts)
    space = VectorSpace(letters=(2, 5)).fit(["a word"])
    assert space.transform(texts).nnz == 0
    assert space.transform([]).shape == (0, space.n_words_)
    with pytest.raises(ValueError, match="corpus is empty"):
        VectorSpace(letters=(2, 5)).fit([])


def test_bad_texts_are_explained():
    with pytest.raises(TypeError, match="is NoneType, None: drop it"):
        VectorSpace(letters=(2, 5)).fit(["fine", None])
    with pytest.raises(TypeError, match="put it in a list"):
        VectorSpace(letters=(2, 5)).fit("one text")


def test_counts_in_place_of_texts_have_no_letters():
    counts = sp.csr_array(np.array([[1, 0, 2], [1, 3, 0]]))
    space = VectorSpace(letters=(2, 5))
    assert (space.fit_transform(counts) != VectorSpace().fit_transform(counts)).nnz == 0
    assert pickle.loads(pickle.dumps(space)).transform(counts).shape == (2, 3)


def test_very_many_n_grams_are_forgotten_when_one_document_holds_them(monkeypatch):
    texts = [f"common {number:x}{number * 7919:x}" for number in range(400)]
    monkeypatch.setattr(_letters, "_MANY_NODES", 2000)
    monkeypatch.setattr(_reading, "_BLOCK_BYTES", 1000)
    space = VectorSpace(letters=(2, 5)).fit(texts)
    assert space.n_words_ < 2500
    for common in (" comm", "ommon", "n "):
        assert space.idf_[list(space.vocabulary_).index(common)] == pytest.approx(0, abs=1e-6)


def test_many_n_grams_are_stored_in_little_space():
    rng = np.random.default_rng(0)
    texts = ["".join(chr(code) for code in rng.integers(97, 123, size=3000)) for _ in range(20)]
    space = VectorSpace(letters=(2, 5)).fit(texts)
    assert space.n_words_ > 50_000
    # A last character, a length, a mark and the idf.
    assert len(pickle.dumps(space)) < (1 + 1 + 1 + 4) * (space.n_words_ + 100) + 2000


@pytest.mark.parametrize(
    "forged",
    [
        {"lengths": np.array([2, 1, 1])},
        {"lengths": np.array([0, 1, 1])},
        {"lengths": np.array([1, 3, 1])},
        {"lengths": np.array([1, 2])},
        {"lengths": np.array([1, -1, 1])},
        {"characters": np.frombuffer(b"aba", np.uint8)},
        {"characters": np.frombuffer(b"ab", np.uint8)},
        {"is_term": np.zeros(3, bool)},
        {"is_term": np.ones(4, bool)},
    ],
)
def test_damaged_files_are_refused(forged):
    # The compiled passes do not check bounds.
    sound = {
        "characters": np.frombuffer(b"abc", np.uint8),
        "lengths": np.ones(3, np.uint8),
        "is_term": np.ones(3, bool),
    }
    assert list(as_read(sound)) == ["a", "b", "c"]
    with pytest.raises(ValueError, match=r"of (letters|its Letters)"):
        saved_types()["text.letters"].check_state(as_read(sound | forged))
    with pytest.raises(ValueError, match="of letters"):
        as_read(sound | forged).places("abc")


def as_read(state):
    letters = Letters.__new__(Letters)
    vars(letters).update(state)
    return letters


def test_the_factor_of_the_hash_changes_nothing_but_places(monkeypatch):
    texts = ["corn and wheat rose", "a ship sank off the port", "corn prices in the port"] * 3
    found = []
    for factor in (_letter_tree.HASH_FACTOR, 11400714819323198485 >> 1 | 1, 3):
        for module in (_letters, _letter_tree):
            monkeypatch.setattr(module, "HASH_FACTOR", factor)
        space = VectorSpace(letters=(2, 5)).fit(texts)
        found.append((space.get_feature_names_out().tolist(), space.transform(texts[:3]).toarray()))
    for names, rows in found[1:]:
        assert names == found[0][0]
        np.testing.assert_array_equal(rows, found[0][1])


def test_characters_that_were_chosen_to_meet_in_the_table_do_not():
    """Each is a node below the root; by the golden ratio as the factor they fell into one place."""
    keys = np.arange(1, 0x10000, dtype=np.uint64)
    places = (keys * np.uint64(11400714819323198485) >> np.uint64(32)) % np.uint64(1024)
    chosen = keys[places == 7].astype(np.int64)
    assert len(chosen) > 50
    table = _letter_tree.table_of(np.concatenate([[-1], chosen]), _letter_tree.HASH_FACTOR)
    rows = np.flatnonzero(table[:-1, 1])
    assert len(rows) == len(chosen)
    assert np.ptp(rows) > 2 * len(chosen)
