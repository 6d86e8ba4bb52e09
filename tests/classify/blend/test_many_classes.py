"""The blend for more than 1000 classes: sparse scores of naive Bayes, and weights of terms."""

import numpy as np
import pytest
from scipy import sparse
from scipy.special import log_softmax, softmax
from sklearn.preprocessing import normalize

from textspace._folds import deal_folds
from textspace.classify import ManyClassBlend
from textspace.classify.blend import _blend as module
from textspace.classify.blend._arrays import relative
from textspace.classify.blend._candidates import find_candidates, sums_at
from textspace.classify.blend._held_out_classes import Parts, hold_out
from textspace.classify.blend._rivals import learn_against_rivals, mean_rows
from textspace.classify.blend._smoothed_bayes import log_ratios
from textspace.classify.blend._term_weights import Matches, find_matches, learn_term_weights
from textspace.classify.blend._weights_of_scores import newton, sharpness, weigh_scores
from textspace.models import TextClassifier, load, make_card, save

N_CLASSES, N_WORDS = 1200, 2500
BLOCKS = [("stems", 0, N_WORDS, N_WORDS), ("words", N_WORDS, 2600, 60)]  # 40 of the words are pairs


def rows(n_samples=3600, seed=0):
    """Give unit float32 rows with three words of each class and eight others, some pairs of words behind."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % N_CLASSES
    own = (7 * y[:, None] + rng.integers(0, 6, (n_samples, 3))) % N_WORDS
    columns = np.hstack(
        [own, rng.integers(0, N_WORDS, (n_samples, 8)), rng.integers(N_WORDS, 2600, (n_samples, 2))]
    )
    X = sparse.csr_array(
        (rng.random(columns.size) + 0.5, columns.ravel(), np.arange(0, columns.size + 1, 13)),
        shape=(n_samples, 2600),
    )
    X.sum_duplicates()
    return normalize(X).astype(np.float32), y


@pytest.fixture(scope="module")
def fitted():
    X, y = rows()
    return ManyClassBlend(BLOCKS).fit(X, y), X, y


def slow_ratios(X, y, more=0.0):
    """Give the logarithms class by class, of shape (n_classes, n_terms)."""
    totals = X.sum(axis=0) + more
    ratios = []
    for c in range(y.max() + 1):
        own = X[y == c].sum(axis=0)
        with np.errstate(invalid="ignore"):
            ratios.append(np.log(1 + np.nan_to_num((own / own.sum()) / (totals / totals.sum()))))
    return np.array(ratios)


@pytest.mark.parametrize("more", [0.0, 0.5])
def test_tables_are_log_ratios_of_mixed_shares(more, documents):
    X, y = documents()
    y = np.unique(y, return_inverse=True)[1]
    found = log_ratios(X, y, n_classes=6, more=more)  # there is no document of the sixth class
    np.testing.assert_allclose(found.toarray()[:5], slow_ratios(X.toarray(), y, more), rtol=1e-5, atol=1e-7)
    assert not found.toarray()[5].any()


def test_decision_values_are_sums_over_terms_and_a_constant_of_the_size(fitted):
    model, X, y = fitted
    new, [blend] = rows(50, seed=1)[0], model._blends
    stems, words, pairs, rivals = blend.scorers
    assert [scorer.columns for scorer in blend.scorers] == [
        slice(0, N_WORDS),
        slice(N_WORDS, N_WORDS + 60),
        slice(N_WORDS + 60, 2600),
        slice(0, N_WORDS),
    ]
    expected = 0
    for factor, scorer in zip(model.calibration_.factors, (stems, words), strict=False):
        own = X[:, scorer.columns].toarray().astype(np.float64)
        sums = new[:, scorer.columns].toarray() @ (scorer.weights * slow_ratios(own, y)).T
        expected = expected + factor * relative(sums)
    means = normalize([X[y == c, pairs.columns].toarray().sum(axis=0) for c in range(N_CLASSES)])
    expected += model.calibration_.factors[2] * (new[:, pairs.columns].toarray() @ means.T)
    expected += model.calibration_.factors[3] * (new[:, rivals.columns] @ rivals.table).toarray()
    found = model.class_scores(new)
    assert np.abs(found - expected).max() < 0.05 * np.ptp(expected)  # tables lie on a grid
    assert np.ptp(model.calibration_.bias) == 0  # all classes have three documents


def test_contributions_add_up(fitted):
    model, X, _ = fitted
    pairs_only = sparse.csr_array(X[1:2].multiply(np.arange(2600) >= N_WORDS))
    for x in (X[:1], pairs_only, sparse.csr_array((1, 2600))):
        contributions, constant = model.contributions(x)
        np.testing.assert_allclose(contributions.sum(axis=0) + constant, model.class_scores(x)[0], atol=1e-4)


def test_out_of_fold_values_are_of_scores_without_the_document(fitted):
    model, X, y = fitted
    held_out = np.mean(model.out_of_fold_.argmax(axis=1) == y)
    assert held_out < np.mean(model.predict(X) == y)
    new = np.mean(model.predict(rows(1200, seed=2)[0]) == np.arange(1200))
    assert held_out - 0.02 < new < held_out + 0.2  # by three documents a class in place of two


def test_the_probabilities_are_calibrated(fitted):
    X, y = rows(2400, seed=4)
    sure = fitted[0].predict_proba(X).max(axis=1)
    assert np.mean(fitted[0].predict(X) == y) == pytest.approx(sure.mean(), abs=0.1)


def test_the_space_is_that_of_the_weighted_terms_of_the_first_block(fitted):
    model, X, _ = fitted
    weights = np.sqrt(model._blends[0].scorers[0].weights)
    expected = normalize(X[:9, :N_WORDS].toarray() * weights)
    np.testing.assert_allclose(model.transform(X[:9]).toarray(), expected, rtol=1e-5)
    assert len(model.get_feature_names_out()) == N_WORDS


def test_rows_without_a_label_tell_how_common_terms_are_and_a_warning_says_so(fitted):
    _, X, y = fitted
    more = rows(100, seed=3)[0]
    with pytest.warns(UserWarning, match="3600 documents with a label alone: the 100 without one"):
        model = ManyClassBlend().fit(sparse.vstack([X, more], format="csr"), np.append(y, np.full(100, -1)))
    [words, _], far = model._blends[0].scorers, []
    for unlabelled in (more.sum(axis=0), 0.0):
        table = log_ratios(X, y, n_classes=N_CLASSES, more=unlabelled).T.tocsr()
        table.data *= np.repeat(words.weights, np.diff(table.indptr))
        far.append(abs(table - words.ratios).max())
    assert far[0] < np.abs(words.ratios.data).mean() / 16 < far[1]  # tables lie on a grid
    assert model.out_of_fold_.shape == (3600, N_CLASSES)


def test_terms_that_mislead_lose_their_weight():
    """Documents hold little of a term of their class, and much of four terms that stand in any class."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(50), 8)
    X = np.zeros((len(y), 100), dtype=np.float32)
    X[np.arange(len(y)), y] = 0.3
    X[np.arange(len(y))[:, None], 50 + rng.integers(0, 50, (len(y), 4))] = 1
    X, folds = sparse.csr_array(X), deal_folds(2, y, n_samples=len(y))
    held = hold_out(Parts([X], [], [], [0.0]), y, folds, n_classes=50)
    [weights] = held.weights
    assert weights[:50].min() > weights[50:].max()
    right = held.scores[0].argmax(axis=1) == held.candidates.truth
    plain = []
    for own in (0, 1):
        table = log_ratios(X[folds != own], y[folds != own], n_classes=50)
        plain.append(np.mean((X[folds == own] @ table.T).argmax(axis=1) == y[folds == own]))
    assert np.mean(right) > np.mean(plain) + 0.05


