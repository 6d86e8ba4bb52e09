"""How people write the terms of a space: the commonest form stands for its stem."""

from collections import defaultdict
from itertools import count

import numpy as np

from textspace.text._counts import columns_of
from textspace.text._whole import is_unspaced

_LONGEST = 60  # characters of a form that is worth keeping


def commonest_forms(batches, vocabulary):
    """Find the form in which each word stands most often in analysed texts, of equals that which comes first.

    `batches` are lists of :class:`TokenizedBlock`, each numbered for itself. An array of texts in the order
    of the columns is given; "" stands for a form that is the word itself.
    """
    numbers = defaultdict(count().__next__)  # of forms, in the order of their first place
    found = [np.empty((2, 0), np.int64)]  # form and column in one number, and how often they go together
    for blocks in batches:
        if not blocks:
            continue
        forms = [form for block in blocks for form in block.forms]
        of_forms = np.concatenate([columns_of(block, vocabulary) for block in blocks], dtype=np.int64)
        uses = sum(np.bincount(block.ids, minlength=of_forms.size) for block in blocks)
        uses = uses.reshape(of_forms.shape)
        places = np.fromiter(map(numbers.__getitem__, forms), np.int64, len(forms))
        is_short = np.fromiter(map(len, forms), np.int64, len(forms)) <= _LONGEST
        used = (of_forms >= 0) & (uses > 0) & is_short[:, None]
        codes = places[:, None] * len(vocabulary) + of_forms
        found.append(np.stack([codes[used], uses[used]]))
    codes, uses = np.concatenate(found, axis=1)
    codes, where = np.unique(codes, return_inverse=True)  # several batches may have the same
    uses = np.bincount(where, uses, minlength=len(codes))
    places, columns = np.divmod(codes, max(len(vocabulary), 1))
    order = np.lexsort((places, -uses, columns))
    columns, first = np.unique(columns[order], return_index=True)
    best = np.full(len(vocabulary), "", dtype=object)
    best[columns] = np.array([*numbers, ""], dtype=object)[places[order[first]]]
    best[best == np.array(list(vocabulary), dtype=object)] = ""
    return best


def join_forms(first, second):
    """Write a pair of words as it stands in a text: letters of a script without spaces have none between."""
    return first + ("" if is_unspaced(first) and is_unspaced(second) else " ") + second
