"""The kernel that is learned over landmarks, and its extension to documents."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import nnls
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier

from textspace.kernel import ManifoldAdaptiveKernel
from textspace.kernel._kernels import kernel_matrix
from textspace.kernel._manifold import (
    class_landmarks,
    landmark_laplacian,
    nearest_landmarks,
    ridge_extension,
)


@pytest.mark.parametrize("container", [sparse.csr_array, np.asarray])
def test_landmarks_are_averages_inside_classes(documents, container):
    X, y = documents
    X = container(X.toarray())
    centres, classes = class_landmarks(X, y, n_landmarks=20, per_class=True, random_state=0)
    assert sparse.issparse(centres) == sparse.issparse(X)
    assert centres.shape == (20, 60)
    # in proportion to the classes of 40, 32, 27 and 21 documents
    np.testing.assert_allclose(np.bincount(classes), [20 / 3, 16 / 3, 4.5, 3.5], atol=1)
    # averages: weighted by the sizes of their cells they give the class means, so these lie in their hull
    dense = centres.toarray() if sparse.issparse(centres) else centres
    full = documents[0].toarray()
    for label in range(4):
        hull = np.vstack([dense[classes == label].T, np.ones(np.sum(classes == label))])
        weights, residual = nnls(hull, np.append(full[y == label].mean(axis=0), 1))
        assert residual < 1e-9
        np.testing.assert_allclose(
            weights * np.sum(y == label), np.round(weights * np.sum(y == label)), atol=1e-6
        )


def test_one_landmark_a_class_is_the_class_mean(documents):
    X, y = documents
    centres, classes = class_landmarks(X, y, n_landmarks=4, per_class=True, random_state=0)
    means = [X.toarray()[y == label].mean(axis=0) for label in range(4)]
    np.testing.assert_allclose(centres.toarray(), means, atol=1e-12)
    np.testing.assert_array_equal(classes, [0, 1, 2, 3])


def test_plain_landmarks_have_the_class_of_the_majority_or_none():
    X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1]])
    centres, classes = class_landmarks(
        X, np.array([0, 0, 1, 0, 1]), n_landmarks=2, per_class=False, random_state=1
    )
    order = np.argsort(centres.ravel())
    np.testing.assert_allclose(centres.ravel()[order], [0.1, 5.05])
    np.testing.assert_array_equal(classes[order], [0, -1])


def test_every_document_a_landmark(documents):
    X, y = documents
    with pytest.warns(UserWarning, match="500 landmarks were asked for, but there are only 120 documents"):
        fitted = ManifoldAdaptiveKernel(500).fit(X, y)
    assert fitted.landmarks_.shape[0] == 120
    both = [
        ManifoldAdaptiveKernel(120, extension=extension).fit(X, y).transform(X)
        for extension in ("documents", "landmarks")
    ]
    np.testing.assert_allclose(both[0] @ both[0].T, both[1] @ both[1].T, atol=1e-6)


def test_extension_solves_the_regression(documents):
    X, _ = documents
    rng = np.random.default_rng(0)
    gram = kernel_matrix(X[:15], X[:15], sigma=1.0)
    similarities, targets = kernel_matrix(X, X[:15], sigma=1.0), rng.standard_normal((120, 3))
    coef = ridge_extension(gram, similarities, targets, gamma=0.2)
    gradient = similarities.T @ (similarities @ coef - targets) + 0.2 * gram @ coef
    np.testing.assert_allclose(gradient, 0, atol=1e-9)
    plain = ridge_extension(gram, gram, targets[:15], gamma=0.2)
    np.testing.assert_allclose(plain, np.linalg.solve(gram + 0.2 * np.eye(15), targets[:15]), atol=1e-9)


def test_features_of_landmarks_approach_the_learned_kernel(documents):
    X, y = documents
    fitted = ManifoldAdaptiveKernel(30, gamma=1e-8, extension="landmarks", sigma=1.0, random_state=0)
    features = fitted.fit(X, y).transform(fitted.landmarks_)
    np.testing.assert_allclose(features, fitted.embedding_, atol=1e-4)


def test_learned_kernel_knows_new_pairs_better_than_the_fixed_one(documents):
    X, y = documents
    new = X[1::2]
    features = ManifoldAdaptiveKernel(40, random_state=0).fit(X[::2], y[::2]).transform(new)
    same = (y[1::2, None] == y[1::2])[np.triu_indices(60, 1)]
    fixed, learned = (
        roc_auc_score(same, kernel[np.triu_indices(60, 1)])
        for kernel in (kernel_matrix(new, new, sigma=3.0), features @ features.T)
    )
    assert learned > 0.85
    assert learned > fixed + 0.1


@pytest.mark.parametrize("options", [{}, {"per_class": False}, {"n_neighbors": None}, {"kernel": "linear"}])
def test_rings(rings, options):
    """What no line parts the Gaussian kernel does, whatever is left out; the linear kernel does not."""
    X, y = rings
    fitted = ManifoldAdaptiveKernel(40, sigma=1.0, gamma=0.01, random_state=0, **options).fit(
        X[:100], y[:100]
    )
    neighbor = KNeighborsClassifier(1).fit(fitted.transform(X[:100]), y[:100])
    gap = np.abs(np.subtract(*(fitted.transform(X)[y == ring].mean(axis=0) for ring in (0, 1)))).max()
    if options.get("kernel") == "linear":
        assert gap < 0.5
    else:
        assert neighbor.score(fitted.transform(X[100:]), y[100:]) == 1
        assert gap > 1


def test_laplacian_is_left_out_or_smooth():
    X = np.random.default_rng(0).random((25, 3))
    np.testing.assert_array_equal(landmark_laplacian(X, n_neighbors=None), np.zeros((25, 25)))
    values = np.linalg.eigvalsh(landmark_laplacian(X, n_neighbors=4))
    assert values.min() == pytest.approx(0, abs=1e-9)
    assert values.max() <= 2


@pytest.mark.parametrize("C", [0.05, 1.0, 7.0])
def test_the_embedding_is_the_positive_part_of_pairs_less_the_laplacian(C, documents):
    """Eq. 14 to 17 with the linear loss, pair by pair: E E' = [C T - L]_+."""
    X, y = documents
    fitted = ManifoldAdaptiveKernel(25, C=C, n_neighbors=4, random_state=0).fit(X, y)
    Z, classes = fitted.landmarks_.toarray(), fitted.landmark_classes_
    distances = np.linalg.norm(Z[:, None] - Z, axis=2)
    widths = np.sort(distances, axis=1)[:, 4]  # the first is the landmark itself
    T, W = np.zeros((25, 25)), np.zeros((25, 25))
    for i in range(25):
        for j in range(25):
            T[i, j] = 1 if classes[i] == classes[j] else -1
            width = max(widths[i], widths[j])
            if i != j and distances[i, j] < width * (1 - 1e-12):
                W[i, j] = np.exp(-(distances[i, j] ** 2) / width**2)
    degrees = W.sum(axis=1)
    assert degrees.min() > 0
    L = np.eye(25) - W / np.sqrt(np.outer(degrees, degrees))
    values, vectors = np.linalg.eigh(C * T - L)
    expected = (vectors * np.maximum(values, 0)) @ vectors.T
    np.testing.assert_allclose(fitted.embedding_ @ fitted.embedding_.T, expected, atol=1e-8)


