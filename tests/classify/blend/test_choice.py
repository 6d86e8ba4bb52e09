"""Which scorers are kept, by scores whose worth is known."""

import numpy as np
import pytest

from textspace.classify.blend import _choice as module
from textspace.classify.blend import fit_calibration
from textspace.classify.blend._choice import choose
from textspace.classify.blend._complement import ComplementScorer
from textspace.classify.blend._ridge import RidgeScorer
from textspace.classify.blend._scorer import HeldOut

N_CLASSES = 4


@pytest.fixture
def truth():
    return np.random.default_rng(3).integers(0, N_CLASSES, 2000)


def score_of(y, *, strength, seed):
    """Give scores that are higher for the own class by `strength`, among normal noise."""
    noise = np.random.default_rng(seed).normal(size=(len(y), N_CLASSES))
    return noise + strength * (y[:, None] == np.arange(N_CLASSES))


def with_space(*scores):
    return HeldOut(RidgeScorer(slice(0, 1)), list(scores), None)


def without_space(*scores):
    return HeldOut(ComplementScorer(slice(0, 1)), list(scores), None)


def mean_loss(scores, y):
    return fit_calibration(scores, y).log_loss(scores, y) / len(y)


def test_noise_is_left_out_and_what_helps_is_kept_with_its_gain(truth):
    first, second, noise = (score_of(truth, strength=s, seed=i) for i, s in enumerate((1.0, 1.0, 0.0)))
    kept, gains = choose([with_space(first), with_space(noise), without_space(second)], truth)
    assert kept == [0, 2]
    both = mean_loss([first, second], truth)
    alone = [mean_loss([second], truth), mean_loss([first], truth)]
    np.testing.assert_allclose(gains, np.array(alone) - both, rtol=0.02)


def test_of_two_that_say_the_same_one_is_kept(truth):
    score = score_of(truth, strength=1.0, seed=0)
    kept, [gain] = choose([with_space(score), with_space(10 * score)], truth)
    assert len(kept) == 1
    assert gain < 1e-4  # the other says as much


@pytest.mark.parametrize("strength", [0.0, 0.3])
def test_one_with_a_space_is_left_though_it_tells_nothing(truth, strength):
    good, noise = score_of(truth, strength=2.0, seed=0), score_of(truth, strength=0.0, seed=1)
    weak = score_of(truth, strength=strength, seed=2)
    kept, gains = choose([without_space(good), with_space(noise), with_space(weak)], truth)
    assert kept in ([0, 1], [0, 2])
    assert kept == [0, 2] or strength == 0  # that which tells more
    assert gains[0] > 0.3
    assert abs(gains[1]) < 0.03


def test_the_scores_of_a_scorer_go_together(truth):
    good, helpful, *noises = (score_of(truth, strength=s, seed=i) for i, s in enumerate((1.0, 1.0, 0, 0, 0)))
    scorers = [with_space(noises[0], noises[1]), with_space(good, noises[2]), without_space(helpful)]
    assert choose(scorers, truth)[0] == [1, 2]


def test_a_small_gain_is_no_reason_to_keep(truth, monkeypatch):
    good, weak = score_of(truth, strength=1.0, seed=0), score_of(truth, strength=0.35, seed=1)
    gain = len(truth) * (mean_loss([good], truth) - mean_loss([good, weak], truth))
    assert gain > 10
    scorers = [with_space(good), without_space(weak)]
    assert choose(scorers, truth)[0] == [0, 1]
    monkeypatch.setattr(module, "_LEAST", (1.01 * gain, 0.0))
    assert choose(scorers, truth)[0] == [0]
    monkeypatch.setattr(module, "_LEAST", (0.99 * gain, 0.0))
    assert choose(scorers, truth)[0] == [0, 1]
    monkeypatch.setattr(module, "_LEAST", (0.0, 2 * gain / (len(truth) * mean_loss([good, weak], truth))))
    assert choose(scorers, truth)[0] == [0]


def test_few_documents_leave_no_scorer_out(truth):
    good, noise = score_of(truth, strength=1.0, seed=0), score_of(truth, strength=0.0, seed=1)
    few = slice(0, 900)
    assert choose([with_space(good), without_space(noise)], truth)[0] == [0]
    assert choose([with_space(good[few]), without_space(noise[few])], truth[few])[0] == [0, 1]


