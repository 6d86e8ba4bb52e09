"""Thousands to a hundred thousand labels, documents that are made up, beside omikuji where it is installed.

``python -m benchmarks many_labels`` takes 100,000 documents; ``main([(1_000_000, 100_000)])`` takes an hour.
"""

import time
from importlib.util import find_spec

import numpy as np
from benchmarks._measure import measured
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer

from experiments.several_labels import asked_of_omikuji, learned_by_omikuji
from textspace.classify import SeveralLabelsBlend

SIZES = (20_000, 4_000), (100_000, 10_000)  # documents and labels
N_TEST = 2_000
FAMILY = 10  # labels that share words
OWN, SHARED, COMMON = 5, 5, 30  # words of a document: of each label, of its family, and any
VOCABULARY = 15  # words of a label, and of a family


def main(sizes=SIZES):
    print("several labels a document, words drawn at random: scores of 2,000 other documents")
    for n_documents, n_labels in sizes:
        X, Y = made_up(n_documents + N_TEST, n_labels)
        rows, truth, new, wanted = X[:-N_TEST], Y[:-N_TEST], X[-N_TEST:], Y[-N_TEST:]
        print(f"{n_documents} documents, {n_labels} labels, {Y.nnz / Y.shape[0]:.1f} a document")
        model = SeveralLabelsBlend(random_state=0)
        _, learning, megabytes = measured(model.fit, rows, truth)
        start = time.perf_counter()
        likely = model.likely_labels(new, 5)
        speed = N_TEST / (time.perf_counter() - start)
        _print("ours", likely, wanted, learning.cpu)
        print(
            f"    {learning.wall:.0f} s on the clock, {megabytes / 1000:.1f} GB at the peak, documents too; "
            f"{speed:.0f} documents a second"
        )
        if find_spec("omikuji") and n_documents <= SIZES[-1][0]:
            peer, cpu = learned_by_omikuji(rows, truth)
            _print("omikuji", sparse.csr_array(asked_of_omikuji(peer, new, n_labels)), wanted, cpu)


def made_up(n_documents, n_labels, seed=0):
    """Give documents, tf-idf rows of unit length, and indicators of their labels, one to four each.

    Labels are families of ten. A document draws a family, which are the rarer the later they come, and most
    of its labels from there. It has five words of those of each of its labels, five of each family, and 30 of
    any; words are the rarer the later they come, and labels share them.
    """
    generator = np.random.default_rng(seed)
    n_terms, n_families = 2 * n_labels + 20_000, n_labels // FAMILY

    def drawn(n_numbers, size, power):  # small numbers more often
        return (n_numbers * generator.random(size) ** power).astype(np.int64)

    label_words = drawn(n_terms, (n_labels, VOCABULARY), 1.5)
    family_words = drawn(n_terms, (n_families, VOCABULARY), 1.5)
    owners = np.repeat(np.arange(n_documents), generator.integers(1, 5, n_documents))
    families = drawn(n_families, n_documents, 1.5)[owners]
    elsewhere = generator.random(len(owners)) < 0.2
    families[elsewhere] = drawn(n_families, elsewhere.sum(), 1.5)
    labels = FAMILY * families + drawn(FAMILY, len(owners), 1.5)
    words = np.concatenate(
        [
            _some(generator, label_words[labels], OWN),
            _some(generator, family_words[families], SHARED),
            drawn(n_terms, n_documents * COMMON, 4.0),
        ]
    )
    documents = np.concatenate(
        [np.repeat(owners, OWN), np.repeat(owners, SHARED), np.repeat(np.arange(n_documents), COMMON)]
    )
    counts = sparse.csr_array(
        (np.ones(len(words), np.float32), (documents, words)), shape=(n_documents, n_terms)
    )
    counts.sum_duplicates()
    Y = sparse.csr_array((np.ones(len(owners)), (owners, labels)), shape=(n_documents, n_labels))
    Y.sum_duplicates()
    Y.data[:] = 1
    return sparse.csr_array(TfidfTransformer(sublinear_tf=True).fit_transform(counts)).astype(np.float32), Y


def _some(generator, words, n_words):
    """Draw so many words of each row, one row after the other."""
    places = generator.integers(words.shape[1], size=(len(words), n_words))
    return np.take_along_axis(words, places, axis=1).ravel()


def _print(name, likely, wanted, cpu):
    rows = np.repeat(np.arange(N_TEST), np.diff(likely.indptr))
    order = np.lexsort([-likely.data, rows])
    ranks = np.arange(len(rows)) - likely.indptr[rows]
    right = np.zeros((N_TEST, 5))
    first = ranks < 5
    right[rows[first], ranks[first]] = wanted[rows, likely.indices[order]][first]
    scores = " / ".join(f"{right[:, :k].mean():.3f}" for k in (1, 3, 5))
    print(f"  {name:8} P@1/3/5 {scores}, learned in {cpu:.0f} s of CPU", flush=True)
