"""The selector: what it keeps, how it rescales, and that sampling is right on average."""

import warnings
from functools import partial

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import RidgeClassifier
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline

from textspace.selection import SCORES, TermSelector, information_gain, weighted
from textspace.selection._selector import keep_probabilities


@pytest.fixture
def documents():
    """Give 80 documents of 2 classes over 200 terms, common and rare; the last three never occur."""
    rng = np.random.default_rng(2)
    X = sparse.random_array((80, 200), density=0.1, format="csr", rng=rng)
    X = sparse.csr_array(X * np.append(np.geomspace(3, 0.1, 197), [0, 0, 0]))
    X.eliminate_zeros()
    return X, np.where(rng.random(80) < 0.5, "corn", "ship")


def test_literal_probabilities_are_the_papers(documents):
    X, _ = documents
    selector = TermSelector("weighted", n_terms=50, random_state=0).fit(X)
    shares = weighted(X) / weighted(X).sum()
    np.testing.assert_allclose(selector.probabilities_, np.minimum(1, 50 * shares))
    assert selector.probabilities_.sum() < 50
    np.testing.assert_array_equal(selector.scores_, weighted(X))


@pytest.mark.parametrize("n_terms", [1, 20, 50, 150, 196])
@pytest.mark.parametrize("score", ["subspace", "weighted", "document_frequency"])
def test_exact_budget_solves_for_the_multiplier(score, n_terms, documents):
    selector = TermSelector(score, n_terms=n_terms, rank=10, exact_budget=True).fit(documents[0])
    probabilities, scores = selector.probabilities_, selector.scores_
    assert probabilities.sum() == pytest.approx(n_terms)
    uncertain = (probabilities < 1) & (scores > 0)
    multiplier = (probabilities / np.where(scores > 0, scores, 1))[uncertain]
    np.testing.assert_allclose(multiplier, multiplier[0])  # one for all
    assert np.all(multiplier[0] * scores[probabilities == 1] >= 1 - 1e-9)


def test_mean_count_over_draws_is_the_budget(documents):
    selector = TermSelector("weighted", n_terms=60, exact_budget=True)
    counts = [
        selector.set_params(random_state=seed).fit(documents[0]).get_support().sum() for seed in range(200)
    ]
    assert np.mean(counts) == pytest.approx(60, rel=0.01)
    assert np.std(counts) > 1  # of independent draws


def test_mean_count_on_text(corpus_or_skip):
    from textspace.text import VectorSpace

    X = VectorSpace(scheme="ltc").fit_transform(corpus_or_skip("demo").train.texts)
    n_terms = X.shape[1] // 4
    probabilities = TermSelector(n_terms=n_terms, rank=20, exact_budget=True).fit(X).probabilities_
    selector = TermSelector(lambda X, y: probabilities, n_terms=n_terms, exact_budget=True)
    counts = [selector.set_params(random_state=seed).fit(X).get_support().sum() for seed in range(200)]
    assert np.mean(counts) == pytest.approx(n_terms, rel=0.01)


@pytest.mark.slow
def test_inner_products_are_right_on_average(documents):
    """The mean of sampled Gram matrices is as far from the Gram matrix as its variance says."""
    X = documents[0]
    selector, mean, n_draws = TermSelector("document_frequency", n_terms=80), 0, 400
    for seed in range(n_draws):
        sampled = selector.set_params(random_state=seed).fit(X).transform(X)
        mean += (sampled @ sampled.T).toarray() / n_draws
    probabilities = selector.probabilities_[:197]
    squares = X.toarray()[:, :197] ** 2
    variance = (squares * (1 / probabilities - 1)) @ squares.T / n_draws
    deviation = mean - (X @ X.T).toarray()
    assert np.sum(deviation**2) == pytest.approx(np.sum(variance), rel=0.3)
    # a sum over all pairs of documents has no bias either, however small against single entries
    shares = X.toarray()[:, :197].sum(axis=0) ** 2
    assert abs(deviation.sum()) < 4 * np.sqrt(np.sum(shares**2 * (1 / probabilities - 1)) / n_draws)


def test_probabilities_are_those_of_the_draws(documents):
    selector = TermSelector("weighted", n_terms=80)
    kept = np.mean(
        [selector.set_params(random_state=seed).fit(documents[0]).get_support() for seed in range(400)],
        axis=0,
    )
    expected = selector.probabilities_
    assert np.abs(kept - expected).max() < 5 * 0.5 / np.sqrt(400)
    np.testing.assert_allclose(kept[expected == 1], 1)
    np.testing.assert_array_equal(kept[expected == 0], 0)


