"""N-grams of letters as the nodes of a tree, and the compiled passes that find and count them.

A node is a string. Its parent is the string without the last character, and the root is the empty string. So
one step down the tree for each character finds all n-grams that begin at a place, whatever their length. A
node has the key ``parent * 2**21 + character`` and a number above that of its parent. The table of a tree is
a hash table with linear probing; a row has a key and its node, and the last row the factor of the hash. That
is drawn at random, so that nobody can choose texts whose keys all fall into one place. (E. Fredkin, "Trie
memory", Communications of the ACM 3 (9), 1960.)
"""

import secrets
from numbers import Integral
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from textspace._compiled import compiled
from textspace._saving import saved_as
from textspace.text._counts import sort_columns, stack_counted
from textspace.text._interface import check_texts
from textspace.text._reading import scanned

_LONGEST = 20  # longer strings are words
# With more nodes than this, n-grams of very few documents are forgotten: see `GrowingLetters`.
_MANY_NODES = 1 << 23

_CHARACTER_BITS = 21  # of Unicode
_SPACE = ord(" ")
_ROOT = 0
_NO_KEY = -1  # of the root
_HASH_FACTOR = secrets.randbits(63) | 1
_HIGH_HALF = np.uint64(32)


def check_lengths(letters):
    """Refuse what are not the lengths of a shortest and a longest n-gram."""
    if not (
        len(letters) == 2
        and all(isinstance(length, Integral) for length in letters)
        and 2 <= letters[0] <= letters[1] <= _LONGEST
    ):
        raise ValueError(
            f"letters={letters!r} must be the shortest and the longest number of characters of an n-gram, "
            f"two whole numbers from 2 to {_LONGEST}, such as (2, 5)."
        )


class RunBlock(NamedTuple):
    """Consecutive documents as numbered runs of characters between white space.

    `ids` (int32) has the number of the run at each place; document i holds ``ids[ends[i - 1] : ends[i]]``
    (from 0 for the first). `runs` (uint32) has the characters of the runs by number, a space before and
    behind each.
    """

    ids: np.ndarray
    ends: np.ndarray
    runs: np.ndarray


def read_runs(texts, reader):
    """Cut texts at white space; give blocks of some millions of characters."""
    texts = check_texts(texts, expected="VectorSpace takes a list or a single column of texts")
    for ids, ends, pool in scanned(texts, reader):
        padded = (b" " + pool.tobytes().replace(b"\0", b"  "))[:-1]
        yield RunBlock(ids, ends, np.frombuffer(padded.decode().encode("utf-32-le"), np.uint32))


