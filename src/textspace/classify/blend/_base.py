"""A classifier whose decision values are calibrated sums of scores."""

import os

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from textspace._validation import validate_data
from textspace.classify.blend._blend import decide


class BlendClassifier(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClassifierMixin, BaseEstimator):
    """Base of classifiers that answer by the mean of some blends.

    ``fit`` sets ``classes_`` and ``_blends``, a list of :class:`Blend`; the space of :meth:`transform` is
    that of the last one.
    """

    def class_scores(self, X):
        """Give the decision values of the classes: logarithms of probabilities, up to a constant a row.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`; two columns for two classes.
        """
        X = self._documents(X)
        return decide(self._blends, X)

    def decision_function(self, X):
        """Give the decision values in the form of scikit-learn.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
            As :meth:`class_scores`; for two classes how much the second is ahead.
        """
        scores = self.class_scores(X)
        return scores if scores.shape[1] > 2 else scores[:, 1] - scores[:, 0]

    def predict_proba(self, X):
        """Give the probabilities of the classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        return softmax(self.class_scores(X), axis=1)

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
        best = self.class_scores(X).argmax(axis=1)
        return self.classes_[best]

    def transform(self, X):
        """Place documents in the space by which they are compared with classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        {ndarray, csr_array} of shape (n_samples, n_dimensions), float32
            Coordinates. Cosines between documents are those by which they are compared with classes.
        """
        X = self._documents(X)
        return self._blends[-1].positions(X)

    def contributions(self, x):
        """Split the decision values of one document into what its terms add to them.

        Parameters
        ----------
        x : {array-like, sparse matrix} of shape (1, n_features)
            The document.

        Returns
        -------
        contributions : csr_array of shape (n_features, n_classes)
            What each term adds to the decision value of each class.
        constant : ndarray of shape (n_classes,)
            What is left; ``contributions.sum(axis=0) + constant`` is ``class_scores(x)[0]``.

        Notes
        -----
        A cosine is linear in the terms for a given length of the document, and the length is taken as given.
        So the contributions tell how the values of this document come about. They are not what would change
        if a term were left out, since all others would then change a little.
        """
        x = self._documents(x).astype(np.float64)
        if x.shape[0] != 1:
            raise ValueError(f"contributions takes one document, a single row, but X has {x.shape[0]} rows.")
        pairs = [blend.contributions(x) for blend in self._blends]
        contributions = sum(own for own, _ in pairs) / len(pairs)
        constant = sum(left for _, left in pairs) / len(pairs)
        shape = x.shape[1], len(self.classes_)
        ends = np.zeros(shape[0] + 1, dtype=np.int64)
        ends[x.indices + 1] = shape[1]
        columns = np.tile(np.arange(shape[1]), len(contributions))
        return sparse.csr_array((contributions.ravel(), columns, np.cumsum(ends)), shape=shape), constant

    def _documents(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float32, reset=False)
        return one_entry_a_term(X)

    @property
    def _n_features_out(self):
        return self._blends[-1].space.n_dimensions

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags


def blocks_fit(classifier):
    """Whether all scorers of a loaded classifier find their columns among those of documents."""
    blocks = [scorer.columns for blend in classifier._blends for scorer in blend.scorers]
    ends = [(b.start, b.stop) if isinstance(b, slice) else (b[0], b[-1] + 1) for b in blocks]
    return all(start >= 0 and stop <= classifier.n_features_in_ for start, stop in ends)


def one_entry_a_term(X):
    """Make a CSR array of documents, sorted and without repeated entries; X stays as it is."""
    X = sparse.csr_array(X)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def check_memory(n_samples, n_coefficients, n_classes):
    """Refuse what cannot fit into this machine's memory, before hours are spent on it.

    Parameters
    ----------
    n_samples : int
        Number of documents, each of which gets scores.
    n_coefficients : int
        Number of coefficients of a class.
    n_classes : int
        Number of classes.
    """
    needed = 4 * n_classes * (n_coefficients + 5 * n_samples)
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError):  # not known on this system
        return
    if needed > there:
        raise MemoryError(
            f"{n_classes} classes times {n_coefficients} terms and {n_samples} documents need "
            f"{needed / 1e9:.0f} GB, and this machine has {there / 1e9:.0f}: leave out rare terms (min_df, "
            "max_terms of VectorSpace) or put rare classes together."
        )
