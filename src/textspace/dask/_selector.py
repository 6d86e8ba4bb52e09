"""A choice of terms by scores that a Dask cluster sums."""

from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state

from textspace._parameters import COUNT, one_of
from textspace.dask._base import DaskEstimator, sparse_meta
from textspace.dask._lsi import singular_directions
from textspace.selection import SCORES, SUPERVISED, TermSelector, score_from_sums, term_sums

_TOL = 1e-3  # residual of a singular pair, relative to its eigenvalue, as in memory


class DaskTermSelector(DaskEstimator):
    """Keep the terms that a score values, learned from documents in row blocks on a Dask cluster.

    The scores and the choice are those of :class:`textspace.selection.TermSelector`. All scores but
    "subspace" take one pass over the blocks.

    Parameters
    ----------
    score : str, default="subspace"
        "subspace", "weighted", "uniform", "document_frequency", or with classes "information_gain", "chi2",
        "mutual_information".
    n_terms
        As of :class:`textspace.selection.TermSelector`.
    rank : int, default=100
        Number of singular vectors of the score "subspace".
    mode, exact_budget, random_state
        As of :class:`textspace.selection.TermSelector`.
    client : distributed.Client or None, default=None
        The cluster's client; None takes the one that was made last.

    Attributes
    ----------
    scores_, probabilities_, scale_, n_features_in_
        As of :class:`textspace.selection.TermSelector`.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from textspace.dask import DaskTermSelector
    >>> client = Client(processes=False, n_workers=1, dashboard_address=None)
    >>> X = da.from_array([[3.0, 0.0, 1.0], [2.0, 0.0, 0.0], [0.0, 2.0, 1.0]], chunks=(2, 3))
    >>> DaskTermSelector("weighted", n_terms=2, mode="top", client=client).fit(X).transform(X).compute()
    array([[3., 0.],
           [2., 0.],
           [0., 2.]])
    >>> client.shutdown()
    """

    _parameter_constraints: ClassVar = {
        **TermSelector._parameter_constraints,
        **DaskEstimator._parameter_constraints,
        "score": [one_of(*SCORES)],  # a function would see one block at a time
        "rank": [COUNT],
    }

    def __init__(
        self,
        score="subspace",
        n_terms=1000,
        *,
        rank=100,
        mode="sample",
        exact_budget=False,
        random_state=None,
        client=None,
    ):
        self.score = score
        self.n_terms = n_terms
        self.rank = rank
        self.mode = mode
        self.exact_budget = exact_budget
        self.random_state = random_state
        self.client = client

    def fit(self, X, y=None):
        """Score the terms and choose among them.

        Parameters
        ----------
        X : dask.array.Array of shape (n_samples, n_features), or list of Delayed
            Documents in row blocks, each a CSR matrix or an ndarray.
        y : dask.array.Array, dask Series, array-like, or list of arrays or Delayed, optional
            Class of each document, for the scores that need them.

        Returns
        -------
        DaskTermSelector
            The fitted selector.
        """
        self._validate_params()
        if self.score in SUPERVISED and y is None:
            raise ValueError(f"the score {self.score!r} needs the classes of the documents: give y.")
        blocks = self._gather(X, y if self.score in SUPERVISED else None)
        random_state = check_random_state(self.random_state)
        draws = random_state.random_sample(blocks.n_features)  # first, as in memory
        local = self._unfitted(TermSelector)
        local.n_features_in_ = blocks.n_features
        local._choose(self._score_terms(blocks, random_state), draws)
        return self._keep(local)

    def transform(self, X):
        """Keep the chosen terms of documents, rescaled.

        Parameters
        ----------
        X : dask.array.Array of shape (n_samples, n_features), or list of Delayed
            Documents in row blocks.

        Returns
        -------
        dask.array.Array of shape (n_samples, n_kept)
            Lazy; its blocks are sparse if those of X are.
        """
        kept = self.to_local().get_support()
        meta = getattr(X, "_meta", sparse_meta(np.float64))[:0, :0]
        return self._lazily("transform", X, n_columns=int(kept.sum()), meta=meta)

    def _score_terms(self, blocks, random_state):
        if self.score == "uniform":
            return np.ones(blocks.n_features)
        if self.score == "subspace":
            return _leverage(blocks, self.rank, random_state)
        n_classes = None if blocks.classes is None else len(blocks.classes)
        sums = blocks.map_sum(_term_sums, self.score, n_classes)
        return blocks.widen(score_from_sums(sums, score=self.score))  # a term of no document scores zero


def _leverage(blocks, rank, random_state):
    """Squared row norms of the leading right singular vectors."""
    _, vectors = singular_directions(blocks, n_components=rank, tol=_TOL, random_state=random_state)
    return blocks.widen(np.einsum("ij,ij->j", vectors, vectors, dtype=np.float64))


def _term_sums(documents, score, n_classes):
    return term_sums(documents.X, documents.codes, score=score, n_classes=n_classes)
