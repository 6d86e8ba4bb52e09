"""The blend, by what its answers must add up to and what they must not depend on."""

import pickle
import zlib

import numpy as np
import pytest
from scipy import sparse
from scipy.special import softmax
from sklearn.base import clone
from sklearn.naive_bayes import ComplementNB
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC

from textspace.classify import RLSC, SubspaceBlend
from textspace.classify.blend._arrays import on_a_grid
from textspace.classify.blend._base import check_memory
from textspace.classify.blend._complement import ComplementScorer
from textspace.classify.blend._latent import FittedLatent
from textspace.classify.blend._ridge import RidgeScorer, ridge_scores
from textspace.text import VectorSpace
from textspace.tuning import deal_folds

N_WORDS = 120


def partly(y, n_labelled):
    return np.where(np.arange(len(y)) < n_labelled, y, "")


@pytest.fixture(scope="module")
def fitted(documents):
    """Give a blend of labelled documents, and one that has learned from unlabelled ones too."""
    X, y = documents()
    plain = SubspaceBlend(n_words=N_WORDS).fit(X, y)
    return plain, SubspaceBlend(n_words=N_WORDS, n_components=20, random_state=0).fit(X, partly(y, 60))


def test_out_of_fold_values_are_those_of_blends_that_have_not_seen_the_document(fitted, documents):
    X, y = documents()
    plain, _ = fitted
    codes = np.unique(y, return_inverse=True)[1]
    folds = deal_folds(5, codes, n_samples=len(y))
    sizes = np.bincount(codes).astype(float)
    changed = X.copy()
    row = 7
    changed.data[changed.indptr[row] : changed.indptr[row + 1]] *= 0.0  # what it held cannot matter to others
    others = folds != folds[row]
    fit = RidgeScorer(slice(0, 200), 0.3).fit(changed[others], codes[others], n_classes=5)
    words = ComplementScorer(slice(0, N_WORDS))
    naive = words.fit(changed[others][:, :N_WORDS], codes[others], n_classes=5)
    x = X[[row]]
    scores = [*ridge_scores(fit.scores(x)[0], sizes), *naive.scores(x[:, :N_WORDS])]
    np.testing.assert_allclose(plain.out_of_fold_[row], plain.calibration_(scores)[0], atol=1e-4)
    assert plain.out_of_fold_.shape == (150, 5)


def test_one_row_of_out_of_fold_values_a_labelled_document_in_their_order(fitted, documents):
    _, semi = fitted
    _, y = documents()
    assert semi.out_of_fold_.shape == (60, 5)
    answers = semi.classes_[semi.out_of_fold_.argmax(axis=1)]
    assert np.mean(answers == y[:60]) > 0.6


@pytest.mark.parametrize("which", [0, 1], ids=["labelled", "unlabelled"])
def test_contributions_add_up_to_the_decision_values(fitted, which, documents):
    X, _ = documents(seed=5)
    model = fitted[which]
    values = model.class_scores(X)
    for row in range(0, 150, 10):
        contributions, constant = model.contributions(X[[row]])
        assert contributions.shape == (200, 5)
        np.testing.assert_allclose(contributions.sum(axis=0) + constant, values[row], atol=1e-9)
        np.testing.assert_array_equal(np.unique(contributions.nonzero()[0]), np.sort(X[[row]].indices))


@pytest.mark.parametrize("which", [0, 1], ids=["labelled", "unlabelled"])
def test_a_document_without_terms_and_one_without_words(fitted, which):
    model = fitted[which]
    pairs_only = sparse.csr_array(([1.0], ([0], [150])), shape=(1, 200))
    for x in (sparse.csr_array((1, 200)), pairs_only):
        contributions, constant = model.contributions(x)
        np.testing.assert_allclose(contributions.sum(axis=0) + constant, model.class_scores(x)[0], atol=1e-9)
        assert np.isfinite(model.predict_proba(x)).all()
        assert np.isfinite(model.transform(x)).all()


def test_contributions_take_one_document(fitted, documents):
    X, _ = documents()
    with pytest.raises(ValueError, match="one document, a single row, but X has 2 rows"):
        fitted[0].contributions(X[:2])


