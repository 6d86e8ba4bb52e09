"""What a sceptic would try first: linear classifiers of scikit-learn, NB-SVM and fastText, on texts."""

import warnings
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import ComplementNB
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC
from sklearn.utils.metaestimators import available_if

from experiments.estimators import estimator
from textspace.tuning import half_decade

GAIN = 0.002  # in accuracy: an edge that gains less over its neighbour is not worth a wider range
SVM = LinearSVC(tol=0.01, max_iter=100, random_state=0)  # more passes change hardly an answer


@dataclass(frozen=True)
class Baseline:
    """A classifier of texts: what makes rows of them, what classifies rows, and the setting to be chosen.

    `steps` are the half decades of the parameter `setting` that are tried first.
    """

    title: str
    vectorizer: object
    classifier: object
    setting: str
    steps: range

    def fit(self, texts, y, unlabelled):
        """Choose the setting and fit, with self-training where there are texts without labels.

        The folds share the rows of all texts, which know of no label.
        """
        vectorizer = clone(self.vectorizer).fit([*texts, *unlabelled])
        rows = vectorizer.transform(texts)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The least populated class")  # some have two documents
            warnings.filterwarnings("ignore", message="Liblinear failed to converge")
            setting = choose(self.classifier, rows, y, self.setting, self.steps)
            classifier = clone(self.classifier).set_params(**setting)
            if unlabelled:
                classifier = self_training(classifier)
                rows = sparse.vstack([rows, vectorizer.transform(unlabelled)], format="csr")
                y = np.concatenate([y, np.full(len(unlabelled), "")])
            return FittedBaseline(vectorizer, classifier.fit(rows, y), setting)


@dataclass(frozen=True)
class FittedBaseline:
    """A fitted baseline and the setting that was chosen."""

    vectorizer: object
    classifier: object
    setting: dict

    def predict(self, texts):
        """Give the labels of texts."""
        return self.classifier.predict(self.vectorizer.transform(texts))

    @available_if(lambda self: hasattr(self.classifier, "predict_proba"))
    def predict_proba(self, texts):
        """Give the probabilities of the classes."""
        return self.classifier.predict_proba(self.vectorizer.transform(texts))


def choose(classifier, rows, y, name, steps):
    """Give the value of a parameter with the highest accuracy in three folds, as a dict.

    The half decades in `steps` are tried, and then more beyond an edge as long as each gains enough.
    """
    folds = StratifiedKFold(3, shuffle=True, random_state=0)

    @cache
    def accuracy(step):
        tried = clone(classifier).set_params(**{name: half_decade(step)})
        try:
            return float(np.mean(cross_val_score(tried, rows, y, cv=folds, error_score=0.0)))
        except ValueError:  # no fold could be fitted: fastText stops where its rate is far too large
            return 0.0

    best = max(steps, key=accuracy)
    for edge, direction in ((steps[0], -1), (steps[-1], 1)):
        while best == edge and accuracy(edge) > accuracy(edge - direction) + GAIN:
            edge += direction
            best = max(best, edge, key=accuracy)
    return {name: half_decade(best)}


def self_training(classifier):
    """Give a classifier that learns again from its surest answers."""
    return estimator(
        "textspace.classify.SelfTraining",
        estimator=classifier,
        threshold=0.7,
        quota=0.5,
        weight=0.5,
        n_rounds=3,
        cv=5,
    )


def _words_and_pairs():
    return TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2))


def _as_array(texts):
    return np.array(texts, dtype=object)


LOGISTIC = OneVsRestClassifier(LogisticRegression(solver="liblinear", dual=True, tol=0.01, random_state=0))
BASELINES = {
    "svm": Baseline("LinearSVC, words and pairs", _words_and_pairs(), SVM, "C", range(-2, 2)),
    "nbsvm": Baseline(
        "NB-SVM, words and pairs",
        CountVectorizer(binary=True, ngram_range=(1, 2), dtype=np.float64),
        estimator("textspace.classify.NBSVM", C=1.0, random_state=0),
        "C",
        range(-4, 0),
    ),
    "letters": Baseline(
        "LinearSVC, 2 to 5 letters",
        TfidfVectorizer(sublinear_tf=True, analyzer="char_wb", ngram_range=(2, 5)),
        SVM,
        "C",
        range(-2, 2),
    ),
    "logreg": Baseline("logistic regression", _words_and_pairs(), LOGISTIC, "estimator__C", range(1, 5)),
    "nb": Baseline("complement naive Bayes", _words_and_pairs(), ComplementNB(), "alpha", range(-3, 1)),
    "fasttext": Baseline(
        "fastText, words and pairs",
        FunctionTransformer(_as_array),
        estimator("textspace.classify.FastText", lr=0.3, epoch=25, dim=50, bucket=500_000),
        "lr",
        range(-2, 1),
    ),
}
