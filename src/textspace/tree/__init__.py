"""Categories that nest: the label tree."""

from textspace.tree._tree import LabelTree, as_tree

__all__ = ["LabelTree", "as_tree"]
