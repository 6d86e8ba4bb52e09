"""The compiled inner loop of the analyser: bytes -> numbered tokens."""

import secrets

import numpy as np

from textspace._compiled import compiled

TOKEN_END = 0
# No UTF-8 text holds this byte, so it cannot be mistaken for a part of a token.
DOCUMENT_END = 255

# Start and factor of the hash, drawn at random: else texts could be chosen whose tokens all fall into one
# place, each of which is compared with all before it. What `scan` gives does not depend on them.
HASH_KEY = np.array([secrets.randbits(64), secrets.randbits(64) | 1], np.uint64)
_HIGH_HALF = np.uint64(32)


@compiled(nogil=True, steps=lambda buffer, *_: buffer.size)
def scan(buffer, n_documents, hash_key):
    """Give each distinct token of some documents a number, in the order in which they appear.

    A token is a run of bytes other than `TOKEN_END` and `DOCUMENT_END`. Tokens are looked up in a hash table
    with linear probing, which doubles when it is half full.

    Parameters
    ----------
    buffer : ndarray of uint8
        The documents one after the other, each closed by `DOCUMENT_END`.
    n_documents : int
        How many there are.
    hash_key : ndarray of uint64, shape (2,)
        Any number, and an odd one: `HASH_KEY`.

    Returns
    -------
    ids : ndarray of int32, shape (n_tokens,)
        The number of each token of the text.
    ends : ndarray of int64, shape (n_documents,)
        Document i holds the tokens from ``ends[i - 1]`` (0 for the first) to ``ends[i]``.
    pool : ndarray of uint8
        The distinct tokens by number, each closed by `TOKEN_END`.
    """
    ids = np.empty(buffer.size // 2, np.int32)
    ends = np.empty(n_documents, np.int64)
    pool = np.empty(buffer.size, np.uint8)
    slots = _empty_slots(1024)
    starts = np.empty(slots.size // 2 + 1, np.int64)  # token t is pool[starts[t] : starts[t + 1] - 1]
    hashes = np.empty(slots.size // 2, np.uint64)
    starts[0] = 0
    reached = _number(buffer, 0, 0, 0, 0, hash_key, ids, ends, pool, slots, starts, hashes)
    while reached[0] < buffer.size:
        slots = _empty_slots(2 * slots.size)
        for token in range(hashes.size):
            slot = _slot(hashes[token], slots)
            while slots[slot] >= 0:
                slot = (slot + 1) & (slots.size - 1)
            slots[slot] = token
        starts = _doubled(starts)
        hashes = _doubled(hashes)
        reached = _number(buffer, *reached, hash_key, ids, ends, pool, slots, starts, hashes)
    _, _, n_tokens, n_distinct = reached
    return ids[:n_tokens], ends, pool[: starts[n_distinct]]


@compiled()
def _number(
    buffer, position, document, n_tokens, n_distinct, hash_key, ids, ends, pool, slots, starts, hashes
):
    """Go on from a position until all is read or the table is half full; give what was reached.

    These are the position, and how many documents, tokens and distinct tokens end before it. The arrays stay
    what they are in here: a loop that also makes new ones takes twice as long.
    """
    hash_start, hash_factor = hash_key[0], hash_key[1]
    while position < buffer.size and n_distinct < hashes.size:
        byte = buffer[position]
        if byte in (TOKEN_END, DOCUMENT_END):
            if byte == DOCUMENT_END:
                ends[document] = n_tokens
                document += 1
            position += 1
            continue
        start = position
        code = hash_start
        while byte not in (TOKEN_END, DOCUMENT_END):
            code = (code ^ np.uint64(byte)) * hash_factor
            position += 1
            byte = buffer[position]
        length = position - start
        slot = _slot(code, slots)
        token = slots[slot]
        while token >= 0 and not (
            hashes[token] == code and _stands_at(buffer, start, pool, starts[token], length)
        ):
            slot = (slot + 1) & (slots.size - 1)
            token = slots[slot]
        if token < 0:
            token = slots[slot] = n_distinct
            hashes[token] = code
            for i in range(length):
                pool[starts[token] + i] = buffer[start + i]
            pool[starts[token] + length] = TOKEN_END
            n_distinct += 1
            starts[n_distinct] = starts[token] + length + 1
        ids[n_tokens] = token
        n_tokens += 1
    return position, document, n_tokens, n_distinct


@compiled()
def _slot(code, slots):
    """Place of a hash code in a table whose size is a power of two; its high half depends on all bytes."""
    return np.int64((code >> _HIGH_HALF) & np.uint64(slots.size - 1))


@compiled()
def _stands_at(buffer, start, pool, token_start, length):
    """Whether the pool holds, at a token's place, the bytes of the buffer and then the token's end."""
    for i in range(length):
        if buffer[start + i] != pool[token_start + i]:
            return False
    return pool[token_start + length] == TOKEN_END


@compiled()
def _doubled(array):
    larger = np.empty(2 * array.size, array.dtype)
    for i in range(array.size):
        larger[i] = array[i]
    return larger


@compiled()
def _empty_slots(size):
    slots = np.empty(size, np.int32)
    for slot in range(size):
        slots[slot] = -1
    return slots
