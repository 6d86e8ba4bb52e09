"""VectorSpace against a slow reference, against scikit-learn, and on bad input."""

import pickle
import re
from collections import Counter
from math import log, sqrt

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
import skops.io
import Stemmer
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import SkipTestWarning
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer, TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

from textspace.text import VectorSpace, _counts, _reading
from textspace.text._analyzer import Analyzer

ANALYSIS = {"stem": "porter", "stop_words": "english", "token_pattern": None, "tokens": "words"}
SCHEMES = ("tfidf", "tf", "ltc", "even")
TEXTS = ["The cats sat on a mat.", "A cat; a dog!", "", "Dogs & cats: dogs, dogs", "42 of the and"]


def analyze(text):
    stem = Stemmer.Stemmer("porter").stemWord
    return [stem(word) for word in re.findall("[a-z]{2,}", text.lower()) if word not in ENGLISH_STOP_WORDS]


def weigh_slowly(train, test, scheme):
    """Give the terms of the training texts and the dense rows of the test texts, by the definition."""
    documents = [Counter(analyze(text)) for text in train]
    terms = sorted(set().union(*documents))
    rows = np.zeros((len(test), len(terms)))
    for i, text in enumerate(test):
        for term, count in Counter(analyze(text)).items():
            if term in terms:
                idf = log(len(train) / sum(term in document for document in documents))
                weight = {
                    "tf": count,
                    "counts": count,
                    "tfidf": count * idf,
                    "ltc": (1 + log(count)) * idf,
                    "even": (1 + log(count)) * (1 + idf),
                }[scheme]
                rows[i, terms.index(term)] = weight
        length = sqrt(sum(rows[i] ** 2))
        if length > 0 and scheme != "counts":
            rows[i] /= length
    return terms, rows


def random_texts(seed, n_texts=40):
    rng = np.random.default_rng(seed)
    words = np.array(["Running", "runs", "the", "of", "a", "x", "3", "CAT", "cats", "dog", "bank", "banking"])
    rare = np.array([f"w{'abcdefghij'[i % 10] * 2}{chr(97 + i // 10)}" for i in range(100)])
    texts = []
    for n_words in rng.integers(0, 30, size=n_texts):
        chosen = np.where(rng.random(n_words) < 0.3, rng.choice(rare, n_words), rng.choice(words, n_words))
        texts.append(rng.choice([" ", ", ", "--", "\n\t", "_"]).join(chosen))
    return [*texts, ""]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scheme", [*SCHEMES, "counts"])
@pytest.mark.parametrize("seed", range(3))
def test_rows_follow_the_definition(scheme, seed, dtype):
    train, test = random_texts(seed), random_texts(seed + 100)
    space = VectorSpace(scheme=scheme, dtype=dtype)
    fitted = space.fit_transform(train)
    for texts, X in ((train, fitted), (test, space.transform(test))):
        terms, rows = weigh_slowly(train, texts, scheme)
        assert space.get_feature_names_out().tolist() == terms
        assert X.dtype == dtype
        np.testing.assert_allclose(X.toarray(), rows, rtol=0, atol=3e-7 if dtype == np.float32 else 1e-15)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_fit_then_transform_equals_fit_transform(scheme):
    texts = random_texts(0)
    together = VectorSpace(scheme=scheme).fit_transform(texts)
    apart = VectorSpace(scheme=scheme).fit(texts).transform(texts)
    assert_same_bits(together, apart)


def assert_same_bits(first, second):
    assert first.shape == second.shape
    assert first.dtype == second.dtype
    for name in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


@pytest.mark.parametrize(
    ("scheme", "settings"),
    [("tf", {"use_idf": False}), ("tfidf", {}), ("ltc", {"sublinear_tf": True})],
)
def test_real_texts_equal_scikit_learn(scheme, settings, corpus_or_skip):
    texts = corpus_or_skip("reuters-r52").train.texts[:1500]
    peer = TfidfVectorizer(analyzer=analyze, smooth_idf=False, **settings).fit(texts)
    if scheme != "tf":
        peer.idf_ = peer.idf_ - 1  # scikit-learn's is log(n / df) + 1
    space = VectorSpace(scheme=scheme)
    X = space.fit_transform(texts)
    assert space.vocabulary_ == peer.vocabulary_
    assert abs(X - peer.transform(texts)).max() < 1e-6


def test_rows_have_unit_length_or_are_zero():
    X = VectorSpace(stem=None).fit_transform(random_texts(1))
    lengths = np.sqrt(X.multiply(X).sum(axis=1)).A1
    is_empty = np.diff(X.indptr) == 0
    assert is_empty.any()
    np.testing.assert_allclose(lengths[~is_empty], 1, atol=1e-6)
    assert np.isfinite(X.data).all()


