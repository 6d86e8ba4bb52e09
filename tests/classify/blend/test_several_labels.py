"""Several labels a document: the blend, against models that have not seen one, and what it refuses."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit, logit
from sklearn.metrics import f1_score
from sklearn.preprocessing import normalize

from textspace.classify import SeveralLabelsBlend
from textspace.classify.blend._centroids import left_out_means
from textspace.classify.blend._label_ridge import _rounded, learn_label_ridge


def make_tagged(n_samples=300, n_labels=6, *, rate=0.25, seed=0, empty=False):
    """Give unit float32 rows, in which each label has twenty terms, and an indicator matrix."""
    rng = np.random.default_rng(seed)
    Y = (rng.random((n_samples, n_labels)) < rate).astype(int)
    if not empty:
        Y[Y.sum(axis=1) == 0, 0] = 1
    X = rng.random((n_samples, 20 * n_labels + 40)) * (rng.random((n_samples, 20 * n_labels + 40)) < 0.1)
    for row, label in zip(*np.nonzero(Y), strict=True):
        X[row, 20 * label + rng.integers(0, 20, 4)] += 1
    return sparse.csr_array(normalize(X).astype(np.float32)), Y


def test_finds_planted_labels_and_how_sure_it_may_be():
    X, Y = make_tagged(900)
    model = SeveralLabelsBlend().fit(X[:600], Y[:600])
    assert f1_score(Y[600:], model.predict(X[600:]), average="micro") > 0.9
    probabilities = model.predict_proba(X[600:])
    np.testing.assert_allclose(probabilities.sum(), Y[600:].sum(), rtol=0.05)
    assert model.at_least_one_
    assert model.predict(X[600:]).sum(axis=1).min() == 1


def test_values_of_documents_are_those_of_a_regression_without_them():
    X, Y = make_tagged(40, 3)
    _, values = learn_label_ridge(
        X, sparse.csr_array(Y.astype(np.float32)), alpha=1.0, columns=slice(0, X.shape[1]), random_state=0
    )
    for row in (0, 7, 39):
        others = np.delete(np.arange(40), row)
        A, B = X[others].toarray().astype(float), Y[others]
        middle, mean = A.mean(axis=0), B.mean(axis=0)
        coef = np.linalg.solve(
            (A - middle).T @ (A - middle) + np.eye(A.shape[1]), (A - middle).T @ (B - mean)
        )
        expected = (X[[row]].toarray() - middle) @ coef + mean
        np.testing.assert_allclose(values[row], expected[0], atol=0.03)  # the solver's tolerance


def test_cosines_of_documents_are_those_to_means_without_them():
    X, Y = make_tagged(40, 3)
    Y[:, 2] = 0
    Y[5, 2] = 1  # in one document
    means, cosines = left_out_means(X, sparse.csr_array(Y.astype(np.float32)))
    np.testing.assert_allclose(np.sqrt(means.multiply(means).sum(axis=1)), 1, rtol=1e-5)
    for row in (0, 5, 39):
        others = np.arange(40) != row
        own = Y[others].T @ X[others].toarray()
        expected = normalize(own) @ X[[row]].toarray()[0]
        np.testing.assert_allclose(cosines[row], expected, atol=1e-5)


def test_out_of_fold_logits_are_near_those_of_models_without_the_document():
    X, Y = make_tagged(120, 4)
    model = SeveralLabelsBlend(alpha=0.5).fit(X, Y)
    rows = [3, 50, 99]
    again = [
        SeveralLabelsBlend(alpha=0.5).fit(X[others], Y[others]).decision_function(X[[row]])[0]
        for row in rows
        for others in [np.delete(np.arange(120), row)]
    ]
    np.testing.assert_allclose(expit(model.out_of_fold_[rows]), expit(again), atol=0.08)


def test_a_sparse_indicator_gives_the_same_and_a_sparse_answer():
    X, Y = make_tagged()
    dense = SeveralLabelsBlend().fit(X, Y)
    for convert in (sparse.csr_array, sparse.csr_matrix, sparse.coo_array):
        model = SeveralLabelsBlend().fit(X, convert(Y))
        answer = model.predict(X)
        assert sparse.issparse(answer)
        np.testing.assert_array_equal(answer.toarray(), dense.predict(X))


def test_labels_in_batches_equal_all_at_once(monkeypatch):
    X, Y = make_tagged(300, 40, rate=0.05)
    whole = SeveralLabelsBlend(alpha=1.0).fit(X, Y)
    monkeypatch.setattr("textspace.classify.blend._label_ridge._VALUES", 16 * 840)
    monkeypatch.setattr("textspace.classify.blend._label_calibration._BATCH", 400)
    monkeypatch.setattr("textspace.classify.blend._label_decisions._BATCH", 400)
    monkeypatch.setattr("textspace.classify.blend._several_labels._BATCH", 400)
    parts = SeveralLabelsBlend(alpha=1.0).fit(X, Y)
    np.testing.assert_allclose(parts.out_of_fold_, whole.out_of_fold_, atol=1e-3)
    np.testing.assert_allclose(parts.thresholds_, whole.thresholds_, atol=1e-3)
    # steps of rounding may differ from batch to batch
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), atol=0.1)


def test_a_sample_of_pairs_weighs_scores_much_like_all(monkeypatch):
    X, Y = make_tagged(600)
    whole = SeveralLabelsBlend(alpha=1.0).fit(X, Y).predict_proba(X)
    monkeypatch.setattr("textspace.classify.blend._label_calibration._PAIRS", 1800)
    some = SeveralLabelsBlend(alpha=1.0).fit(X, Y).predict_proba(X)
    assert np.any(some != whole)
    assert np.abs(some - whole).mean() < 0.02


@pytest.mark.parametrize("decision", ["f1", "micro", "macro"])
def test_decisions_have_the_highest_expected_f1(decision):
    X, Y = make_tagged(400, 4)
    model = SeveralLabelsBlend(decision=decision).fit(X, Y)
    if decision == "micro":
        assert np.ptp(model.thresholds_) < 1e-9
    others = {name: SeveralLabelsBlend(decision=name).fit(X, Y).thresholds_ for name in ("micro", "macro")}
    if decision == "f1":
        np.testing.assert_allclose(model.thresholds_, np.minimum(others["micro"], others["macro"]))


def test_thresholds_of_labels_equal_those_found_by_trying_all():
    from textspace.classify.blend._label_decisions import expected_f1_thresholds

    P = np.random.default_rng(0).beta(0.3, 2, (80, 3))
    found = expected_f1_thresholds("macro", logit(P))
    for label, threshold in enumerate(found):
        own = P[:, label]
        f1 = [2 * own[own >= cut].sum() / ((own >= cut).sum() + own.sum()) for cut in own]
        assert threshold == pytest.approx(max(f1) / 2)
        # above half of the best F1 are just those documents that make it
        assert np.argmax(f1) == np.flatnonzero(own == own[own > threshold].min())[0]


def test_a_number_decides_alone():
    X, Y = make_tagged()
    model = SeveralLabelsBlend(decision=0.9).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X), model.predict_proba(X) > 0.9)
    assert not model.at_least_one_


def test_documents_without_a_label_may_get_none():
    X, Y = make_tagged(empty=True)
    model = SeveralLabelsBlend().fit(X, Y)
    assert not model.at_least_one_
    assert model.predict(X).sum(axis=1).min() == 0


def test_large_tables_lose_small_coefficients_only():
    coef = np.random.default_rng(0).normal(size=(3000, 400)).astype(np.float32) ** 5
    table = _rounded(coef)
    assert table.nnz < 0.2 * coef.size
    assert np.sum((table.toarray() - coef) ** 2) <= 0.06 * np.sum(coef**2)
    assert np.abs(coef[table.toarray() == 0]).max() < np.abs(table.data).min()
    few = _rounded(coef[:10])
    np.testing.assert_allclose(few.toarray(), coef[:10], atol=0.02 * np.sqrt(np.mean(coef[:10] ** 2)))
    assert _rounded(np.zeros((3, 2), dtype=np.float32)).nnz == 0


def test_contributions_add_up_to_the_logits():
    X, Y = make_tagged()
    model = SeveralLabelsBlend(blocks=[("a", 0, 100, 60), ("b", 100, 160, 60)]).fit(X, Y)
    for row in (0, 1, 2):
        contributions, constant = model.contributions(X[[row]])
        total = contributions.sum(axis=0) + constant
        np.testing.assert_allclose(total, model.decision_function(X[[row]])[0], atol=1e-6)


def test_a_single_label_that_a_document_has_or_not():
    X, Y = make_tagged()
    model = SeveralLabelsBlend().fit(X, Y[:, :1])
    assert model.predict_proba(X).shape == (300, 1)
    assert f1_score(Y[:, 0], model.predict(X)[:, 0]) > 0.9


def test_six_documents_do_not_turn_scores_round():
    X = sparse.csr_array(normalize([[1, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1], [1, 1, 0], [0, 1, 1.0]]))
    Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 0], [0, 1]])
    model = SeveralLabelsBlend().fit(X, Y)
    np.testing.assert_array_equal(model.predict(X), Y)
    assert np.all(model.calibration_.weights > 0)


def test_one_label_a_document_as_a_vector():
    X, _ = make_tagged(rate=0)
    y = np.array(["corn", "ship", "ore"])[np.arange(300) % 3]
    model = SeveralLabelsBlend().fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert set(model.predict(X)) <= {"corn", "ship", "ore"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda Y: Y * 2, r"Y holds 2 in row 0, column \d: an indicator matrix has 1"),
        (lambda Y: np.where(Y, np.nan, 0), r"Y holds nan in row 0"),
        (lambda Y: sparse.csr_array(Y * 3), "Y holds 3 in row 0"),
        (lambda Y: Y[:-1], "X has 300 rows and y 299"),
        (lambda Y: 0 * Y, "Y has no label: none of its 300 documents has one"),
        (lambda Y: [np.flatnonzero(row).tolist() for row in Y], "MultiLabelBinarizer makes one of lists"),
        (lambda Y: Y.astype(str), "Y must be an indicator matrix"),
    ],
)
def test_bad_labels_are_refused_with_a_sentence(change, message):
    X, Y = make_tagged()
    with pytest.raises(ValueError, match=message):
        SeveralLabelsBlend().fit(X, change(Y))


def test_labels_in_no_document_and_in_every_document_are_named():
    X, Y = make_tagged()
    Y[:, 1], Y[:, 4] = 0, 1
    with pytest.warns(UserWarning, match="1 of 6 labels are in") as found:
        model = SeveralLabelsBlend().fit(X, Y)
    assert "no document, columns 1" in str(found[0].message)
    assert "every document, columns 4" in str(found[1].message)
    probabilities = model.predict_proba(X)
    assert probabilities[:, 1].max() < 0.05
    assert probabilities[:, 4].min() > 0.9


@pytest.mark.filterwarnings("ignore:.*labels are in no document")
def test_labels_without_a_document_are_given_to_none():
    X, Y = make_tagged(300, 40, rate=0.05)
    Y[:, ::2] = 0
    Y[:, 1] = 1 - Y.any(axis=1) * (1 - Y[:, 1])
    for decision in ("f1", "macro"):
        model = SeveralLabelsBlend(decision=decision).fit(X, Y)
        assert model.predict(X)[:, ::2].sum() == 0


def test_a_label_of_one_document_and_a_document_of_all_labels():
    X, Y = make_tagged(300, 30, rate=0.05)
    Y[:, 7] = 0
    Y[11] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = SeveralLabelsBlend().fit(X, Y)
    assert np.isfinite(model.out_of_fold_).all()
    assert model.predict(X).shape == Y.shape