@pytest.mark.parametrize("which", [0, 1], ids=["labelled", "unlabelled"])
def test_answers_agree_with_each_other(fitted, which, documents):
    X, y = documents(seed=5)
    model = fitted[which]
    values, shares = model.class_scores(X), model.predict_proba(X)
    np.testing.assert_allclose(shares, softmax(values, axis=1))
    np.testing.assert_array_equal(model.predict(X), model.classes_[values.argmax(axis=1)])
    assert np.mean(model.predict(X) == y) > 0.8
    positions = model.transform(X)
    assert positions.shape == (150, 4)
    assert positions.dtype == np.float32


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csc_array, np.asarray])
def test_any_container_of_documents(fitted, container, documents):
    X, y = documents()
    dense = X.toarray().astype(np.float64)
    model = SubspaceBlend(n_words=N_WORDS).fit(container(dense), y)
    np.testing.assert_allclose(model.class_scores(container(dense)), fitted[0].class_scores(X), atol=1e-4)


def test_entries_in_any_order_and_in_several_pieces(fitted, documents):
    X, _ = documents()
    row = X[[3]]
    turned = sparse.csr_array(
        (np.tile(row.data[::-1] / 2, 2), np.tile(row.indices[::-1], 2), [0, 2 * row.nnz]), shape=row.shape
    )
    whole, pieces = fitted[0].contributions(row), fitted[0].contributions(turned)
    np.testing.assert_allclose(pieces[0].toarray(), whole[0].toarray(), atol=1e-6)
    np.testing.assert_allclose(fitted[0].class_scores(turned), fitted[0].class_scores(row), atol=1e-6)
    assert turned.nnz == 2 * row.nnz  # the argument stays as it is


def test_numbers_or_text_for_labels(fitted, documents):
    X, y = documents()
    numbers = np.unique(y, return_inverse=True)[1]
    model = SubspaceBlend(n_words=N_WORDS).fit(X, numbers)
    np.testing.assert_array_equal(model.predict(X), numbers)
    np.testing.assert_allclose(model.class_scores(X), fitted[0].class_scores(X))


@pytest.mark.parametrize("sizes", [[1, 1], [2, 1, 1], [1, 40], [2, 2, 30], [1] * 20])
def test_tiny_classes(sizes):
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(len(sizes)), sizes)
    X = np.eye(len(sizes), 30)[y] + 0.2 * rng.random((len(y), 30))
    model = SubspaceBlend().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    assert np.isfinite(model.out_of_fold_).all()
    contributions, constant = model.contributions(X[:1])
    np.testing.assert_allclose(contributions.sum(axis=0) + constant, model.class_scores(X[:1])[0], atol=1e-9)


def test_two_classes_have_two_columns(documents):
    X, y = documents(n_classes=2)
    model = SubspaceBlend().fit(X, y)
    assert model.class_scores(X).shape == model.predict_proba(X).shape == (150, 2)
    assert model.transform(X).shape == (150, 1)
    held_out, truth = documents(n_classes=2, seed=5)
    assert model.score(held_out, truth) > 0.85


def test_many_classes():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(300), 3)
    X = sparse.csr_array(normalize(np.eye(300)[y] + 0.05 * (rng.random((900, 300)) < 0.01)))
    model = SubspaceBlend().fit(X, y)
    assert model.score(X, y) > 0.99
    assert model.transform(X[:3]).shape == (3, 299)


def test_negative_numbers_leave_naive_bayes_out(documents):
    X, y = documents()
    X = np.linalg.qr(np.random.default_rng(0).normal(size=(200, 200)))[0] @ X.T.toarray()
    model = SubspaceBlend().fit(X.T, y)
    assert len(model.calibration_.weights) == 2
    assert model.score(X.T, y) > 0.95
    assert len(SubspaceBlend(n_words=0).fit(np.abs(X.T), y).calibration_.weights) == 2


def test_unlabelled_documents_help(documents):
    X, y = documents(600, seed=3)
    train, test = X[:450], X[450:]
    few = SubspaceBlend(n_components=20).fit(train[:15], y[:15]).score(test, y[450:])
    assert SubspaceBlend(n_components=20).fit(train, partly(y[:450], 15)).score(test, y[450:]) > few + 0.03


