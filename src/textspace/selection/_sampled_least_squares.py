"""Regularised least squares on sampled terms, as its paper prints it."""

from functools import partial
from typing import ClassVar

import numpy as np
from scipy import linalg
from sklearn.base import TransformerMixin
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils import check_random_state
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from textspace._machines import Machines
from textspace._parameters import COUNT, FLOAT_SHARE, NOT_NEGATIVE, SEED, one_of
from textspace._saving import saved_as
from textspace._validation import FLOATS, validate_data
from textspace.selection._scores import SCORES, subspace
from textspace.selection._selector import scale_columns
from textspace.solvers import ridge


@saved_as(
    "selection.sampled_least_squares",
    shapes={
        "probabilities_": "d",
        "scale_": "d",
        "x_opt_": "n k",
        "Z_": "k",
        "coef_": "k d",
        "classes_": "c",
        "n_features_in_": "d",
    },
    check=lambda model: model._multi_label or len(model.coef_) in (len(model.classes_), 1),
)
class SampledLeastSquares(TransformerMixin, Machines):
    """Sampling for regularised least squares: the SRLS algorithm, Figure 1 of Dasgupta et al. (2007).

    Each term is picked with the probability ``min(1, n_terms * p)`` and divided by the root of it. On the
    sampled documents A~ the kernel least squares problem of eq. 7 is solved for each class against the rest,
    with targets 1 and -1. A document q belongs to a class if ``f = q~.T @ A~ @ x_opt >= 0`` (eq. 8).

    Parameters
    ----------
    n_terms : int, default=1000
        The paper's r: at most so many terms are kept on average.
    probabilities : str, callable or array-like of shape (n_features,), default="subspace"
        The paper's p: a score of :class:`TermSelector`, a function of X and y, or numbers, zero or more. They
        are divided by their sum. "subspace" with ``rank="rank"`` is eq. 9, with a number eq. 22.
    rank : int, float or "rank", default="rank"
        As of :func:`subspace`; other probabilities do not use it.
    penalty : float, default=0.4
        The lambda of eq. 7, zero or more. The paper takes the one that does best on its test documents.
    zero_is_positive : bool, default=True
        Whether a value of zero means yes, as below eq. 8; False is the rule below eq. 6. A document without
        any sampled term has the value zero.
    random_state : int, RandomState instance or None, default=None
        Seed of the draw.

    Attributes
    ----------
    x_opt_ : ndarray of shape (n_samples, n_machines)
        Solution vectors, one a column; two classes have one machine, that of the second.
    Z_ : ndarray of shape (n_machines,)
        Residuals ``||K~ x - y||^2 + lambda x.T K~ x``.
    coef_ : ndarray of shape (n_machines, n_features)
        ``A~ @ x_opt`` in terms of documents before sampling; zero for terms that were not picked.
    probabilities_ : ndarray of shape (n_features,)
        With which each term was to be picked: ``min(1, n_terms * p)``.
    scale_ : ndarray of shape (n_features,)
        What each term is multiplied by: ``1 / sqrt(probabilities_)``, or 0 for those that were not picked.
    classes_ : ndarray of shape (n_classes,)
        Labels; positions of the columns where y was an indicator matrix.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    Notes
    -----
    This is the paper's algorithm to the letter; :class:`TermSelector` followed by
    :class:`textspace.classify.RLSC` is what serves in practice. The rule ``min(1, r p)`` keeps fewer than r
    terms, on text by far. Of documents with one class each, ``predict`` gives the class of largest f, which
    the paper, with its yes or no for each class, does not need; ``decide`` gives the yes and no.

    Where eq. 7 has several solutions, x_opt is that of lemma 9, ``(K~ + lambda I)^-1 y``, for lambda zero the
    one of least norm.

    References
    ----------
    A. Dasgupta, P. Drineas, B. Harb, V. Josifovski and M. W. Mahoney, "Feature selection methods for text
    classification", KDD 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.selection import SampledLeastSquares
    >>> X = np.array([[2.0, 0.0, 0.1], [0.0, 1.0, 0.0]])
    >>> model = SampledLeastSquares(2, probabilities="weighted", penalty=0.5, random_state=0)
    >>> model.fit(X, ["corn", "ship"]).probabilities_.round(3)
    array([1.   , 0.399, 0.004])
    >>> model.predict([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # nothing is known of the second
    array(['ship', 'ship'], dtype='<U4')
    """

    _parameter_constraints: ClassVar = {
        "n_terms": [COUNT],
        "probabilities": [one_of(*SCORES), callable, "array-like"],
        "rank": [COUNT, FLOAT_SHARE, one_of("rank")],
        "penalty": [NOT_NEGATIVE],
        "zero_is_positive": ["boolean"],
        "random_state": [SEED],
    }

    def __init__(
        self,
        n_terms=1000,
        *,
        probabilities="subspace",
        rank="rank",
        penalty=0.4,
        zero_is_positive=True,
        random_state=None,
    ):
        self.n_terms = n_terms
        self.probabilities = probabilities
        self.rank = rank
        self.penalty = penalty
        self.zero_is_positive = zero_is_positive
        self.random_state = random_state

    def fit(self, X, y):
        """Sample terms and solve the problem on them.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,), or indicators of shape (n_samples, n_classes)
            Their classes.

        Returns
        -------
        SampledLeastSquares
            The fitted classifier.
        """
        self._validate_params()
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=FLOATS, multi_output=True, ensure_min_samples=2
        )
        targets = self._targets(y)
        random_state = check_random_state(self.random_state)
        draws = random_state.random_sample(X.shape[1])
        shares = self._shares(X, y, random_state)
        self.probabilities_ = np.minimum(1, self.n_terms * shares)
        picked = draws < self.probabilities_
        self.scale_ = np.zeros(len(picked))
        self.scale_[picked] = 1 / np.sqrt(self.probabilities_[picked])
        sampled = self._sample(X).astype(np.float64)
        self.x_opt_, weights = solve_dual(sampled, targets, lambda_=self.penalty)
        images = safe_sparse_dot(sampled, weights, dense_output=True)  # K~ @ x_opt
        self.Z_ = np.sum((images - targets) ** 2, axis=0)
        self.Z_ += self.penalty * np.sum(self.x_opt_ * images, axis=0)
        self.coef_ = np.zeros((weights.shape[1], X.shape[1]), dtype=X.dtype)
        self.coef_[:, picked] = weights.T * self.scale_[picked]
        return self

    def transform(self, X):
        """Give the sampled and rescaled terms of documents: A~ and q~ of Figure 1.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        {ndarray, sparse matrix} of shape (n_samples, n_picked)
            Sparse if X is.
        """
        return self._sample(self._documents(X))

    def decide(self, X):
        """Say yes or no for each class, by the sign.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes) or (n_samples,), bool
            As ``decision_function``.
        """
        return self._is_yes(self.decision_function(X))

    def _values(self, X):
        return safe_sparse_dot(X, self.coef_.T, dense_output=True)

    def _is_yes(self, values):
        return values >= 0 if self.zero_is_positive else values > 0

    def _sample(self, X):
        picked = np.flatnonzero(self.scale_)
        return scale_columns(X[:, picked], self.scale_[picked])

    def _shares(self, X, y, random_state):
        scores = self.probabilities
        if isinstance(scores, str):
            scores = SCORES[scores]
        if scores is subspace:
            scores = partial(subspace, rank=self.rank, random_state=random_state)
        scores = np.asarray(scores(X, y) if callable(scores) else scores, dtype=np.float64)
        if scores.shape != (X.shape[1],) or not (np.isfinite(scores).all() and scores.min() >= 0):
            raise ValueError(
                f"probabilities must be one finite number, zero or more, for each of the {X.shape[1]} terms, "
                f"but are an array of shape {scores.shape}."
            )
        if not scores.any():
            raise ValueError("every term has the probability zero: there is nothing to sample.")
        return scores / scores.sum()

    def _targets(self, y):
        check_classification_targets(y)
        self._multi_label = type_of_target(y) == "multilabel-indicator"
        if not self._multi_label:
            self.classes_, sides = self._apart(y)
            return np.where(np.ascontiguousarray(sides.T), 1.0, -1.0)
        binarizer = LabelBinarizer(neg_label=-1)
        targets = binarizer.fit_transform(y).astype(np.float64)
        self.classes_ = binarizer.classes_
        return targets

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def solve_dual(X, Y, *, lambda_):
    """Solve ``min ||K x - y||^2 + lambda x.T K x`` with ``K = X X.T`` for each column y of Y.

    Gives the solutions x and ``X.T @ x``, of shape (n_features, n_responses). With lambda zero a dense matrix
    of documents by documents is inverted where it can be; else no such matrix is formed.
    """
    if lambda_ == 0:
        kernel = safe_sparse_dot(X, X.T, dense_output=True)
        x = linalg.pinvh(kernel) @ Y
        return x, safe_sparse_dot(X.T, x, dense_output=True)
    if X.shape[1] == 0:
        return Y / lambda_, np.zeros((0, Y.shape[1]))
    weights, _ = ridge(X, Y, alpha=lambda_, center=False, solver="auto", tol=1e-8)
    return (Y - safe_sparse_dot(X, weights, dense_output=True)) / lambda_, weights
