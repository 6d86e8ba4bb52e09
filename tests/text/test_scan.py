"""The compiled scan against bytes.split and a dictionary."""

import numpy as np
import pytest

from textspace.text import _reading
from textspace.text._scan import DOCUMENT_END, HASH_KEY, TOKEN_END, scan


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
    ids, ends, pool = scan(buffer, len(documents), HASH_KEY)
    expected_ids, expected_ends, expected_pool = scan_slowly(documents)
    assert ids.tolist() == expected_ids
    assert ends.tolist() == expected_ends
    assert pool.tobytes() == expected_pool


def test_scan_is_compiled_once_for_all_readers():
    for tokens in ("whole", "written"):
        assert list(_reading.scanned(["a text"], _reading.Reader(token_pattern=None, tokens=tokens)))
    assert {buffer.mutable for buffer, *_ in scan.dispatcher.signatures} == {False}


def test_scan_of_nothing():
    ids, ends, pool = scan(np.frombuffer(b"", np.uint8), 0, HASH_KEY)
    assert len(ids) == len(ends) == len(pool) == 0


def chosen_tokens(n_tokens):
    """Choose tokens that fall into one place of every table up to 2**12 by a hash that anybody can compute.

    It is that of Fowler, Noll and Vo.
    """
    numbers = np.arange(n_tokens << 12, dtype=np.uint64)
    letters = np.stack(
        [(numbers >> np.uint64(4 * i)) % np.uint64(16) + np.uint64(97) for i in range(8)], axis=1
    )
    codes = np.full(len(numbers), 14695981039346656037, np.uint64)
    for column in letters.T:
        codes = (codes ^ column) * np.uint64(1099511628211)
    chosen = letters[((codes ^ (codes >> np.uint64(32))) & np.uint64(4095)) == 0]
    return [bytes(row) for row in chosen.astype(np.uint8)]


def longest_row(tokens, key):
    """Count the tokens in the fullest place of a table of 2**12."""
    start, factor = (int(number) for number in key)
    places = []
    for token in tokens:
        code = start
        for byte in token:
            code = (code ^ byte) * factor % 2**64
            code ^= code >> 32
        places.append(code % 4096)
    return max(np.bincount(places))


def test_nobody_can_choose_tokens_that_fall_into_one_place():
    tokens = chosen_tokens(256)
    assert len(tokens) > 200
    keys = [HASH_KEY, np.array([1, 12345678901234567891], np.uint64)]
    assert all(longest_row(tokens, key) < 10 for key in keys)
    buffer = np.frombuffer(b"\0".join(tokens * 2) + bytes([DOCUMENT_END]), np.uint8)
    found = [scan(buffer, 1, key) for key in keys]
    for ours, other in zip(*found, strict=True):
        np.testing.assert_array_equal(ours, other)
    assert found[0][0].tolist() == [*range(len(tokens))] * 2
