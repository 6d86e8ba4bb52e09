import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn import metrics

from textspace.evaluation import label_propensities, multilabel_scores, per_label, scores, significance


def answers(seed=0, n=120, n_labels=9):
    rng = np.random.default_rng(seed)
    truth = rng.random((n, n_labels)) < np.linspace(0.02, 0.4, n_labels)
    truth[:, 3] = False  # a label that no document has
    probabilities = np.clip(0.5 * truth + rng.random(truth.shape) * 0.6, 0, 1)
    return truth, probabilities > 0.5, probabilities


@pytest.mark.parametrize("seed", range(3))
def test_decisions_are_scored_as_by_scikit_learn(seed):
    truth, predicted, _ = answers(seed)
    result = multilabel_scores(truth, predicted)
    for average in ("micro", "macro"):
        expected = metrics.precision_recall_fscore_support(truth, predicted, average=average, zero_division=0)
        found = [result[f"{average}_{name}"] for name in ("precision", "recall", "f1")]
        np.testing.assert_allclose(found, expected[:3])
    tested = truth.any(0)
    expected = metrics.f1_score(truth[:, tested], predicted[:, tested], average="macro")
    assert result["macro_f1_tested"] == pytest.approx(expected)
    assert result["macro_f1_tested"] > result["macro_f1"]
    expected = metrics.f1_score(truth, predicted, average="samples", zero_division=1.0)
    assert result["example_f1"] == pytest.approx(expected)
    assert result["subset_accuracy"] == metrics.accuracy_score(truth, predicted)
    alone = per_label(truth, predicted)
    np.testing.assert_allclose(alone["f1"], metrics.f1_score(truth, predicted, average=None, zero_division=0))


@pytest.mark.parametrize("k", [1, 3, 5, 20])
def test_rankings_are_scored_as_by_scikit_learn(k):
    truth, predicted, probabilities = answers()
    result = multilabel_scores(truth, predicted, probabilities, k=(k,))
    assert result[f"ndcg_at_{k}"] == pytest.approx(metrics.ndcg_score(truth, probabilities, k=k))
    ranked = np.argsort(-probabilities, axis=1)[:, :k]
    expected = np.take_along_axis(truth, ranked, axis=1).sum() / (k * len(truth))
    assert result[f"precision_at_{k}"] == pytest.approx(expected)


