"""A choice of terms as a scikit-learn selector."""

import warnings
from functools import partial
from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.sparsefuncs import inplace_column_scale
from sklearn.utils.validation import check_is_fitted

from textspace._parameters import COUNT, FLOAT_SHARE, SEED, one_of
from textspace._saving import saved_as
from textspace._validation import FLOATS, check_rows, validate_data
from textspace.selection._scores import SCORES, SUPERVISED, subspace


@saved_as(
    "selection.term_selector",
    shapes={"scores_": "d", "probabilities_": "d", "scale_": "d", "n_features_in_": "d"},
)
class TermSelector(SelectorMixin, BaseEstimator):
    """Keep the terms that a score values: drawn at random and rescaled, or simply the best.

    A term whose score is the share p of the sum of all scores is drawn with probability
    ``q = min(1, n_terms * p)``. It is divided by ``sqrt(q)``: so inner products of documents stay the same in
    expectation. The draws are independent: the number of terms kept is random, and on average below
    ``n_terms``.

    Parameters
    ----------
    score : str or callable, default="subspace"
        "subspace", "weighted", "uniform", "document_frequency", or with classes "information_gain", "chi2",
        "mutual_information"; functions of these names are in this module. A callable takes X and y and
        gives one score for each term, zero or more.
    n_terms : int, default=1000
        Number of terms. All are kept, with a warning, where there are no more.
    rank : int, float or "rank", default=100
        Number of singular vectors of the score "subspace"; or the share of the squared Frobenius norm that
        they are to capture; or "rank" for all. Other scores do not use it.
    mode : {"sample", "top"}, default="sample"
        Draw terms and rescale them, or keep the ``n_terms`` with the highest scores as they are.
    exact_budget : bool, default=False
        Whether the draw is to keep ``n_terms`` on average: then ``q = min(1, c * p)``, with c such that the
        probabilities sum to ``n_terms``.
    random_state : int, RandomState instance or None, default=None
        Seed of the draw. With the same seed, the terms kept for a smaller ``n_terms`` are among those for a
        larger one.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Score of each term.
    probabilities_ : ndarray of shape (n_features,)
        Probability with which each term was to be kept; 0 or 1 with ``mode="top"``.
    scale_ : ndarray of shape (n_features,)
        What each term is multiplied by: 0 for those that are not kept, else ``1 / sqrt(probabilities_)``.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    Notes
    -----
    A term with score zero is not kept, unless all terms are. ``inverse_transform`` divides by the scale: it
    gives the documents back with zeros in place of the terms that were not kept.

    References
    ----------
    A. Dasgupta, P. Drineas, B. Harb, V. Josifovski and M. W. Mahoney, "Feature selection methods for text
    classification", KDD 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.selection import TermSelector
    >>> X = np.array([[3.0, 0.0, 1.0], [2.0, 0.0, 0.0], [0.0, 2.0, 1.0]])
    >>> selector = TermSelector("weighted", n_terms=2, mode="top").fit(X)
    >>> selector.get_feature_names_out(["corn", "wheat", "ship"])
    array(['corn', 'wheat'], dtype=object)
    >>> selector.transform(X)
    array([[3., 0.],
           [2., 0.],
           [0., 2.]])
    """

    _parameter_constraints: ClassVar = {
        "score": [one_of(*SCORES), callable],
        "n_terms": [COUNT],
        "rank": [COUNT, FLOAT_SHARE, one_of("rank")],
        "mode": [one_of("sample", "top")],
        "exact_budget": ["boolean"],
        "random_state": [SEED],
    }

    def __init__(
        self,
        score="subspace",
        n_terms=1000,
        rank=100,
        mode="sample",
        exact_budget=False,
        random_state=None,
    ):
        self.score = score
        self.n_terms = n_terms
        self.rank = rank
        self.mode = mode
        self.exact_budget = exact_budget
        self.random_state = random_state

    def _set_score(self, score):
        vars(self)["score"] = score

    # scikit-learn takes an attribute of this name for the method: this one can be set, but not read
    score = property(fset=_set_score, doc="The parameter; read it by ``get_params``.")

    def get_params(self, deep=True):
        """Give the parameters.

        Parameters
        ----------
        deep : bool, default=True
            Ignored: no parameter is an estimator.

        Returns
        -------
        dict
            Parameters by name.
        """
        return {name: vars(self)[name] for name in self._get_param_names()}

    def fit(self, X, y=None):
        """Score the terms and choose among them.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,), or indicators of shape (n_samples, n_classes), optional
            Classes of the documents, for the scores that need them.

        Returns
        -------
        TermSelector
            The fitted selector.
        """
        self._validate_params()
        if self._needs_classes:
            X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS, multi_output=True)
        else:
            X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS)
        random_state = check_random_state(self.random_state)
        draws = random_state.random_sample(X.shape[1])  # first, so that they do not depend on the score
        return self._choose(self._score_terms(X, y, random_state), draws)

    def transform(self, X):
        """Keep the chosen terms of documents, rescaled.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        {ndarray, sparse matrix} of shape (n_samples, n_kept)
            Sparse if X is.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS, reset=False)
        kept = self.get_support()
        return scale_columns(X[:, kept], self.scale_[kept])

    def inverse_transform(self, X):
        """Put documents of chosen terms back among all terms, with their first weights.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_kept)
            Documents as ``transform`` gives them.

        Returns
        -------
        {ndarray, sparse matrix} of shape (n_samples, n_features)
            Zero for the terms that were not kept.
        """
        check_is_fitted(self)
        X = check_rows(X)
        kept = np.flatnonzero(self.get_support())
        if X.shape[1] != len(kept):
            raise ValueError(f"X has {X.shape[1]} features, but {len(kept)} terms were kept.")
        back = sparse.csr_array(
            ((1 / self.scale_[kept]).astype(X.dtype), (np.arange(len(kept)), kept)),
            shape=(len(kept), self.n_features_in_),
        )
        return X @ back

    def _choose(self, scores, draws):
        """Set the fitted attributes from the scores of the terms and a draw from [0, 1) for each."""
        self.scores_ = scores
        self.probabilities_ = keep_probabilities(
            scores, n_terms=self.n_terms, mode=self.mode, exact_budget=self.exact_budget
        )
        self.scale_ = np.zeros(len(scores))
        kept = draws < self.probabilities_
        self.scale_[kept] = 1 / np.sqrt(self.probabilities_[kept])
        return self

    def _score_terms(self, X, y, random_state):
        score = self.get_params()["score"]
        if score == "subspace":
            score = partial(subspace, rank=self.rank, random_state=random_state)
        scores = np.asarray((score if callable(score) else SCORES[score])(X, y), dtype=np.float64)
        if scores.shape != (X.shape[1],) or not np.all(scores >= 0) or np.any(np.isinf(scores)):
            raise ValueError(
                f"the score must give one finite number, zero or more, for each of the {X.shape[1]} terms, "
                f"but gave an array of shape {scores.shape}"
                + (f" with a smallest entry of {scores.min():g}." if scores.size else ".")
            )
        return scores

    @property
    def _needs_classes(self):
        score = self.get_params()["score"]
        return isinstance(score, str) and score in SUPERVISED

    @property
    def _n_features_out(self):
        return int(np.count_nonzero(self.scale_ > 0))

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.scale_ > 0

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = self._needs_classes
        tags.target_tags.multi_output = True
        tags.input_tags.positive_only = self.get_params()["score"] == "chi2"
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def keep_probabilities(scores, *, n_terms, mode="sample", exact_budget=False):
    """Probabilities with which terms are kept, from scores that are zero or more.

    "top" gives ones and zeros, among equal scores to the first terms. With `exact_budget` the probabilities
    sum to `n_terms`; else that is only what they cannot exceed. All are 1, with a warning, where there are no
    more terms.
    """
    if n_terms >= len(scores):
        if n_terms > len(scores):
            warnings.warn(
                f"n_terms is {n_terms}, but there are {len(scores)} terms: all are kept.", stacklevel=3
            )
        return np.ones(len(scores))
    n_useful = np.sum(scores > 0)
    if n_useful == 0:
        raise ValueError("every term has score zero: there is nothing to choose by.")
    if n_useful < n_terms:
        warnings.warn(
            f"n_terms is {n_terms}, but only {n_useful} terms have a score above zero.", stacklevel=3
        )
    if mode == "top":
        best = np.argsort(-scores, kind="stable")[: min(n_terms, n_useful)]
        probabilities = np.zeros(len(scores))
        probabilities[best] = 1
        return probabilities
    multiplier = _multiplier(scores, n_terms) if exact_budget else n_terms / scores.sum()
    return np.minimum(1, multiplier * scores)


def _multiplier(scores, n_terms):
    """Solve ``sum(min(1, c * scores)) = n_terms`` for c."""
    descending = np.sort(scores[scores > 0])[::-1]
    if len(descending) <= n_terms:
        return 1 / descending[-1]
    # if the first m terms are certain, c shares what is left among the others: take the first m for which
    # the next term is not above 1
    rest = np.cumsum(descending[::-1])[::-1]
    multipliers = (n_terms - np.arange(n_terms)) / rest[:n_terms]
    return multipliers[np.argmax(multipliers * descending[:n_terms] <= 1)]


def scale_columns(X, scale):
    """Multiply columns, in place where X allows it."""
    scale = scale.astype(X.dtype)
    if sparse.issparse(X):
        inplace_column_scale(X, scale)
        return X
    return X * scale
