"""Whether the arrays of a model fit together.

Compiled code looks up rows and columns without asking whether they exist. A forged file must not make it read
or write beyond an array, so all numbers that serve as positions are checked before a model is given out.
"""

import numpy as np
from scipy import sparse
from sklearn.neighbors import KNeighborsClassifier

from textspace.classify import NearestDocuments, SubspaceBlend
from textspace.classify.blend._latent import FittedLatent
from textspace.classify.blend._ridge import FittedRidge
from textspace.models._text_classifier import TextClassifier
from textspace.neighbors import ClusterIndex
from textspace.text import VectorSpace
from textspace.text._bigrams import Pairs

_SCALARS = (str, bytes, int, float, type(None))


def check_model(model):
    """Raise a ValueError if a loaded object is no TextClassifier, or its arrays do not fit together.

    Parameters
    ----------
    model : object
        What a file held.
    """
    if not isinstance(model, TextClassifier):
        raise ValueError(f"it holds a {type(model).__name__} in place of a TextClassifier")
    for part in _parts(model):
        if sparse.issparse(part):
            _require(part, part.format in ("csr", "csc"))
            part.check_format(full_check=True)
        elif isinstance(part, VectorSpace):
            _require(part, _is_sound_space(part))
        elif isinstance(part, SubspaceBlend):
            _require(part, all(_is_sound_scorer(scorer, part.n_features_in_) for scorer in _scorers(part)))
        elif isinstance(part, KNeighborsClassifier) and hasattr(part, "classes_"):
            _require(part, _are_sound_neighbors(part))
        elif isinstance(part, ClusterIndex):
            _require(part, _is_sound_index(part))
        elif isinstance(part, NearestDocuments) and getattr(part, "index_", None) is not None:
            _require(part, _are_sound_codes(part._codes, len(part.index_.rows), part.classes_))
        elif hasattr(part, "X_fit_"):  # documents with which a kernel compares others
            _require(part, part.X_fit_.shape[1] == part.n_features_in_)


def _parts(model):
    """Go through all that a model consists of, each part once, without plain numbers and text."""
    seen, ahead = {}, [model]
    while ahead:
        part = ahead.pop()
        if id(part) not in seen:
            seen[id(part)] = part
            yield part
            ahead.extend(item for item in _items(part) if not isinstance(item, _SCALARS))


def _items(part):
    if isinstance(part, dict):
        return part.values()
    if isinstance(part, list | tuple):
        return part
    if isinstance(part, np.ndarray):
        return part.ravel() if part.dtype == object else ()
    return () if isinstance(part, type) else getattr(part, "__dict__", {}).values()


def _require(part, is_sound):
    if not is_sound:
        raise ValueError(f"the arrays of its {type(part).__name__} do not fit together")


def _is_sound_space(space):
    if not hasattr(space, "vocabulary_"):
        return True
    columns = list(space.vocabulary_.values())
    return columns == list(range(len(columns))) and isinstance(space._pairs, Pairs)


def _scorers(blend):
    return [scorer for one in blend._blends for scorer in one.scorers]


def _is_sound_scorer(scorer, n_columns):
    """Whether a table has a row for each column that it is multiplied with."""
    if isinstance(scorer, FittedLatent):
        return len(scorer.columns) == len(scorer.directions)
    return not isinstance(scorer, FittedRidge) or len(scorer.coef) == n_columns


def _are_sound_neighbors(neighbors):
    n_documents = neighbors._fit_X.shape[0]
    return (
        neighbors._fit_X.shape[1] == neighbors.n_features_in_
        and neighbors.n_samples_fit_ == n_documents
        and _are_sound_codes(neighbors._y, n_documents, neighbors.classes_)
    )


def _are_sound_codes(codes, n_documents, classes):
    codes = np.asarray(codes)
    return codes.shape == (n_documents,) and codes.min() >= 0 and codes.max() < len(classes)


def _is_sound_index(index):
    n_points, n_columns = index.points.shape
    return (
        index.centres.shape == (len(index.starts) - 1, n_columns)
        and index.starts[0] == 0
        and index.starts[-1] == n_points
        and bool(np.all(np.diff(index.starts) > 0))
        and np.array_equal(np.sort(index.rows), np.arange(n_points))
    )