def test_documents_without_terms_are_zero_rows():
    space = VectorSpace()
    assert np.diff(space.fit_transform(TEXTS).indptr).tolist() == [3, 2, 0, 2, 0]
    X = space.transform(["", "entirely unseen vocabulary", "the of and", "?!"])
    assert X.shape == (4, len(space.vocabulary_))
    assert X.nnz == 0


def test_a_term_of_every_document_keeps_its_column_without_entries():
    space = VectorSpace()
    X = space.fit_transform(["common cat", "common dog", "common"])
    assert space.get_feature_names_out().tolist() == ["cat", "common", "dog"]
    assert space.idf_[1] == 0
    assert X.nnz == 2
    assert space.transform(["common common"]).nnz == 0
    assert VectorSpace(scheme="tf").fit_transform(["one document"]).nnz == 1


def test_statistics_come_from_the_training_texts_only():
    space = VectorSpace().fit(TEXTS)
    idf = space.idf_.copy()
    space.transform(["cat new words"] * 50)
    np.testing.assert_array_equal(space.idf_, idf)
    assert "new" not in space.vocabulary_
    assert VectorSpace(scheme="tf").fit(TEXTS).idf_ is None


@pytest.mark.parametrize(
    ("min_df", "max_df"),
    [(1, 1.0), (2, 1.0), (0.1, 0.5), (1, 5), (3, 0.6), (0.0, 1.0), (np.int64(2), np.float64(0.5))],
)
def test_frequency_bounds_are_those_of_scikit_learn(min_df, max_df):
    texts = random_texts(2)
    peer = CountVectorizer(analyzer=analyze, min_df=min_df, max_df=max_df).fit(texts)
    assert VectorSpace(min_df=min_df, max_df=max_df).fit(texts).vocabulary_ == peer.vocabulary_


def test_pruned_terms_do_not_count_towards_the_length():
    texts = random_texts(3)
    space = VectorSpace(min_df=2, max_df=0.5, scheme="tf")
    X = space.fit_transform(texts)
    counts = CountVectorizer(analyzer=analyze, min_df=2, max_df=0.5).fit_transform(texts).toarray()
    lengths = np.linalg.norm(counts, axis=1, keepdims=True)
    np.testing.assert_allclose(X.toarray(), counts / np.maximum(lengths, 1), atol=1e-6)
    assert_same_bits(X, space.transform(texts))


def test_max_terms_keeps_the_most_frequent_and_breaks_ties_by_the_alphabet():
    # Document frequencies: dd 3, bb 2, cc 2, aa 1; bb stands most often in all.
    texts = ["dd bb bb bb bb", "dd cc", "dd bb cc aa"]
    for max_terms, expected in [
        (1, ["dd"]),
        (2, ["bb", "dd"]),
        (3, ["bb", "cc", "dd"]),
        (9, ["aa", "bb", "cc", "dd"]),
    ]:
        assert list(VectorSpace(stem=None, max_terms=max_terms).fit(texts).vocabulary_) == expected
    assert list(VectorSpace(stem=None, max_terms=1, max_df=2).fit(texts).vocabulary_) == ["bb"]


@pytest.mark.slow
def test_the_number_of_processes_changes_nothing(monkeypatch):
    # Documents of very different length, some with letters that others lack.
    texts = [*random_texts(0), " ".join(random_texts(1)), *random_texts(2), "only here é", ""]
    alone = VectorSpace()
    expected = alone.fit_transform(texts)
    monkeypatch.setattr(_counts, "_CHARACTERS_PER_PROCESS", 100)
    for n_jobs in (2, 3):
        together = VectorSpace(n_jobs=n_jobs)
        assert len(_counts.tokenize(texts, Analyzer(**ANALYSIS), n_jobs=n_jobs)) == n_jobs
        assert_same_bits(together.fit_transform(iter(texts)), expected)
        assert_same_bits(together.transform(texts), expected)
        assert together.vocabulary_ == alone.vocabulary_
        np.testing.assert_array_equal(together.idf_, alone.idf_)


@pytest.mark.slow
def test_one_long_document_leaves_other_processes_without_work(monkeypatch):
    monkeypatch.setattr(_counts, "_CHARACTERS_PER_PROCESS", 10)
    texts = ["word " * 100, "short"]
    assert_same_bits(VectorSpace(n_jobs=3).fit_transform(texts), VectorSpace().fit_transform(texts))