def test_the_coefficients_are_those_of_the_owners(documents):
    """Documents are regressed onto the landmark of their class that is nearest in the feature space."""
    X, y = documents
    for kernel in ("gaussian", "polynomial", "linear"):
        fitted = ManifoldAdaptiveKernel(20, kernel=kernel, gamma=0.2, random_state=0).fit(X, y)
        S = kernel_matrix(X, fitted.landmarks_, kernel=kernel, sigma=3.0)
        K = kernel_matrix(fitted.landmarks_, fitted.landmarks_, kernel=kernel, sigma=3.0)
        targets = []
        for row, label in enumerate(y):
            own = [j for j in range(20) if fitted.landmark_classes_[j] == label]
            nearest = min(own, key=lambda j: K[j, j] - 2 * S[row, j])
            targets.append(fitted.embedding_[nearest])
        gradient = S.T @ (S @ fitted.coef_ - np.array(targets)) + 0.2 * K @ fitted.coef_
        np.testing.assert_allclose(gradient, 0, atol=1e-6)


def test_nearest_landmarks_are_near_in_distance_not_in_product():
    # the second landmark has the larger product, but is farther away: 9 - 4 against 1 - 2
    owners = nearest_landmarks(np.array([[1.0, 2.0]]), np.array([1.0, 9.0]), np.array([0]), np.array([0, 0]))
    np.testing.assert_array_equal(owners, [0])


