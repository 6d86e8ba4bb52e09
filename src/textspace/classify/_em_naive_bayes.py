"""Naive Bayes that also learns from documents without a label."""

import warnings
from typing import ClassVar

import numpy as np
from scipy import special
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_non_negative

from textspace._parameters import NOT_NEGATIVE, POSITIVE, SHARE, at_least
from textspace._saving import saved_as
from textspace.classify._base import LogProbabilities


@saved_as(
    "classify.em_naive_bayes",
    shapes={
        "feature_log_prob_": "c d",
        "class_log_prior_": "c",
        "classes_": "c",
        "log_likelihood_": "_",
        "n_features_in_": "d",
    },
)
class EMNaiveBayes(LogProbabilities):
    """Multinomial naive Bayes that learns from labelled and unlabelled documents, by EM.

    Naive Bayes learns from the labelled documents, then tells of each unlabelled one how probable every
    class is. Now it learns again, from the labelled documents and from the unlabelled ones, each of which
    counts for every class by its probability; and so on, until nothing changes any more [1]_.

    Parameters
    ----------
    alpha : float, default=0.01
        What is added to the count of each term in each class, above 0.
    weight : float, default=1.0
        How much an unlabelled document counts, from 0 to 1; a labelled one counts 1. At 0 this is
        scikit-learn's ``MultinomialNB(alpha)`` on the labelled documents.
    max_iter : int, default=100
        Number of rounds after which to stop, with a warning; at least 2.
    tol : float, default=1e-5
        Stop when a round raises the log-likelihood by at most ``tol`` times its size.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithms of the shares of the classes.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        Logarithms of the probabilities of the terms in each class.
    log_likelihood_ : ndarray of shape (n_rounds,)
        Log-likelihood after each round, the prior of the term probabilities included. It never falls.
    n_iter_ : int
        Number of rounds. The first is naive Bayes of the labelled documents alone.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    See Also
    --------
    sklearn.naive_bayes.MultinomialNB : The same for labelled documents alone.
    SelfTraining : Learns from unlabelled documents with any classifier.

    Notes
    -----
    What never falls is the sum over labelled documents of ``log p(class) + log p(document | class)``, plus
    `weight` times the sum over unlabelled documents of the logarithm of ``sum p(class) p(document | class)``,
    plus `alpha` times the sum of all `feature_log_prob_`. The factor of a document's length that is the same
    for all classes is left out.

    The rows of [1]_ are counts, ``VectorSpace(scheme="counts")``. Weights such as tf-idf, none negative, may
    take their place. Counts make naive Bayes all but certain of a long document, right or wrong, and rows of
    unit length less so.

    EM takes the classes for the heaps in which the documents lie. Where they lie otherwise, or one class is
    far larger than others, unlabelled documents may do harm. They surely do where what `alpha` adds to a
    class, `alpha` for each term, is more than its documents bring: the largest class then draws in all
    others. With few labels and rows of unit length a smaller `alpha` helps.
    :func:`textspace.evaluation.unlabelled_gain` tells.

    References
    ----------
    .. [1] K. Nigam, A. K. McCallum, S. Thrun and T. Mitchell, "Text classification from labeled and unlabeled
       documents using EM", Machine Learning 39, 2000.

    Examples
    --------
    No labelled document holds the word of the last column, but an unlabelled one has it beside the first:

    >>> import numpy as np
    >>> from textspace.classify import EMNaiveBayes
    >>> X = np.array([[2, 0, 0], [0, 2, 0], [1, 0, 2], [0, 3, 0]])
    >>> model = EMNaiveBayes(alpha=1.0).fit(X, ["sport", "space", "", ""])
    >>> model.predict_proba([[0, 0, 1]]).round(2)
    array([[0.27, 0.73]])
    >>> EMNaiveBayes(alpha=1.0, weight=0.0).fit(X, ["sport", "space", "", ""]).predict_proba([[0, 0, 1]])
    array([[0.5, 0.5]])
    """

    _parameter_constraints: ClassVar = {
        "alpha": [POSITIVE],
        "weight": [SHARE],
        "max_iter": [at_least(2)],
        "tol": [NOT_NEGATIVE],
    }
    _dtype = np.float64  # as the logarithms of a document's probabilities are large numbers

    def __init__(self, alpha=0.01, weight=1.0, max_iter=100, tol=1e-5):
        self.alpha = alpha
        self.weight = weight
        self.max_iter = max_iter
        self.tol = tol

    def _learn(self, X, y):
        labelled = y >= 0
        members = (y[labelled, None] == np.arange(len(self.classes_))).astype(np.float64)
        known = members.sum(axis=0), safe_sparse_dot(members.T, X[labelled])
        unlabelled = X[~labelled]
        counts, trace = known, []
        while True:
            log_prior, log_prob = log_parameters(*counts, alpha=self.alpha)
            values = safe_sparse_dot(unlabelled, log_prob.T) + log_prior
            totals = special.logsumexp(values, axis=1)
            likelihood = known[0] @ log_prior + np.vdot(known[1], log_prob) + self.weight * totals.sum()
            trace.append(likelihood + self.alpha * log_prob.sum())
            if self.weight == 0 or len(totals) == 0 or self._has_converged(trace):
                break
            shares = self.weight * np.exp(values - totals[:, None])
            counts = known[0] + shares.sum(axis=0), known[1] + safe_sparse_dot(shares.T, unlabelled)
        self.class_log_prior_, self.feature_log_prob_ = log_prior, log_prob
        self.log_likelihood_, self.n_iter_ = np.array(trace), len(trace)

    def predict_joint_log_proba(self, X):
        """Give the logarithms of the probabilities of documents and classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            ``log p(class) + log p(document | class)``.
        """
        return self._joint(self._documents(X))

    def _joint(self, X):
        return safe_sparse_dot(X, self.feature_log_prob_.T) + self.class_log_prior_

    def _scores(self, X):
        values = self._joint(X)
        return values - special.logsumexp(values, axis=1, keepdims=True)

    def _prepared(self, X):
        check_non_negative(X, "EMNaiveBayes (input X)")
        return X

    def _has_converged(self, trace):
        gain = (trace[-1] - trace[-2]) / abs(trace[-1]) if len(trace) > 1 else np.inf
        if gain <= self.tol:
            return True
        if len(trace) < self.max_iter:
            return False
        warnings.warn(
            f"EM has not converged in max_iter={self.max_iter} rounds: the last raised the log-likelihood by "
            f"{gain:.1g} of its size. Increase max_iter or tol.",
            ConvergenceWarning,
            stacklevel=4,
        )
        return True

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True  # as MultinomialNB on the checks' data, which are no counts
        return tags


def log_parameters(class_count, feature_count, *, alpha):
    """Estimate naive Bayes from counts, which may be fractions.

    The class counts (c,) are above 0, and `alpha` is added to each of the feature counts (c, d). The
    logarithms of the shares of the classes (c,) and of the probabilities of their terms (c, d) are given.
    """
    smoothed = feature_count + alpha
    log_prob = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
    return np.log(class_count) - np.log(class_count.sum()), log_prob
