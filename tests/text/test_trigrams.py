"""TrigramTensorSpace against a slow reference, against scikit-learn, and on bad input."""

import pickle
import re

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import SkipTestWarning
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

from textspace.text import TrigramTensorSpace, _reading

ALPHABET = "abcdefghijklmnopqrstuvwxyz*"
TEXTS = [
    "It said it plans",
    "",
    "ab",
    "...",
    "1998 -- 2003\n",
    "a--",
    "  z",
    "Été, ΩMEGA & İstanbul",  # lower-casing makes two characters of the dotted capital I
    "\N{KELVIN SIGN}elvin \N{GRINNING FACE}\N{GRINNING FACE} ok",
    "broken \ud83d half",
    "zzzzzz zzzz",
]


def tensor_slowly(text):
    """Give the tensor of a text by the definition."""
    symbols = [ALPHABET.find(c) if c in ALPHABET[:26] else 26 for c in text.lower()]
    tensor = np.zeros((27, 27, 27))
    if set(symbols) != {26}:
        for window in zip(symbols, symbols[1:], symbols[2:], strict=False):
            tensor[window] += 1
    length = np.sqrt((tensor**2).sum())
    return tensor / length if length > 0 else tensor


def random_texts(seed, n_texts=30):
    rng = np.random.default_rng(seed)
    characters = np.array(list("abcdeXYZ  .,1é\n"))
    return ["".join(rng.choice(characters, n)) for n in rng.integers(0, 200, n_texts)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("texts", [TEXTS, random_texts(0), random_texts(1)], ids=["odd", "random", "random"])
def test_tensors_follow_the_definition(texts, dtype):
    space = TrigramTensorSpace(dtype=dtype)
    X = space.fit_transform(texts)
    assert X.dtype == dtype
    assert space.tensor_shape_ == (27, 27, 27)
    for row, text in zip(X.toarray(), texts, strict=True):
        tensor = row.reshape(space.tensor_shape_, order="F")
        np.testing.assert_allclose(tensor, tensor_slowly(text), atol=1e-7 if dtype == np.float32 else 1e-15)


def test_columns_are_named_by_their_windows():
    space = TrigramTensorSpace()
    names = space.get_feature_names_out()
    assert len(set(names)) == 27**3
    for text in ("the", "*th", "zzz", "q*x"):
        assert names[space.transform([text]).indices].tolist() == [text]
        place = tuple(ALPHABET.index(symbol) for symbol in text)
        assert names[np.ravel_multi_index(place, (27, 27, 27), order="F")] == text


def test_real_texts_equal_scikit_learn(corpus_or_skip):
    texts = corpus_or_skip("20newsgroups").texts[:300]
    starred = [re.sub("[^a-z]", "*", text.lower()) for text in texts]
    space = TrigramTensorSpace(dtype=np.float64)
    vocabulary = {name: column for column, name in enumerate(space.get_feature_names_out())}
    peer = TfidfVectorizer(analyzer="char", ngram_range=(3, 3), use_idf=False, vocabulary=vocabulary)
    assert abs(space.fit_transform(texts) - peer.fit_transform(starred)).max() < 1e-12


def test_tensors_have_unit_length_or_are_zero():
    X = TrigramTensorSpace().fit_transform(TEXTS)
    lengths = np.sqrt(X.power(2).sum(axis=1)).A1
    is_empty = np.array([not re.search("[a-z]", text.lower()) or len(text) < 3 for text in TEXTS])
    np.testing.assert_allclose(lengths, ~is_empty, atol=1e-6)
    assert np.isfinite(X.data).all()


def test_windows_without_letters_count_beside_others():
    X = TrigramTensorSpace().transform(["a.....", "......"])
    assert X.sum(axis=1).A1.tolist() == pytest.approx([4 / np.sqrt(10), 0])


def test_blocks_leave_no_trace(monkeypatch):
    texts = random_texts(2)
    expected = TrigramTensorSpace().transform(texts)
    monkeypatch.setattr(_reading, "_BLOCK_BYTES", 100)
    assert_same_bits(TrigramTensorSpace().transform(texts), expected)


def assert_same_bits(first, second):
    assert first.shape == second.shape
    for name in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


def test_every_kind_of_iterable_is_read_once():
    expected = TrigramTensorSpace().fit_transform(TEXTS)
    polars_texts = [text.encode("utf-8", "replace").decode() for text in TEXTS]  # it takes no half pairs
    for texts in (
        tuple(TEXTS),
        np.array(TEXTS, dtype=object),
        pl.Series(polars_texts),
        (text for text in TEXTS),
        dict.fromkeys(TEXTS).keys(),
    ):
        assert_same_bits(TrigramTensorSpace().fit_transform(texts), expected)
    assert TrigramTensorSpace().transform([]).shape == (0, 27**3)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (
            sp.csr_matrix(np.eye(3)),
            "reads letters, but was given csr_matrix of shape (3, 3): give it the texts",
        ),
        (sp.coo_array(np.eye(3)), "reads letters, but was given coo_array of shape (3, 3)"),
        (np.eye(3), "a single column of texts, but was given ndarray of shape (3, 3)"),
        ("one text", "put it in a list"),
        (5, "given int: choose the column"),
    ],
)
def test_what_is_not_many_texts_is_explained(texts, message):
    for method in (TrigramTensorSpace().fit, TrigramTensorSpace().transform):
        with pytest.raises(TypeError, match=re.escape(message)):
            method(texts)


def test_a_document_that_is_no_text_is_named():
    with pytest.raises(TypeError, match=re.escape("document 1 (counted from 0) is NoneType")):
        TrigramTensorSpace().fit_transform(["fine", None])


def test_wrong_type_of_weights_is_explained():
    with pytest.raises(ValueError, match=r"must be numpy\.float32 or numpy\.float64"):
        TrigramTensorSpace(dtype=np.int32).fit(TEXTS)


def test_the_result_is_the_kind_of_sparse_matrix_that_scikit_learn_gives():
    for interface in ("spmatrix", "sparray"):
        with config_context(sparse_interface=interface):
            X = TrigramTensorSpace().fit_transform(TEXTS)
            assert type(X) is type(CountVectorizer().fit_transform(TEXTS))
        assert X.indices.dtype == X.indptr.dtype == np.int32
        assert X.has_canonical_format


def test_scikit_learn_contract():
    with pytest.warns(SkipTestWarning, match="requires input"):  # its checks on numbers do not apply
        check_estimator(TrigramTensorSpace())
    space = TrigramTensorSpace(dtype=np.float64)
    assert clone(space).get_params() == space.get_params()
    assert pickle.loads(pickle.dumps(space.fit(TEXTS))).tensor_shape_ == (27, 27, 27)
    model = make_pipeline(TrigramTensorSpace(), LinearSVC())
    labels = [bool(re.search("[it]", text)) for text in TEXTS]
    assert model.fit(TEXTS, labels).score(TEXTS, labels) > 0.8
    assert model[:-1].get_feature_names_out().shape == (27**3,)
