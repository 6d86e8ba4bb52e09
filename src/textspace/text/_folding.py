"""Folded tensor space: documents -> rows in which each term has its place in a tensor."""

from collections.abc import Collection
from math import prod
from typing import ClassVar

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.preprocessing import normalize
from sklearn.utils._param_validation import HasMethods
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from textspace._parameters import one_of
from textspace._saving import saved_as
from textspace._tensor_shape import resolve_shape
from textspace._validation import validate_data
from textspace.text._vector_space import VectorSpace

_FLOATS = [np.float64, np.float32]


def _is_an_order(space):
    """Whether every term has a place of its own in the tensor."""
    n_terms = space.n_features_in_
    return prod(space.tensor_shape_) >= n_terms == len(np.unique(space.order_)) and space.space_ is None


@saved_as("text.folded_tensor_space", shapes={"order_": "d < d", "n_features_in_": "d"}, check=_is_an_order)
class FoldedTensorSpace(TransformerMixin, BaseEstimator):
    """Documents as tensors whose entries are terms in a learned order.

    The order of the terms is learned from the training documents. In this order they fill a tensor column by
    column: with the shape (n1, n2), term number f goes to row ``f % n1`` of column ``f // n1``.
    The tensor space model of [1]_, section 3, is ``shape=(None, 50)`` with the order by document frequency.

    Parameters
    ----------
    shape : tuple of int, one of which may be None, or "square", default=(None, 50)
        Size of each mode. None means as large as needed to hold all terms; entries that no term fills stay
        zero. Without None the product must be the number of terms. "square" makes two modes as near in size
        as can be, as [1]_ advises: a machine then has the fewest weights.
    order : {"document_frequency", "class_profile"}, default="document_frequency"
        Which terms come first. "document_frequency": those that stand in most training documents (of equally
        frequent ones the first column). "class_profile": the same, but each column of n1 terms is rearranged
        so that the terms of a row stand in documents of the same classes as the row's first term. It needs
        ``y``; see Notes.
    space : transformer from texts to rows, or None, default=None
        What makes rows of texts; a copy of it is fitted. None means ``VectorSpace(scheme="tf", stem=None)``,
        the weights of [1]_. It is not used where a document matrix is given.

    Attributes
    ----------
    tensor_shape_ : tuple of int
        Size of each mode, for the parameter `tensor_shape` of an estimator on tensors.
    order_ : ndarray of int, shape (n_terms,)
        ``order_[f]`` is the column of the document matrix that holds term number f.
    space_ : transformer or None
        The fitted space where texts were given.
    n_features_in_ : int
        Number of terms: columns of the document matrix that was given or made of the texts.

    See Also
    --------
    TrigramTensorSpace : Tensors of characters.

    Notes
    -----
    The result is a matrix with one row a document. It has the columns of the document matrix in the new
    order, and columns of zeros on the right. Inner products are as before, so that estimators which know
    nothing of tensors can use it. Column f is the entry ``np.unravel_index(f, tensor_shape_, order="F")``.

    A support tensor machine gives the term at (i, j) the weight ``u[i] * v[j]``: the terms of a row share
    ``u[i]``. By document frequency alone they have nothing in common. "class_profile" sums the weights of
    each term over the documents of each class. The sums of the first term of a row, scaled to unit length,
    are the profile of the row. The terms of each later column are assigned to the rows one to one. The
    assignment is the one for which the inner products of their sums with the profiles have the greatest
    total. More than 512 rows are assigned in groups of at most that many. It takes a few seconds for 20,000
    terms in 50 columns.

    References
    ----------
    .. [1] D. Cai, X. He, J.-R. Wen, J. Han and W.-Y. Ma, "Support Tensor Machines for Text Categorization",
       technical report UIUCDCS-R-2006-2714, University of Illinois, 2006.

    Examples
    --------
    >>> from textspace.text import FoldedTensorSpace
    >>> space = FoldedTensorSpace(shape=(None, 2))
    >>> X = space.fit_transform(["wheat and corn", "corn prices", "corn, wheat, gold"])
    >>> space.tensor_shape_
    (2, 2)
    >>> space.get_feature_names_out().reshape(space.tensor_shape_, order="F")
    array([['corn', 'gold'],
           ['wheat', 'prices']], dtype=object)
    >>> X[[0]].toarray().reshape(space.tensor_shape_, order="F").round(2)
    array([[0.71, 0.  ],
           [0.71, 0.  ]], dtype=float32)
    """

    _parameter_constraints: ClassVar = {
        "shape": ["array-like", one_of("square")],
        "order": [one_of("document_frequency", "class_profile")],
        "space": [HasMethods(["fit_transform", "transform"]), None],
    }

    def __init__(self, shape=(None, 50), order="document_frequency", space=None):
        self.shape = shape
        self.order = order
        self.space = space

    def fit(self, X, y=None):
        """Learn the order of the terms.

        Parameters
        ----------
        X : iterable of str, or {array-like, sparse matrix} of shape (n_documents, n_terms)
            Training texts, or a document matrix, which is taken as it is.
        y : array-like of shape (n_documents,), default=None
            Classes; only for the order "class_profile".

        Returns
        -------
        FoldedTensorSpace
            The fitted transformer.
        """
        self._learn(X, y)
        return self

    def fit_transform(self, X, y=None):
        """Fit and return the training documents' tensors; texts are read once.

        Parameters
        ----------
        X : iterable of str, or {array-like, sparse matrix} of shape (n_documents, n_terms)
            Training texts, or a document matrix.
        y : array-like of shape (n_documents,), default=None
            Classes; only for the order "class_profile".

        Returns
        -------
        {ndarray, sparse matrix} of shape (n_documents, prod(tensor_shape_))
            Tensors, one a row; sparse for texts and sparse matrices.
        """
        return self._fold(self._learn(X, y))

    def transform(self, X):
        """Put the terms of documents at their places.

        Parameters
        ----------
        X : iterable of str, or {array-like, sparse matrix} of shape (n_documents, n_terms)
            Texts, or a document matrix where the training documents were given so.

        Returns
        -------
        {ndarray, sparse matrix} of shape (n_documents, prod(tensor_shape_))
            Tensors, one a row; sparse for texts and sparse matrices.
        """
        check_is_fitted(self)
        if _holds_texts(X) != (self.space_ is not None):
            kinds = ("texts", "a document matrix")
            learned, given = kinds if self.space_ is not None else kinds[::-1]
            raise ValueError(
                f"This FoldedTensorSpace was fitted on {learned}, but transform was given {given}."
            )
        if self.space_ is not None:
            X = self.space_.transform(X)
        return self._fold(validate_data(self, X, accept_sparse="csr", dtype=_FLOATS, reset=False))

    @property
    def _n_features_out(self):
        return prod(self.tensor_shape_)

    def get_feature_names_out(self, input_features=None):
        """Give the terms in their order; entries that no term fills are called padding0, padding1, ...

        Parameters
        ----------
        input_features : array-like of str or None, default=None
            Names of the columns of the document matrix, where they are not known from `fit`.

        Returns
        -------
        ndarray of str objects, shape (prod(tensor_shape_),)
            Names of the tensors' entries.
        """
        check_is_fitted(self)
        if self.space_ is None:
            terms = _check_feature_names_in(self, input_features)
        else:
            terms = self.space_.get_feature_names_out()
        padding = [f"padding{i}" for i in range(prod(self.tensor_shape_) - len(terms))]
        return np.array([*terms[self.order_], *padding], dtype=object)

    def _learn(self, X, y):
        """Set the fitted attributes and return the document matrix."""
        self._validate_params()
        self.space_ = None
        if _holds_texts(X):
            space = VectorSpace(scheme="tf", stem=None) if self.space is None else clone(self.space)
            X, self.space_ = space.fit_transform(X, y), space
        is_supervised = self.order == "class_profile"
        if is_supervised:
            X, y = validate_data(self, X, y, accept_sparse="csr", dtype=_FLOATS)
            check_classification_targets(y)
        else:
            X = validate_data(self, X, accept_sparse="csr", dtype=_FLOATS)
        self.tensor_shape_ = resolve_shape(self.shape, X.shape[1])
        self.order_ = np.argsort(-_document_frequencies(X), kind="stable")
        if is_supervised:
            self.order_ = _matched_to_rows(self.order_, _weights_by_class(X, y), n_rows=self.tensor_shape_[0])
        return X

    def _fold(self, X):
        """Put the columns in their order and widen the rows to the size of the tensor."""
        shape = (X.shape[0], prod(self.tensor_shape_))
        if not sp.issparse(X):
            tensors = np.zeros(shape, X.dtype)
            tensors[:, : X.shape[1]] = X[:, self.order_]
            return tensors
        places = np.empty(X.shape[1], X.indices.dtype)
        places[self.order_] = np.arange(X.shape[1])
        tensors = type(X)((X.data.copy(), places[X.indices], X.indptr.copy()), shape=shape)
        tensors.sort_indices()
        return tensors

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        tags.target_tags.required = self.order == "class_profile"
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _holds_texts(X):
    """Whether X is a single column of texts, rather than a matrix."""
    if isinstance(X, str | bytes) or hasattr(X, "__next__"):
        return True
    if sp.issparse(X) or not isinstance(X, Collection) or len(getattr(X, "shape", (0,))) != 1:
        return False
    return len(X) == 0 or any(isinstance(entry, str | bytes) for entry in X)


