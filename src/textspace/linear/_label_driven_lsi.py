"""Latent semantic indexing in which the categories' names count for more."""

import warnings
from collections.abc import Mapping
from os import PathLike
from typing import ClassVar

import numpy as np
import Stemmer
from scipy import sparse
from sklearn.utils.extmath import safe_sparse_dot

from textspace._parameters import COUNT, NOT_NEGATIVE, SEED, at_least, one_of
from textspace._saving import saved_as
from textspace._validation import FLOATS, validate_data
from textspace.linear._base import LinearProjection
from textspace.linear._label_scaling import choose_factors, find_names, nearest_terms
from textspace.linear._lsi import LSI
from textspace.solvers import top_singular_vectors
from textspace.tree import LabelTree, as_tree

UNLABELLED = {"", None, -1}


@saved_as(
    "linear.label_driven_lsi",
    shapes={"components_": "m d", "n_features_in_": "d", "singular_values_": "m", "term_scale_": "d"},
)
class LabelDrivenLSI(LinearProjection):
    """LSI that listens to what the categories are called (SLSI, and NADP).

    The terms in a category's name, and the terms nearest to these in the space of LSI, are scaled by
    ``1 + q`` before the singular value decomposition: documents that share them come nearer. A category of a
    tree that holds c leaves scales its terms by ``1 + q / c`` only, since its name says less of a document's
    leaf. Where several categories ask for a term the largest factor holds. Which document has which label
    plays no part.

    Parameters
    ----------
    n_components : int, default=50
        Number of directions, also of the LSI in which near terms are looked for; capped, with a warning, at
        the rank of the document matrix.
    tree : LabelTree, dict of str to str, or path of a table, default=None
        The categories: a :class:`LabelTree`, or anything that :func:`as_tree` makes one of. None takes the
        labels given to `fit`, without anything above them.
    terms : array-like of str, shape (n_features,), default=None
        Names of the columns of X, such as those of ``VectorSpace.get_feature_names_out()``. None takes the
        column names of a data frame.
    scale : float, default=1.0
        The paper's q: how much more the terms of a leaf count. 0 is plain LSI.
    n_similar : int, default=1
        How many near terms to scale with each term of a name (the paper's l).
    adaptive : bool, default=True
        Whether q is divided by the number of leaves in a category (SLSI) or is the same for all (NADP).
    similarity : {"cosine", "product"}, default="cosine"
        Nearness of terms: the cosine of their rows in LSI's term-by-term matrix, or that matrix itself, as in
        the paper, which favours frequent terms.
    stem : str or None, default="porter"
        Words of names are looked up as they stand and by this stemmer; it should be the `stem` of the
        :class:`textspace.text.VectorSpace` that made the terms. Where both are terms, the heavier is taken.
    random_state : int, RandomState instance or None, default=None
        Seed of the vector from which the iteration starts. It changes the result by rounding only.

    Attributes
    ----------
    scaled_terms_ : dict of str to ScaledTerm
        The scaled terms, the largest factor first: ``factor``, ``node`` (the category) and ``reason``
        ("in the name", or "near to" a term of the name).
    term_scale_ : ndarray of shape (n_features,)
        Factor of each column; 1 for those that are not scaled.
    missing_words_ : dict of str to tuple of str
        Words of categories' names that are not among the terms, by category. A warning names them too.
    tree_ : LabelTree or None
        The categories; None when neither `tree` nor term names were given.
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal directions, one a row, among the scaled documents.
    singular_values_ : ndarray of shape (n_components,)
        Singular values of the scaled document matrix, descending.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    Notes
    -----
    A document becomes ``(x * term_scale_) @ components_.T``: new documents are scaled as those of `fit`. The
    paper's derivation scales the documents only.

    Eq. 1 counts the l terms nearest to t; here t itself is not one of them, and a term of similarity 0 or
    less is not near. Only the rows of the names' terms are formed of the term-by-term matrix, one at a time.

    References
    ----------
    X. Quan, E. Chen, Q. Luo and H. Xiong, "Adaptive label-driven scaling for latent semantic indexing",
    SIGIR 2008.

    Examples
    --------
    >>> from textspace.linear import LabelDrivenLSI
    >>> from textspace.text import VectorSpace
    >>> texts = ["corn harvest rose", "corn and wheat crops", "ships at the wheat port", "ship sank"]
    >>> space = VectorSpace()
    >>> X = space.fit_transform(texts)
    >>> tree = {"corn": "grain", "wheat": "grain", "shipping": "transport"}
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # two words are not among the terms
    ...     lsi = LabelDrivenLSI(2, tree=tree, terms=space.get_feature_names_out(), n_similar=0).fit(X)
    >>> lsi.scaled_terms_["ship"]
    ScaledTerm(factor=2.0, node='shipping', reason='in the name')
    >>> lsi.missing_words_
    {'grain': ('grain',), 'transport': ('transport',)}
    """

    _parameter_constraints: ClassVar = {
        "n_components": [COUNT],
        "tree": [LabelTree, Mapping, str, PathLike, None],
        "terms": ["array-like", None],
        "scale": [NOT_NEGATIVE],
        "n_similar": [at_least(0)],
        "adaptive": ["boolean"],
        "similarity": [one_of("cosine", "product")],
        "stem": [one_of(*Stemmer.algorithms()), None],
        "random_state": [SEED],
    }
    _needs_labels = False

    def __init__(
        self,
        n_components=50,
        tree=None,
        terms=None,
        scale=1.0,
        n_similar=1,
        adaptive=True,
        similarity="cosine",
        stem="porter",
        random_state=None,
    ):
        self.n_components = n_components
        self.tree = tree
        self.terms = terms
        self.scale = scale
        self.n_similar = n_similar
        self.adaptive = adaptive
        self.similarity = similarity
        self.stem = stem
        self.random_state = random_state

    def fit(self, X, y=None):
        """Find the terms that speak of categories, and the directions of the scaled documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : array-like of shape (n_samples,), default=None
            Labels. With a `tree` they are only looked up in it, if they are text; else their words are the
            names of the categories. The empty text, None and -1 stand for no label.

        Returns
        -------
        LabelDrivenLSI
            The fitted estimator.
        """
        self._validate_params()
        if y is None:
            X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS)
        else:
            X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS)
        terms = self._term_names()
        self.tree_ = None if terms is None else self._label_tree(y)
        self.scaled_terms_, self.missing_words_ = {}, {}
        self.term_scale_ = np.ones(X.shape[1], dtype=X.dtype)
        if self.tree_ is None:
            warnings.warn(
                "LabelDrivenLSI scales nothing and is plain LSI: give tree= (or text labels) and terms=, the "
                "names of the columns.",
                stacklevel=2,
            )
        else:
            self._scale_terms(X, terms)
        # a diagonal matrix scales columns of dense and sparse documents alike
        scaled = X @ sparse.diags_array(self.term_scale_)
        lsi = LSI(self.n_components, random_state=self.random_state).fit(scaled)
        self.components_, self.singular_values_ = lsi.components_, lsi.singular_values_
        return self

    def _project(self, X):
        return safe_sparse_dot(X, (self.components_ * self.term_scale_).T, dense_output=True)

    def _scale_terms(self, X, terms):
        weights = np.asarray(abs(X).sum(axis=0)).ravel()
        found, self.missing_words_ = find_names(self.tree_, terms, weights, stem=self.stem)
        self._report_missing(found)
        columns = {column for columns in found.values() for column in columns}
        neighbors = dict.fromkeys(columns, ())
        if columns and self.n_similar:
            values, vectors = top_singular_vectors(
                X, n_components=self.n_components, random_state=self.random_state
            )
            neighbors = nearest_terms(
                vectors * values[:, None], columns, n_terms=self.n_similar, similarity=self.similarity
            )
        amounts = {
            node: self.scale / (len(self.tree_.leaves_below(node)) if self.adaptive else 1) for node in found
        }
        chosen = choose_factors(found, neighbors, amounts=amounts, terms=terms)
        self.scaled_terms_ = {terms[column]: term for column, term in chosen.items()}
        for column, term in chosen.items():
            self.term_scale_[column] = term.factor

    def _term_names(self):
        terms = getattr(self, "feature_names_in_", None) if self.terms is None else self.terms
        if terms is None:
            if self.tree is not None:
                raise ValueError(
                    "LabelDrivenLSI has a tree but does not know which column is which term: give terms=, "
                    "such as VectorSpace.get_feature_names_out(), or a data frame."
                )
            return None
        terms = [str(term) for term in terms]
        if len(terms) != self.n_features_in_:
            raise ValueError(
                f"terms names {len(terms)} columns, but X has {self.n_features_in_}: give the terms of the "
                "vector space that made X."
            )
        if len(set(terms)) < len(terms):
            raise ValueError("terms names a column twice: give each column its own name.")
        return terms

    def _label_tree(self, y):
        labels = set() if y is None else set(y.tolist()) - UNLABELLED
        if self.tree is None:
            return LabelTree(dict.fromkeys(map(str, labels))) if labels else None
        tree = as_tree(self.tree)
        # labels may also be numbers that stand for the categories
        tree.check_labels([label for label in labels if isinstance(label, str)], inner=True)
        return tree

    def _report_missing(self, found):
        absent = [f"{' '.join(words)} ({node})" for node, words in self.missing_words_.items() if words]
        nothing = [repr(node) for node in self.missing_words_ if not found[node]]
        parts = []
        if absent:
            parts.append(f"words of category names that are not among the terms: {_shortened(absent)}.")
        if nothing:
            parts.append(f"No term is scaled for {_shortened(nothing)}.")
        if parts:
            warnings.warn(" ".join([*parts, "See missing_words_."]), stacklevel=4)


def _shortened(items, most=10):
    return "; ".join(items[:most]) + (f" and {len(items) - most} more" if len(items) > most else "")
