"""Draw what unlabelled text is worth with few labels a class, on 20 Newsgroups.

Needs the corpus 20newsgroups, and some minutes: ``python docs/figures/unlabelled.py``.
"""

import warnings
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import Normalizer
from sklearn.svm import LinearSVC

from textspace.classify import RLSC, EMNaiveBayes, LabelledOnly, SelfTraining
from textspace.datasets import load
from textspace.linear import LSI
from textspace.text import VectorSpace

IMAGES = Path(__file__).parent.parent / "images"
SIZES = [5, 10, 20, 50, 100]
N_DRAWS = 3
METHODS = {
    "terms and LSI, self-training": ("both", SelfTraining(RLSC(0.3)), "#1f5fa8"),
    "terms and LSI": ("both", LabelledOnly(RLSC(0.3)), "#3fa7a0"),
    "naive Bayes, EM": ("terms", EMNaiveBayes(alpha=0.001), "#c2571a"),
    "linear SVM": ("terms", LabelledOnly(LinearSVC(random_state=0)), "#777777"),
}


def draw_labels(y, n_each, seed):
    """Keep the labels of some documents of each class, and take the others away."""
    rng = np.random.default_rng(seed)
    kept = np.concatenate([rng.permutation(np.flatnonzero(y == label))[:n_each] for label in np.unique(y)])
    partly = np.full_like(y, "")
    partly[kept] = y[kept]
    return partly


def spaces(texts, new_texts):
    """Give training and new documents as rows of terms, and as rows of terms and LSI's coordinates."""
    vectors = VectorSpace("ltc").fit(texts)
    both = make_union("passthrough", make_pipeline(LSI(200, random_state=0), Normalizer()))
    X, X_new = vectors.transform(texts), vectors.transform(new_texts)
    return {"terms": (X, X_new), "both": (both.fit_transform(X).tocsr(), both.transform(X_new).tocsr())}


def main():
    warnings.filterwarnings("ignore", message="LSI keeps")  # fewer than 200 with 5 labels a class
    corpus = load("20newsgroups")
    texts, y = np.array(corpus.train.texts, dtype=object), corpus.train.labels
    new_texts, y_new = corpus.test.texts, corpus.test.labels
    with_all = spaces(texts, new_texts)
    scores = np.empty((2, len(METHODS), len(SIZES), N_DRAWS))
    for place, size in enumerate(SIZES):
        for seed in range(N_DRAWS):
            partly = draw_labels(y, size, seed)
            known = partly != ""
            without = spaces(texts[known], new_texts)
            for row, (space, method, _) in enumerate(METHODS.values()):
                for has_all, found in enumerate((without, with_all)):
                    X, X_new = found[space]
                    method.fit(X, partly if has_all else partly[known])
                    scores[has_all, row, place, seed] = method.score(X_new, y_new)
            print(size, seed, scores[:, :, place, seed].round(3).tolist(), flush=True)
    means = scores.mean(axis=-1)
    figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
    for row, (name, (*_, colour)) in enumerate(METHODS.items()):
        axis.plot(SIZES, means[1, row], "o-", color=colour, ms=4, label=name)
        axis.plot(SIZES, means[0, row], "o--", color=colour, ms=4, mfc="white", lw=1)
    axis.plot([], [], "k-", label="with unlabelled text")
    axis.plot([], [], "k--", lw=1, label="without")
    axis.set(xscale="log", xlabel="labelled documents of each of the 20 classes", ylabel="micro F1")
    axis.set_xticks(SIZES, SIZES)
    axis.minorticks_off()
    axis.grid(color="#e5e5e5")
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False, fontsize=9, loc="lower right")
    plt.rcParams["svg.hashsalt"] = "unlabelled"
    figure.savefig(IMAGES / "unlabelled.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
