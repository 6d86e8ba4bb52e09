"""FoldedTensorSpace: identities, orders, texts and matrices, bad input."""

import pickle
import re
from itertools import permutations
from math import prod

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from textspace.text import FoldedTensorSpace, VectorSpace
from textspace.text._folding import _matched_to_rows, _weights_by_class

ORDERS = ("document_frequency", "class_profile")
SHAPES = [(None, 50), (None, 4), (7, None), (None, 3, 2), (None, 1), (1, None), (4, None, 3), (60,), (5, 12)]
TEXTS = ["Corn and wheat.", "Wheat; wheat prices!", "", "Gold prices", "corn, gold, WHEAT"]


def random_documents(seed, n_documents=40, n_terms=60, dtype=np.float64):
    """Give a csr_array whose columns differ in document frequency, and three classes."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_documents, n_terms)) * (rng.random((n_documents, n_terms)) < rng.random(n_terms) ** 2)
    return sp.csr_array(X.astype(dtype)), rng.choice(["earn", "grain", "gold"], n_documents)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_folding_permutes_and_pads(shape, order):
    X, y = random_documents(0)
    space = FoldedTensorSpace(shape=shape, order=order)
    folded = space.fit_transform(X, y)
    assert all(size in (None, given) for size, given in zip(shape, space.tensor_shape_, strict=True))
    assert folded.shape == (40, prod(space.tensor_shape_))
    assert sorted(space.order_) == list(range(60))
    np.testing.assert_array_equal(folded[:, :60].toarray(), X.toarray()[:, space.order_])
    assert folded[:, 60:].nnz == 0
    assert folded.has_canonical_format
    np.testing.assert_allclose((folded @ folded.T).toarray(), (X @ X.T).toarray(), atol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csr_array, sp.csc_array, sp.coo_matrix, np.asarray])
def test_every_kind_of_matrix_gives_the_same(kind, dtype, order):
    rows, y = random_documents(1, dtype=dtype)
    X = kind(rows) if kind is not np.asarray else rows.toarray()
    before = X.copy()
    space = FoldedTensorSpace(shape=(None, 7), order=order)
    folded = space.fit_transform(X, y)
    assert folded.dtype == dtype
    assert sp.issparse(folded) == sp.issparse(X)
    assert isinstance(folded, sp.sparray) == isinstance(X, sp.sparray)
    dense = folded.toarray() if sp.issparse(folded) else folded
    reference = FoldedTensorSpace(shape=(None, 7), order=order).fit(rows, y)
    np.testing.assert_array_equal(dense, reference.transform(rows).toarray())
    again = space.fit(X, y).transform(X)
    assert abs(again - folded).max() == 0
    assert abs(X - before).max() == 0


def test_frequent_terms_come_first_and_columns_fill_first():
    frequencies = np.array([1, 3, 0, 3, 2, 5, 1])
    X = sp.csr_array((np.arange(5)[:, None] < frequencies).astype(float))
    space = FoldedTensorSpace(shape=(None, 3)).fit(X)
    assert space.tensor_shape_ == (3, 3)
    assert space.order_.tolist() == [5, 1, 3, 4, 0, 6, 2]
    # As equation (15) of the paper: term number f stands at (f % n1, f // n1).
    names = space.get_feature_names_out().reshape((3, 3), order="F")
    assert names.tolist() == [["x5", "x4", "x2"], ["x1", "x0", "padding0"], ["x3", "x6", "padding1"]]


def test_stored_zeros_are_no_occurrences():
    X = sp.csr_array(([0.0, 0.0, 1.0], ([0, 1, 1], [0, 0, 1])), shape=(2, 2))
    assert FoldedTensorSpace().fit(X).order_.tolist() == [1, 0]


@pytest.mark.parametrize("shape", [(None, 3), (4, None), (None, 2, 2)])
def test_class_profiles_keep_the_columns_and_match_the_rows_best(shape):
    X, y = random_documents(2, n_terms=10)
    by_frequency = FoldedTensorSpace(shape=shape).fit(X)
    by_class = FoldedTensorSpace(shape=shape, order="class_profile").fit(X, y)
    n_rows = by_class.tensor_shape_[0]
    weights = np.stack([X.toarray()[y == label].sum(axis=0) for label in np.unique(y)], axis=1)
    np.testing.assert_allclose(_weights_by_class(X, y), weights)
    rows = by_frequency.order_[:n_rows]
    profiles = weights[rows] / np.linalg.norm(weights[rows], axis=1, keepdims=True)
    assert by_class.order_[:n_rows].tolist() == rows.tolist()
    for start in range(n_rows, 10, n_rows):
        terms, matched = (space.order_[start : start + n_rows] for space in (by_frequency, by_class))
        assert sorted(terms) == sorted(matched)
        best = max(total(profiles, weights[list(terms)]) for terms in permutations(terms))
        assert total(profiles, weights[matched]) == pytest.approx(best)


def total(profiles, weights):
    return (profiles[: len(weights)] * weights).sum()


def test_class_profiles_gather_the_terms_of_a_class():
    rng = np.random.default_rng(3)
    y = np.arange(300) % 4
    term_class = rng.permutation(np.arange(40) % 4)
    X = sp.csr_array((rng.random((300, 40)) < 0.5) * (y[:, None] == term_class), dtype=float)
    space = FoldedTensorSpace(shape=(8, 5), order="class_profile").fit(X, y)
    by_frequency = FoldedTensorSpace(shape=(8, 5)).fit(X)
    purity = [
        np.mean(classes == classes[:, :1])
        for classes in (term_class[s.order_].reshape((8, 5), order="F") for s in (space, by_frequency))
    ]
    assert purity[0] > purity[1] + 0.3


def test_many_rows_are_matched_in_groups():
    rng = np.random.default_rng(4)
    order, weights = rng.permutation(50), rng.random((50, 3))
    found = _matched_to_rows(order, weights, n_rows=20, most_rows=8)
    n_groups = 3
    for group in range(n_groups):
        # The rows of a group, as if they were all that there is.
        columns = [order[start : start + 20][group::n_groups] for start in (0, 20, 40)]
        n_rows = len(columns[0])
        alone = _matched_to_rows(np.concatenate(columns), weights, n_rows=n_rows)
        matched = [found[start : start + 20][group::n_groups] for start in (0, 20, 40)]
        assert np.concatenate(matched).tolist() == alone.tolist()


def test_the_order_comes_from_the_training_documents():
    X, y = random_documents(5)
    for order in ORDERS:
        space = FoldedTensorSpace(shape=(None, 6), order=order).fit(X[:20], y[:20])
        learned = space.order_.copy()
        np.testing.assert_array_equal(space.transform(X[20:])[:, :60].toarray(), X[20:].toarray()[:, learned])


@pytest.mark.parametrize("space", [None, VectorSpace(scheme="ltc"), CountVectorizer()])
def test_texts_are_vectorised_and_folded(space):
    folding = FoldedTensorSpace(shape=(None, 3), space=space)
    folded = folding.fit_transform(TEXTS)
    rows = VectorSpace(scheme="tf", stem=None) if space is None else clone(space)
    X = rows.fit_transform(TEXTS)
    names = rows.get_feature_names_out()
    for texts in (TEXTS, ["gold and silver", "corn"]):
        expected = FoldedTensorSpace(shape=(None, 3)).fit(X).transform(rows.transform(texts))
        assert abs(folding.transform(texts) - expected).max() == 0
    assert abs(folded - folding.transform(TEXTS)).max() == 0
    assert folding.get_feature_names_out()[: len(names)].tolist() == names[folding.order_].tolist()
    assert folding.n_features_in_ == len(names)
    if space is not None:
        assert not hasattr(space, "vocabulary_")  # the one that was given is not fitted


def test_every_kind_of_iterable_of_texts_is_read_once():
    expected = FoldedTensorSpace(shape=(None, 2)).fit_transform(TEXTS)
    assert expected.dtype == np.float32
    for texts in (
        tuple(TEXTS),
        np.array(TEXTS),
        np.array(TEXTS, dtype=object),
        pl.Series(TEXTS),
        iter(TEXTS),
    ):
        assert abs(FoldedTensorSpace(shape=(None, 2)).fit_transform(texts) - expected).max() == 0


def test_documents_without_terms_are_zero():
    folded = FoldedTensorSpace().fit(TEXTS).transform(["", "?!", "unheard of"])
    assert folded.nnz == 0
    assert folded.shape == (3, 50)


@pytest.mark.parametrize(
    ("settings", "documents", "message"),
    [
        (
            {"order": "alphabet"},
            TEXTS,
            "'order' parameter of FoldedTensorSpace must be a str among {'document_frequency', ",
        ),
        ({"shape": (5, 5)}, np.eye(4), "shape (5, 5) has 25 entries, but the documents have 4 columns"),
        ({"shape": (None, None)}, np.eye(4), "one may be None"),
        ({"order": "class_profile"}, np.eye(4), "requires y to be passed"),
        ({"order": "class_profile"}, TEXTS, "requires y to be passed"),
        ({}, [], "corpus is empty"),
        ({}, ["the", "of"], "No terms remain"),
        ({}, np.array([[1.0, np.nan]]), "contains NaN"),
    ],
)
def test_bad_input_is_explained(settings, documents, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        FoldedTensorSpace(**settings).fit(documents)


def test_documents_that_are_no_texts_are_named():
    with pytest.raises(TypeError, match=r"document 0 .* is NoneType"):
        FoldedTensorSpace().fit([None, "fine"])
    with pytest.raises(TypeError, match="put it in a list"):
        FoldedTensorSpace().fit("one text")


def test_texts_and_matrices_are_not_mixed():
    with pytest.raises(ValueError, match="fitted on texts, but transform was given a document matrix"):
        FoldedTensorSpace().fit(TEXTS).transform(np.eye(4))
    with pytest.raises(ValueError, match="fitted on a document matrix, but transform was given texts"):
        FoldedTensorSpace().fit(np.eye(4)).transform(TEXTS)
    space = FoldedTensorSpace().fit(np.eye(7)).fit(TEXTS)
    assert space.transform(TEXTS).shape == (5, 50)


def test_pipelines_names_and_copies():
    labels = ["grain", "grain", "metal", "metal", "grain"]
    model = make_pipeline(FoldedTensorSpace(order="class_profile"), LinearSVC()).fit(TEXTS, labels)
    assert model.predict(["wheat", "gold"]).tolist() == ["grain", "metal"]
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(["wheat", "gold"]).tolist() == ["grain", "metal"]
    space = FoldedTensorSpace(shape=(None, 2), order="class_profile", space=VectorSpace(min_df=2))
    assert clone(space).get_params()["space__min_df"] == 2


def test_a_table_in_is_a_table_out():
    table = pl.DataFrame({"corn": [1.0, 2.0, 0.0], "gold": [0.0, 0.0, 1.0], "wheat": [1.0, 1.0, 1.0]})
    space = FoldedTensorSpace(shape=(None, 2)).set_output(transform="polars")
    folded = space.fit_transform(table)
    assert folded.columns == ["wheat", "corn", "gold", "padding0"]
    assert folded["corn"].to_list() == [1.0, 2.0, 0.0]
    assert folded["padding0"].to_list() == [0.0, 0.0, 0.0]
