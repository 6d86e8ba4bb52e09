"""The tree of categories."""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from itertools import takewhile

import numpy as np

from textspace._saving import saved_as
from textspace.tree._entries import (
    Entry,
    check_entries,
    nested_entries,
    pair_entries,
    path_entries,
    read_entries,
)

# "rateCut" and "USRates" are two words each
INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
LINK = re.compile(r"[\W_]+")  # what may stand between the parts of a path
_MOST_STEPS = 10_000_000  # as many names are kept of the leaves below all nodes


@saved_as("tree.label_tree")
class LabelTree:
    """Categories, and which lies in which.

    A tree does not change after it is made. Its nodes are the names of the categories; there may be several
    roots, and leaves may lie at different depths. Whatever order the categories are given in, children are in
    alphabetical order, and the nodes and leaves in that of a walk from the roots down.

    Parameters
    ----------
    parents : mapping of str to (str or None)
        Parent of each category. A category whose parent is None or "", or that is named as a parent only, is
        a root.

    Notes
    -----
    Names are taken for paths if the name of every node but the roots begins with its parent's name and the
    same separator ("rec.sport" and "rec.sport.hockey"). A node's own name is then the rest of it.

    Examples
    --------
    >>> from textspace.tree import LabelTree
    >>> tree = LabelTree.from_paths(["rec.autos", "rec.sport.hockey", "rec.sport.baseball", "sci.med"], ".")
    >>> print(tree)
    rec
      autos
      sport
        baseball
        hockey
    sci
      med
    >>> tree.leaves_below("rec.sport")
    ('rec.sport.baseball', 'rec.sport.hockey')
    >>> tree.ancestors("rec.sport.hockey")
    ('rec.sport', 'rec')
    >>> LabelTree({"corn": "grain", "wheat": "grain", "ship": None})
    LabelTree(4 nodes, 3 leaves, 2 levels)
    """

    def __init__(self, parents):
        parents = check_entries(Entry(child, parent) for child, parent in parents.items())
        children = {None: []} | {node: [] for node in parents}
        for node in sorted(parents):
            children[parents[node]].append(node)
        self._children = {node: tuple(below) for node, below in children.items()}
        self._parents = {}
        ahead = list(reversed(self._children[None]))
        while ahead:
            node = ahead.pop()
            self._parents[node] = parents[node]
            ahead.extend(reversed(self._children[node]))
        self._depths = _depths(self._parents)
        steps = sum(self._depths[node] for node in self._parents if not self._children[node])
        if steps > _MOST_STEPS:
            raise ValueError(
                f"the tree has {steps} steps from its roots to its leaves, and {_MOST_STEPS} are the limit: "
                "leave out levels that say nothing."
            )
        self._leaves_below = {}
        for node in [*reversed(self._parents), None]:
            below = self._children[node]
            self._leaves_below[node] = (
                tuple(leaf for child in below for leaf in self._leaves_below[child]) if below else (node,)
            )
        self._separator = _separator(self._parents)
        self._n_levels = max(self._depths.values())

    def __getstate__(self):
        return {"parents": self.to_dict()}

    def __setstate__(self, state):
        self.__init__(state["parents"])

    @classmethod
    def from_paths(cls, labels, separator="/"):
        """Make the tree of labels that are paths, such as ``"rec/sport/hockey"``.

        Parameters
        ----------
        labels : iterable of str
            Paths; one may stand there many times, as in the labels of documents.
        separator : str, default="/"
            What stands between the parts of a path: any text without letters and digits.

        Returns
        -------
        LabelTree
            Its nodes are the paths and their beginnings, "rec" and "rec/sport" among them.
        """
        if not LINK.fullmatch(separator):
            raise ValueError(
                f"separator={separator!r} must be at least one character that is no letter or digit."
            )
        if isinstance(labels, str):
            raise TypeError(f"give a list of labels, not the one text {labels!r}.")
        return cls(check_entries(path_entries(dict.fromkeys(labels), separator)))

    @classmethod
    def from_parents(cls, table, encoding=None):
        """Make a tree from a table of children and parents.

        Parameters
        ----------
        table : mapping of str to str, iterable of pairs, or path of a file
            Children and their parents. A file (CSV, TSV, JSON lines or Parquet) names its columns ``child``
            and ``parent`` in the first row; an empty parent makes a root.
        encoding : str, default=None
            Of a text file.

        Returns
        -------
        LabelTree
            The tree.
        """
        if isinstance(table, str | os.PathLike):
            return cls(check_entries(read_entries(table, encoding)))
        return cls(table if isinstance(table, Mapping) else check_entries(pair_entries(table)))

    @classmethod
    def from_nested(cls, nested):
        """Make a tree from mappings within mappings.

        Parameters
        ----------
        nested : mapping of str to (mapping, collection of str, or None)
            Each category with what is in it: a mapping again, a list of leaves, or None for a leaf.

        Returns
        -------
        LabelTree
            The tree; a name may stand in one place only.

        Examples
        --------
        >>> nested = {"food": ["rice", "cocoa"], "metal": {"tin": None, "ores": ["iron"]}}
        >>> print(LabelTree.from_nested(nested))
        food
          cocoa
          rice
        metal
          ores
            iron
          tin
        """
        return cls(check_entries(nested_entries(nested)))

    @property
    def roots(self):
        """Nodes without a parent: tuple of str."""
        return self._children[None]

    @property
    def leaves(self):
        """Nodes without children: tuple of str."""
        return self._leaves_below[None]

    @property
    def n_levels(self):
        """Depth of the deepest leaf: int."""
        return self._n_levels

    def parent(self, node):
        """Give the node above.

        Parameters
        ----------
        node : str
            A node of the tree.

        Returns
        -------
        str or None
            Its parent; None for a root.
        """
        return self._parents[self._known(node)]

    def children(self, node=None):
        """Give the nodes right below.

        Parameters
        ----------
        node : str or None, default=None
            A node of the tree; None for the whole tree.

        Returns
        -------
        tuple of str
            Its children in alphabetical order; of the whole tree the roots.
        """
        return self._children[self._known(node)]

    def ancestors(self, node):
        """Give the nodes above.

        Parameters
        ----------
        node : str
            A node of the tree.

        Returns
        -------
        tuple of str
            The nearest first.
        """
        above = []
        node = self.parent(node)
        while node is not None:
            above.append(node)
            node = self._parents[node]
        return tuple(above)

    def path(self, node):
        """Give the nodes from a root down to the node itself.

        Parameters
        ----------
        node : str
            A node of the tree.

        Returns
        -------
        tuple of str
            The root first.
        """
        return (*reversed(self.ancestors(node)), str(node))

    def paths(self, labels):
        """Lay out the paths of many labels, one a row.

        Parameters
        ----------
        labels : array-like of str, shape (n_labels,)
            Nodes of the tree, leaves or not.

        Returns
        -------
        ndarray of str, shape (n_labels, n_levels)
            The node of each level, from the root; "" below the label itself.

        Examples
        --------
        >>> LabelTree({"corn": "grain", "wheat": "grain", "ship": None}).paths(["ship", "corn", "grain"])
        array([['ship', ''],
               ['grain', 'corn'],
               ['grain', '']], dtype='<U5')
        """
        found, rows = np.unique(np.asarray(labels, dtype=str), return_inverse=True)
        self._refuse_unknown(found)
        padding = ("",) * self.n_levels
        table = [(*self.path(label), *padding)[: self.n_levels] for label in found]
        return np.array(table, dtype=str).reshape(-1, self.n_levels)[rows]

    def leaves_below(self, node=None):
        """Give the leaves in a node.

        Parameters
        ----------
        node : str or None, default=None
            A node of the tree; None for the whole tree.

        Returns
        -------
        tuple of str
            Leaves; a leaf has itself.
        """
        return self._leaves_below[self._known(node)]

    def is_leaf(self, node):
        """Tell whether a node has no children.

        Parameters
        ----------
        node : str
            A node of the tree.

        Returns
        -------
        bool
            True for a leaf.
        """
        return not self._children[self._known(node)]

    def depth(self, node):
        """Give the level of a node.

        Parameters
        ----------
        node : str
            A node of the tree.

        Returns
        -------
        int
            1 for a root, one more for each step down.
        """
        return self._depths[self._known(node)]

    def name(self, node):
        """Give a node's own name.

        Parameters
        ----------
        node : str
            A node of the tree.

        Returns
        -------
        str
            The last part where names are paths, else all of it.
        """
        parent = self.parent(node)
        if self._separator is None or parent is None:
            return str(node)
        return str(node)[len(parent) + len(self._separator) :]

    def words(self, node):
        """Give the words of a node's own name.

        Letters make words; anything else, and a capital within a word, parts them.

        Parameters
        ----------
        node : str
            A node of the tree.

        Returns
        -------
        tuple of str
            In lower case, each once.

        Examples
        --------
        >>> tree = LabelTree({"iron-steel": "metals", "USMoneyMarket": None})
        >>> tree.words("iron-steel"), tree.words("USMoneyMarket")
        (('iron', 'steel'), ('us', 'money', 'market'))
        """
        runs = _split(self.name(node))
        return tuple(dict.fromkeys(word.lower() for run in runs for word in INNER_CAPITAL.split(run)))

    def count(self, labels):
        """Count the documents of each node, with those of the nodes below it.

        Parameters
        ----------
        labels : array-like of str, shape (n_documents,)
            Nodes of the tree, leaves or not.

        Returns
        -------
        dict of str to int
            Number of documents for every node.
        """
        given = Counter(np.asarray(labels, dtype=str).tolist())
        self._refuse_unknown(given)
        counts = dict.fromkeys(self, 0)
        for label, number in given.items():
            for node in self.path(label):
                counts[node] += number
        return counts

    def check_labels(self, labels, inner=False):
        """Raise a ValueError that names them if labels have no place in the tree.

        Parameters
        ----------
        labels : array-like of str, shape (n_documents,)
            Labels of documents, none missing.
        inner : bool, default=False
            Whether a label may be a category with others below it. Documents to learn from are labelled with
            leaves.
        """
        given = Counter(np.asarray(labels, dtype=str).tolist())
        self._refuse_unknown(given)
        between = [] if inner else sorted(label for label in given if not self.is_leaf(label))
        if between:
            label = between[0]
            others = f" (so it is with {_listed(between[1:])})" if between[1:] else ""
            raise ValueError(
                f"{given[label]} documents are labelled {label!r}, which has the categories "
                f"{_listed(self.children(label))} below it{others}: give them a leaf of their own "
                f"below {label!r}, or leave them out."
            )

    def draw(self, notes=None):
        """Show the tree as text, one node a line.

        Parameters
        ----------
        notes : mapping of str to object, default=None
            What to write behind nodes, such as their counts.

        Returns
        -------
        str
            Names, indented by depth.

        Examples
        --------
        >>> tree = LabelTree({"corn": "grain", "wheat": "grain"})
        >>> print(tree.draw(tree.count(["corn", "corn", "wheat"])))
        grain    3
          corn   2
          wheat  1
        """
        lines = {node: "  " * (self.depth(node) - 1) + self.name(node) for node in self}
        if notes is None:
            return "\n".join(lines.values())
        width = max(map(len, lines.values()))
        return "\n".join(f"{line:<{width}}  {notes.get(node, '')}".rstrip() for node, line in lines.items())

    def to_dict(self):
        """Give the parent of every node, None for roots: a dict that JSON can hold and `LabelTree` takes."""
        return dict(self._parents)

    def __iter__(self):
        return iter(self._parents)

    def __len__(self):
        return len(self._parents)

    def __contains__(self, node):
        return node in self._parents

    def __eq__(self, other):
        return self._parents == other._parents if isinstance(other, LabelTree) else NotImplemented

    def __hash__(self):
        return hash(frozenset(self._parents.items()))

    def __str__(self):
        return self.draw()

    def __repr__(self):
        levels = f"{self.n_levels} level{'s' * (self.n_levels > 1)}"
        return f"LabelTree({len(self)} nodes, {len(self.leaves)} leaves, {levels})"

    def _known(self, node):
        if node is not None:
            self._refuse_unknown([node])
        return node

    def _refuse_unknown(self, labels):
        unknown = sorted(str(label) for label in labels if label not in self._parents)
        if unknown:
            raise ValueError(
                f"not in the tree: {_listed(unknown)}. Add them to it, or correct or leave out these labels."
            )


