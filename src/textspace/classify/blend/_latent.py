"""Ridge regression in the space of latent semantic indexing of all rows: two of the scores of the blend."""

from dataclasses import dataclass, replace

import numpy as np

from textspace._saving import saved_as
from textspace.classify.blend._arrays import block_of, dot, inverse, on_a_grid, unit_rows
from textspace.classify.blend._ridge import FittedRidge, RidgeScorer, ridge_scores
from textspace.classify.blend._scorer import FittedScorer, HeldOut, Scorer
from textspace.solvers import top_singular_vectors

_RARE = 3, 1 / 2000  # documents, and share of them, that must hold a term of the space


@dataclass(frozen=True)
class LatentScorer(Scorer):
    """A :class:`RidgeScorer` of documents that were projected onto a few directions and made unit length.

    Once it is prepared, its columns are those that are not rare: rare terms are most of all, and the leading
    directions hardly hold them.
    """

    columns: slice | np.ndarray
    n_components: int
    random_state: object
    directions: np.ndarray | None = None  # of shape (n_columns, n_components), once it is prepared
    ridge: RidgeScorer | None = None  # in the space

    name = "latent semantic indexing"
    reads_unlabelled = True

    def prepared(self, X):
        """Find the leading directions of all rows."""
        rows = block_of(X, self.columns)
        frequency = np.bincount(rows.indices, minlength=rows.shape[1])
        needed = max(_RARE[0], _RARE[1] * rows.shape[0])
        frequent = np.flatnonzero(frequency >= min(needed, frequency.max()))
        _, vectors = top_singular_vectors(
            rows[:, frequent], n_components=self.n_components, random_state=self.random_state
        )
        return replace(
            self,
            columns=np.arange(X.shape[1])[self.columns][frequent],
            directions=on_a_grid(np.ascontiguousarray(vectors.T, dtype=np.float32)),
            ridge=RidgeScorer(slice(0, len(vectors))),
        )

    def fit(self, X, y, *, n_classes, weights=None):
        """Solve the ridge regression in the space, as :meth:`Scorer.fit` says."""
        return self._fitted(self.ridge.fit(self._project(X), y, n_classes=n_classes, weights=weights))

    def held_out(self, X, y, folds, *, n_classes, whole=True, weights=None):
        """Score each document by what is learned from all others, as :meth:`Scorer.held_out` says."""
        settings = {"n_classes": n_classes, "whole": whole, "weights": weights}
        own = self.ridge.held_out(self._project(X), y, folds, **settings)
        return HeldOut(replace(self, ridge=own.scorer), own.scores, lambda: self._fitted(own.fitted()))

    def score_all(self, X, y, weights, *, n_classes):
        """Learn in the space under all labellings, as :meth:`Scorer.score_all` says."""
        return self.ridge.score_all(self._project(X), y, weights, n_classes=n_classes)

    def _fitted(self, ridge):
        return FittedLatent(columns=self.columns, directions=self.directions, ridge=ridge)

    def _project(self, X):
        return unit_rows(dot(X, self.directions)).astype(np.float32)


@saved_as(
    "blend.latent",
    shapes={"columns": "k", "directions": "k m", "ridge.coef": "m c"},
    check=lambda latent: bool(np.all(latent.columns[1:] > latent.columns[:-1])),
)
@dataclass(frozen=True)
class FittedLatent(FittedScorer):
    """Directions of the ascending columns, of shape (n_columns, n_components), and a ridge in their space."""

    columns: np.ndarray
    directions: np.ndarray
    ridge: FittedRidge

    def moved(self, places):
        """Give the same for documents whose columns have gone to other places, in the same order."""
        return replace(self, columns=places[self.columns])

    @property
    def n_scores(self):
        """Number of scores, those of the ridge regression."""
        return self.ridge.n_scores

    def scores(self, X):
        """Give the scores, a list of arrays of shape (n_samples, n_classes)."""
        rows = unit_rows(dot(X, self.directions))
        return ridge_scores(rows @ self.ridge.coef + self.ridge.intercept, self.ridge.sizes)

    def contributions(self, x, factors):
        """Split the weighted scores of one document, as :meth:`FittedScorer.contributions` says."""
        rows = self.directions[x.indices] * x.data[:, None]
        rows *= inverse(np.linalg.norm(rows.sum(axis=0)))
        return self.ridge.split(rows @ self.ridge.coef, factors)
