import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from textspace.datasets import _near_duplicates
from textspace.datasets._near_duplicates import near_duplicates
from textspace.text import VectorSpace


def by_all_pairs(X, threshold):
    """Compare everything with everything."""
    cosines = (X @ X.T).toarray()
    return connected_components(cosines > threshold, directed=False)[1]


def partition(groups):
    return {frozenset(np.flatnonzero(groups == group).tolist()) for group in np.unique(groups)}


def altered_texts(rng, n_texts, n_words):
    """Texts of random words, and for each a copy with a few words changed."""
    words = [f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(n_words)]
    weights = 1 / np.arange(1, n_words + 1)
    texts = []
    for _ in range(n_texts):
        text = list(rng.choice(words, rng.integers(2, 60), p=weights / weights.sum()))
        copy = list(text)
        for _ in range(rng.integers(0, 4)):
            copy[rng.integers(len(copy))] = rng.choice(words)
        texts += [" ".join(text), " ".join(copy)]
    return texts


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("threshold", [0.8, 0.95])
def test_as_if_all_pairs_were_compared(seed, threshold):
    X = VectorSpace(dtype=np.float64).fit_transform(altered_texts(np.random.default_rng(seed), 150, 300))
    found, expected = (
        partition(near_duplicates(X, threshold=threshold)),
        partition(by_all_pairs(X, threshold)),
    )
    assert found == expected
    assert any(len(group) > 1 for group in found)
    assert any(len(group) == 1 for group in found)


def test_small_chunks_change_nothing(monkeypatch):
    X = VectorSpace().fit_transform(altered_texts(np.random.default_rng(0), 150, 300))
    whole = near_duplicates(X)
    monkeypatch.setattr(_near_duplicates, "_CHUNK", 10)
    np.testing.assert_array_equal(near_duplicates(X), whole)


def test_many_equal_rows_are_one_group():
    # more of them than a term of prefixes may have: they are found before terms are looked at
    X = sparse.vstack([sparse.csr_array([[0.6, 0.8]])] * 5000 + [sparse.csr_array([[1.0, 0.0]])])
    groups = near_duplicates(X)
    assert len(set(groups[:5000])) == 1
    assert groups[5000] != groups[0]


def test_empty_rows_are_like_nothing():
    X = sparse.csr_array(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]))
    groups = near_duplicates(X)
    assert groups[1] == groups[3]
    assert len(set(groups)) == 3


def test_nothing_at_all():
    assert near_duplicates(sparse.csr_array((0, 3))).shape == (0,)
