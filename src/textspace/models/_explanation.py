"""Why a document was classified as it was: terms that add up to the score, and its neighbours."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from textspace._frames import make_frame
from textspace.models._explanation_html import explanation_html
from textspace.text import Alphabets

_RUN = re.compile(r"\S+")
_WORD = re.compile(r"\w+")
_BY_WORDS = 0.4  # share of the neighbours that are nearest by words alone
_COMPOUND = re.compile(r"\w+(['’-]\w+)*")  # "don't" and "part-time" are one word


class TermContribution(NamedTuple):
    """What one term adds to a score.

    Attributes
    ----------
    term : str
        The term: a word as it is written, or two of them; "corn (letters)" stands for all n-grams of letters
        of a word.
    contribution : float
        What it adds; negative if it speaks against the class.
    spans : list of (int, int)
        Where it stands in the text, as character positions from and to.
    """

    term: str
    contribution: float
    spans: list


class Neighbor(NamedTuple):
    """A training document near the one that is explained.

    Attributes
    ----------
    similarity : float
        Cosine of the two documents in the classifier's space.
    label : str or tuple of str
        Its label; a tuple of them where documents may have several.
    excerpt : str
        The beginning of its text.
    """

    similarity: float
    label: str | tuple
    excerpt: str


@dataclass(frozen=True)
class Explanation:
    """Why a text has the score that it has for a class.

    Attributes
    ----------
    text : str
        The text.
    label : str
        The class whose score is explained.
    probabilities : dict of str to float
        Probability of every class, the highest first.
    score : float
        The class's score; the mean over all classes is zero. Where texts may have several labels, the logit
        of this one.
    constant : float
        What the score would be without any known term.
    terms : list of TermContribution
        What each term adds, the largest contributions first. With `constant` and `rest` they sum to `score`.
    rest : float
        Sum of the contributions of the terms that were left out of `terms`.
    neighbors : list of Neighbor
        Nearest training documents, the nearest first: by the cosine in the classifier's space plus that of
        the words they share, since in the space the documents of a class lie close to each other.
    position : list of float
        The document's coordinates in the classifier's space; empty where that is all terms.
    note : str, default=""
        Why there are no terms, where the method's scores are no sum over terms; else empty.
    """

    text: str
    label: str
    probabilities: dict
    score: float
    constant: float
    terms: list
    rest: float
    neighbors: list
    position: list
    note: str = ""

    def to_dict(self):
        """Give the explanation as what JSON knows, terms and neighbours by the names of their fields."""
        return vars(self) | {
            "terms": [term._asdict() for term in self.terms],
            "neighbors": [neighbor._asdict() for neighbor in self.neighbors],
        }

    def to_frame(self, library="pandas"):
        """Give the terms as a DataFrame, one a row: ``term`` and ``contribution``.

        Parameters
        ----------
        library : {"pandas", "polars"}, default="pandas"
            Whose DataFrame it is.

        Returns
        -------
        DataFrame
            Of that library; the terms that add the most come first.
        """
        columns = {"term": [each.term for each in self.terms]}
        return make_frame(columns | {"contribution": [each.contribution for each in self.terms]}, library)

    def _repr_html_(self):
        return explanation_html(self)


def explain(classifier, text, *, label, n_terms, n_neighbors):
    """Explain the score of a class, or of that with the highest score, for one text; None lists all terms."""
    row = classifier.space_.transform([text])
    [scores] = classifier._scores(row)
    order = np.argsort(-scores, kind="stable")
    chosen = order[0] if label is None else _position(classifier.classes_, label)
    [position] = finite(as_dense(classifier.model_.transform(row)))
    score = constant = float(scores[chosen])
    terms, rest, note = [], 0.0, ""
    try:
        # in double precision they add up to more digits than a score in single precision has
        contributions, constants = classifier.model_.contributions(row.astype(np.float64))
    except ValueError as error:
        note = str(error)
    else:
        contributions, constants = contributions[row.indices].toarray(), constants + classifier.shift
        finite(contributions), finite(constants)
        counts = contributions.any(axis=1)  # with an embedding, some alphabets may not
        present, contributions = row.indices[counts], contributions[counts]
        own, constant = contributions[:, chosen], constants[chosen]
        if classifier.one_is_right:  # the mean over the classes is of no account
            own, constant = own - contributions.mean(axis=1), constant - constants.mean()
        constant = float(constant)
        score = constant + float(own.sum())
        terms = _terms(classifier.space_, text, present, own)
        terms.sort(key=lambda term: -abs(term.contribution))
        n_listed = len(terms) if n_terms is None else n_terms
        rest = float(sum(term.contribution for term in terms[n_listed:]))
        terms = terms[:n_listed]
    [probabilities] = classifier._probabilities(scores[None])
    return Explanation(
        text=text,
        label=str(classifier.classes_[chosen]),
        probabilities={str(classifier.classes_[c]): float(probabilities[c]) for c in order},
        score=score,
        constant=constant,
        terms=terms,
        rest=rest,
        # a text without a known word is near to nothing, wherever the classifier puts it
        neighbors=_neighbors(classifier, text, position, n_neighbors) if row.nnz else [],
        position=position.tolist() if len(position) < row.shape[1] else [],
        note=note,
    )


def _neighbors(classifier, text, position, n_neighbors):
    """Find the nearest training documents: in the space, where those of a class lie close, and by words."""
    reads_texts = getattr(classifier, "reads_texts_", True)  # older files do not say it
    words = classifier._shared_words().cosines(text) if reads_texts and n_neighbors else 0.0
    return nearest_documents(classifier.training_, position, n_neighbors, words)


def _terms(space, text, columns, contributions):
    """List what each term adds, with its places in the text."""
    if hasattr(space, "split"):  # the columns behind the terms are those of an embedding
        is_term = columns < space.n_terms_
        own = _terms(space.terms, text, columns[is_term], contributions[is_term])
        return own + space.split(text, contributions[~is_term])
    if isinstance(space, Alphabets):
        return _terms_of_alphabets(space, text, columns, contributions)
    if getattr(space, "letters", None) is not None:
        return _words_of_letters(space, text, columns, contributions)
    names = space.forms_of(columns) if hasattr(space, "forms_of") else space.get_feature_names_out()[columns]
    spans = {}
    # letter trigrams run through the whole text, which says little
    for start, end, column in space.spans(text) if hasattr(space, "spans") else ():
        spans.setdefault(column, []).append((start, end))
    return [
        TermContribution(str(name), contribution, spans.get(column, []))
        for name, column, contribution in zip(names, columns.tolist(), contributions.tolist(), strict=True)
    ]


def _terms_of_alphabets(alphabets, text, columns, contributions):
    """List the terms of all alphabets; those of the same name, in whatever case, are one."""
    names, sums, spans = {}, defaultdict(float), defaultdict(set)
    for block in alphabets.blocks_:
        space = alphabets.spaces_[block.name]
        inside = (columns >= block.start) & (columns < block.stop)
        for term in _terms(space, text, columns[inside] - block.start, contributions[inside]):
            name = term.term if space.letters is not None else _as_written(term, text)
            key = name.lower()
            names[key] = name
            sums[key] += term.contribution
            spans[key].update(term.spans)
    return [TermContribution(names[key], total, sorted(spans[key])) for key, total in sums.items()]


def _as_written(term, text):
    """Name a term by the word that stands in the text, where that is one only; else by its commonest form."""
    places = {text[start:end] for start, end in term.spans}
    if " " in term.term:
        places = {" ".join(_WORD.findall(place)) for place in places}
    if len({place.lower() for place in places}) != 1 or places & {term.term}:
        return term.term
    name = min(places).lower() if len(places) > 1 else places.pop()
    same = name.lower() == term.term.lower() or name.count(" ") != term.term.count(" ")
    return term.term if same else name


def _words_of_letters(space, text, columns, contributions):
    """Add up what the n-grams of each word add; one that stands in several places counts to each alike."""
    adds = dict(zip(columns.tolist(), contributions.tolist(), strict=True))
    places = [(start, column) for start, _, column in space.spans(text) if column in adds]
    times = Counter(column for _, column in places)
    values = [adds[column] / times[column] for _, column in places]
    return add_up_by_word(text, [start for start, _ in places], values, "letters")


def add_up_by_word(text, starts, values, kind):
    """Add up what parts of words add, given where they start; punctuation counts to its word.

    Gives :class:`TermContribution` with names such as "corn (letters)", for the `kind` "letters".
    """
    first, words = [], []  # where what counts to a word begins, and the word itself
    for run in _RUN.finditer(text):
        own = list(_COMPOUND.finditer(text, *run.span())) or [run]
        first += [run.start(), *(word.start() for word in own[1:])]
        words += own
    places = np.searchsorted(first, starts, side="right") - 1
    sums, spans = defaultdict(float), defaultdict(dict)
    for place, value in zip(places.tolist(), values, strict=True):
        name = f"{words[place][0].lower()} ({kind})"
        sums[name] += value
        spans[name][words[place].span()] = None  # once for all its parts
    return [TermContribution(name, total, list(spans[name])) for name, total in sums.items()]


def _position(classes, label):
    found = np.flatnonzero(classes == label)
    if not len(found):
        names = ", ".join(map(repr, classes[:10].tolist())) + (", ..." if len(classes) > 10 else "")
        raise ValueError(f"there is no class {label!r}: the classifier knows {names}.")
    return found[0]


def centred(scores):
    """Subtract the mean over the classes, which the softmax does not see, from scores (n, c)."""
    return scores - scores.mean(axis=1, keepdims=True)


def finite(values):
    """Give back values; refuse those that are no numbers, as only a damaged model makes them."""
    if not np.isfinite(values).all():
        raise ValueError(
            "the model gives no number for a text: its coefficients are damaged. Get its file anew, or train "
            "it again."
        )
    return values


def as_dense(X):
    """Give a dense array of a dense or sparse one."""
    return X.toarray() if hasattr(X, "toarray") else np.asarray(X)


def nearest_documents(training, position, n_neighbors, words=0.0):
    """Give the nearest training documents, by the cosine to a position plus that of `words`.

    In a space that was made to tell classes apart those of the right class are all near. So two of five are
    the ones that are nearest by words alone, if they are not among the others.
    """
    cosines = training.positions @ (position / (np.linalg.norm(position) or 1.0))
    words = np.broadcast_to(words, cosines.shape)
    nearest = np.argsort(-cosines - words, kind="stable")[:n_neighbors].tolist()
    by_words = np.lexsort((-cosines, -words))[: int(_BY_WORDS * n_neighbors)].tolist()
    missing = [i for i in by_words if words[i] > 0 and i not in nearest]
    spare = [i for i in reversed(nearest) if i not in by_words][: len(missing)]
    nearest = [i for i in nearest if i not in spare] + missing
    labels = [training.labels[i] for i in nearest]
    labels = [label if isinstance(label, tuple) else str(label) for label in labels]
    return [
        Neighbor(float(cosines[i]), label, training.excerpts[i])
        for i, label in zip(nearest, labels, strict=True)
    ]
