"""The documents of a model's report: what they were called, why, and what they are near to."""

from itertools import pairwise
from time import process_time

import numpy as np

from textspace.evaluation import OUT_OF_FOLD

MOST_EXPLAINED = 200
MOST_SECONDS = 30.0  # for all explanations
N_TERMS = 20  # that are marked in a text
N_NEIGHBORS = 3
ERROR_LENGTH = 600  # characters of an error that is not explained
RIGHT_LENGTH = 300


def shown_documents(model, evaluation, *, most_explained=MOST_EXPLAINED, seconds=MOST_SECONDS):
    """Prepare the documents that an evaluation has kept: errors first, by falling probability of the answer.

    At most `most_explained` errors are explained, half of them those with the highest probabilities, half the
    surest of each pair of classes, and none after so many `seconds` of processor time. Gives for each ``row``
    (in the evaluation), ``where`` it stands in its file, its ``id`` ("" for none), ``truth`` (position of the
    class, -1 if the model does not know it), ``predicted``, ``confidence``, ``top`` (pairs of position and
    probability), ``text`` (its beginning), ``is_cut``, and ``why``, a dict from :func:`why_wrong` or None.
    """
    truth, predicted = np.array(evaluation.truth, int), np.array(evaluation.predicted, int)
    confidence = np.array(evaluation.confidence, float)
    kept = np.array(evaluation.rows, int)
    texts = dict(zip(evaluation.rows, evaluation.texts, strict=True))
    places = dict(zip(evaluation.rows, evaluation.places, strict=False))
    wrong = truth != predicted
    order = kept[np.lexsort((-confidence[kept], ~wrong[kept]))].tolist()
    reasons, end = {}, process_time() + seconds
    for row in worth_explaining(truth, predicted, [row for row in order if wrong[row]], most_explained):
        if process_time() > end:
            break
        reasons[row] = why_wrong(
            model, texts[row], truth[row], predicted[row], seen=evaluation.source == OUT_OF_FOLD
        )
    documents = []
    for row in order:
        length = len(texts[row]) if row in reasons else ERROR_LENGTH if wrong[row] else RIGHT_LENGTH
        documents.append(
            {
                "row": row,
                "where": places[row][0] if places else f"document {row + 1}",
                "id": places[row][1] if places else "",
                "truth": int(truth[row]),
                "predicted": int(predicted[row]),
                "confidence": float(confidence[row]),
                "top": [(int(c), float(p)) for c, p in evaluation.top[row]],
                "text": texts[row][:length],
                "is_cut": len(texts[row]) > length,
                "why": reasons.get(row),
            }
        )
    return documents


def worth_explaining(truth, predicted, errors, most):
    """Choose rows of `errors`: half the first ones, half the first of each pair of classes in turn.

    Examples
    --------
    >>> truth, predicted = np.array([0, 0, 0, 0, 1]), np.array([1, 1, 1, 1, 0])
    >>> worth_explaining(truth, predicted, [0, 1, 2, 3, 4], 4)
    [0, 1, 4, 2]
    """
    turns, taken = {}, {}
    for row in errors:
        pair = truth[row], predicted[row]
        turns[row] = taken[pair] = taken.get(pair, -1) + 1
    first, rest = errors[: most // 2], errors[most // 2 :]
    return first + sorted(rest, key=turns.get)[: most - len(first)]


def why_wrong(model, text, truth, predicted, *, seen):
    """Explain why a document got one class, by position, rather than another, negative if it is not known.

    The contributions of a term for the two classes are subtracted. Together with what all other terms and the
    constant add, they give the difference of the scores, the logarithm of the ratio of the probabilities. A
    document that was `seen` in training is no neighbour of itself.

    Gives ``marked``, the text in pieces, pairs of a string and what is added by the terms that stand there (0
    where none does); ``terms``, pairs of term and contribution, the largest first; ``rest``, ``constant`` and
    ``score``; ``near``, the nearest training documents as lists of cosine, label and excerpt; ``note``, why
    there are no terms.
    """
    names = [str(name) for name in model.classes_]
    given = model.explain(text, names[predicted], n_neighbors=N_NEIGHBORS + seen)
    worth = {term.term: term.contribution for term in given.terms}
    constant, score = given.constant, given.score
    if truth >= 0:
        right = model.explain(text, names[truth], n_neighbors=0)
        worth = {term.term: worth[term.term] - term.contribution for term in right.terms}
        constant, score = constant - right.constant, score - right.score
    largest = sorted(worth, key=lambda name: -abs(worth[name]))[:N_TERMS]
    spans = {term.term: term.spans for term in given.terms}
    near = given.neighbors
    if seen:
        near = _without_itself(near, text, names[truth])
    return {
        "marked": marked_pieces(text, [(spans[name], worth[name]) for name in largest]),
        "terms": [(name, worth[name]) for name in largest],
        "rest": sum(value for name, value in worth.items() if name not in set(largest)),
        "constant": constant,
        "score": score,
        "near": [list(neighbor) for neighbor in near[:N_NEIGHBORS]],
        "note": given.note,
    }


def _without_itself(neighbors, text, label):
    """Leave out the first neighbour that begins as the text does and has its label."""
    start = " ".join(text.split())
    for place, neighbor in enumerate(neighbors):
        if neighbor.label == label and start.startswith(neighbor.excerpt):
            return neighbors[:place] + neighbors[place + 1 :]
    return neighbors


def marked_pieces(text, marks):
    """Cut a text at the ends of marks, which may overlap, and add up what the marks weigh at each piece.

    Examples
    --------
    >>> marked_pieces("an apple pie", [([(3, 8)], 1.0), ([(3, 12)], 0.5)])
    [('an ', 0.0), ('apple', 1.5), (' pie', 0.5)]
    """
    ends = sorted({0, len(text), *(end for spans, _ in marks for span in spans for end in span)})
    weights = dict.fromkeys(ends, 0.0)
    place = {end: number for number, end in enumerate(ends)}
    for spans, weight in marks:
        for start, end in spans:
            for number in range(place[start], place[end]):
                weights[ends[number]] += weight
    return [(text[start:end], weights[start]) for start, end in pairwise(ends)]
