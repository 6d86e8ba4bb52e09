"""The vote of nearest neighbours where there may be few documents."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier

from textspace.classify._nearest_vote import NearestVote


def documents(n_samples, seed=0):
    rng = np.random.default_rng(seed)
    y = np.array(["corn", "rice", "wheat"])[np.arange(n_samples) % 3]
    return rng.random((n_samples, 8)) + (np.arange(8) % 3 == np.arange(n_samples)[:, None] % 3), y


@pytest.mark.parametrize("wrap", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_it_is_scikit_learns_vote_where_there_are_enough_documents(wrap):
    X, y = documents(60)
    ours = NearestVote(7).fit(wrap(X[:40]), y[:40])
    theirs = KNeighborsClassifier(7, metric="cosine", algorithm="brute").fit(X[:40], y[:40])
    np.testing.assert_array_equal(ours.predict(wrap(X[40:])), theirs.predict(X[40:]))
    np.testing.assert_array_equal(ours.predict_proba(wrap(X[40:])), theirs.predict_proba(X[40:]))
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)


def test_all_documents_vote_where_there_are_fewer():
    X, y = documents(10)
    model = NearestVote().fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), np.tile([0.4, 0.3, 0.3], (10, 1)))
    assert set(model.predict(X)) == {"corn"}
    assert clone(model).get_params() == {"n_neighbors": 20, "metric": "cosine"}
