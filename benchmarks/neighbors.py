"""Neighbours from shortened lists against exact ones: recall, CPU, and the accuracy of LRWMMC's space."""

import numpy as np
from benchmarks._documents import N_HASHED, draw
from benchmarks._measure import measured

from textspace.classify import NearestDocuments
from textspace.datasets import load
from textspace.graphs import relevance_graph
from textspace.neighbors import class_neighbors, neighbor_recall, posting_neighbors
from textspace.solvers import top_directions
from textspace.text import VectorSpace

CORPUS = "20newsgroups-bydate"
COMPONENTS = 100
NEIGHBORS = 5


def main():
    print(f"Neighbours, and the nearest neighbour rule in {COMPONENTS} dimensions of LRWMMC, {CORPUS}")
    for n_documents in (None, 30_000, 100_000):
        X, y, X_test, y_test = split(n_documents)
        codes = np.unique(y, return_inverse=True)[1]
        for max_postings in (None, 300, 100):
            search(X[:500], codes[:500], max_postings)  # what is compiled is not to count
            found, timing, _ = measured(search, X, codes, max_postings)
            _, components = top_directions(X, relevance_graph(found), n_components=COMPONENTS, random_state=0)
            score = accuracy(components, X, y, X_test, y_test)
            recall = np.mean([neighbor_recall(X, codes, found, random_state=seed) for seed in range(3)])
            name = "exact" if max_postings is None else f"lists of {max_postings}"
            cost = 1e6 * timing.cpu / X.shape[0]
            line = f"{name:12} recall {recall:.3f}, accuracy {score:.4f}, {cost:4.0f} us a document"
            print(f"  n = {X.shape[0]:6}   {line}", flush=True)


def search(X, y, max_postings):
    if max_postings is None:
        return class_neighbors(X, y, n_neighbors=NEIGHBORS)
    return posting_neighbors(X, y, n_neighbors=NEIGHBORS, max_postings=max_postings)


def split(n_documents):
    """Training and test documents of the corpus and their labels; the former drawn, if a number is given."""
    corpus = load(CORPUS)
    texts, y = corpus.train.texts, np.asarray(corpus.train.labels)
    if n_documents is not None:
        originals = np.random.default_rng(0).integers(len(y), size=n_documents)
        texts, y = draw(texts, originals, np.arange(n_documents)), y[originals]
    space = VectorSpace(n_hashed=None if n_documents is None else N_HASHED)
    X = space.fit_transform(texts)
    return X, y, space.transform(corpus.test.texts), np.asarray(corpus.test.labels)


def accuracy(components, X, y, X_test, y_test):
    """Accuracy of the nearest neighbour rule in a space."""
    near = NearestDocuments(random_state=0).fit(X @ components.T, y)
    return np.mean(near.predict(X_test @ components.T) == y_test)
