"""Labels and neighbours -> graphs over documents, as operators with ``@``."""

from textspace.graphs._affinity import (
    affinity,
    marginal_graphs,
    normalized_laplacian,
    self_tuning_graph,
)
from textspace.graphs._geometry import geometry_graph, reconstruction_weights
from textspace.graphs._graph import Graph, laplacian
from textspace.graphs._local import equal_weight_graph, relevance_graph
from textspace.graphs._scatter import margin_graph

__all__ = [
    "Graph",
    "affinity",
    "equal_weight_graph",
    "geometry_graph",
    "laplacian",
    "margin_graph",
    "marginal_graphs",
    "normalized_laplacian",
    "reconstruction_weights",
    "relevance_graph",
    "self_tuning_graph",
]
