"""From the top of a category tree down where documents have several labels: every child is a yes or no."""

import numpy as np
from scipy import sparse

from textspace.classify._calibrated import CalibratedMethod
from textspace.classify._one_against_rest import OneAgainstRest

_FEW = 4  # documents of a category of which nothing is learned but how often each child is right


def documents_inside(truth, labels, paths, nodes):
    """Say which categories documents are in: those of their labels and all above.

    Parameters
    ----------
    truth : csr_array of shape (n_samples, n_labels)
        Ones where a document has a label.
    labels : sequence of str
        Names of the columns.
    paths : callable
        ``paths(label)`` gives a category and all above it.
    nodes : dict of str to int
        Columns of the categories.

    Returns
    -------
    csr_array of shape (n_samples, n_nodes), float32
        Ones where a document is inside.
    """
    pairs = [(row, nodes[node]) for row, label in enumerate(labels) for node in paths(label)]
    implied = sparse.csr_array(
        (np.ones(len(pairs), dtype=np.float32), tuple(np.transpose(pairs))), shape=(len(labels), len(nodes))
    )
    inside = (truth @ implied).tocsr()
    inside.data[:] = 1
    return inside


def fit_several_paths(X, inside, children, nodes, *, estimator, n_folds):
    """Learn for each category which of those right below it its documents are in: some, or none.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_samples, n_features)
        Documents.
    inside : csr_array of shape (n_samples, n_nodes)
        As by :func:`documents_inside`.
    children : dict of str to list of str
        Categories right below each; below None those of the top.
    nodes : dict of str to int
        Columns of the categories.
    estimator : classifier
        What tells each child from the others.
    n_folds : int
        Folds by which probabilities are calibrated.

    Returns
    -------
    estimators : dict of str to CalibratedMethod
        One for each category with two or more below it, and documents.
    shares : dict of str to float
        For all other categories below one with documents, the share of the documents above that are inside.
    """
    estimators, shares = {}, {}
    for node, below in children.items():
        if not below:
            continue
        rows = np.arange(X.shape[0]) if node is None else inside[:, [nodes[node]]].nonzero()[0]
        local = inside[rows][:, [nodes[child] for child in below]]
        if len(rows) < _FEW or len(below) < 2 or local.nnz == 0:
            means = local.sum(axis=0) / max(len(rows), 1)
            shares |= dict(zip(below, means.tolist(), strict=True))
            continue
        machine = CalibratedMethod(OneAgainstRest(estimator), n_folds=n_folds)
        estimators[node] = machine.fit(X[rows], local)
    return estimators, shares


def several_paths_shares(X, estimators, shares, children):
    """Give the probability of each category, that of its parent times its own there; a dict by name."""
    found = {None: np.ones(X.shape[0])}
    for node, below in children.items():
        local = estimators[node].predict_proba(X).T if node in estimators else None
        for place, child in enumerate(below):
            found[child] = found[node] * (shares.get(child, 0.0) if local is None else local[place])
    return found
