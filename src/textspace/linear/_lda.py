"""Linear discriminant analysis by spectral regression."""

import warnings
from typing import ClassVar

import numpy as np
from scipy import linalg
from sklearn.utils.extmath import svd_flip

from textspace._parameters import COUNT, NOT_NEGATIVE, POSITIVE
from textspace._saving import saved_as
from textspace.linear._base import LinearProjection
from textspace.linear._centroids import class_sums
from textspace.solvers import ridge, significant


@saved_as(
    "linear.lda", shapes={"components_": "m d", "n_features_in_": "d", "eigenvalues_": "m", "mean_": "d"}
)
class SpectralRegressionLDA(LinearProjection):
    """Regularised linear discriminant analysis, trained by ridge regression.

    The directions w solve ``S_b w = eigenvalue (S_t + alpha I) w`` with the between-class scatter S_b and
    the total scatter S_t. The directions are combinations of the solutions of ridge regressions onto
    orthonormal, centred functions of the class, so that large problems need no scatter matrix.

    Parameters
    ----------
    alpha : float, default=1.0
        What is added to the diagonal of the total scatter matrix ``X_c.T @ X_c`` or, which is the same, of
        the Gram matrix ``X_c @ X_c.T``; not its root. Zero gives classical discriminant analysis.
    tol : float, default=1e-2
        A regression has converged when its gradient is at most ``tol`` times the gradient at zero. Problems
        with at most 1000 documents or 1000 terms are solved exactly, whatever ``tol`` is.
    max_iter : int, default=1000
        Number of iterations after which ``fit`` gives up and raises an error.
    n_components : int, default=None
        Number of directions to keep, the best ones; None keeps all, one less than there are classes.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal directions, one a row: one less than there are classes, fewer where the class means
        span less. The first k of them span the k best discriminant directions, for every k.
    eigenvalues_ : ndarray of shape (n_components,)
        Share of the (regularised) scatter along a discriminant direction that lies between the classes,
        descending; between 0 and 1, up to ``tol``.
    mean_ : ndarray of shape (n_features,)
        Mean of the training documents; ``transform`` subtracts its projection.
    n_iter_ : int
        Number of conjugate-gradient iterations; 1 where the problem was solved exactly.
    classes_ : ndarray of shape (n_classes,)
        Labels.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    Notes
    -----
    Two choices that the papers leave open: the directions are orthonormalised, and documents are measured
    from the mean, which matters to cosines only. Both raise the accuracy of the nearest neighbour.

    References
    ----------
    D. Cai, X. He and J. Han, "Training linear discriminant analysis in linear time", IEEE International
    Conference on Data Engineering, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import SpectralRegressionLDA
    >>> X = np.array([[0.0, 1.0], [0.0, 3.0], [1.0, 1.0], [1.0, 3.0]])
    >>> SpectralRegressionLDA(alpha=0.0).fit(X, ["a", "a", "b", "b"]).transform(X).round(3)
    array([[-0.5],
           [-0.5],
           [ 0.5],
           [ 0.5]])
    """

    _parameter_constraints: ClassVar = {
        "alpha": [NOT_NEGATIVE],
        "tol": [POSITIVE],
        "max_iter": [COUNT],
        "n_components": [COUNT, None],
    }
    _several_labels = True

    def __init__(self, alpha=1.0, tol=1e-2, max_iter=1000, *, n_components=None):
        self.alpha = alpha
        self.tol = tol
        self.max_iter = max_iter
        self.n_components = n_components

    def _fit(self, X, y):
        self.mean_, responses, cross = class_responses(X, y)
        coef, n_iter = ridge(
            X, responses, alpha=self.alpha, solver="auto", tol=self.tol, max_iter=self.max_iter
        )
        self.n_iter_ = max(n_iter, 1)  # scikit-learn wants one at least
        self._keep(*discriminant_directions(coef, cross))

    def _keep(self, eigenvalues, directions):
        """Set the directions that are asked for."""
        n_there, n_asked = len(directions), self.n_components or len(directions)
        if n_asked > n_there:
            warnings.warn(
                f"{type(self).__name__} keeps {n_there} of the {n_asked} components asked for: there are no "
                "more directions that tell the classes apart.",
                stacklevel=4,
            )
        self.eigenvalues_, self.components_ = eigenvalues[:n_asked], directions[:n_asked]

    def _project(self, X):
        # after the product: a sparse X is never centred
        return super()._project(X) - self.components_ @ self.mean_