def test_short_texts_are_not_sent_to_other_processes():
    assert len(_counts.tokenize(TEXTS, Analyzer(**ANALYSIS), n_jobs=2)) == 1


def test_every_kind_of_iterable_is_read_once():
    expected = VectorSpace().fit_transform(TEXTS)
    for texts in (
        tuple(TEXTS),
        np.array(TEXTS),
        np.array(TEXTS, dtype=object),
        pl.Series(TEXTS),
        (text for text in TEXTS),
        dict.fromkeys(TEXTS).keys(),
    ):
        assert_same_bits(VectorSpace(n_jobs=2).fit_transform(texts), expected)


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        ("one text", TypeError, "put it in a list"),
        (b"one text", TypeError, "put it in a list"),
        (["fine", None], TypeError, "document 1 (counted from 0) is NoneType, None: drop it"),
        (["fine", "fine", float("nan")], TypeError, "document 2 (counted from 0) is float, nan: drop it"),
        ([7], TypeError, "document 0 (counted from 0) is int, 7: turn it into text"),
        ([np.float32(0.5)], TypeError, "turn it into text"),
        (["fine", b"raw"], TypeError, "document 1 (counted from 0) is bytes, b'raw': decode it"),
        (np.array([["a", "b"]]), TypeError, "ndarray of shape (1, 2): choose the column"),
        (pl.DataFrame({"text": TEXTS}), TypeError, "DataFrame of shape (5, 1): choose the column"),
        (5, TypeError, "given int: choose the column"),
        ([], ValueError, "corpus is empty"),
        (["", " "], ValueError, "No terms remain of 0"),
        (["the", "of"], ValueError, "hold words other than stop words"),
    ],
)
def test_bad_texts_are_explained(texts, error, message):
    with pytest.raises(error, match=re.escape(message)):
        VectorSpace().fit(texts)
    with pytest.raises(error, match=re.escape(message)):
        VectorSpace(n_jobs=2).fit_transform(texts)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"scheme": "bm25"},
            "'scheme' parameter of VectorSpace must be a str among {'tfidf', 'tf', 'ltc', 'even', 'counts'}",
        ),
        (
            {"min_df": 0},
            "'min_df' parameter of VectorSpace must be an int in the range [1, inf) or a float in",
        ),
        ({"min_df": "2"}, "'min_df' parameter"),
        ({"max_df": 1.5}, "'max_df' parameter"),
        ({"max_terms": 0}, "'max_terms' parameter"),
        ({"max_terms": 2.0}, "'max_terms' parameter"),
        ({"stem": "klingon"}, "'stem' parameter"),
        ({"stop_words": "klingon"}, "'stop_words' parameter"),
        ({"stop_words": iter(["a"])}, "'stop_words' parameter"),
        (
            {"tokens": "lines"},
            "'tokens' parameter of VectorSpace must be a str among {'words', 'written', 'whole'}",
        ),
        ({"tokens": "written", "token_pattern": "a"}, "token_pattern says what a token is: leave out tokens"),
        ({"letters": (0, 3)}, "letters=(0, 3) must be the shortest and the longest number of characters"),
        ({"letters": (4, 3)}, "two whole numbers from 2 to 20, such as (2, 5)"),
        ({"letters": (2,)}, "letters=(2,) must be"),
        ({"letters": (2, 2.5)}, "letters=(2, 2.5) must be"),
        ({"letters": 3}, "'letters' parameter of VectorSpace must be"),
        ({"letters": (2, 5), "bigrams": True}, "letters gives n-grams of characters only: leave out bigrams"),
        ({"letters": (2, 5), "n_hashed": 64}, "leave out n_hashed"),
        ({"letters": (2, 5), "token_pattern": "a"}, "leave out token_pattern"),
        ({"letters": (2, 5), "tokens": "written"}, "leave out tokens"),
        ({"dtype": np.int32}, "must be numpy.float32 or numpy.float64"),
        ({"min_df": 5}, "No terms remain of 4: lower min_df (5)"),
        ({"max_df": 0.1}, "raise max_df (0.1)"),
    ],
)
def test_wrong_settings_are_explained(wrong, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        VectorSpace(**wrong).fit(TEXTS)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csr_array, sp.csc_array, sp.coo_matrix])
def test_counts_give_the_rows_of_the_texts_they_count(scheme, kind):
    train, test = random_texts(4), random_texts(5)
    counter = CountVectorizer(analyzer=analyze).fit(train)
    settings = {"scheme": scheme, "min_df": 2, "max_df": 0.5, "max_terms": 20}
    on_texts, on_counts = VectorSpace(**settings), VectorSpace(**settings)
    counts = kind(counter.transform(train))
    before = counts.copy()
    assert_same_bits(on_counts.fit_transform(counts), on_texts.fit_transform(train))
    assert_same_bits(on_counts.transform(kind(counter.transform(test))), on_texts.transform(test))
    assert abs(counts - before).max() == 0
    columns = on_counts.get_feature_names_out().astype(int)
    assert counter.get_feature_names_out()[columns].tolist() == list(on_texts.vocabulary_)


