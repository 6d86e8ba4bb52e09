"""Neighbours from shortened lists of documents, against all pairs of cosines; how many of them are found."""

import itertools

import numba
import numpy as np
import pytest
from scipy import sparse

from textspace.neighbors import _lists, class_neighbors, neighbor_recall, posting_neighbors
from textspace.neighbors._lists import query_postings

BOUNDS = [0, 50, 400, 400, 401, 900]  # of the matrices


@pytest.fixture(scope="module")
def documents():
    """Twelve topics, each with terms of its own beside those of all; topics and classes are not the same."""
    rng = np.random.default_rng(0)
    topics = rng.integers(0, 12, 900)
    rates = np.full((12, 150), 0.05)
    rates[np.arange(120) // 10, np.arange(120)] = 1.0
    X = rng.poisson(rates[topics]) * rng.uniform(0.5, 1, (900, 150))
    return X, (topics + rng.integers(0, 2, 900)) % 4


def assert_same(first, second):
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csr_matrix])
def test_whole_lists_are_exact(documents, form):
    X, y = documents
    found = posting_neighbors(form(X), y, n_neighbors=4, max_postings=900)
    exact = class_neighbors(form(X), y, n_neighbors=4)
    for side in ("within", "between"):
        cosines = getattr(exact, f"{side}_relevance")
        np.testing.assert_allclose(getattr(found, f"{side}_relevance"), cosines, rtol=1e-12)
        apart = np.diff(cosines, axis=1, prepend=2, append=-2)  # of equal ones either may come first
        alone = (apart[:, 1:] < -1e-9) & (apart[:, :-1] < -1e-9)
        indices = [getattr(each, f"{side}_indices")[alone] for each in (found, exact)]
        np.testing.assert_array_equal(*indices)


def test_cut_lists_hold_the_documents_in_which_a_term_weighs_most():
    # all documents have the first term, and one other each that tells nothing
    weights = np.array([0.1, 0.9, 0.8, 0.2, 0.7, 0.3])
    X = np.column_stack([weights, np.diag(np.sqrt(1 - weights**2))])
    found = posting_neighbors(X, np.zeros(6, dtype=int), n_neighbors=3, max_postings=3)
    assert (np.sort(found.within_indices, axis=1)[[0, 3, 5]] == [1, 2, 4]).all()
    np.testing.assert_allclose(found.within_relevance[0], 0.1 * np.array([0.9, 0.8, 0.7]))
    assert set(found.within_indices[1]) == {2, 4, -1}  # nobody is a neighbour of its own


def test_long_documents_meet_those_of_their_heaviest_terms():
    # the last document has all terms, each of the others one, in which it weighs more
    weights = np.random.default_rng(0).permutation(np.linspace(-1, 1, 60))
    X = np.vstack([np.diag(np.sign(weights)), weights])
    found = posting_neighbors(X, np.zeros(61, dtype=int), n_neighbors=60, max_postings=1)
    heaviest = np.argsort(-np.abs(weights))[:50]
    assert set(found.within_indices[-1]) == {*heaviest.tolist(), -1}


@pytest.mark.parametrize("max_postings", [1, 5, 40])
def test_of_equal_weights_no_more_than_asked_for_are_listed(max_postings):
    X, y = np.ones((60, 1)), np.zeros(60, dtype=int)
    found = posting_neighbors(X, y, n_neighbors=59, max_postings=max_postings)
    assert (found.within_indices[-1] >= 0).sum() == max_postings
    assert (np.sort(found.within_indices[-1])[-max_postings:] == np.arange(max_postings)).all()


def test_found_cosines_are_those_of_the_documents(documents):
    X, y = documents
    found = posting_neighbors(X, y, n_neighbors=4, max_postings=10)
    unit = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)
    cosines = unit @ unit.T
    for indices, relevance, same in [
        (found.within_indices, found.within_relevance, True),
        (found.between_indices, found.between_relevance, False),
    ]:
        rows, places = np.nonzero(indices >= 0)
        near = indices[rows, places]
        np.testing.assert_allclose(relevance[rows, places], cosines[rows, near])
        assert ((y[rows] == y[near]) == same).all()
        assert (rows != near).all()
        assert (np.diff(np.where(np.isfinite(relevance), relevance, -1), axis=1) <= 0).all()


def test_recall_is_the_share_of_exact_neighbors_that_were_found(documents):
    X, y = documents[0][:180], documents[1][:180]  # so few that all of them are asked about
    found = posting_neighbors(X, y, n_neighbors=4, max_postings=2)
    exact = class_neighbors(X, y, n_neighbors=4)
    hits = [
        len(set(ours[ours >= 0]) & set(theirs))
        for side in ("within_indices", "between_indices")
        for ours, theirs in zip(getattr(found, side), getattr(exact, side), strict=True)
    ]
    share = sum(hits) / (180 * 8)
    assert 0.1 < share < 0.95
    assert neighbor_recall(sparse.csr_array(X), y, found) == pytest.approx(share)
    assert neighbor_recall(X, y, exact) == 1


