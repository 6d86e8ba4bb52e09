"""Kernel matrices learned from pairs: the closed form and the semidefinite programme."""

import builtins

import numpy as np
import pytest

from textspace.kernel._manifold import landmark_laplacian
from textspace.kernel._sdp import class_pairs, embedding, hinge_loss_kernel, linear_loss_kernel
from textspace.solvers import ConvergenceError


def problem(size, n_classes=4, seed=0):
    """Give the Laplacian and the pairs of points around overlapping class centres."""
    rng = np.random.default_rng(seed)
    classes = np.arange(size) % n_classes
    points = rng.standard_normal((size, 5)) + 1.5 * np.eye(n_classes, 5)[classes]
    return landmark_laplacian(points, n_neighbors=5), class_pairs(classes)


def hinge_objective(kernel, laplacian, pairs, C):
    return np.sum(laplacian * kernel) + C * np.sum(np.maximum(0, 1 - pairs * kernel)[pairs != 0])


def alternating_directions(laplacian, pairs, C, step=1.0, n_steps=1000):
    """Solve the programme by splitting it into the cone and the loss (ADMM); gives its value."""
    losses, scaled = np.zeros_like(pairs), np.zeros_like(pairs)
    for _ in range(n_steps):
        values, vectors = np.linalg.eigh(losses - scaled - laplacian / step)
        kernel = (vectors * np.maximum(values, 0)) @ vectors.T
        margins = pairs * (kernel + scaled)
        moved = np.where(margins < 1 - C / step, margins + C / step, np.maximum(margins, 1))
        losses = np.where(pairs == 0, kernel + scaled, pairs * moved)
        scaled = scaled + kernel - losses
    return hinge_objective(kernel, laplacian, pairs, C)


def test_pairs():
    np.testing.assert_array_equal(
        class_pairs(np.array([0, 0, 1, -1])),
        [[1, 1, -1, 0], [1, 1, -1, 0], [-1, -1, 1, 0], [0, 0, 0, 0]],
    )


def test_embedding_is_the_nearest_semidefinite_matrix():
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((12, 12))
    matrix = matrix + matrix.T
    factor = embedding(matrix)
    rest = matrix - factor @ factor.T
    # the two parts of a projection onto a cone: orthogonal, and the rest in the polar cone
    assert np.sum(rest * (factor @ factor.T)) == pytest.approx(0, abs=1e-9)
    assert np.linalg.eigvalsh(rest).max() < 1e-9
    assert np.all(np.diff(np.linalg.norm(factor, axis=0)) <= 0)


def test_embedding_of_a_negative_matrix_is_one_column_of_zeros():
    np.testing.assert_array_equal(embedding(-np.eye(3)), np.zeros((3, 1)))


@pytest.mark.parametrize("C", [0.1, 1.0])
def test_closed_form_minimises_its_objective(C):
    laplacian, pairs = problem(30)

    def objective(kernel):
        return np.sum((laplacian - C * pairs) * kernel) + np.sum(kernel**2) / 2

    factor = linear_loss_kernel(laplacian, pairs, C=C)
    best = objective(factor @ factor.T)
    assert factor.shape[1] <= 4
    rng = np.random.default_rng(1)
    for scale in (1e-3, 1e-2, 0.1, 1):
        other = np.hstack([factor, np.zeros((30, 2))]) + scale * rng.standard_normal(
            (30, factor.shape[1] + 2)
        )
        assert objective(other @ other.T) > best
    # and by projected gradients from another start
    kernel = np.eye(30)
    for _ in range(200):
        step = embedding(kernel - 0.5 * (laplacian - C * pairs + kernel))
        kernel = step @ step.T
    assert objective(kernel) == pytest.approx(best, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "C"), [(40, 0.02), (40, 0.5), (130, 0.1)])
def test_programme_agrees_with_another_solver(size, C):
    pytest.importorskip("cvxpy", reason="the semidefinite programme needs the extra sdp")
    laplacian, pairs = problem(size)
    factor = hinge_loss_kernel(laplacian, pairs, C=C)
    value = hinge_objective(factor @ factor.T, laplacian, pairs, C)
    other = alternating_directions(laplacian, pairs, C)
    assert value == pytest.approx(other, rel=1e-3)


def test_unclear_landmarks_follow_the_graph_alone():
    pytest.importorskip("cvxpy", reason="the semidefinite programme needs the extra sdp")
    laplacian, pairs = problem(20, n_classes=2)
    pairs[0], pairs[:, 0] = 0, 0
    factor = hinge_loss_kernel(laplacian, pairs, C=1.0)
    # smoothest where it is what its neighbours are: row 0 of the Laplacian is orthogonal to the embedding
    np.testing.assert_allclose(laplacian[0] @ factor, 0, atol=0.02)


def test_a_programme_that_does_not_converge_is_an_error():
    pytest.importorskip("cvxpy", reason="the semidefinite programme needs the extra sdp")
    laplacian, pairs = problem(30)
    with (
        pytest.warns(UserWarning, match="inaccurate"),
        pytest.raises(ConvergenceError, match="did not converge in 3 iterations"),
    ):
        hinge_loss_kernel(laplacian, pairs, C=1.0, max_iter=3)


def test_too_many_landmarks_for_the_programme_are_refused():
    pytest.importorskip("cvxpy", reason="the semidefinite programme needs the extra sdp")
    with pytest.raises(ValueError, match="201 landmarks are too many"):
        hinge_loss_kernel(np.eye(201), np.ones((201, 201)), C=1.0)


def test_missing_cvxpy_names_the_extra(monkeypatch):
    real = builtins.__import__

    def without_cvxpy(name, *arguments, **keywords):
        if name == "cvxpy":
            raise ImportError(name)
        return real(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_cvxpy)
    with pytest.raises(ImportError, match=r"pip install 'textspace\[sdp\]'"):
        hinge_loss_kernel(np.eye(2), np.ones((2, 2)), C=1.0)
