import numpy as np
import pytest

from textspace.evaluation._confidence import calibration_error, reject_curve, reliability_bins


@pytest.fixture(params=range(5))
def answers(request):
    rng = np.random.default_rng(request.param)
    confidence = rng.beta(4, 1.5, size=400).round(request.param + 1)  # with ties, and some at 0 and 1
    return confidence, rng.random(400) < confidence**1.5


def slow_bins(confidence, right):
    for i in range(15):
        low, high = i / 15, (i + 1) / 15
        own = [
            (c, r)
            for c, r in zip(confidence.tolist(), right.tolist(), strict=True)
            if np.ceil(c * 15) == i + 1 or (i == 0 and c == 0)
        ]
        if own:
            yield low, high, len(own), sum(c for c, _ in own) / len(own), sum(r for _, r in own) / len(own)


def test_bins_match_a_loop(answers):
    bins = reliability_bins(*answers)
    expected = list(slow_bins(*answers))
    assert sum(one["n_documents"] for one in bins) == 400
    found = [tuple(one.values()) for one in bins]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_calibration_error_matches_a_loop(answers):
    expected = sum(n * abs(a - c) for _, _, n, c, a in slow_bins(*answers)) / 400
    assert calibration_error(*answers) == pytest.approx(expected, rel=1e-12)


def test_calibration_error_of_what_is_calibrated_and_what_is_not():
    rng = np.random.default_rng(0)
    confidence = rng.uniform(size=200_000)
    assert calibration_error(confidence, rng.random(200_000) < confidence) < 0.01
    assert calibration_error(np.ones(10), np.zeros(10, bool)) == 1
    assert calibration_error(np.ones(10), np.ones(10, bool)) == 0
    assert calibration_error(np.zeros(4), np.zeros(4, bool)) == 0


def test_reject_curve_matches_a_loop(answers):
    confidence, right = answers
    curve = reject_curve(confidence, right)
    assert len(curve["coverage"]) <= 200
    for coverage, accuracy, limit in zip(*curve.values(), strict=True):
        answered = confidence >= limit
        assert coverage == pytest.approx(answered.mean())
        assert accuracy == pytest.approx(right[answered].mean())
    assert curve["coverage"][-1] == 1
    assert (np.diff(curve["coverage"]) > 0).all()
    assert (np.diff(curve["min_confidence"]) < 0).all()


def test_every_limit_has_a_point_where_there_are_few():
    confidence = np.array([0.9, 0.5, 0.9, 0.7])
    curve = reject_curve(confidence, [True, False, True, False])
    assert curve["min_confidence"].tolist() == [0.9, 0.7, 0.5]
    assert curve["accuracy"].tolist() == pytest.approx([1, 2 / 3, 1 / 2])


@pytest.mark.parametrize("judge", [calibration_error, reliability_bins, reject_curve])
@pytest.mark.parametrize(
    ("confidence", "right", "message"),
    [
        ([0.5, 0.6], [True], "one of each for a document"),
        ([0.5], [], "one of each for a document"),
        ([0.5, np.nan], [True, False], "nan in row 1: it must be from 0 to 1"),
        ([1.5], [True], "1.5 in row 0: it must be from 0 to 1"),
    ],
)
def test_what_is_no_confidence_is_refused(judge, confidence, right, message):
    with pytest.raises(ValueError, match=message):
        judge(confidence, right)


@pytest.mark.parametrize("judge", [calibration_error, reject_curve])
def test_without_a_prediction_there_is_nothing_to_judge(judge):
    with pytest.raises(ValueError, match="no prediction to judge"):
        judge([], [])
