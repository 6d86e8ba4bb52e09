"""A classifier that passes over documents without a label."""

from typing import ClassVar

from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from textspace._labels import split_labelled
from textspace._parameters import CLASSIFIER
from textspace._saving import saved_as
from textspace._validation import validate_data
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
class LabelledOnly(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
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

    def fit(self, X, y):
        """Learn from the labelled documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,)
            Their classes; -1, the empty string, None or NaN, the same throughout, where there is none.

        Returns
        -------
        LabelledOnly
            The fitted classifier.
        """
        self._validate_params()
        labelled, codes, self.classes_ = split_labelled(y, signs=True)
        X, codes = indexable(validate_data(self, X, accept_sparse="csr", dtype=None), codes)
        self.estimator_ = clone(self.estimator).fit(X[labelled], self.classes_[codes[labelled]])
        return self

    def predict(self, X):
        """Classify documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples,)
            What the estimator says.
        """
        X = self._documents(X)
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

    def _documents(self, X):
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse="csr", dtype=None, reset=False)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags.poor_score = inner.classifier_tags.poor_score
        return tags
