"""What every kernel projection shares."""

from typing import ClassVar

import numpy as np
from sklearn.utils import gen_batches

from textspace._parameters import COUNT, SEED, one_of
from textspace.kernel._kernels import KERNEL_CONSTRAINTS, kernel_matrix
from textspace.kernel._nystroem import KMeansNystroem
from textspace.linear import LinearProjection

_LARGEST_EXACT = 12000  # documents whose kernel matrix is 576 MB in single precision
_CHUNK = 2**24  # entries of the kernel that `transform` holds at a time


class KernelProjection(LinearProjection):
    """Base of the projections ``x -> k(x, X_fit_) @ dual_coef_ - offset_``.

    A subclass has ``_fit_kernel``, which gives the coefficients of documents from their kernel matrix, and
    ``_fit_features``, which gives linear directions in Nystroem's features; both return the offset too.
    """

    _parameter_constraints: ClassVar = {
        **KERNEL_CONSTRAINTS,
        "approximation": [one_of("auto", "exact", "nystroem")],
        "n_landmarks": [COUNT],
        "random_state": [SEED],
    }

    def _project(self, X):
        blocks = gen_batches(X.shape[0], max(1, _CHUNK // self.X_fit_.shape[0]))
        products = [self._kernel(X[block], self.X_fit_) @ self.dual_coef_ for block in blocks]
        return np.concatenate(products) - self.offset_

    def _fit(self, X, y):
        largest = {"auto": _LARGEST_EXACT, "exact": np.inf, "nystroem": 0}[self.approximation]
        if X.shape[0] <= largest:
            self.X_fit_ = X
            self.dual_coef_, self.offset_ = self._fit_kernel(self._kernel(X, X), X, y)
        else:
            nystroem = KMeansNystroem(
                self.kernel,
                sigma=self.sigma,
                degree=self.degree,
                n_landmarks=self.n_landmarks,
                per_class=getattr(self, "per_class", False),
                random_state=self.random_state,
            ).fit(X, y)
            self.X_fit_ = nystroem.landmarks_
            components, self.offset_ = self._fit_features(nystroem.transform(X), X, y)
            self.dual_coef_ = nystroem.normalization_ @ components.T

    def _kernel(self, X, Y):
        return kernel_matrix(X, Y, kernel=self.kernel, sigma=self.sigma, degree=self.degree)

    @property
    def _n_features_out(self):
        return self.dual_coef_.shape[1]


def centre(K):
    """Centre a kernel matrix in place: the documents' mean in the feature space becomes the origin.

    Gives the mean that each row had before.
    """
    means = K.mean(axis=0, dtype=np.float64)
    K -= (means - means.mean()).astype(K.dtype)
    K -= means.astype(K.dtype)[:, None]
    return means.astype(K.dtype)
