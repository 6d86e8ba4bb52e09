"""How good are answers of several labels a document: decisions, rankings and probabilities."""

import numpy as np
from scipy import sparse

from textspace.evaluation._confidence import MOST, calibration_error
from textspace.evaluation._decisions import as_decisions
from textspace.evaluation._scores import f1_averages, precision_recall_f1

LEAST_PROBABILITY = 0.01  # pairs of which the calibration is judged are likelier than this
_CELLS = 1 << 22  # of the probabilities, ranked at a time


def multilabel_scores(truth, predicted, probabilities=None, *, k=(1, 3, 5), propensities=None):
    """Score answers of several labels a document.

    Parameters
    ----------
    truth : {array, sparse matrix} of bool, shape (n_documents, n_labels)
        Which labels the documents have. What is sparse stays so.
    predicted : {array, sparse matrix} of bool, shape (n_documents, n_labels)
        Which labels they were given.
    probabilities : {array, sparse matrix} of shape (n_documents, n_labels), default=None
        Probability, or another score, of each pair of a document and a label. What a sparse one does not hold
        is 0. Without it rankings and calibration are not scored.
    k : tuple of int, default=(1, 3, 5)
        How many labels at the top of the ranking are looked at.
    propensities : array of shape (n_labels,), default=None
        As :func:`label_propensities` gives them; without it there is no ``propensity_precision_at_k``.

    Returns
    -------
    dict of str to float
        ``micro_precision``, ``micro_recall``, ``micro_f1``, over all pairs; ``macro_precision``,
        ``macro_recall``, ``macro_f1``, the means over all labels, in which a label that is neither there nor
        given counts 0; ``macro_f1_tested``, the mean over the labels that a document has; ``example_f1``, the
        mean over the documents, in which one rightly left without a label counts 1; ``subset_accuracy``, the
        share of documents whose labels are all right; ``cardinality_true`` and ``cardinality_predicted``,
        labels a document. With probabilities ``precision_at_k``, the share of right labels among the k
        likeliest; ``ndcg_at_k`` [1]_; ``propensity_precision_at_k`` [2]_, in which rare labels count for more
        and the best ranking has 1; ``calibration_error``, over the pairs that are likelier than .01, unless
        one is above 1, as only a score can be.

    References
    ----------
    .. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20,
       2002.
    .. [2] H. Jain, Y. Prabhu and M. Varma, "Extreme multi-label loss functions for recommendation, tagging,
       ranking and other missing label applications", KDD 2016.

    Examples
    --------
    >>> truth = np.array([[1, 1, 0], [0, 0, 1]], dtype=bool)
    >>> probabilities = np.array([[0.9, 0.4, 0.1], [0.2, 0.1, 0.8]])
    >>> result = multilabel_scores(truth, probabilities > 0.5, probabilities, k=(1, 2))
    >>> round(result["micro_f1"], 3), result["subset_accuracy"], result["precision_at_2"]
    (0.8, 0.5, 0.75)
    """
    truth, predicted = as_decisions(truth, "truth"), as_decisions(predicted, "predicted")
    if truth.shape != predicted.shape:
        raise ValueError(
            f"truth has the shape {truth.shape} and predicted {predicted.shape}: give a row a document and a "
            "column a label in both."
        )
    if 0 in truth.shape:
        raise ValueError(f"there is nothing to score in decisions of the shape {truth.shape}.")
    truth, predicted = sparse.csr_array(truth), sparse.csr_array(predicted)
    hits, found = truth * predicted, _decisions(truth, predicted)
    by_document = precision_recall_f1(hits.sum(1), truth.sum(1), predicted.sum(1))[2]
    both_empty = truth.sum(1) + predicted.sum(1) == 0
    found |= {
        "example_f1": float(np.mean(np.where(both_empty, 1.0, by_document))),
        "subset_accuracy": float(np.mean((truth != predicted).sum(1) == 0)),
        "cardinality_true": float(truth.sum(1).mean()),
        "cardinality_predicted": float(predicted.sum(1).mean()),
    }
    if probabilities is not None:
        probabilities = _checked(probabilities, truth.shape)
        found |= ranking_scores(truth, probabilities, k=k, propensities=propensities)
        values, right = likely_pairs(truth, probabilities)
        if values.max(initial=0) <= MOST:  # else they are no probabilities
            found["calibration_error"] = float(calibration_error(values, right)) if len(values) else 0.0
    return found


def per_label(truth, predicted):
    """Score each label alone.

    Parameters
    ----------
    truth, predicted : {array, sparse matrix} of bool, shape (n_documents, n_labels)
        As in :func:`multilabel_scores`.

    Returns
    -------
    dict of str to array of shape (n_labels,)
        ``precision``, ``recall``, ``f1``; ``support`` and ``predicted``, the numbers of documents that have
        the label and that were given it.

    Examples
    --------
    >>> result = per_label(np.array([[1, 1], [1, 0]]), np.array([[1, 0], [0, 0]]))
    >>> result["recall"].tolist(), result["support"].tolist()
    ([0.5, 0.0], [2, 1])
    """
    truth = sparse.csr_array(as_decisions(truth, "truth"))
    predicted = sparse.csr_array(as_decisions(predicted, "predicted"))
    counts = (truth * predicted).sum(0), truth.sum(0), predicted.sum(0)
    names = ("precision", "recall", "f1")
    return dict(zip(names, precision_recall_f1(*counts), strict=True)) | {
        "support": counts[1],
        "predicted": counts[2],
    }


