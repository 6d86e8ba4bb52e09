"""Pictures of learned spaces: the same documents as points in the plane, once for each method."""

import warnings
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.preprocessing import normalize
from sklearn.utils import get_tags

from textspace.evaluation._map import MOST_POINTS, TEXT_LENGTH, lay_out
from textspace.methods import find_methods
from textspace.text import TrigramTensorSpace, VectorSpace
from textspace.tuning import pipeline_parts, seeded, share_splits


class SpaceMap(NamedTuple):
    """Documents in the plane, as they lie in the space of a method that has not learned from them.

    Attributes
    ----------
    title : str
        Name of the method.
    layout : str
        How they were laid out: "t-SNE", "principal components", or "as it is".
    positions : ndarray of shape (n_documents, 2)
        Places.
    labels : ndarray of shape (n_documents,)
        Labels, as text.
    texts : list of str
        Beginnings of the texts; empty where rows were given.
    n_dimensions : int
        Dimensions of the space.

    Examples
    --------
    >>> import numpy as np
    >>> from textspace.evaluation import SpaceMap
    >>> SpaceMap("LSI", "as it is", np.zeros((1, 2)), np.array(["corn"]), [], 2).title
    'LSI'
    """

    title: str
    layout: str
    positions: np.ndarray
    labels: np.ndarray
    texts: list
    n_dimensions: int

    def to_frame(self, library="pandas"):
        """Give the documents as a DataFrame, one a row: ``x``, ``y``, ``label`` and ``text``.

        Parameters
        ----------
        library : {"pandas", "polars"}, default="pandas"
            Whose DataFrame it is.

        Returns
        -------
        DataFrame
            Without the column ``text`` where rows were given.
        """
        from textspace._frames import make_frame

        x, y = self.positions.T
        columns = {"x": x.tolist(), "y": y.tolist(), "label": self.labels.tolist()}
        return make_frame(columns | ({"text": self.texts} if self.texts else {}), library)


def map_spaces(methods, X, y, *, train_share=0.5, random_state=0):
    """Let methods learn from some documents, and lay out the others as they lie in the space of each.

    Parameters
    ----------
    methods : str, estimator, or list of these
        Methods of the catalogue that learn a space, separated by commas in a string; or transformers,
        pipelines that begin with them, or text classifiers. They are not changed.
    X : list of str, or {array-like, sparse matrix} of shape (n_documents, n_terms)
        Texts, or rows.
    y : array-like of shape (n_documents,)
        Labels.
    train_share : float, default=0.5
        Share of each class that is learned from; a space shows its own training documents too well.
    random_state : int, default=0
        Seed of the split and of all that is drawn.

    Returns
    -------
    list of SpaceMap
        One a method, with the same documents: all that were not learned from, 2000 at most.

    Examples
    --------
    >>> from textspace.datasets import load
    >>> from textspace.evaluation import map_spaces
    >>> demo = load("demo")
    >>> [(each.title, each.n_dimensions, each.layout) for each in map_spaces("lda", demo.texts, demo.labels)]
    [('SR-LDA', 11, 't-SNE')]
    """
    is_one = isinstance(methods, str) or hasattr(methods, "fit")
    labels = np.asarray(y, dtype=str)
    texts = X if sparse.issparse(X) or getattr(X, "ndim", 1) > 1 else list(X)
    n_documents = len(texts) if isinstance(texts, list) else texts.shape[0]
    if n_documents != len(labels):
        raise ValueError(f"there are {n_documents} documents, but {len(labels)} labels: give one label each.")
    [(train, test)] = share_splits(labels, train_share, random_state=random_state)
    if not len(test):
        raise ValueError("no class has three documents, so that none is left to be shown: give more.")
    if len(test) > MOST_POINTS:
        test = np.sort(np.random.default_rng(random_state).choice(test, MOST_POINTS, replace=False))
    shown = [" ".join(texts[row].split())[:TEXT_LENGTH] for row in test] if isinstance(texts, list) else []
    maps = []
    for title, estimator, space in _estimators([methods] if is_one else methods):
        learned, others = _rows(texts, train, test, space)
        points = _positions(seeded(estimator, random_state), learned, labels[train], others, title)
        layout, positions = lay_out(points, random_state=random_state)
        maps.append(SpaceMap(title, layout, positions, labels[test], shown, points.shape[1]))
    return maps


def _estimators(methods):
    """Give the title of each method, its estimator, and what makes rows of texts for it, or None."""
    for each in methods:
        if isinstance(each, str):
            for method in find_methods(each):
                is_trigrams = method.scheme == "trigrams"
                space = None
                if method.scheme != "texts":
                    space = TrigramTensorSpace() if is_trigrams else VectorSpace(method.scheme)
                yield method.title, method.build(), space
        else:
            yield type(each).__name__, each, None if get_tags(each).input_tags.string else VectorSpace()


def _rows(texts, train, test, space):
    """Give the documents to learn from and the others as the method takes them."""
    if not isinstance(texts, list):
        return texts[train], texts[test]
    learned, others = ([texts[row] for row in rows] for rows in (train, test))
    if space is None:
        return learned, others
    space = clone(space)
    return space.fit_transform(learned), space.transform(others)


def _positions(estimator, learned, labels, others, title):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # such as fewer components than asked for
        fitted = estimator.fit(learned, labels)
    space, last, metric = fitted, fitted, None
    if not hasattr(fitted, "transform"):
        space, last, _ = pipeline_parts(fitted)
        metric = getattr(last, "estimator", last).get_params().get("metric")
    if space is None or not hasattr(space, "transform"):
        raise ValueError(f"{title} learns no space: choose a method that projects, such as lda or lsi.")
    points = space.transform(others)
    return normalize(points) if metric == "cosine" else points
