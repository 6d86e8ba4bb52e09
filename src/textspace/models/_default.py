"""Which classifier of rows is taken where none is named."""

from textspace.classify import CentroidClassifier, SubspaceBlend

MANY_CLASSES = 1000  # above, coefficients for all terms and classes take hours and fill the memory


def default_classifier(n_classes, *, n_words, random_state, **settings):
    """Give the classifier, not fitted, that suits a number of classes; of the columns the first are words.

    The settings are those of :class:`SubspaceBlend`, should it be one.
    """
    if n_classes > MANY_CLASSES:
        return CentroidClassifier(n_words or None)
    return SubspaceBlend(n_words=n_words, random_state=random_state, **settings)
