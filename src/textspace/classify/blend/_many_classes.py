"""The default classifier of thousands of classes: a calibrated blend of scores whose tables are sparse."""

import warnings
from typing import ClassVar

import numpy as np

from textspace._compiled import blas_threads
from textspace._folds import deal_folds
from textspace._parameters import at_least
from textspace._rows import normalize
from textspace._saving import saved_as
from textspace.classify.blend._arrays import block_of
from textspace.classify.blend._base import BlendClassifier, blocks_fit, check_memory
from textspace.classify.blend._blend import Blend
from textspace.classify.blend._centroids import FittedCentroids
from textspace.classify.blend._held_out_classes import Parts, hold_out
from textspace.classify.blend._rivals import FittedSums
from textspace.classify.blend._smoothed_bayes import FittedSmoothed
from textspace.classify.blend._weights_of_scores import weigh_scores


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
    documents, on the words of each block of columns; the cosine to the mean document, on pairs of words; and
    a linear machine against the classes that come near, on the words of the first block. Their tables hold
    the terms of the documents of a class only. Documents held out in turn tell what each term is worth, what
    each score is, and what it means that a class has more documents than another.

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
        order of the rows. The 30 classes that come nearest have values of their own, and ten others; all the
        rest has the mean probability of these ten.
    calibration_ : Calibration
        Scale and weight, of any sign, of each score; the constant of a class is a multiple of the logarithm
        of its size.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    See Also
    --------
    SubspaceBlend : For up to a thousand classes.
    sklearn.naive_bayes.ComplementNB : Without a mixture, weights of terms and calibration.

    Notes
    -----
    What a word t says for a class c is ``w_t log(1 + p(t | c) / p(t))``, and a score is the sum over the
    words of a document, divided by the largest one of the document. The weights lower the log loss of
    documents held out among the 30 classes that come nearest to each and ten that stand for the rest. A class
    of one document takes no part in the calibration. Rows without a label tell how common words are, no more,
    and a warning says so.

    Where a block holds negative numbers, as sentence embeddings do, its score is the cosine to the mean
    document of the class. The space of :meth:`transform` is that of the first block, its terms weighted, as
    sparse rows of unit length.

    References
    ----------
    C. Zhai and J. Lafferty, "A study of smoothing methods for language models applied to information
    retrieval", ACM Transactions on Information Systems 22, 2004.
    C.-J. Hsieh et al., "A dual coordinate descent method for large-scale linear SVM", ICML 2008.
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
    @blas_threads(1)
    def _learn(self, X, y):
        labelled, n_classes = y >= 0, len(self.classes_)
        words, embeddings, pairs = self._columns(X)
        unlabelled = [0.0] * len(words)
        if not labelled.all():
            warnings.warn(
                f"{n_classes} classes are learned from the {labelled.sum()} documents with a label alone: "
                f"the {np.sum(~labelled)} without one only tell how common terms are.",
                stacklevel=3,
            )
            unlabelled = [np.asarray(block_of(X[~labelled], own).sum(axis=0)).ravel() for own in words]
        X, y = X[labelled], y[labelled]
        check_memory(len(y), 0, n_classes)
        columns = [[block_of(X, own) for own in each] for each in (words, embeddings, pairs)]
        columns[1] = [normalize(own) for own in columns[1]]  # their lengths tell nothing
        parts = Parts(*columns, unlabelled)
        folds = deal_folds(min(self.n_folds, len(y)), y, n_samples=len(y))
        held = hold_out(parts, y, folds, n_classes=n_classes)
        self.calibration_ = weigh_scores(held, y, n_classes=n_classes)
        self.out_of_fold_ = held.decision_values(self.calibration_)
        tables = parts.learn(y, n_classes=n_classes)
        scorers = [
            *map(FittedSmoothed.of, tables.words, held.weights, words),
            *map(FittedCentroids.of, tables.embeddings, embeddings),
            *map(FittedSums.of, tables.pairs + tables.rivals, pairs + words[:1]),
        ]
        self._blends = [Blend(scorers, self.calibration_).rounded()]

    def _columns(self, X):
        """List the columns of the words, of the embedding and of the pairs of words, block by block."""
        negative = np.bincount(X.indices[X.data < 0], minlength=X.shape[1]) > 0
        words, embeddings, pairs = [], [], []
        for _, start, stop, n_words in self._blocks():
            middle = start + (n_words or stop - start)
            if negative[start:stop].any():
                embeddings.append(slice(start, stop))
            else:
                words.append(slice(start, middle))
                pairs += [slice(middle, stop)] if middle < stop else []
        return words, embeddings, pairs
