"""Thousands of classes: the class whose mean document is nearest."""

from typing import ClassVar

import numpy as np

from textspace._folds import deal_folds, fold_rows
from textspace._parameters import COUNT, at_least
from textspace._saving import saved_as
from textspace.classify.blend._base import BlendClassifier, blocks_fit, check_memory
from textspace.classify.blend._blend import Blend, judge
from textspace.classify.blend._calibration import calibrate
from textspace.classify.blend._centroids import CentroidScorer


@saved_as(
    "classify.centroid",
    shapes={
        "classes_": "c",
        "n_features_in_": "d",
        "calibration_.bias": "c",
        "_blends.*.calibration.bias": "c",
    },
    check=blocks_fit,
    not_saved=["out_of_fold_"],
)
class CentroidClassifier(BlendClassifier):
    """Class whose mean document is nearest to a document by the cosine, with calibrated probabilities.

    It is for thousands of classes of a few documents each: the means are sparse, and there is nothing to
    solve. The cosines of a document are divided by the largest of them.

    Parameters
    ----------
    n_words : int, default=None
        Number of first columns that are compared, such as single words before pairs of words. None stands
        for all columns; so it is too where X holds negative numbers, as sentence embeddings do.
    n_folds : int, default=5
        Number of folds of the labelled documents for the calibration.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    out_of_fold_ : ndarray of shape (n_labelled, n_classes), float32
        Decision values of the labelled training documents, each by means in which it does not count, in the
        order of the rows.
    calibration_ : Calibration
        Scale and weight of the score. The constants of the classes are zero.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    See Also
    --------
    SubspaceBlend : For up to a thousand classes.
    sklearn.neighbors.NearestCentroid : Distances in place of cosines, and no probabilities.

    Notes
    -----
    Rows without a label are passed over. A class of one document takes no part in the calibration. The space
    of :meth:`transform` is that of the columns that are compared, as sparse rows of unit length.

    References
    ----------
    E.-H. Han and G. Karypis, "Centroid-based document classification: analysis and experimental results",
    PKDD 2000.

    Examples
    --------
    >>> from textspace.classify import CentroidClassifier
    >>> from textspace.text import VectorSpace
    >>> texts = ["corn and wheat", "wheat crop", "corn crop", "ships at sea", "ships in port", "a sea port"]
    >>> space = VectorSpace()
    >>> model = CentroidClassifier().fit(space.fit_transform(texts), ["grain"] * 3 + ["ship"] * 3)
    >>> model.predict(space.transform(["the port", "a good crop"]))
    array(['ship', 'grain'], dtype='<U5')
    """

    _parameter_constraints: ClassVar = {"n_words": [COUNT, None], "n_folds": [at_least(2)]}

    def __init__(self, n_words=None, n_folds=5):
        self.n_words = n_words
        self.n_folds = n_folds

    def _learn(self, X, y):
        n_classes = len(self.classes_)
        scorers = [CentroidScorer(slice(0, self._count_columns(X)))]
        X, y = X[y >= 0], y[y >= 0]
        check_memory(len(y), 0, n_classes)
        folds = fold_rows(deal_folds(min(self.n_folds, len(y)), y, n_samples=len(y)))
        [own] = judge(scorers, X, y, folds, n_classes=n_classes)
        self.calibration_ = calibrate(own.scores, y, constants=False)
        self._blends = [Blend([own.fitted()], self.calibration_)]
        self.out_of_fold_ = self.calibration_(own.scores).astype(np.float32)

    def _count_columns(self, X):
        if self.n_words is None or (X.nnz and X.data.min() < 0):
            return X.shape[1]
        return min(self.n_words, X.shape[1])
