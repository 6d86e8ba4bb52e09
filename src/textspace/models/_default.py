"""Which classifier of rows is taken where none is named."""

from textspace.classify import CentroidClassifier, SubspaceBlend

MANY_CLASSES = 1000  # above, coefficients for all terms and classes take hours and fill the memory


def default_classifier(n_classes, *, n_words, random_state):
    """Give the classifier that suits a number of classes.

    Parameters
    ----------
    n_classes : int
        Number of classes.
    n_words : int or None
        Number of first columns that are single words, as in :class:`SubspaceBlend`.
    random_state : int, RandomState instance or None
        Seed.

    Returns
    -------
    SubspaceBlend or CentroidClassifier
        Not fitted. The second with more than 1000 classes.
    """
    if n_classes > MANY_CLASSES:
        return CentroidClassifier(n_words or None)
    return SubspaceBlend(n_words=n_words, random_state=random_state)
