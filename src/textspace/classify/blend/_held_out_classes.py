"""Scores of documents that were held out, for the classes that come near to each of them alone."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special

from textspace._folds import fold_rows
from textspace.classify.blend._arrays import relative
from textspace.classify.blend._candidates import Candidates, find_candidates, sums_at
from textspace.classify.blend._rivals import learn_against_rivals, mean_rows
from textspace.classify.blend._smoothed_bayes import log_ratios
from textspace.classify.blend._term_weights import find_matches, learn_term_weights, stack_matches

NEAREST = 30  # classes of a document that are looked at
_OTHERS = 10  # that stand for the rest


class Tables(NamedTuple):
    """What terms say for classes: csr_arrays of shape (n_classes, n_columns), one a block of columns."""

    words: list
    embeddings: list
    pairs: list
    rivals: list  # for the first block of words


@dataclass(frozen=True)
class Parts:
    """Documents, csr_arrays of some columns each, by what is learned from these columns."""

    words: list
    embeddings: list
    pairs: list
    unlabelled: list  # sums of the words of rows without a label

    def among(self, rows):
        """Give some of the documents."""
        each = ([part[rows] for part in parts] for parts in (self.words, self.embeddings, self.pairs))
        return Parts(*each, self.unlabelled)

    def learn(self, y, *, n_classes):
        """Learn from all documents, whose classes are y: give Tables."""
        words = [
            log_ratios(part, y, n_classes=n_classes, more=more)
            for part, more in zip(self.words, self.unlabelled, strict=True)
        ]
        embeddings, pairs = (
            [mean_rows(part, y, n_classes=n_classes) for part in each]
            for each in (self.embeddings, self.pairs)
        )
        rivals = [learn_against_rivals(*first, y) for first in zip(self.words[:1], words[:1], strict=True)]
        return Tables(words, embeddings, pairs, rivals)


@dataclass(frozen=True)
class HeldOutClasses:
    """What scores say for candidates of documents that they have not learned from, fold after fold.

    Attributes
    ----------
    rows : ndarray of shape (n_samples,), int
        The documents in this order.
    candidates : Candidates
        Some classes of each.
    sizes : ndarray of shape (n_samples, n_candidates), float32
        Logarithms of the number of documents of the candidates, without those of the fold.
    scores : list of ndarray of shape (n_samples, n_candidates), float32
        Scores: of words, of embeddings, of pairs of words, against rivals.
    weights : list of ndarray of shape (n_columns,), float32
        What the words of each block are worth.
    """

    rows: np.ndarray
    candidates: Candidates
    sizes: np.ndarray
    scores: list
    weights: list

    def decision_values(self, calibration):
        """Give decision values of all classes, float32, in the order of the documents.

        Of the classes that are no candidates all have the mean probability of those that stand for them.
        """
        classes, log_counts, _ = self.candidates
        own = sum(factor * score for factor, score in zip(calibration.factors, self.scores, strict=True))
        own += calibration.bias[classes]
        n_classes = len(calibration.bias)
        values = np.empty((len(own), n_classes), dtype=np.float32)
        if n_classes > NEAREST:
            rest = special.logsumexp((own + log_counts)[:, NEAREST:], axis=1) - np.log(n_classes - NEAREST)
            values[self.rows] = rest[:, None]
        twice = log_counts < 0
        places, own = np.where(twice, classes[:, :1], classes), np.where(twice, own[:, :1], own)
        values[self.rows[:, None], places] = own
        return values


def hold_out(parts, y, folds, *, n_classes):
    """Score documents that are held out in turn, and learn what words are worth.

    Parameters
    ----------
    parts : Parts
        Documents.
    y : ndarray of shape (n_samples,), int
        Their classes.
    folds : ndarray of shape (n_samples,), int
        The fold of each document.
    n_classes : int
        Number of classes.

    Returns
    -------
    HeldOutClasses
        The weights of the words that score a document are learned from other folds: from those with an odd
        number, or from the others. The weights that are given are the geometric means of both.
    """
    lots = fold_rows(folds)
    found = [
        _score(parts.among(train).learn(y[train], n_classes=n_classes), parts.among(test), y[train], y[test])
        for train, test in lots
    ]
    candidates, sizes, matches, scores = zip(*found, strict=True)
    rows = np.concatenate([test for _, test in lots])
    candidates = Candidates(*(np.concatenate(each) for each in zip(*candidates, strict=True)))
    sizes = np.concatenate(sizes)
    odd = folds[rows] % 2 == 1
    halves = [np.where(telling(y, rows) & half, candidates.truth, -1) for half in (odd, ~odd)]
    of_words, weights = [], []
    for own in zip(*matches, strict=True):
        own = stack_matches(own)
        given = {"n_terms": parts.words[len(weights)].shape[1]}
        learned = [learn_term_weights(own, half, sizes, candidates.log_counts, **given) for half in halves]
        sums = (own.sums(each, sizes.shape) for each in reversed(learned))
        of_words.append(relative(np.where(odd[:, None], *sums)))
        weights.append(np.sqrt(learned[0] * learned[1]))
    scores = of_words + [np.concatenate(each) for each in zip(*scores, strict=True)]
    return HeldOutClasses(rows, candidates, sizes, scores, weights)


def telling(y, rows):
    """Tell which rows are of a class of two or more documents: held out, the only one takes it away."""
    return np.bincount(y)[y[rows]] > 1


def _score(tables, new, y, truth):
    """Find candidates of new documents, sizes of these, matches of their words, and the other scores."""
    leading = zip(new.words + new.embeddings, tables.words + tables.embeddings, strict=True)
    found = find_candidates(list(leading), truth, n_nearest=NEAREST, n_others=_OTHERS)
    n_classes = (tables.words + tables.embeddings)[0].shape[0]
    sizes = np.log(np.maximum(np.bincount(y, minlength=n_classes), 0.5)).astype(np.float32)
    matches = [find_matches(*pair, found.classes) for pair in zip(new.words, tables.words, strict=True)]
    rows = new.embeddings + new.pairs + new.words[:1]
    rest = zip(rows, tables.embeddings + tables.pairs + tables.rivals, strict=True)
    scores = [sums_at(part, table, found.classes) for part, table in rest]
    n_relative = len(new.embeddings)
    scores[:n_relative] = map(relative, scores[:n_relative])
    return found, sizes[found.classes], matches, scores
