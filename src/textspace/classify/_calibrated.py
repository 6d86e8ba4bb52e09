"""Any classifier of the catalogue with calibrated scores that split into terms."""

from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import clone

from textspace._folds import fold_rows, judged_folds
from textspace._parameters import CLASSIFIER, at_least
from textspace._rows import normalize
from textspace._saving import saved_as
from textspace.classify._base import AroundEstimator, ExplainedClassifier
from textspace.tuning import (
    SUMS,
    decision_values,
    fit_temperature,
    knows_nearest,
    nearest_of_classes,
    pipeline_parts,
)

_EXACT = 1e-6  # of the largest score: contributions that miss it by more do not add up


@saved_as(
    "classify.calibrated",
    shapes={
        "classes_": "c",
        "n_features_in_": "d",
        "estimator_.classes_?": "c",
        "estimator_.n_features_in_?": "d",
    },
    check=lambda model: model.temperature_ > 0,
    not_saved=["out_of_fold_"],
)
class CalibratedMethod(AroundEstimator, ExplainedClassifier):
    """A classifier, with probabilities learned from documents it has not seen and scores split into terms.

    The scores are the classifier's decision values, divided by a temperature that makes their softmax the
    best probabilities for held-out documents. For the nearest neighbour in a space, the score of a class is
    what tells the distance (or the cosine) to its nearest training document: as a function of the terms of
    one document it is linear, like the space.

    Parameters
    ----------
    estimator : classifier
        A classifier of documents, perhaps a ``Pipeline`` that leads into a space first.
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
        What its decision values are divided by.
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

    def _learn(self, X, y):
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
        return _values(self.estimator_, X) / self.temperature_

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
    from sklearn.pipeline import FeatureUnion, Pipeline  # which takes long to load

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
