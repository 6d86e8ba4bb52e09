"""Linear discriminant analysis by spectral regression on a Dask cluster."""

from typing import ClassVar

import numpy as np

from textspace._parameters import COUNT, NOT_NEGATIVE, POSITIVE
from textspace.dask._base import DaskProjection
from textspace.dask._lsi import gram_product
from textspace.dask._ridge import normal_ridge
from textspace.linear import SpectralRegressionLDA, class_sums, discriminant_directions, response_basis
from textspace.solvers import column_squares, is_scaled


class DaskSpectralRegressionLDA(DaskProjection):
    """Regularised linear discriminant analysis of documents in row blocks on a Dask cluster.

    The directions are those of :class:`textspace.linear.SpectralRegressionLDA`, to ``tol``. One pass over the
    blocks sums the documents of each class; each iteration of the ridge regressions is one more.

    Parameters
    ----------
    alpha, tol, max_iter
        As of :class:`textspace.linear.SpectralRegressionLDA`.
    client : distributed.Client or None, default=None
        The cluster's client; None takes the one that was made last.

    Attributes
    ----------
    components_, eigenvalues_, mean_, n_iter_, classes_, n_features_in_
        As of :class:`textspace.linear.SpectralRegressionLDA`.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from textspace.dask import DaskSpectralRegressionLDA
    >>> client = Client(processes=False, n_workers=1, dashboard_address=None)
    >>> X = da.from_array([[0.0, 1.0], [0.0, 3.0], [1.0, 1.0], [1.0, 3.0]], chunks=(2, 2))
    >>> space = DaskSpectralRegressionLDA(alpha=0.0, client=client).fit(X, ["a", "a", "b", "b"])
    >>> space.transform(X).compute().round(3).ravel().tolist()
    [-0.5, -0.5, 0.5, 0.5]
    >>> client.shutdown()
    """

    _parameter_constraints: ClassVar = {
        **DaskProjection._parameter_constraints,
        "alpha": [NOT_NEGATIVE],
        "tol": [POSITIVE],
        "max_iter": [COUNT],
    }

    def __init__(self, alpha=1.0, *, tol=1e-2, max_iter=1000, client=None):
        self.alpha = alpha
        self.tol = tol
        self.max_iter = max_iter
        self.client = client

    def fit(self, X, y):
        """Learn the directions.

        Parameters
        ----------
        X : dask.array.Array of shape (n_samples, n_features), or list of Delayed
            Documents in row blocks, each a CSR matrix or an ndarray.
        y : dask.array.Array, dask Series, array-like, or list of arrays or Delayed
            Class of each document.

        Returns
        -------
        DaskSpectralRegressionLDA
            The fitted estimator.
        """
        self._validate_params()
        blocks = self._gather_labelled(X, y)
        sums, sizes = blocks.map_sum(sums_and_sizes, len(blocks.classes))
        mean, _, cross = response_basis(sums, sizes)
        coef, n_iter = normal_ridge(
            centred_gram(blocks, mean),
            np.ascontiguousarray(cross.T),
            gradient_scale(blocks, self.alpha),
            alpha=self.alpha,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        eigenvalues, components = discriminant_directions(coef, cross)
        return self._make_local(
            SpectralRegressionLDA,
            components_=blocks.widen(components),
            eigenvalues_=eigenvalues,
            mean_=blocks.widen(mean),
            n_iter_=n_iter,
            classes_=blocks.classes,
            n_features_in_=blocks.n_features,
        )


def sums_and_sizes(documents, n_classes):
    """Sum the documents of each class, shape (n_classes, n_features), and count them."""
    return (
        class_sums(documents.X, documents.codes, n_classes=n_classes),
        np.bincount(documents.codes, minlength=n_classes),
    )


def gradient_scale(blocks, alpha):
    """Give what :func:`textspace.solvers.ridge` multiplies the gradients of as many documents with."""
    return 1 / (blocks.map_sum(_squared_columns) + alpha) if is_scaled(blocks.n_samples, alpha) else 1


def _squared_columns(documents):
    return column_squares(documents.X, np.ones((documents.X.shape[0], 1), dtype=documents.X.dtype))


def centred_gram(blocks, mean):
    """Make the product with ``X_c.T @ X_c``, where ``X_c`` is X less a mean that may be zero."""

    def product(V):
        return blocks.map_sum(gram_product, V) - blocks.n_samples * np.outer(mean, mean @ V).astype(V.dtype)

    return product
