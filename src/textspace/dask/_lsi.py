"""Latent semantic indexing on a Dask cluster."""

from typing import ClassVar

import numpy as np

from textspace._parameters import COUNT, POSITIVE, SEED
from textspace.dask._base import DaskProjection
from textspace.linear import LSI
from textspace.solvers import operator_directions


class DaskLSI(DaskProjection):
    """Latent semantic indexing of documents in row blocks on a Dask cluster.

    The directions are those of :class:`textspace.linear.LSI`. They are found by block Lanczos on
    ``X.T @ X``: a pass over the blocks multiplies 16 vectors, and nothing as long as the documents leaves
    the workers.

    Parameters
    ----------
    n_components : int, default=100
        Number of directions.
    tol : float, default=1e-3
        Residual of each squared singular value, relative to it.
    random_state : int, RandomState instance or None, default=None
        Seed of the first vectors. It moves the result within ``tol`` only.
    client : distributed.Client or None, default=None
        The cluster's client; None takes the one that was made last.

    Attributes
    ----------
    components_, singular_values_, n_features_in_
        As of :class:`textspace.linear.LSI`.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from textspace.dask import DaskLSI
    >>> client = Client(processes=False, n_workers=1, dashboard_address=None)
    >>> X = da.from_array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 1.0, 3.0]], chunks=(2, 3))
    >>> DaskLSI(n_components=1, client=client).fit(X).transform(X).compute().round(2).ravel().tolist()
    [1.36, 1.62, 2.69]
    >>> client.shutdown()
    """

    _parameter_constraints: ClassVar = {
        **DaskProjection._parameter_constraints,
        "n_components": [COUNT],
        "tol": [POSITIVE],
        "random_state": [SEED],
    }

    def __init__(self, n_components=100, *, tol=1e-3, random_state=None, client=None):
        self.n_components = n_components
        self.tol = tol
        self.random_state = random_state
        self.client = client

    def fit(self, X, y=None):
        """Learn the directions.

        Parameters
        ----------
        X : dask.array.Array of shape (n_samples, n_features), or list of Delayed
            Documents in row blocks, each a CSR matrix or an ndarray.
        y : object, optional
            Ignored.

        Returns
        -------
        DaskLSI
            The fitted estimator.
        """
        self._validate_params()
        blocks = self._gather(X)
        n_components = min(self.n_components, blocks.n_samples)
        squares, components = singular_directions(
            blocks, n_components=n_components, tol=self.tol, random_state=self.random_state
        )
        if squares[0] <= 0:
            raise ValueError("there is no direction to find: every entry of X is zero.")
        return self._make_local(
            LSI,
            components_=blocks.widen(components),
            singular_values_=np.sqrt(squares),
            n_features_in_=blocks.n_features,
        )


def singular_directions(blocks, **settings):
    """Give the squares of the leading singular values, and the right singular vectors, one a row."""
    return operator_directions(
        lambda V: blocks.map_sum(gram_product, V),
        n_features=len(blocks.columns),
        dtype=blocks.dtype,
        **settings,
    )


def gram_product(documents, V):
    """Multiply a block's ``X.T @ X`` with an array V of shape (n_features, k)."""
    return documents.X.T @ (documents.X @ V)
