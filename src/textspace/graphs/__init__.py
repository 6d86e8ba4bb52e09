"""Labels and neighbours -> graphs over documents, as operators with ``@``."""

from textspace.graphs._affinity import (
    affinity,
    marginal_graphs,
    nearest_neighbors,
    normalized_laplacian,
    self_tuning_graph,
)
from textspace.graphs._geometry import geometry_graph, reconstruction_weights
from textspace.graphs._graph import Graph, laplacian
from textspace.graphs._local import equal_weight_graph, relevance_graph
from textspace.graphs._neighbors import ClassNeighbors, class_neighbors, kernel_neighbors
from textspace.graphs._postings import posting_neighbors
from textspace.graphs._recall import neighbor_recall
from textspace.graphs._scatter import margin_graph

__all__ = [
    "ClassNeighbors",
    "Graph",
    "affinity",
    "class_neighbors",
    "equal_weight_graph",
    "geometry_graph",
    "kernel_neighbors",
    "laplacian",
    "margin_graph",
    "marginal_graphs",
    "nearest_neighbors",
    "neighbor_recall",
    "normalized_laplacian",
    "posting_neighbors",
    "reconstruction_weights",
    "relevance_graph",
    "self_tuning_graph",
]