@pytest.fixture(scope="module")
def first_third(fitted):
    """Documents of the first third, the table of the others, and candidates of these documents."""
    X, y = fitted[1][:, :N_WORDS], fitted[2]
    table = log_ratios(X[1200:], y[1200:], n_classes=N_CLASSES)
    X, y = X[:1200], y[:1200]
    return X, y, table, find_candidates([(X, table)], y, n_nearest=20, n_others=10)


def test_candidates_are_the_nearest_classes_and_some_that_stand_for_the_rest(first_third):
    X, y, table, (classes, log_counts, truth) = first_third
    sums = (X @ table.T).toarray()
    largest = -np.sort(-sums, axis=1)[:, :20]
    np.testing.assert_allclose(
        np.take_along_axis(sums, classes[:, :20], axis=1), largest, rtol=1e-4, atol=1e-5
    )
    assert not log_counts[:, :20].any()
    np.testing.assert_array_equal(classes[np.arange(1200), truth], y)
    for row in range(50):
        single = classes[row, log_counts[row] >= 0]
        assert len(set(single)) == len(single)
    stand_for = np.where(log_counts[:, 20:] < 0, 0, np.exp(log_counts[:, 20:])).sum(axis=1)
    assert np.median(stand_for) == pytest.approx(N_CLASSES - 20)


