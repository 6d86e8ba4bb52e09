"""Scores of classes that are linear in the terms of a document: the parts of the blend."""

from dataclasses import dataclass

import numba
import numpy as np
from scipy import sparse
from sklearn.preprocessing import normalize
from sklearn.utils import gen_batches

from textspace.solvers import ridge

_ENTRIES = 6 << 20  # of the coefficients that are solved for at a time: arrays of 25 MB are used again and
# again, larger ones may be given back to the system, which clears them, at every step
_TOLERANCE = 1e-2  # of the ridge regression


@dataclass(frozen=True)
class RidgeView:
    """Ridge regression onto the indicators of the classes, and the discriminant space that follows from it.

    It gives two scores. The first is the regression's value itself. The second is the cosine between a
    document and the point of the class in the space of linear discriminant analysis by spectral regression,
    which is a linear map of the same solution.

    Parameters
    ----------
    coef : ndarray of shape (n_features, n_classes), float32
        Coefficients.
    intercept : ndarray of shape (n_classes,)
        Constants.
    sizes : ndarray of shape (n_classes,)
        Number of documents of each class, or the sum of their weights; above 0.
    """

    coef: np.ndarray
    intercept: np.ndarray
    sizes: np.ndarray

    @property
    def n_scores(self):
        """Number of scores: two, but one where there are two classes."""
        return min(2, len(self.sizes) - 1)

    @property
    def n_dimensions(self):
        """Number of coordinates that :meth:`positions` gives."""
        return len(self.sizes) - 1

    def scores(self, X):
        """Give the scores, a list of arrays of shape (n_samples, n_classes)."""
        return ridge_scores(dot(X, self.coef) + self.intercept, self.sizes)

    def positions(self, X):
        """Give places in the discriminant space, of shape (n_samples, n_classes - 1)."""
        return discriminant_positions(dot(X, self.coef) + self.intercept, self.sizes)

    def parts(self, x, factors):
        """Split the weighted sum of the scores of one document into the parts of its terms.

        Parameters
        ----------
        x : csr_array of shape (1, n_features)
            The document.
        factors : sequence of float
            What each of the scores is multiplied by.

        Returns
        -------
        parts : ndarray of shape (n_entries, n_classes)
            What each stored entry of `x` adds to each class.
        constant : ndarray of shape (n_classes,)
            What is left.
        """
        return self.split(x.data[:, None] * self.coef[x.indices].astype(np.float64), factors)

    def split(self, parts, factors):
        """As :meth:`parts`, given the parts of the regression's values."""
        centred = self.intercept - self.sizes / self.sizes.sum()
        if len(factors) == 1:
            return factors[0] * parts, factors[0] * self.intercept
        # for this one document its length is a number, and the cosine is linear
        nearness = factors[1] * _inverse(_lengths(parts.sum(axis=0) + centred, self.sizes))
        return (
            factors[0] * parts + nearness * _towards_points(parts, self.sizes),
            factors[0] * self.intercept + nearness * _towards_points(centred, self.sizes),
        )


@dataclass(frozen=True)
class LatentView:
    """A :class:`RidgeView` of documents that were projected onto a few directions and made unit length.

    Parameters
    ----------
    columns : ndarray of shape (n_columns,), int
        The terms that are projected, ascending.
    directions : ndarray of shape (n_columns, n_components), float32
        The directions, one a column.
    view : RidgeView
        The scores in the space of the directions.
    """

    columns: np.ndarray
    directions: np.ndarray
    view: RidgeView

    @property
    def n_scores(self):
        """Number of scores, those of the view."""
        return self.view.n_scores

    def scores(self, X):
        """Give the scores, a list of arrays of shape (n_samples, n_classes)."""
        rows = unit_rows(dot(X[:, self.columns], self.directions))
        return ridge_scores(rows @ self.view.coef + self.view.intercept, self.view.sizes)

    def parts(self, x, factors):
        """Split the weighted scores of one document, as :meth:`RidgeView.parts` does."""
        places = np.searchsorted(self.columns, x.indices)
        places[places == len(self.columns)] = 0
        is_projected = self.columns[places] == x.indices
        rows = np.zeros((x.nnz, self.directions.shape[1]))
        rows[is_projected] = self.directions[places[is_projected]]
        rows *= x.data[:, None]
        rows *= _inverse(np.linalg.norm(rows.sum(axis=0)))
        return self.view.split(rows @ self.view.coef, factors)


