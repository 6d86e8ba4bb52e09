"""Which scorers a blend keeps: those without which documents that were held out are judged worse."""

from typing import NamedTuple

import numpy as np

from textspace._saving import saved_as
from textspace.classify.blend._calibration import calibrate_few, fit_calibration, log_loss_rows, telling_rows

_LEAST = 0.3, 2e-4  # by which a scorer lowers the log loss of all documents: so much, and this share of it
TELLING = 1000  # documents from which on they tell which scorers pay: of fewer, all stay that cost little
_DEAREST = 0.035  # share of the log loss that is worth any work
_READING = (
    512e-9  # billions of multiplications that an entry of the rows is worth: cutting texts, at any time
)
_ENOUGH = 4 << 20  # scores that tell what scorers are worth


@saved_as("blend.kept")
class KeptScorer(NamedTuple):
    """A scorer that a blend has kept.

    Attributes
    ----------
    block : str
        Name of its block of columns.
    name : str
        What its scores are called.
    alpha : float or None
        Its penalty, where it has one.
    gain : float
        By how much it lowers the mean log loss of documents that were held out, the other scorers given.
    """

    block: str
    name: str
    alpha: float | None
    gain: float


def choose(judged, y, thrift=0.0, sample_weight=None, doubtful=()):
    """Leave out the scorers that hardly lower the log loss of documents which they have not learned from.

    Each scorer has a price: the share of the log loss that it must save. The last one on a block of columns
    also pays for reading texts in that alphabet. One after the other is tried, that first which saves the
    least beyond its price, the others as they are weighed; then the weights of the others are found anew. Of
    the scorers that have a space, that one stays which judges best by itself: documents are placed in its
    space. Fewer than 1000 documents do not tell which scorers pay: there is no price then but that of their
    work. Scorers that are `doubtful` are then left out together, unless the documents are judged better with
    them by more than one standard error.

    Parameters
    ----------
    judged : list of HeldOut
        What the scorers make of the documents.
    y : ndarray of shape (n_samples,), int
        Classes of the documents.
    thrift : float, default=0.0
        Share of the log loss that each billion of multiplications in a step of learning adds to the price,
        3.5 % at most, and so for reading.
    sample_weight : ndarray of shape (n_samples,), optional
        What each document counts.
    doubtful : collection of int, default=()
        Positions of scorers that few documents must speak for.

    Returns
    -------
    kept : list of int
        Positions of the scorers that are kept.
    gains : list of float
        By how much each of these lowers the mean log loss; 0 for one that is left alone.
    """
    rows = telling_rows(y)
    rows = rows[:: -(-sum(score.size for own in judged for score in own.scores) // _ENOUGH)]
    if len(rows) == 0 or len(judged) == 1:
        return list(range(len(judged))), [0.0] * len(judged)
    truth = y[rows]
    scores = [score[rows] for own in judged for score in own.scores]
    owners = np.repeat(np.arange(len(judged)), [len(own.scores) for own in judged])
    few = (len(y) if sample_weight is None else sample_weight.sum()) < TELLING
    own_weights = None if sample_weight is None else sample_weight[rows]
    sure = np.flatnonzero(~np.isin(owners, list(doubtful)))
    if few and 0 < len(sure) < len(scores) and not _help(scores, sure, truth, own_weights):
        places = np.unique(owners[sure])
        kept, gains = choose([judged[own] for own in places], y, thrift, sample_weight)
        return places[kept].tolist(), gains
    n_counted = len(rows) if own_weights is None else own_weights.sum()
    asked = [min(_DEAREST, thrift * own.work) for own in judged]
    reading = [min(_DEAREST, thrift * _READING * own.n_entries) for own in judged]
    blocks = np.array([own.scorer.columns.start for own in judged])

    def price(scorer):
        is_last = np.sum(blocks[np.unique(owners[kept])] == blocks[scorer]) == 1
        share = asked[scorer] + is_last * reading[scorer]
        if few:
            return share * loss if share else -np.inf
        return _LEAST[0] + (_LEAST[1] + share) * loss

    def fitted(of, start):
        own = [scores[i] for i in of]
        calibration = fit_calibration(own, truth, start=start, sample_weight=own_weights)
        return calibration, calibration.log_loss(own, truth, own_weights)

    places = [own for own, held in enumerate(judged) if held.scorer.has_space]
    place = min(
        places,
        key=lambda own: (1 + asked[own] + reading[own]) * fitted(np.flatnonzero(owners == own), None)[1],
    )
    kept, gains = np.arange(len(scores)), {}
    best, loss = fitted(kept, None)
    while candidates := [own for own in np.unique(owners[kept]) if own not in gains]:
        if len(candidates) == len(np.unique(owners[kept])) == 1:
            gains[candidates[0]] = 0.0  # there is nothing else to compare it with
            break
        trials = []
        for scorer in candidates:
            others = owners[kept] != scorer
            without = best.among(others).log_loss([scores[i] for i in kept[others]], truth, own_weights)
            trials.append(without - price(scorer))
        scorer = candidates[int(np.argmin(trials))]
        others = owners[kept] != scorer
        calibration, without = fitted(kept[others], best.among(others))
        if scorer != place and without - loss <= price(scorer):
            kept, best, loss = kept[others], calibration, without
            gains = {own: gain for own, gain in gains.items() if blocks[own] != blocks[scorer]}
        else:
            gains[scorer] = max(0.0, without - loss) / n_counted
    remaining = np.unique(owners[kept])
    return remaining.tolist(), [gains[scorer] for scorer in remaining]


def _help(scores, sure, y, weights):
    """Whether documents are judged better, by a standard error, by all scores than by those that are sure."""
    losses = [
        log_loss_rows(calibrate_few(own, y, sample_weight=weights)(own), y)
        for own in ([scores[place] for place in sure], scores)
    ]
    gains = (losses[0] - losses[1]) * (1 if weights is None else weights / weights.mean())
    return gains.mean() > gains.std() / np.sqrt(len(gains))
