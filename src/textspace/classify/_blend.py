"""The default classifier: a calibrated blend of ridge regression, discriminant analysis and naive Bayes."""

import os
from numbers import Integral, Real

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_scalar
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from textspace._labels import split_labelled
from textspace._validation import validate_data
from textspace.classify._blend_learning import (
    MANY_CLASSES,
    Blend,
    calibrate,
    decide,
    fit_views,
    held_out_latent,
    held_out_scores,
    latent_space,
    learn_from_all,
    project,
)
from textspace.tuning import deal_folds


class SubspaceBlend(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClassifierMixin, BaseEstimator):
    """Classifier of documents that adds up three cheap scores, with calibrated probabilities.

    The scores of a class are the value of a ridge regression onto its indicator, the cosine to its point in
    the space of linear discriminant analysis, which follows from the same regression, and that of complement
    naive Bayes. Documents held out in turn tell what each score is worth and what a sum of them means. None
    of the scores alone is best on all corpora; the blend is near the best or ahead on each.

    Parameters
    ----------
    alpha : float, default=0.3
        Penalty of the ridge regression: what is added to the diagonal of ``X_c.T @ X_c``. The default is for
        rows of unit length.
    n_words : int, default=None
        Number of first columns that are single words, where pairs of words come behind them: naive Bayes
        counts words only. None stands for all columns, 0 leaves naive Bayes out. It is left out too where X
        holds negative numbers, as sentence embeddings do.
    n_components : int, default=200
        Number of directions of latent semantic indexing, which is used where there are unlabelled rows.
    n_folds : int, default=5
        Number of folds of the labelled documents for the calibration.
    random_state : int, RandomState instance or None, default=None
        Seed of the vector from which latent semantic indexing starts. It changes the result by rounding only.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    out_of_fold_ : ndarray of shape (n_labelled, n_classes), float32
        Decision values of the labelled training documents, each by a blend that has not learned from it, in
        the order of the rows.
    calibration_ : Calibration
        Scale and weight of each score, and one constant a class; before self-training, where there are
        unlabelled rows.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    See Also
    --------
    RLSC : The ridge regression alone, with a penalty that is chosen by cross-validation.
    textspace.linear.SpectralRegressionLDA : The discriminant space alone.
    SelfTraining : Unlabelled documents for any classifier.

    Notes
    -----
    Rows should have unit length, as :class:`textspace.text.VectorSpace` makes them; ``VectorSpace("ltc",
    bigrams=True)`` suits, with its ``n_words_`` for `n_words`. The probabilities are a softmax of a weighted
    sum of the scores and a constant a class, which have the smallest log loss on held-out documents. A class
    of one document takes no part in this: held out, the document would take its class with it.

    Rows without a label are learned from in two ways. The scores of the regression and of the discriminant
    space are computed once more in the space of latent semantic indexing of all rows. And there are three
    rounds of self-training as in :class:`SelfTraining`: documents with a probability of at least .7 and the
    surer half of those of each class are added with their answers as labels, and count half their
    probability. The decision values are the means of those before and after. All of this is repeated without
    each fold of the labelled documents, and so calibrated once more: what a classifier learns from its own
    answers makes it surer than it should be.

    With two classes the discriminant space is a line and its cosines are signs; they are left out.

    With more than 1000 classes there is one score in place of the three: the cosine between the words of a
    document and the mean document of the class [1]_, divided by the largest one of that document. The means
    are sparse, while a regression would need a coefficient for each term and class; and of these scores it is
    the best where classes have a few documents each. Rows without a label are passed over then, there are no
    constants of the classes, and the space of :meth:`transform` is that of the words.

    References
    ----------
    .. [1] E.-H. Han and G. Karypis, "Centroid-based document classification: analysis and experimental
       results", PKDD 2000.

    R. Rifkin, G. Yeo and T. Poggio, "Regularized least-squares classification", in Advances in Learning
    Theory: Methods, Models and Applications, IOS Press, 2003.
    D. Cai, X. He and J. Han, "Training linear discriminant analysis in linear time", IEEE International
    Conference on Data Engineering, 2008.
    J. D. Rennie, L. Shih, J. Teevan and D. R. Karger, "Tackling the poor assumptions of naive Bayes text
    classifiers", ICML 2003.

    Examples
    --------
    >>> from textspace.classify import SubspaceBlend
    >>> from textspace.text import VectorSpace
    >>> texts = ["corn and wheat", "wheat crop", "corn crop", "ships at sea", "ships in port", "a sea port"]
    >>> space = VectorSpace()
    >>> model = SubspaceBlend().fit(space.fit_transform(texts), ["grain"] * 3 + ["ship"] * 3)
    >>> model.predict(space.transform(["the port", "a good crop"]))
    array(['ship', 'grain'], dtype='<U5')
    """

    def __init__(self, alpha=0.3, n_words=None, n_components=200, n_folds=5, random_state=None):
        self.alpha = alpha
        self.n_words = n_words
        self.n_components = n_components
        self.n_folds = n_folds
        self.random_state = random_state

    # the products are spread over the cores already: threads of the BLAS would only wait for them
    @threadpool_limits.wrap(limits=1, user_api="blas")
    def fit(self, X, y):
        """Learn from labelled documents and, where there are some, from unlabelled ones.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,)
            Their classes; -1, the empty string, None or NaN, the same throughout, where there is none.

        Returns
        -------
        SubspaceBlend
            The fitted classifier.
        """
        self._check_settings()
        labelled, y, self.classes_ = split_labelled(y, signs=True)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float32)
        X = one_entry_a_term(X)
        check_memory(np.sum(labelled), X.shape[1], len(self.classes_))
        settings = {
            "n_classes": len(self.classes_),
            "alpha": self.alpha,
            "n_words": self._count_words(X),
        }
        known, truth = X[labelled], y[labelled]
        folds = deal_folds(min(self.n_folds, len(truth)), truth, n_samples=len(truth))
        scores = held_out_scores(known, truth, folds, **settings)
        self.calibration_ = calibrate(scores, truth)
        if labelled.all() or len(self.classes_) > MANY_CLASSES:
            self._blends = [Blend(fit_views(known, truth, **settings), self.calibration_)]
            self.out_of_fold_ = self.calibration_(scores).astype(np.float32)
        else:
            self._fit_unlabelled(X, y, folds, scores, settings)
        return self

    def _fit_unlabelled(self, X, y, folds, scores, settings):
        """Learn from all documents, once for good and once without each fold, which tells how sure to be."""
        rows = np.flatnonzero(y >= 0)
        space = latent_space(X, n_components=self.n_components, random_state=self.random_state)
        latent = held_out_latent(
            project(X[rows], space), y[rows], folds, n_classes=len(self.classes_), alpha=self.alpha
        )
        calibrations = calibrate(scores + latent, y[rows]), self.calibration_
        values = np.empty((len(rows), len(self.classes_)), dtype=np.float32)
        for fold in np.unique(folds):
            held_out = rows[folds == fold]
            others = np.setdiff1d(np.arange(len(y)), held_out)
            blends = learn_from_all(X[others], y[others], space, calibrations, **settings)
            values[folds == fold] = decide(blends, X[held_out])
        last = calibrate([values], y[rows])
        self._blends = [blend.then(last) for blend in learn_from_all(X, y, space, calibrations, **settings)]
        self.calibration_ = calibrations[0]
        self.out_of_fold_ = last([values]).astype(np.float32)

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
        """Place documents in the space of linear discriminant analysis or, of very many classes, of words.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_classes - 1) or csr_array of shape (n_samples, n_words), float32
            Coordinates. Cosines between documents are those by which the blend compares them with classes.
        """
        X = self._documents(X)
        return self._blends[-1].views[0].positions(X)

    def contributions(self, x):
        """Split the decision values of one document into what its terms add to them.

        Parameters
        ----------
        x : {array-like, sparse matrix} of shape (1, n_features)
            The document.

        Returns
        -------
        parts : csr_array of shape (n_features, n_classes)
            What each term adds to the decision value of each class.
        constant : ndarray of shape (n_classes,)
            What is left; ``parts.sum(axis=0) + constant`` is ``class_scores(x)[0]``.

        Notes
        -----
        A cosine is linear in the terms for a given length of the document, and the length is taken as given.
        So the parts tell how the values of this document come about. They are not what would change if a
        term were left out, since all other parts would then change a little.
        """
        x = self._documents(x).astype(np.float64)
        if x.shape[0] != 1:
            raise ValueError(f"contributions takes one document, a single row, but X has {x.shape[0]} rows.")
        pairs = [blend.parts(x) for blend in self._blends]
        parts = sum(part for part, _ in pairs) / len(pairs)
        ends = np.zeros(x.shape[1] + 1, dtype=np.int64)
        ends[x.indices + 1] = len(self.classes_)
        shape = x.shape[1], len(self.classes_)
        columns = np.tile(np.arange(shape[1]), len(parts))
        return sparse.csr_array((parts.ravel(), columns, np.cumsum(ends)), shape=shape), sum(
            constant for _, constant in pairs
        ) / len(pairs)

    def _documents(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float32, reset=False)
        return one_entry_a_term(X)

    def _count_words(self, X):
        if X.nnz and X.data.min() < 0:
            return 0  # these are no counts
        return X.shape[1] if self.n_words is None else min(self.n_words, X.shape[1])

    def _check_settings(self):
        check_scalar(self.alpha, "alpha", Real, min_val=0, include_boundaries="neither")
        check_scalar(self.n_components, "n_components", Integral, min_val=1)
        check_scalar(self.n_folds, "n_folds", Integral, min_val=2)
        if self.n_words is not None:
            check_scalar(self.n_words, "n_words", Integral, min_val=0)

    @property
    def _n_features_out(self):
        return self._blends[-1].views[0].n_dimensions

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags


def one_entry_a_term(X):
    """Make a CSR array of documents, sorted and without repeated entries; X stays as it is."""
    X = sparse.csr_array(X)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def check_memory(n_samples, n_features, n_classes):
    """Refuse what cannot fit into this machine's memory, before hours are spent on it."""
    n_coefficients = n_features * n_classes if n_classes <= MANY_CLASSES else 0
    needed = 4 * (n_coefficients + 5 * n_samples * n_classes)
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError):  # not known on this system
        return
    if needed > there:
        raise MemoryError(
            f"{n_classes} classes times {n_features} terms and {n_samples} documents need {needed / 1e9:.0f} "
            f"GB, and this machine has {there / 1e9:.0f}: leave out rare terms (min_df, max_terms of "
            "VectorSpace) or put rare classes together."
        )
