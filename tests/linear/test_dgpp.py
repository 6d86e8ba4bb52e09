import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles
from sklearn.metrics import accuracy_score
from sklearn.neighbors import KNeighborsClassifier

from textspace.graphs import geometry_graph
from textspace.linear import DGPP, MaximumMarginCriterion
from textspace.text import VectorSpace


def halves(corpus, seed):
    """Training and test rows and labels of a random split in two halves."""
    order = np.random.default_rng(seed).permutation(len(corpus))
    train, test = (corpus.subset(part) for part in np.array_split(order, 2))
    vectors = VectorSpace().fit(train.texts)
    return vectors.transform(train.texts), train.labels, vectors.transform(test.texts), test.labels


@pytest.fixture
def documents():
    """Give unit rows of 3 classes over 30 terms, 10 a class, one of which has two topics."""
    rng = np.random.default_rng(4)
    y = np.arange(90) % 3
    X = rng.random((90, 30)) * (rng.random((90, 30)) < 0.1)
    topic = 10 * y + 5 * ((y == 0) & (np.arange(90) % 2 == 0))
    X[np.arange(90)[:, None], topic[:, None] + rng.integers(0, 5, (90, 4))] += rng.random((90, 4))
    return X / np.linalg.norm(X, axis=1, keepdims=True), y


@pytest.mark.parametrize("scatter", ["laplacian", "squared"])
def test_components_are_the_top_eigenvectors(documents, scatter):
    X, y = documents
    fitted = DGPP(2, alpha=0.7, sigma2=3.0, regularization=0.2, scatter=scatter).fit(X, y)
    graph = geometry_graph(X, y, alpha=0.7, sigma2=3.0, regularization=0.2, scatter=scatter)
    values, vectors = np.linalg.eigh(X.T @ (graph @ X))
    np.testing.assert_allclose(fitted.eigenvalues_, values[:-3:-1])
    np.testing.assert_allclose(np.abs(fitted.components_ @ vectors[:, :-3:-1]), np.eye(2), atol=1e-8)


def test_its_limit_is_the_maximum_margin_criterion(documents):
    """Weights that know neither distance nor geometry give ``alpha S_b - (n_l / (n_l - 1))^2 S_w``."""
    X, y = documents
    limit = DGPP(2, alpha=(30 / 29) ** 2, sigma2=1e9, regularization=1e9).fit(X, y)
    margin = MaximumMarginCriterion(2).fit(X, y)
    np.testing.assert_allclose(limit.eigenvalues_, (30 / 29) ** 2 * margin.eigenvalues_, rtol=1e-5)
    np.testing.assert_allclose(limit.components_, margin.components_, atol=1e-5)


@pytest.mark.parametrize("scatter", ["laplacian", "squared"])
def test_lanczos_agrees_with_the_exact_solver_on_reuters(r52, scatter):
    X, y = r52[:2]
    rows = np.random.default_rng(0).permutation(len(y))[:900]
    exact = DGPP(20, scatter=scatter).fit(X[rows], y[rows]).components_
    quick = DGPP(20, scatter=scatter, solver="lanczos", random_state=0).fit(X[rows], y[rows]).components_
    assert quick.dtype == exact.dtype == np.float32
    assert np.cos(subspace_angles(quick.T.astype(float), exact.T.astype(float)).max()) >= 0.999


def test_figure_of_random_halves_of_reuters(corpus_or_skip):
    X, y, test, truth = halves(corpus_or_skip("reuters-r52"), seed=0)
    space = DGPP(random_state=0).fit(X, y)
    predicted = KNeighborsClassifier(1).fit(space.transform(X), y).predict(space.transform(test))
    assert accuracy_score(truth, predicted) >= 0.915


@pytest.mark.slow
def test_nothing_as_large_as_the_documents_is_formed():
    """Documents whose dense matrix would need 12 GB are no trouble: only classes have dense blocks."""
    n_samples, n_features = 3000, 1_000_000
    rng = np.random.default_rng(0)
    y = np.arange(n_samples) % 100
    columns = rng.integers(0, n_features, (n_samples, 20))
    columns[:, :8] = y[:, None] * 50 + rng.integers(0, 50, (n_samples, 8))
    entries = np.full(columns.size, 1 / np.sqrt(20), dtype=np.float32)
    X = sparse.csr_array(
        (entries, (np.repeat(np.arange(n_samples), 20), columns.ravel())), (n_samples, n_features)
    )
    graph = geometry_graph(X, y)
    assert sum(block.nbytes for _, block in graph.blocks) == 4 * 100 * 30**2
    assert DGPP(3, tol=0.1, random_state=0).fit(X, y).components_.shape == (3, n_features)


@pytest.mark.parametrize(
    "setting", [{"sigma2": 0.0}, {"regularization": -1.0}, {"scatter": "cubed"}, {"solver": "fast"}]
)
def test_bad_settings_are_refused_by_name(documents, setting):
    with pytest.raises(ValueError, match=next(iter(setting))):
        DGPP(**setting).fit(*documents)