def test_kept_terms_are_divided_by_the_root_of_their_probability(documents):
    X, _ = documents
    selector = TermSelector("weighted", n_terms=50, random_state=3).fit(X)
    kept = selector.get_support()
    assert 0 < kept.sum() < 100
    expected = X.toarray()[:, kept] / np.sqrt(selector.probabilities_[kept])
    np.testing.assert_allclose(selector.transform(X).toarray(), expected)
    np.testing.assert_allclose(selector.transform(X.toarray()), expected)
    np.testing.assert_array_equal(selector.scale_ > 0, kept)


@pytest.mark.parametrize("score", SCORES)
def test_top_keeps_the_best_as_they_are(score, documents):
    X, y = documents
    selector = TermSelector(score, n_terms=30, rank=10, mode="top").fit(X, y)
    kept = selector.get_support()
    assert kept.sum() == 30
    assert selector.scores_[kept].min() >= selector.scores_[~kept].max()
    np.testing.assert_array_equal(selector.transform(X).toarray(), X.toarray()[:, kept])
    np.testing.assert_array_equal(selector.probabilities_, kept)


def test_inverse_transform_undoes_the_scale(documents):
    X, _ = documents
    selector = TermSelector("weighted", n_terms=50, random_state=3).fit(X)
    expected = X.toarray() * selector.get_support()
    back = selector.inverse_transform(selector.transform(X))
    assert sparse.issparse(back)
    np.testing.assert_allclose(back.toarray(), expected)
    np.testing.assert_allclose(selector.inverse_transform(selector.transform(X.toarray())), expected)
    single = selector.inverse_transform(selector.transform(X.astype(np.float32)))
    assert single.dtype == np.float32
    with pytest.raises(ValueError, match="X has 200 features"):
        selector.inverse_transform(X)


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array])
def test_sparse_and_float32_stay(container, documents):
    X = container(documents[0].astype(np.float32))
    before = X.copy()
    selector = TermSelector("weighted", n_terms=50, random_state=0).fit(X)
    kept = selector.transform(X)
    assert isinstance(kept, container)
    assert kept.format == "csr"
    assert kept.dtype == np.float32
    assert selector.transform(X.toarray()).dtype == np.float32
    assert (before != X).nnz == 0


def test_fewer_terms_are_among_more(documents):
    few, more = (
        TermSelector("weighted", n_terms=n_terms, exact_budget=True, random_state=1).fit(documents[0])
        for n_terms in (40, 120)
    )
    assert np.all(more.get_support()[few.get_support()])
    assert more.get_support().sum() > few.get_support().sum()


def test_the_draw_does_not_depend_on_the_score(documents):
    X, _ = documents
    large = sparse.vstack([X] * 13)  # more than 1000 documents: the iteration draws its start
    by_name = TermSelector("subspace", n_terms=50, rank=5, random_state=0).fit(large)
    by_scores = TermSelector(lambda X, y: by_name.scores_, n_terms=50, random_state=0).fit(large)
    np.testing.assert_array_equal(by_name.get_support(), by_scores.get_support())


def test_seeds(documents):
    one, again, other = (
        TermSelector("weighted", n_terms=50, random_state=seed).fit(documents[0]).get_support()
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, again)
    assert np.any(one != other)


def test_callable_with_settings(documents):
    X, y = documents
    score = partial(information_gain, aggregate="sum")
    selector = TermSelector(score, n_terms=20, mode="top").fit(X, y)
    np.testing.assert_array_equal(selector.scores_, score(X, y))


def test_terms_of_its_own_for_each_class():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 40)
    X = rng.random((120, 30)) * (rng.random((120, 30)) < 0.1)
    X[np.arange(120)[:, None], 2 * y[:, None] + [0, 1]] = 1
    model = OneVsRestClassifier(
        make_pipeline(TermSelector("information_gain", n_terms=2, mode="top"), RidgeClassifier())
    ).fit(sparse.csr_array(X), y)
    for label, pipeline in enumerate(model.estimators_):
        assert set(np.flatnonzero(pipeline[0].get_support())) == {2 * label, 2 * label + 1}


