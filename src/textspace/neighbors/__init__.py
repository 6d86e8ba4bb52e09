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
    empty_lists,
    kernel_neighbors,
    nearest_neighbors,
    query_neighbors,
    read_only,
)
from textspace.neighbors._lists import posting_neighbors, query_postings
from textspace.neighbors._recall import N_QUERIES, exact_relevance, neighbor_recall, share_found

__all__ = [
    "METRICS",
    "N_QUERIES",
    "ClassNeighbors",
    "ClusterIndex",
    "build_index",
    "class_neighbors",
    "empty_lists",
    "exact_relevance",
    "index_recall",
    "kernel_neighbors",
    "nearest_neighbors",
    "nearest_points",
    "neighbor_recall",
    "posting_neighbors",
    "query_neighbors",
    "query_postings",
    "read_only",
    "share_found",
]