@dataclass(frozen=True)
class ComplementView:
    """Complement naive Bayes on the words of documents, which get unit length for it.

    Its weights are ``-log((total_t + alpha - count_tc) / normaliser_c)``, where the total counts term t in
    all classes. Less ``-log(total_t + alpha)``, which is the same for all classes, they are zero wherever
    the class does not hold the term: so they are kept as a sparse matrix and a constant a class.

    The scores of a document, measured from their mean, are divided by their length. It grows with the number
    of documents that were counted, and those of held-out documents would be too short.

    Parameters
    ----------
    weights : csr_array of shape (n_words, n_classes)
        ``-log(1 - count_tc / (total_t + alpha))``.
    means : ndarray of shape (n_words,)
        Means of the weights over the classes; scores are measured from the mean over the classes.
    normalisers : ndarray of shape (n_classes,)
        Logarithms of the normalisers, less their mean.
    """

    weights: sparse.csr_array
    means: np.ndarray
    normalisers: np.ndarray

    n_scores = 1

    def scores(self, X):
        """Give the score, a list of one array of shape (n_samples, n_classes)."""
        X = X[:, : len(self.means)].astype(np.float64)
        scores = (X @ self.weights).toarray()
        scores += X.sum(axis=1)[:, None] * self.normalisers
        scores -= (X @ self.means)[:, None]
        return [unit_rows(scores)]

    def parts(self, x, factors):
        """Split the weighted score of one document, as :meth:`RidgeView.parts` does."""
        is_word = x.indices < len(self.means)
        words = x.indices[is_word]
        parts = np.zeros((x.nnz, len(self.normalisers)))
        parts[is_word] = self.weights[words].toarray() - self.means[words, None] + self.normalisers
        parts *= x.data[:, None]
        parts *= factors[0] * _inverse(np.linalg.norm(parts.sum(axis=0)))
        return parts, np.zeros(len(self.normalisers))


def fit_ridge_view(X, y, *, n_classes, alpha, weights=None, start=None):
    """Solve the ridge regression.

    Parameters
    ----------
    X : {ndarray, csr_array} of shape (n_samples, n_features), float32
        Documents.
    y : ndarray of shape (n_samples,), int
        Their classes, 0 to n_classes - 1.
    n_classes : int
        Number of classes.
    alpha : float
        Penalty.
    weights : ndarray of shape (n_samples,), optional
        What each document counts.
    start : RidgeView, optional
        Solution of a similar problem to start from.

    Returns
    -------
    RidgeView
        The solution. A class without a document has the size of half a document.
    """
    coef = np.empty((X.shape[1], n_classes), dtype=np.float32)
    intercept = np.empty(n_classes)
    settings = {"n_classes": n_classes, "alpha": alpha, "weights": weights, "start": start and start.coef}
    for classes, *solution in _solutions(X, y, **settings):
        coef[:, classes], intercept[classes] = solution
    sizes = np.bincount(y, weights, minlength=n_classes)
    return RidgeView(coef=coef, intercept=intercept, sizes=np.maximum(sizes, 0.5))


def held_out_ridge(X, y, folds, *, n_classes, alpha):
    """Give the ridge regression's values of documents that it was not solved on.

    Parameters
    ----------
    X, y, n_classes, alpha
        As in :func:`fit_ridge_view`.
    folds : ndarray of shape (n_samples,), int
        Fold of each document.

    Returns
    -------
    ndarray of shape (n_samples, n_classes), float32
        Each document's values by the regression on all other folds.
    """
    values = np.empty((len(y), n_classes), dtype=np.float32)
    for fold in np.unique(folds):
        held_out = np.flatnonzero(folds == fold)
        rows, train = X[held_out], folds != fold
        for classes, coef, intercept in _solutions(X[train], y[train], n_classes=n_classes, alpha=alpha):
            values[held_out, classes] = rows @ coef + intercept
    return values


