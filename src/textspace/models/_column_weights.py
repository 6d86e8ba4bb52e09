"""Whether texts that were put together in another way are easier to classify, asked of documents held out."""

import numpy as np

from textspace._label_lists import are_lists
from textspace._label_sets import indicators, label_lists
from textspace.models._text_classifier import TextClassifier

MOST_DOCUMENTS = 4000  # that are asked: a few seconds
FEWEST_DOCUMENTS = 50
ERRORS = 2.0  # standard errors that a gain must exceed


def gain_of_texts(texts, others, labels, *, random_state=0):
    """Give how much lower the log loss of held-out documents is with other texts of the same documents.

    A quick classifier is fitted on each. Of many documents some are drawn.

    Parameters
    ----------
    texts, others : list of str
        The documents, put together in two ways.
    labels : list of str, or list of tuple of str
        Their labels.
    random_state : int, default=0
        Seed of the draw and of the classifiers.

    Returns
    -------
    float
        What the others gain in the mean; 0 if that is within two standard errors, or there are too few
        documents to tell.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> from textspace.models import gain_of_texts
    >>> demo = load("demo").train
    >>> starts = [text[:20] for text in demo.texts]
    >>> gain_of_texts(starts, demo.texts, demo.labels) > 0 == gain_of_texts(demo.texts, starts, demo.labels)
    True
    """
    labels = label_lists(labels) if are_lists(labels) else np.asarray(labels, dtype=str)
    if len(labels) < FEWEST_DOCUMENTS:
        return 0.0
    rows = np.random.default_rng(random_state).permutation(len(labels))[:MOST_DOCUMENTS]
    losses = [_losses([each[row] for row in rows], labels[rows], random_state) for each in (texts, others)]
    gains = losses[0] - losses[1]
    gain, error = float(gains.mean()), float(gains.std() / np.sqrt(len(gains)))
    return gain if gain > ERRORS * error else 0.0


def _losses(texts, labels, random_state):
    """Give the log loss of each document by a classifier that has not seen it."""
    model = TextClassifier(quick=True, random_state=random_state).fit(texts, labels)
    shares, classes = model.out_of_fold_proba_, model.classes_.astype(str)
    if model.several_:
        own = np.where(indicators(labels, classes).toarray(), shares, 1 - shares)
    else:
        own = shares[np.arange(len(labels)), np.searchsorted(classes, labels)][:, None]
    return -np.log(np.maximum(own, np.finfo(np.float32).tiny)).sum(axis=1)
