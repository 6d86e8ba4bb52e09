"""Texts in partitions -> sparse blocks of weighted rows."""

import sys
from pathlib import Path
from typing import ClassVar

import numpy as np
from dask import delayed
from dask.delayed import Delayed
from sklearn.utils.validation import check_is_fitted

from textspace.dask._base import DaskEstimator, apply_lazily, sparse_meta
from textspace.dask._blocks import Blocks
from textspace.dask._client import find_client
from textspace.text import VectorSpace, count_texts, learn_frequencies, weigh_counted

_NOT_HERE = {"bigrams", "letters", "n_jobs", "opening", "tokens"}  # parameters of VectorSpace


class DaskVectorSpace(DaskEstimator):
    """Texts on a Dask cluster as sparse rows of unit length, one column a term.

    The rows are those of :class:`textspace.text.VectorSpace`. One pass over the texts counts their words, and
    in how many texts each word stands. ``fit_transform`` reads the texts once: the workers hold the counts,
    which are smaller, until the rows are made of them. With `n_hashed` no vocabulary is made or sent: the
    column of a word is its hash.

    Parameters
    ----------
    scheme, stem, stop_words, min_df, max_df, max_terms, token_pattern, dtype, n_hashed
        As of :class:`textspace.text.VectorSpace`.
    column : str or None, default=None
        Name of the column that holds the texts, where they come as a dataframe or in Parquet files.
    client : distributed.Client or None, default=None
        The cluster's client; None takes the one that was made last.

    Attributes
    ----------
    vocabulary_, n_words_, idf_
        As of :class:`textspace.text.VectorSpace`.

    Examples
    --------
    >>> import dask.bag as db
    >>> from distributed import Client
    >>> from textspace.dask import DaskVectorSpace
    >>> client = Client(processes=False, n_workers=1, dashboard_address=None)
    >>> texts = db.from_sequence(["The cats sat.", "A cat and two dogs", "Dogs bark!"], npartitions=2)
    >>> space = DaskVectorSpace(client=client)
    >>> X = space.fit_transform(texts)
    >>> sorted(space.vocabulary_)
    ['bark', 'cat', 'dog', 'sat']
    >>> X.chunks
    ((2, 1), (4,))
    >>> client.shutdown()
    """

    _parameter_constraints: ClassVar = {
        **{name: each for name, each in VectorSpace._parameter_constraints.items() if name not in _NOT_HERE},
        **DaskEstimator._parameter_constraints,
        "column": [str, None],
    }

    def __init__(
        self,
        scheme="tfidf",
        *,
        stem="porter",
        stop_words="english",
        min_df=1,
        max_df=1.0,
        max_terms=None,
        token_pattern=None,
        dtype=np.float32,
        n_hashed=None,
        column=None,
        client=None,
    ):
        self.scheme = scheme
        self.stem = stem
        self.stop_words = stop_words
        self.min_df = min_df
        self.max_df = max_df
        self.max_terms = max_terms
        self.token_pattern = token_pattern
        self.dtype = dtype
        self.n_hashed = n_hashed
        self.column = column
        self.client = client

    def fit(self, texts, y=None):
        """Learn the vocabulary and the document frequencies.

        Parameters
        ----------
        texts : dask Bag, Series or DataFrame, list of Delayed, or path of Parquet files
            Training texts; of a dataframe or of Parquet files the column `column`.
        y : object, optional
            Ignored.

        Returns
        -------
        DaskVectorSpace
            The fitted transformer.
        """
        self._learn(texts)
        return self

    def fit_transform(self, texts, y=None):
        """Fit and return the training documents' rows, whose numbers are known then.

        Parameters
        ----------
        texts : dask Bag, Series or DataFrame, list of Delayed, or path of Parquet files
            Training texts.
        y : object, optional
            Ignored.

        Returns
        -------
        dask.array.Array of shape (n_documents, n_terms)
            Lazy; its blocks are CSR matrices with weighted rows of unit length.
        """
        counted, sizes = self._learn(texts)
        return self._rows(_weigh, counted, sizes)

    def transform(self, texts):
        """Turn documents into rows over the learned terms.

        Parameters
        ----------
        texts : dask Bag, Series or DataFrame, list of Delayed, or path of Parquet files
            Texts.

        Returns
        -------
        dask.array.Array of shape (unknown, n_terms)
            Lazy; its blocks are CSR matrices. How many rows they have shows when they are computed
            (``compute_chunk_sizes``).
        """
        check_is_fitted(self)
        return self._rows(VectorSpace.transform, self._split(texts), None)

    def _learn(self, texts):
        """Set the fitted attributes; give the counted partitions and their numbers of texts."""
        self._validate_params()
        local = self._unfitted(VectorSpace)
        local._check_parameters()
        counted = [delayed(_count_documents)(partition, local) for partition in self._split(texts)]
        blocks = Blocks(find_client(self.client), counted)
        sizes = blocks.map(_number_of_texts)
        learn_frequencies(local, blocks.map_sum(_frequencies), n_texts=sum(sizes))
        self._keep(local)
        return [counted for counted, _ in blocks.held(keep=True)], sizes

    def _rows(self, function, partitions, sizes):
        meta = sparse_meta(self.dtype)
        return apply_lazily(self._local, function, partitions, sizes, n_columns=self.n_words_, meta=meta)

    def _split(self, texts):
        """Give the partitions of texts."""
        if isinstance(texts, list | tuple) and texts and all(isinstance(each, Delayed) for each in texts):
            return list(texts)
        if isinstance(texts, str | Path):
            import dask.dataframe as dd

            texts = dd.read_parquet(str(texts), columns=[self._column("Parquet files")])
        if hasattr(texts, "columns") and texts.ndim == 2:
            column = self._column("a dataframe")
            if column not in texts.columns:
                raise ValueError(f"there is no column {column!r}: there are {', '.join(texts.columns)}.")
            texts = texts[column]
        if not hasattr(texts, "to_delayed"):
            raise TypeError(
                "DaskVectorSpace takes a Dask bag, series or dataframe, a list of delayed lists of texts, or "
                f"the path of Parquet files, but was given {type(texts).__name__}: for texts in memory there "
                "is VectorSpace."
            )
        return list(np.ravel(np.asarray(texts.to_delayed(), dtype=object)))

    def _column(self, source):
        if self.column is None:
            raise ValueError(f"texts come as {source}: say with column= which column holds them.")
        return self.column


def _count_documents(texts, space):
    """Count the words, or hashed columns, of each text."""
    if "pyarrow" in sys.modules:
        # what reading a file took stays with Arrow otherwise, as much again as the texts
        sys.modules["pyarrow"].default_memory_pool().release_unused()
    return count_texts(texts, space)


def _frequencies(counted):
    return counted.frequencies


def _number_of_texts(counted):
    return counted.counts.shape[0]


def _weigh(space, counted):
    return weigh_counted(counted, space)
