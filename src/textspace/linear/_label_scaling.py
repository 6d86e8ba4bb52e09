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

    Parameters
    ----------
    tree : LabelTree
        The categories.
    terms : list of str
        Names of the columns.
    weights : ndarray of shape (n_features,)
        Weight of each column in the documents. Where both a word and its stem are columns, the heavier is
        meant: of stemmed terms it is the stem, of others the word.
    stem : str or None
        Name of a Snowball stemmer, or None.

    Returns
    -------
    found : dict of str to list of int
        Columns of the words of each node's name.
    missing : dict of str to tuple of str
        The words that are no terms, for the nodes that have such or that have no words at all. Stop words
        count only where a name has no others.
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
    """Find the terms nearest to some terms in the space of LSI.

    Parameters
    ----------
    vectors : ndarray of shape (n_components, n_features)
        A term a column: right singular vectors of the document matrix times their singular values, so that
        ``vectors.T @ vectors`` is the paper's similarity matrix of the terms. It is not formed.
    columns : iterable of int
        The terms whose neighbours are wanted.
    n_terms : int
        Number of neighbours of each.
    similarity : {"cosine", "product"}
        Whether terms count by their direction alone.

    Returns
    -------
    dict of int to ndarray of int, shape (at most n_terms,)
        Columns of the terms of positive similarity, the nearest first; of equally near ones the heavier.
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
    """Decide by how much each term is scaled; where several categories ask, the largest factor holds.

    Parameters
    ----------
    found : mapping of str to list of int
        Columns of the words of each node's name.
    neighbors : mapping of int to array of int
        Columns near to each of these.
    amounts : mapping of str to float
        The q of each node: its terms are scaled by 1 + q.
    terms : list of str
        Names of the columns.

    Returns
    -------
    dict of int to ScaledTerm
        Columns that are scaled, the largest factor first.
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