def test_a_scorer_must_be_worth_its_work(truth, monkeypatch):
    good, helpful = score_of(truth, strength=1.0, seed=0), score_of(truth, strength=0.7, seed=1)
    alone, both = mean_loss([good], truth), mean_loss([good, helpful], truth)
    dear = without_space(helpful)._replace(work=2.0)
    worth = (alone - both) / both / dear.work
    monkeypatch.setattr(module, "_DEAREST", np.inf)
    assert choose([with_space(good), dear], truth, thrift=0.9 * worth)[0] == [0, 1]
    assert choose([with_space(good), dear], truth, thrift=1.1 * worth)[0] == [0]
    cheap = dear._replace(work=0.0)
    assert choose([with_space(good), cheap], truth, thrift=1.1 * worth)[0] == [0, 1]
    monkeypatch.setattr(module, "_DEAREST", 0.5 * worth)  # there is a gain that is worth any work
    assert choose([with_space(good), dear], truth, thrift=1.1 * worth)[0] == [0, 1]


def test_the_last_scorer_of_a_block_pays_for_reading(truth, monkeypatch):
    good, *helpful = (score_of(truth, strength=s, seed=i) for i, s in enumerate((1.0, 0.7, 0.7)))
    first, second = (
        HeldOut(ComplementScorer(slice(10, 11)), [score], None, n_entries=1_000_000) for score in helpful
    )
    three = mean_loss([good, *helpful], truth)
    block, single = ((mean_loss(s, truth) - three) / three for s in ([good], [good, helpful[0]]))
    assert single < 0.6 * block
    # each saves less than reading costs, both together more; then the one that is left is too dear
    monkeypatch.setattr(module, "_DEAREST", np.inf)
    monkeypatch.setattr(module, "_READING", 1e-6)
    assert choose([with_space(good), first, second], truth, thrift=1.5 * single)[0] == [0, 1, 2]
    assert choose([with_space(good), first], truth, thrift=3 * block)[0] == [0]
    costly = [own._replace(work=10.0) for own in (first, second)]
    assert choose([with_space(good), *costly], truth, thrift=0.9 * block)[0] == [0]
    here = [own._replace(scorer=ComplementScorer(slice(0, 1))) for own in (first, second)]
    assert choose([with_space(good)._replace(n_entries=1), *here], truth, thrift=3 * block)[0] == [0, 1, 2]


def test_the_only_documents_of_classes_tell_nothing():
    y = np.arange(N_CLASSES)
    scorers = [with_space(score_of(y, strength=1.0, seed=0)), without_space(score_of(y, strength=0, seed=1))]
    assert choose(scorers, y) == ([0, 1], [0.0, 0.0])
    assert choose(scorers[:1], np.zeros(N_CLASSES, dtype=int)) == ([0], [0.0])


def test_some_of_very_many_scores_suffice(truth, monkeypatch):
    scorers = [
        with_space(score_of(truth, strength=1.0, seed=0)),
        without_space(score_of(truth, strength=1.0, seed=1)),
        without_space(score_of(truth, strength=0.0, seed=2)),
    ]
    kept, gains = choose(scorers, truth)
    monkeypatch.setattr(module, "_ENOUGH", 3 * N_CLASSES * 500)
    again, others = choose(scorers, truth)
    assert again == kept == [0, 1]
    np.testing.assert_allclose(others, gains, rtol=0.3)
    assert others != gains


def test_few_documents_must_speak_for_what_is_doubtful(truth):
    few = slice(0, 300)
    good, helpful, noise = (score_of(truth, strength=s, seed=i) for i, s in enumerate((1.0, 0.8, 0.0)))
    for second, kept in ((helpful, [0, 1, 2]), (noise, [0, 2])):
        scorers = [with_space(good[few]), without_space(second[few]), without_space(noise[few] ** 2)]
        assert choose(scorers, truth[few], doubtful=[1])[0] == kept
        assert choose(scorers, truth[few])[0] == [0, 1, 2]


def test_many_documents_choose_by_what_pays_and_not_by_doubt(truth):
    good, helpful = score_of(truth, strength=1.0, seed=0), score_of(truth, strength=0.3, seed=1)
    scorers = [with_space(good), without_space(helpful)]
    assert choose(scorers, truth, doubtful=[1]) == choose(scorers, truth)
