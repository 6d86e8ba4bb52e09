"""Prediction by the nearest document among very many: clusters against comparison with all."""

import time

import numpy as np
from benchmarks._measure import best_of, peak_extra_memory
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import normalize

from textspace.classify import NearestDocuments
from textspace.datasets import load
from textspace.linear import LSI
from textspace.text import VectorSpace

CORPUS = "20newsgroups-bydate"
COMPONENTS = 100
SIZES = (100_000, 1_000_000)
N_QUERIES = 1000
DROPOUT = 0.3  # share of its words that a copy of a document loses


def main():
    print(f"Nearest of many documents in {COMPONENTS} dimensions, {CORPUS}: clusters against all")
    positions, labels, queries, truth = projected(max(SIZES))
    for size in SIZES:
        X, y = positions[:size], labels[:size]
        started = time.process_time()
        clusters = NearestDocuments(algorithm="clusters", random_state=0).fit(X, y)
        built = time.process_time() - started
        brute = KNeighborsClassifier(1, algorithm="brute").fit(X, y)
        ours, theirs = clusters.predict(queries), brute.predict(queries)
        cost = best_of(clusters.predict, queries).cpu / N_QUERIES
        exact_cost = best_of(brute.predict, queries, repeats=1).cpu / N_QUERIES
        print(
            f"  n = {size:8}: clusters built in {built:5.1f} s of CPU, recall {clusters.recall_:.3f}, "
            f"a document {1e6 * cost:5.0f} us, against all {1e6 * exact_cost:5.0f} us, ratio "
            f"{cost / exact_cost:.3f}; same class {np.mean(ours == theirs):.3f}, right "
            f"{np.mean(ours == truth):.3f} and {np.mean(theirs == truth):.3f}"
        )
    extra = peak_extra_memory(fit_clusters, X, y)
    print(f"  peak memory of the build beyond the {X.nbytes / 2**20:.0f} MB given: {extra:.0f} MB")


def fit_clusters(X, y):
    NearestDocuments(algorithm="clusters", random_state=0).fit(X, y)


def projected(n_documents, batch=20_000):
    """Positions and labels of copies of training documents without some words, and of test documents."""
    corpus = load(CORPUS)
    space = VectorSpace()
    documents = space.fit_transform(corpus.train.texts)
    lsi = LSI(COMPONENTS, random_state=0).fit(documents)
    rng = np.random.default_rng(0)
    originals = rng.integers(documents.shape[0], size=n_documents)
    positions = np.empty((n_documents, COMPONENTS), dtype=np.float32)
    for start in range(0, n_documents, batch):
        copies = documents[originals[start : start + batch]]
        copies.data *= rng.random(len(copies.data)) >= DROPOUT
        positions[start : start + batch] = lsi.transform(normalize(copies))
    test = rng.permutation(len(corpus.test.texts))[:N_QUERIES]
    queries = lsi.transform(space.transform([corpus.test.texts[row] for row in test]))
    return positions, corpus.train.labels[originals], queries, corpus.test.labels[test]