@pytest.mark.parametrize("mode", ["sample", "top"])
def test_more_terms_than_there_are_keeps_all_with_a_warning(mode, documents):
    X, _ = documents
    with pytest.warns(UserWarning, match=r"n_terms is 1000, but there are 200 terms: all are kept"):
        selector = TermSelector("weighted", mode=mode).fit(X)
    np.testing.assert_array_equal(selector.transform(X).toarray(), X.toarray())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert TermSelector("weighted", n_terms=200, mode=mode).fit(X).get_support().all()


@pytest.mark.parametrize("mode", ["sample", "top"])
def test_terms_that_score_zero_are_not_kept(mode, documents):
    X, _ = documents
    with pytest.warns(UserWarning, match="only 197 terms have a score above zero"):
        selector = TermSelector("weighted", n_terms=198, mode=mode, exact_budget=True).fit(X)
    np.testing.assert_array_equal(np.flatnonzero(~selector.get_support()), [197, 198, 199])
    with pytest.raises(ValueError, match="every term has score zero"):
        TermSelector("weighted", n_terms=5, mode=mode).fit(0 * X)


def test_feature_names(documents):
    X, _ = documents
    names = [f"term{column}" for column in range(200)]
    selector = TermSelector("weighted", n_terms=30, random_state=0).fit(X)
    expected = np.array(names)[selector.get_support()]
    np.testing.assert_array_equal(selector.get_feature_names_out(names), expected)


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_set_output_gives_a_named_table(library, documents):
    tables = pytest.importorskip(library)
    X = documents[0].toarray()
    names = [f"term{column}" for column in range(200)]
    frame = tables.DataFrame(dict(zip(names, X.T, strict=True)))
    selector = TermSelector("weighted", n_terms=30, random_state=0).set_output(transform=library).fit(frame)
    table = selector.transform(frame)
    assert list(table.columns) == list(selector.get_feature_names_out())
    plain = TermSelector("weighted", n_terms=30, random_state=0).fit(X)
    np.testing.assert_allclose(table.to_numpy(), plain.transform(X))


def test_the_parameter_score_is_not_taken_for_a_method(documents):
    selector = TermSelector("weighted", n_terms=30)
    assert not hasattr(selector, "score")
    assert clone(selector).get_params()["score"] == "weighted"
    selector.score = "uniform"
    assert selector.get_params()["score"] == "uniform"
    assert "score='uniform'" in repr(selector)
    selector.set_params(score="document_frequency").fit(documents[0])
    assert selector.scores_.max() > 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"score": "idf"},
            r"'score' parameter .* a str among {'subspace', .*'mutual_information'} or a callable",
        ),
        ({"score": None}, "'score' parameter"),
        ({"mode": "best"}, "'mode' parameter"),
        ({"n_terms": 0}, "'n_terms' parameter"),
        ({"score": lambda X, y: np.ones(7)}, "each of the 200 terms"),
        ({"score": lambda X, y: -np.ones(200)}, "zero or more"),
        ({"score": lambda X, y: np.full(200, np.nan)}, "finite"),
        ({"rank": -3}, "'rank' parameter"),
        ({"rank": 0.0}, r"rank as a share .* must be in \(0, 1\]"),
    ],
)
def test_bad_settings_are_refused(settings, message, documents):
    with pytest.raises(ValueError, match=message):
        TermSelector(**settings).fit(*documents)


@pytest.mark.parametrize("score", ["information_gain", "chi2", "mutual_information"])
def test_scores_that_need_classes(score, documents):
    X, y = documents
    with pytest.raises(ValueError, match="requires y"):
        TermSelector(score).fit(X)
    with pytest.raises(ValueError, match="only one class"):
        TermSelector(score).fit(X, np.zeros(80))
    indicators = np.column_stack([y == "corn", y == "ship"]).astype(int)
    by_indicators = TermSelector(score, n_terms=20, mode="top").fit(X, indicators)
    np.testing.assert_array_equal(
        by_indicators.get_support(), TermSelector(score, n_terms=20, mode="top").fit(X, y).get_support()
    )


def test_negative_weights_and_chi2(documents):
    X, y = documents
    with pytest.raises(ValueError, match=r"Negative values in data: chi2"):
        TermSelector("chi2").fit(-X, y)


def test_equal_scores_share_the_budget():
    np.testing.assert_allclose(keep_probabilities(np.ones(10), n_terms=4, exact_budget=True), 0.4)
    np.testing.assert_allclose(keep_probabilities(np.ones(10), n_terms=4), 0.4)
    np.testing.assert_array_equal(keep_probabilities(np.ones(10), n_terms=4, mode="top"), np.arange(10) < 4)