def label_propensities(sizes, n_documents, *, a=0.55, b=1.5):
    """Estimate how often a label that a document should have was indeed given to it [1]_.

    Parameters
    ----------
    sizes : array-like of shape (n_labels,)
        Number of training documents of each label.
    n_documents : int
        Number of training documents.
    a : float, default=0.55
        Exponent of the model; the default is usual where nothing is known of the collection.
    b : float, default=1.5
        What is added to the sizes; likewise.

    Returns
    -------
    ndarray of shape (n_labels,)
        Above 0, and at most 1: the rarer a label, the smaller.

    References
    ----------
    .. [1] H. Jain, Y. Prabhu and M. Varma, "Extreme multi-label loss functions for recommendation, tagging,
       ranking and other missing label applications", KDD 2016.

    Examples
    --------
    >>> label_propensities([1, 100, 5000], 10_000).round(3)
    array([0.109, 0.483, 0.888])
    """
    c = max(np.log(n_documents) - 1, 0.0) * (b + 1) ** a
    return 1 / (1 + c * np.exp(-a * np.log(np.asarray(sizes, dtype=float) + b)))


def ranking_scores(truth, probabilities, *, k=(1, 3, 5), propensities=None):
    """Score how the labels of each document are ranked, as :func:`multilabel_scores` says.

    Of equal probabilities the label of the smaller number comes first. A document without labels counts 0.
    """
    depth = min(max(k), truth.shape[1])
    top = np.vstack(list(top_labels(probabilities, depth)))
    right = truth[np.arange(len(top))[:, None], top].toarray().astype(float)
    n_labels = truth.sum(1)
    discounts = 1 / np.log2(np.arange(2, max(k) + 2))
    ideal = np.append(0, np.cumsum(discounts))
    found = {}
    for each in k:
        found[f"precision_at_{each}"] = float(right[:, :each].sum() / (each * len(right)))
    for each in k:
        gains = right[:, :each] @ discounts[: min(each, depth)]
        best = ideal[np.minimum(n_labels, each)]
        found[f"ndcg_at_{each}"] = float(np.mean(gains / np.maximum(best, discounts[-1])))
    if propensities is not None:
        weights = 1 / np.asarray(propensities, dtype=float)
        best = _best_weights(truth, weights, max(k))
        for each in k:
            gained = (right[:, :each] * weights[top[:, :each]]).sum()
            found[f"propensity_precision_at_{each}"] = float(gained / max(best[:, :each].sum(), 1e-300))
    return found


def likely_pairs(truth, probabilities):
    """Give the probabilities of the pairs that are likelier than .01, and whether the document has the label.

    Parameters
    ----------
    truth, probabilities
        As in :func:`multilabel_scores`.

    Returns
    -------
    values : ndarray of shape (n_pairs,)
    right : ndarray of bool, shape (n_pairs,)
    """
    values, right = [], []
    truth = sparse.csr_array(truth)
    for rows in _batches(truth.shape):
        part, have = probabilities[rows], truth[rows]
        if sparse.issparse(part):
            part = part.tocoo()
            likely = part.data > LEAST_PROBABILITY
            row, column, value = part.row[likely], part.col[likely], part.data[likely]
        else:
            row, column = np.nonzero(part > LEAST_PROBABILITY)
            value = part[row, column]
        values.append(value)
        right.append(np.asarray(have.toarray()[row, column]))
    return np.concatenate(values), np.concatenate(right)


def _decisions(truth, predicted):
    sizes = truth.sum(0)
    counts = (truth * predicted).sum(0), sizes, predicted.sum(0)
    found = f1_averages(*counts, np.ones(truth.shape[1], dtype=bool))
    del found["macro_f1_of_means"]
    found["macro_f1_tested"] = f1_averages(*counts, sizes > 0)["macro_f1"]
    return {name: float(value) for name, value in found.items()}


def _checked(probabilities, shape):
    is_sparse = sparse.issparse(probabilities)
    probabilities = sparse.csr_array(probabilities) if is_sparse else np.asarray(probabilities)
    if probabilities.shape != shape:
        raise ValueError(
            f"probabilities has the shape {probabilities.shape}, but the decisions have {shape}: give one "
            "value a document and label."
        )
    if np.isnan(probabilities.data if is_sparse else probabilities).any():
        raise ValueError("probabilities holds NaN, which is neither above nor below another value.")
    return probabilities


def _batches(shape):
    step = max(1, _CELLS // shape[1])
    return [slice(start, start + step) for start in range(0, shape[0], step)]


def top_labels(probabilities, depth):
    """Give the numbers of the likeliest labels of each document, the first one first; some rows at a time."""
    for rows in _batches(probabilities.shape):
        part = probabilities[rows]
        part = part.toarray() if sparse.issparse(part) else part
        least = np.partition(part, -depth, axis=1)[:, [-depth]]
        row, label = np.nonzero(part >= least)  # of equal ones those that are too many are dropped below
        order = np.lexsort((-part[row, label], row))
        starts = np.searchsorted(row, np.arange(len(part)))
        yield label[order[starts[:, None] + np.arange(depth)]]


def _best_weights(truth, weights, depth):
    """Give the largest weights among the labels of each document, the first one first, padded with 0."""
    best = np.zeros((truth.shape[0], depth))
    for row, (start, end) in enumerate(zip(truth.indptr[:-1], truth.indptr[1:], strict=True)):
        own = np.sort(weights[truth.indices[start:end]])[::-1][:depth]
        best[row, : len(own)] = own
    return best
