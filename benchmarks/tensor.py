"""Tensor LRWMMC's fit, and one of its sweeps against dense tensors and the paper's sum over pairs."""

import numpy as np
from benchmarks._measure import best_of, peak_extra_memory
from scipy import sparse

from textspace.datasets import load
from textspace.graphs import relevance_graph
from textspace.neighbors import class_neighbors
from textspace.tensor import HOSVD, TensorLRWMMC
from textspace.tensor._products import scatter, unfold
from textspace.text import TrigramTensorSpace

SHAPE = (27, 27, 27)


def trigrams(corpus):
    train = load(corpus).train
    return TrigramTensorSpace().fit_transform(train.texts), train.labels


def fit(X, y, ranks=18):
    return TensorLRWMMC(ranks=ranks).fit(X, y)


def sparse_sweep(unfoldings, half_graph, factors):
    """Multiply as we do: sparse documents with blocks of the other modes' Kronecker product."""
    return [
        scatter(unfolding, half_graph, factors[:mode] + factors[mode + 1 :])
        for mode, unfolding in enumerate(unfoldings)
    ]


def dense_sweep(tensors, graph, factors):
    """Project dense tensors mode by mode, and contract all but one mode with the graph in between."""
    return [_contract(projected, graph) for projected in _projected(tensors, factors)]


def pairwise_sweep(tensors, graph, factors):
    """Sum over pairs of documents, as the paper writes it."""
    edges = sparse.triu(-graph, 1).tocoo()
    matrices = []
    for flat in _projected(tensors, factors):
        total = 0
        for i, j, weight in zip(edges.row, edges.col, edges.data, strict=True):
            difference = flat[:, i] - flat[:, j]
            total = total + weight * difference @ difference.T
        matrices.append(total)
    return matrices


def _projected(tensors, factors):
    """Give, for each mode, documents with the other modes projected: arrays (size, n_samples, others)."""
    for mode in range(len(factors)):
        projected = tensors
        for other, factor in enumerate(factors):
            if other != mode:
                contracted = np.tensordot(projected, factor, (other + 1, 0))
                projected = np.moveaxis(contracted, -1, other + 1)
        yield np.moveaxis(projected, mode + 1, 0).reshape(len(factors[mode]), len(tensors), -1)


def _contract(flat, graph):
    weighted = np.stack([graph @ each for each in flat])
    return np.tensordot(flat, weighted, ((1, 2), (1, 2)))


def main():
    fits()
    sweeps()


def fits():
    print("TensorLRWMMC on letter trigrams, whole fit")
    for corpus in ("reuters-r52", "20newsgroups"):
        X, y = trigrams(corpus)
        fit(X[::20], y[::20])  # compiles
        memory = peak_extra_memory(fit, X, y)
        for ranks in (8, 18):
            ours = best_of(fit, X, y, ranks, repeats=1)
            print(f"  {corpus:13} ranks {ranks:2}: {ours.wall:5.1f} s on the clock, {ours.cpu:5.1f} s of CPU")
        dense = X.shape[0] * X.shape[1] * X.dtype.itemsize / 1e6
        print(f"  {'':13} extra memory {memory:.0f} MB; as dense tensors X alone would take {dense:.0f} MB")


def sweeps(n_samples=1000):
    print(f"One sweep over the modes of {n_samples} documents of reuters-r52, ranks 18")
    X, y = trigrams("reuters-r52")
    rows = np.random.default_rng(0).permutation(X.shape[0])[:n_samples]
    X, classes = X[rows], np.unique(y[rows], return_inverse=True)[1]
    graph = relevance_graph(class_neighbors(X, classes, n_neighbors=5)).local
    half_graph = (sparse.triu(graph) - sparse.diags_array(graph.diagonal() / 2)).tocsr().astype(X.dtype)
    factors = HOSVD().fit(X).factors_
    tensors = X.toarray().reshape(n_samples, *SHAPE[::-1]).transpose(0, 3, 2, 1).copy()
    unfoldings = [unfold(X, SHAPE, mode) for mode in range(3)]
    expected = sparse_sweep(unfoldings, half_graph, factors)
    ours = best_of(sparse_sweep, unfoldings, half_graph, factors)
    print(f"  sparse blocks    {ours.cpu:6.2f} s of CPU")
    for name, peer, repeats in (("dense tensordot", dense_sweep, 3), ("sum over pairs", pairwise_sweep, 1)):
        theirs = best_of(peer, tensors, graph, factors, repeats=repeats)
        difference = max(
            np.abs(one - other).max() / np.abs(one).max()
            for one, other in zip(expected, peer(tensors, graph, factors), strict=True)
        )
        print(
            f"  {name:16} {theirs.cpu:6.2f} s, {theirs.cpu / ours.cpu:.1f} times as long, "
            f"relative difference {difference:.0e}"
        )


if __name__ == "__main__":
    main()
