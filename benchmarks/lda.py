"""Linear discriminant analysis by spectral regression against a linear support vector machine."""

from benchmarks._documents import training_matrix
from benchmarks._measure import best_of
from sklearn.svm import LinearSVC

from textspace.linear import SpectralRegressionLDA


def main():
    print("SpectralRegressionLDA(alpha=1) against LinearSVC()")
    for corpus in ("reuters-r52", "20newsgroups"):
        X, y = training_matrix(corpus)
        ours, svm = best_of(SpectralRegressionLDA(alpha=1.0).fit, X, y), best_of(LinearSVC().fit, X, y)
        print(
            f"  {corpus:13} SR-LDA {ours.wall:5.2f} s  LinearSVC {svm.wall:5.2f} s  "
            f"ratio {ours.wall / svm.wall:.2f} on the clock, {ours.cpu / svm.cpu:.2f} of CPU"
        )