class GrowingLetters:
    """The n-grams of the texts that were read so far, with the number of documents that hold each.

    Where there are more than `_MANY_NODES` after a block of texts, those that only one document held are
    forgotten, then those of two, and so on until half of that is left. So the memory is bounded, and rare
    n-grams of a very large corpus may be counted too low.
    """

    def __init__(self, shortest, longest):
        self._lengths = shortest, longest
        self._set(np.array([_NO_KEY]), np.zeros(1, np.int64))
        self.n_documents = 0

    def read(self, block):
        """Add the n-grams of a block of documents."""
        n_old = len(self._frequencies)
        found, ends, self._table, n_nodes = _grow(block.runs, self._table, n_old, *self._lengths)
        self._frequencies = np.concatenate([self._frequencies, np.zeros(n_nodes - n_old, np.int64)])
        _add_documents(block.ids, block.ends, found, ends, self._frequencies)
        self.n_documents += len(block.ends)
        least = 1
        while len(self._frequencies) > (_MANY_NODES if least == 1 else _MANY_NODES // 2):
            least += 1
            self.forget(least)

    def forget(self, least):
        """Forget the n-grams of fewer than so many documents."""
        self._set(*_kept_nodes(self._keys(), self._frequencies, least))

    def in_order(self):
        """Give the n-grams as :class:`Letters`, and their document frequencies."""
        keys = self._keys()
        keys, order = _in_preorder(keys, np.argsort(keys))
        frequencies = self._frequencies[order]
        return Letters(keys, frequencies > 0), frequencies[frequencies > 0]

    def _set(self, keys, frequencies):
        self._table, self._frequencies = _table_of(keys, _HASH_FACTOR), frequencies

    def _keys(self):
        """Give the keys by node."""
        keys = np.full(len(self._frequencies), _NO_KEY)
        is_node = self._table[:, 1] != _ROOT
        keys[self._table[is_node, 1]] = self._table[is_node, 0]
        return keys


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
        lengths, nodes = _lengths(keys), np.flatnonzero(is_term).astype(np.int32)
        columns = np.where(is_term, np.cumsum(is_term) - 1, -1).astype(np.int32)
        return cls(keys, _table_of(keys, _HASH_FACTOR), lengths, int(lengths.max()), nodes, columns)


_TREES = WeakKeyDictionary()  # of vocabularies


@saved_as(
    "text.letters",
    shapes={"characters": "_", "lengths": "n", "is_term": "n"},
    check=lambda letters: len(letters) > 0,
)
class Letters:
    """A vocabulary of n-grams, sorted: the nodes in the order of a dictionary, and which of them are terms.

    It holds three arrays, quick to store and without the root: last characters in UTF-8, lengths, and which
    nodes are terms. The tree is made of them where there is none yet.

    >>> growing = GrowingLetters(1, 2)
    >>> growing.read(RunBlock(np.array([0]), np.array([1]), np.array([ord(letter) for letter in " ab "])))
    >>> letters, frequencies = growing.in_order()
    >>> list(letters), letters.places("cab")
    ([' ', ' a', 'a', 'ab', 'b', 'b '], [[1, 2, 2], [1, 3, 3], [2, 3, 4]])
    """

    def __init__(self, keys, is_term):
        _TREES[self] = Tree.of(keys, is_term)
        last = (keys[1:] % (1 << _CHARACTER_BITS)).astype(np.uint32)
        self.characters = np.frombuffer(last.tobytes().decode("utf-32-le").encode(), np.uint8)
        self.lengths = self.tree.lengths[1:].astype(np.uint8)
        self.is_term = is_term[1:]

    @property
    def tree(self):
        """Give the tree; arrays of a file that do not describe one are refused."""
        if self not in _TREES:
            _TREES[self] = Tree.of(*self._checked())
        return _TREES[self]

    def _checked(self):
        last = np.frombuffer(self.characters.tobytes().decode().encode("utf-32-le"), np.uint32)
        lengths = np.concatenate([[0], self.lengths]).astype(np.int64)
        is_term = np.concatenate([[False], self.is_term]).astype(bool)
        if not len(last) == len(is_term) - 1 == len(lengths) - 1:
            raise ValueError("the n-grams of letters have not as many lengths as last characters")
        if np.any(lengths[1:] < 1) or np.any(lengths > _LONGEST) or np.any(np.diff(lengths) > 1):
            raise ValueError("the n-grams of letters are not in order")
        keys = _keys_of(last, lengths)
        if len(np.unique(keys)) < len(keys):
            raise ValueError("an n-gram of letters stands there twice")
        if not is_term.any():
            raise ValueError("there are no n-grams of letters")
        return keys, is_term

    def __len__(self):
        return len(self.tree.nodes)

    def __iter__(self):
        return iter(self.names_of(np.arange(len(self))))

    def places(self, run):
        """Give start, stop and column of each known n-gram of a padded run, as a list."""
        characters = np.frombuffer(run.encode("utf-32-le"), np.uint32)
        return _places(characters, self.tree.table, self.tree.columns, self.tree.longest).tolist()

    def values(self):
        """Give all columns."""
        return range(len(self))

    def names_of(self, columns):
        """Give the n-grams of some columns, in an array of objects."""
        tree = self.tree
        nodes = tree.nodes[columns]
        characters = np.zeros((len(nodes), tree.longest), np.uint32)
        for _ in range(tree.longest):
            inside = np.flatnonzero(nodes)
            keys = tree.keys[nodes[inside]]
            characters[inside, tree.lengths[nodes[inside]] - 1] = keys % (1 << _CHARACTER_BITS)
            nodes[inside] = keys >> _CHARACTER_BITS
        return characters.view(f"<U{tree.longest}").ravel().astype(object)

    def among(self, kept):
        """Keep the n-grams of a mask; they have new columns then."""
        is_kept = np.zeros(len(self.tree.keys), np.int64)
        is_kept[self.tree.nodes[kept]] = 1
        keys, is_term = _kept_nodes(self.tree.keys, is_kept, 1)
        return Letters(keys, is_term > 0)

    def count(self, blocks, *, dtype):
        """Count the n-grams in blocks of documents; give a sorted csr_array without explicit zeros."""
        tally = np.zeros(len(self), dtype)
        counted = []
        for ids, ends, runs in blocks:
            found, run_ends = _find(runs, self.tree.table, self.tree.columns, self.tree.longest)
            counted.append(_count_block(ids, ends, found, run_ends, tally))
        return stack_counted(counted, n_columns=len(self), dtype=dtype)


@compiled()
def _row(key, table):
    """Row of a key in the table, or the empty row where it belongs; no key is 0, for no run holds NUL."""
    last = len(table) - 1
    mask = np.uint64(last - 1)
    row = ((np.uint64(key) * np.uint64(table[last, 0])) >> _HIGH_HALF) & mask
    while table[row, 0] != key and table[row, 1] != _ROOT:
        row = (row + np.uint64(1)) & mask
    return row


@compiled()
def _child(node, character, table):
    """Child of a node, or the root where there is none."""
    return table[_row(_key(node, character), table), 1]


@compiled()
def _key(parent, character):
    return (np.int64(parent) << _CHARACTER_BITS) | np.int64(character)


def _table_of(keys, factor):
    """Make a table, at most half full, of the keys of all nodes; without compiled code, for few texts."""
    size = 1024
    while size < 2 * keys.size:
        size *= 2
    table = np.zeros((size + 1, 2), np.int64)
    table[size, 0] = factor
    nodes = np.arange(1, keys.size)
    rows = ((keys[1:].view(np.uint64) * np.uint64(factor)) >> _HIGH_HALF).astype(np.int64) & (size - 1)
    while nodes.size:
        free = table[rows, 1] == _ROOT
        table[rows[free], 1] = nodes[free]  # the last one of each row stays
        has_row = table[rows, 1] == nodes
        table[rows[has_row], 0] = keys[nodes[has_row]]
        nodes, rows = nodes[~has_row], (rows[~has_row] + 1) & (size - 1)
    return table


@compiled()
def _twice(table):
    """Give a table twice as large."""
    size = len(table) - 1
    larger = np.zeros((2 * size + 1, 2), np.int64)
    larger[2 * size, 0] = table[size, 0]
    for i in range(size):
        if table[i, 1] != _ROOT:
            row = _row(table[i, 0], larger)
            larger[row, 0], larger[row, 1] = table[i, 0], table[i, 1]  # as one, it compiles for seconds
    return larger


@compiled()
def _run_end(runs, first):
    """Position behind the padded run that begins at a position."""
    end = first + 1
    while runs[end] != _SPACE:
        end += 1
    return end + 1


@compiled(nogil=True)
def _grow(runs, table, n_nodes, shortest, longest):
    """Add the n-grams of padded runs to a tree, and give their nodes.

    A run that is shorter than the shortest n-gram counts as one n-gram. The nodes of run r are
    ``found[ends[r - 1] : ends[r]]`` (from 0 for the first).
    """
    n_runs = np.sum(runs == _SPACE) // 2
    found = np.empty(runs.size * (longest - shortest + 1), np.int32)
    ends = np.empty(n_runs, np.int64)
    n_found = first = 0
    for run in range(n_runs):
        end = _run_end(runs, first)
        for start in range(first, end):
            node = _ROOT
            for stop in range(start + 1, min(start + longest, end) + 1):
                key = _key(node, runs[stop - 1])
                row = _row(key, table)
                node = table[row, 1]
                if node == _ROOT:
                    node = n_nodes
                    table[row, 0], table[row, 1] = key, node
                    n_nodes += 1
                    if 2 * n_nodes >= len(table):
                        table = _twice(table)
                if stop - start >= shortest or (start == first and stop == end):
                    found[n_found] = node
                    n_found += 1
        ends[run] = n_found
        first = end
    return found[:n_found], ends, table, n_nodes


@compiled(nogil=True, steps=lambda runs, table, columns, longest: runs.size * longest)
def _find(runs, table, columns, longest):
    """Find the columns of the n-grams of padded runs, as `_grow` finds the nodes."""
    n_runs = np.sum(runs == _SPACE) // 2
    found = np.empty(runs.size * longest, np.int32)
    ends = np.empty(n_runs, np.int64)
    n_found = first = 0
    for run in range(n_runs):
        end = _run_end(runs, first)
        for start in range(first, end):
            node = _ROOT
            for position in range(start, min(start + longest, end)):
                node = _child(node, runs[position], table)
                if node == _ROOT:
                    break
                if columns[node] >= 0:
                    found[n_found] = columns[node]
                    n_found += 1
        ends[run] = n_found
        first = end
    return found[:n_found], ends


@compiled(nogil=True)
def _add_documents(ids, ends, found, run_ends, frequencies):
    """Add one to the frequency of each node for each document that holds it."""
    last = np.full(frequencies.size, -1, np.int32)
    position = 0
    for document in range(ends.size):
        while position < ends[document]:
            run = ids[position]
            position += 1
            for i in range(run_ends[run - 1] if run else 0, run_ends[run]):
                if last[found[i]] != document:
                    last[found[i]] = document
                    frequencies[found[i]] += 1


@compiled(nogil=True, steps=lambda ids, ends, found, *_: found.size)
def _count_block(ids, ends, found, run_ends, tally):
    """Count the columns of each document, ascending; also give the number of different ones in each.

    `tally` has a zero for each column, before and after.
    """
    size = 0
    for run in ids:
        size += run_ends[run] - (run_ends[run - 1] if run else 0)
    entries = np.empty(size, np.int32)
    tallies = np.empty(size, tally.dtype)
    lengths = np.empty(ends.size, np.int64)
    times = np.zeros(run_ends.size, np.int32)  # how often a run stands in the document
    n_entries = begin = 0
    for document in range(ends.size):
        first = n_entries
        here = ids[begin : ends[document]]
        begin = ends[document]
        for run in here:
            times[run] += 1
        for run in here:
            if times[run] > 0:
                for i in range(run_ends[run - 1] if run else 0, run_ends[run]):
                    column = found[i]
                    if tally[column] == 0:
                        entries[n_entries] = column
                        n_entries += 1
                    tally[column] += times[run]
                times[run] = 0
        sort_columns(entries[first:n_entries], tally.size)
        for i in range(first, n_entries):
            tallies[i] = tally[entries[i]]
            tally[entries[i]] = 0
        lengths[document] = n_entries - first
    return entries[:n_entries].copy(), tallies[:n_entries].copy(), lengths


@compiled(steps=lambda run, table, columns, longest: run.size * longest)
def _places(run, table, columns, longest):
    """Start, stop and column of each known n-gram of a run, a row each."""
    places = np.empty((run.size * longest, 3), np.int64)
    n_places = 0
    for start in range(run.size):
        node = _ROOT
        for stop in range(start, min(start + longest, run.size)):
            node = _child(node, run[stop], table)
            if node == _ROOT:
                break
            if columns[node] >= 0:
                places[n_places, 0] = start
                places[n_places, 1] = stop + 1
                places[n_places, 2] = columns[node]
                n_places += 1
    return places[:n_places]


@compiled()
def _kept_nodes(keys, frequencies, least):
    """Keep the nodes of at least some frequency, and those on the way to them; give keys and frequencies."""
    numbers = np.zeros(keys.size, np.int64)
    for node in range(keys.size - 1, 0, -1):
        if frequencies[node] >= least or numbers[node]:
            numbers[node] = numbers[keys[node] >> _CHARACTER_BITS] = 1
    numbers[_ROOT] = 0
    n_nodes = 1
    kept_keys, kept_frequencies = keys.copy(), frequencies.copy()
    for node in range(1, keys.size):
        if numbers[node]:
            numbers[node] = n_nodes
            character = keys[node] & ((1 << _CHARACTER_BITS) - 1)
            kept_keys[n_nodes] = _key(numbers[keys[node] >> _CHARACTER_BITS], character)
            kept_frequencies[n_nodes] = frequencies[node]
            n_nodes += 1
    return kept_keys[:n_nodes].copy(), kept_frequencies[:n_nodes].copy()


@compiled()
def _in_preorder(keys, by_key):
    """Put the nodes in the order of a dictionary; give their keys and which nodes they were."""
    first_child = np.zeros(keys.size, np.int32)
    next_sibling = np.zeros(keys.size, np.int32)
    for node in by_key[:0:-1]:
        parent = keys[node] >> _CHARACTER_BITS
        next_sibling[node] = first_child[parent]
        first_child[parent] = node
    order = np.zeros(keys.size, np.int32)
    numbers = np.zeros(keys.size, np.int32)
    ordered = keys.copy()
    node = first_child[_ROOT]
    for number in range(1, keys.size):
        order[number] = node
        numbers[node] = number
        character = keys[node] & ((1 << _CHARACTER_BITS) - 1)
        ordered[number] = _key(numbers[keys[node] >> _CHARACTER_BITS], character)
        if first_child[node]:
            node = first_child[node]
        else:
            while node and not next_sibling[node]:
                node = keys[node] >> _CHARACTER_BITS
            node = next_sibling[node]
    return ordered, order


def _lengths(keys):
    """Give the number of characters of each node."""
    parents = np.maximum(keys >> _CHARACTER_BITS, _ROOT)
    lengths, ancestors = np.zeros(keys.size, np.int64), np.arange(keys.size)
    while ancestors.any():
        lengths += ancestors != _ROOT
        ancestors = parents[ancestors]
    return lengths


def _keys_of(last, lengths):
    """Give the keys of nodes in the order of a dictionary, by their last characters and lengths."""
    keys = np.full(lengths.size, _NO_KEY)
    for length in range(1, lengths.max(initial=0) + 1):
        nodes, shorter = np.flatnonzero(lengths == length), np.flatnonzero(lengths == length - 1)
        parents = shorter[np.searchsorted(shorter, nodes) - 1]  # the last one before each
        keys[nodes] = (parents << _CHARACTER_BITS) | last[nodes - 1]
    return keys
