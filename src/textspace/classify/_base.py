"""What classifiers of documents have in common: labels of which some may be missing, scores, answers."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, TransformerMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from textspace._labels import split_labelled
from textspace._rows import softmax
from textspace._validation import validate_data


class DocumentClassifier(ClassifierMixin, BaseEstimator):
    """Base of classifiers that answer with the class of the largest score.

    A subclass has ``_scores(X)``, of shape (n_samples, n_classes), for what ``_documents`` makes of X.
    """

    _dtype = None  # to which documents are converted; None keeps theirs
    _accept_sparse = "csr"

    def predict_proba(self, X):
        """Give the probabilities of the classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`; each row sums to 1.
        """
        return self._proba(self._documents(X))

    def predict(self, X):
        """Classify documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples,)
            The most probable class of each.
        """
        return self._answers(self._documents(X))

    def _proba(self, X):
        return softmax(self._scores(X))

    def _answers(self, X):
        return self.classes_[self._scores(X).argmax(axis=1)]

    def _documents(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse=self._accept_sparse, dtype=self._dtype, reset=False)
        return self._prepared(X)

    def _prepared(self, X):
        """Do what is to be done to documents before all else."""
        return X


class PartlyLabelled(DocumentClassifier):
    """Base of classifiers that take documents without a label: a subclass learns by ``_learn(X, y)``.

    There y holds positions in ``classes_``, and -1 for none.
    """

    def fit(self, X, y):
        """Learn from labelled documents and, where the method can, from unlabelled ones.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,)
            Their classes; -1, the empty string, None or NaN, the same throughout, where there is none.

        Returns
        -------
        object
            The fitted classifier.
        """
        self._learn(*self._checked(X, y))
        return self

    def _checked(self, X, y):
        """Check parameters, documents and labels, and set ``classes_``; give what ``_learn`` takes."""
        self._validate_params()
        _, codes, self.classes_ = split_labelled(y, signs=True)
        X, codes = validate_data(self, X, codes, accept_sparse="csr", dtype=self._dtype)
        return self._prepared(X), codes


class LogProbabilities(PartlyLabelled):
    """Base of classifiers whose scores are the logarithms of probabilities."""

    def predict_log_proba(self, X):
        """Give the logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        return self._scores(self._documents(X))

    def _proba(self, X):
        return np.exp(self._scores(X))


class ExplainedClassifier(TransformerMixin, PartlyLabelled):
    """Base of classifiers that place documents in a space, and whose scores split into terms.

    A subclass has ``_positions(X)``, and ``_split(x)`` for one document in double precision.
    """

    def class_scores(self, X):
        """Give the scores of the classes: logarithms of probabilities, up to a constant a row.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`; two columns for two classes.
        """
        return self._scores(self._documents(X))

    def transform(self, X):
        """Place documents in the space by which they are compared; where there is none, give their scores.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        {ndarray, sparse matrix} of shape (n_samples, n_dimensions)
            Coordinates.
        """
        return self._positions(self._documents(X))

    def contributions(self, x):
        """Split the scores of one document into what its terms add to them.

        Parameters
        ----------
        x : {array-like, sparse matrix} of shape (1, n_features)
            The document.

        Returns
        -------
        contributions : csr_array of shape (n_features, n_classes)
            What each term adds to the score of each class.
        constant : ndarray of shape (n_classes,)
            What is left; ``contributions.sum(axis=0) + constant`` is ``class_scores(x)[0]``.

        Raises
        ------
        ValueError
            The scores are no sum over terms.

        Notes
        -----
        A cosine is linear in the terms for a given length of the document, and the length is taken as given.
        So the contributions tell how the scores of this document come about. They are not what would change
        if a term were left out, since all others would then change a little.
        """
        x = self._documents(x)
        if x.shape[0] != 1:
            raise ValueError(f"contributions takes one document, a single row, but X has {x.shape[0]} rows.")
        return self._split(x.astype(np.float64))


class AroundEstimator(MetaEstimatorMixin):
    """Beside a base: what a classifier around another one takes is what the parameter ``estimator`` takes."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags.poor_score = inner.classifier_tags.poor_score
        return tags
