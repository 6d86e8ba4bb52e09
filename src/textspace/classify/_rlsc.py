"""Regularised least squares classification."""

import warnings
from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight

from textspace._folds import deal_folds
from textspace._labels import class_weights
from textspace._machines import Machines
from textspace._parameters import NOT_NEGATIVE, POSITIVE, at_least, one_of
from textspace._saving import one_machine_a_class, saved_as
from textspace._validation import FLOATS, validate_data
from textspace.classify._penalty_search import (
    CRITERIA,
    cross_validate,
    leave_one_out,
    micro_f1,
    squared_error,
)
from textspace.solvers import ConvergenceError, SpectralRidge, ridge

_EXACT = 2000  # documents or terms, whichever are fewer, up to which one eigendecomposition serves all
_FOLDS = 5  # of cross-validation where there are more


@saved_as(
    "classify.rlsc",
    shapes={
        "coef_": "k d",
        "intercept_": "k",
        "classes_": "c",
        "n_features_in_": "d",
        "lambdas_": "l",
        "scores_": "l",
        "errors_": "l",
    },
    check=lambda model: model._multi_label or one_machine_a_class(model),
    may_be_nan=["scores_", "errors_"],  # of penalties that were not tried
)
class RLSC(Machines):
    """Regularised least squares classification, the penalty chosen on the training documents.

    Each class is told from all others by a linear function that minimises ``||X w - y||^2 + lambda ||w||^2``,
    where the responses y are 1 for documents of the class and -1 for the others. Above zero, a document
    belongs to the class. All classes and all penalties share one factorisation.

    Parameters
    ----------
    lambdas : float or array-like of shape (n_lambdas,), default=None
        Penalties to choose from, at least 0; a single one is taken as it is. None stands for 20 values from
        0.01 to 100, equally spaced on a logarithmic scale: a range for rows of about unit length.
    fit_intercept : bool, default=False
        Whether to add an unpenalised constant to each function.
    criterion : {"micro_f1", "squared_error"}, default="micro_f1"
        What makes a penalty the best: the micro F1 of held-out decisions by the sign, or the squared error of
        held-out decision values, which suits ``predict`` better where each document has one class.
    cv : int, default=None
        Number of folds of the cross-validation that chooses the penalty. None stands for exact leave-one-out
        where there are at most 2000 documents or at most 2000 terms, for 5 folds elsewhere.
    tol : float, default=1e-3
        Where there are more than 2000 documents and terms, a function has converged when its gradient is at
        most ``tol`` times the gradient at zero. Smaller problems are solved exactly.
    class_weight : dict or "balanced", default=None
        What documents of each class count, times their own weights; "balanced" lets all classes count alike.
        Not for indicator matrices.

    Attributes
    ----------
    lambda_ : float
        The penalty.
    lambdas_ : ndarray of shape (n_lambdas,)
        The penalties to choose from, ascending.
    scores_ : ndarray of shape (n_lambdas,)
        Micro F1 of held-out decisions by each penalty. NaN for small penalties that were not tried (see
        Notes), and where only one was given.
    errors_ : ndarray of shape (n_lambdas,)
        Mean squared error of the held-out decision values, NaN in the same places.
    coef_ : ndarray of shape (n_classes, n_features) or (1, n_features)
        The functions, one a row; two classes have one function, that of the second.
    intercept_ : ndarray of shape (n_classes,) or (1,)
        Their constants; zero without ``fit_intercept``.
    classes_ : ndarray of shape (n_classes,)
        Labels; positions of the columns where y was an indicator matrix.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    Notes
    -----
    Decisions by the sign want a smaller penalty than decisions for the largest value: with a large one most
    values are below zero, though in the right order. Between penalties with an equal micro F1 (with two
    classes it is the accuracy) the smaller squared error decides. The paper takes the best penalty on its
    test documents; here no test document is seen.

    The paper has no intercept, and on unit tf-idf rows decisions are better without one, by up to 1.4 points
    of micro F1. A document without a known term then has the value zero for every class.

    With many documents and terms, cross-validation goes from the largest penalty downwards, in a Krylov
    space that has to grow on the way (:class:`textspace.solvers.KrylovRidge`). It stops when two penalties in
    a row bring less than 0.1 % of the score, and a larger squared error, on the first fold, or when the space
    is full; in the second case a warning says so if the last one that could be solved did best.

    References
    ----------
    R. Rifkin, G. Yeo and T. Poggio, "Regularized least-squares classification", in Advances in Learning
    Theory: Methods, Models and Applications, IOS Press, 2003.
    A. Dasgupta, P. Drineas, B. Harb, V. Josifovski and M. W. Mahoney, "Feature selection methods for text
    classification", KDD 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.classify import RLSC
    >>> X = np.array([[1.0, 0.0, 0.2], [0.8, 0.1, 0.0], [0.0, 1.0, 0.1], [0.2, 0.9, 0.0]])
    >>> model = RLSC(lambdas=0.1).fit(X, ["sport", "sport", "space", "space"])
    >>> model.decision_function(X).round(2)
    array([ 1.05,  0.74, -1.08, -0.76])
    >>> model.predict([[0.1, 0.6, 0.0]])
    array(['space'], dtype='<U5')
    """

    _parameter_constraints: ClassVar = {
        "lambdas": [NOT_NEGATIVE, "array-like", None],
        "fit_intercept": ["boolean"],
        "criterion": [one_of(*CRITERIA)],
        "cv": [at_least(2), None],
        "tol": [POSITIVE],
        "class_weight": [dict, one_of("balanced"), None],
    }

    def __init__(
        self,
        lambdas=None,
        fit_intercept=False,
        criterion="micro_f1",
        cv=None,
        tol=1e-3,
        class_weight=None,
    ):
        self.lambdas = lambdas
        self.fit_intercept = fit_intercept
        self.criterion = criterion
        self.cv = cv
        self.tol = tol
        self.class_weight = class_weight

    def fit(self, X, y, sample_weight=None):
        """Choose the penalty and learn the functions.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : {array-like, sparse matrix} of shape (n_samples,) or (n_samples, n_classes)
            Class of each document, or for documents of several classes or none a matrix of zeros and ones.
        sample_weight : array-like of shape (n_samples,), default=None
            What each document counts: one of weight 2 as if it were there twice, one of weight 0 as if it
            were not there.

        Returns
        -------
        RLSC
            The fitted classifier.
        """
        self._validate_params()
        self.lambdas_ = self._penalties()
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse="csr",
            dtype=FLOATS,
            multi_output=True,
            ensure_min_samples=2,
        )
        X, y, weights = self._weigh(X, y, sample_weight)
        responses, y = self._encode(y, X.dtype)
        center = self.fit_intercept
        spectrum = None
        if min(X.shape) <= _EXACT:
            spectrum = SpectralRidge(X, responses, center=center, sample_weight=weights)
        self.scores_, self.errors_ = np.full((2, len(self.lambdas_)), np.nan)
        if len(self.lambdas_) == 1:
            self.lambda_ = self.lambdas_[0]
        else:
            n_values = weights.sum() * responses.shape[1]
            self._choose(*self._hold_out(X, y, responses, weights, spectrum), n_values)
        if spectrum:
            coef = spectrum.coef(self.lambda_)
        else:
            coef, _ = ridge(
                X, responses, alpha=self.lambda_, center=center, sample_weight=weights, tol=self.tol
            )
        self.coef_ = np.ascontiguousarray(coef.T, dtype=X.dtype)
        self.intercept_ = np.zeros(len(self.coef_), dtype=X.dtype)
        if self.fit_intercept:
            shares = weights / weights.sum()
            self.intercept_ += shares @ responses - self.coef_ @ (X.T @ shares)
        return self

    def _penalties(self):
        """Give the penalties to choose from, ascending."""
        lambdas = np.geomspace(0.01, 100, 20) if self.lambdas is None else np.unique(self.lambdas)
        if lambdas.size == 0 or lambdas.dtype.kind not in "iuf":
            raise ValueError(f"lambdas must be a number or a list of numbers, not {self.lambdas!r}.")
        bad = lambdas[~((lambdas >= 0) & np.isfinite(lambdas))]
        if bad.size:
            raise ValueError(f"lambdas must be finite and at least 0, but there is {bad[0]:g}.")
        return lambdas.astype(np.float64)

    def _weigh(self, X, y, sample_weight):
        """Give the documents that count, with what each counts, their own weights and those of classes."""
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if self.class_weight is not None:
            if y.ndim > 1:
                raise ValueError(
                    "class_weight is for one class a document: leave it out where y is an indicator matrix."
                )
            weights = weights * class_weights(self.class_weight, y)
        kept = np.flatnonzero(weights)
        return (X, y, weights) if len(kept) == len(weights) else (X[kept], y[kept], weights[kept])

    def _encode(self, y, dtype):
        """Make responses 1 and -1 of y, and give the classes for folds: None where documents have several."""
        check_classification_targets(y)
        kind = type_of_target(y)
        if kind == "multiclass-multioutput":
            raise ValueError("y has several columns but is no indicator matrix: its values must be 0 and 1.")
        self._multi_label = kind == "multilabel-indicator"
        if self._multi_label:
            y = y.toarray() if sparse.issparse(y) else y
            if not np.isin(y, (0, 1)).all():
                raise ValueError(f"an indicator matrix y holds 0 and 1, but this one has {np.unique(y)}.")
            self.classes_ = np.arange(y.shape[1])
            return 2 * y.astype(dtype) - 1, None
        self.classes_, sides = self._apart(y)
        responses = np.where(np.ascontiguousarray(sides.T), 1, -1).astype(dtype)
        return responses, np.searchsorted(self.classes_, np.ravel(y))

    def _hold_out(self, X, y, responses, weights, spectrum):
        """Tally held-out decisions by the penalties, descending, and say whether some could not be solved."""
        if spectrum and self.cv is None:
            return leave_one_out(spectrum, responses, weights, self.lambdas_[::-1]), False
        n_folds = _FOLDS if self.cv is None else self.cv
        if n_folds > X.shape[0]:
            raise ValueError(f"{X.shape[0]} documents cannot be dealt into cv={n_folds} folds.")
        return cross_validate(
            X,
            responses,
            weights,
            self.lambdas_[::-1],
            folds=deal_folds(n_folds, y, n_samples=X.shape[0]),
            center=self.fit_intercept,
            criterion=self.criterion,
        )

    def _choose(self, counts, full, n_values):
        """Set the curves and the best penalty from counts for the largest penalties, descending."""
        tried = len(counts)
        if tried == 0:
            raise ConvergenceError(
                f"no penalty up to {self.lambdas_[-1]:g} could be solved: give larger lambdas, or rows of "
                "unit length."
            )
        scores, errors = micro_f1(counts), squared_error(counts) / n_values
        best = np.lexsort((errors, -CRITERIA[self.criterion](counts)))[0]  # the last key counts first
        self.lambda_ = self.lambdas_[::-1][best]
        self.scores_[::-1][:tried], self.errors_[::-1][:tried] = scores, errors
        if full and best == tried - 1:
            warnings.warn(
                f"lambda = {self.lambda_:.3g} did best, but the {len(self.lambdas_) - tried} smaller ones "
                "could not be solved: one of them may be better.",
                stacklevel=3,
            )
