"""N-grams of letters as the nodes of a tree, and the table by which a child of a node is found.

A node is a string. Its parent is the string without the last character, and the root is the empty string. So
one step down the tree for each character finds all n-grams that begin at a place, whatever their length. A
node has the key ``parent * 2**21 + character`` and a number above that of its parent. The table of a tree is
a hash table with linear probing; a row has a key and its node, and the last row the factor of the hash. That
is drawn at random, so that nobody can choose texts whose keys all fall into one place. (E. Fredkin, "Trie
memory", Communications of the ACM 3 (9), 1960.)
"""

import secrets
from typing import NamedTuple

import numpy as np

from textspace._compiled import compiled

LONGEST = 20  # longer strings are words
CHARACTER_BITS = 21  # of Unicode
ROOT = 0
NO_KEY = -1  # of the root
HASH_FACTOR = secrets.randbits(63) | 1
_HIGH_HALF = np.uint64(32)


class Tree(NamedTuple):
    """What the compiled passes look up: the nodes of a vocabulary, the root first, and its columns."""

    keys: np.ndarray
    table: np.ndarray
    lengths: np.ndarray
    longest: int
    nodes: np.ndarray  # of the columns
    columns: np.ndarray  # of the nodes, -1 for those that are no terms

    @classmethod
    def of(cls, keys, is_term):
        lengths, nodes = lengths_of(keys), np.flatnonzero(is_term).astype(np.int32)
        columns = np.where(is_term, np.cumsum(is_term) - 1, -1).astype(np.int32)
        return cls(keys, table_of(keys, HASH_FACTOR), lengths, int(lengths.max()), nodes, columns)


@compiled()
def find_row(key, table):
    """Row of a key in the table, or the empty row where it belongs; no key is 0, for no run holds NUL."""
    last = len(table) - 1
    mask = np.uint64(last - 1)
    row = ((np.uint64(key) * np.uint64(table[last, 0])) >> _HIGH_HALF) & mask
    while table[row, 0] != key and table[row, 1] != ROOT:
        row = (row + np.uint64(1)) & mask
    return row


@compiled()
def child_of(node, character, table):
    """Child of a node, or the root where there is none."""
    return table[find_row(key_of(node, character), table), 1]


@compiled()
def key_of(parent, character):
    return (np.int64(parent) << CHARACTER_BITS) | np.int64(character)


def table_of(keys, factor):
    """Make a table, at most half full, of the keys of all nodes; without compiled code, for few texts."""
    size = 1024
    while size < 2 * keys.size:
        size *= 2
    table = np.zeros((size + 1, 2), np.int64)
    table[size, 0] = factor
    nodes = np.arange(1, keys.size)
    rows = ((keys[1:].view(np.uint64) * np.uint64(factor)) >> _HIGH_HALF).astype(np.int64) & (size - 1)
    while nodes.size:
        free = table[rows, 1] == ROOT
        table[rows[free], 1] = nodes[free]  # the last one of each row stays
        has_row = table[rows, 1] == nodes
        table[rows[has_row], 0] = keys[nodes[has_row]]
        nodes, rows = nodes[~has_row], (rows[~has_row] + 1) & (size - 1)
    return table


@compiled()
def twice(table):
    """Give a table twice as large."""
    size = len(table) - 1
    larger = np.zeros((2 * size + 1, 2), np.int64)
    larger[2 * size, 0] = table[size, 0]
    for i in range(size):
        if table[i, 1] != ROOT:
            row = find_row(table[i, 0], larger)
            larger[row, 0], larger[row, 1] = table[i, 0], table[i, 1]  # as one, it compiles for seconds
    return larger


@compiled()
def kept_nodes(keys, frequencies, least):
    """Keep the nodes of at least some frequency, and those on the way to them; give keys and frequencies."""
    numbers = np.zeros(keys.size, np.int64)
    for node in range(keys.size - 1, 0, -1):
        if frequencies[node] >= least or numbers[node]:
            numbers[node] = numbers[keys[node] >> CHARACTER_BITS] = 1
    numbers[ROOT] = 0
    n_nodes = 1
    kept_keys, kept_frequencies = keys.copy(), frequencies.copy()
    for node in range(1, keys.size):
        if numbers[node]:
            numbers[node] = n_nodes
            character = keys[node] & ((1 << CHARACTER_BITS) - 1)
            kept_keys[n_nodes] = key_of(numbers[keys[node] >> CHARACTER_BITS], character)
            kept_frequencies[n_nodes] = frequencies[node]
            n_nodes += 1
    return kept_keys[:n_nodes].copy(), kept_frequencies[:n_nodes].copy()


@compiled()
def in_preorder(keys, by_key):
    """Put the nodes in the order of a dictionary; give their keys and which nodes they were."""
    first_child = np.zeros(keys.size, np.int32)
    next_sibling = np.zeros(keys.size, np.int32)
    for node in by_key[:0:-1]:
        parent = keys[node] >> CHARACTER_BITS
        next_sibling[node] = first_child[parent]
        first_child[parent] = node
    order = np.zeros(keys.size, np.int32)
    numbers = np.zeros(keys.size, np.int32)
    ordered = keys.copy()
    node = first_child[ROOT]
    for number in range(1, keys.size):
        order[number] = node
        numbers[node] = number
        character = keys[node] & ((1 << CHARACTER_BITS) - 1)
        ordered[number] = key_of(numbers[keys[node] >> CHARACTER_BITS], character)
        if first_child[node]:
            node = first_child[node]
        else:
            while node and not next_sibling[node]:
                node = keys[node] >> CHARACTER_BITS
            node = next_sibling[node]
    return ordered, order


def lengths_of(keys):
    """Give the number of characters of each node."""
    parents = np.maximum(keys >> CHARACTER_BITS, ROOT)
    lengths, ancestors = np.zeros(keys.size, np.int64), np.arange(keys.size)
    while ancestors.any():
        lengths += ancestors != ROOT
        ancestors = parents[ancestors]
    return lengths


def keys_of(last, lengths):
    """Give the keys of nodes in the order of a dictionary, by their last characters and lengths."""
    keys = np.full(lengths.size, NO_KEY)
    for length in range(1, lengths.max(initial=0) + 1):
        nodes, shorter = np.flatnonzero(lengths == length), np.flatnonzero(lengths == length - 1)
        parents = shorter[np.searchsorted(shorter, nodes) - 1]  # the last one before each
        keys[nodes] = (parents << CHARACTER_BITS) | last[nodes - 1]
    return keys
