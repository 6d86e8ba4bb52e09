"""Which terms speak of a category, and how much they are to count."""

from typing import NamedTuple

import numpy as np
import Stemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from textspace._saving import saved_as

IN_NAME = "in the name"
# Smaller differences, as shares of the largest value, are rounding: terms of the same documents tie.
DECIMALS = 5


@saved_as("linear.scaled_term")
class ScaledTerm(NamedTuple):
    """How a term is scaled, and why.

    Attributes
    ----------
    factor : float
        What the term's weights are multiplied by.
    node : str
        The category that asks for it; of several, the one that asks for most.
    reason : str
        "in the name" of the category, or "near to 'corn'", a term in the name.
    """

    factor: float
    node: str
    reason: str


def find_names(tree, terms, weights, *, stem):
    """Look up the words of the categories' names among the terms.

    Gives the columns of the words of each node's name, and the words that are no terms, of the nodes that
    have such or that have no words at all. Stop words count only where a name has no others. Where both a
    word and its stem are columns, the one of larger weight is meant: of stemmed terms it is the stem, of
    others the word.
    """
    columns = {term: column for column, term in enumerate(terms)}
    stemmed = str if stem is None else Stemmer.Stemmer(stem).stemWord
    found, missing = {}, {}
    for node in tree:
        words = tree.words(node)
        words = [word for word in words if word not in ENGLISH_STOP_WORDS] or words
        forms = {word: [columns[form] for form in (word, stemmed(word)) if form in columns] for word in words}
        found[node] = [max(places, key=weights.__getitem__) for places in forms.values() if places]
        absent = tuple(word for word, places in forms.items() if not places)
        if absent or not words:
            missing[node] = absent
    return found, missing


def nearest_terms(vectors, columns, *, n_terms, similarity):
    """Find for some columns the terms of positive similarity in the space of LSI, the nearest first.

    `vectors`, of shape (n_components, n_features), are right singular vectors of the document matrix times
    their singular values, so that ``vectors.T @ vectors`` is the paper's similarity matrix of the terms. It
    is not formed. With the "cosine" terms count by their direction alone; of equally near ones the heavier
    comes first.
    """
    lengths = np.linalg.norm(vectors, axis=0)
    if similarity == "cosine":
        vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    heavier = -np.round(lengths / lengths.max(), DECIMALS)
    n_terms = min(n_terms, vectors.shape[1])
    neighbors = {}
    for column in columns:
        near = vectors[:, column] @ vectors
        near[column] = 0
        near = np.maximum(near, 0)
        near = np.round(near / (near.max() or 1), DECIMALS)
        # only these can be among the nearest; ties at the end of them included
        least = np.partition(near, -n_terms)[-n_terms]
        candidates = np.flatnonzero((near >= least) & (near > 0))
        order = np.lexsort((heavier[candidates], -near[candidates]))
        neighbors[column] = candidates[order[:n_terms]]
    return neighbors


def choose_factors(found, neighbors, *, amounts, terms):
    """Decide by how much each column is scaled; where several categories ask, the largest factor holds.

    `found` has the columns of each node's name, `neighbors` the columns near to each of these, and `amounts`
    the q of each node, whose terms are scaled by 1 + q. Gives a dict of int to ScaledTerm, the largest factor
    first.
    """
    chosen = {}
    for node, columns in found.items():
        factor = 1.0 + amounts[node]
        asked = [(column, ScaledTerm(factor, node, IN_NAME)) for column in columns]
        for column in columns:
            near = ScaledTerm(factor, node, f"near to {terms[column]!r}")
            asked += [(int(neighbor), near) for neighbor in neighbors[column]]
        for column, term in asked:
            if column not in chosen or _strength(term) > _strength(chosen[column]):
                chosen[column] = term
    return dict(sorted(chosen.items(), key=lambda item: (-item[1].factor, item[0])))


def _strength(term):
    return term.factor, term.reason == IN_NAME
