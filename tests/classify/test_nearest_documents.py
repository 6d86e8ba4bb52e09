"""The vote of the nearest documents, with all of them compared or only those of near clusters."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from textspace.classify import CalibratedMethod, NearestDocuments
from textspace.classify import _nearest_documents as module

both_metrics = pytest.mark.parametrize("metric", ["euclidean", "cosine"])


def documents(n_samples, seed=0):
    rng = np.random.default_rng(seed)
    y = np.array(["corn", "rice", "wheat"])[np.arange(n_samples) % 3]
    return rng.random((n_samples, 8)) + (np.arange(8) % 3 == np.arange(n_samples)[:, None] % 3), y


def scattered(n_samples, seed=0, spread=0.5):
    """Draw points around 300 places in 20 dimensions, a class of 7 for each place."""
    rng = np.random.default_rng(seed)
    places = np.random.default_rng(42).normal(size=(300, 20))
    drawn = rng.integers(300, size=n_samples)
    X = places[drawn] + spread * rng.normal(size=(n_samples, 20))
    return X.astype(np.float32), drawn % 7


@pytest.mark.parametrize("wrap", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("k", [1, 7])
@both_metrics
def test_few_documents_are_voted_on_as_by_scikit_learn(wrap, dtype, k, metric):
    X, y = documents(60)
    X = X.astype(dtype)
    ours = NearestDocuments(k, metric=metric).fit(wrap(X[:40]), y[:40])
    theirs = KNeighborsClassifier(k, metric=metric, algorithm="brute").fit(wrap(X[:40]), y[:40])
    np.testing.assert_array_equal(ours.predict(wrap(X[40:])), theirs.predict(wrap(X[40:])))
    np.testing.assert_array_equal(ours.predict_proba(wrap(X[40:])), theirs.predict_proba(wrap(X[40:])))
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    assert ours.recall_ == 1


@pytest.mark.parametrize("algorithm", ["brute", "clusters"])
def test_all_documents_vote_where_there_are_fewer(algorithm):
    X, y = documents(10)
    model = NearestDocuments(20, metric="cosine", algorithm=algorithm).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), np.tile([0.4, 0.3, 0.3], (10, 1)))
    assert set(model.predict(X)) == {"corn"}


@pytest.mark.parametrize("k", [1, 7, 40])
@both_metrics
def test_clusters_miss_nothing_where_all_are_looked_into(k, metric):
    X, y = scattered(1000)  # 32 clusters
    clusters = NearestDocuments(k, metric=metric, algorithm="clusters", random_state=0).fit(X[:900], y[:900])
    theirs = KNeighborsClassifier(k, metric=metric, algorithm="brute").fit(X[:900], y[:900])
    np.testing.assert_allclose(clusters.predict_proba(X[900:]), theirs.predict_proba(X[900:]))
    np.testing.assert_array_equal(clusters.predict(X[900:]), theirs.predict(X[900:]))
    assert clusters.recall_ == 1


@both_metrics
def test_the_recall_measured_on_training_documents_holds_for_others(metric):
    X, y = scattered(20_000, spread=2.0)
    queries, _ = scattered(500, seed=1, spread=2.0)
    clusters = NearestDocuments(metric=metric, algorithm="clusters", random_state=0).fit(X, y)
    exact = KNeighborsClassifier(1, metric=metric, algorithm="brute").fit(X, y)
    _, places = module.nearest_points(clusters.index_, queries)
    found = clusters.index_.rows[places[:, 0]]
    recall = np.mean(found == exact.kneighbors(queries, return_distance=False)[:, 0])
    assert 0.9 < recall < 1
    assert clusters.recall_ == pytest.approx(recall, abs=0.05)
    np.testing.assert_array_equal(clusters.predict(queries), y[found])
    assert np.mean(clusters.predict(queries) == exact.predict(queries)) > recall


@both_metrics
def test_distances_are_those_of_scikit_learn(metric):
    X, y = scattered(900)
    clusters = NearestDocuments(5, metric=metric, algorithm="clusters", random_state=0).fit(X[:800], y[:800])
    distances, places = module.nearest_points(clusters.index_, X[800:], n_neighbors=5)
    exact = KNeighborsClassifier(5, metric=metric, algorithm="brute").fit(X[:800], y[:800])
    expected, rows = exact.kneighbors(X[800:])
    np.testing.assert_allclose(distances, expected, rtol=1e-4)
    np.testing.assert_array_equal(clusters.index_.rows[places], rows)


def test_every_document_is_in_the_index_once_and_single_precision_stays():
    X, y = scattered(5000)
    index = NearestDocuments(algorithm="clusters", random_state=0).fit(X, y).index_
    np.testing.assert_array_equal(index.points, X[index.rows])
    np.testing.assert_array_equal(np.sort(index.rows), np.arange(5000))
    assert index.points.dtype == index.centres.dtype == np.float32
    assert module.nearest_points(index, X[:3].astype(np.float64))[0].dtype == np.float32
    # a point lies in the cluster of the nearest centre
    clusters = np.repeat(np.arange(len(index.centres)), np.diff(index.starts))
    nearest = ((index.points[:, None] - index.centres) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(nearest, clusters)


@both_metrics
def test_copies_of_a_few_documents(metric):
    X, y = documents(6)
    model = NearestDocuments(3, metric=metric, algorithm="clusters", random_state=0)
    model.fit(np.repeat(X, 100, axis=0), np.repeat(y, 100))
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.recall_ == 1


def test_empty_documents_have_an_answer():
    X, y = scattered(500)
    X[::50] = 0
    model = NearestDocuments(metric="cosine", algorithm="clusters", random_state=0).fit(X, y)
    assert set(model.predict(np.zeros((2, 20), dtype=np.float32))) <= set(y)


def test_many_dense_documents_get_clusters_and_others_do_not(monkeypatch):
    monkeypatch.setattr(module, "_MANY", 500)
    X, y = scattered(600)
    assert NearestDocuments().fit(X, y).index_ is not None
    assert NearestDocuments().fit(X[:499], y[:499]).index_ is None
    assert NearestDocuments(algorithm="brute").fit(X, y).index_ is None
    assert NearestDocuments(metric="manhattan").fit(X, y).index_ is None
    assert NearestDocuments().fit(sparse.csr_array(X), y).index_ is None


def test_settings_that_do_not_go_together():
    X, y = documents(30)
    with pytest.raises(ValueError, match=r"'algorithm' .* Got 'tree'"):
        NearestDocuments(algorithm="tree").fit(X, y)
    with pytest.raises(TypeError, match=r"[Ss]parse data"):
        NearestDocuments(algorithm="clusters").fit(sparse.csr_array(X), y)
    with pytest.raises(
        ValueError, match="no clusters for the metric 'manhattan': choose euclidean or cosine"
    ):
        NearestDocuments(algorithm="clusters", metric="manhattan").fit(X, y)


@both_metrics
def test_calibrated_scores_with_clusters_are_those_without(metric):
    X, y = scattered(1500)
    brute = NearestDocuments(metric=metric, algorithm="brute")
    space = FunctionTransformer()
    exact = CalibratedMethod(make_pipeline(space, brute), n_folds=2).fit(X[:1400], y[:1400])
    fast = clone(exact).set_params(
        estimator__nearestdocuments__algorithm="clusters", estimator__nearestdocuments__random_state=0
    )
    fast.fit(X[:1400], y[:1400])
    # the few clusters of each class are all looked into
    np.testing.assert_allclose(fast.predict_proba(X[1400:]), exact.predict_proba(X[1400:]), atol=1e-4)
    one, other = (model.contributions(X[1400:1401]) for model in (fast, exact))
    np.testing.assert_allclose(one[0].toarray(), other[0].toarray(), atol=1e-3)


@both_metrics
@pytest.mark.parametrize("n_neighbors", [1, 4, 5])
def test_several_labels_are_those_of_scikit_learn(metric, n_neighbors):
    X, _ = scattered(400)
    Y = (np.random.default_rng(0).random((400, 6)) < 0.3).astype(int)
    theirs = KNeighborsClassifier(n_neighbors, metric=metric).fit(X[:300], Y[:300])
    for algorithm in ("brute", "clusters"):
        ours = NearestDocuments(n_neighbors, metric=metric, algorithm=algorithm, random_state=0)
        ours.fit(X[:300], sparse.csr_array(Y[:300]))
        np.testing.assert_array_equal(ours.predict(X[300:]), theirs.predict(X[300:]))
        votes = np.column_stack([shares[:, 1] for shares in theirs.predict_proba(X[300:])]) * n_neighbors
        np.testing.assert_allclose(ours.predict_proba(X[300:]), (votes + 0.5) / (n_neighbors + 1))


def test_the_nearest_document_of_each_label():
    X, Y = np.eye(4)[[0, 1, 2, 3, 0]], np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0]])
    for algorithm in ("brute", "clusters"):
        model = NearestDocuments(algorithm=algorithm, random_state=0).fit(X[:, :], Y[:, :2])
        (first, near), (second, other) = model.nearest_of_classes([[0.0, 1.0, 0.1, 0.0]])
        np.testing.assert_array_equal(near, [[0, 1, 0, 0]])
        np.testing.assert_array_equal(other, [[0, 1, 0, 0]])
        assert first == pytest.approx(0.1)
        assert second == pytest.approx(0.1)
    distances = NearestDocuments().fit(X, Y).nearest_of_classes(X)[2][0]
    assert np.isinf(distances).all()  # of a label that no document has
