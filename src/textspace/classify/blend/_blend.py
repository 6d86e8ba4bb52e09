"""Fitted scorers, and how their scores are added up."""

from dataclasses import dataclass

import numpy as np

from textspace._rows import batches
from textspace._saving import saved_as
from textspace.classify.blend._arrays import block_of, entries_of
from textspace.classify.blend._calibration import Calibration

_SCORES = 4 << 20  # of documents and classes that are handled at a time


@saved_as(
    "blend.sum",
    shapes={
        "calibration.bias": "c",
        "scorers.*.intercept?": "c",
        "scorers.*.ridge.intercept?": "c",
        "scorers.*.normalisers?": "c",
        "scorers.*.centroids?": "_ c",
        "scorers.*.ratios?": "_ c",
        "scorers.*.table?": "_ c",
    },
    check=lambda blend: sum(scorer.n_scores for scorer in blend.scorers) == len(blend.calibration.weights),
)
@dataclass(frozen=True)
class Blend:
    """Fitted scorers, and the calibration by which their scores are added up."""

    scorers: list
    calibration: Calibration

    @property
    def space(self):
        """The scorer in whose space documents are placed: the first that has one."""
        return next(scorer for scorer in self.scorers if scorer.has_space)

    def decide(self, X):
        """Give decision values of shape (n_samples, n_classes)."""
        return self.calibration(
            [score for scorer, rows in _with_rows(self.scorers, X) for score in scorer.scores(rows)]
        )

    def positions(self, X):
        """Place documents in the space, an array of shape (n_samples, n_dimensions)."""
        return self.space.positions(block_of(X, self.space.columns))

    def contributions(self, x):
        """Split the decision values of one document into what its entries add, and a constant."""
        ends = np.cumsum([scorer.n_scores for scorer in self.scorers])
        factors = np.split(self.calibration.factors, ends[:-1])
        total, constant = np.zeros((x.nnz, len(self.calibration.bias))), self.calibration.bias
        for scorer, own_factors in zip(self.scorers, factors, strict=True):
            entries, row = entries_of(x, scorer.columns)
            contributions, left = scorer.contributions(row, own_factors)
            total[entries] += contributions
            constant = constant + left
        return total, constant

    def then(self, calibration):
        """Give the blend whose decision values are calibrated once more, as a single score."""
        [factor], own = calibration.factors, self.calibration
        return Blend(
            self.scorers,
            Calibration(own.scales, factor * own.weights, factor * own.bias + calibration.bias),
        )

    def moved(self, places):
        """Give the blend for documents whose columns have gone to other places, in the same order."""
        return Blend([scorer.moved(places) for scorer in self.scorers], self.calibration)

    def rounded(self):
        """Give the blend with large tables rounded."""
        return Blend([scorer.rounded() for scorer in self.scorers], self.calibration)


def decide(blends, X):
    """Give the mean of the decision values of some blends, of shape (n_samples, n_classes)."""
    values = np.empty((X.shape[0], len(blends[0].calibration.bias)))
    for rows in batches(len(values), max(1, _SCORES // values.shape[1])):
        own = X if rows == slice(0, len(values)) else X[rows]  # which would copy all of it
        values[rows] = sum(blend.decide(own) for blend in blends) / len(blends)
    return values


def judge(scorers, X, y, folds, *, n_classes, whole=True, weights=None):
    """Let scorers score documents, as :meth:`Scorer.held_out` says: a list of HeldOut; X has all columns."""
    return [
        scorer.held_out(rows, y, folds, n_classes=n_classes, whole=whole, weights=weights)
        for scorer, rows in _with_rows(scorers, X)
    ]


def fit_scorers(scorers, X, y, *, n_classes, weights=None):
    """Let scorers learn, as :meth:`Scorer.fit` says; X has all columns."""
    return [
        scorer.fit(rows, y, n_classes=n_classes, weights=weights) for scorer, rows in _with_rows(scorers, X)
    ]


def score_all(scorers, X, y, weights, *, n_classes):
    """Let scorers score all documents under several labellings, as :meth:`Scorer.score_all` says: a list."""
    return [
        score
        for scorer, rows in _with_rows(scorers, X)
        for score in scorer.score_all(rows, y, weights, n_classes=n_classes)
    ]


def _with_rows(scorers, X):
    """Give each scorer and the columns of its block, which those that follow each other share."""
    columns = rows = None
    for scorer in scorers:
        if rows is None or not np.array_equal(_places(scorer.columns), _places(columns)):
            columns, rows = scorer.columns, block_of(X, scorer.columns)
        yield scorer, rows


def _places(columns):
    return (columns.start, columns.stop) if isinstance(columns, slice) else columns
