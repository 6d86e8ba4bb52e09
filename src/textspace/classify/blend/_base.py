"""A classifier whose decision values are calibrated sums of scores."""

import os

import numpy as np
from scipy import sparse
from sklearn.base import ClassNamePrefixFeaturesOutMixin

from textspace.classify._base import ExplainedClassifier
from textspace.classify.blend._blend import decide


class BlendClassifier(ClassNamePrefixFeaturesOutMixin, ExplainedClassifier):
    """Base of classifiers that answer by the mean of some blends.

    A subclass has the parameter ``blocks`` and sets ``_blends``, a list of :class:`Blend`, when it learns;
    the space of :meth:`transform` is that of the last one.
    """

    _dtype = np.float32
    has_constants = True  # each class has a calibrated constant of its own

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

    def _scores(self, X):
        return decide(self._blends, X)

    def _positions(self, X):
        return self._blends[-1].positions(X)

    def _split(self, x):
        pairs = [blend.contributions(x) for blend in self._blends]
        contributions = sum(own for own, _ in pairs) / len(pairs)
        constant = sum(left for _, left in pairs) / len(pairs)
        shape = x.shape[1], len(self.classes_)
        ends = np.zeros(shape[0] + 1, dtype=np.int64)
        ends[x.indices + 1] = shape[1]
        columns = np.tile(np.arange(shape[1]), len(contributions))
        return sparse.csr_array((contributions.ravel(), columns, np.cumsum(ends)), shape=shape), constant

    def _prepared(self, X):
        """Make a CSR array of documents."""
        return sparse.csr_array(X)

    def _blocks(self):
        """Give the blocks of columns, as the parameter `blocks` says; refuse those that do not fit."""
        n_columns = self.n_features_in_
        if self.blocks is None:
            return [("terms", 0, n_columns, n_columns)]
        for block in self.blocks:
            _, start, stop, n_words = block if len(block) == 4 else (None, 0, 0, 0)
            if not (0 <= start < stop <= n_columns and 0 <= n_words <= stop - start):
                raise ValueError(
                    f"the block {tuple(block)} does not fit: give a name, the first column, the one behind "
                    f"the last, at most {n_columns}, and how many of the first columns are single words."
                )
        return self.blocks

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


def check_memory(n_samples, n_coefficients, n_classes):
    """Refuse what cannot fit into this machine's memory, before hours are spent on it."""
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