@pytest.mark.parametrize("mark", [-1, None, np.nan])
def test_marks_of_unlabelled_rows(fitted, mark, documents):
    X, y = documents()
    codes = np.unique(y, return_inverse=True)[1]
    marked = [int(code) if row < 60 else mark for row, code in enumerate(codes)]
    model = SubspaceBlend(n_words=N_WORDS, n_components=20, random_state=0).fit(X, marked)
    np.testing.assert_allclose(model.class_scores(X), fitted[1].class_scores(X), atol=1e-6)


def test_fewer_dimensions_than_components(documents):
    X, y = documents(n_samples=40, n_classes=3)
    model = SubspaceBlend(n_components=200).fit(X, partly(y, 20))
    assert np.isfinite(model.class_scores(X)).all()


def test_probabilities_are_calibrated(documents):
    X, y = documents(6000, strength=0.4, seed=1)
    model = SubspaceBlend().fit(X[:2000], y[:2000])
    shares = model.predict_proba(X[2000:])
    right = model.classes_[shares.argmax(axis=1)] == y[2000:]
    assert 0.6 < right.mean() < 0.95
    assert abs(shares.max(axis=1).mean() - right.mean()) < 0.04


def test_clone_pickle_and_repetition(fitted, documents):
    X, y = documents()
    for model in fitted:
        np.testing.assert_array_equal(
            pickle.loads(pickle.dumps(model)).class_scores(X), model.class_scores(X)
        )
    seeded, labels = clone(fitted[1]), partly(y, 60)
    np.testing.assert_array_equal(
        seeded.fit(X, labels).class_scores(X), clone(seeded).fit(X, labels).class_scores(X)
    )


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"alpha": 0}, "alpha"), ({"n_folds": 1}, "n_folds"), ({"n_words": -1}, "n_words")],
)
def test_wrong_settings_are_refused(settings, words, documents):
    with pytest.raises(ValueError, match=words):
        SubspaceBlend(**settings).fit(*documents())


def test_what_cannot_fit_into_memory_is_refused_with_a_sentence():
    check_memory(10_000, 100_000, 100)
    with pytest.raises(MemoryError, match=r"1000 classes times 100000000 terms .* put rare classes together"):
        check_memory(10_000, 100_000_000, 1000)
    check_memory(10_000, 0, 1001)  # no coefficients


@pytest.mark.slow
def test_is_above_its_scorers_and_a_linear_svm_on_a_corpus(corpus_or_skip):
    corpus = corpus_or_skip("reuters-r52")
    space = VectorSpace("ltc", bigrams=True)
    X, y = space.fit_transform(corpus.train.texts[::8]), corpus.train.labels[::8]
    X_new, y_new = space.transform(corpus.test.texts), corpus.test.labels
    model = SubspaceBlend(n_words=space.n_words_).fit(X, y)
    score = model.score(X_new, y_new)
    assert score > 0.9
    assert abs(model.predict_proba(X_new).max(axis=1).mean() - score) < 0.03
    words = X[:, : space.n_words_], X_new[:, : space.n_words_]
    assert score > ComplementNB(alpha=0.3).fit(words[0], y).score(words[1], y_new) + 0.02
    assert score > RLSC(0.3).fit(X, y).score(X_new, y_new)
    assert score > LinearSVC(random_state=0).fit(X, y).score(X_new, y_new)


def test_what_is_learned_from_unlabelled_rows_lies_on_a_grid_and_shrinks_to_less_than_half(fitted):
    [latent] = [one for one in fitted[1]._blends[0].scorers if isinstance(one, FittedLatent)]
    rng = np.random.default_rng(0)
    matrices = [latent.directions, fitted[1]._blends[1].space.coef]
    matrices.append(on_a_grid(rng.normal(size=(1000, 50)).astype(np.float32)))
    for matrix in matrices:
        size = np.sqrt(np.mean(matrix**2))
        steps = matrix / np.float32(2 ** np.floor(np.log2(size / 32)))
        assert matrix.dtype == np.float32
        np.testing.assert_array_equal(steps, np.rint(steps))
    assert len(zlib.compress(matrices[-1].tobytes(), 1)) < 0.5 * matrices[-1].nbytes
    assert not on_a_grid(np.zeros((2, 2), dtype=np.float32)).any()