def test_stored_zeros_and_empty_columns_are_no_terms():
    counts = sp.csr_array(([1.0, 0.0, 2.0], ([0, 0, 1], [0, 1, 3])), shape=(2, 4))
    space = VectorSpace(min_df=0.0)
    X = space.fit_transform(counts)
    assert space.get_feature_names_out().tolist() == ["0", "3"]
    assert X.toarray().tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("value", "message"),
    [(-1.0, "cannot be negative"), (np.nan, "must be finite"), (0.5, "must be whole numbers")],
)
def test_bad_counts_are_explained(value, message):
    counts = sp.csr_array(([1.0, value], ([0, 1], [0, 2])), shape=(2, 3))
    with pytest.raises(ValueError, match=f"{message}.*document 1, column 2 holds {value}"):
        VectorSpace().fit(counts)


def test_counts_and_texts_are_not_mixed():
    counts = sp.csr_array(np.eye(3))
    with pytest.raises(ValueError, match="fitted on texts, but transform was given term counts"):
        VectorSpace().fit(TEXTS).transform(counts)
    with pytest.raises(ValueError, match="fitted on term counts, but transform was given texts"):
        VectorSpace().fit(counts).transform(TEXTS)
    with pytest.raises(ValueError, match="have 2 columns, but this VectorSpace was fitted on 3"):
        VectorSpace().fit(counts).transform(counts[:, :2])
    with pytest.raises(ValueError, match="corpus is empty"):
        VectorSpace().fit(counts[:0])
    with pytest.raises(ValueError, match="matrix of numbers"):
        VectorSpace().fit(sp.coo_array([1.0, 2.0]))
    space = VectorSpace().fit(counts).fit(TEXTS)
    assert space.transform(TEXTS).shape == (5, 4)


def test_the_result_is_the_kind_of_sparse_matrix_that_scikit_learn_gives():
    for interface in ("spmatrix", "sparray"):
        with config_context(sparse_interface=interface):
            X = VectorSpace().fit_transform(TEXTS)
            assert type(X) is type(TfidfVectorizer().fit_transform(TEXTS))
            assert type(VectorSpace().fit(TEXTS).transform(TEXTS)) is type(X)
        assert X.indices.dtype == X.indptr.dtype == np.int32
        assert X.has_canonical_format


def test_no_documents_to_transform():
    assert VectorSpace().fit(TEXTS).transform([]).shape == (0, 4)


def test_scikit_learn_contract():
    with pytest.warns(SkipTestWarning, match="requires input"):  # its checks on numbers do not apply
        check_estimator(VectorSpace())
    space = VectorSpace(scheme="ltc", stem="german", stop_words=["und"], min_df=2)
    assert clone(space).get_params() == space.get_params()
    tags = space.__sklearn_tags__().input_tags
    assert tags.string
    assert tags.sparse
    assert not tags.two_d_array


@pytest.mark.parametrize(
    "settings",
    [
        {"token_pattern": r"\w+", "stop_words": {"cat"}},
        {"bigrams": True, "stop_words": ["THE", "Und"]},
        {"token_pattern": r"(?s)\S+.", "stem": None, "stop_words": None},  # terms with spaces and line ends
        {"dtype": np.float64, "scheme": "tf", "max_terms": 3},
        {"tokens": "written", "stem": None, "stop_words": None},
        {"letters": (2, 4), "max_terms": 50},
    ],
)
@pytest.mark.parametrize("store", [pickle, skops.io], ids=["pickle", "skops"])
def test_a_stored_space_gives_the_same_rows(store, settings):
    texts = [*TEXTS, "Café\nau lait", "e\u0301te\u0301 👍", "Dogs cats"] * 2
    space = VectorSpace(**settings).fit(texts)
    stored = store.dumps(space)
    # Beyond these two classes all is of types that skops takes for harmless.
    ours = ["textspace.text._vector_space.VectorSpace", "textspace.text._letters.Letters"]
    copy = store.loads(stored, **({} if store is pickle else {"trusted": ours}))
    assert copy.get_params() == space.get_params()
    assert list(copy.vocabulary_) == list(space.vocabulary_)
    assert copy.n_words_ == space.n_words_
    assert copy.get_feature_names_out().tolist() == space.get_feature_names_out().tolist()
    assert_same_bits(copy.transform(texts), space.transform(texts))
    assert copy.spans(texts[0]) == space.spans(texts[0])


