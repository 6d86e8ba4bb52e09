"""What a model has learned, in words: terms of its classes and of the dimensions of its space."""

from collections import defaultdict

import numpy as np
from scipy import sparse
from sklearn.pipeline import Pipeline

from textspace.text import Alphabets

MOST_CLASSES = 100
MOST_DIMENSIONS = 12
N_TERMS = 12
HEAVIEST = 1000  # terms of an average document that are looked at


def class_terms(model, texts, labels):
    """Find the terms that add most to the score of each class in the average document of it.

    For a linear model these are the means of the contributions that :meth:`TextClassifier.explain` shows,
    over the documents of the class: a term counts that speaks for the class and is often there. `labels` are
    positions of classes; other numbers for none. Gives ``class`` and ``terms``, pairs of term and
    contribution, of the at most 100 classes that have the most documents; and a note, why there are none
    where the model's scores are no sum over terms.
    """
    labels, n_classes = np.asarray(labels, dtype=int), len(model.classes_)
    known = np.flatnonzero((labels >= 0) & (labels < n_classes))
    X = sparse.csr_array(model.space_.transform([texts[i] for i in known]))
    sizes = np.bincount(labels[known], minlength=n_classes)
    shares = 1 / sizes[labels[known]]
    members = sparse.csr_array(
        (shares, (labels[known], np.arange(len(known)))), shape=(n_classes, len(known))
    )
    names = _names(model.space_)
    largest = np.argsort(-sizes, kind="stable")[:MOST_CLASSES]
    found = []
    for c in np.sort(largest[sizes[largest] > 0]):
        row = _heaviest(members[[c]] @ X)
        try:
            contributions, _ = model.model_.contributions(row)
        except ValueError as error:
            return [], str(error)
        contributions = contributions[row.indices]
        contributions = contributions.toarray() if sparse.issparse(contributions) else contributions
        own = contributions[:, c] - contributions.mean(axis=1)
        found.append({"class": int(c), "terms": _largest(names, row.indices, own)})
    return found, ""


def _names(space):
    """Give the names of the columns that are listed, the first ones: not those of an embedding.

    Letters are harder to read than words: they are listed where there are no words, with a dot for a space.
    """
    space = getattr(space, "terms", space)
    if not isinstance(space, Alphabets):
        return _forms(space)
    words = [name for name, one in space.spaces_.items() if one.letters is None]
    if words:
        return _forms(space.only(words))
    return np.char.replace(space.get_feature_names_out().astype(str), " ", "·")


def _forms(space):
    """Name all columns as people write them; those of letter trigrams have one name only."""
    if not hasattr(space, "forms_of"):
        return space.get_feature_names_out()
    return space.forms_of(np.arange(space.n_terms_))


def _largest(names, columns, contributions):
    """Give the terms that add most, pairs of name and sum; two terms may have the same name."""
    sums, written = defaultdict(float), {}
    for column, contribution in zip(columns.tolist(), contributions.tolist(), strict=True):
        if column < len(names):
            name = str(names[column])
            sums[name.lower()] += contribution
            written[name.lower()] = name
    largest = sorted(sums.items(), key=lambda one: -one[1])[:N_TERMS]
    return [(written[name], total) for name, total in largest if total > 0]


def _heaviest(row):
    """Keep the largest entries of a sparse row."""
    kept = np.sort(np.argsort(-row.data, kind="stable")[:HEAVIEST])
    shape, indices = row.shape, row.indices[kept]
    return sparse.csr_array((row.data[kept], indices, [0, len(indices)]), shape=shape)


def dimension_terms(model):
    """Find the terms at both ends of the first 12 dimensions of the model's space.

    Gives ``up`` and ``down``, pairs of term and loading, the largest first. Empty where the method has no
    space with one direction a dimension.
    """
    components = _components(model)
    if components is None:
        return []
    names = _forms(model.space_)
    return [
        {
            "up": _extreme(direction, names),
            "down": [(name, -weight) for name, weight in _extreme(-direction, names)],
        }
        for direction in components[:MOST_DIMENSIONS]
    ]


def _components(model):
    """Give the directions of the space, shape (n_dimensions, n_terms), or None."""
    estimator = getattr(model.model_, "estimator_", None)
    if not isinstance(estimator, Pipeline) or len(estimator) < 2:
        return None
    components = getattr(estimator[-2], "components_", None)
    # after a selection of terms, or in the space of a kernel, a column is no term
    return (
        components
        if np.ndim(components) == 2 and components.shape[1] == model.model_.n_features_in_
        else None
    )


def _extreme(direction, names):
    order = np.argpartition(-direction, min(N_TERMS, len(direction)) - 1)[:N_TERMS]
    order = order[np.argsort(-direction[order], kind="stable")]
    return [(str(names[i]), float(direction[i])) for i in order if direction[i] > 0]
