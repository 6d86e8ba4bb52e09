"""LRWMMC, DNE and the maximum margin criterion."""

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles
from sklearn.base import clone
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from textspace.linear import DNE, LPP, LRWMMC, MFA, SDA, MaximumMarginCriterion, SemiSupervisedLRWMMC
from textspace.text import VectorSpace


def smallest_cosine(first, second):
    return np.cos(subspace_angles(first.T.astype(float), second.T.astype(float)).max())


@pytest.fixture
def planted():
    """Two classes that differ along one direction, beneath a far larger spread along another."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 6)) * [0.3, 6, 0.3, 0.3, 0.3, 0.3] + [10, 0, 10, 0, 0, 0]
    y = np.arange(200) % 2
    X[:, 0] += np.where(y, 4, -4)
    return X, y


def test_planted_direction_is_found(planted):
    X, y = planted
    direction = MaximumMarginCriterion(1).fit(X, y).components_[0]
    assert direction[0] > 0.99


def test_maximum_margin_has_at_most_one_direction_less_than_classes():
    rng = np.random.default_rng(0)
    X = rng.random((60, 40)) + 3 * np.eye(40)[np.arange(60) % 4]
    assert MaximumMarginCriterion().fit(X, np.arange(60) % 4).components_.shape == (3, 40)


def test_classes_nearer_together_after_projection():
    """The criterion itself: the projection beats random ones, and the eigenvalues are its value."""
    rng = np.random.default_rng(1)
    X = rng.random((150, 30)) * (rng.random((150, 30)) < 0.3)
    y = rng.integers(0, 3, 150)
    X[np.arange(150), y] += 0.7
    fitted = LRWMMC(n_components=4, n_neighbors=4).fit(X, y)
    L = fitted._graph(X, y)

    def criterion(A):
        return np.trace(A @ X.T @ (L @ (X @ A.T)))

    assert criterion(fitted.components_) == pytest.approx(fitted.eigenvalues_.sum(), rel=1e-9)
    for seed in range(20):
        other = np.linalg.qr(np.random.default_rng(seed).standard_normal((30, 4)))[0].T
        assert criterion(other) < criterion(fitted.components_)


def test_neighbors_beyond_the_class_size_change_nothing_more():
    X = np.random.default_rng(2).random((12, 8))
    y = np.repeat([0, 1, 2], 4)
    most = LRWMMC(n_components=2, n_neighbors=8).fit(X, y)
    more = LRWMMC(n_components=2, n_neighbors=50).fit(X, y)
    np.testing.assert_allclose(most.components_, more.components_, atol=1e-10)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_components", 2.5),
        ("n_components", 0),
        ("n_neighbors", 0),
        ("symmetrize", "and"),
        ("solver", "fast"),
        ("tol", -1),
        ("max_postings", "none"),
        ("max_postings", 0),
    ],
)
def test_bad_settings_are_refused_by_name(name, value):
    with pytest.raises(ValueError, match=f"'{name}' parameter of LRWMMC must be .* Got {value!r} instead"):
        LRWMMC(**{name: value}).fit(np.eye(4), [0, 0, 1, 1])


def test_more_components_than_positive_eigenvalues_warns():
    # a term for each class and one that is shared by two documents of different classes
    y = np.arange(20) % 2
    X = np.hstack([np.eye(2)[y], np.repeat(np.eye(10), 2, axis=0)])
    with pytest.warns(UserWarning, match="but only 1 directions have a positive eigenvalue"):
        fitted = LRWMMC(n_components=10).fit(X, y)
    assert fitted.components_.shape == (1, 12)
    assert fitted.eigenvalues_[0] > 0


@pytest.mark.parametrize(
    "projection", [LRWMMC(40, random_state=0), DNE(40, random_state=0)], ids=["lrwmmc", "dne"]
)
def test_quick_solvers_against_the_reference_on_reuters(r52, projection):
    X, y = r52[:2]
    rows = np.random.default_rng(0).permutation(len(y))[:500]
    X, y = X[rows], y[rows]
    reference = clone(projection).set_params(solver="qr").fit(X, y).components_
    for solver in ("auto", "lanczos"):
        quick = clone(projection).set_params(solver=solver).fit(X, y).components_
        assert quick.dtype == np.float32
        assert smallest_cosine(quick, reference) >= 0.999


@pytest.fixture(scope="module")
def topics():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 6, 400)
    X = rng.random((400, 60)) * (rng.random((400, 60)) < 0.3)
    X[np.arange(400), y] += 1
    return sparse.csr_array(X), y


LOCAL = [
    LRWMMC(4, n_neighbors=3, random_state=0),
    DNE(4, random_state=0),
    LPP(4, n_neighbors=5, random_state=0),
    LPP(4, n_neighbors=5, supervised=True, random_state=0),
    MFA(4, n_neighbors=3, n_between=5, random_state=0),
    SDA(n_neighbors=3),
    SemiSupervisedLRWMMC(4, random_state=0),
]


@pytest.mark.parametrize("projection", LOCAL, ids=str)
def test_shortened_lists(topics, projection, monkeypatch):
    """Whole lists are exact, short ones find less, and many documents get these unless all are asked for."""
    exact = clone(projection).fit(*topics)
    whole = clone(projection).set_params(max_postings=400).fit(*topics)
    assert (exact.recall_, whole.recall_) == (1, 1)
    np.testing.assert_allclose(whole.components_, exact.components_, atol=1e-6)
    small = clone(projection).set_params(max_postings=3).fit(*topics)
    assert 0.1 < small.recall_ < 1
    monkeypatch.setattr("textspace.linear._base._EXACT", 399)
    monkeypatch.setattr("textspace.linear._base._POSTINGS", 3)
    np.testing.assert_array_equal(clone(projection).fit(*topics).components_, small.components_)
    assert clone(projection).set_params(max_postings=None).fit(*topics).recall_ == 1


def test_reuters_figures_and_shortened_lists_cost_little(r52):
    X, y, test, truth = r52
    scores = []
    for max_postings in (None, 300):
        space = LRWMMC(100, n_neighbors=5, max_postings=max_postings, random_state=0).fit(X, y)
        predicted = KNeighborsClassifier(1).fit(space.transform(X), y).predict(space.transform(test))
        scores.append([f1_score(truth, predicted, average=each) for each in ("micro", "macro")])
    assert 0.8 < space.recall_ < 1
    assert scores[0][0] >= 0.925
    assert scores[0][1] >= 0.74
    assert scores[1][0] >= scores[0][0] - 0.005


def test_in_a_pipeline_from_texts():
    texts = [
        "red apple pie",
        "green apple tart",
        "red cherry pie",
        "fast red car",
        "fast blue car",
        "slow blue bus",
    ]
    labels = ["food"] * 3 + ["road"] * 3
    model = make_pipeline(VectorSpace(), LRWMMC(n_components=1, n_neighbors=2), KNeighborsClassifier(1))
    assert model.fit(texts, labels).predict(["cherry tart", "blue car"]).tolist() == ["food", "road"]


@pytest.mark.slow
def test_nothing_dense_is_formed():
    """A matrix whose dense form would need 8 GB is no trouble."""
    n_samples, n_features = 2000, 1_000_000
    rng = np.random.default_rng(0)
    y = np.arange(n_samples) % 4
    columns = rng.integers(0, n_features, (n_samples, 20))
    columns[:, :5] = y[:, None] * 50 + rng.integers(0, 50, (n_samples, 5))
    entries = np.full(columns.size, 1 / np.sqrt(20), dtype=np.float32)
    X = sparse.csr_array(
        (entries, (np.repeat(np.arange(n_samples), 20), columns.ravel())), (n_samples, n_features)
    )
    fitted = LRWMMC(n_components=3, n_neighbors=3, tol=0.1, random_state=0).fit(X, y)
    assert fitted.components_.shape == (3, n_features)
