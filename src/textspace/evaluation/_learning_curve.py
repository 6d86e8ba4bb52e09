"""How a classifier gets better with more documents."""

import numpy as np
from sklearn.base import clone

from textspace._label_lists import are_lists
from textspace._label_sets import indicators, known_labels, label_lists
from textspace._labels import text_labels
from textspace.evaluation._scores import scores
from textspace.evaluation._several_labels import multilabel_scores
from textspace.tuning import share_splits

_SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)


def learning_curve(model, texts, labels, test_texts, test_labels, *, shares=_SHARES, random_state=0):
    """Fit a classifier on growing shares of the training documents, and score it on others.

    Parameters
    ----------
    model : TextClassifier
        Its parameters are used; it need not be fitted, and is not changed.
    texts : list of str
        Training documents.
    labels : array-like of shape (n_documents,), or sequence of lists of str
        Their labels, one or several each; documents without one are left out.
    test_texts : list of str
        Documents to be scored on.
    test_labels : array-like of shape (n_test_documents,), or sequence of lists of str
        Their labels.
    shares : sequence of float, default=(0.1, 0.2, 0.4, 0.7, 1.0)
        Shares of each class to learn from, at least two documents of each. A smaller share is part of a
        larger one. Of several labels a document, shares of the documents in which each label has its own.
    random_state : int, default=0
        Seed of the order in which documents are taken.

    Returns
    -------
    list of dict
        ``n_train``, increasing, ``micro_f1`` and ``macro_f1``.

    Examples
    --------
    >>> from textspace.models import TextClassifier
    >>> from textspace.evaluation import learning_curve
    >>> texts = ["wheat and corn", "corn harvest", "ships at sea", "sea port", "corn crop", "a ship sank"]
    >>> labels = ["grain", "grain", "ship", "ship", "grain", "ship"]
    >>> test = ["corn is ripe", "the sea"], ["grain", "ship"]
    >>> curve = learning_curve(TextClassifier("rlsc"), texts, labels, *test, shares=(0.5, 1.0))
    >>> [point["n_train"] for point in curve]
    [4, 6]
    """
    if are_lists(labels):
        return _curve_of_lists(
            model, texts, label_lists(labels), test_texts, label_lists(test_labels), shares, random_state
        )
    labels = text_labels(labels)
    test_labels = text_labels(test_labels)
    curve = {}
    for share in shares:
        rows = _share_of_classes(labels, share, random_state)
        if len(rows) in curve:  # a small corpus has less sizes than shares
            continue
        fitted = clone(model).fit([texts[row] for row in rows], labels[rows])
        found = scores(test_labels, fitted.predict(test_texts).astype(str))
        curve[len(rows)] = {"micro_f1": found["micro_f1"], "macro_f1": found["macro_f1"]}
    return [{"n_train": n_train, **curve[n_train]} for n_train in sorted(curve)]


def _share_of_classes(labels, share, random_state):
    rng = np.random.default_rng(random_state)
    rows = []
    for label in np.unique(labels[labels != ""]):
        own = rng.permutation(np.flatnonzero(labels == label))
        rows.append(own[: max(2, int(np.floor(share * len(own) + 0.5)))])
    return np.sort(np.concatenate(rows))


def _curve_of_lists(model, texts, labels, test_texts, test_labels, shares, random_state):
    """Do the same where documents have several labels, over those of all training and test documents."""
    tested = [row for row, own in enumerate(test_labels) if own is not None]
    test_texts, test_labels = [test_texts[row] for row in tested], test_labels[tested]
    classes = known_labels([*labels, *test_labels])
    rows, curve = np.flatnonzero([own is not None for own in labels]), []
    for share in sorted(shares, reverse=True):
        n_wanted = int(np.floor(share * sum(own is not None for own in labels) + 0.5))
        if n_wanted < len(rows):  # of those before, so that a smaller share is part of a larger one
            [(some, _)] = share_splits(labels[rows], n_wanted / len(rows), random_state=random_state)
            rows = rows[some]
        if curve and len(rows) == curve[-1]["n_train"]:
            continue
        given = clone(model).fit([texts[row] for row in rows], labels[rows].tolist()).predict(test_texts)
        pairs = (indicators(label_lists(each), classes) for each in (test_labels, given))
        found = multilabel_scores(*pairs)
        curve.append({"n_train": len(rows), "micro_f1": found["micro_f1"], "macro_f1": found["macro_f1"]})
    return curve[::-1]