def test_unfitted_spaces_and_spaces_on_counts_are_stored_too():
    counts = sp.csr_array(np.array([[1, 0, 2], [1, 0, 0]]))
    space = VectorSpace().fit(counts)
    assert_same_bits(pickle.loads(pickle.dumps(space)).transform(counts), space.transform(counts))
    fresh = pickle.loads(pickle.dumps(VectorSpace(stem=None)))
    assert fresh.stem is None
    assert not hasattr(fresh, "vocabulary_")


def test_a_large_vocabulary_is_stored_in_little_space():
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("abcdefghij"), size=7)) for _ in range(20_000)]
    texts = [" ".join(rng.choice(words, size=500)) for _ in range(40)] * 2
    space = VectorSpace(stem=None, bigrams=True).fit(texts)
    n_words, n_pairs = space.n_words_, space.idf_.size - space.n_words_
    assert n_pairs > 15_000
    # A word takes its letters, its length and its idf, a pair a number and its idf.
    assert len(skops.io.dumps(space)) < (7 + 4 + 4) * n_words + (8 + 4) * n_pairs + 10_000


def test_settings_changed_after_fitting_are_heeded():
    stop_words = ["dog"]
    space = VectorSpace("tf", stop_words=stop_words).fit(TEXTS)
    assert space.transform(["dogs cat"]).nnz == 2
    stop_words.append("cat")
    assert space.transform(["dogs cat"]).nnz == 1
    assert space.set_params(stop_words=None, stem=None).transform(["dogs cat"]).nnz == 1
    assert clone(space).fit(TEXTS).transform(["dogs cat"]).nnz == 2


class CountedText(str):
    """A text that knows how many of its kind there are."""

    n_alive = 0

    def __new__(cls, text):
        cls.n_alive += 1
        return super().__new__(cls, text)

    def __del__(self):
        type(self).n_alive -= 1


def test_a_generator_of_texts_is_let_go_as_it_is_read(monkeypatch):
    n_alive = []

    def texts():
        for i in range(300):
            n_alive.append(CountedText.n_alive)
            yield CountedText(f"cat number {i} " + "é" * (i % 2))

    monkeypatch.setattr(_reading, "_BLOCK_BYTES", 200)
    assert VectorSpace().fit(TEXTS).transform(texts()).shape == (300, 4)
    assert max(n_alive) <= 2


def test_pipeline_with_a_linear_classifier():
    texts = ["stocks and bonds", "bond markets fell", "goals and penalties", "a late goal"] * 3
    labels = ["money", "money", "sport", "sport"] * 3
    model = make_pipeline(VectorSpace(), LinearSVC()).fit(texts, labels)
    assert model.predict(["bonds rose", "penalty goal"]).tolist() == ["money", "sport"]
    assert model[:-1].get_feature_names_out().tolist() == list(model[0].vocabulary_)


def test_hashed_columns_are_sums_of_the_columns_of_their_words():
    space = VectorSpace(scheme="tf", n_hashed=3).fit(TEXTS)
    counts = np.zeros((len(TEXTS), 3))
    for row, text in enumerate(TEXTS):
        for word in analyze(text):
            counts[row, space.vocabulary_.get(word, None)] += 1
    np.testing.assert_allclose(space.transform(TEXTS).toarray(), normalize(counts), rtol=1e-6)


def test_a_hashed_space_is_stored_without_words():
    texts = ["corn and wheat", "ships of the sea", "corn at sea"]
    space = VectorSpace(n_hashed=64).fit(texts)
    again = pickle.loads(pickle.dumps(space))
    assert (again.transform(texts) != space.transform(texts)).nnz == 0
    assert len(again.get_feature_names_out()) == 64
    new = space.transform(["a word that never came"])
    assert new.nnz == 2  # "word" and "came" have a column all the same


@pytest.mark.parametrize("setting", [{"bigrams": True}, {"min_df": 2}, {"max_terms": 5}])
def test_hashing_excludes_what_needs_a_vocabulary(setting):
    with pytest.raises(ValueError, match=f"leave out {next(iter(setting))}"):
        VectorSpace(n_hashed=64, **setting).fit(["some text"])


def test_an_arrow_column_is_told_to_become_a_list():
    arrow = pytest.importorskip("pyarrow")
    with pytest.raises(TypeError, match=r"turn the Arrow column into a list with \.to_pylist\(\)"):
        VectorSpace().fit(arrow.array(TEXTS))
