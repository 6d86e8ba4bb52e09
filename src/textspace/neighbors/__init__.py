"""Nearest documents: exactly, by shortened lists of each term, by clusters, and how many each way finds."""

from textspace.neighbors._clusters import (
    METRICS,
    ClusterIndex,
    build_index,
    index_recall,
    nearest_points,
)
from textspace.neighbors._exact import (
    ClassNeighbors,
    class_neighbors,
    kernel_neighbors,
    nearest_neighbors,
)
from textspace.neighbors._lists import posting_neighbors
from textspace.neighbors._queries import query_neighbors
from textspace.neighbors._recall import RECALL_SAMPLE, exact_relevance, neighbor_recall, share_found

__all__ = [
    "METRICS",
    "RECALL_SAMPLE",
    "ClassNeighbors",
    "ClusterIndex",
    "build_index",
    "class_neighbors",
    "exact_relevance",
    "index_recall",
    "kernel_neighbors",
    "nearest_neighbors",
    "nearest_points",
    "neighbor_recall",
    "posting_neighbors",
    "query_neighbors",
    "share_found",
]
