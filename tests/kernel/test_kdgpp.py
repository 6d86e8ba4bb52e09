"""DGPP in the space of the learned kernel."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score

from textspace.graphs import geometry_graph
from textspace.kernel import KDGPP, ManifoldAdaptiveKernel


@pytest.mark.slow
def test_directions_maximise_the_criterion(documents):
    X, y = documents
    fitted = KDGPP(2, n_landmarks=40, random_state=0).fit(X, y)
    features = ManifoldAdaptiveKernel(40, random_state=0).fit(X, y).transform(X)
    graph = geometry_graph(X, y, alpha=2.0, sigma2=5.0, regularization=0.1)
    criterion = features.T @ (graph @ features)
    values, vectors = np.linalg.eigh(criterion)
    np.testing.assert_allclose(fitted.eigenvalues_, values[::-1][:2], rtol=1e-8)
    np.testing.assert_allclose(np.abs(fitted.components_ @ vectors[:, ::-1][:, :2]), np.eye(2), atol=1e-6)
    np.testing.assert_allclose(fitted.transform(X), features @ fitted.components_.T, atol=1e-10)


def test_all_directions_are_a_rotation_of_the_learned_kernel(documents):
    X, y = documents
    fitted = KDGPP(n_landmarks=40, alpha=10.0, random_state=0).fit(X, y)
    coordinates = fitted.transform(X)
    features = ManifoldAdaptiveKernel(40, random_state=0).fit(X, y).transform(X)
    assert coordinates.shape == features.shape
    np.testing.assert_allclose(coordinates @ coordinates.T, features @ features.T, atol=1e-8)


def test_more_directions_than_there_are_warn_and_all_do_not(documents, recwarn):
    X, y = documents
    fitted = KDGPP(n_landmarks=40, random_state=0).fit(X, y)
    assert not recwarn.list
    assert fitted.components_.shape[0] <= 4
    with pytest.warns(UserWarning, match="7 components were asked for"):
        KDGPP(7, n_landmarks=40, random_state=0).fit(X, y)


def test_settings_of_the_geometry_reach_the_graph(documents):
    X, y = documents
    plain = KDGPP(2, n_landmarks=40, random_state=0).fit(X, y).eigenvalues_
    for other in ({"alpha": 1.0}, {"sigma2": 1.0}, {"regularization": 1.0}, {"scatter": "squared"}):
        assert not np.allclose(
            KDGPP(2, n_landmarks=40, random_state=0, **other).fit(X, y).eigenvalues_, plain
        )


def test_two_fits_are_identical(documents):
    first, second = (KDGPP(n_landmarks=40, random_state=3).fit(*documents) for _ in range(2))
    np.testing.assert_array_equal(first.transform(documents[0]), second.transform(documents[0]))


def test_names_of_columns(documents):
    fitted = KDGPP(2, n_landmarks=40).fit(*documents)
    assert fitted.get_feature_names_out().tolist() == ["kdgpp0", "kdgpp1"]


@pytest.mark.parametrize("n_components", [0, -1])
def test_no_components_are_refused(documents, n_components):
    with pytest.raises(ValueError, match="'n_components' parameter"):
        KDGPP(n_components, n_landmarks=10).fit(*documents)


def test_reuters_figures(nearest_in):
    truth, predicted = nearest_in(KDGPP(random_state=0))
    assert accuracy_score(truth, predicted) >= 0.92
    assert f1_score(truth, predicted, average="macro") >= 0.6