def as_tree(tree):
    """Make a LabelTree of whatever stands for one.

    Parameters
    ----------
    tree : LabelTree, mapping of str to str, or path of a file
        A tree, the parents of categories, or a table of children and parents.

    Returns
    -------
    LabelTree
        The tree.

    Examples
    --------
    >>> as_tree({"corn": "grain"}).parent("corn")
    'grain'
    """
    if isinstance(tree, LabelTree):
        return tree
    if isinstance(tree, Mapping | str | os.PathLike):
        return LabelTree.from_parents(tree)
    raise TypeError(
        f"a tree is a LabelTree, a dict of children and their parents or the path of a table, not {tree!r}."
    )


def _depths(parents):
    """Give the level of each node; its parent stands before it."""
    depths = {None: 0}
    for node, parent in parents.items():
        depths[node] = depths[parent] + 1
    return depths


def _separator(parents):
    """Give what stands between parent and child in every name, or None where names are not paths."""
    links = set()
    for node, parent in parents.items():
        if parent is not None:
            # something must remain for the name
            link = LINK.match(node[:-1], len(parent)) if node.startswith(parent) else None
            links.add(link.group() if link else "")
    # a part may itself begin with such characters, as in "web/.net": what all have in common separates
    shared = takewhile(lambda letters: len(set(letters)) == 1, zip(*links, strict=False))
    return "".join(letters[0] for letters in shared) or None


def _split(name):
    """Split a name into its runs of letters and the marks that go with letters."""
    name = unicodedata.normalize("NFC", name)
    return "".join(letter if unicodedata.category(letter)[0] in "LM" else " " for letter in name).split()


def _listed(names, most=5):
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + rest