def _solutions(X, y, *, n_classes, alpha, weights=None, start=None):
    """Yield ridge solutions and constants for some classes at a time, since they need five times the room."""
    shares = np.full(len(y), 1 / len(y)) if weights is None else weights / weights.sum()
    mean = shares @ X
    for classes in gen_batches(n_classes, max(1, _ENTRIES // X.shape[1])):
        responses = (y[:, None] == np.arange(classes.start, classes.stop)).astype(np.float32)
        near = None if start is None else start[:, classes]
        coef, _ = ridge(X, responses, alpha=alpha, sample_weight=weights, start=near, tol=_TOLERANCE)
        yield classes, coef, shares @ responses - mean @ coef


def fit_complement_view(X, y, *, n_classes, alpha, n_words, weights=None):
    """Count words by class for complement naive Bayes.

    Parameters
    ----------
    X : csr_array of shape (n_samples, n_features)
        Documents; not negative.
    y : ndarray of shape (n_samples,), int
        Their classes, 0 to n_classes - 1.
    n_classes : int
        Number of classes.
    alpha : float
        What is added to each count.
    n_words : int
        Number of first columns that are words.
    weights : ndarray of shape (n_samples,), optional
        What each document counts.

    Returns
    -------
    ComplementView
        The weights.

    References
    ----------
    J. D. Rennie, L. Shih, J. Teevan and D. R. Karger, "Tackling the poor assumptions of naive Bayes text
    classifiers", ICML 2003.
    """
    X = normalize(X[:, :n_words].astype(np.float64))
    weights = np.ones(len(y)) if weights is None else weights
    members = sparse.csr_array((weights, (y, np.arange(len(y)))), shape=(n_classes, len(y)))
    counts = (members @ X).T.tocsr()
    totals = np.asarray(counts.sum(axis=1)).ravel() + alpha
    normalisers = np.log(totals.sum() - np.asarray(counts.sum(axis=0)).ravel())
    counts.data = -np.log1p(-counts.data / np.repeat(totals, np.diff(counts.indptr)))
    return ComplementView(
        weights=counts.astype(np.float32),
        means=np.asarray(counts.sum(axis=1)).ravel() / n_classes,
        normalisers=normalisers - normalisers.mean(),
    )


def held_out_complement(X, y, folds, *, n_classes, **settings):
    """Give the scores of naive Bayes for documents that it has not counted.

    Parameters
    ----------
    X, y, n_classes, **settings
        As in :func:`fit_complement_view`.
    folds : ndarray of shape (n_samples,), int
        Fold of each document.

    Returns
    -------
    ndarray of shape (n_samples, n_classes), float32
        Each document's scores by the counts of all other folds.
    """
    scores = np.empty((len(y), n_classes), dtype=np.float32)
    for fold in np.unique(folds):
        held_out = folds == fold
        view = fit_complement_view(X[~held_out], y[~held_out], n_classes=n_classes, **settings)
        scores[held_out] = view.scores(X[held_out])[0]
    return scores


def ridge_scores(values, sizes):
    """Give the scores that follow from ridge values: these, and the cosines in the discriminant space.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_classes)
        Values of the regression onto 0 and 1.
    sizes : ndarray of shape (n_classes,)
        Number of documents of each class.

    Returns
    -------
    list of ndarray of shape (n_samples, n_classes)
        The values and the cosines. With two classes the space is a line, on which a cosine tells no more
        than the side: there the values stand alone.

    Notes
    -----
    With N the diagonal matrix of the sizes and n their sum, centred and orthonormal functions of the class
    are ``E N^-1/2 U`` for indicators E and an orthonormal U across the square roots of the sizes. So the
    coordinates of spectral regression are ``s N^-1/2 U`` for the centred values s of the regression onto E,
    and the points of the classes are the rows of ``N^-1/2 U``. Their inner products need no U, as
    ``N^-1/2 U U.T N^-1/2 = N^-1 - 1 1.T / n``.

    References
    ----------
    D. Cai, X. He and J. Han, "Training linear discriminant analysis in linear time", IEEE International
    Conference on Data Engineering, 2008.
    """
    if len(sizes) == 2:
        return [values]
    centred = values - (sizes / sizes.sum()).astype(values.dtype)
    cosines = _towards_points(centred, sizes) * _inverse(_lengths(centred, sizes))[:, None]
    return [values, cosines.astype(values.dtype)]


def discriminant_positions(values, sizes):
    """Give coordinates in the discriminant space, of shape (n_samples, n_classes - 1), float32.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_classes)
        Values of the regression onto 0 and 1.
    sizes : ndarray of shape (n_classes,)
        Number of documents of each class.
    """
    roots = np.sqrt(sizes)
    scaled = (values - sizes / sizes.sum()) / roots
    # U: a Householder reflection that takes the unit vector along the roots to the last axis, less that axis
    mirror = roots / np.linalg.norm(roots)
    mirror[-1] += 1
    mirror /= np.linalg.norm(mirror)
    scaled -= 2 * (scaled @ mirror)[:, None] * mirror
    return scaled[:, :-1].astype(np.float32)


def _towards_points(centred, sizes):
    """Inner products with the class points, divided by the lengths of the points."""
    n = sizes.sum()
    inner = centred / sizes - centred.sum(axis=-1, keepdims=True) / n
    return inner / np.sqrt(1 / sizes - 1 / n)


def _lengths(centred, sizes):
    """Lengths of documents in the discriminant space."""
    squares = np.sum(centred**2 / sizes, axis=-1) - centred.sum(axis=-1) ** 2 / sizes.sum()
    return np.sqrt(np.maximum(squares, 0))


def unit_rows(rows):
    """Divide rows by their lengths; zero rows stay."""
    return rows * _inverse(np.linalg.norm(rows, axis=1))[:, None]


def _inverse(lengths):
    return np.divide(1.0, lengths, where=lengths > 0, out=np.zeros_like(lengths))


def dot(X, coef):
    """Product of a CSR array and a dense matrix, added up in double precision without a copy of either."""
    out = np.zeros((X.shape[0], coef.shape[1]))
    _add_products(X.indptr, X.indices, X.data, coef, out)
    return out


@numba.njit(cache=True, nogil=True)
def _add_products(indptr, indices, data, coef, out):
    for row in range(len(out)):
        for entry in range(indptr[row], indptr[row + 1]):
            weight = np.float64(data[entry])
            source = coef[indices[entry]]
            for column in range(out.shape[1]):
                out[row, column] += weight * source[column]
