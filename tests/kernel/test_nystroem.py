import warnings

import numpy as np
import pytest
from scipy import sparse

from textspace.kernel import KMeansNystroem
from textspace.kernel._kernels import kernel_matrix
from textspace.kernel._nystroem import _nearest, inverse_root, landmark_shares, landmarks


def inertia(X, centres):
    squared = ((X[:, None] - centres[None]) ** 2).sum(axis=2)
    return squared.min(axis=1).sum()


@pytest.mark.parametrize("kernel", ["gaussian", "polynomial", "linear"])
def test_with_every_document_a_landmark_the_kernel_is_exact(documents, kernel):
    X, _ = documents
    features = KMeansNystroem(kernel, sigma=1.5, n_landmarks=120).fit_transform(X)
    np.testing.assert_allclose(
        features @ features.T, kernel_matrix(X, X, kernel=kernel, sigma=1.5), atol=1e-6
    )


def test_the_kernel_between_landmarks_is_exact_and_never_exceeded(documents):
    X, _ = documents
    nystroem = KMeansNystroem(n_landmarks=30, random_state=0).fit(X)
    Z = nystroem.transform(nystroem.landmarks_)
    np.testing.assert_allclose(Z @ Z.T, kernel_matrix(nystroem.landmarks_, nystroem.landmarks_), atol=1e-8)
    features = nystroem.transform(X)
    residue = kernel_matrix(X, X) - features @ features.T  # positive semi-definite, as a Schur complement is
    assert np.linalg.eigvalsh(residue).min() > -1e-8


def test_more_landmarks_approximate_better(documents):
    X, _ = documents
    K = kernel_matrix(X, X, sigma=1.0)
    errors = []
    for n_landmarks in (10, 40, 110):
        F = KMeansNystroem(sigma=1.0, n_landmarks=n_landmarks, random_state=0).fit_transform(X)
        errors.append(np.linalg.norm(K - F @ F.T))
    assert errors[0] > 1.2 * errors[1] > 1.44 * errors[2]


def test_landmarks_are_better_centres_than_random_documents(documents):
    X, _ = documents
    centres = landmarks(X, n_landmarks=12, random_state=0).toarray()
    dense = X.toarray()
    for seed in range(10):
        sample = np.random.default_rng(seed).choice(120, 12, replace=False)
        assert inertia(dense, centres) < inertia(dense, dense[sample])


def test_sparse_landmarks_equal_dense_ones_and_stay_sparse(documents):
    X, y = documents
    for classes in (None, y):
        found = landmarks(X, classes, n_landmarks=20, random_state=1)
        assert sparse.issparse(found)
        expected = landmarks(X.toarray(), classes, n_landmarks=20, random_state=1)
        np.testing.assert_allclose(found.toarray(), expected, atol=1e-12)


def test_landmarks_of_each_class_lie_in_the_class():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [60, 30, 1])
    X = 100.0 * np.eye(3)[y] + rng.random((91, 3))
    centres = landmarks(X, y, n_landmarks=10, random_state=0)
    np.testing.assert_array_equal(np.bincount(centres.argmax(axis=1)), [6, 3, 1])
    assert (centres.max(axis=1) >= 100).all()


def test_every_class_has_a_landmark_even_if_fewer_were_asked_for():
    y = np.arange(12) % 4
    centres = landmarks(np.eye(4)[y], y, n_landmarks=2, random_state=0)
    np.testing.assert_array_equal(np.sort(centres, axis=0), np.sort(np.eye(4), axis=0))


def test_equal_documents_leave_no_empty_landmark():
    X = sparse.csr_array(np.repeat(np.eye(3), 20, axis=0))
    nystroem = KMeansNystroem(n_landmarks=10, random_state=0)
    features = nystroem.fit_transform(X)
    assert (np.diff(nystroem.landmarks_.indptr) > 0).all()
    np.testing.assert_allclose(features @ features.T, kernel_matrix(X, X), atol=1e-8)


def test_more_landmarks_than_documents_warns():
    with pytest.warns(UserWarning, match="only 5 documents"):
        assert KMeansNystroem(n_landmarks=6).fit(np.eye(5)).landmarks_.shape == (5, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KMeansNystroem(n_landmarks=5).fit(np.eye(5))


def test_inverse_root_of_what_is_not_quite_positive():
    vectors = np.linalg.qr(np.random.default_rng(0).standard_normal((4, 4)))[0]
    gram = (vectors * [4.0, 1.0, 0.0, -1e-17]) @ vectors.T
    np.testing.assert_allclose(inverse_root(gram), (vectors * [0.5, 1, 0, 0]) @ vectors.T, atol=1e-12)


def test_single_precision_stays(documents):
    X, y = documents
    nystroem = KMeansNystroem(n_landmarks=20, per_class=True, random_state=0).fit(X.astype(np.float32), y)
    assert nystroem.transform(X.astype(np.float32)).dtype == np.float32
    assert nystroem.landmarks_.dtype == nystroem.normalization_.dtype == np.float32


def test_per_class_needs_classes(documents):
    with pytest.raises(ValueError, match="requires y"):
        KMeansNystroem(per_class=True).fit(documents[0])


def test_landmarks_of_reuters_stay_sparse(r52):
    X, y = r52[:2]
    y = np.unique(y, return_inverse=True)[1]
    for classes in (None, y):
        centres = landmarks(X, classes, n_landmarks=1000, random_state=0)
        assert centres.nnz <= X.nnz
        assert centres.dtype == np.float32


@pytest.mark.parametrize(
    ("sizes", "total", "shares"),
    [([5, 5, 10], 7, [2, 2, 3]), ([1, 1, 98], 4, [1, 1, 2]), ([3, 4, 13], 2, [1, 1, 1])],
)
def test_shares_of_the_classes_counted_by_hand(sizes, total, shares):
    assert landmark_shares(np.array(sizes), total).tolist() == shares


def test_the_nearest_centre_is_that_of_the_smallest_distance_not_of_the_largest_product():
    cells, distances = _nearest(np.array([[1.0, 0.0]]), np.array([[3.0, 0.0], [0.5, 0.0]]))
    assert (cells.tolist(), distances.tolist()) == ([1], [0.25])


def test_a_centre_without_documents_moves_to_one_that_is_served_badly():
    X = np.array([[1.0, 0.0]] * 10 + [[0.0, 1.0], [0.0, 5.0]])
    for seed in range(5):  # most of which draw equal documents
        centres = landmarks(X, n_landmarks=3, random_state=seed)
        assert sorted(centres.round(9).tolist()) == [[0, 1], [0, 5], [1, 0]]