def test_a_case_counted_by_hand():
    truth = np.array([[1, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
    predicted = np.array([[1, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
    probabilities = np.array([[0.9, 0.3, 0.8, 0.1], [0.2, 0.1, 0.3, 0.6], [0.005, 0.0, 0.0, 0.0]])
    weights = np.array([1.0, 2.0, 4.0, 4.0])
    result = multilabel_scores(truth, predicted, probabilities, k=(1, 2), propensities=1 / weights)
    assert result["micro_f1"] == pytest.approx(2 * 2 / (3 + 3))
    assert result["macro_f1"] == pytest.approx((1 + 0 + 0 + 1) / 4)
    assert result["macro_f1_tested"] == pytest.approx((1 + 0 + 1) / 3)
    assert result["example_f1"] == pytest.approx((0.5 + 1 + 1) / 3)
    assert result["subset_accuracy"] == pytest.approx(2 / 3)
    assert result["precision_at_1"] == pytest.approx(2 / 3)
    assert result["precision_at_2"] == pytest.approx(2 / 6)
    second = 1 / np.log2(3)
    assert result["ndcg_at_2"] == pytest.approx((1 / (1 + second) + 1 + 0) / 3)
    # at 1: the labels 0 and 3 are found, 1 and 3 would be best; at 2 the first document could have 2 + 1
    assert result["propensity_precision_at_1"] == pytest.approx((1 + 4) / (2 + 4))
    assert result["propensity_precision_at_2"] == pytest.approx((1 + 4) / (3 + 4))
    likely = probabilities > 0.01
    bins = np.ceil(probabilities[likely] * 15)
    gaps = [abs((probabilities[likely] - truth[likely])[bins == place].sum()) for place in np.unique(bins)]
    assert result["calibration_error"] == pytest.approx(sum(gaps) / likely.sum())
    assert result["cardinality_true"] == result["cardinality_predicted"] == 1


def test_what_is_sparse_gives_the_same(monkeypatch):
    monkeypatch.setattr("textspace.evaluation._several_labels._CELLS", 100)  # eleven documents at a time
    truth, predicted, probabilities = answers()
    probabilities[probabilities < 0.3] = 0
    propensities = label_propensities(truth.sum(0), len(truth))
    wanted = multilabel_scores(truth, predicted, probabilities, propensities=propensities)
    found = multilabel_scores(
        *map(sparse.csr_matrix, (truth, predicted, probabilities)), propensities=propensities
    )
    assert found == wanted
    assert {"micro_f1", "macro_f1", "subset_accuracy", "precision_at_1", "precision_at_3"} < set(found)
    assert {"precision_at_5", "ndcg_at_5", "calibration_error", "propensity_precision_at_5"} < set(found)


def test_indicators_of_a_hundred_thousand_labels_stay_sparse():
    rng = np.random.default_rng(0)
    columns = np.sort(rng.integers(100_000, size=(300, 4)), axis=1)
    truth = sparse.csr_array(
        (np.ones(1200, dtype=bool), columns.ravel(), np.arange(0, 1201, 4)), shape=(300, 100_000)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # sparse arrays that are filled warn
        assert multilabel_scores(truth, truth)["micro_f1"] == 1
        assert significance(truth, truth, sparse.csr_array(truth.shape, dtype=bool)).s.mark == ">>"
        assert scores(truth, truth)["accuracy"] == 1


@pytest.mark.parametrize("classes", [None, [4, 1, 8]])
def test_the_papers_tests_take_sparse_decisions(classes):
    truth, a, _ = answers()
    b = answers(1)[1]
    wanted = significance(truth, a, b, classes=classes)
    assert significance(*map(sparse.csr_array, (truth, a, b)), classes=classes) == wanted
    assert wanted.s.mark == ">>"
    assert scores(*map(sparse.csr_array, (truth, a)), truth * 0.5) == scores(truth, a, truth * 0.5)


def test_propensities_are_those_of_the_paper():
    c = (np.log(1000) - 1) * 2.5**0.55
    assert label_propensities([8], 1000)[0] == pytest.approx(1 / (1 + c * np.exp(-0.55 * np.log(9.5))))
    assert (np.diff(label_propensities(np.arange(50), 1000)) > 0).all()
    assert label_propensities([1, 2], 2).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("truth", "predicted", "probabilities", "said"),
    [
        ([[1, 2]], [[1, 0]], None, "truth holds 2 where only 0 and 1 are meant"),
        ([[1, np.nan]], [[1, 0]], None, "truth holds nan where"),
        ([[1, 0]], [[1, 0], [0, 1]], None, r"shape \(1, 2\) and predicted \(2, 2\)"),
        (np.zeros((0, 3)), np.zeros((0, 3)), None, "nothing to score"),
        ([["a"]], [["a"]], None, "no matrix of numbers"),
        ([[1, 0]], [[1, 0]], [[0.5]], r"probabilities has the shape \(1, 1\)"),
        ([[1, 0]], [[1, 0]], [[0.5, np.nan]], "probabilities holds NaN"),
    ],
)
def test_bad_input_is_named(truth, predicted, probabilities, said):
    with pytest.raises(ValueError, match=said):
        multilabel_scores(truth, predicted, probabilities)


def test_scores_that_are_no_probabilities_have_no_calibration_error():
    truth = np.array([[1, 1, 0], [0, 0, 1]], dtype=bool)
    values = np.array([[2.0, 0.4, 0.1], [-0.2, 0.1, 0.8]])
    assert "calibration_error" not in multilabel_scores(truth, values > 0.5, values)
    assert "calibration_error" in multilabel_scores(truth, values > 0.5, values / 2)
