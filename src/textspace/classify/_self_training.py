"""Self-training: a classifier that learns from its own answers on documents without a label."""

from typing import ClassVar

import numpy as np
from scipy import special
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from textspace._parameters import CLASSIFIER, COUNT, POSITIVE, SHARE, at_least
from textspace._saving import saved_as
from textspace.classify._base import AroundEstimator, LogProbabilities
from textspace.tuning import decision_values, fit_temperature, held_out_values


@saved_as(
    "classify.self_training",
    shapes={
        "classes_": "c",
        "n_features_in_": "d",
        "initial_estimator_.classes_": "c",
        "initial_estimator_.n_features_in_": "d",
        "estimator_.classes_": "c",
        "estimator_.n_features_in_": "d",
        "labels_": "n",
        "weights_": "n",
        "history_": "_",
    },
    check=lambda model: model.temperature_ > 0,
    may_be_nan=["history_"],  # where no document was taken
)
class SelfTraining(AroundEstimator, LogProbabilities):
    """Let any classifier learn from unlabelled documents too, by its own answers.

    The classifier learns from the labelled documents and answers for the unlabelled ones. In each round it
    learns again: from the labelled documents, and from those unlabelled ones of which it was sure, or among
    the surest for their class, with the answers as labels and weights that grow with how sure it was. In the
    end, the first and the last classifier decide together.

    Parameters
    ----------
    estimator : classifier
        What learns: anything with ``predict_proba`` or ``decision_function``. Where its ``fit`` takes
        ``sample_weight`` (in a ``Pipeline``: the last step's), documents are weighted; where it does not,
        those that are taken count as much as labelled ones.
    threshold : float, default=0.7
        Take a document whose answer has at least this probability ...
    quota : float, default=0.5
        ... or which is in this share of the surest answers for its class. So each class gets documents.
    weight : float, default=0.5
        A document that is taken counts this much times the probability of its answer; a labelled one 1.
    n_rounds : int, default=3
        Number of rounds. Documents are taken anew in each; answers may change.
    cv : int or None, default=5
        Number of folds of the labelled documents by which the probabilities are calibrated. None takes
        ``predict_proba`` as it is or, where the estimator has none, the softmax of its decision values (with
        two classes the logistic function), which say little about how often it is right.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``.
    initial_estimator_ : classifier
        The classifier that has learned from the labelled documents alone.
    estimator_ : classifier
        That of the last round.
    temperature_ : float
        What the estimator's values are divided by (see Notes). Above 1 it is less sure than it says it is.
    history_ : list of dict
        What happened in each round: ``"taken"``, the number of documents taken for each class, in the order
        of `classes_`; ``"confidence"``, the mean probability of their answers; ``"changed"``, how many
        unlabelled documents have got another answer than in the round before.
    labels_ : ndarray of shape (n_samples,)
        The label of each document in the last round, given or answered.
    weights_ : ndarray of shape (n_samples,)
        Its weight in the last round: 1 if it has a label, 0 if it was not taken.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    See Also
    --------
    sklearn.semi_supervised.SelfTrainingClassifier : Takes documents by a threshold or a number, for good, and
        without weights.
    EMNaiveBayes : Naive Bayes in which each document counts for all classes.

    Notes
    -----
    The probabilities are the softmax of values divided by a temperature. The values are logarithms of
    ``predict_proba``, or else decision values; the temperature is the one with the smallest log loss on
    labelled documents, each judged by a classifier that has not learned from it. It is found once. The
    answers are those of the geometric mean of the first and the last classifier's probabilities.

    A threshold alone takes few documents of difficult classes, which then fade from round to round; a quota
    alone leaves out much where the classifier is good.

    A space that needs no labels is better learned from all documents, in a step before this one:
    ``make_pipeline(LSI(200), SelfTraining(classifier))``. :func:`textspace.evaluation.unlabelled_gain` tells
    whether unlabelled documents help.

    References
    ----------
    D. Yarowsky, "Unsupervised word sense disambiguation rivaling supervised methods", ACL 1995.
    C. Guo, G. Pleiss, Y. Sun and K. Q. Weinberger, "On calibration of modern neural networks", ICML 2017.

    Examples
    --------
    No labelled document holds the word of the last column, but unlabelled ones have it beside the first:

    >>> from sklearn.linear_model import LogisticRegression
    >>> from textspace.classify import SelfTraining
    >>> X = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.9, 0.0, 0.4], [0.1, 0.8, 0.0], [0.2, 0.0, 0.9]]
    >>> model = SelfTraining(LogisticRegression(C=100), cv=None).fit(X, ["sport", "space", "", "", ""])
    >>> [each["taken"].tolist() for each in model.history_]
    [[1, 1], [1, 2], [1, 2]]
    >>> model.initial_estimator_.predict([[0.0, 0.2, 1.0]])
    array(['space'], dtype='<U5')
    >>> model.predict([[0.0, 0.2, 1.0]])
    array(['sport'], dtype='<U5')
    """

    _parameter_constraints: ClassVar = {
        "estimator": [CLASSIFIER],
        "threshold": [SHARE],
        "quota": [SHARE],
        "weight": [POSITIVE],
        "n_rounds": [COUNT],
        "cv": [at_least(2), None],
    }

    def __init__(self, estimator, threshold=0.7, quota=0.5, weight=0.5, n_rounds=3, cv=5):
        self.estimator = estimator
        self.threshold = threshold
        self.quota = quota
        self.weight = weight
        self.n_rounds = n_rounds
        self.cv = cv

    def _learn(self, X, y):
        labelled = y >= 0
        self.initial_estimator_ = self.estimator_ = clone(self.estimator).fit(
            X[labelled], self.classes_[y[labelled]]
        )
        self.temperature_ = 1.0
        if self.cv is not None:
            held_out = held_out_values(self.estimator, X[labelled], y[labelled], n_folds=self.cv)
            self.temperature_ = fit_temperature(*held_out)
        self.weights_, self.history_ = labelled.astype(float), []
        others = np.flatnonzero(~labelled)
        X_others = X[others]
        for _ in range(self.n_rounds if len(others) else 0):
            shares = np.exp(self._log_proba(self.estimator_, X_others))
            answers, confidence = shares.argmax(axis=1), shares.max(axis=1)
            taken = take(answers, confidence, threshold=self.threshold, quota=self.quota)
            self.history_.append(
                {
                    "taken": np.bincount(answers[taken], minlength=len(self.classes_)),
                    "confidence": float(confidence[taken].mean()) if taken.any() else np.nan,
                    "changed": int(np.sum(answers != y[others])),
                }
            )
            y[others] = answers
            self.weights_[others] = np.where(taken, self.weight * confidence, 0)
            rows = np.flatnonzero(self.weights_)
            self.estimator_ = fit_weighted(
                clone(self.estimator), X[rows], self.classes_[y[rows]], self.weights_[rows]
            )
        self.labels_ = self.classes_[y]

    def _scores(self, X):
        both = self._log_proba(self.initial_estimator_, X) + self._log_proba(self.estimator_, X)
        return special.log_softmax(both / 2, axis=1)

    def _log_proba(self, estimator, X):
        return special.log_softmax(decision_values(estimator, X) / self.temperature_, axis=1)


