"""The default classifier: a calibrated blend of ridge regression, discriminant analysis and naive Bayes."""

from typing import ClassVar

import numpy as np
from threadpoolctl import threadpool_limits

from textspace._parameters import COUNT, POSITIVE, SEED, at_least
from textspace._saving import saved_as
from textspace.classify.blend._base import BlendClassifier, blocks_fit, check_memory
from textspace.classify.blend._blend import Blend, decide, fit_scorers, held_out_scores
from textspace.classify.blend._calibration import calibrate
from textspace.classify.blend._complement import ComplementScorer
from textspace.classify.blend._latent import LatentScorer
from textspace.classify.blend._ridge import RidgeScorer
from textspace.classify.blend._unlabelled import learn_from_all
from textspace.tuning import deal_folds, fold_rows


@saved_as(
    "classify.blend",
    shapes={
        "classes_": "c",
        "n_features_in_": "d",
        "calibration_.bias": "c",
        "_blends.*.calibration.bias": "c",
        "_blends.*.scorers.*.coef?": "d c",
    },
    check=blocks_fit,
    not_saved=["out_of_fold_"],
)
class SubspaceBlend(BlendClassifier):
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
    CentroidClassifier : For thousands of classes.
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

    The regression needs a coefficient for each term and class: with thousands of classes
    :class:`CentroidClassifier` does better, and in seconds.

    References
    ----------
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

    _parameter_constraints: ClassVar = {
        "alpha": [POSITIVE],
        "n_words": [at_least(0), None],
        "n_components": [COUNT],
        "n_folds": [at_least(2)],
        "random_state": [SEED],
    }

    def __init__(self, alpha=0.3, n_words=None, n_components=200, n_folds=5, random_state=None):
        self.alpha = alpha
        self.n_words = n_words
        self.n_components = n_components
        self.n_folds = n_folds
        self.random_state = random_state

    # the products are spread over the cores already: threads of the BLAS would only wait for them
    @threadpool_limits.wrap(limits=1, user_api="blas")
    def _learn(self, X, y):
        labelled = y >= 0
        n_classes = len(self.classes_)
        check_memory(np.sum(labelled), X.shape[1], n_classes)
        known, truth = X[labelled], y[labelled]
        folds = fold_rows(deal_folds(min(self.n_folds, len(truth)), truth, n_samples=len(truth)))
        scorers, readers = self._scorers(X)
        scorers, scores = held_out_scores(scorers, known, truth, folds, n_classes=n_classes)
        self.calibration_ = calibrate(scores, truth)
        if labelled.all():
            fitted = fit_scorers(scorers, known, truth, n_classes=n_classes)
            self._blends = [Blend(fitted, self.calibration_)]
            self.out_of_fold_ = self.calibration_(scores).astype(np.float32)
        else:
            self._fit_unlabelled(X, y, folds, scorers, readers, scores)

    def _scorers(self, X):
        """List the scorers, those that read unlabelled rows apart."""
        everything, n_words = slice(0, X.shape[1]), self._count_words(X)
        scorers = [
            RidgeScorer(everything, self.alpha),
            *([ComplementScorer(slice(0, n_words))] if n_words else []),
            LatentScorer(everything, self.alpha, self.n_components, self.random_state),
        ]
        return [[one for one in scorers if one.reads_unlabelled == reads] for reads in (False, True)]

    def _fit_unlabelled(self, X, y, folds, scorers, readers, scores):
        """Learn from all documents, once for good and once without each fold, which tells how sure to be."""
        rows, n_classes = np.flatnonzero(y >= 0), len(self.classes_)
        readers = [reader.prepared(X) for reader in readers]
        readers, more = held_out_scores(readers, X[rows], y[rows], folds, n_classes=n_classes)
        calibrations = calibrate(scores + more, y[rows]), self.calibration_

        def learned(of):
            return learn_from_all(X[of], y[of], [*scorers, *readers], calibrations, n_classes=n_classes)

        values = np.empty((len(rows), n_classes), dtype=np.float32)
        for _, test in folds:
            others = np.setdiff1d(np.arange(len(y)), rows[test])  # all that have no label among them
            values[test] = decide(learned(others), X[rows[test]])
        last = calibrate([values], y[rows])
        self._blends = [blend.then(last) for blend in learned(slice(None))]
        self.calibration_ = calibrations[0]
        self.out_of_fold_ = last([values]).astype(np.float32)

    def _count_words(self, X):
        if X.nnz and X.data.min() < 0:
            return 0  # these are no counts
        return X.shape[1] if self.n_words is None else min(self.n_words, X.shape[1])
