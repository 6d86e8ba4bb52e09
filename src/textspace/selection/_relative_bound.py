"""What a choice of terms can change relative to the decision value, by the second theorem of its paper."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from textspace._validation import check_rows
from textspace.selection._bound import error_bound
from textspace.selection._scores import documents_and_indicators


@dataclass(frozen=True)
class RelativeErrorBound:
    """Theorem 2 of Dasgupta et al. (2007) for given documents and chosen terms.

    Attributes
    ----------
    gamma : ndarray of shape (n_samples, n_classes)
        How far a document is from parallel to the labels of a class: 1 where it is parallel, large where it
        is ambiguous, infinite where its decision value is zero.
    bound : ndarray of shape (n_samples, n_classes)
        Largest change of a decision value, as a share of it: ``2 epsilon gamma kappa``. It is infinite where
        a premise fails: epsilon above 1/2, or a document that does not lie in the span of the training
        documents.
    """

    gamma: np.ndarray
    bound: np.ndarray


def relative_error_bound(selector, X_train, y, X, *, lambda_):
    """Bound the change of decision values by a choice of terms, relative to the values (Theorem 2).

    Parameters
    ----------
    selector : TermSelector or SampledLeastSquares
        Fitted.
    X_train : {array-like, sparse matrix} of shape (n_train, n_features)
        Documents that the classifier is trained on.
    y : array-like of shape (n_train,), or indicators of shape (n_train, n_classes)
        Their classes.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents that it is to classify.
    lambda_ : float
        The classifier's regularisation, above zero. Targets are +1 and -1, and there is no intercept.

    Returns
    -------
    RelativeErrorBound
        Gamma and the bound, one row a document, one column a class.

    Notes
    -----
    With ``A = U Sigma V.T`` the training documents as columns and ``q = A alpha``, gamma is the least number
    with ``|v| |V.T y| <= gamma |v . V.T y|``, where ``v = (I + lambda Sigma^-2)^-1 V.T alpha`` and the
    product on the right is the decision value of q. The paper asks for "some small constant"; it is never
    below 1. Of a document that is not in the span gamma is that of its part inside, and there is no bound.
    Epsilon is measured, as in :func:`error_bound`.

    References
    ----------
    A. Dasgupta, P. Drineas, B. Harb, V. Josifovski and M. W. Mahoney, "Feature selection methods for text
    classification", KDD 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.selection import TermSelector, relative_error_bound
    >>> X = np.array([[2.0, 0.0, 0.1], [0.0, 1.0, 0.0]])
    >>> selector = TermSelector("weighted", n_terms=2, mode="top").fit(X)
    >>> found = relative_error_bound(selector, X, ["corn", "ship"], X, lambda_=0.5)
    >>> found.gamma.round(3)
    array([[1.414, 1.414],
           [1.414, 1.414]])
    >>> found.bound.round(3)
    array([[0.014, 0.014],
           [0.014, 0.014]])
    """
    if lambda_ <= 0:
        raise ValueError(f"lambda_ must be above zero, not {lambda_}.")
    X_train, indicators = documents_and_indicators(X_train, y)
    X_train, X = (check_rows(each).astype(np.float64, copy=False) for each in (X_train, X))
    found = error_bound(selector, X_train, X, lambda_=lambda_)
    kernel = safe_sparse_dot(X_train, X_train.T, dense_output=True)
    squares, V = linalg.eigh(kernel, check_finite=False)
    independent = squares > 10 * len(squares) * np.finfo(np.float64).eps * squares[-1]
    squares, V = squares[independent], V[:, independent]
    # (I + lambda Sigma^-2)^-1 V.T alpha, as V.T alpha = Sigma^-1 U.T q = Sigma^-2 V.T A.T q
    directions = safe_sparse_dot(X, X_train.T, dense_output=True) @ V / (squares + lambda_)
    labels = V.T @ (2 * indicators.toarray() - 1.0)
    values = np.abs(directions @ labels)
    norms = np.outer(row_norms(directions), np.linalg.norm(labels, axis=0))
    # rounding leaves something of a value that is zero
    gamma = np.divide(norms, values, where=values > 1e-12 * norms, out=np.full_like(norms, np.inf))
    holds = (found.epsilon <= 0.5) & (found.share_outside == 0)
    return RelativeErrorBound(
        gamma=gamma,
        bound=np.where(holds[:, None], 2 * found.epsilon * gamma * found.condition_number, np.inf),
    )