def class_responses(X, y):
    """Orthonormal functions of the class on which X depends, and their products with X.

    Parameters
    ----------
    X : {ndarray, sparse matrix, sparse array} of shape (n_samples, n_features)
        Documents.
    y : ndarray of shape (n_samples,), int
        Class of each document, as 0, 1, ...

    Returns
    -------
    mean : ndarray of shape (n_features,)
        Mean of the documents.
    responses : ndarray of shape (n_samples, r)
        The functions Y, one a column; r is the rank of the between-class scatter, at most c - 1.
    cross : ndarray of shape (r, n_features)
        The products ``Y.T @ X_c``; the between-class scatter is ``cross.T @ cross``.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import class_responses
    >>> X = np.array([[0.0, 1.0], [0.0, 3.0], [1.0, 1.0], [1.0, 3.0]])
    >>> mean, responses, cross = class_responses(X, np.array([0, 0, 1, 1]))
    >>> mean, np.abs(responses.ravel().round(6)), np.abs(cross.round(6))
    (array([0.5, 2. ]), array([0.5, 0.5, 0.5, 0.5]), array([[1., 0.]]))
    """
    mean, of_class, cross = response_basis(class_sums(X, y), np.bincount(y))
    return mean, of_class[y], cross


def response_basis(sums, sizes):
    """Orthonormal functions of the class on which documents depend, from the sums over each class.

    With E the indicators of the classes and N the diagonal matrix of their sizes, the centred functions of
    the class have the projector ``E N^-1 E.T - 1 1.T / n``. Its range has the orthonormal basis
    ``E N^-1/2 U`` for any orthonormal U across the square roots of the class sizes; U is made of singular
    vectors of the between-class scatter, so that the order of the classes does not matter and functions
    that no linear function of X can follow are left out.

    Parameters
    ----------
    sums : ndarray of shape (n_classes, n_features)
        Sum of the documents of each class.
    sizes : ndarray of shape (n_classes,), int
        Number of documents of each class.

    Returns
    -------
    mean : ndarray of shape (n_features,)
        Mean of the documents.
    values : ndarray of shape (n_classes, r)
        Value of each function for the documents of each class; r as in :func:`class_responses`.
    cross : ndarray of shape (r, n_features)
        As in :func:`class_responses`.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import response_basis
    >>> mean, values, cross = response_basis(np.array([[0.0, 4.0], [2.0, 4.0]]), np.array([2, 2]))
    >>> mean, np.abs(values.ravel().round(6)), np.abs(cross.round(6))
    (array([0.5, 2. ]), array([0.5, 0.5]), array([[1., 0.]]))
    """
    mean = sums.sum(axis=0) / sums.dtype.type(sizes.sum())
    roots = np.sqrt(sizes).astype(sums.dtype)[:, None]
    scaled = sums / roots
    vectors, values, basis = linalg.svd((scaled - roots * mean).T, full_matrices=False)
    rank = significant(values, n_features=sums.shape[1], scale=np.linalg.norm(scaled))
    rank = min(rank, len(roots) - 1)
    if rank == 0:
        raise ValueError("the classes cannot be told apart: they have the same mean.")
    return mean, basis[:rank].T / roots, (vectors[:, :rank] * values[:rank]).T


def discriminant_directions(coef, cross):
    """Turn ridge solutions into discriminant directions, best first, and orthonormalise them.

    Parameters
    ----------
    coef : ndarray of shape (n_features, r)
        Ridge solutions ``W = (S_t + alpha I)^-1 @ cross.T``.
    cross : ndarray of shape (r, n_features)
        Products of the responses with the documents.

    Returns
    -------
    eigenvalues : ndarray of shape (r,)
        Eigenvalues of ``(S_t + alpha I)^-1 S_b``, descending.
    directions : ndarray of shape (r, n_features)
        Orthonormal rows; the first k span the first k eigenvectors.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.linear import discriminant_directions
    >>> coef = np.array([[0.0, 0.1], [0.5, 0.0], [0.0, 0.0]])
    >>> cross = np.array([[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]])
    >>> eigenvalues, directions = discriminant_directions(coef, cross)
    >>> eigenvalues, np.abs(directions.round(6))
    (array([0.5, 0.2]), array([[0., 1., 0.],
           [1., 0., 0.]]))
    """
    fitted = cross @ coef  # symmetric but for the solver's tolerance
    eigenvalues, rotation = linalg.eigh((fitted + fitted.T) / 2)
    directions, _ = linalg.qr(coef @ rotation[:, ::-1], mode="economic")
    _, directions = svd_flip(None, np.ascontiguousarray(directions.T), u_based_decision=False)
    return eigenvalues[::-1], directions