def _document_frequencies(X):
    """Count the documents in which each term stands."""
    if sp.issparse(X):
        return np.bincount(X.indices[X.data != 0], minlength=X.shape[1])
    return np.count_nonzero(X, axis=0)


def _weights_by_class(X, y):
    """Sum each term's weights over the documents of each class: shape (n_terms, n_classes)."""
    classes, codes = np.unique(y, return_inverse=True)
    members = sp.csr_array(
        (np.ones(len(y), X.dtype), (codes, np.arange(len(y)))), shape=(len(classes), len(y))
    )
    sums = members @ X
    return (sums.toarray() if sp.issparse(sums) else sums).T


def _matched_to_rows(order, weights, *, n_rows, most_rows=512):
    """Rearrange each column of a folded order so that the terms of a row belong to the same classes.

    Every `n_rows` terms of `order` fill a column; the last one may be shorter. The first column stays as it
    was. In every other column the sum of the inner products of the terms' weights, of shape (n_terms,
    n_classes), with the profiles of their rows is the greatest possible. With more than `most_rows` rows,
    every second, or third, ... row is treated apart, with the terms that come to it: the time is then no
    longer cubic in the number of rows.
    """
    order = order.copy()
    profiles = normalize(weights[order[:n_rows]])
    n_groups = -(-n_rows // most_rows)
    for start in range(n_rows, len(order), n_rows):
        column = order[start : start + n_rows]
        for group in range(n_groups):
            # Columns are sorted by document frequency: strides give each group frequent and rare terms alike.
            terms = column[group::n_groups]
            affinities = profiles[group : len(column) : n_groups] @ weights[terms].T
            column[group::n_groups] = terms[linear_sum_assignment(affinities, maximize=True)[1]]
    return order
