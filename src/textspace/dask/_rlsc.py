"""Regularised least squares classification on a Dask cluster."""

from typing import ClassVar

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from textspace._parameters import NOT_NEGATIVE, POSITIVE
from textspace.classify import RLSC
from textspace.dask._base import DaskEstimator, dense_meta
from textspace.dask._lda import centred_gram, gradient_scale, sums_and_sizes
from textspace.dask._ridge import normal_ridge


class DaskRLSC(ClassifierMixin, DaskEstimator):
    """Regularised least squares classification of documents in row blocks on a Dask cluster.

    The functions are those of :class:`textspace.classify.RLSC` for one penalty, to ``tol``.

    Parameters
    ----------
    lambdas : float, default=1.0
        The penalty. To choose it, fit :class:`textspace.classify.RLSC` on a sample of the documents: the
        best one hardly depends on their number.
    fit_intercept : bool, default=False
        Whether to add an unpenalised constant to each function.
    tol : float, default=1e-3
        A function has converged when its gradient is at most ``tol`` times the gradient at zero.
    client : distributed.Client or None, default=None
        The cluster's client; None takes the one that was made last.

    Attributes
    ----------
    coef_, intercept_, classes_, lambda_, n_features_in_
        As of :class:`textspace.classify.RLSC`.
    n_iter_ : int
        Number of passes over the blocks, without the one that sums the classes and the one that verifies.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from textspace.dask import DaskRLSC
    >>> client = Client(processes=False, n_workers=1, dashboard_address=None)
    >>> X = da.from_array([[1.0, 0.0], [0.8, 0.1], [0.0, 1.0], [0.2, 0.9]], chunks=(2, 2))
    >>> model = DaskRLSC(lambdas=0.1, client=client).fit(X, ["sport", "sport", "space", "space"])
    >>> model.predict(X).compute().tolist()
    ['sport', 'sport', 'space', 'space']
    >>> client.shutdown()
    """

    _parameter_constraints: ClassVar = {
        **DaskEstimator._parameter_constraints,
        "lambdas": [NOT_NEGATIVE],
        "fit_intercept": ["boolean"],
        "tol": [POSITIVE],
    }

    def __init__(self, lambdas=1.0, *, fit_intercept=False, tol=1e-3, client=None):
        self.lambdas = lambdas
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.client = client

    def fit(self, X, y):
        """Learn the functions.

        Parameters
        ----------
        X : dask.array.Array of shape (n_samples, n_features), or list of Delayed
            Documents in row blocks, each a CSR matrix or an ndarray.
        y : dask.array.Array, dask Series, array-like, or list of arrays or Delayed
            Class of each document.

        Returns
        -------
        DaskRLSC
            The fitted classifier.
        """
        self._validate_params()
        blocks = self._gather_labelled(X, y)
        sums, sizes = blocks.map_sum(sums_and_sizes, len(blocks.classes))
        right, response_sums = signed_responses(sums, sizes)
        mean = np.zeros(len(blocks.columns), dtype=blocks.dtype)
        if self.fit_intercept:
            mean = sums.sum(axis=0) / blocks.dtype.type(blocks.n_samples)
            right -= np.outer(mean, response_sums).astype(blocks.dtype)
        operator = centred_gram(blocks, mean)
        coef, self.n_iter_ = normal_ridge(
            operator, right, gradient_scale(blocks, self.lambdas), alpha=self.lambdas, tol=self.tol
        )
        coef = np.ascontiguousarray(coef.T)
        intercept = np.zeros(len(coef), dtype=blocks.dtype)
        if self.fit_intercept:
            intercept += response_sums / blocks.n_samples - coef @ mean
        unknown = np.full(1, np.nan)
        return self._make_local(
            RLSC,
            coef_=blocks.widen(coef),
            intercept_=intercept,
            classes_=blocks.classes,
            lambda_=float(self.lambdas),
            lambdas_=np.array([self.lambdas], dtype=np.float64),
            scores_=unknown,
            errors_=unknown,
            n_features_in_=blocks.n_features,
            _multi_label=False,
        )

    def decision_function(self, X):
        """Evaluate the functions; above zero a document belongs to the class.

        Parameters
        ----------
        X : dask.array.Array of shape (n_samples, n_features), or list of Delayed
            Documents in row blocks.

        Returns
        -------
        dask.array.Array of shape (n_samples, n_classes) or (n_samples,)
            Decision values, lazy; with two classes those of the second.
        """
        check_is_fitted(self)
        n_columns = len(self.coef_) if len(self.coef_) > 1 else None
        meta = dense_meta(self.coef_.dtype, 1 if n_columns is None else 2)
        return self._lazily("decision_function", X, n_columns=n_columns, meta=meta)

    def predict(self, X):
        """Classify documents.

        Parameters
        ----------
        X : dask.array.Array of shape (n_samples, n_features), or list of Delayed
            Documents in row blocks.

        Returns
        -------
        dask.array.Array of shape (n_samples,)
            The class with the largest decision value, lazy.
        """
        check_is_fitted(self)
        return self._lazily("predict", X, meta=dense_meta(self.classes_.dtype, 1))


def signed_responses(sums, sizes):
    """Give ``X.T @ Y`` for the responses 1 and -1 of RLSC, and the sums of Y, from sums over classes.

    `sums`, of shape (n_classes, n_features), and `sizes` are the sums and numbers of the documents of each
    class. There is one response a class; two classes have one, that of the second.
    """
    positive = slice(None) if len(sums) > 2 else slice(1, None)
    products = 2 * sums[positive] - sums.sum(axis=0)
    return np.ascontiguousarray(products.T), 2 * sizes[positive] - sizes.sum()
