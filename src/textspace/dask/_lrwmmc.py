"""Local relevance weighted maximum margin criterion on a Dask cluster."""

from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state

from textspace._parameters import COUNT, POSITIVE, SEED, one_of
from textspace.dask._base import DaskProjection
from textspace.dask._graph import graph_product, region_graph
from textspace.linear import LRWMMC
from textspace.solvers import operator_directions


class DaskLRWMMC(DaskProjection):
    """Local relevance weighted maximum margin criterion of documents in row blocks on a Dask cluster.

    The directions are those of :class:`textspace.linear.LRWMMC`, but the neighbours are looked for within
    regions of the space, each of which is some clusters of documents. A document looks for its neighbours in
    the region of its nearest cluster. It is found there, and in the region of its second nearest cluster.
    In a region of up to 10,000 documents the search is exact; in a larger one it is that of
    :func:`textspace.neighbors.posting_neighbors`. How many of the exact neighbours are found is measured on
    200 documents.

    Parameters
    ----------
    n_components, n_neighbors, symmetrize
        As of :class:`textspace.linear.LRWMMC`.
    max_postings : int, default=300
        Number of documents to which the lists of a term are cut in the search of a large region. Longer ones
        find more neighbours, in more time.
    n_regions : int or "auto", default="auto"
        Number of regions, over which the search is spread; the fewer, the higher the recall. "auto" has one
        for each thread of the workers, but leaves about 50,000 documents to each. With a number the
        neighbours are the same on any cluster.
    tol
        As of :class:`textspace.linear.LRWMMC`.
    random_state : int, RandomState instance or None, default=None
        Seed of the clusters of documents and of the first vectors.
    client : distributed.Client or None, default=None
        The cluster's client; None takes the one that was made last.

    Attributes
    ----------
    components_, eigenvalues_, classes_, n_features_in_
        As of :class:`textspace.linear.LRWMMC`.
    recall_ : float or None
        Share of the exact neighbours of 200 documents that were found; None where a graph was given.
    n_regions_ : int or None
        Number of regions; None where a graph was given.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from textspace.dask import DaskLRWMMC
    >>> client = Client(processes=False, n_workers=1, dashboard_address=None)
    >>> X = da.from_array([[1.0, 0.0, 0.9], [0.9, 0.1, 0.0], [0.1, 0.8, 0.0], [0.0, 0.9, 0.9]], chunks=(2, 3))
    >>> space = DaskLRWMMC(n_components=1, n_neighbors=1, client=client).fit(X, ["cat", "cat", "dog", "dog"])
    >>> space.transform(X).compute().round(1).ravel().tolist()
    [0.7, 0.6, -0.5, -0.6]
    >>> client.shutdown()
    """

    _parameter_constraints: ClassVar = {
        **DaskProjection._parameter_constraints,
        "n_components": [COUNT],
        "n_neighbors": [COUNT],
        "symmetrize": [one_of("or", "average")],
        "max_postings": [COUNT],
        "n_regions": [COUNT, one_of("auto")],
        "tol": [POSITIVE],
        "random_state": [SEED],
    }

    def __init__(
        self,
        n_components=100,
        *,
        n_neighbors=5,
        symmetrize="or",
        max_postings=300,
        n_regions="auto",
        tol=1e-2,
        random_state=None,
        client=None,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.symmetrize = symmetrize
        self.max_postings = max_postings
        self.n_regions = n_regions
        self.tol = tol
        self.random_state = random_state
        self.client = client

    def fit(self, X, y, graph=None):
        """Learn the directions from labelled documents.

        Parameters
        ----------
        X : dask.array.Array of shape (n_samples, n_features), or list of Delayed
            Documents in row blocks, each a CSR matrix or an ndarray.
        y : dask.array.Array, dask Series, array-like, or list of arrays or Delayed
            Class of each document.
        graph : Graph, or any object with ``@``, of shape (n_samples, n_samples), default=None
            A graph to take in place of the one by neighbours. It stays in this process, and arrays as long
            as the documents travel to it and back.

        Returns
        -------
        DaskLRWMMC
            The fitted estimator.
        """
        self._validate_params()
        blocks = self._gather_labelled(X, y)
        random_state = check_random_state(self.random_state)
        self.recall_ = self.n_regions_ = None
        if graph is None:
            regions, self.recall_, self.n_regions_ = region_graph(
                blocks,
                n_neighbors=self.n_neighbors,
                max_postings=self.max_postings,
                symmetrize=self.symmetrize,
                n_regions=self.n_regions,
                random_state=random_state,
            )
        elif graph.shape != (blocks.n_samples, blocks.n_samples):
            raise ValueError(
                f"the graph has the shape {graph.shape}, but there are {blocks.n_samples} documents."
            )
        eigenvalues, components = operator_directions(
            _given_graph(blocks, graph) if graph is not None else lambda V: regions.map_sum(graph_product, V),
            n_features=len(blocks.columns),
            dtype=blocks.dtype,
            n_components=self.n_components,
            tol=self.tol,
            random_state=random_state,
        )
        return self._make_local(
            LRWMMC,
            components_=blocks.widen(components),
            eigenvalues_=eigenvalues,
            classes_=blocks.classes,
            recall_=self.recall_,
            n_features_in_=blocks.n_features,
        )


def _given_graph(blocks, graph):
    """Make the product with ``X.T @ L @ X`` for a graph L of this process."""
    ends = np.cumsum(blocks.sizes)[:-1]

    def product(V):
        tied = graph @ np.concatenate(blocks.map(_image, V))
        return blocks.map_each(_transposed_image, np.split(tied.astype(V.dtype), ends))

    return product


def _image(documents, V):
    return documents.X @ V


def _transposed_image(documents, W):
    return documents.X.T @ W
