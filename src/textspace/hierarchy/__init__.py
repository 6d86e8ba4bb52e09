"""Categories that nest: the label tree, and LSI that knows what categories are called."""

from textspace.hierarchy._lsi import LabelDrivenLSI
from textspace.hierarchy._scaling import ScaledTerm
from textspace.hierarchy._tree import LabelTree, as_tree

__all__ = ["LabelDrivenLSI", "LabelTree", "ScaledTerm", "as_tree"]