def test_where_classes_are_few_all_of_them_are_candidates(documents):
    X, y = documents()
    y = np.unique(y, return_inverse=True)[1]
    table = log_ratios(X, y, n_classes=5)
    classes, log_counts, truth = find_candidates([(X, table)], y, n_nearest=9, n_others=9)
    assert np.sort(classes, axis=1).tolist() == [[0, 1, 2, 3, 4]] * len(y)
    assert not log_counts.any()
    np.testing.assert_array_equal(np.take_along_axis(classes, truth[:, None], axis=1)[:, 0], y)


def test_matches_are_products_of_the_terms_and_weights_lower_the_loss(first_third):
    X, _, table, (classes, log_counts, truth) = first_third
    matches = find_matches(X, table, classes)
    expected = relative(sums_at(X, table, classes))
    even = np.ones(N_WORDS, dtype=np.float32)
    np.testing.assert_allclose(matches.sums(even, classes.shape), expected, rtol=1e-4, atol=1e-5)

    def loss(weights):
        values = 8 * matches.sums(weights, classes.shape) + log_counts
        return -log_softmax(values, axis=1)[np.arange(len(values)), truth].sum()

    sizes = np.full(classes.shape, np.log(2), dtype=np.float32)
    assert loss(learn_term_weights(matches, truth, sizes, log_counts, n_terms=N_WORDS)) < loss(even)


def test_without_matches_all_weights_are_one():
    nothing = Matches(np.zeros(7, dtype=np.int64), np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32))
    given = np.zeros((2, 3), dtype=np.float32), np.zeros((2, 3), dtype=np.float32)
    assert learn_term_weights(nothing, np.array([-1, -1]), *given, n_terms=7).tolist() == [1] * 7


def test_a_machine_tells_a_class_from_its_rival():
    """Two classes share a heavy term, and a light one of each tells them apart."""
    X = np.array([[3, 1, 0, 0], [3, 1, 0, 0], [3, 0, 1, 0], [3, 0, 1, 0], [0, 0, 0, 3]], dtype=np.float32)
    X, y = sparse.csr_array(normalize(X)), np.array([0, 0, 1, 1, 2])
    table = log_ratios(X, y, n_classes=3)
    found = learn_against_rivals(X, table, y).toarray()
    assert found[0, 1] / found[0, 0] > 2 * X[0, 1] / X[0, 0]
    assert found[1, 2] / found[1, 0] > 2 * X[2, 2] / X[2, 0]
    assert not found[table.toarray() == 0].any()  # a class uses the terms of its documents
    np.testing.assert_array_equal((X @ found.T).argmax(axis=1), y)


def test_mean_rows_have_unit_length(documents):
    X, y = documents()
    y = np.unique(y, return_inverse=True)[1]
    expected = normalize([X[y == c].toarray().sum(axis=0) for c in range(5)])
    found = mean_rows(X, y, n_classes=6).toarray()
    np.testing.assert_allclose(found[:5], expected, rtol=1e-5, atol=1e-7)
    assert not found[5].any()