def test_equally_relevant_documents_are_as_good():
    X, y = np.tile(np.eye(3), (20, 1)), np.repeat([0, 1], 30)
    found = class_neighbors(X, y, n_neighbors=2)
    last = found._replace(within_indices=found.within_indices[:, ::-1])
    assert neighbor_recall(X, y, last) == 1
    others = found._replace(within_relevance=np.zeros_like(found.within_relevance))
    assert neighbor_recall(X, y, others) == 0.5


def test_recall_of_documents_without_neighbors_is_whole():
    X, y = np.eye(1), np.zeros(1, dtype=int)
    assert neighbor_recall(X, y, class_neighbors(X, y, n_neighbors=2)) == 1


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_the_documents_stay_as_they_are(documents, form):
    X, y = form(documents[0]), documents[1]
    neighbor_recall(X, y, posting_neighbors(X, y, n_neighbors=2, max_postings=5))
    assert abs(X - form(documents[0])).max() == 0


def test_recall_grows_with_the_lists(documents):
    X, y = documents
    recall = [
        neighbor_recall(X, y, posting_neighbors(X, y, n_neighbors=4, max_postings=n), random_state=0)
        for n in (2, 20, 900)
    ]
    assert recall[0] < recall[1] < recall[2] == 1


def test_threads_change_nothing(documents, monkeypatch):
    X, y = sparse.csr_array(documents[0]), documents[1]
    results = []
    for n_threads in (1, 2, 5):
        monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", n_threads)
        results.append(posting_neighbors(X, y, n_neighbors=3, max_postings=15))
    assert_same(results[0], results[1])
    assert_same(results[0], results[2])


@pytest.fixture
def matrices(documents):
    """The documents in matrices, one of them without rows."""
    X = sparse.csr_array(documents[0])
    return [X[start:stop] for start, stop in itertools.pairwise(BOUNDS)]


@pytest.mark.parametrize("n_chunk", [7, 5000])
def test_documents_in_matrices_are_as_good_as_joined(documents, matrices, monkeypatch, n_chunk):
    X, y = documents
    monkeypatch.setattr(_lists, "_CHUNK", n_chunk)
    settings = {"n_neighbors": 3, "max_postings": 15}
    joined = posting_neighbors(X, y, **settings)
    assert_same(query_postings(matrices, y, np.arange(900), **settings), joined)


@pytest.mark.parametrize("queries", [np.arange(0), np.array([1]), np.arange(0, 900, 2), np.arange(60, 380)])
def test_only_queries_are_looked_for(documents, matrices, queries):
    X, y = documents
    settings = {"n_neighbors": 3, "max_postings": 15}
    joined = posting_neighbors(X, y, **settings)
    assert_same(query_postings(matrices, y, queries, **settings), [each[queries] for each in joined])


def test_lengths_of_documents_do_not_count(documents, matrices):
    y, rows = documents[1], np.arange(900)
    longer = [
        sparse.csr_array(each * 2.0 ** np.arange(each.shape[0])[:, None].clip(0, 9)) for each in matrices
    ]
    settings = {"n_neighbors": 3, "max_postings": 15}
    found = query_postings(longer, y, rows, **settings)
    assert_same(found, query_postings(matrices, y, rows, **settings))


def test_read_only_documents_compile_nothing_more(documents, matrices):
    y, rows = documents[1], np.arange(900)
    settings = {"n_neighbors": 3, "max_postings": 15}
    found = query_postings(matrices, y, rows, **settings)
    kernels = [
        each.dispatcher
        for each in vars(_lists).values()
        if getattr(each, "__module__", "") == _lists.__name__ and hasattr(each, "dispatcher")
    ]
    signatures = [len(each.signatures) for each in kernels]
    assert min(signatures) > 0
    for each in matrices:
        for array in (each.data, each.indices, each.indptr):
            array.flags.writeable = False
    for array in (y := y.copy(), rows):
        array.flags.writeable = False
    assert_same(query_postings(matrices, y, rows, **settings), found)
    assert [len(each.signatures) for each in kernels] == signatures


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_single_precision_stays(documents, form):
    X, y = documents
    single = posting_neighbors(form(X.astype(np.float32)), y, n_neighbors=3, max_postings=50)
    assert single.within_relevance.dtype == single.between_relevance.dtype == np.float32


def test_copies_of_few_documents_and_empty_ones():
    X = sparse.csr_array(np.tile(np.eye(4)[:, :3], (30, 1)))
    found = posting_neighbors(X, np.arange(120) // 60, n_neighbors=2, max_postings=20)
    filled = np.arange(120) % 4 < 3
    np.testing.assert_allclose(found.within_relevance[filled & (np.arange(120) < 60)], 1)
    assert (found.within_indices[~filled] == -1).all()


@pytest.mark.parametrize(("name", "value"), [("n_neighbors", 0), ("max_postings", 0)])
def test_refused(documents, name, value):
    settings = {"n_neighbors": 3, "max_postings": 50, name: value}
    with pytest.raises(ValueError, match=f"{name} must be at least 1, not 0"):
        posting_neighbors(*documents, **settings)


def test_a_length_without_a_sign_is_a_length():
    X, y = np.random.default_rng(0).random((9, 4)), np.arange(9) % 2
    found, expected = (
        posting_neighbors(X, y, n_neighbors=2, max_postings=most) for most in (np.uint64(3), 3)
    )
    np.testing.assert_array_equal(found.within_indices, expected.within_indices)
