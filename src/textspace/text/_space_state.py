"""How a vector space is stored, and what must be true of one that was read from a file."""

import numpy as np

from textspace._validation import FLOATS
from textspace.text._bigrams import Pairs, no_pairs
from textspace.text._languages import LANGUAGES
from textspace.text._letters import Letters
from textspace.text._vocabulary import HashedWords, pack_words, unpack_words

_LONGEST_OPENING = 1 << 20  # characters
_MOST_HASHED = 1 << 25  # columns that have no weights: a file of a few bytes must not fill the memory


def packed(state):
    """Give the state of a space with its terms as arrays: a dict of many words is slow to store and read."""
    state = dict(state)
    if isinstance(state.get("vocabulary_"), HashedWords):
        del state["vocabulary_"], state["_pairs"]  # `n_hashed` says it all
    elif isinstance(state.get("vocabulary_"), Letters):
        del state["_pairs"]  # there are none
    elif "vocabulary_" in state:
        state["_words"] = pack_words(state.pop("vocabulary_"))
        if state.get("forms_") is not None:
            state["forms_"] = pack_words(state["forms_"])
        state["_pairs"] = state["_pairs"].codes
    return state


def unpacked(state):
    """Give the state of which `packed` made another, or a state as it is."""
    state = dict(state)
    if "_words" in state:
        words = unpack_words(*state.pop("_words"))
        state["vocabulary_"] = {word: column for column, word in enumerate(words)}
        state["_pairs"] = Pairs.from_codes(state["_pairs"], len(words))
        if state.get("forms_") is not None:
            state["forms_"] = np.array(unpack_words(*state["forms_"]), dtype=object)
    elif "n_words_" in state and "_pairs" not in state:
        state.setdefault("vocabulary_", HashedWords(state["n_words_"]))
        most = _MOST_HASHED if state.get("idf_") is None else len(state["idf_"])
        if len(state["vocabulary_"]) != state["n_words_"] or state["n_words_"] > most:
            raise ValueError(f"there are no {state['n_words_']} words")
        state["_pairs"] = no_pairs(state["n_words_"])
    return state


def columns_fit(space):
    """Whether each word and each pair of words has a column of its own, and the settings do no harm.

    A pattern is not taken from a file: it may be one that is looked for without end.
    """
    starts, seconds = space._pairs
    return (
        space.token_pattern is None
        and (space.opening is None or space.opening <= _LONGEST_OPENING)
        and np.dtype(space.dtype) in FLOATS
        and _are_numbered(space)
        and _are_texts(getattr(space, "forms_", None))
        and set(getattr(space, "languages_", ())) <= LANGUAGES.keys()
        and (space.idf_ is None or len(space.idf_) == space.n_words_ + len(seconds))
        and (space._kept_columns is None or _is_choice(space._kept_columns, space.n_words_))
        and (starts[0], starts[-1]) == (0, len(seconds))
        and bool(np.all(starts[1:] >= starts[:-1]))
    )


def _are_numbered(space):
    """Whether the words have the columns 0, 1 and so on; hashes and letters have them as they are made."""
    words = space.vocabulary_
    if isinstance(words, HashedWords):
        return space.n_hashed == len(words)
    if isinstance(words, Letters):
        return space.letters is not None
    return set(map(type, words)) <= {str} and list(words.values()) == list(range(len(words)))


def _are_texts(forms):
    return forms is None or (isinstance(forms, np.ndarray) and set(map(type, forms)) <= {str})


def _is_choice(kept, n_words):
    return kept.dtype == bool and np.sum(kept) == n_words
