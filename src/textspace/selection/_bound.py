"""What a choice of terms can change in regularised least squares, and what it does change."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import linalg
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from textspace._validation import check_rows
from textspace.selection._scores import documents_and_indicators
from textspace.solvers import ridge


@dataclass(frozen=True)
class ErrorBound:
    """Theorem 1 of Dasgupta et al. (2007) for given documents and chosen terms, with the quantities in it.

    Attributes
    ----------
    bound : ndarray of shape (n_samples,)
        Largest possible change of the decision value of each document, for any class, by the theorem. It is
        infinite where the premise of the theorem fails.
    worst_case : ndarray of shape (n_samples,)
        The largest change for any labels of the training documents: what a bound that does not look at
        labels can say at best. It has no premise.
    epsilon : float
        How far the choice turns and stretches the span of the training documents: the spectral norm of
        ``I - U.T @ S @ U`` (lemma 6), measured. The theorem asks for at most 1/2. It is at least 1 where
        fewer terms are kept than there are independent training documents.
    epsilon_outside : ndarray of shape (n_samples,)
        How far it mixes the component of each document outside that span with the span (lemma 10), measured.
    condition_number : float
        Largest by smallest singular value of the training documents, zeros apart.
    largest_singular_value : float
        Of the training documents.
    inside : ndarray of shape (n_samples,)
        Norm of the coefficients that combine the training documents to the component of each document inside
        their span.
    outside : ndarray of shape (n_samples,)
        Norm of the component of each document outside the span.
    share_outside : ndarray of shape (n_samples,)
        The same, divided by the norm of the document.
    """

    bound: np.ndarray
    worst_case: np.ndarray
    epsilon: float
    epsilon_outside: np.ndarray
    condition_number: float
    largest_singular_value: float
    inside: np.ndarray
    outside: np.ndarray
    share_outside: np.ndarray


class DecisionChange(NamedTuple):
    """Decision values on all terms and on the chosen ones.

    Attributes
    ----------
    full : ndarray of shape (n_samples, n_classes)
        With all terms.
    selected : ndarray of shape (n_samples, n_classes)
        With the chosen terms.
    """

    full: np.ndarray
    selected: np.ndarray

    @property
    def size(self):
        """Absolute change of each decision value, of shape (n_samples, n_classes)."""
        return np.abs(self.full - self.selected)


def error_bound(selector, X_train, X, *, lambda_):
    """Bound on what a choice of terms changes in the decision values of regularised least squares.

    Parameters
    ----------
    selector : TermSelector
        Fitted; any mode and score.
    X_train : {array-like, sparse matrix} of shape (n_train, n_features)
        Documents that the classifier is trained on.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents that it is to classify.
    lambda_ : float
        The classifier's regularisation, zero or more. Targets are +1 and -1, and there is no intercept.

    Returns
    -------
    ErrorBound
        Bounds and the quantities in them, one entry a document.

    Notes
    -----
    The paper has epsilon from the number of terms, up to factors that it does not name, with probability
    .98. Here it is measured for the terms that were drawn, so that the bound is certain; and it holds for
    terms that were not drawn but ranked.

    Two slips in the paper do not show with an epsilon of unknown factors, but would here. For lambda = 0 the
    theorem has half of what its proof (eq. 21) gives; the proof's factor 2 is used. For lambda > 0 the proof
    puts epsilon for ``epsilon / (1 - epsilon)`` after eq. 19. The statement is true all the same: with
    ``D = Sigma (I + E) Sigma``, ``D (D + lambda)^-1 - Sigma^2 (Sigma^2 + lambda)^-1`` is
    ``lambda (Sigma^2 + lambda)^-1 Sigma E Sigma (D + lambda)^-1``, and its norm at most
    ``epsilon / (2 sqrt(1 - epsilon))``, which is less than ``2 epsilon kappa``.

    The work is cubic and the memory quadratic in the number of training documents: take a few thousand.

    References
    ----------
    A. Dasgupta, P. Drineas, B. Harb, V. Josifovski and M. W. Mahoney, "Feature selection methods for text
    classification", KDD 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.selection import TermSelector, error_bound
    >>> X = np.array([[2.0, 0.0, 0.1], [0.0, 1.0, 0.0]])
    >>> selector = TermSelector("weighted", n_terms=2, mode="top").fit(X)
    >>> found = error_bound(selector, X, [[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]], lambda_=0.5)
    >>> found.condition_number.round(3), found.epsilon.round(4), found.share_outside.round(3)
    (np.float64(2.002), np.float64(0.0025), array([0.035, 0.999]))
    >>> found.bound.round(3), found.worst_case.round(3)
    (array([0.323, 0.148]), array([0.001, 0.022]))
    """
    if lambda_ < 0:
        raise ValueError(f"lambda_ must be zero or more, not {lambda_}.")
    X_train, X = _check(X_train), _check(X)
    kept_train, kept = selector.transform(X_train), selector.transform(X)
    squares, vectors = linalg.eigh(_inner(X_train, X_train), check_finite=False)
    independent = squares > 10 * len(squares) * np.finfo(np.float64).eps * squares[-1]
    if not independent.any():
        raise ValueError("there is no bound: every entry of X_train is zero.")
    squares, vectors = squares[independent], vectors[:, independent]
    values = np.sqrt(squares)

    # U.T @ q and U.T @ S @ q for documents q, and U.T @ S @ U = I + E, where X_train.T = U Sigma V.T
    coordinates = _inner(X, X_train) @ vectors / values
    kept_coordinates = _inner(kept, kept_train) @ vectors / values
    rotation = vectors.T @ _inner(kept_train, kept_train) @ vectors / np.outer(values, values)
    epsilon = np.abs(linalg.eigvalsh(rotation) - 1).max()

    squared_norms = row_norms(X, squared=True)
    outside = np.sqrt(np.maximum(squared_norms - row_norms(coordinates, squared=True), 0))
    # what rounding alone leaves of a document inside the span is not outside
    outside[outside <= 1e-7 * np.sqrt(squared_norms)] = 0
    mixed = row_norms(kept_coordinates - coordinates @ rotation)
    epsilon_outside = np.divide(mixed, outside, where=outside > 0, out=np.zeros_like(outside))
    inside = row_norms(coordinates / values)

    larger = np.maximum(epsilon, epsilon_outside)
    reach = outside / values[-1] + (inside if lambda_ > 0 else 0)
    condition_number = values[-1] / values[0]
    bound = 2 * larger * condition_number * np.sqrt(len(vectors)) * reach
    return ErrorBound(
        bound=np.where(larger <= 0.5, bound, np.inf),
        worst_case=_worst_case(coordinates, kept_coordinates, rotation, values, vectors, lambda_),
        epsilon=epsilon,
        epsilon_outside=epsilon_outside,
        condition_number=condition_number,
        largest_singular_value=values[-1],
        inside=inside,
        outside=outside,
        share_outside=np.divide(
            outside, np.sqrt(squared_norms), where=squared_norms > 0, out=np.zeros_like(outside)
        ),
    )


def decision_change(selector, X_train, y, X, *, lambda_, tol=1e-6):
    """Decision values of regularised least squares on all terms and on the chosen ones.

    Parameters
    ----------
    selector : TermSelector
        Fitted; any mode and score.
    X_train : {array-like, sparse matrix} of shape (n_train, n_features)
        Documents to train on; there may be many.
    y : array-like of shape (n_train,), or indicators of shape (n_train, n_classes)
        Their classes.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents to classify.
    lambda_ : float
        Regularisation, zero or more. Targets are +1 and -1, and there is no intercept.
    tol : float, default=1e-6
        Accuracy of the iteration, as in :func:`textspace.solvers.ridge`.

    Returns
    -------
    DecisionChange
        Decision values, one column a class in sorted order; ``size`` is what changes.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.selection import TermSelector, decision_change
    >>> X = np.array([[2.0, 0.0, 0.1], [0.0, 1.0, 0.0]])
    >>> selector = TermSelector("weighted", n_terms=2, mode="top").fit(X)
    >>> change = decision_change(selector, X, ["corn", "ship"], [[1.0, 1.0, 0.0]], lambda_=0.5)
    >>> change.full.round(3), change.size.round(3)
    (array([[-0.223,  0.223]]), array([[0.001, 0.001]]))
    """
    if lambda_ < 0:
        raise ValueError(f"lambda_ must be zero or more, not {lambda_}.")
    X_train, indicators = documents_and_indicators(X_train, y)
    X_train, X = _check(X_train), _check(X)
    targets = 2 * indicators.toarray() - 1
    return DecisionChange(
        *(
            safe_sparse_dot(new, ridge(train, targets, alpha=lambda_, center=False, tol=tol)[0])
            for train, new in ((X_train, X), (selector.transform(X_train), selector.transform(X)))
        )
    )


def _check(X):
    """Check documents; give them in float64."""
    return check_rows(X).astype(np.float64, copy=False)


def _inner(left, right):
    return safe_sparse_dot(left, right.T, dense_output=True)


def _worst_case(coordinates, kept_coordinates, rotation, values, vectors, lambda_):
    """Largest change of decision values over all labels of the training documents.

    A decision value is ``g @ y`` with ``g = V (Sigma^2 + lambda)^-1 Sigma U.T q``. Of all labels y, +1 or -1,
    those with the signs of the change of g show it most.
    """
    full = coordinates * (values / (values**2 + lambda_))
    sampled = np.outer(values, values) * rotation
    sampled[np.diag_indices(len(sampled))] += lambda_
    selected = kept_coordinates * values @ linalg.pinvh(sampled)
    return np.abs((full - selected) @ vectors.T).sum(axis=1)
