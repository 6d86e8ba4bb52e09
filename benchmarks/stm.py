"""Support tensor machine, all categories of Reuters ModApte-41, against a linear SVM with the same loss."""

import warnings

import numpy as np
from benchmarks._measure import best_of, peak_extra_memory
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from textspace.datasets import load
from textspace.tensor import SupportTensorMachine
from textspace.text import FoldedTensorSpace

# liblinear stops after 1000 passes, whether or not it has converged
warnings.filterwarnings("ignore", category=ConvergenceWarning)


def fit_stm(X, y, rank=1):
    return SupportTensorMachine((None, 50), C=10.0, rank=rank).fit(X, y)


def fit_svm(X, y):
    return LinearSVC(loss="hinge", C=10.0).fit(X, y)


def main():
    train = load("reuters-modapte-41").train
    X, y = FoldedTensorSpace().fit_transform(train.texts), train.labels
    rows = np.random.default_rng(0).permutation(len(y))
    fit_stm(X[rows[:200]], y[rows[:200]])  # compiles
    print("SupportTensorMachine(C=10), 41 categories, against LinearSVC(loss='hinge', C=10)")
    for n_samples in (1000, 2000, 4000, len(y)):
        some = rows[:n_samples]
        ours, svm = best_of(fit_stm, X[some], y[some]), best_of(fit_svm, X[some], y[some])
        print(f"  n = {n_samples}  {against(ours, svm)}")
    print(f"  extra memory {peak_extra_memory(fit_stm, X, y):.0f} MB")
    print("Terms, n = 1000")
    some = rows[:1000]
    svm = best_of(fit_svm, X[some], y[some])
    for rank in (1, 2, 5, 10):
        print(f"  rank {rank:2}   {against(best_of(fit_stm, X[some], y[some], rank, repeats=1), svm)}")


def against(ours, svm):
    return (
        f"STM {ours.wall:5.2f} s  SVM {svm.wall:4.2f} s  "
        f"ratio {ours.wall / svm.wall:.1f} on the clock, {ours.cpu / svm.cpu:.1f} of CPU"
    )
