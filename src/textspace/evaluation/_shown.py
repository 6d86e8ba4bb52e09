"""What evaluations keep of documents to be shown: some of the texts, and the most probable labels."""

import numpy as np

LONGEST_TEXT = 2000  # characters
_MOST_TEXTS = 2000
_DIGITS = 6  # of probabilities


def shown_rows(is_error, rank):
    """Choose the rows of documents to be shown: errors before others, those of the highest rank first."""
    errors, others = np.flatnonzero(is_error), np.flatnonzero(~is_error)
    errors = errors[np.argsort(-rank[errors], kind="stable")][:_MOST_TEXTS]
    room = min(_MOST_TEXTS - len(errors), len(others))
    # the others from first to last, so that every part of the data is seen
    others = others[np.linspace(0, len(others) - 1, room).round().astype(int)] if room else others[:0]
    return np.sort(np.concatenate([errors, others])).tolist()


def rounded_shares(probabilities, best):
    """Give the probabilities at the positions `best` of each row."""
    return np.take_along_axis(probabilities, best, axis=1).astype(np.float64).round(_DIGITS)


def as_pairs(best, shares):
    """Give lists of [position, probability] for each row."""
    return [
        list(map(list, zip(*pair, strict=True))) for pair in zip(best.tolist(), shares.tolist(), strict=True)
    ]
