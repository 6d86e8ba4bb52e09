"""Texts and their labels, brought into the form in which they are learned."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array

from textspace._label_lists import COLLECTIONS, split_label_lists
from textspace._labels import check_labels, class_weights, of_one_type, split_labelled, without_na


class LabelledTexts(NamedTuple):
    """Texts of which some are labelled, the others mostly behind them.

    Attributes
    ----------
    texts : list of str, or csr_array of raw term counts
        Texts.
    labelled : ndarray of shape (n_texts,), bool
        Which of them are labelled.
    labels : ndarray of str, shape (n_texts,), or csr_array of shape (n_labelled, n_classes)
        The label of each text, "" for none; where texts may have several, ones where a labelled one has it.
    classes : ndarray of shape (n_classes,)
        Labels, sorted as text.
    class_shares : ndarray of shape (n_classes,)
        Shares of the labelled texts that have each.
    weights : ndarray of shape (n_texts,) or None
        What each text counts, 1 where it has no label; None where all count the same.
    """

    texts: Any
    labelled: np.ndarray
    labels: Any
    classes: np.ndarray
    class_shares: np.ndarray
    weights: np.ndarray | None = None

    def labels_of(self, places):
        """Give the labels of labelled texts, by their places among these; of several labels, tuples."""
        if not sparse.issparse(self.labels):
            return self.labels[self.labelled][places]
        own, names = self.labels[places], self.classes.astype(str)
        return [tuple(names[each].tolist()) for each in np.split(own.indices, own.indptr[1:-1])]


def texts_with_labels(texts, y, unlabelled, tree, sample_weight=None, class_weight=None):
    """Give texts of one label each as LabelledTexts; what the arguments are, `TextClassifier.fit` says."""
    if sample_weight is not None:
        texts, y = join_texts(texts, y, None)
        sample_weight = _check_weights(sample_weight, len(y))
        kept = np.flatnonzero(sample_weight)  # a text of weight 0 is as good as not there
        texts = texts[kept] if sparse.issparse(texts) else [texts[row] for row in kept]
        y, sample_weight = y[kept], sample_weight[kept]
    texts, y = join_texts(texts, y, unlabelled)
    labelled, codes, classes = split_labelled(y)
    names = classes.astype(str)
    order = np.argsort(names)  # as the model has them, which knows their text only
    weights = _weights(classes[codes[labelled]], labelled, sample_weight, class_weight)
    sizes = np.bincount(codes[labelled], None if weights is None else weights[labelled])
    if tree is not None:
        tree.check_labels(names)
    y = np.where(labelled, names[codes], "")
    return LabelledTexts(texts, labelled, y, classes[order], sizes[order] / sizes.sum(), weights)


def texts_with_lists(texts, y, unlabelled, tree, ancestors):
    """Do the same for lists of labels; where each has just one, as for these labels themselves."""
    texts, y = join_lists(texts, y, unlabelled)
    labelled, truth, classes = split_label_lists(y)
    if tree is not None:
        tree.check_labels(classes, inner=True)
    if ancestors:
        if tree is None:
            raise ValueError("ancestors=True needs the tree in which the labels lie: give tree.")
        truth, classes = _with_ancestors(truth, classes, tree)
    elif len(classes) > 1 and np.all(np.diff(truth.indptr) == 1):
        single = np.full(len(labelled), None, dtype=object)
        single[labelled] = classes[truth.indices].tolist()
        return texts_with_labels(texts, single, None, tree)
    shares = np.asarray(truth.mean(axis=0), dtype=np.float64).ravel()
    return LabelledTexts(texts, labelled, truth, classes, shares)


def listed_labels(y):
    """Give labels, or lists of them, one a row, with None where pandas has NA; refuse what holds none."""
    if isinstance(y, str | bytes) or not isinstance(y, Iterable):
        raise TypeError(f"y must be a list or one column of labels, one a text, but is {type(y).__name__}.")
    y = y.toarray() if sparse.issparse(y) else y
    y = y if hasattr(y, "__getitem__") else list(y)
    if isinstance(y, list | tuple):
        return [None if type(each).__name__ == "NAType" else each for each in y]
    y = without_na(y if np.ma.is_masked(y) else np.asarray(y, dtype=object))
    return y.ravel() if y.shape[1:] == (1,) else y


def known_labels(y):
    """Give listed labels, one a text, as an array; refuse those that are missing."""
    return of_one_type(list(check_labels(y)))


def label_sets(y, tree):
    """Give lists of labels as sets of text, with the categories of the tree above them if there is one."""
    found = []
    for row, labels in enumerate(y):
        if not isinstance(labels, COLLECTIONS):
            raise ValueError(
                f"row {row} of y holds {labels!r}: give a list of labels, [] where there is none."
            )
        names = {str(label) for label in labels}
        above = () if tree is None else (tree.ancestors(name) for name in names if name in tree)
        found.append(names.union(*above))
    return found


def join_lists(texts, y, unlabelled):
    """Put unlabelled texts behind those with lists of labels, marked by None."""
    y = list(y)
    texts, _ = join_texts(texts, [None] * len(y), unlabelled)
    n_texts = texts.shape[0] if sparse.issparse(texts) else len(texts)
    missing = [isinstance(labels, float) and labels != labels for labels in y]
    y = [None if nan or labels is None else labels for labels, nan in zip(y, missing, strict=True)]
    return texts, y + [None] * (n_texts - len(y))


def join_texts(texts, y, unlabelled):
    """Put unlabelled texts behind the others, marked as the others are."""
    texts = texts.tocsr() if sparse.issparse(texts) else _listed(texts)
    n_texts = texts.shape[0] if sparse.issparse(texts) else len(texts)
    if n_texts != len(y):
        raise ValueError(f"there are {n_texts} texts, but {len(y)} labels: give one label a text.")
    y = np.array(["" if label is None or label != label else label for label in y], dtype=object)
    if unlabelled is None:
        return texts, y
    if sparse.issparse(texts):
        more = sparse.csr_array(unlabelled)
        return sparse.vstack([texts, more], format="csr"), np.append(y, [""] * more.shape[0])
    more = _listed(unlabelled)
    return texts + more, np.append(y, np.array([""] * len(more), dtype=object))


def _listed(texts):
    """Give texts as a list; refuse what is one text alone, a table, or nothing that holds texts."""
    expected = "TextClassifier takes a list or one column of texts"
    if isinstance(texts, str | bytes):
        raise TypeError(f"{expected}, but was given a single one: put it in a list.")
    if not isinstance(texts, Iterable):
        raise TypeError(f"{expected}, but was given {type(texts).__name__}: put texts in a list.")
    if len(getattr(texts, "shape", (0,))) != 1:
        raise TypeError(
            f"{expected}, but was given {type(texts).__name__} of shape {texts.shape}: join its columns, as "
            "in table['subject'] + '\\n' + table['body']."
        )
    return list(texts)


def _check_weights(sample_weight, n_texts):
    """Give weights of texts as an array; refuse those that are negative, no numbers, or too few."""
    weights = check_array(
        sample_weight, ensure_2d=False, dtype=np.float64, ensure_non_negative=True, input_name="sample_weight"
    )
    if weights.shape != (n_texts,):
        raise ValueError(f"sample_weight has the shape {weights.shape}: give one weight for each text.")
    if not weights.any():
        raise ValueError("sample_weight is 0 for all texts: weigh some of them more.")
    return weights


def _weights(labels, labelled, sample_weight, class_weight):
    """Give what texts count, None where all count the same; those without a label count 1."""
    if sample_weight is None and class_weight is None:
        return None
    weights = np.ones(len(labelled))
    if sample_weight is not None:
        weights[: len(sample_weight)] = sample_weight
    if class_weight is not None:
        weights[labelled] *= class_weights(class_weight, labels)
    weights[~labelled] = 1.0
    return weights


def _with_ancestors(truth, classes, tree):
    """Give documents the categories above each of their labels too: a new matrix, and its labels as text."""
    above = {label: tree.ancestors(label) for label in classes.astype(str).tolist()}
    names = sorted({*above, *(node for nodes in above.values() for node in nodes)})
    places = {name: place for place, name in enumerate(names)}
    pairs = [(row, places[name]) for row, label in enumerate(above) for name in (label, *above[label])]
    implied = sparse.csr_array(
        (np.ones(len(pairs), dtype=np.float32), tuple(np.transpose(pairs))), shape=(len(above), len(names))
    )
    completed = (truth @ implied).tocsr()
    completed.data[:] = 1
    completed.sort_indices()
    return completed, np.array(names)
