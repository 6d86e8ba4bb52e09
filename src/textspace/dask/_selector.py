"""A choice of terms by scores that a Dask cluster sums."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

from textspace.dask._base import DaskEstimator, sparse_meta
from textspace.dask._lda import sums_and_sizes
from textspace.dask._lsi import gram_product
from textspace.selection import TermSelector
from textspace.selection._scores import (
    SUPERVISED,
    chi2_statistic,
    class_gains,
    class_information,
    column_sums,
    is_present,
)
from textspace.solvers import operator_directions

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
        names = TermSelector().get_params()
        local = TermSelector(**{name: each for name, each in self.get_params().items() if name in names})
        local._validate_params()
        if not isinstance(self.score, str):
            raise TypeError("score must be the name of a score: a function would see one block at a time.")
        if self.score in SUPERVISED and y is None:
            raise ValueError(f"the score {self.score!r} needs the classes of the documents: give y.")
        blocks = self._gather(X, y if self.score in SUPERVISED else None)
        random_state = check_random_state(self.random_state)
        draws = random_state.random_sample(blocks.n_features)  # first, as in memory
        local.n_features_in_ = blocks.n_features
        local._choose(self._score_terms(blocks, random_state), draws)
        self._local = local
        vars(self).update({name: each for name, each in vars(local).items() if name.endswith("_")})
        return self

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
        if self.score in ("weighted", "document_frequency"):
            function = np.square if self.score == "weighted" else is_present
            return blocks.widen(blocks.map_sum(_sum_columns, function))
        present = self.score != "chi2"
        if not present and (smallest := min(blocks.map(_smallest))) < 0:
            raise ValueError(
                f"chi2 needs weights of zero or more, but the smallest entry of X is {smallest:g}. Choose "
                "another score."
            )
        sums, sizes = blocks.map_sum(_class_counts, len(blocks.classes), present)
        sums = blocks.widen(sums)
        totals = sums.sum(axis=0)  # each document has one class
        if self.score == "chi2":
            return chi2_statistic(sums, sizes / blocks.n_samples, totals)
        if self.score == "mutual_information":
            return class_information(sums, sizes, totals, blocks.n_samples)
        return class_gains(sums, sizes, totals, blocks.n_samples).max(axis=0)


def _leverage(blocks, rank, random_state):
    """Squared row norms of the leading right singular vectors."""
    if not isinstance(rank, Integral) or rank < 1:
        raise ValueError(f"rank must be a whole number of at least 1 on a cluster, not {rank!r}.")
    _, vectors = operator_directions(
        lambda V: blocks.map_sum(gram_product, V),
        n_features=len(blocks.columns),
        dtype=blocks.dtype,
        n_components=rank,
        tol=_TOL,
        random_state=random_state,
    )
    return blocks.widen(np.einsum("ij,ij->j", vectors, vectors, dtype=np.float64))


def _sum_columns(documents, function):
    return column_sums(documents.X, function)


def _smallest(documents):
    return documents.X.min()


def _class_counts(documents, n_classes, present):
    """Sum weights, or count the documents that have a term, by class; and count the documents."""
    X = documents.X.astype(np.float64)
    if present:
        if hasattr(X, "indptr"):
            X.data = is_present(X.data)
        else:
            X = is_present(X)
    return sums_and_sizes(documents._replace(X=X), n_classes)
