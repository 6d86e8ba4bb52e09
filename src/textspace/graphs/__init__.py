"""Labels and neighbours -> graphs over documents, as operators with ``@``."""

from textspace.graphs._graph import Graph, laplacian
from textspace.graphs._local import equal_weight_graph, relevance_graph
from textspace.graphs._neighbors import ClassNeighbors, class_neighbors
from textspace.graphs._scatter import margin_graph

__all__ = [
    "ClassNeighbors",
    "Graph",
    "class_neighbors",
    "equal_weight_graph",
    "laplacian",
    "margin_graph",
    "relevance_graph",
]
