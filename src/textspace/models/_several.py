"""What a classifier of texts learns and answers where a text may have several labels."""

import os
from itertools import pairwise

import numpy as np
from scipy import sparse

from textspace.classify import SeveralLabelsBlend, best_penalty
from textspace.models._default import default_alphabets
from textspace.text import Alphabets

_SAMPLE = 2000  # documents that tell which alphabets pay; of fewer than twice as many, all do
_LEAST = 0.002  # share of the log loss that any alphabet must save
_THRIFT, _DEAREST = 0.06, 0.045  # share of it for each billion multiplications in a step of learning, at most
_MOST_PAIRS = 16_000_000  # of texts and labels: above, alphabets beside the stems would take minutes


def fit_several(texts, truth, labelled, *, quick, random_state, **words):
    """Fit alphabets and the blend of several labels.

    The stems choose the penalty, on labelled texts or a sample of them. With it the other alphabets are tried
    one after the other, beside those that are kept. One is kept where it lowers the log loss of documents
    that are left out by enough for its work. Of more than 16 million pairs of texts and labels, stems and
    pairs of them tell alone.

    Parameters
    ----------
    texts : list of str, or sparse matrix of raw term counts
        Texts.
    truth : csr_array of shape (n_labelled, n_labels)
        Ones where a labelled text has a label.
    labelled : ndarray of shape (n_texts,), bool
        Which texts are labelled. Terms and their weights are learned from all.
    quick : bool
        Whether to read single words only, without trying.
    random_state : int
        Seed.
    **words : dict
        The stemmer ``stem`` and the ``stop_words`` of the alphabet of stems.

    Returns
    -------
    alphabets : Alphabets
        Those that are kept, fitted.
    X : csr_matrix of shape (n_texts, n_terms)
        Rows of the texts.
    model : SeveralLabelsBlend
        Fitted.
    """
    # the table of coefficients is sparse: labels, however many, leave room for all terms
    alphabets = default_alphabets(len(labelled), 1, quick=quick, **words)
    rows, alpha = np.flatnonzero(labelled), None
    if truth.shape[0] * truth.shape[1] > _MOST_PAIRS:
        alphabets = Alphabets(alphabets.spaces[:1])
    elif not quick and isinstance(texts, list):
        drawn = np.arange(len(rows))
        if len(rows) > 2 * _SAMPLE:
            generator = np.random.default_rng(random_state)
            drawn = np.sort(generator.choice(drawn, _SAMPLE, replace=False))
        X = alphabets.fit_transform([texts[row] for row in rows[drawn]])
        names, alpha = _paying(alphabets.blocks_, X, truth[drawn], len(rows) / len(drawn), random_state)
        alphabets = Alphabets([(name, space) for name, space in alphabets.spaces if name in names])
    X = alphabets.fit_transform(texts)
    model = SeveralLabelsBlend(alpha, blocks=alphabets.blocks_, random_state=random_state)
    return alphabets, X, model.fit(X[rows], truth)


def _paying(blocks, X, truth, times, random_state):
    """Name the alphabets that pay, and give the best penalty; all documents are so many `times` these."""
    kept, parts, least, alpha = [], [], np.inf, None
    if truth.nnz == 0:  # in a sample of documents of which hardly any has a label
        return [block.name for block in blocks], alpha
    for block in blocks:
        own = X[:, block.start : block.stop]
        rows = sparse.hstack([*parts, own], format="csr")
        tried = {} if alpha is None else {"alphas": [alpha]}
        alpha, loss = best_penalty(rows, truth, **tried, random_state=random_state)
        work = times * own.nnz * truth.shape[1] / 1e9
        if not kept or loss < (1 - _LEAST - min(_DEAREST, _THRIFT * work)) * least:
            kept, parts, least = [*kept, block.name], [*parts, own], loss
    return kept, alpha


def with_ancestors(truth, classes, tree):
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


def label_tuples(given, probabilities, classes):
    """Give the labels of each document as a tuple, by falling probability.

    Parameters
    ----------
    given : ndarray of shape (n_texts, n_labels), bool
        Which labels a document has.
    probabilities : ndarray of shape (n_texts, n_labels)
        Probabilities.
    classes : ndarray of shape (n_labels,)
        Labels.

    Returns
    -------
    list of tuple
        Labels of each document.
    """
    labels = classes.tolist()
    found = []
    for has, own in zip(given, probabilities, strict=True):
        places = np.flatnonzero(has)
        found.append(tuple(labels[place] for place in places[np.argsort(-own[places], kind="stable")]))
    return found


def step_back(labels, probability, tree, least):
    """Replace labels of which one is not sure by categories of the tree of which one is.

    Parameters
    ----------
    labels : list
        Labels of a document.
    probability : callable
        ``probability(node)`` gives that of a label or category.
    tree : LabelTree or None
        The tree; without one there is nothing to step back to.
    least : float
        Probability that each answer has at least.

    Returns
    -------
    tuple
        Labels and categories by falling probability; no category to which one steps back is above another
        answer.
    """
    above = {label: () if tree is None else tree.ancestors(str(label)) for label in labels}
    found = {}
    for label in labels:
        sure = next((node for node in (label, *above[label]) if probability(node) >= least), None)
        if sure is not None:
            found[sure] = probability(sure)
    covered = {node for answer in found if answer in above for node in above[answer]}
    kept = [node for node in found if node in above or node not in covered]
    return tuple(sorted(kept, key=lambda node: -found[node]))


def sparse_tuples(given, classes):
    """Give the labels of each document as a tuple, by falling probability.

    Parameters
    ----------
    given : csr_array of shape (n_texts, n_labels)
        Probabilities of the labels that a document has.
    classes : ndarray of shape (n_labels,)
        Labels.

    Returns
    -------
    list of tuple
        Labels of each document.
    """
    return [tuple(label for label, _ in own) for own in ranked_pairs(given, classes)]


def ranked_pairs(given, classes):
    """Give pairs of a label and its probability for each row of a CSR array, by falling probability."""
    found = []
    for start, stop in pairwise(given.indptr):
        order = start + np.argsort(-given.data[start:stop], kind="stable")
        found.append(
            list(zip(classes[given.indices[order]].tolist(), given.data[order].tolist(), strict=True))
        )
    return found


def check_room(n_texts, n_labels):
    """Refuse an array of all probabilities that would take most of this machine's memory."""
    needed = 16 * n_texts * n_labels  # logits and probabilities
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError):  # not known on this system
        return
    if needed > there / 2:
        raise MemoryError(
            f"probabilities of {n_labels} labels for {n_texts} texts need {needed / 1e9:.0f} GB: ask for the "
            "likeliest ones, likely_labels(texts, n_labels=5), or for fewer texts at a time."
        )