def test_weights_of_scores_are_those_of_the_smallest_loss_and_of_any_sign():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(4000, 8, 3))
    chances = softmax(scores @ [2.0, -1.0, 0.0], axis=1)
    truth = (chances.cumsum(axis=1) < rng.random((4000, 1))).sum(axis=1).clip(max=7)
    found = newton(scores, truth, np.zeros((4000, 8)))
    np.testing.assert_allclose(found, [2, -1, 0], atol=0.15)
    assert sharpness(scores @ found / 2, truth, np.zeros((4000, 8))) == pytest.approx(2, rel=0.02)


def test_larger_classes_get_larger_constants_where_they_are_met_more_often():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [160, 30, 10])
    X = sparse.csr_array(rng.random((200, 4)).astype(np.float32))
    held = hold_out(Parts([X], [], [], [0.0]), y, np.arange(200) % 3, n_classes=3)
    found = weigh_scores(held, y, n_classes=3)
    assert found.bias[0] > found.bias[1] > found.bias[2]
    assert found.bias.sum() == pytest.approx(0)


def test_classes_of_one_document():
    X, y = rows(1200)
    model = ManyClassBlend().fit(X, y)
    assert np.mean(model.predict(X) == y) > 0.99
    one = ManyClassBlend().fit(*(each[:1203] for each in rows()))
    assert np.isfinite(one.predict_proba(X[:5])).all()


def test_the_same_twice(fitted):
    model, X, y = fitted
    again = ManyClassBlend(BLOCKS).fit(X, y)
    np.testing.assert_array_equal(again.class_scores(X[:50]), model.class_scores(X[:50]))


def test_negative_numbers_and_dense_rows(fitted):
    y = fitted[2]
    rng = np.random.default_rng(0)
    embedded = rng.normal(size=(N_CLASSES, 40))[y] + 0.5 * rng.normal(size=(len(y), 40))
    assert ManyClassBlend().fit(embedded, y).score(embedded, y) > 0.95


def test_some_documents_at_a_time_equal_all_at_once(fitted, monkeypatch):
    model, X, _ = fitted
    expected = model.class_scores(X[:100])
    monkeypatch.setattr(module, "_SCORES", 7 * N_CLASSES)
    np.testing.assert_allclose(model.class_scores(X[:100]), expected, rtol=1e-12)


def test_it_is_taken_for_many_classes_of_texts(tmp_path):
    rng = np.random.default_rng(0)
    names = [
        f"{a}{b}{c}{d}" for a in "bdfgklmnprst" for b in "aeiou" for c in "bdgklmnprstv" for d in "aeiou"
    ]
    words = np.array([f"{name}{end}" for name in names for end in "lmnrsx"])
    shares = 1 / np.arange(10, len(words) + 10)
    own = rng.integers(1000, len(words), (1100, 6))

    def texts(n_each):
        common = rng.choice(len(words), (1100 * n_each, 12), p=shares / shares.sum())
        chosen = np.take_along_axis(np.tile(own, (n_each, 1)), rng.integers(0, 6, (1100 * n_each, 4)), axis=1)
        return [" ".join(words[row]) for row in np.hstack([common, chosen])]

    labels = np.array([f"class {c}" for c in range(1100)])
    train, test = texts(2), texts(1)[:500]
    model = TextClassifier(stem=None).fit(train, np.tile(labels, 2))
    assert isinstance(model.model_, ManyClassBlend)
    assert make_card(model)["method"]["title"] == "Blend for many classes"
    accuracy = np.mean(model.predict(test) == labels[:500])
    assert accuracy > 0.8  # 1 in 1100 by chance
    save(model, tmp_path / "many.textspace")
    assert (tmp_path / "many.textspace").stat().st_size < 10e6
    again = load(tmp_path / "many.textspace")
    np.testing.assert_array_equal(again.predict(test[:20]), model.predict(test[:20]))
    why = again.explain(test[0])
    assert sum(term.contribution for term in why.terms) + why.constant + why.rest == pytest.approx(
        why.score, abs=1e-6
    )