def test_nearest_landmarks_are_of_the_own_class_where_there_is_one():
    similarities = np.array([[0.9, 0.1, 0.5], [0.2, 0.3, 0.8], [0.1, 0.7, 0.2]])
    owners = nearest_landmarks(similarities, np.ones(3), np.array([1, 0, 2]), np.array([0, 1, 1]))
    np.testing.assert_array_equal(owners, [2, 0, 1])


def test_programme_in_place_of_the_closed_form(documents):
    pytest.importorskip("cvxpy", reason="the semidefinite programme needs the extra sdp")
    X, y = documents
    fitted = ManifoldAdaptiveKernel(16, solver="sdp", random_state=0).fit(X[::2], y[::2])
    neighbor = KNeighborsClassifier(1).fit(fitted.transform(X[::2]), y[::2])
    assert neighbor.score(fitted.transform(X[1::2]), y[1::2]) > 0.9


def test_small_classes_two_classes_and_empty_documents(documents):
    X, y = documents
    y[5] = 9  # alone in its class
    X = sparse.vstack([X, sparse.csr_array((3, 60)), X[:10], X[:10]], format="csr")
    y = np.concatenate([y, [0, 0, 1], y[:10], y[:10]])
    for labels in (y, y == 2):
        for per_class in (True, False):
            fitted = ManifoldAdaptiveKernel(100, per_class=per_class, random_state=0).fit(X, labels)
            assert np.isfinite(fitted.transform(X)).all()


def test_fewer_landmarks_than_classes_still_give_each_class_one(documents):
    X, y = documents
    assert ManifoldAdaptiveKernel(2).fit(X, y).landmark_classes_.tolist() == [0, 1, 2, 3]


def test_float32_stays_float32(documents):
    X, y = documents
    single = ManifoldAdaptiveKernel(30, random_state=0).fit(X.astype(np.float32), y)
    assert single.transform(X.astype(np.float32)).dtype == single.coef_.dtype == np.float32


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sigma": 0.0}, r"'sigma' parameter .* must be a float in the range \[1e-09, 1e\+18\]"),
        ({"C": 0.0}, "'C' parameter"),
        ({"gamma": 0.0}, "'gamma' parameter"),
        ({"n_landmarks": 0}, "'n_landmarks' parameter"),
        ({"n_neighbors": 0}, "'n_neighbors' parameter"),
        ({"solver": "open"}, "'solver' parameter"),
        ({"extension": "none"}, "'extension' parameter"),
    ],
)
def test_bad_parameters(documents, options, message):
    with pytest.raises(ValueError, match=message):
        ManifoldAdaptiveKernel(**{"n_landmarks": 10, **options}).fit(*documents)


def test_one_class_only_is_refused(documents):
    with pytest.raises(ValueError, match="only one class"):
        ManifoldAdaptiveKernel(10).fit(documents[0], np.zeros(120))
