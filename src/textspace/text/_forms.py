"""How people write the terms of a space: the commonest form stands for its stem."""

from collections import defaultdict

import numpy as np

from textspace.text._whole import is_unspaced

_LONGEST = 60  # characters of a form that is worth keeping


def commonest_forms(batches, vocabulary):
    """Find the form in which each word stands most often in analysed texts, of equals that which comes first.

    `batches` are lists of :class:`TokenizedBlock`, each numbered for itself. An array of texts in the order
    of the columns is given; "" stands for a form that is the word itself.
    """
    uses = defaultdict(int)  # of forms with their columns
    for blocks in batches:
        forms, terms, form_terms = [], [], []
        counts = None
        for block in blocks:
            forms += block.forms
            terms += block.terms
            form_terms.append(block.form_terms)
            before = block.uses[:0] if counts is None else counts
            counts = block.uses + np.pad(before, ((0, len(block.forms)), (0, 0)))
        if not forms:
            continue
        of_terms = np.fromiter((vocabulary.get(term, -1) for term in terms), np.int32, len(terms))
        of_forms = np.append(of_terms, -1)[np.concatenate(form_terms)]
        used = np.nonzero((of_forms >= 0) & (counts > 0))
        for place, column, count in zip(
            used[0].tolist(), of_forms[used].tolist(), counts[used].tolist(), strict=True
        ):
            uses[forms[place], column] += count
    best, most = np.full(len(vocabulary), "", dtype=object), [0] * len(vocabulary)
    for (form, column), count in uses.items():
        if count > most[column] and len(form) <= _LONGEST:
            best[column], most[column] = form, count
    best[best == np.array(list(vocabulary), dtype=object)] = ""
    return best


def join_forms(first, second):
    """Write a pair of words as it stands in a text: letters of a script without spaces have none between."""
    return first + ("" if is_unspaced(first) and is_unspaced(second) else " ") + second
