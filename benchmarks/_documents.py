"""Document matrices that the benchmarks share."""

import numpy as np

from textspace.datasets import load
from textspace.text import VectorSpace

CORPUS = "20newsgroups"
N_HASHED = 2**18
DROPOUT = 0.3  # share of the words that a copy of a document loses


def training_matrix(corpus, n_samples=None):
    """Training documents of a corpus as a matrix, and their labels; a seeded draw if n_samples is given."""
    train = load(corpus).train
    X = VectorSpace().fit_transform(train.texts)
    if n_samples is None:
        return X, train.labels
    rows = np.random.default_rng(0).permutation(X.shape[0])[:n_samples]
    return X[rows], train.labels[rows]


def labels_of(n_documents):
    """Numbers of the originals of some drawn documents, and their labels."""
    labels = np.asarray(load(CORPUS).labels)
    originals = np.random.default_rng(0).integers(len(labels), size=n_documents)
    return originals, labels[originals]


def drawn(n_documents):
    """As many documents as are wanted, copies of those of a corpus, and their labels."""
    originals, y = labels_of(n_documents)
    return draw(load(CORPUS).texts, originals, np.arange(n_documents)), y


def draw(texts, originals, numbers):
    """Copy texts without some of their words; which ones is settled by the number of the copy."""
    copies = []
    for original, number in zip(originals, numbers, strict=True):
        words = texts[original].split()
        kept = np.random.default_rng(number).random(len(words)) >= DROPOUT
        copies.append(" ".join(word for word, keep in zip(words, kept, strict=True) if keep))
    return copies
