"""Document matrices that the benchmarks share."""

import numpy as np

from textspace.datasets import load
from textspace.text import VectorSpace


def training_matrix(corpus, n_samples=None):
    """Training documents of a corpus as a matrix, and their labels; a seeded draw if n_samples is given."""
    train = load(corpus).train
    X = VectorSpace().fit_transform(train.texts)
    if n_samples is None:
        return X, train.labels
    rows = np.random.default_rng(0).permutation(X.shape[0])[:n_samples]
    return X[rows], train.labels[rows]
