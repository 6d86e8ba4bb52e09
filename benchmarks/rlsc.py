"""RLSC with its search for the penalty against one fit of a linear support vector machine."""

import numpy as np
from benchmarks._documents import training_matrix
from benchmarks._measure import best_of, peak_extra_memory
from sklearn.svm import LinearSVC

from textspace.classify import RLSC


def fit_rlsc(X, y):
    """Search 20 penalties by 5 folds, all classes, and fit with the best."""
    return RLSC(cv=5).fit(X, y)


def fit_svm(X, y):
    return LinearSVC().fit(X, y)


def main():
    against_svm()
    growth()


def against_svm():
    print("RLSC (20 lambdas, 5 folds, all classes, final fit) against one LinearSVC()")
    for corpus in ("reuters-r52", "20newsgroups"):
        X, y = training_matrix(corpus)
        ours, svm = best_of(fit_rlsc, X, y), best_of(fit_svm, X, y)
        model = fit_rlsc(X, y)
        print(
            f"  {corpus:13} RLSC {ours.wall:5.2f} s  LinearSVC {svm.wall:5.2f} s  "
            f"ratio {ours.wall / svm.wall:.2f} on the clock, {ours.cpu / svm.cpu:.2f} of CPU; "
            f"lambda {model.lambda_:.2f}, {np.isfinite(model.scores_).sum()} of 20 tried; "
            f"extra memory {peak_extra_memory(fit_rlsc, X, y):.0f} MB"
        )


def growth():
    print("Growth on 20newsgroups: seconds of CPU (ratio to LinearSVC)")
    for n_samples in (1400, 2800, 5600, 11293):
        X, y = training_matrix("20newsgroups", n_samples)
        ours, svm = best_of(fit_rlsc, X, y), best_of(fit_svm, X, y)
        line = f"  n = {n_samples:6}   5 folds {ours.cpu:5.2f} ({ours.cpu / svm.cpu:.2f})"
        if n_samples <= 2000:
            exact = best_of(RLSC().fit, X, y)
            line += f"   exact leave-one-out {exact.cpu:5.2f} ({exact.cpu / svm.cpu:.2f})"
        print(line)
