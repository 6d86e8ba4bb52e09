"""Draw what the penalty of RLSC does on 20 Newsgroups: decisions, the choice, and the cost."""

from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from scipy.sparse.linalg import svds
from sklearn.metrics import accuracy_score, precision_recall_fscore_support
from sklearn.model_selection import train_test_split

from textspace.classify import RLSC
from textspace.datasets import load
from textspace.solvers import KrylovRidge
from textspace.text import VectorSpace

IMAGES = Path(__file__).parent.parent / "images"
LAMBDAS = np.geomspace(0.02, 20, 16)


def main():
    corpus = load("20newsgroups")
    texts, new_texts, y, truth = train_test_split(corpus.texts, corpus.labels, test_size=0.2, random_state=0)
    vectors = VectorSpace(scheme="ltc").fit(texts)
    X, new = vectors.transform(texts), vectors.transform(new_texts)
    chosen = RLSC(LAMBDAS).fit(X, y)
    for_largest = RLSC(LAMBDAS, criterion="squared_error").fit(X, y)
    test = np.array([test_scores(RLSC(value).fit(X, y), new, truth) for value in LAMBDAS]).T

    plt.rcParams["svg.hashsalt"] = "rlsc"
    figure, (signs, largest, cost) = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
    for values, label, style in zip(
        test[:3], ("precision", "recall", "micro F1"), (":", "--", "-"), strict=True
    ):
        signs.plot(LAMBDAS, values, style, color="C0", label=f"{label}, test")
    signs.plot(LAMBDAS, chosen.scores_, "o", color="C1", ms=4, label="micro F1, 5 folds")
    signs.axvline(chosen.lambda_, color="C1", lw=1)
    signs.set(title="decisions by the sign", ylim=(0.4, 1))
    signs.legend(fontsize=8, loc="lower left")

    largest.plot(LAMBDAS, test[3], color="C0")
    largest.set_ylabel("accuracy, test", color="C0")
    largest.set(title="decisions for the largest value", ylim=(0.85, 0.95))
    errors = largest.twinx()
    errors.plot(LAMBDAS, for_largest.errors_, "o", color="C1", ms=4)
    errors.axvline(for_largest.lambda_, color="C1", lw=1)
    errors.set_ylabel("squared error, 5 folds", color="C1")

    top = svds(X, k=1, return_singular_vectors=False)[0] ** 2
    cost.loglog(LAMBDAS, (top + LAMBDAS) / LAMBDAS, color="C0")
    cost.set(title="cost")
    cost.set_ylabel("condition number, at most", color="C0")
    sizes = cost.twinx()
    sizes.plot(LAMBDAS, basis_sizes(X, y), "o", color="C1", ms=4)
    sizes.set_ylabel("basis vectors, residual 0.02", color="C1")
    sizes.set_ylim(bottom=0)
    for axis, color in ((largest, "C0"), (errors, "C1"), (cost, "C0"), (sizes, "C1")):
        axis.tick_params(axis="y", labelcolor=color)
    for axis in (signs, largest, cost):
        axis.set(xscale="log", xlabel="lambda")
    IMAGES.mkdir(exist_ok=True)
    figure.savefig(IMAGES / "rlsc.svg", metadata={"Date": None})


def test_scores(model, X, truth):
    """Precision, recall and micro F1 of the signs, and accuracy of the largest value."""
    signs = model.decision_function(X) > 0
    scores = precision_recall_fscore_support(truth[:, None] == model.classes_, signs, average="micro")
    return *scores[:3], accuracy_score(truth, model.predict(X))


def basis_sizes(X, y):
    """Vectors that Lanczos needs for each penalty on four fifths of the documents."""
    responses = np.where(y[:, None] == np.unique(y), 1, -1)
    path = KrylovRidge(X, responses, train=np.arange(len(y)) % 5 > 0)
    return [path.n_vectors for value in LAMBDAS[::-1] if path.reach(value, tol=2e-2)][::-1]


if __name__ == "__main__":
    main()
