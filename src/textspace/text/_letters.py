"""A vocabulary of n-grams of letters: how it grows, and the passes that find and count them in texts."""

from numbers import Integral
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from textspace._compiled import compiled
from textspace._saving import saved_as
from textspace.text._counts import sort_columns, stack_counted
from textspace.text._interface import check_texts
from textspace.text._letter_tree import (
    CHARACTER_BITS,
    HASH_FACTOR,
    LONGEST,
    NO_KEY,
    ROOT,
    Tree,
    child_of,
    find_row,
    in_preorder,
    kept_nodes,
    key_of,
    keys_of,
    table_of,
    twice,
)
from textspace.text._reading import scanned

# With more nodes than this, n-grams of very few documents are forgotten: see `GrowingLetters`.
_MANY_NODES = 1 << 23

_SPACE = ord(" ")


def check_lengths(letters):
    """Refuse what are not the lengths of a shortest and a longest n-gram."""
    if not (
        len(letters) == 2
        and all(isinstance(length, Integral) for length in letters)
        and 2 <= letters[0] <= letters[1] <= LONGEST
    ):
        raise ValueError(
            f"letters={letters!r} must be the shortest and the longest number of characters of an n-gram, "
            f"two whole numbers from 2 to {LONGEST}, such as (2, 5)."
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
        self._set(np.array([NO_KEY]), np.zeros(1, np.int64))
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
        self._set(*kept_nodes(self._keys(), self._frequencies, least))

    def in_order(self):
        """Give the n-grams as :class:`Letters`, and their document frequencies."""
        keys = self._keys()
        keys, order = in_preorder(keys, np.argsort(keys))
        frequencies = self._frequencies[order]
        return Letters(keys, frequencies > 0), frequencies[frequencies > 0]

    def _set(self, keys, frequencies):
        self._table, self._frequencies = table_of(keys, HASH_FACTOR), frequencies

    def _keys(self):
        """Give the keys by node."""
        keys = np.full(len(self._frequencies), NO_KEY)
        is_node = self._table[:, 1] != ROOT
        keys[self._table[is_node, 1]] = self._table[is_node, 0]
        return keys


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
        last = (keys[1:] % (1 << CHARACTER_BITS)).astype(np.uint32)
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
        if not self.characters.dtype == self.lengths.dtype == np.uint8:  # for which there is room
            raise ValueError("the n-grams of letters are no bytes")
        last = np.frombuffer(self.characters.tobytes().decode().encode("utf-32-le"), np.uint32)
        lengths = np.concatenate([[0], self.lengths]).astype(np.int64)
        is_term = np.concatenate([[False], self.is_term]).astype(bool)
        if not len(last) == len(is_term) - 1 == len(lengths) - 1:
            raise ValueError("the n-grams of letters have not as many lengths as last characters")
        if np.any(lengths[1:] < 1) or np.any(lengths > LONGEST) or np.any(np.diff(lengths) > 1):
            raise ValueError("the n-grams of letters are not in order")
        keys = keys_of(last, lengths)
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
            characters[inside, tree.lengths[nodes[inside]] - 1] = keys % (1 << CHARACTER_BITS)
            nodes[inside] = keys >> CHARACTER_BITS
        return characters.view(f"<U{tree.longest}").ravel().astype(object)

    def among(self, kept):
        """Keep the n-grams of a mask; they have new columns then."""
        is_kept = np.zeros(len(self.tree.keys), np.int64)
        is_kept[self.tree.nodes[kept]] = 1
        keys, is_term = kept_nodes(self.tree.keys, is_kept, 1)
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
def _run_end(runs, first):
    """Position behind the padded run that begins at a position."""
    end = first + 1
    while runs[end] != _SPACE:
        end += 1
    return end + 1


@compiled()
def _open_all(first, end, nodes, stops):
    """Put the root down for each place of a run; all grow by one character at a time, give their number.

    The memory is asked for many nodes at once then, which is quicker than one n-gram after the other.
    """
    for i in range(end - first):
        nodes[i], stops[i] = ROOT, first + i
    return end - first


@compiled(nogil=True)
def _grow(runs, table, n_nodes, shortest, longest):
    """Add the n-grams of padded runs to a tree, and give their nodes.

    A run that is shorter than the shortest n-gram counts as one n-gram. The nodes of run r are
    ``found[ends[r - 1] : ends[r]]`` (from 0 for the first).
    """
    n_runs = np.sum(runs == _SPACE) // 2
    found = np.empty(runs.size * (longest - shortest + 1), np.int32)
    ends = np.empty(n_runs, np.int64)
    nodes, stops = np.empty(runs.size, np.int32), np.empty(runs.size, np.int32)
    n_found = first = 0
    for run in range(n_runs):
        end = _run_end(runs, first)
        n_open = _open_all(first, end, nodes, stops)
        for length in range(1, longest + 1):
            n_before, n_open = n_open, 0
            for i in range(n_before):
                if stops[i] == end:
                    continue
                key = key_of(nodes[i], runs[stops[i]])
                stop = stops[i] + 1
                row = find_row(key, table)
                node = table[row, 1]
                if node == ROOT:
                    node = n_nodes
                    table[row, 0], table[row, 1] = key, node
                    n_nodes += 1
                    if 2 * n_nodes >= len(table):
                        table = twice(table)
                if length >= shortest or (stop - length == first and stop == end):
                    found[n_found] = node
                    n_found += 1
                nodes[n_open], stops[n_open] = node, stop
                n_open += 1
        ends[run] = n_found
        first = end
    return found[:n_found], ends, table, n_nodes


@compiled(nogil=True, steps=lambda runs, table, columns, longest: runs.size * longest)
def _find(runs, table, columns, longest):
    """Find the columns of the n-grams of padded runs, as `_grow` finds the nodes."""
    n_runs = np.sum(runs == _SPACE) // 2
    found = np.empty(runs.size * longest, np.int32)
    ends = np.empty(n_runs, np.int64)
    nodes, stops = np.empty(runs.size, np.int32), np.empty(runs.size, np.int32)
    n_found = first = 0
    for run in range(n_runs):
        end = _run_end(runs, first)
        n_open = _open_all(first, end, nodes, stops)
        for _ in range(longest):
            n_before, n_open = n_open, 0
            for i in range(n_before):
                node = ROOT if stops[i] == end else child_of(nodes[i], runs[stops[i]], table)
                if node != ROOT:
                    if columns[node] >= 0:
                        found[n_found] = columns[node]
                        n_found += 1
                    nodes[n_open], stops[n_open] = node, stops[i] + 1
                    n_open += 1
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
        node = ROOT
        for stop in range(start, min(start + longest, run.size)):
            node = child_of(node, run[stop], table)
            if node == ROOT:
                break
            if columns[node] >= 0:
                places[n_places, 0] = start
                places[n_places, 1] = stop + 1
                places[n_places, 2] = columns[node]
                n_places += 1
    return places[:n_places]
