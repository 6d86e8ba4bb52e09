"""The compiled scan against bytes.split and a dictionary."""

import numpy as np
import pytest

from textspace.text._scan import DOCUMENT_END, TOKEN_END, scan


def scan_slowly(documents):
    """Number tokens as they appear."""
    numbers, ids, ends = {}, [], []
    for document in documents:
        for token in document.split(bytes([TOKEN_END])):
            if token:
                ids.append(numbers.setdefault(token, len(numbers)))
        ends.append(len(ids))
    return ids, ends, b"".join(token + bytes([TOKEN_END]) for token in numbers)


# Tables of 512 tokens double; 20,000 distinct tokens make that happen six times.
@pytest.mark.parametrize(
    ("n_tokens", "n_distinct"), [(0, 1), (50, 5), (3000, 511), (3000, 513), (60_000, 20_000)]
)
def test_scan_numbers_tokens_as_a_dictionary_does(n_tokens, n_distinct):
    rng = np.random.default_rng(n_tokens)
    # All byte values that may stand in a token, lengths from one up, and tokens that begin others.
    tokens = [
        rng.integers(1, DOCUMENT_END, size=1 + i % 9, dtype=np.uint8).tobytes() for i in range(n_distinct)
    ]
    tokens += [token + b"x" for token in tokens]
    ends_of_runs = [b"\0", b"\0\0\0"]
    documents = [
        b"".join(tokens[t] + ends_of_runs[t % 2] for t in chosen)
        for chosen in np.array_split(rng.integers(len(tokens), size=n_tokens), 7)
    ] + [b"", b"\0", b"ends with a token"]
    buffer = np.frombuffer(b"".join(document + bytes([DOCUMENT_END]) for document in documents), np.uint8)
    ids, ends, pool = scan(buffer, len(documents))
    expected_ids, expected_ends, expected_pool = scan_slowly(documents)
    assert ids.tolist() == expected_ids
    assert ends.tolist() == expected_ends
    assert pool.tobytes() == expected_pool


def test_scan_of_nothing():
    ids, ends, pool = scan(np.frombuffer(b"", np.uint8), 0)
    assert len(ids) == len(ends) == len(pool) == 0
