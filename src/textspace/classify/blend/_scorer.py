"""What the blend asks of a scorer: scores of the classes that are learned, held out, and split into terms."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np


class HeldOut(NamedTuple):
    """What a scorer makes of documents that it has not learned from.

    Attributes
    ----------
    scorer : Scorer
        The scorer with its settings chosen.
    scores : list of ndarray of shape (n_samples, n_classes)
        Scores of all documents, each by what was learned from others.
    fitted : callable
        Gives the :class:`FittedScorer` that has learned from all documents.
    work : float
        Billions of multiplications that a step of learning took, or that took as long.
    n_entries : int
        Entries of the rows that were looked at.
    """

    scorer: "Scorer"
    scores: list
    fitted: Callable
    work: float = 0.0
    n_entries: int = 0


class Scorer:
    """A way to give documents a score, or several, for each class: a frozen dataclass of its settings.

    Another scorer is a file like those beside this one and a line in the list of ``SubspaceBlend``. It is
    given the rows of its own block of columns.

    Attributes
    ----------
    name : str
        What its scores are called.
    columns : slice or ndarray of int
        The block: a slice from one number to another, or ascending positions.
    has_space : bool
        Whether what it learns places documents in a space.
    reads_unlabelled : bool
        Whether it learns from rows without a label, by :meth:`prepared`. Such a scorer takes part only where
        there are some, and is not learned again in self-training.
    """

    has_space = False
    reads_unlabelled = False

    @property
    def alpha(self):
        """The penalty, where it has one and it is chosen."""
        alphas = getattr(self, "alphas", ())
        return alphas[0] if len(alphas) == 1 else None

    def near(self, alpha):
        """Give the scorer that chooses among the penalties next to one; as it is where it has none."""
        if alpha is None:
            return self
        place = self.alphas.index(alpha)
        return replace(self, alphas=self.alphas[max(0, place - 1) : place + 2])

    def prepared(self, X):
        """Give the scorer that has seen all rows, labelled or not; X has all columns."""
        return self

    def fit(self, X, y, *, n_classes, weights=None):
        """Learn from labelled documents.

        Parameters
        ----------
        X : csr_array of shape (n_samples, n_columns), float32
            Documents, the columns of the block.
        y : ndarray of shape (n_samples,), int
            Their classes, 0 to n_classes - 1. There may be a class without a document.
        n_classes : int
            Number of classes.
        weights : ndarray of shape (n_samples,), optional
            What each document counts.

        Returns
        -------
        FittedScorer
            What it has learned.
        """
        raise NotImplementedError

    def held_out(self, X, y, folds, *, n_classes, whole=True, weights=None):
        """Score each document by what is learned from others, and choose settings by these scores.

        The `folds` are pairs of rows, those to learn from and those to score. Where the `whole` is asked for,
        what is learned from all documents is learned along with it, if that takes less time than later. The
        `weights` of documents are as in :meth:`fit`, and count in the choice too. As it stands here, it
        serves scorers that give one score and have nothing to choose. Gives :class:`HeldOut`.
        """
        values = np.empty((len(y), n_classes), dtype=np.float32)
        for train, test in folds:
            own = None if weights is None else weights[train]
            [score] = self.fit(X[train], y[train], n_classes=n_classes, weights=own).scores(X[test])
            values[test] = score
        return HeldOut(self, [values], lambda: self.fit(X, y, n_classes=n_classes, weights=weights))

    def score_all(self, X, y, weights, *, n_classes):
        """Score all documents by what is learned from them under each of several labellings.

        Parameters
        ----------
        X : csr_array of shape (n_samples, n_columns), float32
            Documents, the columns of the block.
        y : ndarray of shape (n_labellings, n_samples), int
            Classes of the documents, 0 to n_classes - 1.
        weights : ndarray of shape (n_labellings, n_samples), float32
            What each document counts: 0 where it is not learned from.
        n_classes : int
            Number of classes.

        Returns
        -------
        list of ndarray of shape (n_labellings, n_samples, n_classes)
            The scores.
        """
        found = []
        for labels, own in zip(y, weights, strict=True):
            rows = np.flatnonzero(own)
            fitted = self.fit(X[rows], labels[rows], n_classes=n_classes, weights=own[rows])
            found.append(fitted.scores(X))
        return [np.stack(scores) for scores in zip(*found, strict=True)]


class FittedScorer:
    """What a :class:`Scorer` has learned: a frozen dataclass of arrays, as it stands in a model file.

    Attributes
    ----------
    columns : slice or ndarray of int
        The block of columns that it is given.
    n_scores : int
        How many scores it gives.
    has_space : bool
        Whether it places documents in a space: with ``n_dimensions``, the number of coordinates, and
        ``positions(X)``, which gives them.
    """

    has_space = False

    def scores(self, X):
        """Give the scores of documents, a list of arrays of shape (n_samples, n_classes)."""
        raise NotImplementedError

    def contributions(self, x, factors):
        """Split the weighted sum of the scores of one document into what its terms add.

        Each of the scores is multiplied by its factor. What each stored entry of `x`, of shape
        (1, n_columns), adds to each class is given, of shape (n_entries, n_classes), and what is left.
        """
        raise NotImplementedError

    def moved(self, places):
        """Give the same for documents whose columns have gone to other places, in the same order."""
        return replace(self, first=int(places[self.first]))

    def rounded(self):
        """Give the same with large tables rounded, so that a file of them is smaller."""
        return self
