"""Classification from the top of a category tree down to its leaves."""

import warnings
from collections import Counter
from numbers import Integral, Real
from typing import ClassVar

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.utils import check_scalar, get_tags
from sklearn.utils.validation import column_or_1d

from textspace._label_lists import indicators_of
from textspace._parameters import CLASSIFIER, at_least
from textspace._saving import saved_as
from textspace._validation import FLOATS, validate_data
from textspace.classify._base import DocumentClassifier
from textspace.classify._several_paths import documents_inside, fit_several_paths, several_paths_shares
from textspace.tree import as_tree
from textspace.tuning import decision_values, fit_temperature, held_out_values, probabilities


@saved_as(
    "classify.top_down",
    shapes={
        "classes_": "c",
        "nodes_": "n",
        "_columns": "n",
        "_columns.*": "_ < n",
        "_label_columns?": "c < n",
        "_shares?": "s",
        "n_features_in_": "d",
        "estimators_": "e",
        "estimators_.*.n_features_in_": "d",
        "temperatures_": "t",
    },
    check=lambda model: (
        (model.estimators_.keys() == model.temperatures_.keys() or model._shares is not None)
        and all(temperature > 0 for temperature in model.temperatures_.values())
    ),
    holds=["sklearn.svm.LinearSVC"],
)
class TopDownClassifier(DocumentClassifier):
    """Classify documents from the top of a category tree down, with a probability for every category.

    Each category with others right below it has a classifier of its own, which learns from the documents
    inside that category to tell these others apart. The probability of a category is that of its parent
    times what the parent's classifier gives to it.

    A document of several labels may go several ways, or stop: each category then has a classifier that says
    yes or no to each of those right below it.

    Parameters
    ----------
    estimator : classifier, default=None
        What learns at each category: anything with ``predict_proba`` or ``decision_function``. None stands
        for ``LinearSVC(random_state=0)``.
    tree : LabelTree, dict of str to str, or path of a table, default=None
        The categories: a :class:`textspace.tree.LabelTree`, or anything that
        :func:`textspace.tree.as_tree` makes one of. None puts all labels side by side, which leaves one
        plain classifier.
    cv : int or None, default=5
        Number of folds by which each classifier's probabilities are calibrated. None takes ``predict_proba``
        as it is, for an estimator that is calibrated already. Where it has none, the softmax of its decision
        values (with two categories the logistic function) is a poor substitute, and where leaves lie at
        different depths even the most probable leaf suffers.
    n_jobs : int, default=None
        Number of threads for fitting; categories are fitted side by side.
    labels : sequence of str, default=None
        Categories that the columns of an indicator matrix y stand for; any of the tree, leaves or not. Needed
        for a tree and several labels.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The leaves of the tree, sorted; the labels without a tree; positions of the columns where y was an
        indicator matrix.
    nodes_ : ndarray of shape (n_nodes,)
        All categories, from the roots down; those of `classes_` without a tree.
    tree_ : LabelTree or None
        The tree.
    estimators_ : dict
        The fitted classifier of each category that has at least two others with documents right below it,
        whose names are its classes. None stands for the place above the roots.
    temperatures_ : dict of float
        What the values of each of these classifiers are divided by (see Notes). Above 1, it is right less
        often than its own probabilities say.
    n_documents_ : dict of int
        Number of documents that were learned from in each category.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    Notes
    -----
    This is the local classifier per parent node [1]_. A category with a single other below it passes on all
    of its probability. So the leaves' probabilities sum to one, and those of any category are the sum of its
    leaves', whatever their depths.

    Each classifier is fitted once on all documents of its category. In addition, `cv` copies give values to
    documents which they have not learned from (logarithms of ``predict_proba``, or else decision values), and
    the probabilities are the softmax of the values divided by a temperature that makes the log loss of these
    documents smallest [2]_. The decisions of a classifier stay as they are.

    A leaf without documents has the probability zero; a warning names it.

    References
    ----------
    .. [1] C. N. Silla and A. A. Freitas, "A survey of hierarchical classification across different
       application domains", Data Mining and Knowledge Discovery 22, 2011.
    .. [2] C. Guo, G. Pleiss, Y. Sun and K. Q. Weinberger, "On calibration of modern neural networks",
       ICML 2017.

    Examples
    --------
    >>> from textspace.classify import TopDownClassifier
    >>> from textspace.text import VectorSpace
    >>> texts = ["corn crop", "corn price", "corn field", "wheat crop", "wheat price", "wheat field"]
    >>> texts += ["corn mill", "ship sank", "ship at sea", "ship in port"]
    >>> labels = ["corn"] * 3 + ["wheat"] * 3 + ["corn"] + ["ship"] * 3
    >>> space = VectorSpace()
    >>> X = space.fit_transform(texts)
    >>> model = TopDownClassifier(tree={"corn": "grain", "wheat": "grain", "ship": None}).fit(X, labels)
    >>> model.nodes_
    array(['grain', 'corn', 'wheat', 'ship'], dtype='<U5')
    >>> new = space.transform(["corn on a field", "price and crop", "crop of a port"])
    >>> model.node_proba(new).round(2)
    array([[0.99, 0.98, 0.  , 0.01],
           [0.98, 0.78, 0.2 , 0.02],
           [0.47, 0.33, 0.14, 0.53]])
    >>> model.predict(new)
    array(['corn', 'corn', 'ship'], dtype='<U5')
    >>> model.predict(new, min_confidence=0.8)
    array(['corn', 'grain', ''], dtype='<U5')
    """

    _parameter_constraints: ClassVar = {
        "tree": "no_validation",  # as_tree takes it or says why not
        "estimator": [CLASSIFIER, None],
        "cv": [at_least(2), None],
        "n_jobs": [Integral, None],
        "labels": ["array-like", None],
    }
    _dtype = FLOATS
    _shares = None  # of categories without a classifier, where documents have several labels

    def __init__(self, estimator=None, tree=None, cv=5, n_jobs=None, *, labels=None):
        self.estimator = estimator
        self.tree = tree
        self.cv = cv
        self.n_jobs = n_jobs
        self.labels = labels

    def fit(self, X, y):
        """Learn the classifier of each category.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        y : {array-like, sparse matrix} of shape (n_samples,) or (n_samples, n_labels)
            Their labels: leaves of the tree, of which at least two occur. Or, for documents of several labels
            or none, a matrix of zeros and ones, a column for each of `labels`.

        Returns
        -------
        TopDownClassifier
            The fitted classifier.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS, multi_output=True)
        truth = indicators_of(y)
        if truth is not None:
            return self._fit_several(X, truth)
        self._shares = None
        paths = self._place(column_or_1d(y, warn=True))
        self._warn_of_empty_leaves()
        problems = [
            (node, rows, labels)
            for node, rows, labels in _local_problems(paths, self._children)
            if np.any(labels != labels[0])
        ]
        estimator = _linear_machine() if self.estimator is None else self.estimator
        fitted = Parallel(self.n_jobs, prefer="threads")(
            delayed(_fit_one)(estimator, X[rows], labels, self.cv) for _, rows, labels in problems
        )
        self.estimators_ = {node: one for (node, *_), (one, _) in zip(problems, fitted, strict=True)}
        self.temperatures_ = {node: heat for (node, *_), (_, heat) in zip(problems, fitted, strict=True)}
        return self

    def _fit_several(self, X, truth):
        self.classes_ = np.arange(truth.shape[1])
        labels = self.classes_.tolist() if self.labels is None else list(map(str, self.labels))
        if len(labels) != truth.shape[1]:
            raise ValueError(f"y has {truth.shape[1]} columns, but labels names {len(labels)}: name each.")
        self.tree_ = None if self.tree is None else as_tree(self.tree)
        if self.tree_ is None:
            self.nodes_, self._children, above = np.array(labels), {None: labels}, lambda label: [label]
        elif self.labels is None:
            raise ValueError("a tree and several labels need the names of y's columns: give labels=.")
        else:
            self.tree_.check_labels(labels, inner=True)
            self.nodes_, above = np.array(list(self.tree_)), self.tree_.path
            self._children = {node: self.tree_.children(node) for node in (None, *self.tree_)}
        self._columns = {node: column for column, node in enumerate(self.nodes_.tolist())}
        self._label_columns = np.array([self._columns[label] for label in labels])
        inside = documents_inside(truth, labels, above, self._columns)
        self.n_documents_ = dict(zip(self._columns, np.diff(inside.tocsc().indptr).tolist(), strict=True))
        self.estimators_, self._shares = fit_several_paths(
            X,
            inside,
            self._children,
            self._columns,
            estimator=_linear_machine() if self.estimator is None else self.estimator,
            n_folds=2 if self.cv is None else self.cv,
        )
        self.temperatures_ = {}
        return self

    def node_proba(self, X):
        """Give the probability of every category.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.

        Returns
        -------
        ndarray of shape (n_samples, n_nodes)
            Probabilities, in the order of `nodes_`.
        """
        return self._node_shares(self._documents(X))

    def _node_shares(self, X):
        if self._shares is not None:
            shares = several_paths_shares(X, self.estimators_, self._shares, self._children)
            return np.column_stack([shares[node] for node in self.nodes_.tolist()])
        shares = {None: np.ones(X.shape[0])}
        for node, children in self._children.items():
            if node in self.estimators_:
                estimator = self.estimators_[node]
                values = probabilities(decision_values(estimator, X), self.temperatures_[node])
                local = dict(zip(estimator.classes_.tolist(), values.T, strict=True))
            else:
                local = {child: 1.0 for child in children if self.n_documents_[child]}
            for child in children:
                shares[child] = shares[node] * local.get(child, 0.0)
        return np.column_stack([shares[node] for node in self.nodes_.tolist()])

    def _proba(self, X):
        return self._node_shares(X)[:, self._leaf_columns()]

    def predict(self, X, min_confidence=0.0):
        """Classify documents, if wanted only as far down as it is sure.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents, one a row.
        min_confidence : float, default=0.0
            Probability that an answer must have. Where no leaf has it, the answer is the most specific
            category that has. Up to 0.5 there may be several such, in different branches: then the most
            probable one. Of several labels those are given that have more, and more than 0.5.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
            The most probable leaf, or a category above leaves; the empty string where no category is
            probable enough (None where labels are not text). Where y was an indicator matrix, zeros and ones.
        """
        check_scalar(min_confidence, "min_confidence", Real, min_val=0, max_val=1)
        shares = self.node_proba(X)
        if self._shares is not None:
            return (shares[:, self._label_columns] > max(min_confidence, 0.5)).astype(int)
        leaves = self._leaf_columns()
        best = leaves[shares[:, leaves].argmax(axis=1)]
        if min_confidence == 0:
            return self.nodes_[best]
        likely = shares >= min_confidence
        confident = np.take_along_axis(likely, best[:, None], axis=1)[:, 0]
        best = np.where(confident, best, self._most_specific(shares, likely))
        answers = self.nodes_[best]
        if not isinstance(answers[0], str):
            answers = answers.astype(object)
        answers[~likely.any(axis=1)] = "" if isinstance(answers[0], str) else None
        return answers

    def _most_specific(self, shares, likely):
        """Find the likely category that has no likely one below it; of several the most probable."""
        ends = likely.copy()
        for node, children in self._children.items():
            if node is not None and children:
                below = [self._columns[child] for child in children]
                ends[:, self._columns[node]] &= ~likely[:, below].any(axis=1)
        return np.where(ends, shares, 0).argmax(axis=1)

    def _place(self, y):
        """Set the tree and everything that follows from it; give the path of every label, one a row."""
        labels = np.unique(y)
        if len(labels) < 2:
            raise ValueError(
                f"TopDownClassifier tells categories apart, but y holds only one class: {str(labels[0])!r}."
            )
        if self.tree is None:
            self.tree_ = None
            self.classes_ = self.nodes_ = labels
            self.n_documents_ = dict(Counter(y.tolist()))
            self._children = {None: labels.tolist()}
            paths = y[:, None]
        else:
            if not isinstance(labels[0], str):
                raise ValueError(f"the categories of a tree are text, but y holds labels like {labels[0]!r}.")
            self.tree_ = tree = as_tree(self.tree)
            tree.check_labels(y)
            self.classes_, self.nodes_ = np.sort(tree.leaves), np.array(list(tree))
            self.n_documents_ = tree.count(y)
            self._children = {node: tree.children(node) for node in (None, *tree)}
            paths = tree.paths(y)
        self._columns = {node: column for column, node in enumerate(self.nodes_.tolist())}
        return paths

    def _leaf_columns(self):
        if self._shares is not None:
            return self._label_columns
        return np.array([self._columns[leaf] for leaf in self.classes_.tolist()])

    def _warn_of_empty_leaves(self):
        empty = [leaf for leaf in self.classes_.tolist() if not self.n_documents_[leaf]]
        if empty:
            shown = ", ".join(map(repr, empty[:5])) + (f" and {len(empty) - 5} more" if empty[5:] else "")
            warnings.warn(
                f"no document is labelled {shown}: such leaves of the tree are never predicted.", stacklevel=3
            )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.estimator is None or get_tags(self.estimator).input_tags.sparse
        tags.classifier_tags.multi_label = True
        return tags


def _linear_machine():
    from sklearn.svm import LinearSVC

    return LinearSVC(random_state=0)


def _local_problems(paths, children):
    """Split the documents among the categories.

    The paths (n, n_levels) tell the category of each document at each level, `children` the categories right
    below each, and below None, the place above all. For each category with documents and with others below
    it, its name, its documents (rows) and in which of those below they are (labels) are given.
    """
    ahead = [(None, np.arange(len(paths)), 0)]
    while ahead:
        node, rows, level = ahead.pop()
        if len(rows) and children.get(node):
            labels = paths[rows, level]
            yield node, rows, labels
            ahead += [(child, rows[labels == child], level + 1) for child in children[node]]


def _fit_one(estimator, X, labels, n_folds):
    """Fit the classifier of one category and find its temperature."""
    fitted = clone(estimator).fit(X, labels)
    if n_folds is None:
        return fitted, 1.0
    codes = np.unique(labels, return_inverse=True)[1]
    return fitted, fit_temperature(*held_out_values(estimator, X, codes, n_folds=n_folds))
