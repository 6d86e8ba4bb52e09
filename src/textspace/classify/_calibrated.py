"""Any classifier of the catalogue with calibrated scores that split into terms."""

from typing import ClassVar

import numpy as np
from scipy import sparse, special
from sklearn.base import clone
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils import get_tags

from textspace._folds import fold_rows, judged_folds
from textspace._label_lists import check_indicators
from textspace._parameters import CLASSIFIER, at_least
from textspace._rows import normalize
from textspace._saving import saved_as
from textspace._validation import validate_data
from textspace.classify._base import AroundEstimator, ExplainedClassifier
from textspace.classify._label_values import (
    calibrate_label_values,
    label_folds,
    nearness_to_labels,
    split_value_and_lag,
    value_and_lag,
)
from textspace.classify.blend._label_decisions import decide_labels
from textspace.tuning import (
    SUMS,
    decision_values,
    fit_temperature,
    knows_nearest,
    nearest_of_classes,
    pipeline_parts,
)

_FEWEST = 4  # documents of several labels
_EXACT = 1e-6  # of the largest score: contributions that miss it by more do not add up


@saved_as(
    "classify.calibrated",
    shapes={
        "classes_": "c",
        "n_features_in_": "d",
        "estimator_.classes_?": "c",
        "estimator_.n_features_in_?": "d",
        "thresholds_?": "c",
        "calibration_.bias?": "c",
        "calibration_.weights?": "2 c",
    },
    check=lambda model: (
        model.temperature_ > 0
        and (model.calibration_ is None) == (model.thresholds_ is None)
        and (model.calibration_ is None or isinstance(model.at_least_one_, bool))
    ),
    not_saved=["out_of_fold_"],
)
class CalibratedMethod(AroundEstimator, ExplainedClassifier):
    """A classifier, with probabilities learned from documents it has not seen and scores split into terms.

    The scores are the classifier's decision values, divided by a temperature that makes their softmax the
    best probabilities for held-out documents. For the nearest neighbour in a space, the score of a class is
    what tells the distance (or the cosine) to its nearest training document: as a function of the terms of
    one document it is linear, like the space.

    Where documents have several labels, the logit of a label is a weighted sum of its decision value and of
    how far this is behind the largest one of the document, plus a constant.

    Parameters
    ----------
    estimator : classifier
        A classifier of documents, perhaps a ``Pipeline`` that leads into a space first. For several labels
        one that takes an indicator matrix, such as :class:`OneAgainstRest` around any other.
    unlabelled : bool, default=False
        Whether it learns from unlabelled documents too. If not, it is given the labelled ones only.
    n_folds : int, default=5
        Number of folds of the labelled documents.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    estimator_ : classifier
        The classifier, fitted on all documents.
    temperature_ : float
        What its decision values are divided by; 1 where documents have several labels.
    thresholds_ : ndarray of shape (n_labels,) or None
        Where documents have several labels: a label is given where its probability is higher.
    at_least_one_ : bool
        Whether the most probable of several labels is given where no other is, as each training document has
        one.
    calibration_ : LabelCalibration or None
        Where documents have several labels: weights of the two scores, and constants.
    out_of_fold_ : ndarray of shape (n_labelled, n_classes)
        Scores of each labelled training document by a classifier that has not seen it; zeros for the only
        document of a class, without which the class could not be learned.
    n_features_in_ : int
        Number of columns.

    References
    ----------
    C. Guo, G. Pleiss, Y. Sun and K. Q. Weinberger, "On calibration of modern neural networks", ICML 2017.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.svm import LinearSVC
    >>> X = np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.2, 0.8]])
    >>> model = CalibratedMethod(LinearSVC(), n_folds=2).fit(X, ["a", "a", "b", "b"])
    >>> model.predict(X[:1])
    array(['a'], dtype='<U1')
    >>> contributions, constant = model.contributions(X[:1])
    >>> bool(np.allclose(contributions.sum(axis=0) + constant, model.class_scores(X[:1])[0]))
    True
    """

    _parameter_constraints: ClassVar = {
        "estimator": [CLASSIFIER],
        "unlabelled": ["boolean"],
        "n_folds": [at_least(2)],
    }

    def __init__(self, estimator, unlabelled=False, n_folds=5):
        self.estimator = estimator
        self.unlabelled = unlabelled
        self.n_folds = n_folds

    calibration_ = thresholds_ = None  # older files, of one label a document, do not hold them

    def fit(self, X, y):
        """Learn from labelled documents and, where the method can, from unlabelled ones.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,), or indicators of shape (n_samples, n_labels)
            Their classes; -1, the empty string, None or NaN, the same throughout, where there is none. For
            documents of several labels, two or more in all, a matrix of zeros and ones.

        Returns
        -------
        CalibratedMethod
            The fitted classifier.
        """
        shape = y.shape if sparse.issparse(y) else np.asarray(y, dtype=object).shape
        if len(shape) < 2 or shape[1] < 2:
            return super().fit(X, y)
        self._validate_params()
        truth = check_indicators(y)
        X = self._prepared(validate_data(self, X, accept_sparse="csr", dtype=self._dtype))
        if X.shape[0] != truth.shape[0]:
            raise ValueError(
                f"X has {X.shape[0]} rows and y {truth.shape[0]}: give labels for each document."
            )
        self._learn_labels(X, truth)
        return self

    def _learn_labels(self, X, truth):
        if X.shape[0] < _FEWEST:
            raise ValueError(
                f"there are {X.shape[0]} documents, too few to hold some out and learn from the others: give "
                f"{_FEWEST} or more of several labels."
            )
        self.classes_, self.temperature_ = np.arange(truth.shape[1]), 1.0
        values = np.zeros(truth.shape)
        for train, test in label_folds(truth, min(self.n_folds, X.shape[0])):
            own = _label_values(_fitted(self.estimator, X[train], truth[train]), X[test])
            missing = np.diff(truth[train].tocsc().indptr) == 0  # of such labels nothing was learned
            own[:, missing] = own.min(axis=1, keepdims=True)
            values[test] = own
        self.calibration_, self.out_of_fold_, self.thresholds_ = calibrate_label_values(values, truth)
        self.at_least_one_ = bool(np.all(np.diff(truth.indptr) > 0))
        self.estimator_ = _fitted(self.estimator, X, truth)

    def _learn(self, X, y):
        self.calibration_, self.thresholds_, self.at_least_one_ = None, None, False
        if not self.unlabelled:
            X, y = X[y >= 0], y[y >= 0]
        none = "" if self.classes_.dtype.kind == "U" else -1
        labels = np.where(y >= 0, self.classes_[y], none)
        folds, values = judged_folds(self.n_folds, y), np.zeros((len(y), len(self.classes_)))
        for train, test in fold_rows(folds):
            values[test] = _values(_fitted(self.estimator, X[train], labels[train]), X[test])
        self.temperature_ = fit_temperature(values[folds >= 0], y[folds >= 0])
        self.out_of_fold_ = values[y >= 0] / self.temperature_
        self.estimator_ = _fitted(self.estimator, X, labels)
        _values(self.estimator_, X[:1])  # what it prepares for the first question is prepared now

    def _scores(self, X):
        if self.calibration_ is not None:
            return self.calibration_(value_and_lag(_label_values(self.estimator_, X)))
        return _values(self.estimator_, X) / self.temperature_

    def _proba(self, X):
        return super()._proba(X) if self.calibration_ is None else special.expit(self._scores(X))

    def _answers(self, X):
        if self.calibration_ is None:
            return super()._answers(X)
        return decide_labels(self._proba(X), self.thresholds_, self.at_least_one_).astype(int)

    def _positions(self, X):
        if pipeline_parts(self.estimator_)[0] is not None:
            return _place(self.estimator_, X)
        return X if knows_nearest(self.estimator_) else self._scores(X)

    @property
    def _n_features_out(self):
        space = pipeline_parts(self.estimator_)[0]
        if space is not None:
            return _width(space[-1])
        return self.n_features_in_ if knows_nearest(self.estimator_) else len(self.classes_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = get_tags(self.estimator).classifier_tags.multi_label
        return tags

    def _split(self, x):
        x = sparse.csr_array(x)
        columns = np.flatnonzero(x.toarray()[0])
        # one row a term, and a last one without any
        rows = sparse.csr_array(
            (x[:, columns].toarray()[0], (np.arange(len(columns)), columns)),
            shape=(len(columns) + 1, x.shape[1]),
        )
        try:
            values = _values_as_of(self.estimator_, rows, x) / self.temperature_
            score = self._scores(x)[0]
        except TypeError as error:  # NMF takes only the precision that it has learned in
            raise _no_sum(self.estimator_) from error
        contributions, constant = values[:-1] - values[-1], values[-1]
        if self.calibration_ is not None:
            contributions, constant = split_value_and_lag(self.calibration_, contributions, constant)
        missed = np.abs(contributions.sum(axis=0) + constant - score).max()
        if missed > _EXACT * max(1, np.abs(score).max()):
            raise _no_sum(self.estimator_)
        spread = sparse.csr_array(
            (np.ones(len(columns)), (columns, np.arange(len(columns)))), shape=(x.shape[1], len(columns))
        )
        return spread @ sparse.csr_array(contributions), constant


def _fitted(estimator, X, y):
    """Fit a copy of the classifier, its nearest documents placed as those to be classified will be."""
    fitted = clone(estimator).fit(X, y)
    space, last, _ = pipeline_parts(fitted)
    if space is not None and knows_nearest(last):
        last.fit(space.transform(X), y)  # NMF places documents otherwise while it learns
    return fitted


def _values(estimator, X):
    """Give decision values as near as can be to sums over terms, of shape (n_samples, n_classes)."""
    if not knows_nearest(estimator):
        return decision_values(estimator, X, ask=SUMS)
    last, Z = pipeline_parts(estimator)[1], _place(estimator, X)
    found = nearest_of_classes(last, Z)
    return np.column_stack([_nearness(Z, nearest, _metric(last)) for _, nearest in found])


def _label_values(estimator, X):
    """Give the same where documents have several labels, of shape (n_samples, n_labels)."""
    if not knows_nearest(estimator):
        return decision_values(estimator, X, ask=SUMS)
    last = pipeline_parts(estimator)[1]
    return nearness_to_labels(*last.labelled_points(), _place(estimator, X), _metric(last))


def _values_as_of(estimator, rows, x):
    """Give the values of rows by the rule that holds for the document x."""
    if not knows_nearest(estimator):
        return decision_values(estimator, rows, ask=SUMS)
    last = pipeline_parts(estimator)[1]
    metric = _metric(last)
    z, Z = (_dense(_place(estimator, X)).astype(np.float64) for X in (x, rows))
    values = []
    for _, nearest in nearest_of_classes(last, z):
        nearest = _dense(nearest).astype(np.float64)
        if metric == "cosine":  # divided by the length of the document, not of its terms
            values.append(Z @ normalize(nearest)[0] / (np.linalg.norm(z) or 1.0))
        else:
            values.append(_nearness(Z, nearest, metric))
    return np.column_stack(values)


def _place(estimator, X):
    """Lead documents into the space, where there is one before the last step."""
    space = pipeline_parts(estimator)[0]
    return X if space is None else space.transform(X)


def _width(step):
    """Give the number of columns that a fitted transformer makes."""
    if isinstance(step, FeatureUnion):
        return sum(_width(part) for _, part in step.transformer_list)
    if isinstance(step, Pipeline):
        return _width(step[-1])
    return getattr(step, "_n_features_out", step.n_features_in_)


def _metric(nearest):
    """Give the distance of a nearest-neighbour classifier, out of what wraps it."""
    return getattr(nearest, "estimator", nearest).metric


def _no_sum(estimator):
    last = pipeline_parts(estimator)[1]
    return ValueError(
        f"the scores of {type(last).__name__} here are no sum over terms: choose a method with a "
        "linear space or a linear classifier to see what each term adds."
    )


def _dense(X):
    return X.toarray() if sparse.issparse(X) else np.asarray(X)


def _nearness(Z, nearest, metric):
    """Say how near documents are to points: a cosine, or what the squared distance says beyond ||z||^2.

    ``z @ p - ||p||^2 / 2`` is ``||z||^2 / 2 - ||z - p||^2 / 2``: the same for all classes but for a constant
    that the softmax does not see, and linear in z.
    """
    if metric == "cosine":
        Z, nearest = normalize(Z), normalize(nearest)
        return _row_products(Z, nearest)
    return _row_products(Z, nearest) - _row_products(nearest, nearest) / 2


def _row_products(A, B):
    products = A.multiply(B) if sparse.issparse(A) else A * B
    return np.asarray(products.sum(axis=1)).ravel()
