"""The default classifier of thousands of classes: a calibrated blend of scores whose tables are sparse."""

import warnings
from typing import ClassVar

import numpy as np
from threadpoolctl import threadpool_limits

from textspace._folds import deal_folds, fold_rows
from textspace._parameters import at_least
from textspace._saving import saved_as
from textspace.classify.blend._base import BlendClassifier, blocks_fit, check_memory
from textspace.classify.blend._blend import Blend, judge
from textspace.classify.blend._calibration import Calibration, calibrate, fit_calibration, telling_rows
from textspace.classify.blend._centroids import CentroidScorer
from textspace.classify.blend._smoothed_bayes import SmoothedScorer

_ENOUGH = 2 << 20  # scores that calibrate a handful of weights


@saved_as(
    "classify.centroid",  # files of the time when the nearest mean document was all there was have it too
    shapes={
        "classes_": "c",
        "n_features_in_": "d",
        "calibration_.bias": "c",
        "_blends.*.calibration.bias": "c",
    },
    check=blocks_fit,
    not_saved=["out_of_fold_"],
)
class ManyClassBlend(BlendClassifier):
    """Classifier for thousands of classes of a few documents each, with calibrated probabilities.

    The scores of a class are those of naive Bayes, whose shares of terms are mixed with those in all
    documents, on each block of columns. Their tables hold the terms of the documents of a class only.
    Documents held out in turn tell what each term is worth, what each score is, and what it means that a
    class has more documents than another.

    Parameters
    ----------
    blocks : list of textspace.text.Block or tuple, default=None
        As in :class:`SubspaceBlend`. None stands for one block.
    n_folds : int, default=3
        Number of folds of the labelled documents, each of which is held out once.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    out_of_fold_ : ndarray of shape (n_labelled, n_classes), float32
        Decision values of the labelled training documents, each by scores that have not seen it, in the
        order of the rows.
    calibration_ : Calibration
        Scale and weight of each score; the constant of a class is a multiple of the logarithm of its size.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    See Also
    --------
    SubspaceBlend : For up to a thousand classes.
    sklearn.naive_bayes.ComplementNB : Without a mixture, weights of terms and calibration.

    Notes
    -----
    What a term t says for a class c is ``w_t log(1 + p(t | c) / p(t))``, and a score is the sum over the
    terms of a document, divided by the largest one of the document. The weights lower the log loss of
    documents held out among the 40 classes that come nearest to each. A class of one document takes no part
    in the calibration. Rows without a label tell how common terms are, no more, and a warning says so.

    Where a block holds negative numbers, as sentence embeddings do, its score is the cosine to the mean
    document of the class. The space of :meth:`transform` is that of the first block, its terms weighted, as
    sparse rows of unit length.

    References
    ----------
    C. Zhai and J. Lafferty, "A study of smoothing methods for language models applied to information
    retrieval", ACM Transactions on Information Systems 22, 2004.
    E.-H. Han and G. Karypis, "Centroid-based document classification: analysis and experimental results",
    PKDD 2000.

    Examples
    --------
    >>> from textspace.classify import ManyClassBlend
    >>> from textspace.text import VectorSpace
    >>> texts = ["corn and wheat", "wheat crop", "corn crop", "ships at sea", "ships in port", "a sea port"]
    >>> space = VectorSpace()
    >>> model = ManyClassBlend().fit(space.fit_transform(texts), ["grain"] * 3 + ["ship"] * 3)
    >>> model.predict(space.transform(["the port", "a good crop"]))
    array(['ship', 'grain'], dtype='<U5')
    """

    _parameter_constraints: ClassVar = {"blocks": [list, None], "n_folds": [at_least(2)]}
    has_constants = False

    def __init__(self, blocks=None, n_folds=3):
        self.blocks = blocks
        self.n_folds = n_folds

    def __setstate__(self, state):
        """Take the state; files of the nearest mean document say how many columns are words."""
        if "n_words" in state:
            state = {name: state[name] for name in state if name != "n_words"} | {"blocks": None}
        super().__setstate__(state)

    # as in the other blend: threads of the BLAS would only wait for each other
    @threadpool_limits.wrap(limits=1, user_api="blas")
    def _learn(self, X, y):
        labelled, n_classes = y >= 0, len(self.classes_)
        scorers = self._scorers(X)
        if not labelled.all():
            warnings.warn(
                f"{n_classes} classes are learned from the {labelled.sum()} documents with a label alone: "
                f"the {np.sum(~labelled)} without one only tell how common terms are.",
                stacklevel=3,
            )
            scorers = [scorer.prepared(X[~labelled]) for scorer in scorers]
        X, y = X[labelled], y[labelled]
        check_memory(len(y), 0, n_classes)
        folds = deal_folds(min(self.n_folds, len(y)), y, n_samples=len(y))
        judged = judge(scorers, X, y, fold_rows(folds), n_classes=n_classes)
        scores = [own.scores[0] for own in judged]
        self.calibration_ = calibrate_by_size(scores, y, folds)
        self.out_of_fold_ = self.calibration_(scores).astype(np.float32)
        self._blends = [Blend([own.fitted() for own in judged], self.calibration_).rounded()]

    def _scorers(self, X):
        """List the scorers, one a block."""
        blocks = [slice(start, stop) for _, start, stop, _ in self._blocks()]
        negative = np.bincount(X.indices[X.data < 0], minlength=X.shape[1]) > 0
        return [(CentroidScorer if negative[own].any() else SmoothedScorer)(own) for own in blocks]


def calibrate_by_size(scores, y, folds):
    """Calibrate scores together with the logarithm of the size of each class.

    A document that was held out is missing in its class: the sizes that count for it are those without its
    fold.

    Parameters
    ----------
    scores : list of ndarray of shape (n_samples, n_classes)
        Scores of documents that were not learned from.
    y : ndarray of shape (n_samples,), int
        Their classes, as columns of the scores; each has a document.
    folds : ndarray of shape (n_samples,), int
        The fold of each document, from 0 on.

    Returns
    -------
    Calibration
        Weights of the scores; the constants are a multiple, above zero, of the logarithms.
    """
    n_classes = scores[0].shape[1]
    sizes = np.bincount(y, minlength=n_classes)
    left = np.array([sizes - np.bincount(y[folds == own], minlength=n_classes) for own in np.unique(folds)])
    logarithms = np.log(np.maximum(left, 0.5)).astype(np.float32)
    rows = telling_rows(y)[:: -(-scores[0].size // _ENOUGH)]
    if len(rows):
        some = [*(score[rows] for score in scores), logarithms[folds[rows]]]
        found = fit_calibration(some, y[rows], constants=False)
        constants = found.factors[-1] * (np.log(sizes) - np.log(sizes).mean())
        return Calibration(found.scales[:-1], found.weights[:-1], constants)
    return calibrate(scores, y, constants=False)
