"""Leverage scores of rank 1000 against TruncatedSVD(100) and against a dense eigendecomposition."""

import numpy as np
from benchmarks._measure import best_of
from sklearn.decomposition import TruncatedSVD
from sklearn.model_selection import train_test_split

from textspace.datasets import load
from textspace.selection import subspace
from textspace.text import VectorSpace

RANK = 1000


def main():
    print(f"Leverage scores of rank {RANK} against TruncatedSVD(100); exact scores by a dense eigenproblem")
    corpus = load("20newsgroups")
    texts, _ = train_test_split(list(corpus.texts), test_size=0.2, random_state=11)
    X = VectorSpace(scheme="ltc").fit_transform(texts)
    ours = best_of(lambda: subspace(X, rank=RANK, random_state=0), repeats=2)
    print(f"  20newsgroups, {X.shape[0]} documents: {ours.wall:.0f} s, {ours.cpu:.0f} s of CPU")
    for algorithm in ("arpack", "randomized"):
        svd = best_of(TruncatedSVD(100, algorithm=algorithm, random_state=0).fit, X)
        print(
            f"  {'':12} TruncatedSVD, {algorithm:10} {svd.cpu:5.2f} s of CPU, ratio {ours.cpu / svd.cpu:.1f}"
        )
    scores = subspace(X, rank=RANK, random_state=0)
    exact = subspace(X, rank=RANK, exact=True)
    largest = np.argsort(-exact)[:1000]
    error = np.abs(scores - exact)[largest] / exact[largest]
    print(f"  {'':12} largest relative error on the 1000 largest scores {error.max():.1e}")


if __name__ == "__main__":
    main()
