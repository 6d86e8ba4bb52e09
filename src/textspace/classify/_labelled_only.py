"""A classifier that passes over documents without a label."""

from typing import ClassVar

from sklearn.base import clone
from sklearn.utils.metaestimators import available_if

from textspace._parameters import CLASSIFIER
from textspace._saving import saved_as
from textspace.classify._base import AroundEstimator, PartlyLabelled
from textspace.tuning import knows_nearest, nearest_of_classes, pipeline_parts


def _has(method):
    return available_if(lambda model: hasattr(model.estimator, method))


def _knows_nearest(model):
    # those of a pipeline would lie in its own space, not in that of the rows which this one is given
    return knows_nearest(model.estimator) and pipeline_parts(model.estimator)[0] is None


@saved_as(
    "classify.labelled_only",
    shapes={
        "classes_": "c",
        "n_features_in_": "d",
        "estimator_.classes_": "c",
        "estimator_.n_features_in_": "d",
    },
)
class LabelledOnly(AroundEstimator, PartlyLabelled):
    """Let a classifier learn from the labelled documents alone.

    As the last step of a ``Pipeline`` it leaves all documents, labelled or not, to the steps before it: a
    space that needs no labels then learns from all text.

    Parameters
    ----------
    estimator : classifier
        What learns from the labelled documents.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    classes_ : ndarray of shape (n_classes,)
        Labels seen in ``fit``.
    n_features_in_ : int
        Number of columns seen in ``fit``.

    Examples
    --------
    No labelled document holds both words of the last one, but an unlabelled document does:

    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from textspace.classify import LabelledOnly
    >>> from textspace.linear import LSI
    >>> from textspace.text import VectorSpace
    >>> texts = ["crop of corn", "ships at sea", "corn and maize", "ships and vessels"]
    >>> labels = ["grain", "ship", "", ""]
    >>> nearest = LabelledOnly(KNeighborsClassifier(n_neighbors=1))
    >>> model = make_pipeline(VectorSpace(), LSI(2), nearest).fit(texts, labels)
    >>> model.predict(["vessels", "maize"])
    array(['ship', 'grain'], dtype='<U5')
    """

    _parameter_constraints: ClassVar = {"estimator": [CLASSIFIER]}

    def __init__(self, estimator):
        self.estimator = estimator

    def _learn(self, X, y):
        labelled = y >= 0
        self.estimator_ = clone(self.estimator).fit(X[labelled], self.classes_[y[labelled]])

    def _answers(self, X):
        return self.estimator_.predict(X)

    @_has("predict_proba")
    def predict_proba(self, X):
        """Give the estimator's probabilities of the classes, of shape (n_samples, n_classes)."""
        X = self._documents(X)
        return self.estimator_.predict_proba(X)

    @_has("decision_function")
    def decision_function(self, X):
        """Give the estimator's decision values, of shape (n_samples, n_classes) or (n_samples,)."""
        X = self._documents(X)
        return self.estimator_.decision_function(X)

    @available_if(_knows_nearest)
    def nearest_of_classes(self, X):
        """Give the nearest labelled document of each class and the distances to it, as the estimator does."""
        X = self._documents(X)
        return nearest_of_classes(self.estimator_, X)