def take(answers, confidence, *, threshold, quota):
    """Choose the documents to learn from: the sure ones, and the surest of each class.

    Of the answers (n,) with their probabilities (n,), those of at least the threshold are taken, and the
    quota of each class, a share that is rounded up. An array of bool (n,) is given.

    Examples
    --------
    >>> take(np.array([0, 0, 1, 1]), np.array([0.9, 0.8, 0.5, 0.4]), threshold=0.7, quota=0.5)
    array([ True,  True,  True, False])
    """
    taken = confidence >= threshold
    for label in np.unique(answers):
        rows = np.flatnonzero(answers == label)
        surest = rows[np.argsort(-confidence[rows], kind="stable")]
        taken[surest[: int(np.ceil(quota * len(rows)))]] = True
    return taken


def weight_argument(estimator):
    """Name the argument of ``fit`` that takes weights of documents; None if there is none."""
    from sklearn.pipeline import Pipeline

    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        inner = weight_argument(last)
        return inner and f"{name}__{inner}"
    return "sample_weight" if has_fit_parameter(estimator, "sample_weight") else None


def fit_weighted(estimator, X, y, weights):
    """Fit an estimator with weights of documents if it takes them, without if not."""
    argument = weight_argument(estimator)
    return estimator.fit(X, y, **({argument: weights} if argument else {}))
