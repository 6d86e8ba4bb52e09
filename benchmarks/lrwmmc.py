"""LRWMMC's whole fit against scikit-learn's TruncatedSVD and against the paper's QR algorithm."""

import warnings

import numpy as np
from benchmarks._documents import training_matrix
from benchmarks._measure import best_of, peak_extra_memory
from scipy.linalg import subspace_angles
from sklearn.decomposition import TruncatedSVD

from textspace.linear import LRWMMC

# here, so that the process which measures memory is quiet as well
warnings.filterwarnings("ignore", ".*components were asked for")


def fit_lrwmmc(X, y, n_components=100):
    return LRWMMC(n_components, random_state=0).fit(X, y)


def fit_svd(X, n_components=100):
    return TruncatedSVD(n_components, algorithm="arpack", random_state=0).fit(X)


def main():
    against_svd()
    against_qr()
    growth()


def against_svd():
    print("LRWMMC (k=5, 100 directions, graph included) against TruncatedSVD(100, arpack)")
    for corpus in ("reuters-r52", "20newsgroups"):
        X, y = training_matrix(corpus)
        fit_lrwmmc(X[:500], y[:500])  # compiles
        ours, svd = best_of(fit_lrwmmc, X, y), best_of(fit_svd, X)
        print(
            f"  {corpus:13} LRWMMC {ours.wall:5.2f} s  SVD {svd.wall:5.2f} s  "
            f"ratio {ours.wall / svd.wall:.2f} on the clock, {ours.cpu / svd.cpu:.2f} of CPU; "
            f"extra memory {peak_extra_memory(fit_lrwmmc, X, y):.0f} MB"
        )


def against_qr():
    print("Default solver against the paper's QR algorithm, n = 2000")
    for corpus in ("reuters-r52", "20newsgroups"):
        X, y = training_matrix(corpus, 2000)
        quick, reference = LRWMMC(random_state=0), LRWMMC(solver="qr")
        ours, theirs = best_of(quick.fit, X, y), best_of(reference.fit, X, y, repeats=1)
        angles = subspace_angles(quick.components_.T.astype(float), reference.components_.T.astype(float))
        print(
            f"  {corpus:13} default {ours.wall:5.2f} s  QR {theirs.wall:6.2f} s  "
            f"{theirs.wall / ours.wall:.0f} times; "
            f"{len(quick.components_)} and {len(reference.components_)} directions, "
            f"smallest cosine between the spaces {np.cos(angles.max()):.6f}"
        )


def growth():
    print("Growth on 20newsgroups: seconds on the clock (ratio to TruncatedSVD)")
    for n_samples in (1400, 2800, 5600, 11293):
        X, y = training_matrix("20newsgroups", n_samples)
        ours, svd = best_of(fit_lrwmmc, X, y), best_of(fit_svd, X)
        print(f"  n = {n_samples:6}, m = 100   {ours.wall:5.2f} ({ours.wall / svd.wall:.2f})")
    X, y = training_matrix("20newsgroups")
    for n_components in (25, 50, 100, 200):
        ours, svd = best_of(fit_lrwmmc, X, y, n_components), best_of(fit_svd, X, n_components)
        print(f"  n =  11293, m = {n_components:3}   {ours.wall:5.2f} ({ours.wall / svd.wall:.2f})")
