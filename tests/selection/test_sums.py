"""Scores from sums over blocks of documents against those of all documents at once."""

import numpy as np
import pytest
from scipy import sparse

from textspace.selection import SCORES, score_from_sums, term_sums


@pytest.fixture(scope="module")
def documents():
    rng = np.random.default_rng(0)
    y = np.sort(rng.integers(0, 4, 200))  # a block lacks some classes
    X = rng.poisson(0.3 + 0.5 * (np.arange(40) % 4 == y[:, None])) * rng.uniform(0.5, 1, (200, 40))
    X[:, 7] = 0
    return X, y


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csr_array])
@pytest.mark.parametrize("score", sorted(SCORES.keys() - {"subspace", "uniform"}))
def test_blocks_add_up_to_the_score_of_all_documents(documents, form, score):
    X, y = form(documents[0]), documents[1]
    blocks = [
        term_sums(X[rows], y[rows], score=score, n_classes=4) for rows in np.split(np.arange(200), [30, 110])
    ]
    sums = [sum(each) for each in zip(*blocks, strict=True)]
    found = score_from_sums(sums, score=score)
    np.testing.assert_allclose(found, SCORES[score](X, y), atol=1e-12)
    assert found[7] == 0


def test_weights_below_zero_have_no_chi2():
    with pytest.raises(ValueError, match="smallest entry of X is -1"):
        term_sums(np.array([[-1.0, 2.0]]), np.array([0]), score="chi2", n_classes=2)
